/** A payout: an amount assigned to a user. service-interface.md, "Payout (request fields)". */
import { decimalOf, formatDecimal } from '../money/decimal.js';
import { CURRENCY, IDEMPOTENCY_KEY } from './common-fields.js';
import { COST_CENTER_FIELDS, COST_CENTER_RULES } from './cost-center.js';
import type { Kind } from './kind.js';

export const payout: Kind = {
  type: 'payout',
  plural: 'payouts',
  path: '/api/v2/payouts',
  /** Its column tells a payout from the other types. */
  mark: 'amount',
  keyed: true,
  fields: [
    {
      name: 'user_id',
      kind: 'id',
      required: true,
      help: 'ID of the associated user',
      example: 'usr_7f3a91',
    },
    {
      name: 'amount',
      kind: 'number',
      required: true,
      positive: true,
      money: true,
      help: 'amount of the payout; the service does not say in which unit',
      example: '1200',
    },
    { name: 'title', kind: 'text', required: true, help: 'title of the payout', example: 'Bonus November' },
    ...COST_CENTER_FIELDS,
    { name: 'description', kind: 'text', required: false, help: 'description of the payout', example: 'Best shift' },
    {
      name: 'billing_date',
      kind: 'date',
      required: false,
      help: 'when the worker performed the work, YYYY-MM-DD; default: the creation time of the payout',
      example: '2026-11-01',
    },
    {
      name: 'reference_id',
      kind: 'id',
      required: false,
      help: 'ID of the associated reference, such as a gig',
      example: 'gig_51c2',
    },
    {
      name: 'reference_type',
      kind: 'text',
      required: false,
      help: 'type of the associated reference, such as Gig',
      example: 'Gig',
    },
    CURRENCY,
    { ...IDEMPOTENCY_KEY, example: 'bonus-2026-11-u1' },
  ],
  rules: COST_CENTER_RULES,
  price: null,
  similarity: ['user_id', 'title'],
  reference: 'reference_id',
  date: 'billing_date',
  measure: null,
  unit: null,
  unitWords: 'amounts as given: the service does not say their unit',
  howComputed:
    'A payout’s amount is the number that its record gives. The service does not say in which unit, so it is shown as it was given.',
  amountField: 'amount',
  amount: (body) => decimalOf(body['amount'] as number),
  steps: (body) => formatDecimal(decimalOf(body['amount'] as number)),
};

/** A payout: an amount assigned to a user. service-interface.md, "Payout (request fields)". */
import { decimalOf, formatDecimal } from '../money/decimal.js';
import { COST_CENTER_FIELDS, COST_CENTER_RULES, CURRENCY, ownKey } from './common-fields.js';
import { optional, required } from './field.js';
import type { RecordSchema } from './kind.js';

export const payout: RecordSchema = {
  type: 'payout',
  plural: 'payouts',
  path: '/api/v2/payouts',
  /** No other type has this column. */
  mark: 'amount',
  keyed: true,
  fields: [
    required('user_id', 'id', 'ID of the associated user', 'usr_7f3a91', { need: 'Every payment needs a payee' }),
    required('amount', 'number', 'amount of the payout; the service names no unit', '1200', {
      positive: true,
      money: true,
      need: 'Every payment needs an amount',
    }),
    required('title', 'text', 'title of the payout', 'Bonus November', { need: 'Every payment needs a title' }),
    ...COST_CENTER_FIELDS,
    optional('description', 'text', 'description of the payout', 'Best shift'),
    optional(
      'billing_date',
      'date',
      'when the worker performed the work, YYYY-MM-DD; default: the creation time of the payout',
      '2026-11-01',
    ),
    optional('reference_id', 'id', 'ID of the associated reference, such as a gig', 'gig_51c2'),
    optional('reference_type', 'text', 'type of the associated reference, such as Gig', 'Gig'),
    CURRENCY,
    ownKey('bonus-2026-11-u1'),
  ],
  rules: COST_CENTER_RULES,
  price: null,
  payee: ['user_id'],
  purpose: 'title',
  reference: 'reference_id',
  date: 'billing_date',
  compared: ['user_id', 'amount'],
  measure: null,
  unit: null,
  unitWords: 'amounts as given: the service does not say their unit',
  howComputed:
    'A payout’s amount is the number in its record. The service names no unit, so it is shown as it is there.',
  amountField: 'amount',
  amount: (body) => decimalOf(body['amount'] as number),
  steps: (body) => formatDecimal(decimalOf(body['amount'] as number)),
};

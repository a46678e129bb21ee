/** A payout: an amount assigned to a user. service-interface.md, "Payout (request fields)". */
import * as z from 'zod/mini';
import { decimalOf, formatDecimal } from '../money/decimal.js';
import { COST_CENTER, COST_CENTER_RULES, CURRENCY, ownKey } from './cost-center.js';
import { date, id, inputSchema, money, type RecordSchema, strictObject, text } from './schema.js';
import { RECORD_INFO } from './types.js';

const payoutObject = strictObject(
  {
    user_id: id('ID of the associated user', { example: 'usr_7f3a91', need: 'Every payment needs a payee' }),
    amount: money('amount of the payout; the service names no unit', {
      example: 1200,
      need: 'Every payment needs an amount',
    }),
    title: text('title of the payout', { example: 'Bonus November', need: 'Every payment needs a title' }),
    ...COST_CENTER,
    description: z.optional(text('description of the payout', { example: 'Best shift' })),
    billing_date: z.optional(
      date('when the worker performed the work, YYYY-MM-DD; default: the creation time of the payout', {
        example: '2026-11-01',
      }),
    ),
    reference_id: z.optional(id('ID of what the payout refers to: a gig, for example', { example: 'gig_51c2' })),
    reference_type: z.optional(text('type of the associated reference, such as Gig', { example: 'Gig' })),
    currency: CURRENCY,
    idempotency_key: ownKey('bonus-2026-11-u1'),
  },
  COST_CENTER_RULES,
);

export type PayoutBody = z.infer<typeof payoutObject>;

export const payout: RecordSchema<PayoutBody> = {
  ...RECORD_INFO.payout,
  ...inputSchema(payoutObject),
  amount: ({ amount }) => decimalOf(amount),
  steps: ({ amount }) => formatDecimal(decimalOf(amount)),
};

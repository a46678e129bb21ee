/** A gig result: a user completed a quantity of a gig task. service-interface.md, "Gig result (request fields)". */
import * as z from 'zod/mini';
import { decimalOf, formatDecimal, multiply, parseDecimal } from '../money/decimal.js';
import { COST_CENTER, COST_CENTER_RULES, CURRENCY, ownKey } from './cost-center.js';
import { warning } from './issue.js';
import { date, id, inputSchema, multiplier, number, type RecordSchema, strictObject, text } from './schema.js';
import { RECORD_INFO } from './types.js';

const resultObject = strictObject(
  {
    gig_task_id: id('ID of the associated gig task', { example: 'tsk_20b4', need: 'Every result needs its task' }),
    user_id: id('ID of the associated user', { example: 'usr_7f3a91', need: 'Every payment needs a payee' }),
    title: text('title of the gig result', { example: 'Shelf audit', need: 'Every payment needs a title' }),
    quantity: number('quantity of completed tasks', {
      example: 3,
      need: 'Every result needs a quantity',
      positive: true,
    }),
    ...COST_CENTER,
    description: z.optional(text('description of the gig result', { example: 'Aisle 4' })),
    multiplier: z.optional(
      multiplier('factor from 0.0000 to 9.9999 multiplied into the base price; default 1.0', { example: '1.5' }),
    ),
    delivery_date: z.optional(
      date('when the worker performed the work, YYYY-MM-DD; default: the creation time of the gig result', {
        example: '2026-11-01',
      }),
    ),
    currency: CURRENCY,
    idempotency_key: ownKey('audit-4711'),
    base_price: z.optional(
      number('base price of the gig task in cents, for the total; never sent; may come from --prices instead', {
        example: 250,
        isPrice: true,
      }),
    ),
  },
  COST_CENTER_RULES,
);

export type ResultBody = z.infer<typeof resultObject>;

/** service-interface.md, "Payout amount rule" 5. */
const DEFAULT_MULTIPLIER = '1.0';

export const result: RecordSchema<ResultBody> = {
  ...RECORD_INFO.result,
  ...inputSchema(resultObject),
  doubts: ({ multiplier: factor }, report) => {
    if (factor !== undefined && /^[0.]+$/.test(factor))
      report(warning('not-positive', 'multiplier', `With a multiplier of ${factor}, nothing is paid`, factor));
  },
  // service-interface.md, "Payout amount rule": quantity x task base_price x multiplier.
  amount: ({ quantity, multiplier: factor = DEFAULT_MULTIPLIER }, price) =>
    price === null ? null : multiply(multiply(decimalOf(quantity), price), parseDecimal(factor)),
  steps: ({ quantity, multiplier: factor = DEFAULT_MULTIPLIER }, price) => {
    const known = price === null ? 'unknown price' : formatDecimal(price);
    return `${formatDecimal(decimalOf(quantity))} × ${known} × ${factor}`;
  },
};

/** A gig result: a user completed a quantity of a gig task. service-interface.md, "Gig result (request fields)". */
import { type Decimal, decimalOf, formatDecimal, multiply, parseDecimal } from '../money/decimal.js';
import { COST_CENTER_FIELDS, COST_CENTER_RULES, CURRENCY, ownKey } from './common-fields.js';
import { type Body, optional, required } from './field.js';
import { warning } from './issue.js';
import type { RecordSchema } from './kind.js';

export const result: RecordSchema = {
  type: 'result',
  plural: 'gig results',
  path: '/api/v2/gig_results',
  mark: 'gig_task_id',
  keyed: true,
  fields: [
    required('gig_task_id', 'id', 'ID of the associated gig task', 'tsk_20b4', { need: 'Every result needs its task' }),
    required('user_id', 'id', 'ID of the associated user', 'usr_7f3a91', { need: 'Every payment needs a payee' }),
    required('title', 'text', 'title of the gig result', 'Shelf audit', { need: 'Every payment needs a title' }),
    required('quantity', 'number', 'quantity of completed tasks', '3', {
      positive: true,
      need: 'Every result needs a quantity',
    }),
    ...COST_CENTER_FIELDS,
    optional('description', 'text', 'description of the gig result', 'Aisle 4'),
    optional(
      'multiplier',
      'multiplier',
      'factor from 0.0000 to 9.9999 multiplied into the base price; default 1.0',
      '1.5',
    ),
    optional(
      'delivery_date',
      'date',
      'when the worker performed the work, YYYY-MM-DD; default: the creation time of the gig result',
      '2026-11-01',
    ),
    CURRENCY,
    ownKey('audit-4711'),
  ],
  rules: COST_CENTER_RULES,
  price: optional(
    'base_price',
    'number',
    'base price of the gig task in cents, for the total; never sent; may come from --prices instead',
    '250',
  ),
  doubts: (body, report) => {
    const multiplier = multiplierOf(body);
    if (/^[0.]+$/.test(multiplier))
      report(warning('not-positive', 'multiplier', `With a multiplier of ${multiplier}, nothing is paid`, multiplier));
  },
  payee: ['user_id'],
  purpose: 'title',
  // Results of two tasks on one day are two pieces of work.
  reference: 'gig_task_id',
  date: 'delivery_date',
  compared: ['user_id', 'quantity'],
  measure: 'quantity',
  unit: 'cents',
  unitWords: 'amounts in cents: quantity × base price × multiplier',
  howComputed:
    'A gig result’s amount is quantity × base price × multiplier, in cents; without a multiplier it is 1.0. The base price is that of the task, from the list of prices or the result’s own column. Where no price is known, there is no amount, and the record is counted apart.',
  // service-interface.md, "Payout amount rule": quantity x task base_price x multiplier; rule 5: 1.0 by default.
  amountField: null,
  amount: (body, price) =>
    price === null ? null : multiply(multiply(quantityOf(body), price), parseDecimal(multiplierOf(body))),
  steps: (body, price) => {
    const known = price === null ? 'unknown price' : formatDecimal(price);
    return `${formatDecimal(quantityOf(body))} × ${known} × ${multiplierOf(body)}`;
  },
};

function quantityOf(body: Body): Decimal {
  return decimalOf(body['quantity'] as number);
}

function multiplierOf(body: Body): string {
  return (body['multiplier'] as string | undefined) ?? '1.0';
}

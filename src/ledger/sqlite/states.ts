/**
 * How the records of a run stand. It exists only for speed: what is listed says all of this. A run that is gone on with, or
 * made a second time, has created most of its payments, and to count those of a stretch takes a tenth of reading them.
 */
import type { RecordState } from '../payment.js';
import { CREATED } from '../codes.js';
import { type Context, reading } from './context.js';
import { inOrder } from '../listing.js';
import { invalidOf, startListing } from './listed.js';
import type { Stretch } from '../stretches.js';
import { stretchesOf } from './run-records.js';

const COUNT = `SELECT count(*) FROM outcome WHERE payment BETWEEN ? AND ? AND state = ${CREATED}`;

/** {@link Ledger.states} */
export function selectStates(context: Context, run: number, from: number, count: number): RecordState[] {
  return reading(context, () => {
    const listing = startListing(context);
    const stretches = stretchesOf(context, run, from, count);
    const valid = stretches.flatMap((stretch) => (isCreated(context, stretch) ? created(stretch) : listing(stretch)));
    return inOrder<RecordState>(invalidOf(context, run, from, count), valid, count);
  });
}

/** Whether every payment of the stretch is created. No claim changes that. */
function isCreated({ sql }: Context, { payment, length }: Stretch): boolean {
  return (sql(COUNT).get(payment, payment + length - 1) as [number])[0] === length;
}

function created({ index, payment, standsFor, length }: Stretch): RecordState[] {
  return Array.from({ length }, (_, i) => ({
    index: index + i,
    payment: payment + i,
    standsFor: standsFor === null ? null : standsFor + i,
    isCreated: true,
  }));
}

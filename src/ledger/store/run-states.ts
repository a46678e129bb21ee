/**
 * How the records of a run stand. It exists only for speed: what is listed says all of this. A run that is gone on with, or
 * made a second time, has created most of its payments, and to count those of a stretch takes a tenth of reading them.
 */
import { CREATED } from '../codes.js';
import type { PaymentId, RecordState } from '../payment.js';
import type { Stretch } from '../stretches.js';
import type { Driver } from './driver.js';
import { inOrder, invalidOf, readListed } from './listed.js';
import { stretchesOf } from './run-records.js';

/** No claim changes what is created. */
const COUNTS = `SELECT w.first, (SELECT count(*) FROM outcome o WHERE o.payment BETWEEN w.first AND w.last AND o.state = ${CREATED})
  FROM given($1, first bigint, last bigint) w`;

/** {@link Ledger.states} */
export function selectStates({ session }: Driver, run: number, from: number, count: number): Promise<RecordState[]> {
  return session.read(async (tx) => {
    const stretches = await stretchesOf(tx, run, from, count);
    const ranges = stretches.map(({ payment, length }) => [payment, payment + length - 1]);
    const rows = ranges.length === 0 ? [] : await tx.rows<[PaymentId, number]>(COUNTS, ranges);
    const counts = new Map(rows);
    const isCreated = ({ payment, length }: Stretch): boolean => counts.get(payment) === length;
    const others = await readListed(
      tx,
      stretches.filter((stretch) => !isCreated(stretch)),
    );
    const valid = [...stretches.filter(isCreated).flatMap(created), ...others];
    return inOrder<RecordState>(await invalidOf(tx, run, from, count), inPlace(valid), count);
  });
}

function created({ index, payment, standsFor, length }: Stretch): RecordState[] {
  return Array.from({ length }, (_, i) => ({
    index: index + i,
    payment: payment + i,
    standsFor: standsFor === null ? null : standsFor + i,
    isCreated: true,
  }));
}

function inPlace(records: RecordState[]): RecordState[] {
  return records.sort((one, other) => one.index - other.index);
}

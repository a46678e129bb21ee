/** Drafts become history at the gate. */
import { homeOf } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import type { Context } from './context.js';
import { isConflict } from './failures.js';
import { rangeOf } from './preparation.js';

/** Spans that are read at once. */
const PAGE = 1000;
/**
 * Payments whose index entries are sorted and inserted at once. Keys come in random order: one by one, each would touch a
 * page of its own, in a long history one that has to be read from the disk first. Sorting more at once takes more memory,
 * some 60 bytes each; with a history of two million, slices of 50,000 take nearly twice as long.
 */
const SLICE = 200_000;

/**
 * Deletes the drafts that no record of the run points at. To be called within a transaction.
 * @returns how many drafts the records point at
 */
export function dropUnlisted({ sql }: Context, run: number, drafts: number): number {
  const [first, last] = rangeOf(drafts);
  const select = sql(
    'SELECT payment, count FROM span WHERE run = ? AND left_out IS NULL AND payment BETWEEN ? AND ? ORDER BY payment LIMIT ?',
  );
  const drop = sql('DELETE FROM payment WHERE id BETWEEN ? AND ?');
  let [next, listed] = [first, 0];
  for (let spans: [PaymentId, number][] = []; ;) {
    spans = select.all(run, next, last, PAGE) as [PaymentId, number][];
    for (const [payment, count] of spans) {
      if (payment > next) drop.run(next, payment - 1);
      next = payment + count;
      listed += count;
    }
    if (spans.length < PAGE) break;
  }
  drop.run(next, last);
  return listed;
}

/**
 * Lets all drafts that are left stand for their keys, and be found by their similarity.
 * @returns how many they are
 * @throws when one of the keys is another payment's: then the plan did not name what it replaces
 */
export function activate(context: Context, drafts: number): number {
  const [first, last] = rangeOf(drafts);
  const max = context.sql('SELECT max(id) FROM payment WHERE id BETWEEN ? AND ?');
  const [end] = max.get(first, last) as [PaymentId | null];
  let count = 0;
  try {
    for (let from = first; from <= (end ?? 0); from += SLICE) count += activateSlice(context, from, from + SLICE - 1);
    return count;
  } catch (cause) {
    if (isConflict(cause)) throw new Error('a plan takes the key of a payment that it does not replace', { cause });
    throw cause;
  }
}

function activateSlice({ sql }: Context, first: PaymentId, last: PaymentId): number {
  const slice = 'FROM payment WHERE id BETWEEN ? AND ?';
  sql(`INSERT INTO by_similarity SELECT similarity, id ${slice} ORDER BY similarity, id`).run(first, last);
  return sql(`INSERT INTO by_key SELECT target, key, id ${slice} ORDER BY target, key`).run(first, last).changes;
}

/** The number of a payment's home run, as it is called now: a run that went on has taken payments of a later preparation. */
export function homeRun({ sql }: Context, payment: PaymentId): number {
  const home = homeOf(payment);
  return (sql('SELECT joined FROM run WHERE number = ?').get(home) as [number | null] | undefined)?.[0] ?? home;
}

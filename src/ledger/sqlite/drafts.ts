/** Drafts become history at the gate. */
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
    'SELECT payment, count FROM span WHERE run = ? AND payment BETWEEN ? AND ? ORDER BY payment LIMIT ?',
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

/** Marks the drafts of records that the run leaves out: they are no payments. To be called within a transaction. */
export function setAside({ sql }: Context, run: number, drafts: number): void {
  const spans = sql(
    'SELECT payment, count FROM span WHERE run = ? AND stands_for IS NOT NULL AND payment BETWEEN ? AND ?',
  );
  const mark = sql('UPDATE payment SET run = 0 WHERE id BETWEEN ? AND ?');
  for (const [payment, count] of spans.all(run, ...rangeOf(drafts)) as [PaymentId, number][])
    mark.run(payment, payment + count - 1);
}

/**
 * Lets all drafts of accepted records stand for their keys, and be found by their similarity.
 * @throws when one of the keys is another payment's: then the plan did not name what it replaces
 */
export function activate(context: Context, drafts: number): void {
  const [first, last] = rangeOf(drafts);
  const max = context.sql('SELECT max(id) FROM payment WHERE id BETWEEN ? AND ?');
  const [end] = max.get(first, last) as [PaymentId | null];
  try {
    for (let from = first; from <= (end ?? 0); from += SLICE) activateSlice(context, from, from + SLICE - 1);
  } catch (cause) {
    if (isConflict(cause)) throw new Error('a plan takes the key of a payment that it does not replace', { cause });
    throw cause;
  }
}

function activateSlice({ sql }: Pick<Context, 'sql'>, first: PaymentId, last: PaymentId): void {
  const slice = 'FROM payment WHERE id BETWEEN ? AND ? AND run IS NOT 0';
  sql(`INSERT INTO by_similarity SELECT similarity, id ${slice} ORDER BY similarity, id`).run(first, last);
  sql(`INSERT INTO by_key SELECT target, key, type, id ${slice} ORDER BY target, key`).run(first, last);
}

/** Lets a run accept what the ledger had before: a payment, or the row of a record that was left out until now. */
export function accept({ sql }: Context, run: number, payments: readonly PaymentId[]): void {
  const wasLeftOut = sql('SELECT 1 FROM payment WHERE id = ? AND run = 0');
  const take = sql('UPDATE payment SET run = ?1 WHERE id = ?2 AND coalesce(run, id >> 31) <> ?1');
  for (const payment of payments) {
    const isNew = wasLeftOut.get(payment) !== undefined;
    take.run(run, payment);
    if (isNew) activateSlice({ sql }, payment, payment);
  }
}

/** Number of the run that accepted a payment last. */
export function acceptedBy({ sql }: Context, payment: PaymentId): number | null {
  const select = sql('SELECT coalesce(nullif(run, 0), id >> 31) FROM payment WHERE id = ?');
  return (select.get(payment) as [number] | undefined)?.[0] ?? null;
}

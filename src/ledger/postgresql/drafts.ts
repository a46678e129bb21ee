/** Drafts become history at the gate. */
import type { PaymentId } from '../payment.js';
import type { Value } from './driver.js';
import { isConflict } from './failures.js';
import { rangeOf } from './preparation.js';
import type { Transaction } from './session.js';

/** Spans that are read at once. */
const PAGE = 1000;
/** Payments whose index entries are sorted and inserted at once: keys come in random order. */
const SLICE = 200_000;

/**
 * Deletes the drafts that no record of the run points at. To be called within a transaction.
 * @returns how many drafts the records point at
 */
export async function dropUnlisted(tx: Transaction, run: number, drafts: number): Promise<number> {
  const [first, last] = rangeOf(drafts);
  let [next, listed] = [first, 0];
  for (let spans: [PaymentId, number][] = []; ;) {
    spans = await tx.rows<[PaymentId, number]>(
      'SELECT payment, count FROM span WHERE run = $1 AND payment BETWEEN $2 AND $3 ORDER BY payment LIMIT $4',
      ...[run, next, last, PAGE],
    );
    const gaps: [PaymentId, PaymentId][] = [];
    for (const [payment, count] of spans) {
      if (payment > next) gaps.push([next, payment - 1]);
      next = payment + count;
      listed += count;
    }
    if (spans.length < PAGE) gaps.push([next, last]);
    await tx.change(
      'DELETE FROM payment p USING unnest($1::bigint[], $2::bigint[]) g(first, last) WHERE p.id BETWEEN g.first AND g.last',
      gaps.map(([from]) => from),
      gaps.map(([, to]) => to),
    );
    if (spans.length < PAGE) return listed;
  }
}

/** Marks the drafts of records that the run leaves out: they are no payments. @returns how many they are */
export function setAside(tx: Transaction, run: number, drafts: number): Promise<number> {
  return tx.change(
    `UPDATE payment p SET run = 0 FROM span s WHERE s.run = $1 AND s.stands_for IS NOT NULL AND s.payment BETWEEN $2 AND $3
       AND p.id BETWEEN s.payment AND s.payment + s.count - 1`,
    ...[run, ...rangeOf(drafts)],
  );
}

/**
 * Lets all drafts of accepted records stand for their keys, and be found by their similarity.
 * @returns how many they are
 * @throws when one of the keys is another payment's: then the plan did not name what it replaces
 */
export async function activate(tx: Transaction, drafts: number): Promise<number> {
  const [first, last] = rangeOf(drafts);
  const [[end] = [null]] = await tx.rows<[PaymentId | null]>(
    'SELECT max(id) FROM payment WHERE id BETWEEN $1 AND $2',
    first,
    last,
  );
  let count = 0;
  for (let from = first; from <= (end ?? 0); from += SLICE)
    count += await enter(tx, 'id BETWEEN $1 AND $2 AND run IS DISTINCT FROM 0', from, from + SLICE - 1);
  return count;
}

async function enter(tx: Transaction, which: string, ...values: Value[]): Promise<number> {
  const rows = `FROM payment WHERE ${which}`;
  try {
    await tx.change(`INSERT INTO by_similarity SELECT similarity, id ${rows} ORDER BY similarity, id`, ...values);
    return await tx.change(`INSERT INTO by_key SELECT target, key, type, id ${rows} ORDER BY target, key`, ...values);
  } catch (cause) {
    if (isConflict(cause)) throw new Error('a plan takes the key of a payment that it does not replace', { cause });
    throw cause;
  }
}

/** Lets a run accept what the ledger had before: payments, and rows of records that were left out until now. */
export async function accept(tx: Transaction, run: number, payments: readonly PaymentId[]): Promise<void> {
  for (let from = 0; from < payments.length; from += SLICE) {
    const slice = payments.slice(from, from + SLICE);
    await enter(tx, 'id = ANY ($1::bigint[]) AND run = 0', slice);
    const take = `UPDATE payment p SET run = $1 WHERE id = ANY ($2::bigint[]) AND (run = 0 OR ${ACCEPTED_BY} <> $1)`;
    await tx.change(take, run, slice);
  }
}

/** SQL: number of the run that accepted the payment `p` last; of a record that was left out, the one that brought it along. */
export const ACCEPTED_BY = 'coalesce(nullif(p.run, 0), (p.id >> 31)::int)';

/** Drafts become history at the gate. */
import type { PaymentId } from '../payment.js';
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
      'SELECT payment, count FROM span WHERE run = $1 AND left_out IS NULL AND payment BETWEEN $2 AND $3 ORDER BY payment LIMIT $4',
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

/**
 * Lets all drafts that are left stand for their keys, and be found by their similarity.
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
  const slice = 'FROM payment WHERE id BETWEEN $1 AND $2';
  let count = 0;
  try {
    for (let from = first; from <= (end ?? 0); from += SLICE) {
      const range = [from, from + SLICE - 1];
      await tx.change(`INSERT INTO by_similarity SELECT similarity, id ${slice} ORDER BY similarity, id`, ...range);
      count += await tx.change(`INSERT INTO by_key SELECT target, key, id ${slice} ORDER BY target, key`, ...range);
    }
    return count;
  } catch (cause) {
    if (isConflict(cause)) throw new Error('a plan takes the key of a payment that it does not replace', { cause });
    throw cause;
  }
}

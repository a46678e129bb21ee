/** Drafts become history at the gate. */
import type { PaymentId } from '../payment.js';
import type { Driver, Transaction, Value } from './driver.js';
import { rangeOf } from './preparation.js';
import { ACCEPTED_BY } from './transactions.js';

/** Spans that are read at once. */
const PAGE = 1000;
/**
 * Payments whose index entries are sorted and inserted at once. Keys come in random order: one by one, each would touch a
 * page of its own, in a long history one that has to be read from the disk first. Sorting more at once takes more memory,
 * some 60 bytes each; with a history of two million, slices of 50,000 take nearly twice as long.
 */
const SLICE = 200_000;

/** Drafts that a record of the run points at become history; all others are deleted. To be called within a transaction. */
export async function takeDrafts(driver: Driver, tx: Transaction, run: number, drafts: number): Promise<void> {
  const listed = await dropUnlisted(tx, run, drafts);
  const stored = (await setAside(tx, run, drafts)) + (await activate(driver, tx, drafts));
  if (stored !== listed) throw new Error('a record points at a payment that was not stored');
  if (run === drafts) return;
  // What a run that goes on has taken belongs to that.
  await tx.change('UPDATE payment SET run = $1 WHERE id BETWEEN $2 AND $3 AND run IS NULL', run, ...rangeOf(drafts));
  await tx.change('DELETE FROM run WHERE number = $1 AND NOT passed', drafts);
}

/** Deletes the drafts that no record of the run points at. @returns how many drafts the records point at */
async function dropUnlisted(tx: Transaction, run: number, drafts: number): Promise<number> {
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
      `DELETE FROM payment WHERE id IN
       (SELECT p.id FROM given($1, first bigint, last bigint) g JOIN payments_in(g.first, g.last) p)`,
      gaps,
    );
    if (spans.length < PAGE) return listed;
  }
}

/** Marks the drafts of records that the run leaves out: they are no payments. @returns how many they are */
function setAside(tx: Transaction, run: number, drafts: number): Promise<number> {
  return tx.change(
    `UPDATE payment SET run = 0 WHERE id IN
     (SELECT p.id FROM span s JOIN payments_in(s.payment, s.payment + s.count - 1) p
      WHERE s.run = $1 AND s.stands_for IS NOT NULL AND s.payment BETWEEN $2 AND $3)`,
    ...[run, ...rangeOf(drafts)],
  );
}

/**
 * Lets all drafts of accepted records stand for their keys, and be found by their similarity.
 * @returns how many they are
 * @throws when one of the keys is another payment's: then the plan did not name what it replaces
 */
async function activate(driver: Driver, tx: Transaction, drafts: number): Promise<number> {
  const range = rangeOf(drafts);
  const [[end] = [null]] = await tx.rows<[PaymentId | null]>(
    'SELECT max(id) FROM payment WHERE id BETWEEN $1 AND $2',
    ...range,
  );
  let count = 0;
  for (let from = range[0]; from <= (end ?? 0); from += SLICE)
    count += await enter(driver, tx, 'id BETWEEN $1 AND $2 AND run IS DISTINCT FROM 0', from, from + SLICE - 1);
  return count;
}

async function enter(driver: Driver, tx: Transaction, which: string, ...values: Value[]): Promise<number> {
  const rows = `FROM payment WHERE ${which}`;
  try {
    await tx.change(`INSERT INTO by_similarity SELECT similarity, id ${rows} ORDER BY similarity, id`, ...values);
    return await tx.change(`INSERT INTO by_key SELECT target, key, type, id ${rows} ORDER BY target, key`, ...values);
  } catch (cause) {
    if (driver.isConflict(cause))
      throw new Error('a plan takes the key of a payment that it does not replace', { cause });
    throw cause;
  }
}

/**
 * Lets a run accept what the ledger had before: payments, and rows of records that were left out until now. To be called
 * within a transaction.
 */
export async function accept(
  driver: Driver,
  tx: Transaction,
  run: number,
  payments: readonly PaymentId[],
): Promise<void> {
  for (let from = 0; from < payments.length; from += SLICE) {
    const slice = payments.slice(from, from + SLICE);
    await enter(driver, tx, 'id = ANY ($1) AND run = 0', slice);
    const take = `UPDATE payment AS p SET run = $1 WHERE id = ANY ($2) AND (run = 0 OR ${ACCEPTED_BY} <> $1)`;
    await tx.change(take, run, slice);
  }
}

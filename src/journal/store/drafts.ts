/** Drafts: a run's new payments. They are stored before its gate, unseen. The gate makes them history. */
import { randomBytes } from 'node:crypto';
import { type Draft, idOf, type PaymentId, type RunHead } from '../payment.js';
import type { DraftRun } from '../plan.js';
import { NOT_SENT, REJECTED, typeCode } from './common-schema.js';
import type { Driver, SqlScalar, Transaction, SqlValue } from './driver.js';
import type { Span } from './run-list.js';
import { ACCEPTED_BY, findTarget, writeAsProcess } from './transactions.js';

/** {@link Journal.prepare} */
export async function prepareRun(driver: Driver, head: RunHead): Promise<DraftRun> {
  const begun = await writeAsProcess(driver, (tx) => begin(driver, tx, head));
  const { number, name, target } = begun;
  return {
    number,
    name,
    // Only appends to one table: the gate writes the indexes in random order, sorted.
    store: (drafts) =>
      writeAsProcess(driver, (tx) => tx.insert('payment', DRAFT_COLUMNS, paymentRows(number, target, drafts))),
    abandon: () => writeAsProcess(driver, (tx) => forgetRun(tx, number)),
  };
}

interface NewRun {
  readonly number: number;
  readonly name: string;
  readonly target: number;
}

async function begin(driver: Driver, tx: Transaction, head: RunHead): Promise<NewRun> {
  await tx.change('INSERT INTO target (name, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', head.target, head.scope);
  const target = (await findTarget(tx, head))?.id as number;
  const at = driver.timeOf(tx, head.startedAt);
  for (;;) {
    const name = newName(new Date(at));
    const [row] = await tx.rows<[number]>(
      `INSERT INTO run (name, target, command, batch, process, started_at, headers) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (name) DO NOTHING RETURNING number`,
      name,
      target,
      head.command,
      head.batchId,
      driver.self,
      at,
      JSON.stringify(head.headers),
    );
    if (row !== undefined) return { number: row[0], name, target };
  }
}

/** The day and a few random digits, short enough to type. With thousands of runs a day, two may get the same name. */
function newName(day: Date): string {
  return `${day.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`;
}

// prettier-ignore
const DRAFT_COLUMNS = [
  'id', 'target', 'type', 'content', 'payee', 'title', 'reference', 'date', 'measure', 'of_flags', 'amount', 'currency',
  'cost_center', 'key', 'body_hash', 'body',
];

function* paymentRows(run: number, target: number, drafts: readonly Draft[]): Iterable<SqlScalar[]> {
  for (const draft of drafts) yield paymentRow(run, target, draft);
}

function paymentRow(run: number, target: number, draft: Draft): SqlScalar[] {
  // Written out: spreading it takes longer than storing it.
  return [
    idOf(run, draft.index),
    target,
    typeCode(draft.type),
    draft.content,
    draft.payee,
    draft.title,
    draft.reference,
    draft.date,
    draft.measure,
    draft.isOfFile ? null : 1,
    draft.amount,
    draft.currency,
    draft.costCenter,
    draft.key,
    draft.bodyHash,
    draft.body,
  ];
}

/** Deletes a run that never passed its gate: it is not history. To be called within a transaction. */
export async function forgetRun(tx: Transaction, run: number): Promise<void> {
  const gone = await tx.change('DELETE FROM run WHERE number = $1 AND NOT passed', run);
  if (gone > 0) await tx.change('DELETE FROM payment WHERE id BETWEEN $1 AND $2', ...idRange(run));
}

/** First and last possible payment of a run. */
function idRange(run: number): [PaymentId, PaymentId] {
  return [idOf(run, 0), idOf(run + 1, 0) - 1];
}

/**
 * Payments whose index entries are sorted and inserted at once. Keys come in random order: one by one, each would touch
 * a different page, which in a long history is read from the disk first. Sorting more at once takes more memory, some
 * 60 bytes each; with a history of two million, slices of 50,000 take nearly twice as long.
 */
const SLICE = 200_000;

/** Drafts that a record of the run points at become history; others are deleted. Within a transaction. */
export async function takeDrafts(
  driver: Driver,
  tx: Transaction,
  run: number,
  drafts: number,
  stretches: readonly Span[],
): Promise<void> {
  const listed = await dropUnlisted(tx, drafts, stretches);
  const stored = (await markLeftOut(tx, run, drafts)) + (await activate(driver, tx, drafts));
  if (stored !== listed) throw new Error('a record points at a payment that was not stored');
  if (run === drafts) return;
  // A run that continues owns the drafts that it takes from a preparation.
  await tx.change('UPDATE payment SET run = $1 WHERE id BETWEEN $2 AND $3 AND run IS NULL', run, ...idRange(drafts));
  await tx.change('DELETE FROM run WHERE number = $1 AND NOT passed', drafts);
}

/** Deletes the drafts that no record of the run points at. @returns the number of drafts that records point at */
async function dropUnlisted(tx: Transaction, drafts: number, stretches: readonly Span[]): Promise<number> {
  const [first, last] = idRange(drafts);
  const listed = stretches.filter(({ payment }) => payment >= first && payment <= last);
  await tx.change(
    `DELETE FROM payment WHERE id IN
     (SELECT p.id FROM given($1, first bigint, last bigint) g JOIN payments_in(g.first, g.last) p)`,
    gapsIn([first, last], listed),
  );
  return listed.reduce((sum, { length }) => sum + length, 0);
}

function gapsIn([first, last]: [PaymentId, PaymentId], listed: readonly Span[]): [PaymentId, PaymentId][] {
  const inOrder = listed.toSorted((one, other) => one.payment - other.payment);
  const ends = [first, ...inOrder.map(({ payment, length }) => payment + length)];
  return ends.map((end, i) => [end, (inOrder[i]?.payment ?? last + 1) - 1]);
}

/** Marks the drafts of records that the run leaves out: they are not payments. @returns their number */
function markLeftOut(tx: Transaction, run: number, drafts: number): Promise<number> {
  return tx.change(
    `UPDATE payment SET run = 0 WHERE id IN
     (SELECT p.id FROM span s JOIN payments_in(s.payment, s.payment + s.count - 1) p
      WHERE s.run = $1 AND s.stands_for IS NOT NULL AND s.payment BETWEEN $2 AND $3)`,
    run,
    ...idRange(drafts),
  );
}

/**
 * Makes all drafts of accepted records known by their keys and their payees.
 * @returns their number
 * @throws when another payment has one of the keys: then the plan did not name the payment that it replaces
 */
async function activate(driver: Driver, tx: Transaction, drafts: number): Promise<number> {
  const range = idRange(drafts);
  const [[end] = [null]] = await tx.rows<[PaymentId | null]>(
    'SELECT max(id) FROM payment WHERE id BETWEEN $1 AND $2',
    ...range,
  );
  let count = 0;
  for (let from = range[0]; from <= (end ?? 0); from += SLICE)
    count += await indexPayments(driver, tx, 'id BETWEEN $1 AND $2 AND run IS DISTINCT FROM 0', from, from + SLICE - 1);
  return count;
}

async function indexPayments(driver: Driver, tx: Transaction, which: string, ...values: SqlValue[]): Promise<number> {
  const rows = `FROM payment WHERE ${which}`;
  try {
    await tx.change(`INSERT INTO by_payee SELECT payee, title, id ${rows} ORDER BY payee, title, id`, ...values);
    return await tx.change(`INSERT INTO by_key SELECT target, key, type, id ${rows} ORDER BY target, key`, ...values);
  } catch (cause) {
    if (driver.isConflict(cause))
      throw new Error('a plan takes the key of a payment that it does not replace', { cause });
    throw cause;
  }
}

/** Opens rejected payments that are sent again: if this call is cut off, the next one sends them. */
const REOPEN = `UPDATE outcome SET state = ${NOT_SENT}, run = $1, at = $2, http_status = NULL, response = NULL, error = NULL
  WHERE payment = ANY ($3) AND state = ${REJECTED}`;

/** Lets a run accept known payments and rows of records that it left out so far. Within a transaction. */
export async function accept(
  driver: Driver,
  tx: Transaction,
  run: number,
  payments: readonly PaymentId[],
): Promise<void> {
  for (let from = 0; from < payments.length; from += SLICE) {
    const slice = payments.slice(from, from + SLICE);
    await indexPayments(driver, tx, 'id = ANY ($1) AND run = 0', slice);
    const take = `UPDATE payment AS p SET run = $1 WHERE id = ANY ($2) AND (run = 0 OR ${ACCEPTED_BY} <> $1)`;
    await tx.change(take, run, slice);
    await tx.change(REOPEN, run, tx.at, slice);
  }
}

/** A run before its gate: its drafts are appended to the payments, and nobody sees them. */
import { randomBytes } from 'node:crypto';
import { typeCode } from '../codes.js';
import { idOf, type Preparation } from '../ledger.js';
import type { Draft, PaymentId, RunHead } from '../payment.js';
import type { Driver, Scalar, Transaction } from './driver.js';
import { targetOf, writing } from './transactions.js';

/** {@link Ledger.prepare} */
export async function prepare(driver: Driver, head: RunHead): Promise<Preparation> {
  const begun = await writing(driver, (tx) => begin(driver, tx, head));
  const { number, name, target } = begun;
  return {
    number,
    name,
    // Only appends to one table: what is in the order of chance is written at the gate, sorted.
    store: (drafts) =>
      writing(driver, (tx) =>
        tx.insert(
          'payment',
          COLUMNS,
          drafts.map((draft) => rowOf(number, target, draft)),
        ),
      ),
    abandon: () => writing(driver, (tx) => forgetRun(tx, number)),
  };
}

interface Begun {
  readonly number: number;
  readonly name: string;
  readonly target: number;
}

async function begin(driver: Driver, tx: Transaction, head: RunHead): Promise<Begun> {
  await tx.change('INSERT INTO target (name, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', head.target, head.scope);
  const target = (await targetOf(tx, head))?.id as number;
  const at = driver.timeOf(tx, head.startedAt);
  for (;;) {
    const name = newName(new Date(at));
    const [row] = await tx.rows<[number]>(
      `INSERT INTO run (name, target, command, batch, process, started_at, headers) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (name) DO NOTHING RETURNING number`,
      ...[name, target, head.command, head.batchId, driver.self, at, JSON.stringify(head.headers)],
    );
    if (row !== undefined) return { number: row[0], name, target };
  }
}

/** The day and a few random digits, short enough to be typed; with thousands of runs a day, two may draw the same. */
function newName(day: Date): string {
  return `${day.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`;
}

const COLUMNS = [
  ...['id', 'target', 'type', 'content', 'similarity', 'reference', 'date', 'measure', 'amount', 'currency'],
  ...['cost_center', 'key', 'body_hash', 'body'],
];

function rowOf(run: number, target: number, draft: Draft): Scalar[] {
  // Written out: to spread parts of it takes longer than storing it.
  return [
    idOf(run, draft.index),
    target,
    typeCode(draft.type),
    draft.content,
    draft.similarity,
    draft.reference,
    draft.date,
    draft.measure,
    draft.amount,
    draft.currency,
    draft.costCenter,
    draft.key,
    draft.bodyHash,
    draft.body,
  ];
}

/** {@link Ledger.bodies} */
export async function bodies(driver: Driver, payments: readonly PaymentId[]): Promise<(string | null)[]> {
  type Cells = [PaymentId, string | null, string, number | null];
  const rows = await driver.session.read((tx) =>
    tx.rows<Cells>('SELECT p.id, p.body, key_of(p), key_place_of(p) FROM payment p WHERE p.id = ANY ($1)', payments),
  );
  const found = new Map(rows.map(([id, body, key, place]) => [id, driver.bodyOf(body, driver.keyOf(key), place)]));
  return payments.map((id) => found.get(id) ?? null);
}

/** Deletes a run that never passed its gate: it is not history. To be called within a transaction. */
export async function forgetRun(tx: Transaction, run: number): Promise<void> {
  const gone = await tx.change('DELETE FROM run WHERE number = $1 AND NOT passed', run);
  if (gone > 0) await tx.change('DELETE FROM payment WHERE id BETWEEN $1 AND $2', ...rangeOf(run));
}

/** First and last possible payment of a run. */
export function rangeOf(run: number): [PaymentId, PaymentId] {
  return [idOf(run, 0), idOf(run + 1, 0) - 1];
}

/** A run before its gate: its drafts are appended to the payments, and nobody sees them. */
import { randomBytes } from 'node:crypto';
import { typeCode } from '../codes.js';
import { idOf, type Preparation } from '../ledger.js';
import type { Draft, PaymentId, RunHead } from '../payment.js';
import { type Context, targetOf, writing } from './context.js';
import type { Transaction } from './session.js';

/** Drafts that are sent to the database at once. */
const SLICE = 2000;

/** {@link Ledger.prepare} */
export async function prepare(context: Context, head: RunHead): Promise<Preparation> {
  const begun = await writing(context, (tx) => begin(tx, head, context.self));
  return {
    number: begun.number,
    name: begun.name,
    store: async (drafts) => {
      for (let from = 0; from < drafts.length; from += SLICE)
        await writing(context, (tx) => store(tx, begun, drafts.slice(from, from + SLICE)));
    },
    abandon: () => writing(context, (tx) => forgetRun(tx, begun.number)),
  };
}

async function begin(
  tx: Transaction,
  head: RunHead,
  self: number | null,
): Promise<{ number: number; name: string; target: number }> {
  await tx.change('INSERT INTO target (name, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', head.target, head.scope);
  const target = (await targetOf(tx, head))?.id as number;
  for (;;) {
    const name = newName(new Date(tx.at));
    const [row] = await tx.rows<[number]>(
      `INSERT INTO run (name, target, command, batch, process, started_at, headers) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (name) DO NOTHING RETURNING number`,
      ...[name, target, head.command, head.batchId, self, tx.at, JSON.stringify(head.headers)],
    );
    if (row !== undefined) return { number: row[0], name, target };
  }
}

/** The day and a few random digits, short enough to be typed; with thousands of runs a day, two may draw the same. */
function newName(day: Date): string {
  return `${day.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`;
}

const INSERT = `INSERT INTO payment (id, target, type, content, similarity, reference, date, measure, amount, currency, cost_center,
    key, body_hash, body)
  SELECT id, $1, type, content, similarity, reference, date, measure, amount, currency, cost_center, key, decode(hash, 'hex'), body
  FROM unnest($2::bigint[], $3::smallint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
    u(id, type, content, similarity, reference, date, measure, amount, currency, cost_center, key, hash, body)`;

/** Only appends to one table: what is in the order of chance is written at the gate, sorted. */
async function store(
  tx: Transaction,
  run: { number: number; target: number },
  drafts: readonly Draft[],
): Promise<void> {
  await tx.change(
    INSERT,
    run.target,
    drafts.map(({ index }) => idOf(run.number, index)),
    drafts.map(({ type }) => typeCode(type)),
    drafts.map(({ content }) => String(content)),
    drafts.map(({ similarity }) => String(similarity)),
    drafts.map(({ reference }) => (reference === null ? null : String(reference))),
    drafts.map(({ date }) => date),
    drafts.map(({ measure }) => (measure === null ? null : String(measure))),
    drafts.map(({ amount }) => amount),
    drafts.map(({ currency }) => currency),
    drafts.map(({ costCenter }) => costCenter),
    drafts.map(({ key }) => key),
    drafts.map(({ bodyHash }) => bodyHash),
    drafts.map(({ body }) => body),
  );
}

/** {@link Ledger.bodies} */
export async function bodies({ session }: Context, payments: readonly PaymentId[]): Promise<(string | null)[]> {
  const rows = await session.read((tx) =>
    tx.rows<[number, string | null]>('SELECT id, body FROM payment WHERE id = ANY ($1::bigint[])', payments),
  );
  const found = new Map(rows);
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

/** A run before its gate: its drafts are appended to the payments, and nobody sees them. */
import { randomBytes } from 'node:crypto';
import { writeWith } from '../../util/sqlite.js';
import { idOf, type Preparation } from '../ledger.js';
import type { Draft, PaymentId, RunHead } from '../payment.js';
import { typeCode } from '../codes.js';
import { isUuid, KEY, keyOf, placeOfKey, wholeBody, withoutKey } from './compact.js';
import { type Context, targetOf, writing } from './context.js';
import { guarded } from './guard.js';

const INSERT = `INSERT INTO payment (id, target, type, content, similarity, reference, date, measure, amount, currency,
  cost_center, key, key_place, body_hash, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, KEY, ?, unhex(?), ?)`;
/** For keys that are stored as bytes, and for others. */
const [INSERT_UUID, INSERT_OTHER] = [INSERT.replace('KEY', "unhex(?, '-')"), INSERT.replace('KEY', '?')];

/** {@link Ledger.prepare} */
export function prepare(context: Context, head: RunHead): Preparation {
  const { sql, self, file } = context;
  const begun = writing(context, () => {
    const name = freeName(context, new Date(head.startedAt));
    sql('INSERT OR IGNORE INTO target (name, scope) VALUES (?, ?)').run(head.target, head.scope);
    const target = targetOf(context, head)?.id as number;
    const { lastInsertRowid } = sql(
      'INSERT INTO run (name, target, command, batch, process, started_at, headers) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(name, target, head.command, head.batchId, self, head.startedAt, JSON.stringify(head.headers));
    return { number: Number(lastInsertRowid), name, target };
  });
  const calls = {
    store: (drafts: readonly Draft[]): void => writing(context, () => store(context, begun, drafts)),
    abandon: (): void => writing(context, () => forgetRun(context, begun.number)),
  };
  return { number: begun.number, name: begun.name, ...guarded(calls, file) };
}

/** The day and a few random digits, short enough to be typed; with thousands of runs a day, two may draw the same. */
function freeName({ sql }: Context, day: Date): string {
  const isTaken = sql('SELECT 1 FROM run WHERE name = ?');
  for (;;) {
    const name = `${day.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`;
    if (isTaken.get(name) === undefined) return name;
  }
}

/** Only appends to one table: what is in the order of chance is written at the gate, sorted. */
function store({ sql }: Context, run: { number: number; target: number }, drafts: readonly Draft[]): void {
  const [insertUuid, insertOther] = [sql(INSERT_UUID), sql(INSERT_OTHER)];
  for (const draft of drafts) {
    const place = placeOfKey(draft.body, draft.key);
    writeWith(
      isUuid(draft.key) ? insertUuid : insertOther,
      idOf(run.number, draft.index),
      run.target,
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
      place,
      draft.bodyHash,
      withoutKey(draft.body, draft.key, place),
    );
  }
}

/** {@link Ledger.bodies} */
export function bodies({ sql }: Context, payments: readonly PaymentId[]): (string | null)[] {
  type Cells = [index: number, body: string | null, key: string, place: number | null];
  const select = sql(
    `SELECT w.key, p.body, ${KEY}, p.key_place FROM json_each(?) w CROSS JOIN payment p ON p.id = w.value`,
  );
  const found: (string | null)[] = Array.from(payments, () => null);
  for (const [index, body, key, place] of select.all(JSON.stringify(payments)) as Cells[]) {
    found[index] = wholeBody(body, keyOf(key), place);
  }
  return found;
}

/** Deletes a run that never passed its gate: it is not history. To be called within a transaction. */
export function forgetRun({ sql }: Context, run: number): void {
  const { changes } = sql('DELETE FROM run WHERE number = ? AND passed = 0').run(run);
  if (changes > 0) sql('DELETE FROM payment WHERE id BETWEEN ? AND ?').run(...rangeOf(run));
}

/** First and last possible payment of a run. */
export function rangeOf(run: number): [PaymentId, PaymentId] {
  return [idOf(run, 0), idOf(run + 1, 0) - 1];
}

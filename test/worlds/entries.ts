/** The records of an input, each with its key. CONTRACT: "A record's key is", "Rejected, corrected". */
import { type Entry, type History, type KeyKind, type Payment, paymentUnder } from './history.js';
import { canonical, computedKey, type Json } from './keys.js';
import { foldedBatch, foldedId } from './likeness.js';
import type { Readings } from './readings.js';
import type { Row } from './rows.js';
import type { Rules } from './words.js';

export interface NamedRows {
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface Input {
  readonly entries: readonly Entry[];
  readonly batch: string;
  /** Why the command is not usable (exit 2). */
  readonly unusable: string | null;
}

export function inputOf(files: readonly NamedRows[], rules: Rules, history: History, readings: Readings): Input {
  const corrected = files.flatMap(({ rows }) => rows.map((row) => correctedBy(row, history)));
  const named = [...new Set(corrected.flatMap((payment) => payment?.batch ?? []))];
  const batch = rules.batch ?? named[0] ?? 'default';
  const isTorn = rules.batch === null && named.length > 1;
  const like = history.runs.find((run) => run.batch !== batch && foldedBatch(run.batch) === foldedBatch(batch));
  return {
    entries: oncePerKey(files.flatMap((file) => entriesOf(file, batch, rules, history, readings))),
    batch,
    unusable: isTorn ? 'two batches are corrected' : like === undefined ? null : `there is a batch ${like.batch}`,
  };
}

function correctedBy(row: Row, history: History): Payment | null {
  return row.replaces === null ? null : paymentUnder(history, row, row.replaces);
}

function entriesOf(
  { name, rows }: NamedRows,
  batch: string,
  rules: Rules,
  history: History,
  readings: Readings,
): Entry[] {
  const ordinals = new Map<string, number>();
  return rows.map((row, i) => {
    const content = `${row.type} ${canonical(row.fields)}`;
    const corrects = correctedBy(row, history);
    // A corrected row that was not changed is identical to others; one that was changed has a key of another kind.
    const counts =
      row.isValid &&
      row.ownKey === null &&
      (row.replaces === null || (corrects?.content === content && !isMiscorrected(row, corrects, batch)));
    const ordinal = (ordinals.get(content) ?? 0) + (counts ? 1 : 0);
    ordinals.set(content, ordinal);
    const { key, kind } = keyOf(row, content, corrects, batch, ordinal, rules, readings);
    const sent = row.type === 'gig' ? row.fields : { ...row.fields, idempotency_key: key };
    const isValid =
      row.isValid &&
      (row.ownKey !== null || rules.keyColumns.every((column) => row.fields[column] !== undefined)) &&
      !(row.replaces !== null && (corrects === null || isMiscorrected(row, corrects, batch))) &&
      // Warnings about a record are errors; nobody gives prices here.
      !(rules.strict && ((kind === 'content' && ordinal > 1) || row.type === 'result'));
    const place = { file: name, record: i + 1 };
    return { ...place, row, content, key: isValid ? key : null, kind, body: canonical(sent), corrects };
  });
}

function keyOf(
  row: Row,
  content: string,
  corrects: Payment | null,
  batch: string,
  ordinal: number,
  { keyColumns }: Rules,
  { columnsBeforeReplaces }: Readings,
): { key: string; kind: KeyKind } {
  const { type, fields, ownKey } = row;
  if (ownKey !== null) return { key: ownKey, kind: 'own' };
  const columns = Object.fromEntries(keyColumns.map((column): [string, Json] => [column, fields[column] ?? null]));
  const byColumns = keyColumns.length > 0;
  // A row that was not changed is that payment.
  if (corrects !== null && corrects.content === content) return { key: corrects.key, kind: 'replaces' };
  if (corrects !== null && !(byColumns && columnsBeforeReplaces))
    return { key: computedKey(batch, type, 'replaces', { body: fields, key: corrects.key }), kind: 'replaces' };
  if (byColumns) return { key: computedKey(batch, type, 'columns', columns), kind: 'columns' };
  return { key: computedKey(batch, type, 'content', fields, ordinal), kind: 'content' };
}

/** `wrong-batch`, and `lost-zeros`. */
function isMiscorrected({ fields }: Row, corrects: Payment, batch: string): boolean {
  const [now, before] = [textOf(fields['user_id']), textOf(corrects.row.fields['user_id'])];
  // Without its body, nobody knows the ID of a payment that needs no correction.
  const isKnown = !corrects.pruned || corrects.state === 'rejected';
  return corrects.batch !== batch || (isKnown && foldedId(now) === foldedId(before) && now.length < before.length);
}

function textOf(id: Json | undefined): string {
  return typeof id === 'string' ? id : '';
}

/** `duplicate-key`: an invalid record's own key counts too. */
function oncePerKey(entries: readonly Entry[]): Entry[] {
  const count = (of: (entry: Entry) => string | null): ((entry: Entry) => number) => {
    const counts = new Map<string | null, number>();
    for (const entry of entries) counts.set(of(entry), (counts.get(of(entry)) ?? 0) + 1);
    return (entry) => counts.get(of(entry)) ?? 0;
  };
  const keys = count(({ key, row }) => row.ownKey ?? key);
  const replaced = count(({ row }) => row.replaces);
  const isTwice = (entry: Entry): boolean => keys(entry) > 1 || (entry.row.replaces !== null && replaced(entry) > 1);
  return entries.map((entry) => (isTwice(entry) ? { ...entry, key: null, known: entry.key } : entry));
}

/** The records of an input, each with its key. CONTRACT: "A record's key is", "Rejected, corrected". */
import { type Entry, type History, type KeyKind, type Payment, paymentUnder } from './history.js';
import { canonical, computedKey, type Json } from './keys.js';
import { foldedBatch, foldedId } from './likeness.js';
import type { Readings } from './readings.js';
import type { Row } from './rows.js';
import { readRows, type Sheet, sourceOf } from './sheet.js';
import type { Rules } from './words.js';

export interface Input {
  readonly entries: readonly Entry[];
  readonly batch: string;
  /** Why the command is not usable (exit 2). */
  readonly unusable: string | null;
}

/** What a call is read against. */
export interface Context {
  readonly rules: Rules;
  readonly target: string;
  readonly history: History;
  readonly readings: Readings;
}

export function inputOf(files: readonly Sheet[], context: Context): Input {
  const { rules, target, history } = context;
  const rows = new Map(files.map((file) => [file, readRows(file, rules.reading)]));
  const named = [...new Set([...rows.values()].flat().flatMap((row) => correctedBy(row, context)?.batch ?? []))];
  const batch = rules.batch ?? named[0] ?? 'default';
  const isTorn = rules.batch === null && named.length > 1;
  const isLike = (other: string): boolean => other !== batch && foldedBatch(other) === foldedBatch(batch);
  const like = history.runs.find((run) => run.target === target && isLike(run.batch));
  const isTwice = new Set(files.map(({ text }) => text)).size < files.length;
  const isMissing = (column: string): boolean =>
    files.some((file) => file.rows.every(({ fields }) => fields[column] === undefined));
  return {
    entries: oncePerKey(files.flatMap((file) => entriesOf(file, rows.get(file) as Row[], batch, context))),
    batch,
    unusable:
      (isTorn ? 'two batches are corrected' : null) ??
      (like === undefined ? null : `there is a batch ${like.batch}`) ??
      (isTwice ? 'two files have equal bytes' : null) ??
      (Object.keys(rules.reading.maps).some(isMissing) ? 'a column is missing' : null),
  };
}

function correctedBy(row: Row, { history, target }: Context): Payment | null {
  return row.replaces === null ? null : paymentUnder(history, target, row, row.replaces);
}

function entriesOf(file: Sheet, rows: readonly Row[], batch: string, context: Context): Entry[] {
  const { rules, readings } = context;
  const ordinals = new Map<string, number>();
  const corrections = new Set<string>();
  const isTable = file.name.endsWith('.csv') && rows.some(({ replaces }) => replaces !== null);
  return rows.map((row, i) => {
    const content = `${row.type} ${canonical(row.fields)}`;
    const corrects = correctedBy(row, context);
    // A corrected row that was not changed is identical to others; one that was changed has a key of another kind.
    const counts =
      row.isValid &&
      row.ownKey === null &&
      (row.replaces === null || (corrects?.content === content && !isMiscorrected(row, corrects, batch)));
    const ordinal = (ordinals.get(content) ?? 0) + (counts ? 1 : 0);
    ordinals.set(content, ordinal);
    const { key, kind } = keyOf(row, content, corrects, batch, ordinal, rules, readings);
    const sent = row.type === 'gig' ? row.fields : { ...row.fields, idempotency_key: key };
    const isTwice = (kind === 'content' && ordinal > 1) || (row.replaces !== null && corrections.has(content));
    if (row.replaces !== null && row.ownKey === null) corrections.add(content);
    const isValid =
      row.isValid &&
      (row.ownKey !== null || rules.keyColumns.every((column) => row.fields[column] !== undefined)) &&
      !(row.replaces !== null && (corrects === null || isMiscorrected(row, corrects, batch))) &&
      !(isTable && row.replaces === null && readings.emptyCellsLoseZeros && isKnownWithZeros(row, context)) &&
      // Warnings about a record are errors; nobody gives prices here.
      !(rules.strict && (isTwice || row.type === 'result'));
    const place = { file: file.name, record: i + 1, source: sourceOf(file, rows, i, rules.reading) };
    return { ...place, row, content, key: isValid ? key : null, kind, body: canonical(sent), corrects };
  });
}

/** `lost-zeros` of a row whose cell gigwork_key is empty: the target's journal knows that user only with its zeros. */
function isKnownWithZeros({ fields }: Row, { history, target }: Context): boolean {
  const id = textOf(fields['user_id']);
  const known = history.payments
    .filter((payment) => payment.target === target)
    .map(({ row }) => textOf(row.fields['user_id']))
    .filter((each) => each !== '' && foldedId(each) === foldedId(id));
  return known.length > 0 && known.every((each) => each.length > id.length);
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
  const now = textOf(fields['user_id']);
  const before = textOf(corrects.row.fields['user_id']);
  // Without its body, nobody knows the ID.
  return (
    corrects.batch !== batch || (!corrects.pruned && foldedId(now) === foldedId(before) && now.length < before.length)
  );
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

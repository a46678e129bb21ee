/** The drafts of a call's records: rows of the journal that are stored while the input is read. */
import type { Journal } from '../journal/journal.js';
import { type Draft, idOf, type TargetName } from '../journal/payment.js';
import type { DraftRun } from '../journal/plan.js';
import { formatDecimal } from '../money/decimal.js';
import type { Body, RecordType } from '../records/types.js';
import { type Kept, subjectPart } from './bodies.js';
import type { RecordTable } from './record-table.js';
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';

/** Where the records of a call are stored while they are read. */
export interface DraftStore {
  readonly journal: Journal;
  readonly target: TargetName;
  readonly preparation: DraftRun;
}

/** A valid record that is not stored yet. */
export interface PendingDraft {
  readonly index: number;
  readonly key: string;
  readonly body: string;
  readonly bodyHash: string;
}

/** Stores the pending records. A record whose payment the journal has with the same body only points at that payment. */
export async function storeDrafts(
  pending: readonly PendingDraft[],
  store: DraftStore,
  entries: RecordTable,
): Promise<void> {
  const { journal, target, preparation } = store;
  const hasHistory = (await journal.version(target)) > 0;
  const stored = hasHistory ? await journal.stored(target, pending) : [];
  const drafts: Draft[] = [];
  for (const [i, { index, body }] of pending.entries()) {
    const payment = stored[i] ?? 0;
    entries.setPayment(index, payment === 0 ? idOf(preparation.number, index) : payment);
    if (payment !== 0) continue;
    drafts.push(draftOf(entries, index, body));
  }
  if (drafts.length > 0) await preparation.store(drafts);
}

/** Records that were stored, and then turned out to be invalid. */
export function* storedInvalid(entries: RecordTable): Iterable<number> {
  for (let index = 0; index < entries.length; index++)
    if (!entries.isValid(index) && entries.payment(index) !== 0) yield index;
}

/** Keeps the readable part of stored records whose drafts the gate drops. */
export async function keepSubjects(
  { entries, bodies }: Kept,
  indexes: Iterable<number>,
  journal: Journal,
): Promise<void> {
  for (const page of chunksOf(indexes, ROWS_PER_QUERY)) {
    const found = await journal.bodies(page.map((index) => entries.payment(index)));
    for (const [i, index] of page.entries()) {
      const body = found[i] ?? null;
      if (body !== null) bodies.addLate(index, subjectPart(JSON.parse(body) as Body, entries.groupOf(index).type));
    }
  }
}

/** @param body canonical JSON, as it is sent */
export function draftOf(entries: RecordTable, index: number, body: string): Draft {
  const { type, currency, costCenter } = entries.groupOf(index);
  const amount = entries.amount(index);
  return {
    index,
    type: type as RecordType,
    key: entries.keyText(index),
    body,
    bodyHash: entries.bodyHash(index),
    ...entries.fingerprint(index),
    amount: amount === null ? null : formatDecimal(amount),
    currency,
    costCenter,
  };
}

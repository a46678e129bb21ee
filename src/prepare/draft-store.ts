/** The journal's rows of a call's records: drafts while the input is read, or those of a run that is resumed. */
import { newFileInfo } from '../input/raw-record.js';
import { isComputedKey } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { Journal } from '../journal/journal.js';
import { type Draft, idOf, type PaymentId, type Run, type StoredRecord, type TargetName } from '../journal/payment.js';
import type { DraftRun } from '../journal/plan.js';
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import type { Body } from '../records/field.js';
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { BodyCache, type Kept, subjectPart } from './bodies.js';
import { RecordTable } from './record-table.js';
import { KeyIndex } from './key-index.js';

/** Records per query. */
export const PAGE = 1000;

/** Where the records of a call are stored while they are read. */
export interface DraftStore {
  readonly journal: Pick<Journal, 'stored' | 'version' | 'bodies'>;
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

/** Stores the waiting records. A record whose payment the journal has with the same body only points at that payment. */
export async function storeDrafts(
  waiting: readonly PendingDraft[],
  store: DraftStore,
  entries: RecordTable,
): Promise<void> {
  const { journal, target, preparation } = store;
  const hasHistory = (await journal.version(target)) > 0;
  const stored = hasHistory ? await journal.stored(target, waiting) : [];
  const drafts: Draft[] = [];
  for (const [i, { index, body }] of waiting.entries()) {
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
  journal: Pick<Journal, 'bodies'>,
): Promise<void> {
  for (const page of chunksOf(indexes, PAGE)) {
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

/** All records of a run in the shape of an input that was just read, invalid ones included. @throws JournalError */
export async function storedRun(run: Run, journal: Journal) {
  const entries = new RecordTable();
  const index = new KeyIndex(entries);
  const bodies = new BodyCache();
  const pruned = new Set<number>();
  for await (const record of recordsOf(run, journal)) {
    const added = addRecord(entries, record);
    if (record.body === null) pruned.add(added);
    else if (record.payment === null) bodies.add(added, subjectPart(JSON.parse(record.body) as Body, record.type));
    if (record.key !== null) index.add(RecordKey.of(record.key), added);
  }
  for await (const page of pagesOf((from) => journal.prints(run, from, PAGE)))
    for (const { index: entry, ...print } of page) entries.setFingerprint(entry, print);
  return {
    batchId: run.batchId,
    entries,
    index,
    pruned,
    faulty: false,
    drafts: null,
    bodies,
    replaces: new Map<number, string>(),
    files: run.files.map((file) => ({
      ...newFileInfo(file.path),
      ...file,
    })),
    readings: [],
  };
}

/** A run's records. @throws JournalError */
export async function* recordsOf(run: Run, journal: Journal): AsyncGenerator<StoredRecord, void> {
  for await (const page of pagesOf((from) => journal.records(run, from, PAGE))) yield* page;
}

/** All pages about a run's records. @param read returns a page, starting at a record */
export async function* pagesOf<Item extends { readonly index: number }>(
  read: (from: number) => Promise<Item[]>,
): AsyncGenerator<Item[], void> {
  for (let page = await read(0); page.length > 0;) {
    yield page;
    page = page.length < PAGE ? [] : await read((page.at(-1)?.index ?? 0) + 1);
  }
}

function addRecord(entries: RecordTable, record: StoredRecord): number {
  const { file, record: number, line, type, key, amount, currency, costCenter, payment, bodyHash } = record;
  const place = { file, record: number, line };
  const money = { type, currency, costCenter, amount: amount === null ? null : parseDecimal(amount) };
  if (key === null || payment === null) return entries.addInvalid(place, money, record.error ?? 'invalid');
  const added = entries.addValid(place, {
    ...money,
    bodyHash,
    key: RecordKey.of(key),
    keySource: record.standsFor !== null && isComputedKey(key) ? 'content' : 'own',
  });
  entries.setPayment(added, payment);
  return added;
}

/**
 * The amount of a payment is fixed at the gate: later prices change nothing. CONTRACT: "What is remembered". Only the
 * amounts of some types depend on more than the record's content.
 * @param paymentOf the payment of a record, whichever run accepted it; null for none
 * @throws JournalError
 */
export async function restoreGateAmounts(
  entries: RecordTable,
  paymentOf: (index: number) => PaymentId | null,
  journal: Journal,
): Promise<void> {
  const priced: [index: number, payment: PaymentId][] = [];
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index) || KINDS[entries.groupOf(index).type as RecordType].price === null) continue;
    const payment = paymentOf(index);
    if (payment !== null) priced.push([index, payment]);
  }
  for await (const [index, { amount }] of paymentsOf(priced, journal))
    entries.setAmount(index, amount === null ? null : parseDecimal(amount));
}

/** The known payments of these entries. @throws JournalError */
export async function* paymentsOf(named: Iterable<readonly [index: number, payment: PaymentId]>, journal: Journal) {
  for (const page of chunksOf(named, PAGE)) {
    const found = await journal.byId([...new Set(page.map(([, id]) => id))]);
    const known = new Map(found.map((payment) => [payment.id, payment]));
    for (const [index, id] of page) {
      const payment = known.get(id);
      if (payment !== undefined) yield [index, payment] as const;
    }
  }
}

export function* chunksOf<Item>(items: Iterable<Item>, most: number): Iterable<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    if (chunk.push(item) < most) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** A run as the ledger has it, in the shape of an input that was just read. */
import { unreadFacts } from '../input/reading.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentId, Run, StoredRecord } from '../ledger/payment.js';
import { isComputedKey } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import { parseDecimal } from '../money/decimal.js';
import { Bodies } from './bodies.js';
import { KeyIndex } from './key-index.js';
import type { Prepared } from './prepare.js';
import { Entries } from './entries.js';

/** Records that are asked for at once. */
export const PAGE = 1000;

/** All records of the run, invalid ones included, in the order of the input. @throws JournalError */
export async function storedRun(run: Run, ledger: Ledger): Promise<Prepared> {
  const entries = new Entries();
  const index = new KeyIndex(entries);
  const pruned = new Set<number>();
  const leftOut = new Map<number, PaymentId>();
  for await (const record of recordsOf(run, ledger)) {
    const added = addRecord(entries, record);
    if (record.body === null) pruned.add(added);
    if (record.standsFor !== null) leftOut.set(added, record.standsFor.payment);
    if (record.key !== null) index.add(RecordKey.of(record.key), added);
  }
  await addFingerprints(entries, ledger);
  const files = run.files.map((file) => ({ ...unreadFacts(file.path), ...file }));
  return {
    batchId: run.batchId,
    ...{ entries, index, files, readings: [], faulty: false, bodies: new Bodies() },
    replaces: new Map<number, string>(),
    ...{ leftOut, pruned },
  };
}

/** A run's records. @throws JournalError */
export async function* recordsOf(run: Run, ledger: Ledger): AsyncGenerator<StoredRecord, void> {
  for await (const page of pagesOf((from) => ledger.records(run, from, PAGE))) yield* page;
}

/** What a ledger has of a run's records, page by page. @param read a page, from the record at a place on */
export async function* pagesOf<Item extends { readonly index: number }>(
  read: (from: number) => Promise<Item[]>,
): AsyncGenerator<Item[], void> {
  for (let page = await read(0); page.length > 0;) {
    yield page;
    page = page.length < PAGE ? [] : await read((page.at(-1)?.index ?? 0) + 1);
  }
}

function addRecord(entries: Entries, record: StoredRecord): number {
  const { file, record: number, line, type, key, amount, currency, costCenter, payment } = record;
  const place = { file, record: number, line };
  if (key === null || payment === null) return entries.addInvalid(place, type, record.error ?? 'invalid');
  const added = entries.addValid(place, {
    ...{ type, currency, costCenter },
    amount: amount === null ? null : parseDecimal(amount),
    key: RecordKey.of(key),
    // A record that was left out is asked about again, also where its key may have been made from columns.
    keySource: record.standsFor !== null && isComputedKey(key) ? 'content' : 'own',
    bodyHash: record.bodyHash,
  });
  entries.setPayment(added, payment);
  return added;
}

/** What duplicates are found by. Several records may have been left out beside one payment. */
async function addFingerprints(entries: Entries, ledger: Ledger): Promise<void> {
  for (let from = 0; from < entries.length; from += PAGE) {
    const indexes: number[] = [];
    for (let index = from; index < Math.min(from + PAGE, entries.length); index++)
      if (entries.isValid(index)) indexes.push(index);
    const payments = new Set(indexes.map((index) => entries.payment(index)));
    const known = new Map((await ledger.byId([...payments])).map((payment) => [payment.id, payment]));
    for (const index of indexes) {
      const payment = known.get(entries.payment(index));
      if (payment !== undefined) entries.setFingerprint(index, payment);
    }
  }
}

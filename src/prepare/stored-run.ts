/** A run from the journal: its records in the shape of an input that was just read. */
import { newFileInfo } from '../input/read-options.js';
import type { Journal } from '../journal/journal.js';
import { loadRecords, pagesOf, paymentsOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { PaymentId, Run, StoredRecord } from '../journal/payment.js';
import { isComputedKey } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import { parseDecimal } from '../money/decimal.js';
import { RECORD_INFO, type Body, type RecordType } from '../records/types.js';
import { BodyCache, subjectPart } from './bodies.js';
import { KeyIndex } from './key-index.js';
import type { PreparedRecords } from './prepared-records.js';
import { RecordTable } from './record-table.js';
import { resultReference, ResultReferences } from './result-references.js';
import { idForm } from './valid-record.js';

/** All records of a run in the shape of an input that was just read, invalid ones included. @throws JournalError */
export async function storedRun(run: Run, journal: Journal): Promise<PreparedRecords> {
  const entries = new RecordTable();
  const index = new KeyIndex(entries);
  const bodies = new BodyCache();
  const pruned = new Set<number>();
  const references = new ResultReferences();
  for await (const record of loadRecords(run, journal)) {
    const added = addRecord(entries, record);
    if (record.body === null) pruned.add(added);
    else if (record.payment === null) bodies.add(added, subjectPart(JSON.parse(record.body) as Body, record.type));
    else if (mayNameResult(record, record.body)) addReference(references, added, record.body);
    if (record.key !== null) index.add(RecordKey.of(record.key), added);
  }
  for await (const page of pagesOf((from) => journal.prints(run, from, ROWS_PER_QUERY)))
    for (const { index: entry, payeeId, ...print } of page) {
      entries.setFingerprint(entry, print);
      entries.setIdForm(entry, idForm(payeeId ?? ''));
    }
  return {
    batchId: run.batchId,
    entries,
    index,
    pruned,
    references,
    faulty: false,
    drafts: null,
    bodies,
    replaces: new Map<number, string>(),
    files: run.files.map((file) => ({ ...newFileInfo(file.path), ...file })),
    readings: [],
  };
}

/** A created payout is not paid again. The text is looked at first: to parse it for each record would take long. */
function mayNameResult({ type, outcome }: StoredRecord, body: string): boolean {
  return type === 'payout' && outcome?.state !== 'created' && body.includes('"reference_id":');
}

function addReference(references: ResultReferences, entry: number, body: string): void {
  const members = JSON.parse(body) as Body;
  const reference = resultReference((name) => members[name] ?? null);
  if (reference !== null) references.add(entry, reference);
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
    if (!entries.isValid(index) || !RECORD_INFO[entries.groupOf(index).type as RecordType].needsPrices) continue;
    const payment = paymentOf(index);
    if (payment !== null) priced.push([index, payment]);
  }
  for await (const [index, { amount }] of paymentsOf(priced, journal))
    entries.setAmount(index, amount === null ? null : parseDecimal(amount));
}

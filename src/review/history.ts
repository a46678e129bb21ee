/** Look-ups: the journal's knowledge of the records of a call. The review computes everything from this. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { RecordTable } from '../prepare/record-table.js';
import { chunksOf, paymentsOf } from '../journal/pages.js';
import { newestCorrection, loadCorrectionChains } from '../prepare/corrections.js';
import { RecordKey } from '../keys/record-key.js';
import { type StoredPayment, mayBePaid, type PaymentId, type RecordState, type Run } from '../journal/payment.js';
import { findReferencedResults, type ReferencedResult } from './referenced-results.js';
import { type Candidates, findCandidates, type HistoryQuery, NO_CANDIDATES, LOOKUPS_AT_ONCE } from './candidates.js';

/** What the journal knows of one record. */
export interface RecordHistory {
  /** The payment under its key. */
  readonly own: StoredPayment | null;
  /** The payment that its row says it corrects. */
  readonly corrects: StoredPayment | null;
  /** The present state of the payment for which a resumed run left it out. A person decides again. */
  readonly leftOutFor: StoredPayment | null;
  /** Payments under its key at other targets: created, in doubt, or accepted by a live call. */
  readonly elsewhere: readonly StoredPayment[];
}

const UNKNOWN_RECORD: RecordHistory = { own: null, corrects: null, leftOutFor: null, elsewhere: [] };

/** What the run that continues has made of the records. */
interface ListedPayments {
  /** By entry: the payment that the run accepted for it; 0 for none. Empty without a run. */
  readonly accepted: Float64Array;
  /** By entry: 1 if that payment is created. Nothing else is looked up for these. */
  readonly created: Uint8Array;
  /** By entry that the run left out: the payment for which it did. */
  readonly stoodFor: ReadonlyMap<number, PaymentId>;
}

export interface PaymentHistory extends ListedPayments {
  /** The target's version before the first look-up. */
  readonly version: number;
  /** The run that continues, or null. */
  readonly run: Run | null;
  /** Numbers of the runs that had this same input, whether they may continue or not: its payments are theirs. */
  readonly sameInput: ReadonlySet<number>;
  /** By entry: the records that have a history. See {@link historyAt}. */
  readonly records: ReadonlyMap<number, RecordHistory>;
  /** The replacements of all these payments, to the last one. */
  readonly replacements: ReadonlyMap<PaymentId, StoredPayment>;
  /** Payments that records may repeat. */
  readonly candidates: Candidates;
  /** Payments of the target that are open, in doubt or rejected, and that no entry is or corrects. */
  readonly unsettled: readonly StoredPayment[];
  /** By entry of a payout that is not created yet: the gig result that its reference names. */
  readonly results: ReadonlyMap<number, ReferencedResult>;
}

/** For a call without a journal, or one that does not look at it. */
export const EMPTY_HISTORY: PaymentHistory = {
  version: 0,
  run: null,
  sameInput: new Set(),
  accepted: new Float64Array(0),
  created: new Uint8Array(0),
  stoodFor: new Map(),
  records: new Map(),
  replacements: new Map(),
  candidates: NO_CANDIDATES,
  unsettled: [],
  results: new Map(),
};

/** The history of an entry. */
export function historyAt(index: number, { records }: PaymentHistory): RecordHistory {
  return records.get(index) ?? UNKNOWN_RECORD;
}

/** The payment under the key of an entry; null for none. */
export function ownAt(index: number, { records }: PaymentHistory): StoredPayment | null {
  return records.get(index)?.own ?? null;
}

/** The entries with a payment under their keys. */
export function* ownPayments({ records }: PaymentHistory): Iterable<[index: number, own: StoredPayment]> {
  for (const [index, { own }] of records) if (own !== null) yield [index, own];
}

/** An older run continues only by its name: a nightly job never continues the run of the night before. Milliseconds. */
const CONTINUABLE_MS = 20 * 3_600_000;

/** @throws JournalError */
export async function loadHistory(asked: HistoryQuery): Promise<PaymentHistory> {
  const { journal, target, prepared, resume } = asked;
  const { entries } = prepared;
  const records = new HistoryBuilder();
  const version = await journal.version(target);
  const same = await findSameInput(asked);
  const run = resume ?? runToContinue(same, asked.now);
  const { accepted, created, stoodFor } = run === null ? EMPTY_HISTORY : await listedBy(run, asked);
  const open = openEntries(entries, created);
  const keys = keysOf(open, entries);
  if (!(await journal.hasHistory(target))) {
    await findElsewhere(keys, asked, (index, payment) => records.add(index, { elsewhere: [payment] }));
    return { ...EMPTY_HISTORY, version, records: records.byEntry };
  }
  const find = (page: readonly string[]): Promise<StoredPayment[]> => journal.find(target, page);
  await eachUnder(keys, find, entries, (index, own) => records.add(index, { own }));
  const corrected = new Set<PaymentId>();
  await eachUnder([...prepared.replaces], find, entries, (index, corrects) => {
    records.add(index, { corrects });
    corrected.add(corrects.id);
  });
  const leftOut = new Map<number, StoredPayment>();
  if (resume !== null) for await (const [index, payment] of paymentsOf(stoodFor, journal)) leftOut.set(index, payment);
  const candidates = await findCandidates(open, records.byEntry, asked);
  const found = [...leftOut.values(), ...records.payments(), ...candidates.all];
  const replacements = await loadCorrectionChains(found, journal);
  for (const [index, payment] of leftOut)
    records.add(index, { leftOutFor: newestCorrection(payment, { replacements }) });
  await findElsewhere(keys, asked, (index, payment) =>
    records.add(index, { elsewhere: [...records.at(index).elsewhere, payment] }),
  );
  return {
    version,
    run,
    accepted,
    created,
    stoodFor,
    replacements,
    candidates,
    records: records.byEntry,
    sameInput: new Set(same.map(({ number }) => number)),
    unsettled: await unsettledBeside(corrected, asked),
    results: await findReferencedResults(
      asked,
      (entry) => entries.isValid(entry) && created[entry] !== 1 && records.at(entry).own?.state !== 'created',
    ),
  };
}

class HistoryBuilder {
  readonly byEntry = new Map<number, RecordHistory>();

  at(index: number): RecordHistory {
    return this.byEntry.get(index) ?? UNKNOWN_RECORD;
  }

  add(index: number, found: Partial<RecordHistory>): void {
    this.byEntry.set(index, { ...this.at(index), ...found });
  }

  *payments(): Iterable<StoredPayment> {
    for (const { own, corrects } of this.byEntry.values()) {
      if (own !== null) yield own;
      if (corrects !== null) yield corrects;
    }
  }
}

/** The runs of this very input, newest first. @throws JournalError */
export function findSameInput({ journal, target, digest, prepared: { batchId } }: HistoryQuery): Promise<Run[]> {
  return journal.runs({ target, digest, batchId });
}

/** The newest run that may continue. A clock set back makes no run young. @param same the newest first */
export function runToContinue(same: readonly Run[], now: number): Run | null {
  const isYoung = ({ startedAt }: Run): boolean => startedAt <= now && now - startedAt < CONTINUABLE_MS;
  return same.find((run) => run.closed === null && isYoung(run)) ?? null;
}

/**
 * The payments that a run has accepted, and those for which it left records out. A resumed run has its records in their
 * places. For an input, the digests are equal: the valid records of run and input are the same, one by one, in order.
 */
async function listedBy(run: Run, asked: HistoryQuery): Promise<ListedPayments> {
  const { journal, resume } = asked;
  const { entries } = asked.prepared;
  const accepted = new Float64Array(entries.length);
  const created = new Uint8Array(entries.length);
  const stoodFor = new Map<number, PaymentId>();
  let entry = 0;
  let page: RecordState[];
  let from = 0;
  do {
    page = await journal.states(run, from, LOOKUPS_AT_ONCE);
    for (const { index, payment, standsFor, isCreated } of page) {
      from = index + 1;
      if (payment === null) continue;
      if (resume !== null) entry = index;
      else while (entry < entries.length && !entries.isValid(entry)) entry++;
      if (standsFor !== null) stoodFor.set(entry, standsFor);
      else if (entry < entries.length) {
        accepted[entry] = payment;
        created[entry] = Number(isCreated);
      }
      entry++;
    }
  } while (page.length === LOOKUPS_AT_ONCE);
  return { accepted, created, stoodFor };
}

/** Entries that may be sent: all except those that the continued run has created. */
function openEntries(entries: RecordTable, created: Uint8Array): number[] {
  const open: number[] = [];
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index) && (created[index] ?? 0) === 0) open.push(index);
  }
  return open;
}

function keysOf(indexes: readonly number[], entries: RecordTable): [index: number, key: string][] {
  return indexes.map((index) => [index, entries.keyText(index)]);
}

/** Finds the payments under the keys of entries. One key may name a payment of each type. */
async function eachUnder(
  named: readonly (readonly [index: number, key: string])[],
  find: (keys: readonly string[]) => Promise<readonly StoredPayment[]>,
  entries: RecordTable,
  take: (index: number, payment: StoredPayment) => void,
): Promise<void> {
  for (const page of chunksOf(named, LOOKUPS_AT_ONCE)) {
    const indexes = new Map(page.map(([index, key]) => [`${entries.groupOf(index).type} ${key}`, index]));
    for (const payment of await find(page.map(([, key]) => key))) {
      const index = indexes.get(`${payment.type} ${payment.key}`);
      if (index !== undefined) take(index, payment);
    }
  }
}

/** Payments under the keys of entries at other targets. */
async function findElsewhere(
  keys: readonly (readonly [index: number, key: string])[],
  { journal, target, prepared: { entries } }: HistoryQuery,
  take: (index: number, payment: StoredPayment) => void,
): Promise<void> {
  if (target.target === 'sandbox' || !(await journal.hasElsewhere(target))) return;
  const find = async (page: readonly string[]): Promise<StoredPayment[]> =>
    (await journal.elsewhere(target, page)).filter(mayBePaid);
  await eachUnder(keys, find, entries, take);
}

/** Payments that no record of the input is or corrects. @param corrected those that records correct */
async function unsettledBeside(
  corrected: ReadonlySet<PaymentId>,
  { journal, target, prepared }: HistoryQuery,
): Promise<StoredPayment[]> {
  const unsettled = [...(await journal.unsettled(target)), ...(await journal.open(target, prepared.batchId))];
  return unsettled.filter((payment) => !corrected.has(payment.id) && entryOf(payment, prepared) === null);
}

/** The entry that has a payment's key; null for none. A payment is a type, a target and a key. */
export function entryOf({ key, type }: StoredPayment, { index, entries }: PreparedRecords): number | null {
  const entry = index.find(RecordKey.of(key));
  return entry !== null && entries.groupOf(entry).type === type ? entry : null;
}

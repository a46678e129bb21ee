/** Look-ups: the journal's knowledge of the records of a call. The review computes everything from this. */
import type { PreparedRecords } from '../prepare/prepare.js';
import type { RecordTable } from '../prepare/record-table.js';
import { chunksOf, paymentsOf } from '../prepare/stored-run.js';
import { newestCorrection, loadCorrectionChains } from '../prepare/corrections.js';
import { RecordKey } from '../keys/record-key.js';
import { type StoredPayment, mayBePaid, type PaymentId, type RecordState, type Run } from '../journal/payment.js';
import { type Candidates, findCandidates, type HistoryQuery, NO_CANDIDATES, PAGE } from './candidates.js';

export interface PaymentHistory {
  /** The target's version before the first look-up. */
  readonly version: number;
  /** The run that continues, or null. */
  readonly run: Run | null;
  /** Numbers of the runs that had this same input, whether they may continue or not: its payments are theirs. */
  readonly sameInput: ReadonlySet<number>;
  /** By entry: the payment that the run accepted for it; 0 for none. Empty without a run. */
  readonly accepted: Float64Array;
  /** By entry: 1 if that payment is created. Nothing else is looked up for these. */
  readonly created: Uint8Array;
  /** By entry that the run left out: the payment for which it did. */
  readonly stoodFor: ReadonlyMap<number, PaymentId>;
  /** By entry that a resumed run left out: the present state of the payment that it repeats. A person decides again. */
  readonly leftOut: ReadonlyMap<number, StoredPayment>;
  /** By entry: the payment under its key. */
  readonly byKey: ReadonlyMap<number, StoredPayment>;
  /** By entry: the payment that its row says it corrects. */
  readonly corrected: ReadonlyMap<number, StoredPayment>;
  /** The replacements of these payments, to the last one. */
  readonly replacements: ReadonlyMap<PaymentId, StoredPayment>;
  /** Payments that records may repeat. */
  readonly candidates: Candidates;
  /** Payments of the target that are open, in doubt or rejected, and that no entry is or corrects. */
  readonly unsettled: readonly StoredPayment[];
  /** By entry: payments under its key at other targets: created, in doubt, or accepted by a live call. */
  readonly elsewhere: ReadonlyMap<number, readonly StoredPayment[]>;
}

/** For a call without a journal, or one that does not look at it. */
export const EMPTY_HISTORY: PaymentHistory = {
  version: 0,
  run: null,
  sameInput: new Set(),
  accepted: new Float64Array(0),
  created: new Uint8Array(0),
  stoodFor: new Map(),
  leftOut: new Map(),
  byKey: new Map(),
  corrected: new Map(),
  replacements: new Map(),
  candidates: NO_CANDIDATES,
  unsettled: [],
  elsewhere: new Map(),
};

/** An older run continues only by its name: a nightly job never continues the run of the night before. Milliseconds. */
const CONTINUABLE_MS = 20 * 3_600_000;

/** @throws JournalError */
export async function loadHistory(asked: HistoryQuery): Promise<PaymentHistory> {
  const { journal, target, prepared } = asked;
  const { entries } = prepared;
  const version = await journal.version(target);
  const same = await journal.runs({ target, digest: asked.digest, batchId: prepared.batchId });
  const run = asked.resume ?? runToContinue(same, asked.now);
  const listed = run === null ? EMPTY_HISTORY : await listedBy(run, asked);
  const { created } = listed;
  const open = openEntries(entries, created);
  const elsewhere = await knownElsewhere(open, asked);
  if (!(await journal.hasHistory(target))) return { ...EMPTY_HISTORY, version, elsewhere };
  const find = (keys: readonly string[]): Promise<StoredPayment[]> => journal.find(target, keys);
  const byKey = new Map<number, StoredPayment>();
  await eachUnder(keysOf(open, entries), find, entries, (index, payment) => byKey.set(index, payment));
  const corrected = new Map<number, StoredPayment>();
  await eachUnder([...prepared.replaces], find, entries, (index, payment) => corrected.set(index, payment));
  const leftOut = new Map<number, StoredPayment>();
  if (asked.resume !== null)
    for await (const [index, payment] of paymentsOf(listed.stoodFor, journal)) leftOut.set(index, payment);
  const candidates = await findCandidates(open, byKey, asked);
  const found = [...leftOut.values(), ...corrected.values(), ...byKey.values(), ...candidates.all];
  const replacements = await loadCorrectionChains(found, journal);
  return {
    version,
    run,
    byKey,
    corrected,
    replacements,
    candidates,
    elsewhere,
    accepted: listed.accepted,
    created,
    stoodFor: listed.stoodFor,
    sameInput: new Set(same.map(({ number }) => number)),
    leftOut: new Map([...leftOut].map(([index, payment]) => [index, newestCorrection(payment, { replacements })])),
    unsettled: await unsettledBeside(corrected, asked),
  };
}

/** The newest run that may continue. A clock set back makes no run young. @param same the newest first */
function runToContinue(same: readonly Run[], now: number): Run | null {
  const isYoung = ({ startedAt }: Run): boolean => startedAt <= now && now - startedAt < CONTINUABLE_MS;
  return same.find((run) => run.closed === null && isYoung(run)) ?? null;
}

/**
 * The payments that a run has accepted, and those for which it left records out. A resumed run has its records in their
 * places. For an input, the digests are equal: the valid records of run and input are the same, one by one, in order.
 */
async function listedBy(
  run: Run,
  asked: HistoryQuery,
): Promise<Pick<PaymentHistory, 'accepted' | 'created' | 'stoodFor'>> {
  const { journal, resume } = asked;
  const { entries } = asked.prepared;
  const accepted = new Float64Array(entries.length);
  const created = new Uint8Array(entries.length);
  const stoodFor = new Map<number, PaymentId>();
  let entry = 0;
  let page: RecordState[];
  let from = 0;
  do {
    page = await journal.states(run, from, PAGE);
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
  } while (page.length === PAGE);
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
  for (const page of chunksOf(named, PAGE)) {
    const indexes = new Map(page.map(([index, key]) => [`${entries.groupOf(index).type} ${key}`, index]));
    for (const payment of await find(page.map(([, key]) => key))) {
      const index = indexes.get(`${payment.type} ${payment.key}`);
      if (index !== undefined) take(index, payment);
    }
  }
}

/** @param open entries that may be sent */
async function knownElsewhere(
  open: readonly number[],
  { journal, target, prepared: { entries } }: HistoryQuery,
): Promise<Map<number, StoredPayment[]>> {
  const elsewhere = new Map<number, StoredPayment[]>();
  if (target.target === 'sandbox' || !(await journal.hasElsewhere(target))) return elsewhere;
  const find = async (page: readonly string[]): Promise<StoredPayment[]> =>
    (await journal.elsewhere(target, page)).filter(mayBePaid);
  await eachUnder(keysOf(open, entries), find, entries, (index, payment) =>
    elsewhere.set(index, [...(elsewhere.get(index) ?? []), payment]),
  );
  return elsewhere;
}

/** Payments that no record of the input is or corrects. */
async function unsettledBeside(
  corrected: ReadonlyMap<number, StoredPayment>,
  { journal, target, prepared }: HistoryQuery,
): Promise<StoredPayment[]> {
  const named = new Set([...corrected.values()].map(({ id }) => id));
  const unsettled = [...(await journal.unsettled(target)), ...(await journal.open(target, prepared.batchId))];
  return unsettled.filter((payment) => !named.has(payment.id) && entryOf(payment, prepared) === null);
}

/** The entry that has a payment's key; null for none. A payment is a type, a target and a key. */
export function entryOf({ key, type }: StoredPayment, { index, entries }: PreparedRecords): number | null {
  const entry = index.find(RecordKey.of(key));
  return entry !== null && entries.groupOf(entry).type === type ? entry : null;
}

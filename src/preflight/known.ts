/** Look-ups: what the ledger knows of the records of a call. Everything that preflight decides is computed from this. */
import { RecordKey } from '../keys/record-key.js';
import type { Entries } from '../batch/table.js';
import type { Prepared } from '../batch/prepare.js';
import type { Ledger, TargetName } from '../ledger/ledger.js';
import { formatDecimal } from '../money/decimal.js';
import { PRICED_TYPES } from '../records/kinds.js';
import type { Decisions, KnownPayment, ListedRecord, PaymentId, RecordState, Run } from '../ledger/payment.js';

/** A payment, and its amount by this input, decimal text. */
export interface Repriced {
  readonly payment: PaymentId;
  readonly amount: string;
}

export interface Known {
  /** {@link Ledger.version} before the first look-up. */
  readonly version: number;
  /** The run that goes on, or null. */
  readonly run: Run | null;
  /** What that run lists for each entry, those that are created aside; empty without a run. */
  readonly listed: ReadonlyMap<number, RecordState>;
  /** By entry: 1 where the run that goes on has created it; the entry points at its payment. */
  readonly created: Uint8Array;
  /** Payments of that run whose amounts this input computes otherwise: prices may be given later. */
  readonly repriced: readonly Repriced[];
  /** By entry: the payment that stands for its key. Not for entries whose fate the run that goes on tells already. */
  readonly byKey: ReadonlyMap<number, KnownPayment>;
  /** By entry: the payment that its row says it replaces, and what that was replaced by, to the last one. */
  readonly corrected: ReadonlyMap<number, KnownPayment>;
  readonly replacements: ReadonlyMap<number, KnownPayment>;
  /** By similarity. Equal content has equal similarity. */
  readonly similar: ReadonlyMap<bigint, readonly KnownPayment[]>;
  /** Payments in doubt that no entry's key stands for. */
  readonly inDoubt: readonly KnownPayment[];
  /** By entry: a payment that was created under its key at another target. */
  readonly elsewhere: ReadonlyMap<number, KnownPayment>;
  /** Unfinished runs, older ones too, that this input might have gone on with. */
  readonly unfinished: readonly Run[];
}

/** Where there is no ledger yet, or none is looked at. */
export const NOTHING_KNOWN: Known = {
  version: 0,
  run: null,
  listed: new Map(),
  created: new Uint8Array(0),
  repriced: [],
  byKey: new Map(),
  corrected: new Map(),
  replacements: new Map(),
  similar: new Map(),
  inDoubt: [],
  elsewhere: new Map(),
  unfinished: [],
};

export interface LookUp {
  readonly ledger: Ledger;
  readonly target: TargetName;
  readonly prepared: Prepared;
  readonly digest: string;
  readonly batchId: string;
  readonly decisions: Decisions;
  /** The run that is resumed by its name, or null. */
  readonly resume: Run | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How many keys, similarities or records are asked for at once. */
const PAGE = 2000;
/** A run that began earlier goes on only by its name. CONTRACT: "Going on". Milliseconds. */
const GOES_ON_FOR = 24 * 3_600_000;

/** @throws JournalError */
export async function lookUp(asked: LookUp): Promise<Known> {
  const { ledger, target, prepared, resume } = asked;
  const version = await ledger.version(target);
  const elsewhere = await createdElsewhere(asked);
  if (await ledger.isEmpty(target)) return { ...NOTHING_KNOWN, version, elsewhere };
  const unfinished = await unfinishedRuns(asked);
  const corrected = await correctedBy(asked);
  const { run, listed, created, repriced } = await runThatGoesOn(resume ?? unfinished.goesOn, corrected, asked);
  const open = openEntries(prepared.entries, created);
  const byKey = await knownKeys(open, asked);
  const replacements = await replacementsOf([...corrected.values(), ...byKey.values()], asked);
  await takeFingerprints(open, byKey, asked);
  const similar = await similarTo(open, asked);
  const inDoubt = (await ledger.inDoubt(target)).filter(({ key }) => prepared.index.find(RecordKey.of(key)) === null);
  return {
    version,
    run,
    listed,
    created,
    repriced,
    byKey,
    corrected,
    replacements,
    similar,
    inDoubt,
    elsewhere,
    unfinished: unfinished.others.filter(({ number }) => number !== run?.number),
  };
}

/** The run with what it lists; none where its records only look like the input's. */
async function runThatGoesOn(
  run: Run | null,
  corrected: ReadonlyMap<number, KnownPayment>,
  asked: LookUp,
): Promise<Pick<Known, 'run' | 'listed' | 'created' | 'repriced'>> {
  if (run === null) return NOTHING_KNOWN;
  const list = await listOf(run, asked);
  const isOther = asked.resume === null && correctsOthers(corrected, list, asked.prepared.entries);
  return isOther ? NOTHING_KNOWN : { run, ...list };
}

/** The run that goes on, and those of the same records that do not: they are too old, or were decided otherwise. */
async function unfinishedRuns({ ledger, target, digest, batchId, decisions, now }: LookUp): Promise<{
  goesOn: Run | null;
  others: Run[];
}> {
  const same = (await ledger.runs({ target, digest, batchId })).filter(({ closed }) => closed === null);
  const goesOn = same.find((run) => isYoung(run, now) && sameDecisions(run.decisions, decisions)) ?? null;
  return { goesOn, others: same.filter((run) => run !== goesOn && !isDone(run)) };
}

/** A clock that was set back makes no run young. */
function isYoung({ startedAt }: Run, now: number): boolean {
  return startedAt <= now && now - startedAt < GOES_ON_FOR;
}

export function sameDecisions(one: Decisions, other: Decisions): boolean {
  return (
    one.skipCreated === other.skipCreated &&
    one.skipSimilar === other.skipSimilar &&
    one.sendSimilar === other.sendSimilar
  );
}

function isDone({ end }: Run): boolean {
  return end?.exitCode === 0 || end?.exitCode === 4;
}

async function listOf(run: Run, asked: LookUp): Promise<Pick<Known, 'listed' | 'created' | 'repriced'>> {
  const { ledger, prepared } = asked;
  const { entries } = prepared;
  const listed = new Map<number, RecordState>();
  const created = new Uint8Array(entries.length);
  const page = (from: number): Promise<RecordState[]> => ledger.states(run, from, PAGE);
  await eachListed(page, asked, (entry, record, payment) => {
    if (record.state === 'created' && record.leftOut === null) {
      created[entry] = 1;
      entries.setPayment(entry, payment);
    } else listed.set(entry, record);
  });
  return { listed, created, repriced: await repricedIn(run, asked) };
}

/** Amounts that are in the records themselves are the same, as the records are; what is resumed brings no others. */
async function repricedIn(run: Run, asked: LookUp): Promise<Repriced[]> {
  const { ledger, resume } = asked;
  const { entries } = asked.prepared;
  const repriced: Repriced[] = [];
  if (resume !== null || !PRICED_TYPES.some((type) => entries.hasType(type))) return repriced;
  const page = (from: number): Promise<ListedRecord[]> => ledger.listed(run, from, PAGE);
  await eachListed(page, asked, (entry, record, payment) => {
    const amount = amountOf(entries, entry);
    if (amount !== null && amount !== record.amount && record.leftOut === null) repriced.push({ payment, amount });
  });
  return repriced;
}

/**
 * Takes each valid record of a run, with its entry. A run that is resumed has its records in their own places, some of them
 * invalid by now. For an input, the digests are equal: the run's valid records and the input's are the same, one by one,
 * in order.
 */
async function eachListed<Item extends RecordState>(
  pageFrom: (from: number) => Promise<Item[]>,
  { prepared: { entries }, resume }: LookUp,
  take: (entry: number, record: Item, payment: PaymentId) => void,
): Promise<void> {
  let entry = 0;
  for (let from = 0; ;) {
    const page = await pageFrom(from);
    for (const record of page) {
      if (record.payment === null) continue;
      if (resume !== null) entry = record.index;
      else while (entry < entries.length && !entries.isValid(entry)) entry++;
      if (entry >= entries.length) break;
      take(entry, record, record.payment);
      entry++;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = last.index + 1;
  }
}

function amountOf(entries: Entries, index: number): string | null {
  const amount = entries.amount(index);
  return amount === null ? null : formatDecimal(amount);
}

/** Entries that may be sent: all but those that the run that goes on has created. */
function openEntries(entries: Entries, created: Uint8Array): number[] {
  const open: number[] = [];
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index) && (created[index] ?? 0) === 0) open.push(index);
  }
  return open;
}

function* pages<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let from = 0; from < items.length; from += PAGE) yield items.slice(from, from + PAGE);
}

async function knownKeys(
  open: readonly number[],
  { ledger, target, prepared }: LookUp,
): Promise<Map<number, KnownPayment>> {
  const known = new Map<number, KnownPayment>();
  for (const page of pages(open)) {
    const byKey = new Map<string, number>();
    for (const index of page) byKey.set(prepared.entries.keyText(index), index);
    for (const payment of await ledger.find(target, [...byKey.keys()])) {
      const index = byKey.get(payment.key);
      if (index !== undefined) known.set(index, payment);
    }
  }
  return known;
}

/** A record that was a payment already when it was read has that payment's fingerprint: it was not computed once more. */
async function takeFingerprints(
  open: readonly number[],
  byKey: ReadonlyMap<number, KnownPayment>,
  { ledger, prepared: { entries } }: LookUp,
): Promise<void> {
  const others = new Map<PaymentId, number>();
  for (const index of open) {
    const id = entries.payment(index);
    const payment = byKey.get(index);
    if (id === 0) continue;
    if (payment?.id === id) entries.setFingerprint(index, payment);
    else others.set(id, index);
  }
  for (const page of pages([...others.keys()]))
    for (const payment of await ledger.byId(page)) entries.setFingerprint(others.get(payment.id) as number, payment);
}

/** What rows say that they correct. CONTRACT: "Rejected, mended". */
async function correctedBy({ ledger, target, prepared }: LookUp): Promise<Map<number, KnownPayment>> {
  const corrected = new Map<number, KnownPayment>();
  for (const page of pages([...prepared.replaces])) {
    const keys = page.map(([, key]) => key);
    const found = new Map((await ledger.find(target, keys)).map((each) => [each.key, each]));
    for (const [index, key] of page) {
      const payment = found.get(key);
      if (payment !== undefined) corrected.set(index, payment);
    }
  }
  return corrected;
}

/** What was made in the place of these payments, to the last one. */
async function replacementsOf(
  payments: readonly KnownPayment[],
  { ledger }: LookUp,
): Promise<Map<PaymentId, KnownPayment>> {
  const replacements = new Map<PaymentId, KnownPayment>();
  let chased = payments.flatMap(({ replacedBy }) => replacedBy ?? []);
  while (chased.length > 0) {
    const next: number[] = [];
    for (const page of pages(chased)) {
      for (const payment of await ledger.byId(page)) {
        replacements.set(payment.id, payment);
        if (payment.replacedBy !== null && !replacements.has(payment.replacedBy)) next.push(payment.replacedBy);
      }
    }
    chased = next;
  }
  return replacements;
}

/**
 * Whether rows correct payments beside what this run has paid: then it is the run of other corrections that came to the
 * same content, and what it paid was paid for those.
 */
function correctsOthers(
  corrected: ReadonlyMap<number, KnownPayment>,
  { listed, created }: Pick<Known, 'listed' | 'created'>,
  entries: Entries,
): boolean {
  return [...corrected].some(([index, { id, state, replacedBy }]) => {
    const record = listed.get(index);
    const isPaid = created[index] === 1 || record?.state === 'unknown';
    const own = record?.payment ?? entries.payment(index);
    return isPaid && state === 'rejected' && replacedBy === null && own !== id;
  });
}

async function similarTo(
  open: readonly number[],
  { ledger, target, prepared }: LookUp,
): Promise<Map<bigint, KnownPayment[]>> {
  const similar = new Map<bigint, KnownPayment[]>();
  for (const page of pages(open)) {
    const asked = new Set(page.map((index) => prepared.entries.similarity(index)));
    for (const name of asked) if (similar.has(name)) asked.delete(name);
    for (const payment of await ledger.bySimilarity(target, [...asked])) {
      const found = similar.get(payment.similarity);
      if (found === undefined) similar.set(payment.similarity, [payment]);
      else found.push(payment);
    }
  }
  return similar;
}

async function createdElsewhere({ ledger, target, prepared, resume }: LookUp): Promise<Map<number, KnownPayment>> {
  const elsewhere = new Map<number, KnownPayment>();
  if (target.target === 'sandbox' || resume !== null || !(await ledger.hasElsewhere(target))) return elsewhere;
  const { entries } = prepared;
  const valid = openEntries(entries, NOTHING_KNOWN.created);
  for (const page of pages(valid)) {
    const byKey = new Map(page.map((index) => [entries.keyText(index), index]));
    for (const payment of await ledger.createdElsewhere(target, [...byKey.keys()])) {
      const index = byKey.get(payment.key);
      if (index !== undefined) elsewhere.set(index, payment);
    }
  }
  return elsewhere;
}

/** What stands in the place of a payment today: itself, or the last one of those that replaced it. */
export function lastReplacement(payment: KnownPayment, { replacements }: Known): KnownPayment {
  let last = payment;
  const met = new Set<number>();
  while (last.replacedBy !== null && !met.has(last.id)) {
    met.add(last.id);
    const next = replacements.get(last.replacedBy);
    if (next === undefined) return last;
    last = next;
  }
  return last;
}

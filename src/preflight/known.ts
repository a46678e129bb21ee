/** Look-ups: what the ledger knows of the records of a call. Everything that preflight decides is computed from this. */
import type { Prepared } from '../batch/prepare.js';
import type { Entries } from '../batch/table.js';
import type { Fingerprint } from '../keys/fingerprint.js';
import { RecordKey } from '../keys/record-key.js';
import type { Ledger, TargetName } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId, RecordState, Run } from '../ledger/payment.js';

export interface Known {
  /** {@link Ledger.version} before the first look-up. */
  readonly version: number;
  /** The run that goes on, or null. */
  readonly run: Run | null;
  /** By entry: the payment that the run accepted for it; 0 for none. Empty without a run. */
  readonly accepted: Float64Array;
  /** By entry: 1 where that payment is created. Nothing more is looked up of these. */
  readonly created: Uint8Array;
  /** By entry that a resumed run has left out: the payment that it stands for today. It is asked about again. */
  readonly leftOut: ReadonlyMap<number, KnownPayment>;
  /** By entry: the payment that stands for its key. */
  readonly byKey: ReadonlyMap<number, KnownPayment>;
  /** By entry: the payment that its row says it corrects. */
  readonly corrected: ReadonlyMap<number, KnownPayment>;
  /** What was made in the place of these payments, to the last one. */
  readonly replacements: ReadonlyMap<PaymentId, KnownPayment>;
  /** By similarity. Equal content has equal similarity. */
  readonly similar: ReadonlyMap<bigint, readonly KnownPayment[]>;
  /** Fingerprints of entries that were payments already when they were read. */
  readonly prints: ReadonlyMap<number, Fingerprint>;
  /** Payments of the target that are in doubt or rejected, and that no entry is or corrects. */
  readonly unsettled: readonly KnownPayment[];
  /** By entry: payments under its key at other targets, created or in doubt. */
  readonly elsewhere: ReadonlyMap<number, readonly KnownPayment[]>;
}

/** Where there is no ledger yet, or none is looked at. */
export const NOTHING_KNOWN: Known = {
  version: 0,
  run: null,
  accepted: new Float64Array(0),
  created: new Uint8Array(0),
  leftOut: new Map(),
  byKey: new Map(),
  corrected: new Map(),
  replacements: new Map(),
  similar: new Map(),
  prints: new Map(),
  unsettled: [],
  elsewhere: new Map(),
};

export interface LookUp {
  readonly ledger: Ledger;
  readonly target: TargetName;
  readonly prepared: Prepared;
  readonly digest: string;
  /** The run that is resumed by its name, or null. */
  readonly resume: Run | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How many keys, similarities or records are asked for at once. */
const PAGE = 2000;
/** A run that began earlier goes on only by its name: a nightly job never goes on with the night before. Milliseconds. */
const GOES_ON_FOR = 20 * 3_600_000;

/** @throws JournalError */
export async function lookUp(asked: LookUp): Promise<Known> {
  const { ledger, target, prepared, resume } = asked;
  const version = await ledger.version(target);
  const elsewhere = await knownElsewhere(asked);
  if (version === 0) return { ...NOTHING_KNOWN, version, elsewhere };
  const run = resume ?? (await runThatGoesOn(asked));
  const { accepted, created, leftOut } = run === null ? NOTHING_KNOWN : await acceptedBy(run, asked);
  const open = openEntries(prepared.entries, created);
  const byKey = await knownKeys(open, asked);
  const corrected = await correctedBy(asked);
  const prints = await storedPrints(open, byKey, asked);
  const similar = await similarTo(open, prints, asked);
  const replaced = [...leftOut.values(), ...corrected.values(), ...byKey.values(), ...[...similar.values()].flat()];
  const replacements = await replacementsOf(replaced, asked);
  return {
    ...{ version, run, accepted, created, byKey, corrected, replacements, prints, similar, elsewhere },
    leftOut: new Map([...leftOut].map(([index, payment]) => [index, lastReplacement(payment, { replacements })])),
    unsettled: await unsettledBeside(corrected, asked),
  };
}

/** The newest run of the same target, batch and records that may go on. */
async function runThatGoesOn({ ledger, target, digest, prepared, now }: LookUp): Promise<Run | null> {
  const same = await ledger.runs({ target, digest, batchId: prepared.batchId });
  return same.find((run) => run.closed === null && isYoung(run, now)) ?? null;
}

/** A clock that was set back makes no run young. */
function isYoung({ startedAt }: Run, now: number): boolean {
  return startedAt <= now && now - startedAt < GOES_ON_FOR;
}

async function acceptedBy(run: Run, asked: LookUp): Promise<Pick<Known, 'accepted' | 'created' | 'leftOut'>> {
  const { length } = asked.prepared.entries;
  const [accepted, created] = [new Float64Array(length), new Uint8Array(length)];
  const stood = new Map<number, PaymentId>();
  await eachListed(run, asked, (entry, { payment, standsFor, isCreated }) => {
    if (standsFor !== null) return void stood.set(entry, standsFor);
    accepted[entry] = payment ?? 0;
    created[entry] = Number(isCreated);
  });
  // An input says itself what it is: what it corrects, and what it is told apart by.
  const payments = asked.resume === null ? [] : [...new Set(stood.values())];
  const known = new Map<PaymentId, KnownPayment>();
  for (const page of pages(payments))
    for (const payment of await asked.ledger.byId(page)) known.set(payment.id, payment);
  const leftOut = [...stood].flatMap(([entry, id]) => (known.has(id) ? [[entry, known.get(id)!] as const] : []));
  return { accepted, created, leftOut: new Map(leftOut) };
}

/**
 * Takes each valid record of a run, with its entry. A run that is resumed has its records in their own places. For an
 * input, the digests are equal: the run's valid records and the input's are the same, one by one, in order.
 */
async function eachListed(
  run: Run,
  { ledger, prepared: { entries }, resume }: LookUp,
  take: (entry: number, record: RecordState) => void,
): Promise<void> {
  let entry = 0;
  for (let from = 0; ;) {
    const page = await ledger.states(run, from, PAGE);
    for (const record of page) {
      if (record.payment === null) continue;
      if (resume !== null) entry = record.index;
      else while (entry < entries.length && !entries.isValid(entry)) entry++;
      if (entry >= entries.length) break;
      take(entry, record);
      entry++;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = last.index + 1;
  }
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
      // One key may name a payment of each type.
      if (index !== undefined && isOfType(payment, index, prepared)) known.set(index, payment);
    }
  }
  return known;
}

/** What rows say that they correct. CONTRACT: "Rejected, corrected". */
async function correctedBy({ ledger, target, prepared }: LookUp): Promise<Map<number, KnownPayment>> {
  const corrected = new Map<number, KnownPayment>();
  for (const page of pages([...prepared.replaces])) {
    const keys = page.map(([, key]) => key);
    const found = new Map((await ledger.find(target, keys)).map((each) => [`${each.type} ${each.key}`, each]));
    for (const [index, key] of page) {
      const payment = found.get(`${prepared.entries.groupOf(index).type} ${key}`);
      if (payment !== undefined) corrected.set(index, payment);
    }
  }
  return corrected;
}

/** A record that was a payment already when it was read has that payment's fingerprint: it was not computed once more. */
async function storedPrints(
  open: readonly number[],
  byKey: ReadonlyMap<number, KnownPayment>,
  { ledger, prepared: { entries } }: LookUp,
): Promise<Map<number, Fingerprint>> {
  const prints = new Map<number, Fingerprint>();
  const others = new Map<PaymentId, number>();
  for (const index of open) {
    const id = entries.payment(index);
    const payment = byKey.get(index);
    if (id === 0 || entries.similarity(index) !== 0n) continue;
    if (payment?.id === id) prints.set(index, payment);
    else others.set(id, index);
  }
  for (const page of pages([...others.keys()]))
    for (const payment of await ledger.byId(page)) prints.set(others.get(payment.id) as number, payment);
  return prints;
}

async function similarTo(
  open: readonly number[],
  prints: ReadonlyMap<number, Fingerprint>,
  { ledger, target, prepared: { entries } }: LookUp,
): Promise<Map<bigint, KnownPayment[]>> {
  const similar = new Map<bigint, KnownPayment[]>();
  for (const page of pages(open)) {
    const asked = new Set(page.map((index) => prints.get(index)?.similarity ?? entries.similarity(index)));
    for (const name of asked) if (similar.has(name)) asked.delete(name);
    for (const payment of await ledger.bySimilarity(target, [...asked])) {
      const found = similar.get(payment.similarity);
      if (found === undefined) similar.set(payment.similarity, [payment]);
      else found.push(payment);
    }
  }
  return similar;
}

/** What was made in the place of these payments, to the last one. */
async function replacementsOf(
  payments: readonly KnownPayment[],
  { ledger }: LookUp,
): Promise<Map<PaymentId, KnownPayment>> {
  const replacements = new Map<PaymentId, KnownPayment>();
  let chased = [...new Set(payments.flatMap(({ replacedBy }) => replacedBy ?? []))];
  while (chased.length > 0) {
    const next = new Set<PaymentId>();
    for (const page of pages(chased)) {
      for (const payment of await ledger.byId(page)) {
        replacements.set(payment.id, payment);
        if (payment.replacedBy !== null && !replacements.has(payment.replacedBy)) next.add(payment.replacedBy);
      }
    }
    chased = [...next];
  }
  return replacements;
}

async function knownElsewhere({ ledger, target, prepared, resume }: LookUp): Promise<Map<number, KnownPayment[]>> {
  const { entries } = prepared;
  const elsewhere = new Map<number, KnownPayment[]>();
  if (target.target === 'sandbox' || resume !== null || !(await ledger.hasElsewhere(target))) return elsewhere;
  for (const page of pages(openEntries(entries, NOTHING_KNOWN.created))) {
    const byKey = new Map(page.map((index) => [entries.keyText(index), index]));
    for (const payment of await ledger.elsewhere(target, [...byKey.keys()])) {
      const index = byKey.get(payment.key);
      if (index !== undefined && isOfType(payment, index, prepared))
        elsewhere.set(index, [...(elsewhere.get(index) ?? []), payment]);
    }
  }
  return elsewhere;
}

/** Payments that the input neither is nor corrects. */
async function unsettledBeside(
  corrected: ReadonlyMap<number, KnownPayment>,
  { ledger, target, prepared }: LookUp,
): Promise<KnownPayment[]> {
  const named = new Set([...corrected.values()].map(({ id }) => id));
  const unsettled = await ledger.unsettled(target);
  return unsettled.filter((payment) => {
    const entry = prepared.index.find(RecordKey.of(payment.key));
    return !named.has(payment.id) && (entry === null || !isOfType(payment, entry, prepared));
  });
}

/** A payment is a type, a target and a key. */
export function isOfType({ type }: KnownPayment, index: number, { entries }: Prepared): boolean {
  return entries.groupOf(index).type === type;
}

/** What stands in the place of a payment today: itself, or the last one of those that replaced it. */
export function lastReplacement(payment: KnownPayment, known: Pick<Known, 'replacements'>): KnownPayment {
  return correctionsOf(payment, known).at(-1) ?? payment;
}

/** Whether a payment is one of those that replaced another one. */
export function isCorrectedBy(payment: KnownPayment, by: PaymentId, known: Pick<Known, 'replacements'>): boolean {
  return correctionsOf(payment, known).some(({ id }) => id === by);
}

/** What replaced a payment, and what replaced that, to the last one. */
function correctionsOf(payment: KnownPayment, { replacements }: Pick<Known, 'replacements'>): KnownPayment[] {
  const corrections = new Set<KnownPayment>();
  for (let next = payment.replacedBy; next !== null;) {
    const correction = replacements.get(next);
    if (correction === undefined || corrections.has(correction)) break;
    corrections.add(correction);
    next = correction.replacedBy;
  }
  return [...corrections];
}

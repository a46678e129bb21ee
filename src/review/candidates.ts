/** Look-ups of payments that records may repeat: of the same payees, and at the same places in the same files. */
import { chunksOf, paymentsOf } from '../journal/pages.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { Journal } from '../journal/journal.js';
import type { StoredPayment, PaymentId, Run, TargetName } from '../journal/payment.js';
import type { SentPlaces } from '../journal/plan.js';
import { groupBy } from '../util/group-by.js';

export interface Candidates {
  /**
   * By payee: its payments in the batch, at the target and at others on the same host; its payments for the same
   * purposes in other batches; and its rejected ones there that were corrected of late.
   */
  readonly byPayee: ReadonlyMap<number, readonly StoredPayment[]>;
  /** By entry: payments of the batch at the same place in files with the same bytes. */
  readonly samePlace: ReadonlyMap<number, readonly StoredPayment[]>;
  /** By number of a run that sent payments of the batch: where it sent what, in the order of the payments. */
  readonly sent: ReadonlyMap<number, readonly SentPlaces[]>;
  /** All of them. */
  readonly all: readonly StoredPayment[];
}

export const NO_CANDIDATES: Candidates = { byPayee: new Map(), samePlace: new Map(), sent: new Map(), all: [] };

export interface HistoryQuery {
  readonly journal: Journal;
  readonly target: TargetName;
  readonly prepared: PreparedRecords;
  readonly digest: string;
  /** The run that is resumed by its name, or null. */
  readonly resume: Run | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where an answer of the service has its id. */
  readonly idPath: string;
}

/** How many keys, payees or records are looked up at once. */
export const LOOKUPS_AT_ONCE = 2000;
/** In other batches, payments of the last few days may be the same ones under another name. Milliseconds. */
export const RECENT_MS = 6 * 24 * 3_600_000;

/**
 * @param open entries that may be sent
 * @param records by entry: what is known by its key
 * @throws JournalError
 */
export async function findCandidates(
  open: readonly number[],
  records: ReadonlyMap<number, { readonly own: StoredPayment | null }>,
  asked: HistoryQuery,
): Promise<Candidates> {
  const byPayee = await toPayees(open, asked);
  const samePlace = await atSamePlaces(open, records, asked);
  const byId = new Map([...samePlace.values(), ...byPayee.values()].flat().map((each) => [each.id, each]));
  for (const [index, payments] of samePlace)
    samePlace.set(
      index,
      payments.map((each) => byId.get(each.id) ?? each),
    );
  const all = [...byId.values()];
  return { byPayee, samePlace, sent: await sentWith(all, asked), all };
}

async function toPayees(
  open: readonly number[],
  { journal, target, now, prepared: { entries, batchId } }: HistoryQuery,
): Promise<Map<number, StoredPayment[]>> {
  const found = new Map<number, StoredPayment[]>();
  const add = (payment: StoredPayment): void => {
    const payments = found.get(payment.payee);
    if (payments === undefined) found.set(payment.payee, [payment]);
    else payments.push(payment);
  };
  const askedPayees = new Set<number>();
  const askedPurposes = new Set<string>();
  for (const page of chunksOf(open, LOOKUPS_AT_ONCE)) {
    const payees = new Set<number>();
    const purposes: [payee: number, title: number][] = [];
    for (const index of page) {
      const { payee, title } = entries.fingerprint(index);
      if (!askedPayees.has(payee)) payees.add(payee);
      const purpose = `${payee} ${title}`;
      if (askedPurposes.has(purpose)) continue;
      askedPurposes.add(purpose);
      purposes.push([payee, title]);
    }
    for (const payee of payees) askedPayees.add(payee);
    if (payees.size > 0) (await journal.byPayee(target, batchId, [...payees])).forEach(add);
    if (purposes.length > 0) (await journal.byPurpose(target, batchId, purposes)).forEach(add);
  }
  for (const payment of await journal.replacedSince(target, batchId, now - RECENT_MS)) {
    const isNew = askedPayees.has(payment.payee) && !askedPurposes.has(`${payment.payee} ${payment.title}`);
    if (isNew) add(payment);
  }
  return found;
}

/** Payments at the places of entries, other than those under their keys. */
async function atSamePlaces(
  open: readonly number[],
  records: ReadonlyMap<number, { readonly own: StoredPayment | null }>,
  { journal, target, prepared: { entries, files, batchId } }: HistoryQuery,
): Promise<Map<number, StoredPayment[]>> {
  const found = new Map<number, StoredPayment[]>();
  const hashes = files.map(({ sha256 }) => sha256).filter((hash) => hash !== '');
  const sent = await journal.inSameFiles(target, batchId, [...new Set(hashes)]);
  if (sent.length === 0) return found;
  const readings = groupBy(sent, ({ run, sha256, sheet }) => `${run} ${sha256} ${sheet ?? ''}`).map((each) =>
    each.toSorted((one, other) => positionOf(one) - positionOf(other)),
  );
  const named: [index: number, payment: PaymentId][] = [];
  for (const index of open) {
    const place = entries.placeOf(index);
    const file = files[place.file];
    for (const reading of readings) {
      if (reading[0]?.sha256 !== file?.sha256 || (reading[0]?.sheet ?? null) !== (file?.sheetName ?? null)) continue;
      const stretch = lastUpTo(positionOf(place), reading, positionOf);
      const by = stretch === null ? -1 : positionOf(place) - positionOf(stretch);
      if (stretch === null || by >= stretch.count || records.get(index)?.own?.id === stretch.payment + by) continue;
      named.push([index, stretch.payment + by]);
    }
  }
  for await (const [index, payment] of paymentsOf(named, journal))
    found.set(index, [...(found.get(index) ?? []), payment]);
  return found;
}

/** The line; the number of the record where the file has no lines. */
function positionOf({ line, record }: Pick<SentPlaces, 'line' | 'record'>): number {
  return line ?? record;
}

/** What the runs of these payments of the batch have sent. */
async function sentWith(
  payments: readonly StoredPayment[],
  { journal, prepared: { batchId } }: HistoryQuery,
): Promise<Map<number, SentPlaces[]>> {
  const here = payments.filter((payment) => payment.batchId === batchId);
  const runs = new Set(here.map(({ run }) => run.number));
  const sent = runs.size === 0 ? [] : await journal.sentBy([...runs]);
  return new Map(
    groupBy(sent, ({ run }) => run).map((each) => [
      each[0]?.run as number,
      each.toSorted((one, other) => one.payment - other.payment),
    ]),
  );
}

/** The line of a payment in the file of a run; null if that run has not sent it, or the file has no lines. */
export function lineIn(run: number, payment: PaymentId, { sent }: Candidates): number | null {
  const stretch = stretchOf(payment, sent.get(run) ?? []);
  return stretch === null || stretch.line === null ? null : stretch.line + payment - stretch.payment;
}

/** Those of the runs that list a payment as one of theirs. */
export function runsThatList(payment: PaymentId, { sent }: Candidates): number[] {
  return [...sent.keys()].filter((run) => stretchOf(payment, sent.get(run) ?? []) !== null);
}

/** The records with a payment among them; null for none. */
function stretchOf(payment: PaymentId, sent: readonly SentPlaces[]): SentPlaces | null {
  const stretch = lastUpTo(payment, sent, (each) => each.payment);
  return stretch === null || payment - stretch.payment >= stretch.count ? null : stretch;
}

/** The last item whose value is not above this one. @param sorted by that value */
function lastUpTo<Item>(value: number, sorted: readonly Item[], valueOf: (item: Item) => number): Item | null {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (valueOf(sorted[middle] as Item) <= value) from = middle + 1;
    else to = middle;
  }
  return sorted[from - 1] ?? null;
}

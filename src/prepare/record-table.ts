/**
 * One short entry for each record of a run, in typed arrays, because there may be millions. Bodies are in the journal;
 * the entries are enough for totals, keys, digest and reports.
 */
import type { Fingerprint } from '../keys/fingerprint.js';
import { hashOfWords, RecordKey, UUID_WORDS } from '../keys/record-key.js';
import { type Decimal, formatDecimal, parseDecimal, smallUnits } from '../money/decimal.js';
import type { Sum, TotalGroup, Totals } from '../money/totals.js';
import {
  Fingerprints,
  MoneyGroups,
  Integers,
  Numbers,
  OftenSame,
  PAGE_SIZE,
  pageOf,
  placeOnPage,
  type RecordPosition,
  RecordPositions,
} from './paged-arrays.js';

const STATUSES = [
  'invalid',
  /** Valid; nothing decided or sent yet. */
  'pending',
  'planned',
  'created',
  'already_created',
  /** Left out by a person's decision. */
  'skipped',
  'rejected',
  'unknown',
  'not_sent',
] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The origin of a record's key. `replaces` is for a corrected row. `rejected` is for an unchanged row of a rejects
 * file, which has the key of the rejected payment.
 */
const KEY_SOURCES = ['own', 'content', 'columns', 'replaces', 'rejected'] as const;
export type KeySource = (typeof KEY_SOURCES)[number];

interface EntryMoney extends TotalGroup {
  readonly amount: Decimal | null;
}

export interface ValidEntry extends EntryMoney {
  readonly key: RecordKey;
  readonly keySource: KeySource;
  /** 64 hex digits; null if nobody needs it. */
  readonly bodyHash: string | null;
}

/** Bytes of a body's hash. */
const BODY_HASH = 32;
const NO_PAYMENT = 0;

interface Page {
  readonly group: Numbers;
  readonly status: Uint8Array;
  readonly keySource: OftenSame;
  /** Keys that are UUIDs, as words. */
  readonly key: Int32Array;
  bodyHash: Buffer | null;
  /** Amounts up to 2^53 as digits and scale; larger ones, and unknown ones, are kept elsewhere. */
  readonly units: Integers;
  readonly scale: Uint8Array;
  /** Only a run that is to be sent has payments. */
  payment: Float64Array | null;
  /** See {@link idForm}. */
  readonly idForm: OftenSame;
}

function newRecordPage(): Page {
  return {
    group: new Numbers(),
    status: new Uint8Array(PAGE_SIZE),
    keySource: new OftenSame(0),
    key: new Int32Array(PAGE_SIZE * UUID_WORDS),
    bodyHash: null,
    units: new Integers(),
    scale: new Uint8Array(PAGE_SIZE),
    payment: null,
    idForm: new OftenSame(0),
  };
}

/** Marks in `scale` that the amount is kept elsewhere. */
const ASIDE = 255;

export class RecordTable {
  private readonly pages: Page[] = [];
  private readonly places = new RecordPositions();
  private count = 0;
  /** Number of entries in each state. */
  private readonly counts = STATUSES.map(() => 0);
  private readonly groups = new MoneyGroups();
  private readonly fingerprints = new Fingerprints();
  /** Keys that are not UUIDs. */
  private readonly textKeys = new Map<number, string>();
  private readonly asideAmounts = new Map<number, Decimal | null>();
  private readonly errors = new Map<number, string>();
  /** One text for the many records that share it. */
  private readonly errorTexts = new Map<string, string>();

  get length(): number {
    return this.count;
  }

  /** Its money is shown with it, and counts in no sum. */
  addInvalid(place: RecordPosition, { type, currency, costCenter, amount }: EntryMoney, error: string): number {
    const index = this.enter(place);
    this.page(index).group.set(placeOnPage(index), this.groups.numberOf(type, currency, costCenter));
    this.setAmount(index, amount);
    this.setError(index, error);
    return index;
  }

  addValid(place: RecordPosition, entry: ValidEntry): number {
    const index = this.enter(place);
    const page = this.page(index);
    const at = placeOnPage(index);
    page.group.set(at, this.groups.numberOf(entry.type, entry.currency, entry.costCenter));
    this.setStatus(index, 'pending');
    page.keySource.set(at, KEY_SOURCES.indexOf(entry.keySource));
    if (entry.bodyHash !== null)
      (page.bodyHash ??= Buffer.alloc(PAGE_SIZE * BODY_HASH)).write(entry.bodyHash, at * BODY_HASH, 'hex');
    this.setAmount(index, entry.amount);
    this.setKey(index, entry.key);
    return index;
  }

  placeOf(index: number): RecordPosition {
    return this.places.of(index);
  }

  fileOf(index: number): number {
    return this.places.fileOf(index);
  }

  groupOf(index: number): TotalGroup {
    return this.groups.at(this.page(index).group.at(placeOnPage(index)));
  }

  status(index: number): Status {
    return STATUSES[this.page(index).status[placeOnPage(index)] ?? 0] as Status;
  }

  setStatus(index: number, status: Status): void {
    const { status: states } = this.page(index);
    const at = placeOnPage(index);
    this.move(states[at] as number, -1);
    states[at] = STATUSES.indexOf(status);
    this.move(states[at], 1);
  }

  private move(status: number, by: number): void {
    this.counts[status] = (this.counts[status] as number) + by;
  }

  countOf(status: Status): number {
    return this.counts[STATUSES.indexOf(status)] as number;
  }

  isValid(index: number): boolean {
    return this.page(index).status[placeOnPage(index)] !== 0;
  }

  /** Null for an invalid record. */
  key(index: number): string | null {
    return this.isValid(index) ? this.keyText(index) : null;
  }

  /** The key, also of a record that turned out to be invalid after it was added. */
  keyText(index: number): string {
    const text = this.textKeys.get(index);
    if (text !== undefined) return text;
    const { key } = this.page(index);
    const at = placeOnPage(index) * UUID_WORDS;
    return new RecordKey(key[at] ?? 0, key[at + 1] ?? 0, key[at + 2] ?? 0, key[at + 3] ?? 0).text;
  }

  setKey(index: number, { first, second, third, fourth, other }: RecordKey): void {
    const { key } = this.page(index);
    const at = placeOnPage(index) * UUID_WORDS;
    key[at] = first;
    key[at + 1] = second;
    key[at + 2] = third;
    key[at + 3] = fourth;
    if (other !== null) this.textKeys.set(index, other);
    else if (this.textKeys.size > 0) this.textKeys.delete(index);
  }

  /** Whether the entry has this key, which is a UUID. */
  hasUuid(index: number, { first, second, third, fourth }: RecordKey): boolean {
    const { key } = this.page(index);
    const at = placeOnPage(index) * UUID_WORDS;
    return (
      key[at] === first &&
      key[at + 1] === second &&
      key[at + 2] === third &&
      key[at + 3] === fourth &&
      !this.textKeys.has(index)
    );
  }

  /** The hash of an entry's key, which is a UUID. */
  uuidHash(index: number): number {
    const { key } = this.page(index);
    const at = placeOnPage(index) * UUID_WORDS;
    return hashOfWords(key[at] ?? 0, key[at + 1] ?? 0, key[at + 2] ?? 0, key[at + 3] ?? 0);
  }

  keySource(index: number): KeySource {
    return KEY_SOURCES[this.page(index).keySource.at(placeOnPage(index))] as KeySource;
  }

  bodyHash(index: number): string {
    const at = placeOnPage(index) * BODY_HASH;
    return this.page(index).bodyHash?.toString('hex', at, at + BODY_HASH) ?? '';
  }

  setFingerprint(index: number, fingerprint: Fingerprint): void {
    this.fingerprints.set(index, fingerprint);
  }

  fingerprint(index: number): Fingerprint {
    return this.fingerprints.at(index);
  }

  /** The hash of its payee; 0 if no fingerprint was set. */
  payee(index: number): number {
    return this.fingerprints.payee(index);
  }

  /** How its payee's ID is written; 0 if it is not known. */
  idForm(index: number): number {
    return this.page(index).idForm.at(placeOnPage(index));
  }

  setIdForm(index: number, form: number): void {
    this.page(index).idForm.set(placeOnPage(index), form);
  }

  /** The journal's number of its row, up to 2^53: a payment, or the record's draft; 0 for none. */
  payment(index: number): number {
    return this.page(index).payment?.[placeOnPage(index)] ?? NO_PAYMENT;
  }

  setPayment(index: number, payment: number): void {
    (this.page(index).payment ??= new Float64Array(PAGE_SIZE))[placeOnPage(index)] = payment;
  }

  /** Counts the entries by status, and adds their money to totals. @param shown name of a status there; null: none */
  total(totals: Totals, shown: (status: Status) => string | null): Record<Status, number> {
    const names = STATUSES.map(shown);
    const sums: (Sum | undefined)[] = [];
    for (let index = 0; index < this.count; index++) {
      const page = this.page(index);
      const at = placeOnPage(index);
      const status = page.status[at] as number;
      const name = names[status] ?? null;
      if (name === null) continue;
      const group = page.group.at(at);
      const sum = (sums[group * STATUSES.length + status] ??= totals.sum(this.groups.at(group), name));
      if (page.scale[at] === ASIDE) sum.add(this.asideAmounts.get(index) ?? null);
      else sum.addUnits(page.units.at(at), page.scale[at] as number);
    }
    return Object.fromEntries(STATUSES.map((status, i) => [status, this.counts[i]])) as Record<Status, number>;
  }

  /** Null when there is no known price, or an invalid record has no readable amount. */
  amount(index: number): Decimal | null {
    const page = this.page(index);
    const at = placeOnPage(index);
    if (page.scale[at] === ASIDE) return this.asideAmounts.get(index) ?? null;
    return { units: BigInt(page.units.at(at)), scale: page.scale[at] ?? 0 };
  }

  error(index: number): string | null {
    return this.errors.get(index) ?? null;
  }

  setError(index: number, error: string): void {
    let shared = this.errorTexts.get(error);
    if (shared === undefined) this.errorTexts.set(error, (shared = error));
    this.errors.set(index, shared);
  }

  /** Marks a record that seemed valid as invalid. */
  invalidate(index: number, error: string): void {
    this.setStatus(index, 'invalid');
    this.setError(index, error);
  }

  private enter(place: RecordPosition): number {
    const index = this.count++;
    this.move(0, 1);
    if (pageOf(index) === this.pages.length) this.pages.push(newRecordPage());
    this.places.add(index, place);
    return index;
  }

  private page(index: number): Page {
    return this.pages[pageOf(index)] as Page;
  }

  setAmount(index: number, amount: Decimal | null): void {
    const page = this.page(index);
    const at = placeOnPage(index);
    const units = amount === null ? Number.NaN : smallUnits(amount);
    if (amount !== null && amount.scale < ASIDE && !Number.isNaN(units)) {
      page.units.set(at, units);
      page.scale[at] = amount.scale;
      return;
    }
    page.scale[at] = ASIDE;
    this.asideAmounts.set(index, amount === null ? null : parseDecimal(formatDecimal(amount)));
  }
}

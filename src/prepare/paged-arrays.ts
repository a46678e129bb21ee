/** Compact storage for millions of records: a few bytes each, in pages, so that no list is copied when it grows. */
import type { Fingerprint } from '../keys/fingerprint.js';
import type { TotalGroup } from '../money/totals.js';

const PAGE_BITS = 14;
export const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

export function pageOf(index: number): number {
  return index >> PAGE_BITS;
}

export function placeOnPage(index: number): number {
  return index & PAGE_MASK;
}

/** The numbers of a page, whole and below 2^32. Most are small: two bytes each, and two more once one is larger. */
export class Numbers {
  private readonly low = new Uint16Array(PAGE_SIZE);
  private high: Uint16Array | null = null;

  at(place: number): number {
    const low = this.low[place] as number;
    return this.high === null ? low : (this.high[place] as number) * 0x10000 + low;
  }

  set(place: number, value: number): void {
    this.low[place] = value;
    if (value > 0xffff) this.high ??= new Uint16Array(PAGE_SIZE);
    if (this.high !== null) this.high[place] = value >>> 16;
  }
}

/** The value of a 1 in the upper 32 bits. */
const HIGH = 2 ** 32;

/** The same for integers of either sign up to 2^53. */
export class Integers {
  private readonly low = new Uint32Array(PAGE_SIZE);
  private high: Int32Array | null = null;

  at(place: number): number {
    const low = this.low[place] as number;
    return this.high === null ? low : (this.high[place] as number) * HIGH + low;
  }

  set(place: number, value: number): void {
    const high = Math.floor(value / HIGH);
    this.low[place] = value - high * HIGH;
    if (high !== 0) this.high ??= new Int32Array(PAGE_SIZE);
    if (this.high !== null) this.high[place] = high;
  }
}

type CostCenters = Map<string | null, number>;

/** The groups of totals for a run's records, by number: there are many records and few groups. */
export class MoneyGroups {
  private readonly groups: TotalGroup[] = [];
  /** By type, currency and cost center. */
  private readonly numbers = new Map<string, Map<string | null, CostCenters>>();

  /** One object for each group, so that totals can compare groups by reference. */
  at(number: number): TotalGroup {
    return this.groups[number] as TotalGroup;
  }

  numberOf(type: string, currency: string | null, costCenter: string | null): number {
    let currencies = this.numbers.get(type);
    if (currencies === undefined) this.numbers.set(type, (currencies = new Map<string | null, CostCenters>()));
    let numbers = currencies.get(currency);
    if (numbers === undefined) currencies.set(currency, (numbers = new Map<string | null, number>()));
    let number = numbers.get(costCenter);
    if (number === undefined) {
      number = this.groups.push({ type, currency, costCenter }) - 1;
      numbers.set(costCenter, number);
    }
    return number;
  }
}

interface PrintPage {
  /** Null in a dry run that looks nothing up. */
  content: BigInt64Array | null;
  readonly payee: Float64Array;
  readonly title: Int32Array;
  /** {@link NO_HASH} for none. Many files have no references, dates or quantities, and then no page for them. */
  reference: Int32Array | null;
  measure: Int32Array | null;
  /** {@link NO_DATE} for none. */
  date: Int32Array | null;
  /** 1 for a record with values that a flag sets. */
  ofFlags: Uint8Array | null;
}

/** No hash of 32 bits is zero. */
const NO_HASH = 0;
/** Not any year of four digits. */
const NO_DATE = -(2 ** 31);

/** The fingerprints of the records of a run: at most 33 bytes each. */
export class Fingerprints {
  private readonly pages: PrintPage[] = [];

  set(index: number, { content, payee, title, reference, date, measure, isOfFile }: Fingerprint): void {
    const page = (this.pages[pageOf(index)] ??= newPage());
    const at = placeOnPage(index);
    if (content !== 0n) page.content ??= new BigInt64Array(PAGE_SIZE);
    if (page.content !== null) page.content[at] = content;
    page.payee[at] = payee;
    page.title[at] = title;
    if (reference !== null) page.reference ??= new Int32Array(PAGE_SIZE);
    if (page.reference !== null) page.reference[at] = reference ?? NO_HASH;
    if (measure !== null) page.measure ??= new Int32Array(PAGE_SIZE);
    if (page.measure !== null) page.measure[at] = measure ?? NO_HASH;
    if (date !== null) page.date ??= new Int32Array(PAGE_SIZE).fill(NO_DATE);
    if (page.date !== null) page.date[at] = date ?? NO_DATE;
    if (!isOfFile) page.ofFlags ??= new Uint8Array(PAGE_SIZE);
    if (page.ofFlags !== null) page.ofFlags[at] = Number(!isOfFile);
  }

  /** All zeros if none was set. */
  at(index: number): Fingerprint {
    const page = this.pages[pageOf(index)];
    const at = placeOnPage(index);
    const date = page?.date?.[at] ?? NO_DATE;
    return {
      content: page?.content?.[at] ?? 0n,
      payee: this.payee(index),
      title: page?.title[at] ?? NO_HASH,
      reference: hashOrNull(page?.reference?.[at]),
      date: date === NO_DATE ? null : date,
      measure: hashOrNull(page?.measure?.[at]),
      isOfFile: page?.ofFlags?.[at] !== 1,
    };
  }

  /** 0 if no fingerprint was set. */
  payee(index: number): number {
    return this.pages[pageOf(index)]?.payee[placeOnPage(index)] ?? 0;
  }
}

function hashOrNull(hash = NO_HASH): number | null {
  return hash === NO_HASH ? null : hash;
}

function newPage(): PrintPage {
  return {
    content: null,
    payee: new Float64Array(PAGE_SIZE),
    title: new Int32Array(PAGE_SIZE),
    reference: null,
    measure: null,
    date: null,
    ofFlags: null,
  };
}

/** Compact storage for millions of records: a few bytes each, in pages, so that no list is copied when it grows. */
import type { Fingerprint } from '../keys/fingerprint.js';
import type { TotalGroup } from '../money/totals.js';
import type { RecordPlace } from '../records/issue.js';

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

/** The signed 32-bit integers of a page, set in order. Often all are the same: then they take no memory of their own. */
export class OftenSame {
  private readonly unset: number;
  /** The value of the places before `end`; that of all others is `unset`. */
  private same: number;
  private end = 0;
  /** Null as long as the page has one value. */
  private list: Int32Array | null = null;

  /** @param unset value of the places that are never set */
  constructor(unset: number) {
    this.unset = unset;
    this.same = unset;
  }

  at(place: number): number {
    if (this.list !== null) return this.list[place] as number;
    return place < this.end ? this.same : this.unset;
  }

  set(place: number, value: number): void {
    if (this.list === null) {
      if (this.end === 0) this.same = value;
      if (value === this.same && place <= this.end) {
        if (place === this.end) this.end++;
        return;
      }
      this.list = new Int32Array(PAGE_SIZE).fill(this.unset).fill(this.same, 0, this.end);
    }
    this.list[place] = value;
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
  /** The lower 32 bits of 48, and the upper 16. */
  readonly payeeLow: Uint32Array;
  readonly payeeHigh: Uint16Array;
  readonly title: OftenSame;
  /** {@link NO_HASH} for none. */
  readonly reference: OftenSame;
  readonly measure: OftenSame;
  /** {@link NO_DATE} for none. */
  readonly date: OftenSame;
  /** 1 for a record with values that a flag sets. */
  readonly ofFlags: OftenSame;
}

/** No hash of 32 bits is zero. */
const NO_HASH = 0;
/** Not any year of four digits. */
const NO_DATE = -(2 ** 31);

/** The fingerprints of the records of a run: at most 34 bytes each. */
export class Fingerprints {
  private readonly pages: PrintPage[] = [];

  set(index: number, { content, payee, title, reference, date, measure, isOfFile }: Fingerprint): void {
    const page = (this.pages[pageOf(index)] ??= newPrintPage());
    const at = placeOnPage(index);
    if (content !== 0n) page.content ??= new BigInt64Array(PAGE_SIZE);
    if (page.content !== null) page.content[at] = content;
    page.payeeLow[at] = payee;
    page.payeeHigh[at] = payee / HIGH;
    page.title.set(at, title);
    page.reference.set(at, reference ?? NO_HASH);
    page.measure.set(at, measure ?? NO_HASH);
    page.date.set(at, date ?? NO_DATE);
    page.ofFlags.set(at, Number(!isOfFile));
  }

  /** All zeros if none was set. */
  at(index: number): Fingerprint {
    const page = this.pages[pageOf(index)] ?? EMPTY_PAGE;
    const at = placeOnPage(index);
    const date = page.date.at(at);
    return {
      content: page.content?.[at] ?? 0n,
      payee: this.payee(index),
      title: page.title.at(at),
      reference: hashOrNull(page.reference.at(at)),
      date: date === NO_DATE ? null : date,
      measure: hashOrNull(page.measure.at(at)),
      isOfFile: page.ofFlags.at(at) === 0,
    };
  }

  /** 0 if no fingerprint was set. */
  payee(index: number): number {
    const page = this.pages[pageOf(index)] ?? EMPTY_PAGE;
    const at = placeOnPage(index);
    return (page.payeeHigh[at] ?? 0) * HIGH + (page.payeeLow[at] ?? 0);
  }
}

function hashOrNull(hash: number): number | null {
  return hash === NO_HASH ? null : hash;
}

function newPrintPage(size = PAGE_SIZE): PrintPage {
  return {
    content: null,
    payeeLow: new Uint32Array(size),
    payeeHigh: new Uint16Array(size),
    title: new OftenSame(NO_HASH),
    reference: new OftenSame(NO_HASH),
    measure: new OftenSame(NO_HASH),
    date: new OftenSame(NO_DATE),
    ofFlags: new OftenSame(0),
  };
}

/** Of records that have none. */
const EMPTY_PAGE = newPrintPage(0);

/** The place of a record in the input. */
export interface RecordPosition extends RecordPlace {
  /** Index of the input file. */
  readonly file: number;
}

/** Entries whose records follow one another in a file: each file of an input is one stretch. */
interface PositionSpan {
  /** The first entry, its file and its record. */
  readonly from: number;
  readonly file: number;
  readonly record: number;
}

/** The place of each record of a run, in two bytes for most. */
export class RecordPositions {
  private readonly stretches: PositionSpan[] = [];
  /**
   * The line minus the record's number, + 1; 0 for a record without a line. No two records begin on one line, so a line
   * is never less than the number of its record.
   */
  private readonly lines: Numbers[] = [];
  /** The line minus the spreadsheet's row: the `sep=` line is not a row, and a cell of several lines is one row. */
  private readonly rows: (Numbers | undefined)[] = [];

  /** @param index of the entry: one more than that of the entry before */
  add(index: number, { file, record, line, row }: RecordPosition): void {
    const lines = (this.lines[pageOf(index)] ??= new Numbers());
    lines.set(placeOnPage(index), line === null ? 0 : (line - record + 1) >>> 0);
    if (line !== null && row !== undefined && row < line)
      (this.rows[pageOf(index)] ??= new Numbers()).set(placeOnPage(index), line - row);
    const last = this.stretches.at(-1);
    const follows = last?.file === file && last.record + index - last.from === record;
    if (!follows) this.stretches.push({ from: index, file, record });
  }

  of(index: number): RecordPosition {
    const { from, file, record: first } = this.stretchOf(index);
    const record = first + index - from;
    const beyond = (this.lines[pageOf(index)] as Numbers).at(placeOnPage(index));
    if (beyond === 0) return { file, record, line: null };
    const line = (beyond - 1 + record) >>> 0;
    const before = this.rows[pageOf(index)]?.at(placeOnPage(index)) ?? 0;
    return before === 0 ? { file, record, line } : { file, record, line, row: line - before };
  }

  fileOf(index: number): number {
    return this.stretchOf(index).file;
  }

  private stretchOf(index: number): PositionSpan {
    let from = 0;
    let to = this.stretches.length - 1;
    while (from < to) {
      const middle = (from + to + 1) >>> 1;
      if ((this.stretches[middle] as PositionSpan).from <= index) from = middle;
      else to = middle - 1;
    }
    return this.stretches[from] as PositionSpan;
  }
}

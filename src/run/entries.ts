/**
 * What a run remembers of each record: one short entry, in typed arrays, since there may be millions. Bodies are in the
 * journal; what is here is enough for totals, keys, digest and reports.
 */
import { RecordKey, UUID_WORDS } from '../keys/record-key.js';
import { type Decimal, formatDecimal, parseDecimal, PlainNumber } from '../money/decimal.js';
import type { Sum, TotalGroup, Totals } from '../money/totals.js';

export type Status =
  | 'invalid'
  /** Valid; nothing decided or sent yet. */
  | 'pending'
  | 'planned'
  | 'created'
  | 'already_created'
  | 'rejected'
  | 'unknown'
  | 'not_sent';

const STATUSES: readonly Status[] = [
  'invalid',
  'pending',
  'planned',
  'created',
  'already_created',
  'rejected',
  'unknown',
  'not_sent',
];
const STATUS_NUMBER = new Map(STATUSES.map((status, i) => [status, i]));

/** Where a record's key comes from. */
export type KeySource = 'own' | 'content' | 'columns';
const KEY_SOURCES: readonly KeySource[] = ['own', 'content', 'columns'];

export interface Place {
  /** Index of the input file. */
  readonly file: number;
  readonly record: number;
  readonly line: number | null;
}

export interface ValidEntry {
  readonly type: string;
  readonly currency: string | null;
  readonly costCenter: string | null;
  readonly amount: Decimal | null;
  readonly key: RecordKey;
  readonly keySource: KeySource;
  /** 64 hex digits; null, like the next, where it will not be asked for. */
  readonly bodyHash: string | null;
  /** 16 bytes each. */
  readonly content: Uint8Array | null;
  readonly likeness: Uint8Array | null;
}

const PAGE_BITS = 14;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
/** Bytes of the hashes that history is searched by, and of a body's. */
const SHORT_HASH = 16;
const BODY_HASH = 32;

interface Page {
  /**
   * How far the line is beyond the record's number, + 1; 0 for a record without a line. No two records begin on one line,
   * so a line is never less than the number of its record.
   */
  readonly line: Numbers;
  readonly group: Numbers;
  readonly status: Uint8Array;
  readonly keySource: Uint8Array;
  /** Keys that are UUIDs, as words. */
  readonly key: Int32Array;
  bodyHash: Buffer | null;
  /** Amounts up to 2^53 as digits and scale; larger ones, and unknown ones, are kept aside. */
  readonly units: Uint32Array;
  /** What of an amount's digits is beyond 32 bits, times 2^32; null while no amount of the page has any. */
  highUnits: Int32Array | null;
  readonly scale: Uint8Array;
  content: Buffer | null;
  likeness: Buffer | null;
}

/** The numbers of a page, whole and below 2^32. Most are small: two bytes each, and two more once one is not. */
class Numbers {
  private readonly low = new Uint16Array(PAGE_SIZE);
  private high: Uint16Array | null = null;

  at(index: number): number {
    const low = this.low[index] as number;
    return this.high === null ? low : (this.high[index] as number) * 0x10000 + low;
  }

  set(index: number, value: number): void {
    this.low[index] = value;
    if (value > 0xffff) (this.high ??= new Uint16Array(PAGE_SIZE))[index] = value >>> 16;
  }
}

function newPage(): Page {
  return {
    line: new Numbers(),
    group: new Numbers(),
    status: new Uint8Array(PAGE_SIZE),
    keySource: new Uint8Array(PAGE_SIZE),
    key: new Int32Array(PAGE_SIZE * UUID_WORDS),
    bodyHash: null,
    units: new Uint32Array(PAGE_SIZE),
    highUnits: null,
    scale: new Uint8Array(PAGE_SIZE),
    content: null,
    likeness: null,
  };
}

/** Entries whose records follow one another in a file: in an input, each file is one. */
interface Stretch {
  /** The first entry, its file and its record. */
  readonly from: number;
  readonly file: number;
  readonly record: number;
}

/** Numbers of groups by their cost center. */
type CostCenters = Map<string | null, number>;

/** Marks in `scale` that the amount is kept aside. */
const ASIDE = 255;

export class Entries {
  private readonly pages: Page[] = [];
  private readonly stretches: Stretch[] = [];
  private count = 0;
  private readonly groups: TotalGroup[] = [];
  /** By type, currency and cost center. */
  private readonly groupNumbers = new Map<string, Map<string | null, CostCenters>>();
  /** Keys that are no UUIDs. */
  private readonly textKeys = new Map<number, string>();
  private readonly asideAmounts = new Map<number, Decimal | null>();
  private readonly errors = new Map<number, string>();
  /** One text for the many records that share it. */
  private readonly errorTexts = new Map<string, string>();

  get length(): number {
    return this.count;
  }

  addInvalid(place: Place, type: string, error: string): number {
    const index = this.place(place);
    this.page(index).group.set(index & PAGE_MASK, this.groupNumber(type, null, null));
    this.setError(index, error);
    return index;
  }

  addValid(place: Place, entry: ValidEntry): number {
    const index = this.place(place);
    const page = this.page(index);
    const at = index & PAGE_MASK;
    page.group.set(at, this.groupNumber(entry.type, entry.currency, entry.costCenter));
    page.status[at] = STATUS_NUMBER.get('pending') as number;
    page.keySource[at] = KEY_SOURCES.indexOf(entry.keySource);
    if (entry.bodyHash !== null)
      (page.bodyHash ??= Buffer.alloc(PAGE_SIZE * BODY_HASH)).write(entry.bodyHash, at * BODY_HASH, 'hex');
    this.setAmount(index, entry.amount);
    this.setKey(index, entry.key);
    if (entry.content !== null)
      (page.content ??= Buffer.alloc(PAGE_SIZE * SHORT_HASH)).set(entry.content, at * SHORT_HASH);
    if (entry.likeness !== null)
      (page.likeness ??= Buffer.alloc(PAGE_SIZE * SHORT_HASH)).set(entry.likeness, at * SHORT_HASH);
    return index;
  }

  placeOf(index: number): Place {
    const { from, file, record: first } = this.stretchOf(index);
    const record = first + index - from;
    const line = this.page(index).line.at(index & PAGE_MASK);
    return { file, record, line: line === 0 ? null : (line - 1 + record) >>> 0 };
  }

  fileOf(index: number): number {
    return this.stretchOf(index).file;
  }

  groupOf(index: number): TotalGroup {
    return this.groups[this.page(index).group.at(index & PAGE_MASK)] as TotalGroup;
  }

  status(index: number): Status {
    return STATUSES[this.page(index).status[index & PAGE_MASK] ?? 0] as Status;
  }

  setStatus(index: number, status: Status): void {
    this.page(index).status[index & PAGE_MASK] = STATUS_NUMBER.get(status) as number;
  }

  isValid(index: number): boolean {
    return this.page(index).status[index & PAGE_MASK] !== 0;
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
    const at = (index & PAGE_MASK) * UUID_WORDS;
    return new RecordKey(key[at] ?? 0, key[at + 1] ?? 0, key[at + 2] ?? 0, key[at + 3] ?? 0).text;
  }

  setKey(index: number, { first, second, third, fourth, other }: RecordKey): void {
    const { key } = this.page(index);
    const at = (index & PAGE_MASK) * UUID_WORDS;
    key[at] = first;
    key[at + 1] = second;
    key[at + 2] = third;
    key[at + 3] = fourth;
    if (other !== null) this.textKeys.set(index, other);
    else if (this.textKeys.size > 0) this.textKeys.delete(index);
  }

  /** The first word of an entry's key, which is a UUID. */
  firstWord(index: number): number {
    return this.page(index).key[(index & PAGE_MASK) * UUID_WORDS] as number;
  }

  /** Whether the entry's key is this one, which is a UUID. */
  hasUuid(index: number, { first, second, third, fourth }: RecordKey): boolean {
    const { key } = this.page(index);
    const at = (index & PAGE_MASK) * UUID_WORDS;
    return (
      key[at] === first &&
      key[at + 1] === second &&
      key[at + 2] === third &&
      key[at + 3] === fourth &&
      !this.textKeys.has(index)
    );
  }

  keySource(index: number): KeySource {
    return KEY_SOURCES[this.page(index).keySource[index & PAGE_MASK] ?? 0] as KeySource;
  }

  bodyHash(index: number): string {
    const at = (index & PAGE_MASK) * BODY_HASH;
    return this.page(index).bodyHash?.toString('hex', at, at + BODY_HASH) ?? '';
  }

  content(index: number): Uint8Array {
    return sixteen(this.page(index).content, index);
  }

  likeness(index: number): Uint8Array {
    return sixteen(this.page(index).likeness, index);
  }

  /** Counts the entries by status, and adds their money to totals. @param shown under what name; null for what has none */
  total(totals: Totals, shown: (status: Status) => string | null): Record<Status, number> {
    const names = STATUSES.map(shown);
    const counts = STATUSES.map(() => 0);
    const sums: (Sum | undefined)[] = [];
    for (let index = 0; index < this.count; index++) {
      const page = this.page(index);
      const at = index & PAGE_MASK;
      const status = page.status[at] as number;
      counts[status] = (counts[status] as number) + 1;
      const name = names[status] ?? null;
      if (name === null) continue;
      const group = page.group.at(at);
      const sum = (sums[group * STATUSES.length + status] ??= totals.sum(this.groups[group] as TotalGroup, name));
      if (page.scale[at] === ASIDE) sum.add(this.asideAmounts.get(index) ?? null);
      else sum.addUnits(unitsAt(page, at), page.scale[at] as number);
    }
    return Object.fromEntries(STATUSES.map((status, i) => [status, counts[i]])) as Record<Status, number>;
  }

  /** Null when there is no known price. */
  amount(index: number): Decimal | null {
    const page = this.page(index);
    const at = index & PAGE_MASK;
    if (page.scale[at] === ASIDE) return this.asideAmounts.get(index) ?? null;
    return { units: BigInt(unitsAt(page, at)), scale: page.scale[at] ?? 0 };
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

  private place({ file, record, line }: Place): number {
    const index = this.count++;
    if (index >> PAGE_BITS === this.pages.length) this.pages.push(newPage());
    this.page(index).line.set(index & PAGE_MASK, line === null ? 0 : (line - record + 1) >>> 0);
    const last = this.stretches.at(-1);
    if (last?.file !== file || last.record + index - last.from !== record)
      this.stretches.push({ from: index, file, record });
    return index;
  }

  /** The stretch that an entry is in. */
  private stretchOf(index: number): Stretch {
    let [from, to] = [0, this.stretches.length - 1];
    while (from < to) {
      const middle = (from + to + 1) >>> 1;
      if ((this.stretches[middle] as Stretch).from <= index) from = middle;
      else to = middle - 1;
    }
    return this.stretches[from] as Stretch;
  }

  private page(index: number): Page {
    return this.pages[index >> PAGE_BITS] as Page;
  }

  private setAmount(index: number, amount: Decimal | null): void {
    const page = this.page(index);
    const at = index & PAGE_MASK;
    const units =
      amount === null ? Number.NaN : amount instanceof PlainNumber ? amount.safeUnits : Number(amount.units);
    if (amount !== null && amount.scale < ASIDE && Number.isSafeInteger(units)) {
      const high = Math.floor(units / HIGH);
      page.units[at] = units - high * HIGH;
      if (high !== 0) (page.highUnits ??= new Int32Array(PAGE_SIZE))[at] = high;
      page.scale[at] = amount.scale;
      return;
    }
    page.scale[at] = ASIDE;
    this.asideAmounts.set(index, amount === null ? null : parseDecimal(formatDecimal(amount)));
  }

  /** One object stands for a group, so that totals can tell groups apart by reference. */
  private groupNumber(type: string, currency: string | null, costCenter: string | null): number {
    let currencies = this.groupNumbers.get(type);
    if (currencies === undefined) this.groupNumbers.set(type, (currencies = new Map<string | null, CostCenters>()));
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

/** One of the upper 32 bits. */
const HIGH = 2 ** 32;

/** Exact: an integer below 2^53, or above -2^53. */
function unitsAt({ units, highUnits }: Page, at: number): number {
  return (highUnits?.[at] ?? 0) * HIGH + (units[at] as number);
}

function sixteen(bytes: Buffer | null, index: number): Uint8Array {
  const at = (index & PAGE_MASK) * SHORT_HASH;
  return bytes === null ? new Uint8Array(SHORT_HASH) : bytes.subarray(at, at + SHORT_HASH);
}

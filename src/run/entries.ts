/**
 * What a run remembers of each record: one short entry, in typed arrays, since there may be millions. Bodies are in the
 * journal; what is here is enough for totals, keys, digest and reports.
 */
import { type Decimal, formatDecimal, parseDecimal } from '../money/decimal.js';
import type { TotalGroup } from '../money/totals.js';

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

export interface ValidEntry extends Place {
  readonly group: TotalGroup;
  readonly amount: Decimal | null;
  readonly key: string;
  readonly keySource: KeySource;
  /** 64 hex digits. */
  readonly bodyHash: string;
  /** 16 bytes each, or null where they will not be asked for. */
  readonly content: Uint8Array | null;
  readonly likeness: Uint8Array | null;
}

const PAGE_BITS = 14;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;
const KEY_BYTES = 16;
const HASH_BYTES = 32;

interface Page {
  readonly file: Uint16Array;
  readonly record: Uint32Array;
  readonly line: Uint32Array;
  readonly group: Uint32Array;
  readonly status: Uint8Array;
  readonly keySource: Uint8Array;
  readonly key: Buffer;
  readonly bodyHash: Buffer;
  /** Amounts up to 2^53 as digits and scale; larger ones, and unknown ones, are kept aside. */
  readonly units: Float64Array;
  readonly scale: Uint8Array;
  content: Buffer | null;
  likeness: Buffer | null;
}

function newPage(): Page {
  return {
    file: new Uint16Array(PAGE_SIZE),
    record: new Uint32Array(PAGE_SIZE),
    line: new Uint32Array(PAGE_SIZE),
    group: new Uint32Array(PAGE_SIZE),
    status: new Uint8Array(PAGE_SIZE),
    keySource: new Uint8Array(PAGE_SIZE),
    key: Buffer.alloc(PAGE_SIZE * KEY_BYTES),
    bodyHash: Buffer.alloc(PAGE_SIZE * HASH_BYTES),
    units: new Float64Array(PAGE_SIZE),
    scale: new Uint8Array(PAGE_SIZE),
    content: null,
    likeness: null,
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Marks in `scale` that the amount is kept aside. */
const ASIDE = 255;

export class Entries {
  private readonly pages: Page[] = [];
  private count = 0;
  private readonly groups: TotalGroup[] = [];
  private readonly groupNumbers = new Map<string, number>();
  /** Keys that are no UUIDs. */
  private readonly textKeys = new Map<number, string>();
  private readonly asideAmounts = new Map<number, Decimal | null>();
  private readonly errors = new Map<number, string>();
  /** One text for the many records that share it. */
  private readonly errorTexts = new Map<string, string>();

  get length(): number {
    return this.count;
  }

  /** The one object that stands for a group, so that totals can tell groups apart by reference. */
  group(type: string, currency: string | null, costCenter: string | null): TotalGroup {
    return this.groups[this.groupNumber({ type, currency, costCenter })] as TotalGroup;
  }

  addInvalid(place: Place, type: string, error: string): number {
    const index = this.place(place);
    this.page(index).group[index & PAGE_MASK] = this.groupNumber({ type, currency: null, costCenter: null });
    this.setError(index, error);
    return index;
  }

  addValid(entry: ValidEntry): number {
    const index = this.place(entry);
    const page = this.page(index);
    const at = index & PAGE_MASK;
    page.group[at] = this.groupNumber(entry.group);
    page.status[at] = STATUS_NUMBER.get('pending') as number;
    page.keySource[at] = KEY_SOURCES.indexOf(entry.keySource);
    page.bodyHash.write(entry.bodyHash, at * HASH_BYTES, 'hex');
    this.setAmount(index, entry.amount);
    this.setKey(index, entry.key);
    if (entry.content !== null) (page.content ??= Buffer.alloc(PAGE_SIZE * KEY_BYTES)).set(entry.content, at * KEY_BYTES);
    if (entry.likeness !== null) (page.likeness ??= Buffer.alloc(PAGE_SIZE * KEY_BYTES)).set(entry.likeness, at * KEY_BYTES);
    return index;
  }

  placeOf(index: number): Place {
    const page = this.page(index);
    const at = index & PAGE_MASK;
    return { file: page.file[at] ?? 0, record: page.record[at] ?? 0, line: page.line[at] || null };
  }

  fileOf(index: number): number {
    return this.page(index).file[index & PAGE_MASK] ?? 0;
  }

  groupOf(index: number): TotalGroup {
    return this.groups[this.page(index).group[index & PAGE_MASK] ?? 0] as TotalGroup;
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
    const at = (index & PAGE_MASK) * KEY_BYTES;
    const hex = this.page(index).key.toString('hex', at, at + KEY_BYTES);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  setKey(index: number, key: string): void {
    if (!UUID.test(key)) {
      this.textKeys.set(index, key);
      return;
    }
    this.textKeys.delete(index);
    this.page(index).key.write(key.replaceAll('-', ''), (index & PAGE_MASK) * KEY_BYTES, 'hex');
  }

  /** Whether the entry's key is a UUID of these 16 bytes. */
  hasKeyBytes(index: number, bytes: Buffer): boolean {
    const at = (index & PAGE_MASK) * KEY_BYTES;
    return this.page(index).key.compare(bytes, 0, KEY_BYTES, at, at + KEY_BYTES) === 0 && !this.textKeys.has(index);
  }

  keySource(index: number): KeySource {
    return KEY_SOURCES[this.page(index).keySource[index & PAGE_MASK] ?? 0] as KeySource;
  }

  bodyHash(index: number): string {
    const at = (index & PAGE_MASK) * HASH_BYTES;
    return this.page(index).bodyHash.toString('hex', at, at + HASH_BYTES);
  }

  content(index: number): Uint8Array {
    return sixteen(this.page(index).content, index);
  }

  likeness(index: number): Uint8Array {
    return sixteen(this.page(index).likeness, index);
  }

  /** Null when there is no known price. */
  amount(index: number): Decimal | null {
    const page = this.page(index);
    const at = index & PAGE_MASK;
    if (page.scale[at] === ASIDE) return this.asideAmounts.get(index) ?? null;
    return { units: BigInt(page.units[at] ?? 0), scale: page.scale[at] ?? 0 };
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
    const page = this.page(index);
    const at = index & PAGE_MASK;
    page.file[at] = file;
    page.record[at] = record;
    page.line[at] = line ?? 0;
    return index;
  }

  private page(index: number): Page {
    return this.pages[index >> PAGE_BITS] as Page;
  }

  private setAmount(index: number, amount: Decimal | null): void {
    const page = this.page(index);
    const at = index & PAGE_MASK;
    const units = amount === null ? Number.NaN : Number(amount.units);
    if (amount !== null && amount.scale < ASIDE && Number.isSafeInteger(units)) {
      page.units[at] = units;
      page.scale[at] = amount.scale;
      return;
    }
    page.scale[at] = ASIDE;
    this.asideAmounts.set(index, amount === null ? null : parseDecimal(formatDecimal(amount)));
  }

  private groupNumber(group: TotalGroup): number {
    const name = `${group.type}\n${group.currency ?? '\u0000'}\n${group.costCenter ?? '\u0000'}`;
    let number = this.groupNumbers.get(name);
    if (number === undefined) {
      number = this.groups.push(group) - 1;
      this.groupNumbers.set(name, number);
    }
    return number;
  }
}

function sixteen(bytes: Buffer | null, index: number): Uint8Array {
  const at = (index & PAGE_MASK) * KEY_BYTES;
  return bytes === null ? new Uint8Array(KEY_BYTES) : bytes.subarray(at, at + KEY_BYTES);
}

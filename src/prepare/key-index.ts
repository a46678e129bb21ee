/** Gives each record of a run its key, and finds records by their keys. */
import { KEY_COLUMN } from '../input/result-columns.js';
import { hashOfWords, type RecordKey } from '../keys/record-key.js';
import { error, type Finding, positionText, warning } from '../records/issue.js';
import type { ValidRecord } from './valid-record.js';
import type { RecordTable } from './record-table.js';
import type { RecordPosition } from './paged-arrays.js';

/** An open-addressing table of entries; the keys themselves are in the entries. */
export class KeyIndex {
  private readonly entries: RecordTable;
  /**
   * One word for each slot, 0 if it is free. Its lower bits are the entry, counted from 1. The bits above are the lowest
   * of the key's hash, which rule out nearly all wrong entries. A second word for the whole hash would take eight
   * megabytes more for a million records.
   */
  private slots = new Int32Array(1 << 12);
  private readonly textKeys = new Map<string, number>();
  /** The last key that was looked up, and its slot or the free slot for it. */
  private looked: RecordKey | null = null;
  private lookedAt = 0;

  constructor(entries: RecordTable) {
    this.entries = entries;
  }

  /** The first entry that was added with this key, or null. */
  find(key: RecordKey): number | null {
    if (key.other !== null) return this.textKeys.get(key.other) ?? null;
    this.looked = key;
    this.lookedAt = this.slot(key);
    const found = this.slots[this.lookedAt] as number;
    return found === 0 ? null : entryIn(found, this.slots);
  }

  /** Adds an entry whose key is not in the index yet. */
  add(key: RecordKey, index: number): void {
    if (key.other !== null) {
      this.textKeys.set(key.other, index);
      return;
    }
    while (index >= mostEntries(this.slots)) this.grow();
    // Most keys are added right after they were looked up: then their slot is known.
    const at = this.looked === key ? this.lookedAt : this.slot(key);
    this.looked = null;
    this.slots[at] = hashBits(hashOf(key), this.slots) | (index + 1);
  }

  /** The slot of a key, or the free one for it. */
  private slot(key: RecordKey): number {
    const { slots, entries } = this;
    const hash = hashOf(key);
    const bits = hashBits(hash, slots);
    const entryBits = mostEntries(slots);
    for (let at = home(hash, slots); ; at = next(at, slots)) {
      const found = slots[at] as number;
      if (found === 0) return at;
      if (((found ^ bits) & ~entryBits) === 0 && entries.hasUuid(entryIn(found, slots), key)) return at;
    }
  }

  private grow(): void {
    const { slots, entries } = this;
    this.slots = new Int32Array(slots.length * 2);
    this.looked = null;
    for (const word of slots) {
      if (word === 0) continue;
      const index = entryIn(word, slots);
      const hash = entries.uuidHash(index);
      let at = home(hash, this.slots);
      while (this.slots[at] !== 0) at = next(at, this.slots);
      this.slots[at] = hashBits(hash, this.slots) | (index + 1);
    }
  }
}

function hashOf({ first, second, third, fourth }: RecordKey): number {
  return hashOfWords(first, second, third, fourth);
}

/** Half as many as slots: beyond that, look-ups become slow. It is the mask of a word's bits for its entry, too. */
function mostEntries(slots: Int32Array): number {
  return slots.length / 2 - 1;
}

function entryIn(word: number, slots: Int32Array): number {
  return (word & mostEntries(slots)) - 1;
}

/** The lowest bits of a hash, at their place in a word. */
function hashBits(hash: number, slots: Int32Array): number {
  return hash << (30 - Math.clz32(slots.length));
}

/** The first slot to try for a key: the upper bits of its hash, as many as the table needs. */
function home(hash: number, slots: Int32Array): number {
  return hash >>> (Math.clz32(slots.length) + 1);
}

function next(at: number, slots: Int32Array): number {
  return (at + 1) & (slots.length - 1);
}

export interface KeyAssignment {
  readonly key: RecordKey;
  /** Entry that has this key already, or null. Both are then invalid. */
  readonly duplicateOf: number | null;
  /** Set when the record equals an earlier one of its file. */
  readonly identical: Finding | null;
}

/**
 * The record's key. To be called in the order of the input, with each record in the index before the next call.
 * @param key that the record has when no other record is identical to it
 */
export type KeyAssigner = (content: ValidRecord, key: RecordKey, place: RecordPosition) => KeyAssignment;

/**
 * A key computed from content counts the identical records of its file, so that two identical rows are two records. In
 * two files of one run they share a key, because nobody can tell whether the same row was exported twice.
 */
export function createKeyAssigner(batchId: string, entries: RecordTable, index: KeyIndex): KeyAssigner {
  /** How many records of a file had this content; kept only for content that the run has met more than once. */
  const counts = new Map<string, number>();
  /** By file and content: the first row that corrects a payment. Two of them may be the same, under different keys. */
  const corrected = new Map<string, RecordPosition>();

  return (content, key, place) => {
    const found = index.find(key);
    if (content.parts.keySource === 'replaces' || content.parts.keySource === 'rejected') {
      const name = `${place.file}:${content.parts.text.without}`;
      const earlier = corrected.get(name);
      if (earlier === undefined) corrected.set(name, place);
      return { key, duplicateOf: found, identical: earlier === undefined ? null : identicalTo(earlier, place) };
    }
    if (content.parts.keySource !== 'content' || found === null) return { key, duplicateOf: found, identical: null };
    const name = `${place.file}:${key.text}`;
    const isCounted = ['content', 'rejected'].includes(entries.keySource(found));
    const inThisFile = entries.fileOf(found) === place.file && isCounted ? 1 : 0;
    const ordinal = (counts.get(name) ?? inThisFile) + 1;
    counts.set(name, ordinal);
    if (ordinal === 1) return { key, duplicateOf: found, identical: null };
    const ordinalKey = content.keyOf(batchId, ordinal);
    return {
      key: ordinalKey,
      duplicateOf: index.find(ordinalKey),
      identical: identicalTo(entries.placeOf(found), place),
    };
  };
}

function identicalTo(earlier: RecordPosition, place: RecordPosition): Finding {
  const where = earlier.file === place.file ? positionText(earlier) : 'another file';
  const message = `Same as ${where}. Both are in the file, so they count as two: delete one if it is a mistake`;
  return warning('identical-rows', null, message);
}

/**
 * The finding for a record whose key another record has.
 * @param where the other record's place
 * @param own the key comes from the file and was not computed
 */
export function duplicateKey(key: string, where: string, own: boolean): Finding {
  const message = own
    ? `${where} has the same idempotency_key. Each record needs a different one`
    : `${where} has the same key. If they are one payment, remove one row. If they are two, give each an idempotency_key`;
  return error('duplicate-key', 'idempotency_key', message, key);
}

/** The finding for a record that replaces the same payment as another record. @param where the other record's place */
export function replacedTwice(key: string, where: string): Finding {
  const message = `${where} has the same ${KEY_COLUMN}. One row corrects one payment: keep the right row, and remove the other`;
  return error('duplicate-key', KEY_COLUMN, message, key);
}

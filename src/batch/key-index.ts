/** Finds a run's record by its key: an open-addressing table of entry numbers over the keys that the entries hold. */
import { hashOfWords, type RecordKey } from '../keys/record-key.js';
import type { Entries } from './entries.js';

export class KeyIndex {
  private readonly entries: Entries;
  /**
   * Each slot holds an entry's number + 1 in the lower bits (0 is free), and a mark from its key above them. The mark
   * rules out most wrong entries, so a look-up costs one place in memory instead of several.
   */
  private slots = new Uint32Array(1 << 12);
  private used = 0;
  private readonly textKeys = new Map<string, number>();
  /** The key that was looked for last, and the place where it is or would go. */
  private looked: RecordKey | null = null;
  private lookedAt = 0;

  constructor(entries: Entries) {
    this.entries = entries;
  }

  /** The first entry that was added with this key, or null. */
  find(key: RecordKey): number | null {
    if (key.other !== null) return this.textKeys.get(key.other) ?? null;
    this.looked = key;
    this.lookedAt = this.slot(key);
    const found = this.slots[this.lookedAt] as number;
    return found === 0 ? null : entryIn(found);
  }

  /** Adds an entry whose key is not in the index yet. */
  add(key: RecordKey, index: number): void {
    if (key.other !== null) {
      this.textKeys.set(key.other, index);
      return;
    }
    if (index >= MOST_ENTRIES) throw new RangeError(`a run holds at most ${MOST_ENTRIES} records; split the input`);
    // Most keys are added right after they were looked for: then their place is known.
    const at = this.looked === key ? this.lookedAt : this.slot(key);
    this.looked = null;
    this.slots[at] = mark(key) + index + 1;
    // Half full at most: beyond that, look-ups grow long.
    if (++this.used * 2 > this.slots.length) this.grow();
  }

  /** Where a key is, or would go. */
  private slot(key: RecordKey): number {
    const { slots } = this;
    const marked = mark(key);
    for (let at = home(hashOf(key), slots); ; at = next(at, slots)) {
      const found = slots[at] as number;
      if (found === 0 || (found - (found % MARK) === marked && this.entries.hasUuid(entryIn(found), key))) return at;
    }
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2);
    for (const found of this.slots) {
      if (found === 0) continue;
      let at = home(this.entries.keyHash(entryIn(found)), larger);
      while (larger[at] !== 0) at = next(at, larger);
      larger[at] = found;
    }
    this.slots = larger;
  }
}

/** The lowest bit of a mark, which has four bits. */
const MARK = 2 ** 28;
const MOST_ENTRIES = MARK - 1;

function mark({ second }: RecordKey): number {
  return (second & 0xf) * MARK;
}

function entryIn(slot: number): number {
  return (slot % MARK) - 1;
}

function hashOf({ first, second, third, fourth }: RecordKey): number {
  return hashOfWords(first, second, third, fourth);
}

/** Where a key is looked for first: the upper bits of its hash, as many as the number of slots needs. */
function home(hash: number, slots: Uint32Array): number {
  return hash >>> Math.clz32(slots.length - 1);
}

function next(at: number, slots: Uint32Array): number {
  return (at + 1) & (slots.length - 1);
}

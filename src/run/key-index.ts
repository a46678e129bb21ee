/** Finds a run's record by its key: an open-addressing table of entry numbers over the keys that the entries hold. */
import type { RecordKey } from '../keys/record-key.js';
import type { Entries } from './entries.js';

export class KeyIndex {
  private readonly entries: Entries;
  /**
   * Pairs: the key's first word, and its entry's number + 1; 0 is free. With the word beside it, hardly any entry is
   * looked at that is not the one.
   */
  private slots = new Int32Array(1 << 13);
  private used = 0;
  private readonly textKeys = new Map<string, number>();
  /** The key that was looked for last, and the place where it is or would go. */
  private looked: RecordKey | null = null;
  private lookedAt = 0;
  /** What was read ahead: nobody asks for it, but what comes to nothing the compiler leaves out. */
  private ahead = 0;

  constructor(entries: Entries) {
    this.entries = entries;
  }

  /** The first entry that was added with this key, or null. */
  find(key: RecordKey): number | null {
    if (key.other !== null) return this.textKeys.get(key.other) ?? null;
    this.looked = key;
    this.lookedAt = this.slot(key);
    const found = this.slots[this.lookedAt + 1] as number;
    return found === 0 ? null : found - 1;
  }

  /**
   * Reads the places of keys that are about to be looked for: the processor then waits for all of them at once, and not
   * for one after the other. That is a thirtieth of the time of a dry run of a million records.
   */
  readAhead(keys: readonly (RecordKey | null)[]): void {
    const { slots } = this;
    for (const key of keys) if (key !== null) this.ahead ^= slots[home(key.first, slots)] as number;
  }

  /** Adds an entry whose key is not in the index yet. */
  add(key: RecordKey, index: number): void {
    if (key.other !== null) {
      this.textKeys.set(key.other, index);
      return;
    }
    // Most keys are added right after they were looked for: then their place is known.
    const at = this.looked === key ? this.lookedAt : this.slot(key);
    this.looked = null;
    this.slots[at] = key.first;
    this.slots[at + 1] = index + 1;
    // Half full at most: beyond that, look-ups grow long.
    if (++this.used * 4 > this.slots.length) this.grow();
  }

  /** Where a key is, or would go. */
  private slot(key: RecordKey): number {
    const { slots } = this;
    for (let at = home(key.first, slots); ; at = next(at, slots)) {
      const found = slots[at + 1] as number;
      if (found === 0 || (slots[at] === key.first && this.entries.hasUuid(found - 1, key))) return at;
    }
  }

  private grow(): void {
    const { slots } = this;
    const larger = new Int32Array(slots.length * 2);
    for (let from = 0; from < slots.length; from += 2) {
      const found = slots[from + 1] as number;
      if (found === 0) continue;
      const word = slots[from] as number;
      let at = home(word, larger);
      while (larger[at + 1] !== 0) at = next(at, larger);
      larger[at] = word;
      larger[at + 1] = found;
    }
    this.slots = larger;
  }
}

/** Where a key's pair is looked for first. Computed keys are hashes, so any of their bits will do. */
function home(word: number, slots: Int32Array): number {
  return (word << 1) & (slots.length - 1);
}

function next(at: number, slots: Int32Array): number {
  return (at + 2) & (slots.length - 1);
}

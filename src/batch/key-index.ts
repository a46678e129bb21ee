/** Finds a run's record by its key: an open-addressing table of entries over the keys that the entries hold. */
import { hashOfWords, type RecordKey } from '../keys/record-key.js';
import type { Entries } from './entries.js';

export class KeyIndex {
  private readonly entries: Entries;
  /** Entries, counted from 1; 0 is free. */
  private slots = new Uint32Array(1 << 12);
  /** The hashes of their keys: they rule out nearly all wrong entries, and the table grows without a look at the keys. */
  private hashes = new Uint32Array(1 << 12);
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
    this.lookedAt = this.slot(key, hashOf(key));
    const found = this.slots[this.lookedAt] as number;
    return found === 0 ? null : found - 1;
  }

  /** Adds an entry whose key is not in the index yet. */
  add(key: RecordKey, index: number): void {
    if (key.other !== null) {
      this.textKeys.set(key.other, index);
      return;
    }
    const hash = hashOf(key);
    // Most keys are added right after they were looked for: then their place is known.
    const at = this.looked === key ? this.lookedAt : this.slot(key, hash);
    this.looked = null;
    this.slots[at] = index + 1;
    this.hashes[at] = hash;
    // Half full at most: beyond that, look-ups grow long.
    if (++this.used * 2 > this.slots.length) this.grow();
  }

  /** Where a key is, or would go. */
  private slot(key: RecordKey, hash: number): number {
    const { slots, hashes, entries } = this;
    for (let at = home(hash, slots); ; at = next(at, slots)) {
      const found = slots[at] as number;
      if (found === 0 || (hashes[at] === hash && entries.hasUuid(found - 1, key))) return at;
    }
  }

  private grow(): void {
    const { slots, hashes } = this;
    this.slots = new Uint32Array(slots.length * 2);
    this.hashes = new Uint32Array(slots.length * 2);
    for (let from = 0; from < slots.length; from++) {
      if (slots[from] === 0) continue;
      const hash = hashes[from] as number;
      let at = home(hash, this.slots);
      while (this.slots[at] !== 0) at = next(at, this.slots);
      this.slots[at] = slots[from] as number;
      this.hashes[at] = hash;
    }
  }
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

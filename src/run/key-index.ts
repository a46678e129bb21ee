/** Finds a run's record by its key: an open-addressing table of entry numbers over the keys that the entries hold. */
import type { Entries } from './entries.js';
import { parseUuid, UUID_WORDS } from './uuid.js';

export class KeyIndex {
  private readonly entries: Entries;
  /** Entry number + 1; 0 is free. */
  private slots = new Uint32Array(1 << 12);
  private used = 0;
  private readonly textKeys = new Map<string, number>();
  /** The key that was looked for last, and the place where it is or would go. */
  private readonly looked = { key: '', at: 0 };
  /** The words of the key that is looked for. */
  private readonly words = new Uint32Array(UUID_WORDS);

  constructor(entries: Entries) {
    this.entries = entries;
  }

  /** The first entry that was added with this key, or null. */
  find(key: string): number | null {
    if (!parseUuid(key, this.words, 0)) return this.textKeys.get(key) ?? null;
    const at = this.slot(this.slots);
    this.looked.key = key;
    this.looked.at = at;
    const found = this.slots[at] ?? 0;
    return found === 0 ? null : found - 1;
  }

  /** Adds an entry whose key is not in the index yet. */
  add(key: string, index: number): void {
    if (!parseUuid(key, this.words, 0)) {
      this.textKeys.set(key, index);
      return;
    }
    // Most keys are added right after they were looked for: then their place is known.
    const at = this.looked.key === key ? this.looked.at : this.slot(this.slots);
    this.looked.key = '';
    this.slots[at] = index + 1;
    // Half full at most: beyond that, look-ups grow long.
    if (++this.used * 2 > this.slots.length) this.grow();
  }

  /** Where the key that is looked for is, or would go. */
  private slot(slots: Uint32Array): number {
    const mask = slots.length - 1;
    // Computed keys are hashes, so any of their bits will do.
    for (let at = (this.words[0] ?? 0) & mask; ; at = (at + 1) & mask) {
      const found = slots[at] ?? 0;
      if (found === 0 || this.entries.hasKeyWords(found - 1, this.words)) return at;
    }
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2);
    for (const found of this.slots) {
      if (found === 0) continue;
      this.entries.readKeyWords(found - 1, this.words);
      larger[this.slot(larger)] = found;
    }
    this.slots = larger;
  }
}

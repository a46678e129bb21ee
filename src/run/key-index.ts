/** Finds a run's record by its key: an open-addressing table of entry numbers over the keys that the entries hold. */
import type { Entries } from './entries.js';

const UUID_LENGTH = 36;

export class KeyIndex {
  private readonly entries: Entries;
  /** Entry number + 1; 0 is free. */
  private slots = new Uint32Array(1 << 12);
  private used = 0;
  private readonly textKeys = new Map<string, number>();
  private readonly bytes = Buffer.alloc(16);

  constructor(entries: Entries) {
    this.entries = entries;
  }

  /** The first entry that was added with this key, or null. */
  find(key: string): number | null {
    if (!this.load(key)) return this.textKeys.get(key) ?? null;
    const found = this.slots[this.slot(this.slots)] ?? 0;
    return found === 0 ? null : found - 1;
  }

  /** Adds an entry whose key is not in the index yet. */
  add(key: string, index: number): void {
    if (!this.load(key)) {
      this.textKeys.set(key, index);
      return;
    }
    this.slots[this.slot(this.slots)] = index + 1;
    // Half full at most: beyond that, look-ups grow long.
    if (++this.used * 2 > this.slots.length) this.grow();
  }

  /** Puts the key's bytes in place; false when it is no UUID in its usual writing. */
  private load(key: string): boolean {
    if (key.length !== UUID_LENGTH || key.charAt(8) !== '-' || key !== key.toLowerCase()) return false;
    const hex = key.replaceAll('-', '');
    return hex.length === 32 && this.bytes.write(hex, 0, 'hex') === 16;
  }

  /** Where the loaded key is, or would go. */
  private slot(slots: Uint32Array): number {
    const mask = slots.length - 1;
    for (let at = this.bytes.readUInt32LE(0) & mask; ; at = (at + 1) & mask) {
      const found = slots[at] ?? 0;
      if (found === 0 || this.entries.hasKeyBytes(found - 1, this.bytes)) return at;
    }
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2);
    for (const found of this.slots) {
      if (found === 0) continue;
      this.load(this.entries.keyText(found - 1));
      larger[this.slot(larger)] = found;
    }
    this.slots = larger;
  }
}

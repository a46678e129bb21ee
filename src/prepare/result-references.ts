/** The references of payouts that may name a gig result: an entry and a hash for each, 12 bytes. */
import { TextHash } from '../keys/fingerprint.js';

const referenceHasher = new TextHash();

export class ResultReferences {
  private readonly entries: number[] = [];
  private readonly hashes: number[] = [];

  add(entry: number, reference: string): void {
    this.entries.push(entry);
    this.hashes.push(referenceHash(reference));
  }

  /** The hashes of the references of entries that are wanted, for {@link isAmong}. */
  sortedHashes(isWanted: (entry: number) => boolean): Float64Array {
    return Float64Array.from(this.hashes.filter((_hash, i) => isWanted(this.entries[i] as number))).sort();
  }

  /** The entries with one of these hashes. */
  *entriesWith(hashes: { has(hash: number): boolean }): Iterable<readonly [entry: number, hash: number]> {
    for (let i = 0; i < this.hashes.length; i++) {
      const found = this.hashes[i] as number;
      if (hashes.has(found)) yield [this.entries[i] as number, found];
    }
  }
}

/** A sorted list of so many hashes is made in a fraction of the time of a set. */
export function isAmong(sorted: Float64Array, wanted: number): boolean {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
}

/** Of 47 bits: two references that share theirs by chance cause at most a warning too many. */
export function referenceHash(reference: string): number {
  return referenceHasher.start().addText(reference).wide();
}

/**
 * The reference of a payout, if it may be the id of a result: no type is named, or none of another record.
 * @param valueOf a field of the payout; null if it has none
 */
export function resultReference(valueOf: (name: string) => unknown): string | null {
  const reference = valueOf('reference_id');
  if (typeof reference !== 'string' || reference === '') return null;
  const type = valueOf('reference_type');
  return typeof type === 'string' && OTHER_TYPE.test(type) ? null : reference;
}

/** A gig, a task of one, or a payout, in any spelling. The service shows one name of a type, `Gig`. */
const OTHER_TYPE = /^[\s_-]*(?:(?:gig[\s_-]*)?tasks?|gigs?|payouts?)[\s_-]*$/i;

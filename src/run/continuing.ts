/** Going on with an earlier run: which one it is, and how its records and the input's belong together. */
import type { Journal, StoredRun } from '../journal/journal.js';
import { startDigest } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { Entries } from './entries.js';

/** The digest over the valid records, in input order. */
export function digestOf(target: string, entries: Entries): string {
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, entries.bodyHash(index));
  }
  return digest.finish();
}

export interface Continued {
  readonly run: StoredRun;
  /** Entry → place in the stored run. */
  readonly storedIndex: (index: number) => number;
  /** Place in the stored run → entry, or null for a record that was invalid then. */
  readonly entryIndex: (stored: number) => number | null;
}

/**
 * Pairs the valid records of the input with those of the stored run. They agree one by one, since the digests do; their
 * places differ where invalid records came or went. Records that are paid again get the keys of the stored run.
 */
export function pairWithRun(run: StoredRun, journal: Journal, entries: Entries): Continued {
  const stored = new Uint32Array(entries.length);
  let shifted = false;
  let index = 0;
  for (const { index: place, key } of journal.keys(run)) {
    while (index < entries.length && !entries.isValid(index)) index++;
    if (index >= entries.length) break;
    stored[index] = place;
    shifted ||= place !== index;
    if (run.payAgain !== null) entries.setKey(index, RecordKey.of(key));
    index++;
  }
  const storedIndex = (entry: number): number => stored[entry] ?? entry;
  if (!shifted) return { run, storedIndex, entryIndex: (place) => (place < entries.length ? place : null) };
  const entryOf = new Map<number, number>();
  for (let entry = 0; entry < entries.length; entry++)
    if (entries.isValid(entry)) entryOf.set(storedIndex(entry), entry);
  return { run, storedIndex, entryIndex: (place) => entryOf.get(place) ?? null };
}

/** The run paired with itself. */
export function continuedAsIs(run: StoredRun): Continued {
  return { run, storedIndex: (index) => index, entryIndex: (stored) => stored };
}

/**
 * Takes over what the continued run has created already.
 * @param resumed from the journal alone: what its gate left out in doubt stays left out, since nobody decides it again
 */
export function adoptOutcomes(
  { run, entryIndex }: Continued,
  journal: Journal,
  entries: Entries,
  resumed: boolean,
): void {
  for (const { index, outcome } of journal.outcomes(run)) {
    const entry = entryIndex(index);
    if (entry === null || !entries.isValid(entry)) continue;
    if (outcome.state === 'created' || outcome.state === 'already_created') entries.setStatus(entry, 'already_created');
    else if (resumed && outcome.state === 'left_unknown') entries.setStatus(entry, 'unknown');
  }
}

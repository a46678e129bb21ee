/** Going on with an earlier run: the digest that finds it, and how its records and the input's are paired. */
import type { Journal, StoredRun } from '../journal/journal.js';
import { startDigest } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { Entries, Status } from '../batch/table.js';

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
  /** Entries that got the key of the stored run, with the key that they had before. */
  readonly rekeyed: ReadonlyMap<number, string>;
}

/**
 * Pairs the valid records of the input with those of the stored run. They agree one by one, because the digests are
 * equal; their places differ where invalid records came or went. Records that are paid again get the stored run's keys.
 */
export function pairWithRun(run: StoredRun, journal: Journal, entries: Entries): Continued {
  const stored = new Uint32Array(entries.length);
  const rekeyed = new Map<number, string>();
  let shifted = false;
  let index = 0;
  for (const { index: place, key } of journal.keys(run)) {
    while (index < entries.length && !entries.isValid(index)) index++;
    if (index >= entries.length) break;
    stored[index] = place;
    shifted ||= place !== index;
    if (run.payAgain !== null && entries.key(index) !== key) {
      rekeyed.set(index, entries.key(index) as string);
      entries.setKey(index, RecordKey.of(key));
    }
    index++;
  }
  const storedIndex = (entry: number): number => stored[entry] ?? entry;
  if (!shifted) return { run, storedIndex, entryIndex: (place) => (place < entries.length ? place : null), rekeyed };
  const entryOf = new Map<number, number>();
  for (let entry = 0; entry < entries.length; entry++)
    if (entries.isValid(entry)) entryOf.set(storedIndex(entry), entry);
  return { run, storedIndex, entryIndex: (place) => entryOf.get(place) ?? null, rekeyed };
}

/** Pairs a run with entries that are its records, at the same places. The run may have invalid records after them. */
export function continuedAsIs(run: StoredRun, entries: Entries): Continued {
  const { length } = entries;
  const entryIndex = (stored: number): number | null => (stored < length ? stored : null);
  return { run, storedIndex: (index) => index, entryIndex, rekeyed: new Map() };
}

/** Undoes what going on with a run changed in the entries: it may not be the run that goes on after all. */
export function takeBack(continued: Continued | null, entries: Entries): void {
  if (continued === null) return;
  for (const [index, key] of continued.rekeyed) entries.setKey(index, RecordKey.of(key));
  for (let index = 0; index < entries.length; index++) if (entries.isValid(index)) entries.setStatus(index, 'pending');
}

/**
 * Marks the entries that the continued run has created already.
 * @param resumed from the journal alone: records left out in doubt stay left out, since nobody decides about them again
 */
export function adoptOutcomes(
  { run, entryIndex }: Continued,
  journal: Journal,
  entries: Entries,
  resumed: boolean,
): void {
  const adopt = (index: number, status: Status): void => {
    const entry = entryIndex(index);
    if (entry !== null && entries.isValid(entry)) entries.setStatus(entry, status);
  };
  for (const index of journal.created(run)) adopt(index, 'already_created');
  if (!resumed) return;
  for (const { index, outcome } of journal.outcomes(run)) {
    if (outcome.state === 'left_unknown') adopt(index, 'unknown');
  }
}

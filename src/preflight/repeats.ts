/** Records of this run that the target's history knows already. CONTRACT: "Keys and repeats". */
import type { History, HistoryMatch } from '../journal/history.js';
import type { Outcome, StoredState } from '../journal/record.js';
import type { Finding } from '../records/issue.js';
import { contentBytes, likenessBytes } from '../batch/journal-hashes.js';
import type { Entries } from '../batch/table.js';
import { keyConflict, repeatFinding } from './repeat-words.js';

export type RepeatCode = 'created-before' | 'same-content' | 'similar-record';

export interface Repeat {
  readonly index: number;
  readonly code: RepeatCode;
  readonly match: HistoryMatch;
  /** False when the match is in another batch than the named one: then the repeat is only a warning. */
  readonly counts: boolean;
  /** The record may have been created under its own key: if it is sent all the same, it keeps that key. */
  readonly inDoubt: boolean;
  /** A rejected record of the same content whose key the input does not have: this record may be that one. */
  readonly rejected: HistoryMatch | null;
}

/** A repeat as it is found. */
type Found = Omit<Repeat, 'rejected'>;

export interface Comparison {
  readonly repeats: readonly Repeat[];
  /** Entries whose key another run has in doubt, with what is known there; null while it is under way or waiting. */
  readonly inDoubt: readonly { readonly index: number; readonly outcome: Outcome | null }[];
  /** Entries whose key was rejected in another run. */
  readonly rejected: readonly number[];
  /**
   * Records that the history makes invalid: their key was sent, or may have been sent, with other content. Under
   * `--strict` also repeats of records in another batch than the named one.
   */
  readonly conflicts: readonly { readonly index: number; readonly finding: Finding }[];
}

export interface CompareOptions {
  readonly batchId: string;
  /** The batch was named: records of other batches only warn. */
  readonly batchNamed: boolean;
  /** A repeat in another batch than the named one makes its record invalid. */
  readonly strict: boolean;
  /**
   * Entries that are invalid for that. Each still uses up the earlier record that it repeats, so that no other input
   * record is refused because of it.
   */
  readonly refused: ReadonlySet<number>;
  /** Entries to leave out: settled in the run that is continued. */
  readonly skip: (index: number) => boolean;
  /** What the run that is continued knows of a record; null where it knows nothing. */
  readonly stored: (index: number) => StoredState | null;
  /** Whether the run that is continued left a record out when it went on, and not at its gate. */
  readonly leftOutSince: (index: number) => boolean;
  /** Whether a record of the input has this key. */
  readonly isInInput: (key: string) => boolean;
  /** The hash of the body that would be sent. */
  readonly bodyHash: (index: number) => string;
  /** Matches up to this moment of the journal were decided about when the run passed its gate; 0 for none. */
  readonly decidedUntil: number;
}

/** Where there is nothing to compare with. */
export const NOTHING_KNOWN: Comparison = { repeats: [], inDoubt: [], rejected: [], conflicts: [] };

/** Compares every valid entry with the records of all other runs at the target. */
export function compareWithHistory(entries: Entries, history: History, options: CompareOptions): Comparison {
  if (history.isEmpty) return NOTHING_KNOWN;
  return new Comparing(entries, history, options).compare();
}

/** The history's records of one content: each of them stands for one record of the input at most. */
interface KnownContent {
  /** Records under keys that the input does not have, the oldest first. A record that stands for one is taken out. */
  readonly matches: HistoryMatch[];
  /** Records that were decided about when the run passed its gate: they stand only for records left out there. */
  readonly decided: HistoryMatch[];
}

class Comparing {
  private readonly entries: Entries;
  private readonly history: History;
  private readonly options: CompareOptions;
  private readonly contents: ReadonlyMap<string, KnownContent>;
  /** By content: the history is asked once for each. */
  private readonly rejectedTwins = new Map<string, HistoryMatch | null>();

  constructor(entries: Entries, history: History, options: CompareOptions) {
    this.entries = entries;
    this.history = history;
    this.options = options;
    this.contents = this.knownContents();
  }

  compare(): Comparison {
    const { entries, history, options } = this;
    const repeats: Repeat[] = [];
    const conflicts: { index: number; finding: Finding }[] = [];
    const inDoubt: { index: number; outcome: Outcome | null }[] = [];
    const rejected: number[] = [];
    const add = (repeat: Found | null): void => {
      if (repeat === null || options.refused.has(repeat.index)) return;
      // Under `--strict` the warning is an error, and makes its record invalid as any other would.
      if (!repeat.counts && options.strict)
        conflicts.push({ index: repeat.index, finding: { ...repeatFinding(repeat, false), severity: 'error' } });
      else repeats.push({ ...repeat, rejected: this.rejectedTwin(repeat) });
    };
    // Settled records take their counterpart in the history first; only then may other records take one.
    for (let index = 0; index < entries.length; index++)
      if (entries.isValid(index) && options.skip(index)) this.standsFor(index);
    for (let index = 0; index < entries.length; index++) {
      if (!this.isCompared(index) || (entries.isValid(index) && options.skip(index))) continue;
      const key = entries.keyText(index);
      const byKey = history.byKey(key);
      const hasKnownBody = byKey?.bodyHash === options.bodyHash(index);
      if (byKey === null) {
        if (history.wasRejected(key)) rejected.push(index);
        add(this.otherKey(index));
      } else if (!hasKnownBody && options.refused.has(index)) continue;
      else if (!hasKnownBody) conflicts.push({ index, finding: keyConflict(key, byKey) });
      // Also from another batch: the same key is the same payment. The service would ignore it, or, once it has
      // forgotten the key, pay twice.
      else if (byKey.state === 'created')
        add({ index, code: 'created-before', match: byKey, counts: true, inDoubt: false });
      else inDoubt.push({ index, outcome: byKey.state === 'unknown' ? byKey.outcome : null });
    }
    // A created record is matched first to input records whose own key was never sent, and only now to those in doubt.
    for (const { index } of inDoubt) add(this.besideDoubt(index));
    if (inDoubt.length > 0) repeats.sort((one, other) => one.index - other.index);
    return { repeats, inDoubt, rejected, conflicts };
  }

  private isCompared(index: number): boolean {
    return this.entries.isValid(index) || this.options.refused.has(index);
  }

  private otherKey(index: number): Found | null {
    const same = this.matchFor(index);
    if (same !== null && this.isInBatch(same))
      return { index, code: 'same-content', match: same, counts: true, inDoubt: false };
    const similar = this.similarTo(index, () => true);
    const counts = similar !== null && this.isInBatch(similar);
    // A record of the same content in another batch only warns, and must not hide a similar record in this batch.
    if (same !== null && !counts) return { index, code: 'same-content', match: same, counts: false, inDoubt: false };
    return similar === null ? null : { index, code: 'similar-record', match: similar, counts, inDoubt: false };
  }

  /**
   * A key in doubt is no repeat: sending it again, with the same bytes, settles the doubt. But a created record that no
   * other input record accounts for may have been made in its place.
   */
  private besideDoubt(index: number): Found | null {
    const isCreated = ({ state }: HistoryMatch): boolean => state === 'created';
    const same = this.take(index, isCreated);
    if (same !== null) return { index, code: 'same-content', match: same, counts: this.isInBatch(same), inDoubt: true };
    const similar = this.similarTo(index, (match) => isCreated(match) && !this.options.isInInput(match.key));
    if (similar === null) return null;
    return { index, code: 'similar-record', match: similar, counts: this.isInBatch(similar), inDoubt: true };
  }

  /**
   * Takes out the counterpart of a settled record. It needs none if it was created under its own key, by the continued run
   * or by another one. A left-out record uses up the record that it was left out for, also while its own key is in doubt:
   * no second record may be left out for the same one.
   */
  private standsFor(index: number): void {
    if (this.known(index) === undefined) return;
    const stored = this.options.stored(index);
    if (stored === 'created') return;
    const wasLeftOut = stored === 'already_created' || stored === 'left_unknown';
    const byKey = this.history.byKey(this.entries.key(index) as string);
    if (byKey === null || (wasLeftOut && byKey.state !== 'created')) this.matchFor(index);
  }

  /**
   * A record that was left out at the gate is matched to a record that was decided about there, if one is left. Every
   * other record is matched to the rest.
   */
  private matchFor(index: number): HistoryMatch | null {
    const known = this.known(index);
    if (known === undefined) return null;
    const { stored, leftOutSince } = this.options;
    // The run that goes on has no record of an invalid entry.
    const state = this.entries.isValid(index) ? stored(index) : null;
    const wasLeftOut = (state === 'already_created' || state === 'left_unknown') && !leftOutSince(index);
    const decided = wasLeftOut ? known.decided.shift() : undefined;
    return decided ?? this.take(index, () => true);
  }

  /** Takes out the record of the history that stands for this one: the oldest, of the same batch if there is one. */
  private take(index: number, fits: (match: HistoryMatch) => boolean): HistoryMatch | null {
    const matches = this.known(index)?.matches ?? [];
    const here = matches.findIndex((match) => this.isInBatch(match) && fits(match));
    const at = here >= 0 ? here : matches.findIndex(fits);
    return at < 0 ? null : (matches.splice(at, 1)[0] as HistoryMatch);
  }

  /** The newest, of the same batch if there is one. */
  private similarTo(index: number, fits: (match: HistoryMatch) => boolean): HistoryMatch | null {
    const { entries, options } = this;
    const similar = this.history
      .byLikeness(likenessBytes(entries, index), contentBytes(entries, index))
      .filter((match) => match.moment > options.decidedUntil && fits(match));
    return similar.findLast((match) => this.isInBatch(match)) ?? similar.at(-1) ?? null;
  }

  /** If one of two records of the same content was rejected and comes back alone, it seems to repeat the other one. */
  private rejectedTwin({ index, code, counts }: Found): HistoryMatch | null {
    if (!counts || code === 'similar-record') return null;
    const name = this.contentName(index);
    let twin = this.rejectedTwins.get(name);
    if (twin === undefined) {
      const rejected = this.history.rejected(contentBytes(this.entries, index));
      twin = rejected.find(({ key }) => !this.options.isInInput(key)) ?? null;
      this.rejectedTwins.set(name, twin);
    }
    return twin;
  }

  private isInBatch({ batchId }: HistoryMatch): boolean {
    return !this.options.batchNamed || batchId === this.options.batchId;
  }

  private known(index: number): KnownContent | undefined {
    return this.contents.get(this.contentName(index));
  }

  private contentName(index: number): string {
    return String(this.entries.content(index));
  }

  /** Asks the history once for every content of the input. */
  private knownContents(): ReadonlyMap<string, KnownContent> {
    const { entries, history, options } = this;
    const contents = new Map<string, KnownContent>();
    for (let index = 0; index < entries.length; index++) {
      if (!this.isCompared(index)) continue;
      const name = this.contentName(index);
      let known = contents.get(name);
      if (known === undefined) {
        const matches = history.byContent(contentBytes(entries, index));
        if (matches.length === 0) continue;
        matches.sort((one, other) => one.moment - other.moment);
        contents.set(name, (known = { matches, decided: [] }));
      }
      const key = entries.keyText(index);
      const own = known.matches.findIndex((match) => match.key === key);
      // A history record under a key of the input is the record with that key, and stands for no other.
      if (own >= 0) known.matches.splice(own, 1);
    }
    for (const known of contents.values()) {
      const count = known.matches.filter(({ moment }) => moment <= options.decidedUntil).length;
      known.decided.push(...known.matches.splice(0, count));
    }
    return contents;
  }
}

/** The repeat of an entry, or null. @param repeats in the order of the entries */
export function repeatAt(repeats: readonly Repeat[], index: number): Repeat | null {
  let [from, to] = [0, repeats.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((repeats[middle] as Repeat).index < index) from = middle + 1;
    else to = middle;
  }
  const found = repeats[from];
  return found?.index === index ? found : null;
}

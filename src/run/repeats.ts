/** Records of this run that the target's history knows already. CONTRACT: "Keys and repeats". */
import type { History, HistoryMatch } from '../journal/journal.js';
import { type Finding, type IssueCode, error, placeWords } from '../records/issue.js';
import type { Entries } from './entries.js';

export type RepeatCode = 'created-before' | 'same-content' | 'similar-record';

export interface Repeat {
  readonly index: number;
  readonly code: RepeatCode;
  readonly match: HistoryMatch;
  /** False for one in another batch than the named one: then it is only a warning. */
  readonly counts: boolean;
  /** The record may have been created under its own key: sent all the same, it is sent under that. */
  readonly inDoubt: boolean;
}

export interface Comparison {
  readonly repeats: readonly Repeat[];
  /** Records whose key was sent, or may have been sent, with other content. */
  readonly conflicts: readonly { readonly index: number; readonly finding: Finding }[];
}

export interface CompareOptions {
  readonly batchId: string;
  /** The batch was named: records of other batches only warn. */
  readonly batchNamed: boolean;
  /** Entries to leave out: settled in the run that is continued. */
  readonly skip: (index: number) => boolean;
  /** Whether a record that is left out was created in the run that is continued, rather than repeats another. */
  readonly createdHere: (index: number) => boolean;
  /** Whether a record of the input has this key. */
  readonly isInInput: (key: string) => boolean;
  /** The hash of the body that would be sent. */
  readonly bodyHash: (index: number) => string;
  /** Matches up to this time (milliseconds since 1970) were decided when the run passed its gate; 0 for none. */
  readonly decidedUntil: number;
}

/** Compares every valid entry with the records of all other runs at the target. */
export function compareWithHistory(entries: Entries, history: History, options: CompareOptions): Comparison {
  const repeats: Repeat[] = [];
  const conflicts: { index: number; finding: Finding }[] = [];
  const inDoubt: number[] = [];
  if (history.isEmpty) return { repeats, conflicts };
  const contents = knownContents(entries, history, options);
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index)) continue;
    const known = contents.get(contentName(entries, index));
    if (options.skip(index)) {
      if (known !== undefined && !explainsItself(index, entries, history, known, options)) known.ordinal++;
      continue;
    }
    const key = entries.key(index) as string;
    const byKey = history.byKey(key);
    if (byKey !== null && byKey.bodyHash !== options.bodyHash(index)) {
      conflicts.push({ index, finding: keyConflict(key, byKey) });
      continue;
    }
    if (byKey !== null && byKey.state !== 'created') {
      inDoubt.push(index);
      continue;
    }
    const repeat = byKey !== null ? sameKey(index, byKey) : otherKey(index, entries, history, known, options);
    if (repeat !== null && repeat.match.at > options.decidedUntil) repeats.push(repeat);
  }
  for (const index of inDoubt) {
    const beside = besideDoubt(index, entries, history, contents.get(contentName(entries, index)), options);
    if (beside !== null && beside.match.at > options.decidedUntil) repeats.push(beside);
  }
  if (inDoubt.length > 0) repeats.sort((one, other) => one.index - other.index);
  return { repeats, conflicts };
}

/**
 * A key in doubt is no repeat: sending it again, with the same bytes, is how the doubt is settled. But a payment that
 * nothing else in the input accounts for may have been made in its stead.
 */
function besideDoubt(
  index: number,
  entries: Entries,
  history: History,
  known: KnownContent | undefined,
  options: CompareOptions,
): Repeat | null {
  const same = known?.matches[known.ordinal++];
  if (same?.state === 'created') return besides(index, 'same-content', same, options);
  const preferred = options.batchNamed ? options.batchId : null;
  const similar = history.byLikeness(entries.likeness(index), entries.content(index), preferred);
  if (similar?.state !== 'created' || options.isInInput(similar.key)) return null;
  return besides(index, 'similar-record', similar, options);
}

function besides(index: number, code: RepeatCode, match: HistoryMatch, options: CompareOptions): Repeat {
  return { index, code, match, counts: isInBatch(match, options), inDoubt: true };
}

/** Also from another batch: the same key is the same payment, so it would be swallowed, or paid twice once it is forgotten. */
function sameKey(index: number, match: HistoryMatch): Repeat {
  return { index, code: 'created-before', match, counts: true, inDoubt: false };
}

function otherKey(
  index: number,
  entries: Entries,
  history: History,
  known: KnownContent | undefined,
  options: CompareOptions,
): Repeat | null {
  const ordinal = known === undefined ? 0 : known.ordinal++;
  const own = known?.inBatch[ordinal];
  if (own !== undefined) return { index, code: 'same-content', match: own, counts: true, inDoubt: false };
  const preferred = options.batchNamed ? options.batchId : null;
  const similar = history.byLikeness(entries.likeness(index), entries.content(index), preferred);
  const counts = similar !== null && isInBatch(similar, options);
  // What is the same elsewhere only warns, and must not hide what is similar here.
  const anywhere = known?.matches[ordinal];
  if (anywhere !== undefined && !counts)
    return { index, code: 'same-content', match: anywhere, counts: false, inDoubt: false };
  return similar === null ? null : { index, code: 'similar-record', match: similar, counts, inDoubt: false };
}

function isInBatch(match: HistoryMatch, { batchId, batchNamed }: CompareOptions): boolean {
  return !batchNamed || match.batchId === batchId;
}

/** What the history knows of a content: each of its records stands for one record of the input at most. */
interface KnownContent {
  /** Records under keys that the input does not have, the oldest first. */
  readonly matches: HistoryMatch[];
  /** Those of them that count. */
  inBatch: readonly HistoryMatch[];
  /** How many of the matches were decided about when the run passed its gate. */
  decided: number;
  /** How many records of the input other matches stand for already. */
  ordinal: number;
}

const NONE: readonly HistoryMatch[] = [];

/** Asks the history once for every content of the input. */
function knownContents(entries: Entries, history: History, options: CompareOptions): ReadonlyMap<string, KnownContent> {
  const contents = new Map<string, KnownContent>();
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index)) continue;
    const name = contentName(entries, index);
    let known = contents.get(name);
    if (known === undefined) {
      const matches = history.byContent(entries.content(index));
      if (matches.length === 0) continue;
      matches.sort((one, other) => one.at - other.at);
      contents.set(name, (known = { matches, inBatch: NONE, decided: 0, ordinal: 0 }));
    }
    const key = entries.key(index) as string;
    const own = known.matches.findIndex((match) => match.key === key);
    // What was sent under a key of the input is the record with that key, and no other.
    if (own >= 0) known.matches.splice(own, 1);
  }
  for (const known of contents.values()) {
    const { matches } = known;
    if (matches.length === 0) continue;
    known.inBatch = options.batchNamed ? matches.filter((match) => isInBatch(match, options)) : matches;
    known.decided = matches.filter(({ at }) => at <= options.decidedUntil).length;
  }
  return contents;
}

function contentName(entries: Entries, index: number): string {
  return Buffer.from(entries.content(index)).toString('latin1');
}

/**
 * Whether a record that is settled needs no record of another run to stand for it: its key is known, or this very run
 * created it, beyond those that were decided about. One that was left out needs the record that it was left out for.
 */
function explainsItself(
  index: number,
  entries: Entries,
  history: History,
  { ordinal, decided }: KnownContent,
  options: CompareOptions,
): boolean {
  if (history.byKey(entries.key(index) as string) !== null) return true;
  return ordinal >= decided && options.createdHere(index);
}

function keyConflict(key: string, match: HistoryMatch): Finding {
  const fate = match.state === 'created' ? 'was created' : 'may have been created';
  const message = `the key ${key} ${fate} with other content (${placeText(match)}); for another record give another idempotency_key, else restore the record as it was sent`;
  return error('key-conflict', 'idempotency_key', message, key);
}

const WORDS: Readonly<Record<RepeatCode, string>> = {
  'created-before': 'this record was created before',
  'same-content': 'a record of the same content was sent before under another key',
  'similar-record': 'a similar record (same user, title, reference and date, but other content) was sent before',
};

/** A repeat in words. @param open it is not decided yet, and refuses the run */
export function repeatFinding({ code, match, counts, inDoubt }: Repeat, open: boolean): Finding {
  const doubt = match.state === 'created' ? '' : '; its outcome is unknown';
  const place = counts ? '' : ', in another batch';
  const own = inDoubt ? '; the outcome of this one is unknown itself' : '';
  const message = `${WORDS[code]} (${placeText(match)}${doubt})${place}${own}`;
  return { severity: open ? 'error' : 'warning', code: code satisfies IssueCode, field: null, message, value: null };
}

/** Where an earlier record stands, for messages. */
function placeText(match: HistoryMatch): string {
  return `${runText(match)}, ${match.file}, ${placeWords(match)}`;
}

/** Its run and day. */
export function runText({ run, at }: HistoryMatch): string {
  return `run ${run} of ${new Date(at).toISOString().slice(0, 10)}`;
}

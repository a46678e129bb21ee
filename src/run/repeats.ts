/** Records of this run that the target's history knows already. CONTRACT: "Keys and repeats". */
import type { History, HistoryMatch } from '../journal/journal.js';
import { type Finding, type IssueCode, error } from '../records/issue.js';
import type { Entries } from './entries.js';

export type RepeatCode = 'created-before' | 'same-content' | 'similar-record';

export interface Repeat {
  readonly index: number;
  readonly code: RepeatCode;
  readonly match: HistoryMatch;
  /** False for one in another batch than the named one: then it is only a warning. */
  readonly counts: boolean;
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
  /** Matches up to this time (milliseconds since 1970) were decided when the run passed its gate; 0 for none. */
  readonly decidedUntil: number;
  readonly placeText: (match: HistoryMatch) => string;
}

/** Compares every valid entry with the records of all other runs at the target. */
export function compareWithHistory(entries: Entries, history: History, options: CompareOptions): Comparison {
  const repeats: Repeat[] = [];
  const conflicts: { index: number; finding: Finding }[] = [];
  if (history.isEmpty) return { repeats, conflicts };
  const contents = contentCounter(history);
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index)) continue;
    const known = contents.next(entries.content(index));
    if (options.skip(index)) continue;
    const key = entries.key(index) as string;
    const byKey = history.byKey(key);
    if (byKey !== null && byKey.bodyHash !== entries.bodyHash(index)) {
      conflicts.push({ index, finding: keyConflict(key, byKey, options) });
      continue;
    }
    const repeat = byKey !== null ? sameKey(index, byKey) : otherKey(index, entries, history, known, options);
    if (repeat !== null && repeat.match.at > options.decidedUntil) repeats.push(repeat);
  }
  return { repeats, conflicts };
}

/** A key in doubt is no repeat: sending it again, with the same bytes, is how the doubt is settled. */
function sameKey(index: number, match: HistoryMatch): Repeat | null {
  if (match.state !== 'created') return null;
  // Also from another batch: the same key is the same payment, so it would be swallowed, or paid twice once it is forgotten.
  return { index, code: 'created-before', match, counts: true };
}

function otherKey(
  index: number,
  entries: Entries,
  history: History,
  known: KnownContent | null,
  { batchId, batchNamed }: CompareOptions,
): Repeat | null {
  const inBatch = (match: HistoryMatch): boolean => !batchNamed || match.batchId === batchId;
  if (known !== null) {
    const own = known.matches.filter(inBatch);
    const first = own[0];
    if (first !== undefined && own.length >= known.ordinal)
      return { index, code: 'same-content', match: first, counts: true };
    const anywhere = known.matches[0];
    if (anywhere !== undefined && known.matches.length >= known.ordinal) {
      return { index, code: 'same-content', match: anywhere, counts: false };
    }
  }
  const preferred = batchNamed ? batchId : null;
  const similar = history.byLikeness(entries.likeness(index), entries.content(index), preferred);
  return similar === null ? null : { index, code: 'similar-record', match: similar, counts: inBatch(similar) };
}

interface KnownContent {
  readonly matches: readonly HistoryMatch[];
  /** How many records of this content the input holds up to this one. */
  readonly ordinal: number;
}

/** Asks the history once per content, and counts the input's records of each that it knows. */
function contentCounter(history: History): { next(content: Uint8Array): KnownContent | null } {
  const counts = new Map<string, { matches: readonly HistoryMatch[]; ordinal: number }>();
  return {
    next: (content) => {
      const name = Buffer.from(content).toString('latin1');
      let known = counts.get(name);
      if (known === undefined) {
        const matches = history.byContent(content, Number.MAX_SAFE_INTEGER);
        if (matches.length === 0) return null;
        counts.set(name, (known = { matches, ordinal: 0 }));
      }
      known.ordinal++;
      return { matches: known.matches, ordinal: known.ordinal };
    },
  };
}

function keyConflict(key: string, match: HistoryMatch, { placeText }: CompareOptions): Finding {
  const fate = match.state === 'created' ? 'was created' : 'may have been created';
  const message = `the key ${key} ${fate} with other content (${placeText(match)}); for another record give another idempotency_key, else restore the record as it was sent`;
  return error('key-conflict', 'idempotency_key', message, key);
}

const WORDS: Readonly<Record<RepeatCode, string>> = {
  'created-before': 'this record was created before',
  'same-content': 'a record of the same content was sent before under another key',
  'similar-record': 'a similar record (same user, title, reference and date, but other content) was sent before',
};

/**
 * A repeat in words.
 * @param text where the earlier record stands
 * @param open it is not decided yet, and refuses the run
 */
export function repeatFinding({ code, match, counts }: Repeat, text: string, open: boolean): Finding {
  const doubt = match.state === 'created' ? '' : '; its outcome is unknown';
  const place = counts ? '' : ', in another batch';
  const message = `${WORDS[code]} (${text}${doubt})${place}`;
  return { severity: open ? 'error' : 'warning', code: code satisfies IssueCode, field: null, message, value: null };
}

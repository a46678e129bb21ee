/** What earlier calls left open: the input's records that may have been carried out, and those that were rejected. */
import type { DoubtRules } from '../journal/delivery.js';
import type { Journal, StoredRun } from '../journal/journal.js';
import type { Outcome } from '../journal/record.js';
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { counted } from '../report/table.js';
import type { Prepared } from '../batch/prepare.js';
import type { Standing } from './standing.js';

/** A clock that was set back says nothing about age: beyond this time, the key counts as forgotten. Milliseconds. */
const CLOCK_SLACK = 5 * 60_000;

/**
 * When a record in doubt is sent again: a keyed record within its key's lifetime, and any record when the person takes
 * the risk with `--resend-unknown`.
 * @param lifetimeMs how long the service is trusted to remember a key
 * @param now milliseconds since 1970
 */
export function doubtRules(lifetimeMs: number, resendUnknown: boolean, now: () => number): DoubtRules {
  const isProtected: DoubtRules['isProtected'] = ({ type, doubtSince }) => {
    const age = now() - doubtSince;
    return KINDS[type].keyed && Math.max(age, 0) < lifetimeMs && age > -CLOCK_SLACK;
  };
  return { isProtected, mayResend: (record) => resendUnknown || isProtected(record) };
}

/** A record in doubt. */
export interface Doubtful {
  /** Its entry. */
  readonly index: number;
  readonly outcome: Outcome;
}

export interface Doubts {
  /** Records that stay in doubt: nothing protects them any more, so they are not sent again. */
  readonly held: readonly Doubtful[];
  /** How many records in doubt are sent again, under the keys that they still have. */
  readonly resent: number;
  /** How many definitely rejected records are sent again: a person may have mended and imported them meanwhile. */
  readonly rejected: number;
}

/** What the run that goes on, or another run, knows under the keys of the pending entries. */
export function doubtsOf(
  { continued, comparison }: Standing,
  journal: Journal | null,
  { entries }: Prepared,
  rules: DoubtRules,
): Doubts {
  const inDoubt = new Map<number, Outcome>();
  const rejected = new Set(comparison.rejected);
  for (const { index, outcome } of comparison.inDoubt) if (outcome !== null) inDoubt.set(index, outcome);
  if (continued !== null && journal !== null) {
    for (const { index, outcome } of journal.outcomes(continued.run)) {
      const entry = continued.entryIndex(index);
      if (entry !== null && outcome.state === 'unknown') inDoubt.set(entry, outcome);
      if (entry !== null && outcome.state === 'rejected') rejected.add(entry);
    }
  }
  const isPending = (entry: number): boolean => entries.status(entry) === 'pending';
  const held: Doubtful[] = [];
  let resent = 0;
  for (const [entry, outcome] of inDoubt) {
    if (!isPending(entry)) continue;
    const type = entries.groupOf(entry).type as RecordType;
    if (rules.mayResend({ type, doubtSince: outcome.doubtSince ?? 0 })) resent++;
    else held.push({ index: entry, outcome });
  }
  return { held, resent, rejected: [...rejected].filter((entry) => isPending(entry) && !inDoubt.has(entry)).length };
}

/** How many records of a run are in doubt, and would stay so without a person's word. */
export interface Held {
  /** Sent, and no key protects them any more. */
  readonly unprotected: number;
  /** Left out because of an earlier record that is in doubt. */
  readonly leftOut: number;
}

export function heldIn(run: StoredRun, journal: Journal, rules: DoubtRules): Held {
  let [unprotected, leftOut] = [0, 0];
  for (const { type, state, doubtSince } of journal.ends(run)) {
    if (state === 'left_unknown') leftOut++;
    if (state === 'unknown' && !rules.isProtected({ type, doubtSince: doubtSince ?? 0 })) unprotected++;
  }
  return { unprotected, leftOut };
}

/**
 * Writes down how many records in doubt are sent again by the person's word alone, before they are.
 * @param at milliseconds since 1970
 */
export function noteResends(journal: Journal, run: string, rules: DoubtRules, at: number): void {
  const stored = journal.runNamed(run);
  if (stored === null) return;
  const { unprotected } = heldIn(stored, journal, rules);
  if (unprotected > 0) journal.noteResend(stored.number, unprotected, at);
}

/** A refused call tells these records as "not sent", but more is known: an earlier call may have carried them out. */
export function refusedWords({ held, resent }: Doubts): string[] {
  const count = held.length + resent;
  if (count === 0) return [];
  const them = counted(count, 'record that was not sent now', 'records that were not sent now');
  return [`${them} may have been carried out by an earlier call: see gigwork batch list`];
}

/**
 * What is said of records that were sent before and go out again. A review says it too, but with `--yes`, and where a run
 * is resumed, there is none.
 * @param isPlanned in a dry run they would
 */
export function againWords({ resent, rejected }: Doubts, isPlanned: boolean): string[] {
  const words: string[] = [];
  const going = (count: number): string => (isPlanned ? 'would be sent' : count === 1 ? 'is sent' : 'are sent');
  if (resent > 0)
    words.push(
      `${counted(resent, 'record', 'records')} may have been carried out already, and ${going(resent)} again under the same ${resent === 1 ? 'key' : 'keys'}`,
    );
  if (rejected > 0)
    words.push(
      `${counted(rejected, 'record was', 'records were')} rejected before, and ${going(rejected)} again${isPlanned ? ': what has been mended and imported since must be taken out' : ''}`,
    );
  return words;
}

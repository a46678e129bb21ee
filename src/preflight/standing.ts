/** Where the records stand against the target's history: which run they are, what they repeat, what was decided. */
import { EMPTY_HISTORY, type History } from '../journal/history.js';
import type { Journal, StoredRun } from '../journal/journal.js';
import type { StoredState } from '../journal/record.js';
import { RecordKey } from '../keys/record-key.js';
import type { RepeatWish } from '../report/dialog.js';
import { adoptOutcomes, type Continued, continuedAsIs, digestOf, pairWithRun, takeBack } from './continuing.js';
import { type Decided, decide, type PayingAgain } from './decide.js';
import { type EarlierOutcome, earlierOutcomes } from './earlier-answers.js';
import type { Entries } from '../batch/table.js';
import type { SafetyOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import { compareWithHistory, type Comparison, NOTHING_KNOWN } from './repeats.js';

export interface Standing {
  /** Null without a target. */
  readonly digest: string | null;
  readonly history: History;
  /** {@link History.version} before anything was compared: this run's gate notices a run that has passed since then. */
  readonly version: number;
  readonly continued: Continued | null;
  /** The run of these records that was allowed to send repeats again: `--pay-again` goes on with it. Null when there is none. */
  readonly allowed: StoredRun | null;
  readonly comparison: Comparison;
  readonly earlier: EarlierOutcome;
}

export interface StandingContext {
  readonly prepared: Prepared;
  readonly safety: SafetyOptions;
  /** Null in a dry run without a target. */
  readonly target: { readonly name: string; readonly scope: string } | null;
  /** Null where there is none yet. */
  readonly journal: Journal | null;
  readonly now: () => number;
  /** The run that is resumed from the journal alone, or null. */
  readonly resume: Continued | null;
  /** Whether all records are those of a run, with the same places and keys: then they need not be paired one by one. */
  readonly isSameAs: (run: StoredRun) => boolean;
  /** Entries that `--strict` refused as repeats of another batch; filled here, and kept for the next comparison. */
  readonly refused: Set<number>;
  /** Marks records that the history makes invalid. */
  readonly invalidate: (conflicts: Comparison['conflicts']) => void;
}

/**
 * Finds the run that goes on, compares with the history of all others, and marks the entries by what they know
 * (`takeBack` undoes that). A key that was used for other content makes its record invalid. That changes the digest, so
 * another run may be the one that goes on.
 */
export function findStanding(context: StandingContext): Standing {
  for (;;) {
    const standing = standingAsIs(context);
    const { conflicts } = standing.comparison;
    if (conflicts.length === 0) return standing;
    takeBack(standing.continued, context.prepared.entries);
    context.invalidate(conflicts);
    for (const { index, finding } of conflicts) if (finding.code !== 'key-conflict') context.refused.add(index);
  }
}

function standingAsIs(context: StandingContext): Standing {
  const { prepared, safety, target, journal } = context;
  const { entries } = prepared;
  const unknown = {
    history: EMPTY_HISTORY,
    version: 0,
    continued: null,
    allowed: null,
    comparison: NOTHING_KNOWN,
    earlier: () => null,
  };
  if (target === null) return { digest: null, ...unknown };
  const digest = context.resume?.run.digest ?? digestOf(target.name, entries);
  if (journal === null) return { digest, ...unknown };
  const { resume } = context;
  const all = journal.history(target.name, target.scope, null);
  const continued = resume ?? findContinued(digest, context, journal);
  if (continued !== null) adoptOutcomes(continued, journal, entries, resume !== null);
  const history = continued === null ? all : journal.history(target.name, target.scope, continued.run.number);
  const until = decidedUntil(continued, safety, resume !== null);
  const leftOut = continued === null || until === 0 ? NOBODY : journal.leftOutSince(continued.run);
  const comparison = compareWithHistory(entries, history, {
    batchId: safety.batchId,
    batchNamed: safety.batchNamed,
    strict: safety.strict,
    refused: context.refused,
    skip: (index) => entries.status(index) !== 'pending',
    stored: (index) => storedState(index, continued, journal),
    leftOutSince: (index) => leftOut.has(continued?.storedIndex(index) ?? index),
    isInInput: (key) => prepared.index.find(RecordKey.of(key)) !== null,
    bodyHash: (index) => bodyHashOf(index, continued, journal, entries),
    decidedUntil: until,
  });
  const earlier = earlierOutcomes(entries, journal, continued, comparison.repeats);
  const going = continued?.run ?? null;
  const allowed = going !== null && going.payAgain !== null ? going : findRun(digest, context, true);
  return { digest, history, version: all.version, continued, allowed, comparison, earlier };
}

const NOBODY: ReadonlySet<number> = new Set();

/** What the run that goes on knows of an entry; null where it knows nothing, or when no run goes on. */
function storedState(index: number, continued: Continued | null, journal: Journal | null): StoredState | null {
  if (continued === null || journal === null) return null;
  return journal.recordAt(continued.run, continued.storedIndex(index))?.outcome?.state ?? null;
}

/** A record that got the key of the stored run has the body of that run too. */
function bodyHashOf(index: number, continued: Continued | null, journal: Journal, entries: Entries): string {
  const stored =
    continued?.rekeyed.has(index) === true ? journal.recordAt(continued.run, continued.storedIndex(index)) : null;
  return stored?.bodyHash ?? entries.bodyHash(index);
}

function findContinued(digest: string, context: StandingContext, journal: Journal): Continued | null {
  const { prepared, safety } = context;
  const run = findRun(digest, context, safety.payAgain !== null);
  if (run === null) return null;
  return context.isSameAs(run) ? continuedAsIs(run, prepared.entries) : pairWithRun(run, journal, prepared.entries);
}

/** The run that would go on. @param payAgain with `--pay-again`: then only a run that had it goes on */
function findRun(
  digest: string,
  { prepared, safety, target, journal, now, resume }: StandingContext,
  payAgain: boolean,
): StoredRun | null {
  if (target === null || journal === null || resume !== null || countValid(prepared.entries) === 0) return null;
  const { batchId, skipCreated, keyLifetimeMs } = safety;
  const since = now() - keyLifetimeMs;
  const at = { target: target.name, scope: target.scope };
  const run = journal.continuable({ ...at, digest, since, batchId, payAgain, skipCreated });
  // When every record of a run was rejected, its mended rejects file may have the same digest as that run. It goes on with
  // the run only where its bytes are the same.
  const mended = prepared.files.filter(({ hasErrorColumn }) => hasErrorColumn);
  const isSame = mended.every(({ sha256 }) => run?.files.some((file) => file.sha256 === sha256));
  return isSame ? run : null;
}

/** When a run that sends repeats again goes on, its repeats were decided at its gate; only later ones are news. */
function decidedUntil(continued: Continued | null, { payAgain }: SafetyOptions, resumed: boolean): number {
  if (continued === null || continued.run.payAgain === null) return 0;
  return resumed || payAgain === continued.run.payAgain ? continued.run.gate : 0;
}

function countValid(entries: Entries): number {
  let count = 0;
  for (let index = 0; index < entries.length; index++) if (entries.isValid(index)) count++;
  return count;
}

export interface DecisionContext extends StandingContext {
  readonly bodyOf: (index: number) => string | null;
}

/** How the repeats that nobody has decided about can be paid again. */
function payingAgain(
  { resume, journal }: DecisionContext,
  { continued, allowed }: Standing,
  paysAgainAlready: boolean,
): PayingAgain {
  if (paysAgainAlready || (resume !== null && allowed !== null)) return 'not';
  if (allowed !== null) return { run: allowed, flags: flagsOf(allowed, journal) };
  if (resume !== null) return 'by import';
  return continued === null ? 'by flag' : 'beside';
}

/** The flags that go on with a run that was allowed to send repeats again: records that it left out stay out. */
function flagsOf(run: StoredRun, journal: Journal | null): string {
  return `${journal?.leavesOut(run) === true ? '--skip-created ' : ''}--pay-again ${run.payAgain}`;
}

/** Applies the person's wish to the repeats of a standing. */
export function decideRepeats(standing: Standing, wish: RepeatWish, context: DecisionContext): Decided {
  const { continued, history, comparison } = standing;
  const { prepared, safety, bodyOf } = context;
  const again = continued?.run.payAgain ?? null;
  if (continued !== null && again !== null && wish.payAgain !== null && wish.payAgain !== again) {
    const flags = flagsOf(continued.run, context.journal);
    const reason = `--pay-again says ${wish.payAgain}, but the run ${continued.run.run} that goes on was allowed ${again}: ${flags} goes on with it; to pay once more, give the records a batch of their own with --batch-id`;
    return { decisions: [], open: comparison.repeats, reason, leftOut: new Map(), rekeyed: new Map() };
  }
  const paysAgainAlready = again !== null && wish.payAgain !== null;
  return decide(comparison.repeats, paysAgainAlready ? { ...wish, payAgain: null } : wish, {
    entries: prepared.entries,
    index: prepared.index,
    history,
    batchId: safety.batchId,
    keyColumns: safety.keyColumns,
    bodyOf,
    storedIndex: continued?.storedIndex ?? ((index) => index),
    isOpen: (index) => storedState(index, continued, context.journal) === 'unknown',
    payingAgain: payingAgain(context, standing, paysAgainAlready),
    onBody: (index, body) => {
      if (prepared.bodies[index] !== undefined) prepared.bodies[index] = body;
    },
  });
}

/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review.ts prints them. */
import { isReadableAgain } from '../batch/inputs.js';
import { keptBody, type Prepared } from '../batch/prepare.js';
import type { Ledger, Preparation } from '../ledger/ledger.js';
import { compare, type Decimal, ZERO } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import { subjectOf } from '../records/subject.js';
import type { Part, ReviewReport } from '../report/reporter.js';
import type { World } from '../world.js';
import { startExtremes } from './extremes.js';
import type { Fate } from './fate.js';
import type { Issues } from './issues.js';
import type { Looked } from './look.js';
import { bodyOf } from './plan.js';
import { otherBatchWords } from './repeat-words.js';
import type { Repeat } from './repeats.js';
import { undecidedRepeats, type UndecidedOptions } from './undecided-repeats.js';

/** What the call says itself. */
export type Facts = Pick<ReviewReport, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'approves'>;

/** Where the figures of a call come from. */
export interface ReviewSources {
  readonly options: RunOptions;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  /** Null for a run that is resumed from the ledger alone. */
  readonly preparation: Preparation | null;
  readonly issues: Issues;
  readonly world: World;
}

/** @throws JournalError */
export async function reviewNow(prepared: Prepared, looked: Looked, sources: ReviewSources): Promise<ReviewReport> {
  const { options, ledger, preparation, issues, world } = sources;
  const { batchId, approve } = options.safety;
  const { assessment, digest } = looked;
  const subjectsOf = async (indexes: readonly number[]): Promise<string[]> => {
    const ids = indexes.map((index) => bodyOf(index, prepared, assessment.fates[index] ?? null, preparation));
    const bodies = ledger === null ? [] : await ledger.bodies(ids.map((id) => id ?? 0));
    return indexes.map((index, i) => subjectOf(bodies[i] ?? keptBody(prepared, index)));
  };
  const facts: Facts = {
    ...{ batchId, digest, files: prepared.files, warnings: issues.warnings - issues.summed },
    target: options.target?.name ?? null,
    approves: approve !== null,
  };
  const isReadable = options.resume === null && (await isReadableAgain(options.input, world.cwd()));
  return reviewOf(facts, { prepared, ...looked, subjectsOf, isReadable, options });
}

export async function reviewOf(facts: Facts, options: UndecidedOptions): Promise<ReviewReport> {
  const {
    prepared: { entries },
    assessment,
    subjectsOf,
  } = options;
  const { fates, repeats, undecided } = assessment;
  // Until somebody has decided, a record that was sent before does not count as one to send.
  const open = new Map(undecided.repeats.map((repeat) => [repeat.index, repeat]));
  const parts = startParts();
  const [inFile, zero, negative] = [startPart(), startPart(), startPart()];
  const extremes = startExtremes(entries);
  const again = { unknown: 0, rejected: 0 };
  let invalid = 0;
  for (const [index, fate] of fates.entries()) {
    if (fate === null) {
      invalid++;
      continue;
    }
    const part = partOf(fate, open.get(index));
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    inFile.add(group, amount);
    parts[part].add(group, amount);
    if (part !== 'toSend') continue;
    if (fate.what === 'send' && fate.again !== null) again[fate.again]++;
    if (amount === null) continue;
    extremes.see(index, amount);
    const sign = compare(amount, ZERO);
    if (sign <= 0) (sign === 0 ? zero : negative).add(group, amount);
  }
  return {
    ...facts,
    inDoubt: again.unknown,
    rejected: again.rejected,
    undecided: await undecidedRepeats(options),
    otherBatches: otherBatchWords(repeats),
    invalid,
    inFile: inFile.done(),
    before: parts.before.done(),
    unknown: parts.unknown.done(),
    staysRejected: parts.staysRejected.done(),
    open: parts.open.done(),
    similar: parts.similar.done(),
    toSend: parts.toSend.done(),
    zero: zero.done(),
    negative: negative.done(),
    extremes: await extremes.done(facts.files, subjectsOf),
  };
}

type PartName = 'before' | 'unknown' | 'staysRejected' | 'open' | 'similar' | 'toSend';

/** What nobody has decided about is not counted among what is sent. */
function partOf(fate: Fate, open: Repeat | undefined): PartName {
  if (open?.code === 'open-before') return 'open';
  if (open?.code === 'similar-record') return 'similar';
  if (open !== undefined) return open.standsFor.state === 'created' ? 'before' : 'unknown';
  switch (fate.what) {
    case 'send':
      return 'toSend';
    case 'rejected':
      return 'staysRejected';
    case 'unknown':
    case 'not_sent':
      return 'unknown';
    default:
      // What was created for a similar one is of another amount, maybe.
      return 'leftOut' in fate && fate.leftOut === 'similar' ? 'similar' : 'before';
  }
}

function startParts(): Record<PartName, ReturnType<typeof startPart>> {
  const [before, unknown, staysRejected] = [startPart(), startPart(), startPart()];
  return { before, unknown, staysRejected, open: startPart(), similar: startPart(), toSend: startPart() };
}

function startPart() {
  const totals = startTotals();
  let count = 0;
  return {
    add: (group: Parameters<typeof totals.add>[0], amount: Decimal | null): void => {
      count++;
      totals.add(group, '', amount);
    },
    done: (): Part => ({ count, totals: totals.rows() }),
  };
}

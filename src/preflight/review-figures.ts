/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review-lines.ts prints them. */
import { keptBody } from '../batch/bodies.js';
import type { Prepared } from '../batch/prepare.js';
import type { Ledger } from '../ledger/ledger.js';
import type { DoubtRules } from '../ledger/plan.js';
import { compare, type Decimal, ZERO } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import { subjectOf } from '../records/subject.js';
import type { Part, ReviewReport } from '../report/reporter.js';
import type { Again } from '../report/notice-words.js';
import { startExtremes } from './extremes.js';
import type { Fate } from './fate.js';
import type { Issues } from './issues.js';
import type { Looked } from './look.js';
import { placesOf } from './places.js';
import { fatesOf, paymentOf } from './assess.js';
import type { Known } from './known.js';
import { noticesOf, withFiles } from './notices.js';
import type { Repeat } from './repeats.js';
import { undecidedRepeats, type UndecidedOptions } from './undecided-repeats.js';

/** What the call says itself. */
export type Facts = Pick<ReviewReport, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'approves'>;

/** Where the figures of a call come from. */
export interface ReviewSources {
  readonly options: RunOptions;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly issues: Issues;
  readonly doubt: DoubtRules;
}

/** @throws JournalError */
export async function reviewNow(prepared: Prepared, looked: Looked, sources: ReviewSources): Promise<ReviewReport> {
  const { options, ledger, issues, doubt } = sources;
  const { approve } = options.safety;
  const { assessment, known, digest } = looked;
  const subjectsOf = async (indexes: readonly number[]): Promise<string[]> => {
    // In a dry run, no record has a row of its own.
    const ids = indexes.map(
      (index) => prepared.entries.payment(index) || (paymentOf(assessment.fateAt(index), known.accepted[index]) ?? 0),
    );
    const bodies = ledger === null ? [] : await ledger.bodies(ids);
    return indexes.map((index, i) => subjectOf(bodies[i] ?? keptBody(prepared, index)));
  };
  const facts: Facts = {
    ...{ batchId: prepared.batchId, digest, files: prepared.files, warnings: issues.warnings },
    target: options.target?.name ?? null,
    approves: approve !== null,
  };
  const placeOf = await placesOf(looked, prepared.batchId, ledger, options.caller.by);
  const review = await reviewOf(facts, { prepared, ...looked, placeOf, subjectsOf, doubt });
  return { ...review, notices: await withFiles(review.notices, ledger) };
}

export async function reviewOf(
  facts: Facts,
  options: UndecidedOptions & { readonly known: Known; readonly doubt: DoubtRules },
): Promise<ReviewReport> {
  const { prepared, assessment, known, subjectsOf } = options;
  const { entries } = prepared;
  const { undecided } = assessment;
  // Until somebody has decided, a record that was sent before does not count as one to send.
  const open = new Map(undecided.repeats.map((repeat) => [repeat.index, repeat]));
  const parts = startParts();
  const [inFile, zero, negative] = [startPart(), startPart(), startPart()];
  const extremes = startExtremes(entries);
  const again = { protected: 0, expired: 0, gigs: 0, rejected: 0 };
  let valid = 0;
  for (const [index, fate] of fatesOf(prepared, assessment)) {
    valid++;
    const part = partOf(fate, open.get(index));
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    inFile.add(group, amount);
    parts[part].add(group, amount);
    if (part !== 'toSend') continue;
    const earlier = known.byKey.get(index);
    if (fate.what === 'send' && fate.again === 'rejected') again.rejected++;
    if (fate.what === 'send' && fate.again === 'unknown' && earlier !== undefined)
      again[riskOf(earlier, options.doubt)]++;
    if (amount === null) continue;
    extremes.see(index, amount);
    const sign = compare(amount, ZERO);
    if (sign <= 0) (sign === 0 ? zero : negative).add(group, amount);
  }
  return {
    ...facts,
    again,
    undecided: await undecidedRepeats(options),
    notices: noticesOf(prepared, assessment, known),
    invalid: entries.length - valid,
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

/** What it means to send a payment in doubt again: only a key that still protects it makes that safe. */
export function riskOf({ type, doubtSince, at, lifetimeMs }: KnownPayment, { isProtected }: DoubtRules): keyof Again {
  if (type === 'gig') return 'gigs';
  return isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }) ? 'protected' : 'expired';
}

type PartName = 'before' | 'unknown' | 'staysRejected' | 'open' | 'similar' | 'toSend';

/** What nobody has decided about is not counted among what is sent. */
function partOf(fate: Fate, open: Repeat | undefined): PartName {
  if (open?.code === 'open-before' || open?.code === 'not-rejected') return 'open';
  if (open?.code === 'similar-record') return 'similar';
  if (open !== undefined) return open.standsFor.state === 'created' ? 'before' : 'unknown';
  switch (fate.what) {
    case 'send':
      return 'toSend';
    case 'left-out':
      return fate.standsFor.state === 'created' ? 'before' : 'unknown';
    case 'settled':
      return fate.state === 'created' ? 'before' : fate.state === 'rejected' ? 'staysRejected' : 'unknown';
    default:
      return 'open';
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

/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review.ts prints them. */
import { type Decimal, compare } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import type { Prepared } from '../batch/prepare.js';
import type { Entries } from '../batch/table.js';
import type { Extremes, Notable, Part, ReviewReport } from '../report/reporter.js';
import type { Assessment } from './assess.js';
import type { Fate } from './fate.js';
import type { Repeat } from './repeats.js';

const LARGEST = 5;

/** What the figures are made of. */
export interface Reviewed {
  readonly prepared: Prepared;
  readonly assessment: Assessment;
  /** The user or title of an entry; empty where it is not known. */
  readonly subjectsOf: (indexes: readonly number[]) => Promise<string[]>;
}

export async function reviewOf(
  facts: Pick<ReviewReport, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'goesOn' | 'approves'>,
  { prepared: { entries }, assessment, subjectsOf }: Reviewed,
): Promise<ReviewReport> {
  const { fates, repeats, undecided } = assessment;
  // Until somebody has decided, a record that was sent before does not count as one to send.
  const open = new Map(undecided.repeats.map((repeat) => [repeat.index, repeat]));
  const parts = { before: startPart(), unknown: startPart(), staysRejected: startPart(), toSend: startPart() };
  const inFile = startPart();
  const extremes = startExtremes(entries, facts.files);
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
    if (amount !== null) extremes.see(index, amount);
  }
  return {
    ...facts,
    inDoubt: again.unknown,
    rejected: again.rejected,
    repeats: countByKind(repeats, new Set(undecided.repeats)),
    invalid,
    inFile: inFile.done(),
    before: parts.before.done(),
    unknown: parts.unknown.done(),
    staysRejected: parts.staysRejected.done(),
    toSend: parts.toSend.done(),
    extremes: await extremes.done(subjectsOf),
  };
}

function partOf(fate: Fate, open: Repeat | undefined): 'before' | 'unknown' | 'staysRejected' | 'toSend' {
  // One that is open in another run is sent by this one, once somebody has said so.
  if (open?.code === 'open-before') return 'toSend';
  if (open !== undefined && open.code !== 'similar-record')
    return open.standsFor.state === 'created' ? 'before' : 'unknown';
  switch (fate.what) {
    case 'send':
      return 'toSend';
    case 'rejected':
      return 'staysRejected';
    case 'unknown':
    case 'not_sent':
      return 'unknown';
    default:
      return 'before';
  }
}

/** @param open repeats that refuse the run: those that were decided about are counted where they went */
function countByKind(repeats: readonly Repeat[], open: ReadonlySet<Repeat>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const repeat of repeats) {
    const kind = repeat.counts ? (open.has(repeat) ? repeat.code : null) : 'other-batches';
    if (kind !== null) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
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

interface Seen {
  readonly index: number;
  readonly amount: Decimal;
}

/** Amounts are compared as numbers: a person looks for a misplaced decimal point, whatever the currency. */
function startExtremes(entries: Entries, files: ReviewReport['files']) {
  const byType = new Map<string, { top: Seen[]; least: Seen }>();
  const described = ({ index, amount }: Seen, subject: string): Notable => {
    const { file, ...place } = entries.placeOf(index);
    const { currency } = entries.groupOf(index);
    return { currency, amount, file: files[file]?.path ?? '', subject, ...place };
  };
  return {
    see: (index: number, amount: Decimal): void => {
      const { type } = entries.groupOf(index);
      const seen = byType.get(type) ?? { top: [], least: { index, amount } };
      byType.set(type, seen);
      if (compare(amount, seen.least.amount) < 0) seen.least = { index, amount };
      const last = seen.top[LARGEST - 1];
      if (last !== undefined && compare(amount, last.amount) <= 0) return;
      seen.top.push({ index, amount });
      seen.top.sort((a, b) => compare(b.amount, a.amount) || a.index - b.index);
      seen.top.length = Math.min(seen.top.length, LARGEST);
    },
    done: async (subjectsOf: Reviewed['subjectsOf']): Promise<Extremes[]> => {
      const extremes: Extremes[] = [];
      for (const [type, { top, least }] of byType) {
        const all = [...top, least];
        const subjects = await subjectsOf(all.map(({ index }) => index));
        const [smallest, ...largest] = all.map((seen, i) => described(seen, subjects[i] ?? '')).reverse();
        if (smallest !== undefined) extremes.push({ type, largest: largest.reverse(), smallest });
      }
      return extremes;
    },
  };
}

/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review.ts prints them. */
import { type Decimal, compare } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import { subjectOf } from '../records/subject.js';
import type { Extremes, Notable, Part, ReviewReport } from '../report/reporter.js';
import type { Doubts } from './doubts.js';
import type { Entries } from '../batch/table.js';
import type { Repeat } from './repeats.js';

export interface Review extends ReviewReport {
  readonly open: readonly Repeat[];
}

const LARGEST = 5;

/**
 * @param undecided repeats that refuse the run as things stand
 * @param doubts what earlier calls left open
 * @param bodyOf the body of an entry; null where it is not known
 */
export function reviewOf(
  facts: Pick<Review, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'open'>,
  entries: Entries,
  undecided: readonly Repeat[],
  { held, resent, rejected }: Doubts,
  bodyOf: (index: number) => string | null,
): Review {
  // Until somebody has decided, a record that was sent before does not count as one to send.
  const before = new Set<number>();
  const unknown = new Set(held.map(({ index }) => index));
  for (const { index, code, match } of undecided)
    if (code !== 'similar-record') (match.state === 'created' ? before : unknown).add(index);
  const parts = { inFile: startPart(), before: startPart(), unknown: startPart(), toSend: startPart() };
  const partOf = (index: number): 'before' | 'unknown' | 'toSend' => {
    const status = entries.status(index);
    if (status === 'unknown' || unknown.has(index)) return 'unknown';
    return status === 'pending' && !before.has(index) ? 'toSend' : 'before';
  };
  const extremes = startExtremes(entries, facts.files, bodyOf);
  let invalid = 0;
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index)) {
      invalid++;
      continue;
    }
    const part = partOf(index);
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    parts.inFile.add(group, amount);
    parts[part].add(group, amount);
    if (part === 'toSend' && amount !== null) extremes.see(index, amount);
  }
  return {
    ...facts,
    inDoubt: resent,
    rejected,
    repeats: countByKind(facts.open),
    invalid,
    inFile: parts.inFile.done(),
    before: parts.before.done(),
    unknown: parts.unknown.done(),
    toSend: parts.toSend.done(),
    extremes: extremes.done(),
  };
}

function countByKind(repeats: readonly Repeat[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, counts: counted } of repeats) {
    const kind = counted ? code : code === 'similar-record' ? null : 'other-batches';
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
function startExtremes(entries: Entries, files: ReviewReport['files'], bodyOf: (index: number) => string | null) {
  const byType = new Map<string, { top: Seen[]; least: Seen }>();
  const described = ({ index, amount }: Seen): Notable => {
    const { file, ...place } = entries.placeOf(index);
    const { currency } = entries.groupOf(index);
    return { currency, amount, file: files[file]?.path ?? '', subject: subjectOf(bodyOf(index)), ...place };
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
    done: (): Extremes[] =>
      [...byType].map(([type, { top, least }]) => ({ type, largest: top.map(described), smallest: described(least) })),
  };
}

/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review.ts prints them. */
import { type Decimal, compare } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import type { Notable, Part, ReviewReport } from '../report/reporter.js';
import type { Entries } from './entries.js';
import type { Repeat } from './repeats.js';

export interface Review extends ReviewReport {
  readonly open: readonly Repeat[];
}

const LARGEST = 5;

/** Whether an entry would be sent, as things stand. */
export function willBeSent(entries: Entries, index: number): boolean {
  return entries.status(index) === 'pending';
}

export function reviewOf(
  facts: Pick<Review, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'open'>,
  entries: Entries,
): Review {
  const parts = { inFile: startPart(), before: startPart(), toSend: startPart() };
  const notable = startNotable(entries, facts.files);
  let invalid = 0;
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index)) {
      invalid++;
      continue;
    }
    const sends = willBeSent(entries, index);
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    for (const part of [parts.inFile, sends ? parts.toSend : parts.before]) part.add(group, amount);
    if (sends && amount !== null) notable.see(index, amount);
  }
  return {
    ...facts,
    repeats: countByKind(facts.open),
    invalid,
    inFile: parts.inFile.done(),
    before: parts.before.done(),
    toSend: parts.toSend.done(),
    largest: notable.largest(),
    smallest: notable.smallest(),
  };
}

function countByKind(repeats: readonly Repeat[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, counts: counted } of repeats) if (counted) counts[code] = (counts[code] ?? 0) + 1;
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

/** Amounts are compared as numbers: a person looks for a slip of the comma, whatever the currency. */
function startNotable(entries: Entries, files: ReviewReport['files']) {
  const top: { index: number; amount: Decimal }[] = [];
  let least: { index: number; amount: Decimal } | null = null;
  const described = ({ index, amount }: { index: number; amount: Decimal }): Notable => {
    const { file, record, line } = entries.placeOf(index);
    const { type, currency } = entries.groupOf(index);
    return { type, currency, amount, file: files[file]?.path ?? '', record, line };
  };
  return {
    see: (index: number, amount: Decimal): void => {
      if (least === null || compare(amount, least.amount) < 0) least = { index, amount };
      const last = top[LARGEST - 1];
      if (last !== undefined && compare(amount, last.amount) <= 0) return;
      top.push({ index, amount });
      top.sort((a, b) => compare(b.amount, a.amount) || a.index - b.index);
      top.length = Math.min(top.length, LARGEST);
    },
    largest: (): Notable[] => top.map(described),
    smallest: (): Notable | null => (least === null ? null : described(least)),
  };
}

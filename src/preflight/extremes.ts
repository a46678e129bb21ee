/** The amounts in which a misplaced decimal mark shows: the largest and the smallest of each currency. */
import type { Entries } from '../batch/entries.js';
import { compare, type Decimal } from '../money/decimal.js';
import type { Extremes, Notable, ReviewReport } from '../report/reporter.js';

const LARGEST = 5;
/** Types and currencies that a person still looks at; those with most records are shown. */
const MOST_GROUPS = 6;

interface Seen {
  readonly index: number;
  readonly amount: Decimal;
}

interface Group {
  readonly type: string;
  readonly currency: string | null;
  readonly top: Seen[];
  least: Seen;
  count: number;
}

/** Never across types or currencies: 120,000 JPY beside 1,200 EUR would hide what should have been 12.00 EUR. */
export function startExtremes(entries: Entries) {
  // Groups that differ only in their cost center are different objects.
  const named = new Map<string, Group>();
  const groups = new Map<object, Group>();
  const groupOf = (index: number, amount: Decimal): Group => {
    const total = entries.groupOf(index);
    let group = groups.get(total);
    if (group !== undefined) return group;
    const { type, currency } = total;
    const name = JSON.stringify([type, currency]);
    group = named.get(name) ?? { type, currency, top: [], least: { index, amount }, count: 0 };
    groups.set(total, group);
    named.set(name, group);
    return group;
  };
  return {
    see: (index: number, amount: Decimal): void => {
      const group = groupOf(index, amount);
      const { top } = group;
      group.count++;
      if (compare(amount, group.least.amount) < 0) group.least = { index, amount };
      const last = top[LARGEST - 1];
      if (last !== undefined && compare(amount, last.amount) <= 0) return;
      top.push({ index, amount });
      top.sort((a, b) => compare(b.amount, a.amount) || a.index - b.index);
      top.length = Math.min(top.length, LARGEST);
    },
    /** @param subjectsOf the user or title of entries */
    done: async (
      files: ReviewReport['files'],
      subjectsOf: (indexes: readonly number[]) => Promise<string[]>,
    ): Promise<Extremes[]> => {
      const described = ({ index, amount }: Seen, subject: string): Notable => {
        const { file, ...place } = entries.placeOf(index);
        return { amount, file: files[file]?.path ?? '', subject, ...place };
      };
      const extremes: Extremes[] = [];
      const shown = [...named.values()].sort((a, b) => b.count - a.count).slice(0, MOST_GROUPS);
      for (const { type, currency, top, least, count } of shown) {
        const subjects = await subjectsOf([...top, least].map(({ index }) => index));
        const largest = top.map((seen, i) => described(seen, subjects[i] ?? ''));
        extremes.push({ type, currency, largest, smallest: described(least, subjects.at(-1) ?? ''), count });
      }
      return extremes;
    },
  };
}

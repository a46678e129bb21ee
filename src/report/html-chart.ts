/** The chart of a page: a bar for each cost center, filled as far as it is paid. */
import { compare, type Decimal, formatDecimal, ZERO } from '../money/decimal.js';
import { escaped } from './markup.js';
import { ellipsize } from './table.js';

export interface Bar {
  readonly name: string;
  readonly due: Decimal;
  /** The filled part of it. */
  readonly done: Decimal;
}

/** More bars would be no picture any more; the table has all of them. */
const MOST_BARS = 15;
/** In the units of the picture, as is all below. */
const WIDTH = 640;
const ROW = 20;
const BAR = 14;
const LABEL = 180;
/** In characters: what fits before the bars. */
const LONGEST_LABEL = 28;

/**
 * The largest amounts of one type and currency, each as a part of the largest. Empty if an amount is below zero: its
 * length would mislead.
 * @param what the type and currency. @param word what is filled: `paid`
 */
export function chartOf(what: string, word: string, bars: readonly Bar[]): string {
  const shown = [...bars].sort((a, b) => compare(b.due, a.due)).slice(0, MOST_BARS);
  const [largest] = shown;
  const isBelow = ({ due, done }: Bar): boolean => compare(due, ZERO) < 0 || compare(done, ZERO) < 0;
  if (largest === undefined || compare(largest.due, ZERO) === 0 || bars.some(isBelow)) return '';
  // Lengths need no exactness.
  const scale = (WIDTH - LABEL) / numberOf(largest.due);
  const rows = shown.map(({ name, due, done }, i) => {
    const rect = (kind: string, amount: Decimal): string =>
      `<rect class="${kind}" x="${LABEL}" y="${i * ROW + 2}" width="${(numberOf(amount) * scale).toFixed(1)}" height="${BAR}"></rect>`;
    const label = `<text x="0" y="${i * ROW + BAR}">${escaped(ellipsize(name, LONGEST_LABEL))}</text>`;
    return label + rect('done', done) + rect('due', due);
  });
  const title = `${what}: the largest amounts by cost center`;
  const size = `viewBox="-1 0 ${WIDTH + 2} ${shown.length * ROW + 4}"`;
  const svg = `<svg ${size} role="img" aria-label="${escaped(title)}">\n${rows.join('\n')}\n</svg>`;
  return `<figure>\n<figcaption>${escaped(`${title}; filled: ${word}`)}</figcaption>\n${svg}\n</figure>\n`;
}

function numberOf(amount: Decimal): number {
  return Number(formatDecimal(amount));
}

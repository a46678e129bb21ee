/** Warnings once more, right above the question: by then, their lines have left the screen. */
import type { IssueLine, RepeatedWarning } from './issue-groups.js';
import { pluralize, textWidth, wrapText } from './table.js';

/** Warnings that may mean a wrong payment or gig, the worst first. Others follow, those of most records first. */
// prettier-ignore
const BY_WEIGHT: readonly string[] = [
  'open-unknown', 'known-elsewhere', 'open-left', 'changed-since', 'pays-a-result', 'no-batch', 'rejected-left',
  'similar-rows', 'identical-rows', 'total-row', 'set-over', 'wide-filter', 'missing-dollar', 'placeholder', 'past-start',
  'not-positive', 'milliseconds', 'distant-date', 'doubtful-id', 'lost-digits', 'doubtful-encoding', 'mixed-dates',
  'no-currency', 'unknown-currency', 'unpriced',
];

/** More would push the money off the screen. */
const MOST_WARNINGS = 3;
const LINES_OF_EACH = 2;

export class WarningsAgain {
  private kept: RepeatedWarning[] = [];
  /** Kinds of warnings that are not kept. */
  private dropped = 0;

  keep(lines: readonly IssueLine[]): void {
    const found = lines.map(({ again }) => again).filter((again) => again !== null);
    const all = [...this.kept, ...found].sort(byWeight);
    this.kept = all.slice(0, MOST_WARNINGS);
    this.dropped += all.length - this.kept.length;
  }

  /** The most important ones. @param count of all warnings. @param width columns of the terminal */
  lines(count: number, width: number): string[] {
    if (count === 0) return [];
    if (this.kept.length === 0) return [pluralize(count, 'warning')];
    const head = `${pluralize(count, 'warning')}${this.dropped === 0 ? '' : '; the most important'}:`;
    return [head, ...this.kept.flatMap(({ text }) => cutLines(`- ${text}`, width))];
  }
}

function byWeight(one: RepeatedWarning, other: RepeatedWarning): number {
  return rankOf(one) - rankOf(other) || other.records - one.records;
}

function rankOf({ code }: RepeatedWarning): number {
  const rank = BY_WEIGHT.indexOf(code);
  return rank < 0 ? BY_WEIGHT.length : rank;
}

/** The first lines of a text. */
function cutLines(text: string, width: number): string[] {
  const lines = wrapText(text, width);
  if (lines.length <= LINES_OF_EACH) return lines;
  const last = lines[LINES_OF_EACH - 1] ?? '';
  const cut = textWidth(last) < width ? last : Array.from(last).slice(0, -1).join('');
  return [...lines.slice(0, LINES_OF_EACH - 1), `${cut}…`];
}

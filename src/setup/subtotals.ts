/**
 * Rows that look like the total of a group: `Total for Ana`, with the sum of the rows above it. A run knows only a word
 * for a sum that stands alone, so setup asks.
 */
import { compare, type Decimal, ZERO } from '../money/decimal.js';
import { RunningSum } from '../money/running-sum.js';
import { isSumWord } from '../records/sum-words.js';
import type { SampleValue } from './inference.js';

/** Rows that look like totals of groups. */
export interface Subtotals {
  readonly count: number;
  readonly first: LabelledRow;
  /** Columns that are empty in all of them, and filled in every row with an amount. */
  readonly emptyColumns: readonly string[];
}

/** The cell with the word for a sum. */
interface LabelledRow extends SampleValue {
  readonly column: string;
  /** The amount of its row is the sum of so many rows above it. */
  readonly rowsAbove: number;
}

/** One row, above those that look like a total in the same way, says little about a title: `Balance of October`. */
const FEWEST_ROWS = { user: 1, title: 2 };

/** Looks at the rows of a file, one after another. */
export class SubtotalFinder {
  private readonly names: readonly string[];
  private readonly labels: readonly { readonly column: string; readonly at: number; readonly fewest: number }[];
  private readonly isFilled: boolean[];
  private readonly isEmpty: boolean[];
  private sum = new RunningSum();
  private rowsAbove = 0;
  private count = 0;
  private first: LabelledRow | null = null;

  /** @param user column; null if it is not known, like the title */
  constructor(names: readonly string[], user: string | null, title: string | null) {
    this.names = names;
    this.isFilled = names.map(() => true);
    this.isEmpty = names.map(() => true);
    this.labels = [
      { column: user ?? '', at: names.indexOf(user ?? ''), fewest: FEWEST_ROWS.user },
      { column: title ?? '', at: names.indexOf(title ?? ''), fewest: FEWEST_ROWS.title },
    ].filter(({ column }) => column !== '');
  }

  /** @param isRead false for a row that a condition filters out: it counts for the sums alone */
  see(cells: readonly string[], line: number, amount: Decimal, isRead: boolean): void {
    const cellAt = (at: number): string => (cells[at] ?? '').trim();
    const label = this.labels.find(({ at }) => isSumLabel(cellAt(at)));
    const isTotal = cells.some((cell) => isSumWord(cell.trim()));
    const isSum = compare(this.sum.value(), amount) === 0 && compare(amount, ZERO) !== 0;
    if (isTotal || (label !== undefined && isSum && this.rowsAbove >= label.fewest)) {
      if (label !== undefined && !isTotal && isRead) {
        this.names.forEach((_name, at) => (this.isEmpty[at] &&= cellAt(at) === ''));
        this.first ??= { line, typed: cellAt(label.at), column: label.column, rowsAbove: this.rowsAbove };
        this.count++;
      }
      this.sum = new RunningSum();
      this.rowsAbove = 0;
      return;
    }
    this.sum.add(amount);
    this.rowsAbove++;
    this.names.forEach((_name, at) => (this.isFilled[at] &&= cellAt(at) !== ''));
  }

  subtotals(): Subtotals | null {
    if (this.first === null) return null;
    const emptyColumns = this.names.filter((name, at) => name !== '' && this.isFilled[at] && this.isEmpty[at]);
    return { count: this.count, first: this.first, emptyColumns };
  }
}

/** `Total for Ana`, `Summe: Ana`, `Ana Gesamt`, `Grand total for Ana`: a word for a sum, and others. */
function isSumLabel(text: string): boolean {
  const words = text.split(/\s+/);
  return [words.slice(0, 1), words.slice(0, 2), words.slice(-1)].some((part) => isSumWord(part.join(' ')));
}

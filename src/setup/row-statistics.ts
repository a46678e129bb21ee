/** Kinds of rows in a file with known columns: rows that would stop a run, or be paid by mistake. */
import { RunningSum } from '../money/running-sum.js';
import { parseDecimal } from '../money/decimal.js';
import { isSumWord } from '../records/sum-words.js';
import { splitSign } from '../input/currency-signs.js';
import { type DecimalMark, readNumber } from '../input/numbers.js';
import { parseFilter, RowFilter } from '../input/row-filter.js';
import type { SampleValue } from './inference.js';
import type { SurveyRow } from './sample-source.js';

/** Rows that have something in common. */
export interface RowGroup {
  readonly count: number;
  /** Of their amounts, as typed. */
  readonly sum: RunningSum;
  readonly first: SampleValue;
}

/** Kinds of rows by their amount, and rows without a payee. */
type RowKind = 'negative' | 'positive' | 'zero' | 'empty' | 'unread' | 'unnamed';

export interface RowStatistics {
  /** Rows that are read, without the totals. */
  readonly count: number;
  readonly kinds: ReadonlyMap<RowKind, RowGroup>;
  /** Amounts that no setting reads, by their typed text; a few different ones. */
  readonly unread: ReadonlyMap<string, RowGroup>;
  /** By the column with the word, and the word. */
  readonly totals: readonly { readonly column: string; readonly word: string; readonly group: RowGroup }[];
  /** By column and word. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, RowGroup>>;
}

export interface RowsWanted {
  readonly path: string;
  readonly names: readonly string[];
  /** Columns; null if not known. */
  readonly amount: string | null;
  readonly user: string | null;
  /** Columns whose words are counted. */
  readonly worded: readonly string[];
  readonly mark: DecimalMark | null;
  readonly only: readonly string[];
}

const MOST_GROUPS = 24;

/** Keeps only the first of many different keys. */
class Groups<Key extends string> extends Map<Key, RowGroup> {
  put(key: Key, seen: SampleValue, amount: string | null): void {
    const known = this.get(key);
    if (known === undefined && this.size === MOST_GROUPS) return;
    const group = known ?? { count: 0, sum: new RunningSum(), first: seen };
    if (amount !== null) group.sum.add(parseDecimal(amount));
    this.set(key, { ...group, count: group.count + 1 });
  }
}

/** @throws FileFault; UsageError for a condition on a column that the file lacks */
export async function findRows(
  rows: AsyncIterable<readonly SurveyRow[]>,
  { path, names, amount, user, worded, mark: declared, only }: RowsWanted,
): Promise<RowStatistics> {
  const mark = declared ?? 'point';
  const style = { decimal: mark, dateOrder: 'ymd', currencySigns: true, negate: false } as const;
  const rules = only.map((written) => parseFilter('--only', written));
  const onlyRows = new RowFilter(rules, names, path, [], style, () => null);
  const kinds = new Groups<RowKind>();
  const unread = new Groups();
  const totals = new Groups();
  const words = new Map(worded.map((name) => [name, new Groups()]));
  let count = 0;
  for await (const batch of rows) {
    for (const each of batch) {
      const row = { ...each, cells: inMark(each, mark) };
      if (onlyRows.judge(row, false) === null) continue;
      const cellOf = (name: string | null): string =>
        (row.cells[name === null ? -1 : names.indexOf(name)] ?? '').trim();
      const typed = cellOf(amount);
      const number = numberIn(cellOf(amount), mark);
      const seen = { line: row.line, typed };
      const sumAt = row.cells.findIndex((cell) => isSumWord(cell));
      if (sumAt >= 0) {
        totals.put(JSON.stringify([names[sumAt], (row.cells[sumAt] ?? '').trim()]), seen, number);
        continue;
      }
      count++;
      if (amount !== null) kinds.put(kindOf(typed, number), seen, number);
      if (typed !== '' && number === null) unread.put(typed, seen, null);
      if (user !== null && cellOf(user) === '') kinds.put('unnamed', seen, number);
      for (const [name, groups] of words) groups.put(cellOf(name), { ...seen, typed: cellOf(name) }, number);
    }
  }
  const totalsFound = [...totals].map(([key, group]) => {
    const [column = '', word = ''] = JSON.parse(key) as string[];
    return { column, word, group };
  });
  return { count, kinds, unread, totals: totalsFound, words };
}

/** The cells as a run reads them: a workbook's number has the decimal mark of the others. */
function inMark({ cells, typed }: SurveyRow, mark: DecimalMark): readonly string[] {
  if (typed === undefined || mark === 'point') return cells;
  return cells.map((cell, i) => (typed[i]?.is === 'number' ? cell.replace('.', ',') : cell));
}

/** In JSON's notation, without a currency sign; null if it is not a number. */
function numberIn(typed: string, mark: DecimalMark): string | null {
  const reading = readNumber(splitSign(typed)?.number ?? typed, mark);
  return reading.ok ? reading.text : null;
}

function kindOf(typed: string, number: string | null): RowKind {
  if (number === null) return typed === '' ? 'empty' : 'unread';
  if (!/[1-9]/.test(number)) return 'zero';
  return number.startsWith('-') ? 'negative' : 'positive';
}

/** Kinds of rows in a file with known columns: rows that would stop a run, or be paid by mistake. */
import { RunningSum } from '../../money/running-sum.js';
import { parseDecimal } from '../../money/decimal.js';
import { isSumWord } from '../../records/sum-words.js';
import { splitSign } from '../currency-signs.js';
import { type DecimalMark, readNumber } from '../numbers.js';
import { onlyRule, type OnlyRule } from '../only-rows.js';
import type { Seen } from './conclusion.js';
import type { SurveyRow } from './survey-source.js';

/** Rows that have something in common. */
export interface RowGroup {
  readonly count: number;
  /** Of their amounts, as typed. */
  readonly sum: RunningSum;
  readonly first: Seen;
}

export interface RowsFound {
  /** Rows that are read, without the totals. */
  readonly count: number;
  readonly negative: RowGroup | null;
  readonly positive: RowGroup | null;
  readonly zero: RowGroup | null;
  readonly empty: RowGroup | null;
  /** Amounts that no setting reads, by their typed text; a few different ones. */
  readonly unread: ReadonlyMap<string, RowGroup>;
  /** By the column with the word, and the word. */
  readonly totals: readonly { readonly column: string; readonly word: string; readonly group: RowGroup }[];
  /** Rows without a payee. */
  readonly unnamed: RowGroup | null;
  /** By column and word. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, RowGroup>>;
}

export interface RowsWanted {
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

/** Keeps only the first of many different texts. */
class Groups extends Map<string, RowGroup> {
  put(key: string, seen: Seen, amount: string | null): void {
    const known = this.get(key);
    if (known === undefined && this.size === MOST_GROUPS) return;
    const group = known ?? { count: 0, sum: new RunningSum(), first: seen };
    if (amount !== null) group.sum.add(parseDecimal(amount));
    this.set(key, { ...group, count: group.count + 1 });
  }
}

/** @throws FileFault */
export async function findRows(
  rows: AsyncIterable<readonly SurveyRow[]>,
  { names, amount, user, worded, mark, only }: RowsWanted,
): Promise<RowsFound> {
  const rules = only.map((written) => onlyRule('--only', written));
  const kinds = new Groups();
  const unread = new Groups();
  const totals = new Groups();
  const words = new Map(worded.map((name) => [name, new Groups()]));
  const [amountAt, userAt] = [amount, user].map((name) => (name === null ? -1 : names.indexOf(name)));
  let count = 0;
  for await (const batch of rows) {
    for (const { cells, line, typed: types } of batch) {
      const cellOf = (at: number | undefined): string => (cells[at ?? -1] ?? '').trim();
      if (!rules.every((rule) => holds(rule, cellOf(names.indexOf(rule.column)), mark))) continue;
      const typed = cellOf(amountAt);
      // What is a number by itself has a point, however the file writes others.
      const number = readAmount(typed, types?.[amountAt ?? -1]?.is === 'number' ? 'point' : mark);
      const seen = { line, typed };
      const sumAt = cells.findIndex((cell) => isSumWord(cell));
      if (sumAt >= 0) {
        totals.put(JSON.stringify([names[sumAt], cellOf(sumAt)]), seen, number);
        continue;
      }
      count++;
      if (amount !== null) kinds.put(kindOf(typed, number), seen, number);
      if (typed !== '' && number === null) unread.put(typed, seen, null);
      if (user !== null && cellOf(userAt) === '') kinds.put('unnamed', seen, number);
      for (const [name, groups] of words) {
        const word = cellOf(names.indexOf(name));
        groups.put(word, { line, typed: word }, number);
      }
    }
  }
  const group = (kind: string): RowGroup | null => kinds.get(kind) ?? null;
  return {
    ...{ count, negative: group('negative'), positive: group('positive'), zero: group('zero'), empty: group('empty') },
    ...{ unread, unnamed: group('unnamed'), words },
    totals: [...totals].map(([key, found]) => {
      const [column = '', word = ''] = JSON.parse(key) as string[];
      return { column, word, group: found };
    }),
  };
}

/** In JSON's notation, without a currency sign; null if it is not a number. */
function readAmount(typed: string, mark: DecimalMark | null): string | null {
  const number = splitSign(typed)?.number ?? typed;
  const reading = readNumber(number, mark ?? 'point');
  return reading.ok ? reading.text : null;
}

function kindOf(typed: string, number: string | null): string {
  if (number === null) return typed === '' ? 'empty' : 'unread';
  if (!/[1-9]/.test(number)) return 'zero';
  return number.startsWith('-') ? 'negative' : 'positive';
}

/** A cell that is not a number is not left out: a run refuses it. */
function holds({ test, text }: OnlyRule, cell: string, mark: DecimalMark | null): boolean {
  if (test === '=' || test === '!=') return (cell === text) === (test === '=');
  const kind = kindOf(cell, readAmount(cell, mark));
  return kind === 'unread' || kind === (test === '<' ? 'negative' : 'positive');
}

/** Rows that are not paid because of a condition: they are shown, and the values of its column become known ones. */
import { parseFilter } from '../input/row-filter.js';
import type { FilterRule } from '../input/filtered-rows.js';
import { excerpt } from '../records/issue.js';
import { isSumWord } from '../records/sum-words.js';
import { printable } from '../report/printable.js';
import { columnLines, ellipsize, pluralize } from '../report/table.js';
import type { LayoutAnalysis } from './analyze.js';
import { isMoney } from './field-inference.js';
import { sameInAllRows } from './row-questions.js';

const WIDEST_NAME = 24;

/** Filtered rows, each with its reason. */
export interface ShownFilteredRows {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Null if no row is filtered out. */
export function filteredRows({ rows: { filtered, count } }: LayoutAnalysis): ShownFilteredRows | null {
  if (filtered.count === 0) return null;
  const cells = filtered.rows.map(({ line, user, amount, rule, cell }) => {
    const payee = ellipsize(printable(user), WIDEST_NAME);
    return [`line ${line}`, payee, ellipsize(printable(amount), WIDEST_NAME), printable(filterReasonText(rule, cell))];
  });
  const more = filtered.count - filtered.rows.length;
  const lines = columnLines(cells, [undefined, undefined, 'right', undefined]);
  const all = pluralize(filtered.count + count, 'row');
  const title = `${filtered.count} of ${all} ${filtered.count === 1 ? 'is' : 'are'} left out, and not paid:`;
  return { title, lines: more === 0 ? lines : [...lines, `\u2026 and ${pluralize(more, 'more row')}`] };
}

function filterReasonText({ column, test, text }: FilterRule, cell: string): string {
  const is = `${excerpt(column)} is ${cell === '' ? 'empty' : excerpt(cell)}`;
  if (test === '=') return `${is}, not ${text === '' ? 'empty' : excerpt(text)}`;
  if (test === '!=') return is;
  return `${is}, not ${test === '<' ? 'below' : 'above'} 0`;
}

/**
 * By column: the values that a person has decided about. CONTRACT: `known_values`. None for a column of amounts or
 * payees, or one that only marks totals: another month has others.
 */
export function decidedValues(analysis: LayoutAnalysis): Readonly<Record<string, readonly string[]>> {
  const { answers, fields, rows, statusColumns } = analysis;
  const isStatus = (name: string): boolean => statusColumns.some(({ column }) => column === name);
  const varying = fields.columns
    .filter(({ path, field }) => isMoney(field) || path === 'user_id')
    .map(({ name }) => name);
  const known = new Map<string, readonly string[]>();
  for (const written of [...answers.only, ...sameInAllRows(analysis)]) {
    const { column, test, text } = parseFilter('--only', written);
    // The filled cells of `COLUMN=` and `COLUMN!=` are mostly numbers of documents, and dates: new ones come every month.
    const isKind =
      text === '' ? test === '!=' && isStatus(column) : test === '=' || (test === '!=' && !isSumWord(text));
    // A condition that all rows fulfil is not in force yet.
    const values = rows.conditioned.has(column) ? rows.conditioned.get(column) : [text];
    if (isKind && values !== null && values !== undefined && !varying.includes(column)) known.set(column, values);
  }
  return Object.fromEntries(known);
}

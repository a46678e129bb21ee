/** Rows that `--only` filters out, for people: they are no records, so no total counts them. */
import { filteredAmountsText, type FilteredGroup } from '../input/filtered-rows.js';
import { excerpt } from '../records/issue.js';
import { pluralize } from './table.js';

/** `Filtered out by --only "Type=Hourly": 2 rows, 330.95 EUR`. @param most lines with a rule of their own */
export function filteredLines(groups: readonly FilteredGroup[], most = Infinity): string[] {
  const lines = groups.slice(0, most).map((group) => {
    const rows = pluralize(group.count, 'row');
    return `Filtered out by --only ${JSON.stringify(excerpt(group.rule))}: ${rows}${filteredAmountsText([group])}`;
  });
  const others = groups.slice(most);
  if (others.length === 0) return lines;
  const count = others.reduce((sum, group) => sum + group.count, 0);
  const words = `Filtered out by ${pluralize(others.length, 'more rule')} of --only`;
  return [...lines, `${words}: ${pluralize(count, 'row')}${filteredAmountsText(others)}`];
}

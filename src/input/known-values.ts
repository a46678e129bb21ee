/** The values of a column that a person has decided about. CONTRACT: `known_values`. */
import { hiddenIn } from '../records/misleading-text.js';
import { error, excerpt, type Finding } from '../records/issue.js';
import { isSumWord } from '../records/sum-words.js';
import { shellCommand } from '../util/shell-quote.js';
import { columnName } from './columns.js';
import type { ColumnBinding } from './raw-record.js';
import { NO_REFUSALS, requireColumn } from './row-filter.js';
import type { FilterRule } from './filtered-rows.js';
import type { Row } from './rows.js';

/** The only values that a column may have. */
export interface KnownValues {
  readonly column: string;
  /** Without the spaces around them; an empty cell is the value `''`. */
  readonly values: ReadonlySet<string>;
  /** Where they are written: `the profile payroll`, or the path of the config file; null if only flags have them. */
  readonly source: string | null;
}

/** @param settings one for each column. @param flags add to them */
export function joinKnownValues(settings: readonly KnownValues[], flags: readonly KnownValues[]): KnownValues[] {
  const columns = new Map<string, { readonly values: Set<string>; readonly source: string | null }>();
  for (const { column, values, source } of [...settings, ...flags]) {
    const name = columnName(column).trim();
    const known = columns.get(name) ?? { values: new Set<string>(), source };
    columns.set(name, known);
    for (const value of values) known.values.add(value.trim());
  }
  return Array.from(columns, ([column, { values, source }]) => ({ column, values, source }));
}

/** Where a person has named the column: `--known-value "Type"`. */
export function knownValuesPlace({ column, source }: KnownValues): string {
  const said = source === null ? '--known-value' : `known_values in ${source}`;
  return `${said} ${JSON.stringify(excerpt(column))}`;
}

/** A column of a file, as its cells are checked. */
interface CheckedColumn extends KnownValues {
  readonly index: number;
  /** The field that it maps to, or null. */
  readonly field: string | null;
}

/** Finds values that nobody has decided about yet. */
export class KnownValueCheck {
  private readonly columns: readonly CheckedColumn[];
  private readonly platform: NodeJS.Platform;

  /**
   * @param names of the columns
   * @param bound those that map to a field
   * @param platform for whose shells flags are quoted
   * @throws UsageError for a column that the file lacks
   */
  constructor(
    known: readonly KnownValues[],
    names: readonly string[],
    path: string,
    bound: readonly ColumnBinding[],
    platform: NodeJS.Platform,
  ) {
    const columns = new Map<number, CheckedColumn>();
    for (const each of known) {
      const index = requireColumn(each.column, names, `${path}: ${knownValuesPlace(each)}`);
      const field = bound.find((column) => column.index === index)?.path ?? null;
      // A setting may name the column, and a flag its position.
      const { column, values, source } = columns.get(index) ?? { ...each, values: [] };
      columns.set(index, { column, source, index, field, values: new Set([...values, ...each.values]) });
    }
    this.columns = [...columns.values()];
    this.platform = platform;
  }

  /** By the cell's index. @param rule the one that filters the row out; null if it is read */
  check(row: Row, rule: FilterRule | null): ReadonlyMap<number, Finding> {
    let found: Map<number, Finding> | null = null;
    for (const { column, index, values, field, source } of this.columns) {
      const refusal = row.refusalOf?.({ index, path: column, kind: null }, null) ?? null;
      const cell = row.cells[index] ?? '';
      const value = cell.trim();
      if (refusal === null && values.has(value)) continue;
      const unknown = error('unknown-value', field, this.message(column, value, source, rule), cell);
      (found ??= new Map()).set(index, refusal ?? unknown);
    }
    // Nobody is in a total row that is filtered out, so its other cells decide about nobody.
    const isTotal = found !== null && rule !== null && row.cells.some((cell) => isSumWord(cell.trim()));
    return found === null || isTotal ? NO_REFUSALS : found;
  }

  private message(column: string, value: string, source: string | null, rule: FilterRule | null): string {
    const shown = JSON.stringify(excerpt(value));
    const found = `"${excerpt(column)}" is ${value === '' ? 'empty' : shown}, which is not among its known values.`;
    const known = this.flags(['--known-value', `${column}=${value}`]);
    const setting = source === null ? '' : `add ${shown} to known_values in ${source}, or `;
    const accept = `If that is right, ${setting}add ${known}`;
    if (rule !== null) {
      const { written, source: place } = rule;
      const filter =
        place === '--only'
          ? `--only ${JSON.stringify(excerpt(written))}`
          : `${JSON.stringify(excerpt(written))} (${place})`;
      return `${found} ${filter} filters this row out, so it is not sent. ${accept}. If it must be sent, change that filter`;
    }
    const without = this.flags(['--only', `${column}!=${value}`, '--known-value', `${column}=${value}`]);
    return `${found} This row would be sent. ${accept}. If not, filter such rows out: ${without}`;
  }

  /** Only a text that a person can see can be pasted. */
  private flags(words: readonly string[]): string {
    const isTypable = words.every((word) => hiddenIn(word) === null && excerpt(word) === word);
    return isTypable
      ? shellCommand(words, this.platform)
      : words.map((word) => (word.startsWith('--') ? word : 'COLUMN=VALUE')).join(' ');
  }
}

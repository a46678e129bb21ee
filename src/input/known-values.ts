/** The values of a column that a person has decided about. CONTRACT: `known_values`. */
import { columnName } from './columns.js';

/** The only values that a column may have. */
export interface KnownValues {
  readonly column: string;
  /** Without the spaces around them; an empty cell is the value `''`. */
  readonly values: ReadonlySet<string>;
  /** Where they are written: the flag, or the profile or file with the setting. */
  readonly source: string;
}

/** The values of one column from one source. */
export interface NamedValues {
  readonly column: string;
  readonly values: readonly string[];
  readonly source: string;
}

/** @param settings one for each column. @param flags add to them */
export function joinKnownValues(settings: readonly NamedValues[], flags: readonly NamedValues[]): KnownValues[] {
  const columns = new Map<string, { readonly values: Set<string>; readonly source: string }>();
  for (const { column, values, source } of [...settings, ...flags]) {
    const name = columnName(column).trim();
    const known = columns.get(name) ?? { values: new Set<string>(), source };
    columns.set(name, known);
    for (const value of values) known.values.add(value.trim());
  }
  return Array.from(columns, ([column, { values, source }]) => ({ column, values, source }));
}

/** The header of a table: the field of each column. */
import { fieldAt, type Shape } from '../records/fields.js';
import { memberPath } from '../records/issue.js';
import { columnName, fieldName, isDropped, type ColumnMapping } from './columns.js';
import { isResultColumn, KEY_COLUMN } from './result-columns.js';
import { type ColumnBinding, FileFault } from './raw-record.js';

export interface HeaderCells {
  /** The number of cells that a row must have. */
  readonly width: number;
  /** Cells without a column name: content there is an error. */
  readonly unnamed: readonly number[];
}

export interface Header extends HeaderCells {
  /** As an editor numbers it; without a header, that of the first row. */
  readonly line: number;
  readonly columns: readonly ColumnBinding[];
  /** Columns that are not fields of the record, by the cell in the row. */
  readonly unknown: ReadonlyMap<number, string>;
  /** Names of the columns that are dropped: on a person's demand, and because they are not fields. */
  readonly ignored: readonly string[];
  readonly others: readonly string[];
  /** The cell with the key of the payment that the row replaces, or null. */
  readonly key: number | null;
}

export function namesIn(cells: readonly string[]): string[] {
  return cells.map((cell) => columnName(cell).trim());
}

/** Field names of the columns, to detect the record type of the file. */
export function headerFields(names: readonly string[], naming: ColumnMapping): string[] {
  const named = names.filter((name) => name !== '');
  return named.map((name) => fieldName(name, naming)).filter((field) => field !== null);
}

/**
 * @param used names of columns that are needed, whether they are fields or not
 * @throws FileFault for two columns of the same field
 */
export function bindHeader(
  names: readonly string[],
  line: number,
  shape: Shape,
  naming: ColumnMapping,
  used: readonly string[] = [],
): Header {
  const fields = shape.inputFields;
  const columns: ColumnBinding[] = [];
  const unknown = new Map<number, string>();
  const unnamed: number[] = [];
  const ignored: string[] = [];
  const others: string[] = [];
  names.forEach((name, index) => {
    const path = fieldName(name, naming);
    const field = path === null ? null : fieldAt(fields, path);
    if (name === '') unnamed.push(index);
    else if (isResultColumn(name)) return;
    else if (path === null) ignored.push(name);
    else if (field !== null) columns.push({ index, name, path, field });
    else if (used.includes(name)) return;
    else if (isDropped(name, naming)) others.push(name);
    else unknown.set(index, path);
  });
  // Dropped columns are checked too: nobody can say which of two columns with the same name was meant.
  refuseDuplicates(
    names.filter((name) => name !== ''),
    line,
  );
  refuseOverlap([...columns.map(({ path }) => path), ...unknown.values()], line);
  const key = naming.ignore.has(KEY_COLUMN) ? -1 : names.indexOf(KEY_COLUMN);
  return { line, width: names.length, columns, unknown, ignored, others, unnamed, key: key < 0 ? null : key };
}

function refuseDuplicates(names: readonly string[], line: number): Set<string> {
  const known = new Set<string>();
  for (const name of names) {
    if (known.has(name)) throw duplicate(name, name, line);
    known.add(name);
  }
  return known;
}

/** Two columns must not map to one field, nor to an object and a part of it. */
function refuseOverlap(paths: readonly string[], line: number): void {
  const known = refuseDuplicates(paths, line);
  for (const path of paths) {
    const steps = path.split('.', DEEPEST_PATH);
    const above = steps.map((_, i) => steps.slice(0, i).join('.')).find((start) => known.has(start));
    if (above !== undefined) throw duplicate(above, path, line);
  }
}

/** More steps than any field's path has. */
const DEEPEST_PATH = 8;

function duplicate(path: string, other: string, line: number): FileFault {
  const one = memberPath('', path);
  const two = memberPath('', other);
  const found = path === other ? `two columns give ${one}` : `the columns ${one} and ${two} give the same field`;
  const remedy = 'rename one in the file, or drop one with --ignore-column where their names differ';
  return new FileFault('duplicate-column', line, `${found}; ${remedy}`, other);
}

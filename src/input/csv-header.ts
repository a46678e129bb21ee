/** The header of a table: the field of each column. */
import { fieldAt, type Shape } from '../records/fields.js';
import { encodingDoubtIn } from '../records/doubtful-encoding.js';
import { memberPath, warning } from '../records/issue.js';
import { shellQuote } from '../util/shell-quote.js';
import {
  columnField,
  columnsNamed,
  isPlaced,
  openNames,
  shownColumn,
  headerColumns,
  type HeaderColumn,
} from './column-places.js';
import { columnName, isDropped, type ColumnMapping } from './columns.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { isResultColumn, KEY_COLUMN } from './result-columns.js';
import { type ColumnBinding, FileFault } from './raw-record.js';

export interface Header {
  /** As an editor numbers it; without a header, that of the first row. */
  readonly line: number;
  /** The number of cells that a row must have. */
  readonly width: number;
  readonly columns: readonly ColumnBinding[];
  /** Cells that a template puts into other text, or into a query. */
  readonly withinText: ReadonlySet<number>;
  /** Cells without a column name: content there is an error. */
  readonly unnamed: readonly number[];
  /** Cells without a column name that are dropped because they are no fields, whether they have content or not. */
  readonly passedOver: readonly number[];
  /** Columns that are not fields of the record, by the cell in the row. */
  readonly unknown: ReadonlyMap<number, string>;
  /** Names of the columns that are dropped: on a person's demand, and because they are not fields. */
  readonly ignored: readonly string[];
  readonly others: readonly string[];
  /** The cells of all dropped columns. */
  readonly dropped: ReadonlySet<number>;
  /** The columns whose texts decide which rows are read. */
  readonly compared: ReadonlySet<number>;
  /** The cell with the key of the payment that the row replaces, or null. */
  readonly key: number | null;
}

const NOTHING_WITHIN_TEXT: ReadonlySet<number> = new Set();

export function namesIn(cells: readonly string[]): string[] {
  return cells.map((cell) => columnName(cell).trim());
}

/** The first column name that the guessed encoding has most likely read wrongly, with how many there are. */
export function nameDoubtIn(names: readonly string[], line: number, isEncodingGuessed: boolean): FileInfo['nameDoubt'] {
  const doubts = names.map((name) => encodingDoubtIn(name, isEncodingGuessed)).filter((doubt) => doubt !== null);
  const [first] = doubts;
  if (first === undefined) return null;
  const others = doubts.length === 1 ? '' : `, and ${doubts.length - 1} more`;
  const message = `The column name ${JSON.stringify(first.word)}${others} ${first.problem}`;
  return { finding: warning('doubtful-encoding', null, message, first.word), line };
}

/** Field names of the columns, to detect the record type of the file. */
export function headerFields(names: readonly string[], naming: ColumnMapping): string[] {
  return headerColumns(names, naming)
    .map((column) => columnField(column, naming))
    .filter((field) => field !== null);
}

/** The columns that decide which rows are read. */
export interface RuleColumns {
  /** Those whose texts are compared. */
  readonly compared: ReadonlySet<number>;
  readonly used: ReadonlySet<number>;
}

export function ruleColumns(names: readonly string[], { naming, only, knownValues }: ReadOptions): RuleColumns {
  const open = openNames(names, naming);
  const named = (rules: readonly { readonly column: string }[]): number[] =>
    rules.flatMap(({ column }) => columnsNamed(column, open));
  const compared = new Set(named([...only.filter(({ test }) => test === '=' || test === '!='), ...knownValues]));
  return { compared, used: new Set([...compared, ...named(only)]) };
}

/**
 * @throws FileFault for two columns of the same field, or of one name if both are left
 * @throws UsageError if a flag or setting could mean two columns
 */
export function bindHeader(names: readonly string[], line: number, shape: Shape, options: ReadOptions): Header {
  const { naming, platform } = options;
  const columns = headerColumns(names, naming);
  const { compared, used } = ruleColumns(names, options);
  const bound: (ColumnBinding & HeaderColumn)[] = [];
  const unknown = new Map<number, string>();
  const unnamed: number[] = [];
  const passedOver: number[] = [];
  const ignored: string[] = [];
  const others: string[] = [];
  const dropped = new Set<number>();
  const left: HeaderColumn[] = [];
  for (const column of columns) {
    const { index, name, place } = column;
    const path = columnField(column, naming);
    const field = path === null ? null : fieldAt(shape.inputFields, path);
    const isOfPlace = isPlaced(column, naming);
    const isOther = field === null && !used.has(index);
    if (isResultColumn(name)) left.push(column);
    else if (name === '' && !isOfPlace && !used.has(index)) {
      (naming.ignoreOthers ? passedOver : unnamed).push(index);
      if (naming.ignoreOthers) dropped.add(index);
    } else if (path === null) {
      dropped.add(index);
      if (name !== '' || isOfPlace) ignored.push(name !== '' && isOfPlace ? `${name} (${place})` : shownColumn(column));
    } else if (isOther && isDropped(column, naming)) {
      dropped.add(index);
      others.push(name);
    } else {
      if (!isOfPlace) left.push(column);
      if (field !== null) bound.push({ index, name: shownColumn(column), place, path, field });
      else if (isOther) unknown.set(index, path);
    }
  }
  refuseTwinColumns(left, line, platform);
  const fields = bound.map(({ path, place }) => ({ path, place }));
  for (const [index, path] of unknown) fields.push({ path, place: columns[index]?.place ?? '' });
  refuseOverlap(fields, line, platform);
  const key = naming.ignore.has(KEY_COLUMN) ? -1 : names.indexOf(KEY_COLUMN);
  return {
    line,
    width: names.length,
    columns: bound.map(({ index, name, path, field }) => ({ index, name, path, field })),
    withinText: NOTHING_WITHIN_TEXT,
    unnamed,
    passedOver,
    unknown,
    ignored,
    others,
    dropped,
    compared,
    key: key < 0 ? null : key,
  };
}

/** Nobody can say which of two columns with the same name is meant. @param left those that are not told apart by position */
function refuseTwinColumns(left: readonly HeaderColumn[], line: number, platform: NodeJS.Platform): void {
  const known = new Map<string, HeaderColumn>();
  for (const column of left) {
    const { name, place } = column;
    const first = known.get(name);
    known.set(name, column);
    if (first === undefined) continue;
    const found = `Two columns have the name "${memberPath('', name)}": ${first.place} and ${place}`;
    const remedy = isResultColumn(name)
      ? 'Remove the one that gigwork has not written'
      : `Ignore one of them with ${ignoreFlag(first.place, platform)} or ${ignoreFlag(place, platform)}, or read it as another field with --map ${shellQuote(`${place}=FIELD`, platform)}`;
    throw new FileFault('duplicate-column', line, `${found}. ${remedy}`, name);
  }
}

interface PlacedField {
  readonly path: string;
  readonly place: string;
}

/** Two columns must not map to one field, nor to an object and a part of it. */
function refuseOverlap(fields: readonly PlacedField[], line: number, platform: NodeJS.Platform): void {
  const known = new Map<string, PlacedField>();
  for (const field of fields) {
    const twin = known.get(field.path);
    if (twin !== undefined) throw overlap(twin, field, line, platform);
    known.set(field.path, field);
  }
  for (const field of fields) {
    const steps = field.path.split('.', DEEPEST_PATH);
    const above = steps.map((_, i) => known.get(steps.slice(0, i).join('.'))).find((each) => each !== undefined);
    if (above !== undefined) throw overlap(above, field, line, platform);
  }
}

/** More steps than any field's path has. */
const DEEPEST_PATH = 8;

function overlap(one: PlacedField, other: PlacedField, line: number, platform: NodeJS.Platform): FileFault {
  const first = `${memberPath('', one.path)} (${one.place})`;
  const second = `${memberPath('', other.path)} (${other.place})`;
  const found =
    one.path === other.path
      ? `two columns give ${memberPath('', one.path)}: ${one.place} and ${other.place}`
      : `the columns ${first} and ${second} give the same field`;
  const remedy = `Ignore the one that you do not need: ${ignoreFlag(one.place, platform)} or ${ignoreFlag(other.place, platform)}`;
  return new FileFault('duplicate-column', line, `${found}. ${remedy}`, other.path);
}

function ignoreFlag(place: string, platform: NodeJS.Platform): string {
  return `--ignore-column ${shellQuote(place, platform)}`;
}

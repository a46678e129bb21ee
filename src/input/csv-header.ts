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
import { columnName, type ColumnMapping } from './columns.js';
import type { Dialect } from './csv-layout.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { isResultColumn, KEY_COLUMN } from './result-columns.js';
import { type ColumnBinding, FileFault } from './raw-record.js';

/** What the first row of a table says, with all that its binding needs. */
export interface TableHead {
  readonly names: readonly string[];
  /** As an editor numbers it; without a header, that of the first row. */
  readonly line: number;
  /** With the start of the file's text, for advice about its header. */
  readonly dialect: Dialect;
  readonly options: ReadOptions;
  readonly info: FileInfo;
}

/**
 * What becomes of a column:
 * - `field`: a field of the record; `text`: a template puts it into other text, or into a query
 * - `filter`: it only decides which rows are read; `result`: it is one of gigwork's
 * - `unknown`, `unnamed`: nobody has decided about it. An unnamed one must be empty
 * - `ignored`: dropped on a person's demand; `other`, `passed over`: dropped because it is no field, or has no name
 */
export type ColumnUse =
  'field' | 'text' | 'filter' | 'result' | 'unknown' | 'unnamed' | 'ignored' | 'other' | 'passed over';

export interface AssignedColumn extends HeaderColumn {
  readonly use: ColumnUse;
  /** The field that its name means, whether the record has it or not; empty for none. */
  readonly path: string;
}

export interface Header {
  /** Every column, by the cell in the row. */
  readonly all: readonly AssignedColumn[];
  /** Those that are fields. A template may use one for several. */
  readonly columns: readonly ColumnBinding[];
  /** The columns whose texts decide which rows are read. */
  readonly compared: ReadonlySet<number>;
  /** The cell with the key of the payment that the row replaces, or null. */
  readonly key: number | null;
}

/** The columns with one of these uses, from the left. */
export function columnsFor({ all }: Header, ...uses: readonly ColumnUse[]): AssignedColumn[] {
  return all.filter(({ use }) => uses.includes(use));
}

/** The cells of all dropped columns. */
export function droppedCells(header: Header): ReadonlySet<number> {
  return new Set(columnsFor(header, 'ignored', 'other', 'passed over').map(({ index }) => index));
}

/** The cells without a column name: content there is an error. */
export function namelessCells(header: Header): number[] {
  return columnsFor(header, 'unnamed').map(({ index }) => index);
}

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

export function ruleColumns({ names, options }: TableHead): RuleColumns {
  const { naming, only, knownValues } = options;
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
export function bindHeader(head: TableHead, shape: Shape): Header {
  const { names, line, options } = head;
  const { naming, platform } = options;
  const { compared, used } = ruleColumns(head);
  const columns: ColumnBinding[] = [];
  const all = headerColumns(names, naming).map((column): AssignedColumn => {
    const { index } = column;
    const path = columnField(column, naming);
    const field = path === null ? null : fieldAt(shape.inputFields, path);
    const use = columnUse(column, path, field !== null, used.has(index), naming);
    if (use === 'field' && path !== null && field !== null)
      columns.push({ index, name: shownColumn(column), path, field });
    return { ...column, path: path ?? '', use };
  });
  const isOpen = ({ use }: AssignedColumn): boolean => use === 'field' || use === 'unknown' || use === 'filter';
  const isNamed = (column: AssignedColumn): boolean => isOpen(column) && !isPlaced(column, naming);
  const header = { all, columns, compared, key: keyCell(names, naming.ignore) };
  refuseTwinColumns(
    all.filter((column) => column.use === 'result' || isNamed(column)),
    line,
    platform,
  );
  refuseOverlap([...columnsFor(header, 'field'), ...columnsFor(header, 'unknown')], line, platform);
  return header;
}

/** The cell with the key of the payment that a row replaces, or null. */
export function keyCell(names: readonly string[], ignored: ReadonlySet<string>): number | null {
  const index = ignored.has(KEY_COLUMN) ? -1 : names.indexOf(KEY_COLUMN);
  return index < 0 ? null : index;
}

function columnUse(
  column: HeaderColumn,
  path: string | null,
  isField: boolean,
  isFilter: boolean,
  naming: ColumnMapping,
): ColumnUse {
  const { name, place } = column;
  if (isResultColumn(name)) return 'result';
  if (name === '' && !isPlaced(column, naming) && !isFilter) return naming.ignoreOthers ? 'passed over' : 'unnamed';
  if (path === null) return 'ignored';
  if (isField) return 'field';
  if (isFilter) return 'filter';
  const isMapped = naming.map.has(name) || naming.map.has(place);
  return naming.ignoreOthers && !isMapped ? 'other' : 'unknown';
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

/** Two columns must not map to one field, nor to an object and a part of it. */
function refuseOverlap(fields: readonly AssignedColumn[], line: number, platform: NodeJS.Platform): void {
  const known = new Map<string, AssignedColumn>();
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

function overlap(one: AssignedColumn, other: AssignedColumn, line: number, platform: NodeJS.Platform): FileFault {
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

/** A table whose columns are fields: which column gives which, and the record that a row's cells make. */
import type { Shape } from '../records/fields.js';
import { error, memberPath } from '../records/issue.js';
import { typesShownBy } from '../records/record-schemas.js';
import type { Body } from '../records/types.js';
import { type CellConverter, trimmedCell } from './cells.js';
import { isPlaced } from './column-places.js';
import { assignedFields, bindAssignments, type ColumnMapping } from './columns.js';
import { bindHeader, columnsFor, type Header, headerFields, type TableHead } from './csv-header.js';
import { headerAdvice, headerDoubt, isAllData, isMoved } from './header-place.js';
import { assign } from './json-parser.js';
import { isDash } from './numbers.js';
import { ReplacedCells } from './overrides.js';
import { FileFault, type RawContent } from './raw-record.js';
import type { ReadOptions } from './read-options.js';
import { chooseShape } from './record-type.js';
import { KEY_COLUMN } from './result-columns.js';
import type { RowReading, RowRecord } from './row-record.js';
import { givenBy, noteDropped, type UnknownColumn, unknownColumns } from './unknown-columns.js';

/** @throws FileFault, UsageError */
export function bindFields(head: TableHead): RowReading {
  const { names, dialect, options, info } = head;
  const { assignments, platform, style } = options;
  const shape = chooseTableShape(head);
  const header = bindHeader(head, shape);
  info.columns = { names, fields: header.columns, compared: header.compared };
  if (!hasRequired(header, shape) && !isMoved(names, dialect, options)) tellUnrecognised(head);
  refuseNoHeader(header, head);
  const given = bindAssignments(assignments, shape, style);
  const isGiven = givenBy(header, given);
  const others = columnsFor(header, 'other').map(({ name }) => name);
  noteDropped(info, { ignored: ignoredNames(header, options.naming), others }, shape, isGiven, platform);
  const unknown = unknownColumns(header, shape, isGiven, platform);
  const columns = header.columns.filter(({ path }) => !given.covers(path));
  const replaced = new ReplacedCells(header.columns, given, style);
  if (!replaced.isEmpty) info.overrides = replaced.overrides;
  const reading: RowReading = {
    header,
    columns,
    uses: columns.map(({ index, path, field: { kind, money } }) => ({ index, path, kind, isAmount: money === true })),
    isWhole: assignments.length === 0 && unknown.length === 0,
    given,
    options,
    info,
    currencyOf: currencyIn(columns, given, style),
    contentOf: (row, found) => readFields(row, reading, unknown, found),
    note: replaced.isEmpty ? null : ({ cells, record, line }) => replaced.see(cells, record, line),
  };
  return reading;
}

/** A column without a name is told only if its position is named. */
function ignoredNames(header: Header, naming: ColumnMapping): string[] {
  return columnsFor(header, 'ignored').flatMap((column) => {
    const { name, place } = column;
    if (!isPlaced(column, naming)) return name === '' ? [] : [name];
    return name === '' ? [place] : [`${name} (${place})`];
  });
}

/** @throws UsageError if the header does not show the records' type */
function chooseTableShape(head: TableHead): Shape {
  const { names, line, dialect, options, info } = head;
  const advice = (): string | null => headerAdvice(names, dialect, options);
  if (isAllData(names)) {
    if (!isMoved(names, dialect, options)) tellUnrecognised(head);
    throw noHeader(`This looks like data, and not like column names. ${advice() ?? ''}`, names, line);
  }
  info.fields = headerFields(names, options.naming);
  const given = [...info.fields, ...assignedFields(options.assignments)];
  if (options.type === null && options.shape === null && typesShownBy(given).length === 0) tellUnrecognised(head);
  return chooseShape(given, options, info, advice);
}

function tellUnrecognised({ names, options, info }: TableHead): void {
  if (names.includes(KEY_COLUMN)) {
    const advice = 'such as --template, --map or --profile';
    options.onDetected(
      info.path,
      `this is a rejects file of an earlier run: it has the column ${KEY_COLUMN}. Import it with the flags that said how to read that run's file, ${advice}`,
    );
    return;
  }
  info.isUnrecognised = true;
  options.onUnrecognisedColumns(info.path);
}

/** Whether any column maps to a required field. */
function hasRequired({ columns }: Header, { fields }: Shape): boolean {
  const given = new Set(columns.map(({ path }) => path.split('.', 1)[0]));
  return fields.some(({ name, required, sentDefault }) => required && sentDefault === undefined && given.has(name));
}

/** @throws FileFault for a header without any field name */
function refuseNoHeader(header: Header, { names, line, dialect, options }: TableHead): void {
  if (header.columns.length > 0 || columnsFor(header, 'unknown', 'other').length === 0) return;
  const doubt = headerDoubt(names, dialect, options);
  if (doubt !== null) throw noHeader(doubt, names, line);
  if (columnsFor(header, 'unknown').length > 0) return;
  const message = 'No column is a field or mapped to one, so every column would be ignored';
  throw new FileFault('unknown-field', line, message);
}

function noHeader(message: string, names: readonly string[], line: number): FileFault {
  return new FileFault('header-like-data', line, message, names.join(' | '));
}

const CURRENCY_PATH = 'currency';

/** The source of a record's currency: a value set for all of them, or a cell. */
function currencyIn(
  columns: RowReading['columns'],
  given: RowReading['given'],
  style: ReadOptions['style'],
): RowReading['currencyOf'] {
  const index = columns.find(({ path }) => path === CURRENCY_PATH)?.index ?? -1;
  const body: Body = {};
  given.apply(body);
  const always = given.covers(CURRENCY_PATH) ? body[CURRENCY_PATH] : undefined;
  return (cells) => (typeof always === 'string' ? always : trimmedCell(cells[index] ?? '', 'currency', style)) || null;
}

function readFields(
  { cells, refused }: RowRecord,
  { columns, given, currencyOf, options }: RowReading,
  unknown: readonly UnknownColumn[],
  found: CellConverter,
): RawContent {
  const input: Body = {};
  for (const { index, path, message, listed } of unknown) {
    const cell = cells[index] ?? '';
    // Without a header, an empty column does not count as a column.
    if (cell === '' && options.headerLine === 0) continue;
    found.findings.push({
      ...error('unknown-field', memberPath('', path), message, cell === '' ? undefined : cell),
      listed,
    });
  }
  for (const { index, path, field } of columns) {
    const cell = trimmedCell(cells[index] ?? '', field.kind, options.style);
    if (cell === '' || refused.has(index)) continue;
    const isAmount = field.money === true;
    if ((isAmount || field.isPrice === true) && isDash(cell)) continue;
    const value = isAmount ? found.convertAmount(cell, path, currencyOf(cells)) : found.convert(field, cell, path);
    if (path === field.name) input[path] = value;
    else assign(input, path.split('.'), value);
  }
  given.apply(input);
  // Cells of a field that a flag sets for every record do not count.
  for (const cellPath of found.typed?.keys() ?? []) if (given.covers(cellPath)) found.typed?.delete(cellPath);
  const { findings, unreadable, typed } = found;
  return { input, findings, unreadable, typed };
}

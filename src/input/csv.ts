/** CSV (RFC 4180, read strictly) → raw records: which cell gives which field, and rows that do not fit their header. */
import type { Body, Field } from '../records/field.js';
import { type Finding, error, memberPath } from '../records/issue.js';
import { convertAmount, settleSigns } from './amounts.js';
import { type CellSink, convertCell, convertPrice, emptySink } from './cells.js';
import { assign, bindAssignments, type BoundAssignments, columnName } from './columns.js';
import { type Dialect, delimiterName } from './csv-dialect.js';
import { bindHeader, checkHeaderCells, type Column, type Header, headerNames } from './csv-header.js';
import { noteDropped } from './dropped.js';
import { doubtHeader, faultOfNames, headerAdvice, type HeaderDoubt } from './header-advice.js';
import { ownText } from './own-columns.js';
import { type FieldCell, FileFault, type RawRecord } from './raw.js';
import type { FileFacts, ReadOptions } from './read.js';
import { readRows, type Row } from './rows.js';
import { unknownColumns } from './unknown-columns.js';

/**
 * @param chunks UTF-8 after the preamble
 * @throws FileFault where the file cannot be read any further; records before the fault are yielded first
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  dialect: Dialect,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  let reader: RowReader | null = null;
  for await (const rows of readRows(chunks, dialect)) {
    const records: RawRecord[] = [];
    for (const row of rows) {
      if (reader === null) reader = openRows(row, dialect, options, facts);
      else records.push(reader(row));
    }
    yield records;
  }
}

type RowReader = (row: Row) => RawRecord;

/** What is the same for all rows of a file. */
interface RowRules {
  readonly header: Header;
  /** The columns whose cells are looked at. */
  readonly columns: readonly Column[];
  /** The same columns, where a record has nothing but their cells; else undefined. */
  readonly whole: readonly FieldCell[] | undefined;
  readonly unknown: ReadonlyMap<string, string> | null;
  readonly given: BoundAssignments;
  readonly options: ReadOptions;
}

/** Reads the header, and returns a reader for the rows after it. */
function openRows(top: Row, dialect: Dialect, options: ReadOptions, facts: FileFacts): RowReader {
  const { naming, assignments, platform } = options;
  const cells = top.cells.map(columnName);
  const advice = (): string | null => headerAdvice(cells, dialect, options);
  checkHeaderCells(cells, top.line, advice);
  const names = headerNames(cells, naming);
  const shape = options.shapeFor([...names, ...assignments.map(({ path }) => path.split('.')[0] ?? '')], advice);
  const header = bindHeader(cells, top.line, shape, naming);
  facts.hasErrorColumn = header.hasErrorColumn;
  facts.fields = names;
  const given = bindAssignments(assignments, shape, options.style);
  const doubt = doubtHeader(cells, header, dialect, options);
  checkDropped(header, doubt);
  noteDropped(header, shape, given, platform, facts);
  const unknown = options.ignoreUnknown ? null : unknownColumns({ header, shape, given, doubt, platform });
  const columns = header.columns.filter(
    ({ path, field }) => !given.covers(path) && (field !== null || unknown?.has(path) === true),
  );
  const isWhole = assignments.length === 0 && header.price === null;
  const rules = { header, columns, whole: isWhole ? fieldCells(columns) : undefined, unknown, given, options };
  // Where another row is the header, the usual advice about a row that does not fit would only mislead.
  const remedy = (usual: string): string => doubt?.instead ?? `${usual}${doubt?.also ?? ''}`;
  let record = 0;
  return (next) => {
    record++;
    const fault =
      faultOfRow(next, header, dialect, options.padShortRows, remedy) ??
      (record === 1 && dialect.headerLine === 0 ? faultOfNames(next.cells, header, shape) : null);
    if (fault !== null) return { record, line: next.line, sheetRow: sheetRowOf(next), input: null, findings: [fault] };
    return new CsvRecord(record, next, rules);
  };
}

/** @throws FileFault where every column would be dropped: then the header is none, or nothing is mapped */
function checkDropped({ columns, price, others, line }: Header, doubt: HeaderDoubt | null): void {
  if (columns.length > 0 || price !== null || others.length === 0) return;
  const what = `--ignore-other-columns would drop every column, since none is a field or mapped to one`;
  throw new FileFault('unknown-field', line, `${what}${doubt === null ? '' : (doubt.instead ?? doubt.also)}`);
}

/** The row's number in a spreadsheet, where it differs from the line. */
function sheetRowOf({ row, line }: Row): number | undefined {
  return row === line ? undefined : row;
}

/** Undefined when a column is no field: then every record has a finding. */
function fieldCells(columns: readonly Column[]): readonly FieldCell[] | undefined {
  const cells = columns.flatMap(({ index, path, field }) => (field === null ? [] : [{ index, path, field }]));
  return cells.length === columns.length ? cells : undefined;
}

/** A row that fits its header. Its cells are converted only on demand, since most rows do not need it. */
class CsvRecord implements RawRecord {
  readonly record: number;
  private readonly row: Row;
  private readonly rules: RowRules;
  private content: RowContent | null = null;

  constructor(record: number, row: Row, rules: RowRules) {
    this.record = record;
    this.row = row;
    this.rules = rules;
  }

  get line(): number {
    return this.row.line;
  }

  get sheetRow(): number | undefined {
    return sheetRowOf(this.row);
  }

  get cells(): readonly string[] {
    return this.row.cells;
  }

  get columns(): readonly FieldCell[] | undefined {
    return this.rules.whole;
  }

  get replaces(): string | undefined {
    return ownText(this.row.cells, this.rules.header.own.key);
  }

  get toldStatus(): string | undefined {
    return ownText(this.row.cells, this.rules.header.own.status);
  }

  get input(): Body | null {
    return this.read().input;
  }

  get findings(): readonly Finding[] {
    return this.read().findings;
  }

  get unreadable(): ReadonlySet<string> | undefined {
    return this.read().unreadable;
  }

  get typed(): ReadonlyMap<string, string> | undefined {
    return this.read().typed;
  }

  get price(): string | undefined {
    return this.read().price;
  }

  private read(): RowContent {
    return (this.content ??= readRow(this.row.cells, this.rules));
  }
}

/** @param remedy turns the usual advice into the advice for this file */
function faultOfRow(
  { cells }: Row,
  header: Header,
  dialect: Dialect,
  pad: boolean,
  remedy: (usual: string) => string,
): Finding | null {
  const expected = header.width;
  if (cells.length !== expected && !(pad && cells.length < expected)) {
    const found = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    const message = `the row has ${found}, the header ${expected}; ${remedy(lengthRemedy(cells, expected, dialect))}`;
    return { ...error('bad-csv', null, message, cells.join(dialect.delimiter)), fault: true };
  }
  const stray = header.unnamed.find((index) => (cells[index] ?? '') !== '');
  if (stray === undefined) return null;
  const content = (cells[stray] ?? '').trim() === '' ? 'holds nothing but spaces' : 'has content';
  const message = `cell ${stray + 1} ${content}, but its column has no name; ${remedy('name the column or empty the cell')}`;
  return { ...error('bad-csv', null, message, cells[stray]), fault: true };
}

/** What to do about a row with too few or too many cells. */
function lengthRemedy(cells: readonly string[], expected: number, { delimiter }: Dialect): string {
  if (cells.length < expected) return 'add the missing cells, or say --pad-short-rows to read them as empty';
  const name = delimiterName(delimiter);
  if (cells.slice(expected).every((cell) => cell === ''))
    return `what is too many is empty: remove ${manyAtEnd(cells.length - expected, name)} of the line`;
  return `put a cell that holds a ${name} in quotes, or say what else separates the columns with --delimiter`;
}

function manyAtEnd(count: number, name: string): string {
  return count === 1 ? `the ${name} at the end` : `the ${count} ${name}s at the end`;
}

type RowContent = Pick<RawRecord, 'input' | 'findings' | 'unreadable' | 'typed' | 'price'>;

function readRow(cells: readonly string[], { header, columns, unknown, given, options }: RowRules): RowContent {
  const input: Body = {};
  const sink = emptySink();
  for (const { index, path, steps, field } of columns) {
    const cell = cells[index] ?? '';
    if (field === null) {
      // Without a header, a column that holds nothing is none.
      if (cell === '' && options.headerLine === 0) continue;
      const message = unknown?.get(path);
      if (message !== undefined)
        sink.findings.push(error('unknown-field', memberPath('', path), message, cell === '' ? undefined : cell));
      continue;
    }
    if (cell === '') continue;
    const value = isPlainText(field.kind) ? cell : readCell(field, cell, path, options, sink);
    if (steps.length === 1) input[path] = value;
    else assign(input, steps, value);
  }
  given.apply(input);
  settleSigns(input, options.style, sink);
  const price =
    header.price === null ? undefined : readPrice(cells[header.price.index] ?? '', header.price.name, options, sink);
  const { findings, unreadable, typed } = sink;
  return {
    input,
    findings: given.findings.length === 0 ? findings : [...given.findings, ...findings],
    unreadable: given.unreadable === undefined ? unreadable : new Set([...given.unreadable, ...(unreadable ?? [])]),
    typed: typed === undefined ? undefined : notGiven(typed, given),
    price,
  };
}

/** What was typed into a cell does not count where the value is given for every record. */
function notGiven(typed: Map<string, string>, given: BoundAssignments): Map<string, string> {
  for (const path of typed.keys()) if (given.covers(path)) typed.delete(path);
  return typed;
}

function readCell(field: Field, cell: string, path: string, { style }: ReadOptions, sink: CellSink): unknown {
  return field.money === true ? convertAmount(cell, path, style, sink) : convertCell(field, cell, path, style, sink);
}

/** Kinds whose cell is the value, character for character. */
function isPlainText(kind: string): boolean {
  return kind === 'text' || kind === 'id' || kind === 'currency' || kind === 'choice' || kind === 'yes-no';
}

function readPrice(cell: string, name: string, options: ReadOptions, sink: CellSink): string | undefined {
  return cell.trim() === '' ? undefined : convertPrice(cell, name, options.style, sink);
}

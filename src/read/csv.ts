/** CSV (RFC 4180, read strictly) → raw records. csv-parse does the cutting; lines, ragged rows and blanks are judged here. */
import { type CsvError, Parser } from 'csv-parse';
import { type Body, isJsonKind } from '../records/field.js';
import { type Finding, error } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import { didYouMean } from '../records/nearest.js';
import { type CellSink, convertCell, convertPrice, emptySink } from './cells.js';
import { assign, bindAssignments, type BoundAssignments, PRICE_COLUMN } from './columns.js';
import { type Dialect, delimiterName } from './csv-dialect.js';
import { bindHeader, checkHeaderCells, type Column, type Header, headerNames } from './csv-header.js';
import { FileFault, type RawRecord, countLineBreaks } from './raw.js';
import type { FileFacts, ReadOptions } from './read.js';

/** A row longer than this is most likely the rest of a file behind a quote that was never closed. */
const LONGEST_ROW = 4 * 1024 * 1024;

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** csv-parse without its stream: every row is taken as it is pushed, with the line on which it starts. */
class RowParser extends Parser {
  private rows: Row[] = [];
  private line: number;
  private parserLine = 1;

  constructor(delimiter: string, firstLine: number) {
    super({
      delimiter,
      bom: false,
      encoding: 'utf8',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: false,
      max_record_size: LONGEST_ROW,
    });
    this.line = firstLine;
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return true;
    this.rows.push({ cells, line: this.line });
    // The parser counts a CRLF within quotes twice, so its own count only tells whether there was a break at all.
    const parserLine = this.info.lines;
    this.line += parserLine === this.parserLine ? 1 : 1 + countLineBreaks(cells.join('\u0001'));
    this.parserLine = parserLine + 1;
    return true;
  }

  /** Rows that the bytes complete. @throws FileFault */
  feed(bytes: Buffer | null): Row[] {
    let failure: CsvError | undefined;
    const done = (cause?: Error | null): void => {
      failure = (cause as CsvError | null) ?? undefined;
    };
    if (bytes === null) this._flush(done);
    else this._transform(bytes, 'utf8', done);
    const rows = this.rows;
    this.rows = [];
    if (failure !== undefined) throw new FailedParse(rows, this.faultOf(failure));
    return rows;
  }

  /** Says where the row stands that csv-parse could not cut. */
  private faultOf(failure: CsvError): FileFault {
    const state = (this as unknown as { state: { record: string[]; field: { toString(encoding: 'utf8'): string } } })
      .state;
    const before = countLineBreaks(state.record.join('\u0001'));
    const cell = `cell ${state.record.length + 1}`;
    const opened = this.line + before;
    switch (failure.code) {
      case 'CSV_QUOTE_NOT_CLOSED':
        return new FileFault(
          'bad-csv',
          opened,
          `a quote opens in ${cell} and is never closed; close it, or double it ("") if it is part of the text`,
        );
      case 'CSV_MAX_RECORD_SIZE':
        return new FileFault(
          'bad-csv',
          this.line,
          `the row is longer than ${LONGEST_ROW} characters; most likely a quote opens in it and is never closed`,
        );
      case 'CSV_INVALID_CLOSING_QUOTE': {
        const line = opened + countLineBreaks(state.field.toString('utf8'));
        return new FileFault(
          'bad-csv',
          line,
          `text follows the closing quote of ${cell}; a quote within quoted text is doubled ("")`,
        );
      }
      default:
        return new FileFault(
          'bad-csv',
          opened,
          `a quote stands within the unquoted ${cell}; put the whole cell in quotes and double the quote (""")`,
        );
    }
  }
}

/** A parse that broke off, with the rows before the fault. */
class FailedParse extends Error {
  readonly rows: readonly Row[];
  readonly fault: FileFault;
  constructor(rows: readonly Row[], fault: FileFault) {
    super(fault.message);
    this.rows = rows;
    this.fault = fault;
  }
}

/**
 * @param chunks UTF-8 after the preamble
 * @throws FileFault where the file cannot be read on; records before the fault are yielded first
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  dialect: Dialect,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  const rows = new RowParser(dialect.delimiter, dialect.headerLine);
  let reader: RowReader | null = null;
  const read = (batch: readonly Row[]): RawRecord[] => {
    const records: RawRecord[] = [];
    for (const row of batch) {
      if (isBlankRow(row.cells)) continue;
      if (reader === null) reader = openRows(row, dialect, options, facts);
      else records.push(reader(row));
    }
    return records;
  };
  try {
    for await (const chunk of chunks) yield read(rows.feed(chunk));
    yield read(rows.feed(null));
  } catch (cause) {
    if (!(cause instanceof FailedParse)) throw cause;
    yield read(cause.rows);
    throw cause.fault;
  }
}

/** Empty cells only; or a line of nothing but spaces. */
function isBlankRow(cells: readonly string[]): boolean {
  if (cells.length === 1) return (cells[0] ?? '').trim() === '';
  return cells.every((cell) => cell === '');
}

type RowReader = (row: Row) => RawRecord;

/** Reads the header and makes what reads every row after it. */
function openRows(row: Row, dialect: Dialect, options: ReadOptions, facts: FileFacts): RowReader {
  checkHeaderCells(row.cells, row.line);
  const names = headerNames(row.cells, options.naming);
  const shape = options.shapeFor([...names, ...options.assignments.map(({ path }) => path.split('.')[0] ?? '')]);
  const header = bindHeader(row.cells, row.line, shape, options.naming, options.priced(shape));
  facts.hasErrorColumn = header.hasErrorColumn;
  facts.fields = names;
  const given = bindAssignments(options.assignments, shape, options.style);
  const columns = header.columns.filter((column) => !given.covers(column.path));
  let record = 0;
  return (next) => {
    record++;
    const fault = faultOfRow(next, header, dialect, options.padShortRows);
    if (fault !== null) return { record, line: next.line, input: null, findings: [fault] };
    return { record, line: next.line, ...readRow(next.cells, columns, header, shape, given, options) };
  };
}

function faultOfRow({ cells }: Row, header: Header, dialect: Dialect, pad: boolean): Finding | null {
  const expected = header.width;
  if (cells.length !== expected && !(pad && cells.length < expected)) {
    const remedy =
      cells.length < expected
        ? 'add the missing cells, or say --pad-short-rows to read them as empty'
        : `put a cell that holds a ${delimiterName(dialect.delimiter)} in quotes`;
    const message = `the row has ${cells.length} cells, the header ${expected}; ${remedy}`;
    return { ...error('bad-csv', null, message, cells.join(dialect.delimiter)), fault: true };
  }
  const stray = header.unnamed.find((index) => (cells[index] ?? '') !== '');
  if (stray === undefined) return null;
  const message = `cell ${stray + 1} has content, but its column has no name; name the column or empty the cell`;
  return { ...error('bad-csv', null, message, cells[stray]), fault: true };
}

type RowContent = Pick<RawRecord, 'input' | 'findings' | 'unreadable' | 'typed' | 'price'>;

function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  header: Header,
  shape: Shape,
  given: BoundAssignments,
  options: ReadOptions,
): RowContent {
  const input: Body = {};
  let sink: CellSink | null = null;
  const found = (): CellSink => (sink ??= emptySink());
  for (const { index, path, steps, field } of columns) {
    const cell = restored(cells[index] ?? '', header);
    if (field === null) {
      if (!options.ignoreUnknown) reportUnknown(path, cell, shape, found());
      continue;
    }
    if (cell === '') continue;
    const value = isPlainText(field.kind) ? cell : convertCell(field, cell, path, options.style, found());
    if (steps.length === 1) input[path] = value;
    else assign(input, steps, value);
  }
  given.apply(input);
  const price = header.price === null ? undefined : readPrice(cells[header.price] ?? '', options, found);
  return { input, ...foundWith(given, sink), ...(price === undefined ? {} : { price }) };
}

/** What was found in the cells and in the values given for every record. */
function foundWith(given: BoundAssignments, sink: CellSink | null): Omit<RowContent, 'input' | 'price'> {
  if (sink === null) return { findings: given.findings, unreadable: given.unreadable };
  const { findings, unreadable, typed } = sink;
  for (const path of typed.keys()) if (given.covers(path)) typed.delete(path);
  given.unreadable.forEach((path) => unreadable.add(path));
  return { findings: [...given.findings, ...findings], unreadable, ...(typed.size === 0 ? {} : { typed }) };
}

/** Kinds whose cell is the value, character for character. */
function isPlainText(kind: string): boolean {
  return kind === 'text' || kind === 'id' || kind === 'currency' || kind === 'choice' || kind === 'yes-no';
}

/** Takes off the apostrophe that the rejects file put before what a spreadsheet would run as a formula. */
function restored(cell: string, header: Header): string {
  return header.hasErrorColumn && /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

function reportUnknown(path: string, cell: string, shape: Shape, sink: CellSink): void {
  const names = shape.fields.flatMap((field) =>
    field.members === undefined || !isJsonKind(field.kind)
      ? [field.name]
      : [
          field.name,
          ...field.members.map((member) => `${field.name}.${field.kind === 'list' ? '0.' : ''}${member.name}`),
        ],
  );
  const hint = didYouMean(path, names);
  const message = `there is no field "${path}".${hint} Rename the column with --map, or drop it with --ignore-column`;
  sink.findings.push(error('unknown-field', path, message, cell === '' ? undefined : cell));
}

function readPrice(cell: string, options: ReadOptions, found: () => CellSink): string | undefined {
  return cell.trim() === '' ? undefined : convertPrice(cell, PRICE_COLUMN, options.style, found());
}

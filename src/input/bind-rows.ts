/** Rows of a table → raw records: which cell gives which field. Of CSV, and of workbooks, whose rows are made rows of CSV. */
import type { Body, Field } from '../records/field.js';
import { type Finding, error, memberPath } from '../records/issue.js';
import { convertAmount, settleSigns } from './amounts.js';
import { type CellSink, convertCell, convertPrice, emptySink } from './cells.js';
import { assign, bindAssignments, type BoundAssignments, columnName } from './columns.js';
import type { Dialect } from './csv-dialect.js';
import { bindHeader, checkHeaderCells, type Column, type Header, headerNames } from './csv-header.js';
import { noteDropped } from './dropped.js';
import { doubtHeader, faultOfNames, headerAdvice, type HeaderDoubt } from './header-advice.js';
import { ownText, refuseResults } from './own-columns.js';
import { type FieldCell, FileFault, type RawRecord } from './raw.js';
import type { FileFacts, ReadOptions } from './reading.js';
import type { Row } from './rows.js';
import { unknownColumns } from './unknown-columns.js';

/** Turns the usual advice about a row that does not fit into the advice for this file. */
export type RemedyOf = (usual: string) => string;

/** What is wrong with a row as a whole; null where nothing is. */
type Misfit = (row: Row, header: Header, remedy: RemedyOf) => Finding | null;

/** The rows below a header. */
export interface BoundRows {
  readonly header: Header;
  /** To be called with each row, in order. */
  readonly read: (row: Row) => RawRecord;
}

/** What is the same for all rows of a file. */
interface RowRules {
  readonly header: Header;
  /** The columns whose cells are looked at. */
  readonly columns: readonly Column[];
  /** The columns that are fields; and the same, where a record has nothing but their cells, else undefined. */
  readonly whole: readonly FieldCell[] | undefined;
  readonly fieldCells: readonly FieldCell[];
  readonly unknown: ReadonlyMap<string, string> | null;
  readonly given: BoundAssignments;
  /** The record's currency. */
  readonly currencyOf: (cells: readonly string[]) => string | null;
  readonly options: ReadOptions;
}

/**
 * Reads the header, and returns a reader for the rows after it.
 * @param dialect with the start of the file's text, for advice about its header
 * @throws FileFault, UsageError
 */
export function bindRows(
  top: Row,
  misfit: Misfit,
  dialect: Dialect,
  options: ReadOptions,
  facts: FileFacts,
): BoundRows {
  const { naming, assignments, platform } = options;
  const cells = top.cells.map(columnName);
  refuseResults(cells, top.line);
  const advice = (): string | null => headerAdvice(cells, dialect, options);
  checkHeaderCells(cells, top.line, advice);
  const names = headerNames(cells, naming);
  const shape = options.shapeFor([...names, ...assignments.map(({ path }) => path.split('.')[0] ?? '')], advice);
  const header = bindHeader(cells, top.line, shape, naming);
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
  const cellsOf = fieldCells(header.columns);
  const whole = isWhole && cellsOf.length === columns.length ? cellsOf : undefined;
  const rules = {
    header,
    columns,
    whole,
    fieldCells: cellsOf,
    unknown,
    given,
    currencyOf: currencyIn(columns, given),
    options,
  };
  // Where another row is the header, the usual advice about a row that does not fit would only mislead.
  const remedy: RemedyOf = (usual) => doubt?.instead ?? `${usual}${doubt?.also ?? ''}`;
  let record = 0;
  const read = (next: Row): RawRecord => {
    record++;
    // Without a header, the first row may be one all the same.
    if (record === 1 && dialect.headerLine === 0) refuseResults(next.cells, next.line);
    const fault =
      misfit(next, header, remedy) ??
      (record === 1 && dialect.headerLine === 0 ? faultOfNames(next.cells, header, shape) : null);
    if (fault !== null) return { record, line: next.line, sheetRow: sheetRowOf(next), input: null, findings: [fault] };
    return new RowRecord(record, next, rules);
  };
  return { header, read };
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

function fieldCells(columns: readonly Column[]): readonly FieldCell[] {
  return columns.flatMap(({ index, path, field }) => (field === null ? [] : [{ index, path, field }]));
}

/** A row that fits its header. Its cells are converted only on demand, since most rows do not need it. */
class RowRecord implements RawRecord {
  readonly record: number;
  private readonly row: Row;
  private readonly rules: RowRules;
  private content: RowContent | null = null;
  private refusals: ReadonlyMap<number, Finding> | null = null;

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
    return this.refused.size === 0 ? this.rules.whole : undefined;
  }

  get fieldCells(): readonly FieldCell[] {
    return this.rules.fieldCells;
  }

  /** Cells that cannot give their field's value, whatever their text is. */
  private get refused(): ReadonlyMap<number, Finding> {
    return (this.refusals ??= refusedCells(this.row, this.rules));
  }

  get replaces(): string | undefined {
    return ownText(this.row.cells, this.rules.header.key);
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
    return (this.content ??= readRow(this.row.cells, this.rules, this.refused));
  }
}

const CURRENCY = 'currency';

/** Where a record's currency stands: given for all of them, or in a cell. */
function currencyIn(columns: readonly Column[], given: BoundAssignments): RowRules['currencyOf'] {
  const index = columns.find(({ path }) => path === CURRENCY)?.index ?? -1;
  const body: Body = {};
  given.apply(body);
  const always = given.covers(CURRENCY) ? body[CURRENCY] : undefined;
  return (cells) => (typeof always === 'string' ? always : (cells[index] ?? '')) || null;
}

const NONE: ReadonlyMap<number, Finding> = new Map();

function refusedCells(
  { refusalOf, cells }: Row,
  { columns, header, currencyOf }: RowRules,
): ReadonlyMap<number, Finding> {
  if (refusalOf === undefined) return NONE;
  const refused = new Map<number, Finding>();
  const currency = currencyOf(cells);
  const judge = (index: number, field: Pick<Field, 'kind' | 'money'>, path: string): void => {
    const refusal = refusalOf({ index, path, kind: field.kind, currency: field.money === true ? currency : null });
    if (refusal !== null) refused.set(index, refusal);
  };
  for (const { index, path, field } of columns) if (field !== null) judge(index, field, path);
  if (header.price !== null) judge(header.price.index, { kind: 'number' }, header.price.name);
  return refused;
}

type RowContent = Pick<RawRecord, 'input' | 'findings' | 'unreadable' | 'typed' | 'price'>;

function readRow(
  cells: readonly string[],
  { header, columns, unknown, given, options }: RowRules,
  refused: ReadonlyMap<number, Finding>,
): RowContent {
  const input: Body = {};
  const sink = emptySink();
  for (const refusal of refused.values()) {
    sink.findings.push(refusal);
    if (refusal.field !== null) (sink.unreadable ??= new Set()).add(refusal.field);
  }
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
    if (cell === '' || refused.has(index)) continue;
    const value = isPlainText(field.kind) ? cell : readCell(field, cell, path, options, sink);
    if (steps.length === 1) input[path] = value;
    else assign(input, steps, value);
  }
  given.apply(input);
  settleSigns(input, options.style, sink);
  const price =
    header.price === null || refused.has(header.price.index)
      ? undefined
      : readPrice(cells[header.price.index] ?? '', header.price.name, options, sink);
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

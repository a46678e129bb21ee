/** Converts rows of a table to raw records: rows of CSV, and of workbooks, which are converted to CSV first. */
import type { Shape } from '../records/fields.js';
import type { Body } from '../records/types.js';
import { type Finding, error, memberPath } from '../records/issue.js';
import { CellConverter, type CellNotation, trimmedCell } from './cells.js';
import { columnPlace, openNames } from './column-places.js';
import { assignedFields, bindAssignments, type BoundAssignments } from './columns.js';
import { type Dialect } from './csv-layout.js';
import { headerAdvice, headerDoubt, isAllData, isMoved, refuseResultsBelow } from './header-place.js';
import { bindHeader, type Header, headerFields, nameDoubtIn, namesIn, ruleColumns } from './csv-header.js';
import { DateColumns } from './dates.js';
import { assign } from './json-parser.js';
import { isDash } from './numbers.js';
import { Overrides, ReplacedCells, seeReplaced } from './overrides.js';
import { ownText, refuseResults } from './result-columns.js';
import { KnownValueCheck } from './known-values.js';
import { NO_REFUSALS, RowFilter } from './row-filter.js';
import { chooseShape } from './record-type.js';
import type { ColumnBinding, RawContent, RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import type { RecordTemplate } from './template.js';
import { bindTemplate } from './template-columns.js';
import { completeFilled } from './template-fill.js';
import { noteTemplate, TemplateRows } from './template-rows.js';
import { RECORD_SCHEMAS, typesShownBy } from '../records/record-schemas.js';
import { FileFault } from './raw-record.js';
import type { Row } from './rows.js';
import { givenBy, noteDropped, type UnknownColumn, unknownColumns } from './unknown-columns.js';

/** The problem of a row as a whole, or null. */
type Misfit = (row: Row, header: Header) => Finding | null;

export interface RowBinder {
  readonly header: Header;
  /** To be called with each row, in order. Null for a row that is filtered out. */
  readonly read: (row: Row) => RawRecord | null;
}

/** Shared by all rows of a file. */
interface RowRules {
  readonly header: Header;
  /** The columns that are used: no flag sets their field for every record. */
  readonly columns: readonly ColumnBinding[];
  readonly unknown: readonly UnknownColumn[];
  /** No other source fills fields of a record: it has only the cells of its columns. */
  readonly isWhole: boolean;
  readonly given: BoundAssignments;
  /** The record's currency. */
  readonly currencyOf: (cells: readonly string[]) => string | null;
  /** Fills a template with the cells; null if the columns are fields. */
  readonly filling: TemplateRows | null;
  readonly options: ReadOptions;
  readonly dates: DateColumns;
  readonly info: FileInfo;
}

/** A table's header, as its reading needs it. */
interface TableHead {
  readonly names: readonly string[];
  readonly line: number;
  /** With the start of the file's text, for advice about its header. */
  readonly dialect: Dialect;
  readonly options: ReadOptions;
  readonly info: FileInfo;
}

/**
 * Reads the header, and returns a reader for the rows after it.
 * @throws FileFault, UsageError
 */
export function bindRows(top: Row, misfit: Misfit, dialect: Dialect, options: ReadOptions, info: FileInfo): RowBinder {
  const { line } = top;
  const names = namesIn(top.cells);
  const head: TableHead = { names, line, dialect, options, info };
  refuseResults(names, line);
  refuseResultsBelow(names, dialect, options);
  const rules = options.template === null ? fieldRules(head) : templateRules(head, options.template);
  const { header } = rules;
  info.nameDoubt = nameDoubtIn(names, line, info.isEncodingGuessed);
  info.currencyOf = rules.currencyOf;
  const judge = rowJudge(head, rules);
  const replaced = rules.filling === null ? replacedCells(header, rules, info) : null;
  const passedOver = new Set(header.passedOver);
  let record = 0;
  let isFirst = true;
  const read = (row: Row): RawRecord | null => {
    if (passedOver.size > 0) notePassedOver(row, passedOver, info);
    // Even with `--header-line 0`, the first row may be a header.
    if (isFirst && dialect.headerLine === 0) refuseResults(row.cells, row.line);
    isFirst = false;
    const fault = misfit(row, header);
    const untold = judge === null ? NO_REFUSALS : judge(row, fault !== null);
    if (untold === null) return null;
    record++;
    if (fault === null) {
      replaced?.see(row.cells, record, row.line);
      return new RowRecord(record, row, rules, untold);
    }
    return { record, line: row.line, sheetRow: sheetRowOf(row), read: () => ({ input: null, findings: [fault] }) };
  };
  return { header, read };
}

/** Most columns without a name have no content, and are not worth a word. @param columns those without content so far */
function notePassedOver({ cells }: Row, columns: Set<number>, { dropped }: FileInfo): void {
  for (const index of columns)
    if ((cells[index] ?? '') !== '' && columns.delete(index)) dropped.set(columnPlace(index), null);
}

/** @throws UsageError if the header does not show the records' type */
function chooseTableShape({ names, line, dialect, options, info }: TableHead): Shape {
  const advice = (): string | null => headerAdvice(names, dialect, options);
  if (isAllData(names)) {
    if (!isMoved(names, dialect, options)) tellUnrecognised(options, info);
    throw noHeader(`This looks like data, and not like column names. ${advice() ?? ''}`, names, line);
  }
  info.fields = headerFields(names, options.naming);
  const given = [...info.fields, ...assignedFields(options.assignments)];
  if (options.type === null && options.shape === null && typesShownBy(given).length === 0)
    tellUnrecognised(options, info);
  return chooseShape(given, options, info, advice);
}

function tellUnrecognised({ onUnrecognisedColumns }: ReadOptions, info: FileInfo): void {
  info.isUnrecognised = true;
  onUnrecognisedColumns(info.path);
}

/** Whether any column maps to a required field. */
function hasRequired({ columns }: Header, { fields }: Shape): boolean {
  const given = new Set(columns.map(({ path }) => path.split('.', 1)[0]));
  return fields.some(({ name, required, sentDefault }) => required && sentDefault === undefined && given.has(name));
}

/** @throws FileFault for a header without any field name */
function refuseNoHeader({ columns, unknown, others }: Header, { names, line, dialect, options }: TableHead): void {
  if (columns.length > 0 || unknown.size + others.length === 0) return;
  const doubt = headerDoubt(names, dialect, options);
  if (doubt !== null) throw noHeader(doubt, names, line);
  if (unknown.size > 0) return;
  const message = 'No column is a field or mapped to one, so every column would be ignored';
  throw new FileFault('unknown-field', line, message);
}

function noHeader(message: string, names: readonly string[], line: number): FileFault {
  return new FileFault('header-like-data', line, message, names.join(' | '));
}

/** The columns are fields. */
function fieldRules(head: TableHead): RowRules {
  const { names, line, dialect, options, info } = head;
  const { assignments, platform } = options;
  const shape = chooseTableShape(head);
  const header = bindHeader(names, line, shape, options);
  info.columns = { names, fields: header.columns, compared: header.compared };
  if (!hasRequired(header, shape) && !isMoved(names, dialect, options)) tellUnrecognised(options, info);
  refuseNoHeader(header, head);
  const given = bindAssignments(assignments, shape, options.style);
  const isGiven = givenBy(header, given);
  noteDropped(info, header, shape, isGiven, platform);
  const unknown = unknownColumns(header, shape, isGiven, platform);
  const columns = header.columns.filter(({ path }) => !given.covers(path));
  const isWhole = assignments.length === 0 && unknown.length === 0;
  info.dates = new DateColumns();
  const currencyOf = currencyIn(columns, given, options.style);
  return { header, columns, unknown, isWhole, given, currencyOf, filling: null, options, dates: info.dates, info };
}

/** The columns are variables of a template. */
function templateRules({ names, line, options, info }: TableHead, template: RecordTemplate): RowRules {
  const { assignments, naming, style } = options;
  const dropsUnnamed = naming.ignoreOthers;
  const ruled = ruleColumns(names, options);
  const bound = bindTemplate(template, { names, line, file: info.path, dropsUnnamed, ruled });
  const { header } = bound;
  const given = bindAssignments(assignments, RECORD_SCHEMAS[template.type], style);
  const filling = new TemplateRows(template, bound, options);
  noteTemplate(info, template, bound, names);
  if (assignments.length > 0) info.overrides = new Overrides();
  info.dates = new DateColumns();
  const columns = header.columns.filter(({ path }) => !given.covers(path));
  const currencyOf = filling.currencyOf(given);
  return { header, columns, unknown: [], isWhole: false, given, currencyOf, filling, options, dates: info.dates, info };
}

/** Null if no value that is set on every record replaces a cell. */
function replacedCells({ columns }: Header, { given, options }: RowRules, info: FileInfo): ReplacedCells | null {
  const replaced = new ReplacedCells(columns, given, options.style);
  if (replaced.isEmpty) return null;
  info.overrides = replaced.overrides;
  return replaced;
}

/** The cells that leave a row open, by index; null for a row that is filtered out. */
type RowJudge = (row: Row, isMisfit: boolean) => ReadonlyMap<number, Finding> | null;

/** Null if all rows are read, whatever their values are. @throws UsageError for a column that the file lacks */
function rowJudge({ names, options, info }: TableHead, rules: RowRules): RowJudge | null {
  const { only, knownValues, style, platform, onFiltered } = options;
  if (only.length === 0 && knownValues.length === 0) return null;
  const { columns, currencyOf } = rules;
  const open = openNames(names, options.naming);
  const filter = new RowFilter(only, open, info.path, columns, style, currencyOf);
  const known = new KnownValueCheck(knownValues, open, info.path, columns, platform);
  if (only.length > 0) info.filtered = filter.filtered;
  return (row, isMisfit) => {
    const { rule, refusals } = filter.judge(row, isMisfit);
    const unknown = isMisfit ? NO_REFUSALS : known.check(row, rule);
    if (rule === null) return unknown.size === 0 ? refusals : new Map([...refusals, ...unknown]);
    onFiltered?.({
      rule,
      raw: new RowRecord(0, row, rules, NO_REFUSALS),
      findings: [...unknown.values()],
      typedAmount: () => filter.amountOf(row.cells),
    });
    return null;
  };
}

/** The row's number in a spreadsheet, if it differs from the line. */
function sheetRowOf({ row, line }: Row): number | undefined {
  return row === line ? undefined : row;
}

/** A row that fits its header. Its cells are converted only on demand, since most rows do not need it. */
class RowRecord implements RawRecord {
  readonly record: number;
  readonly line: number;
  readonly sheetRow: number | undefined;
  readonly cells: readonly string[];
  readonly columns: readonly ColumnBinding[];
  private readonly rules: RowRules;
  private content: RawContent | null = null;
  /** Cells that cannot be the value of their field, whatever their text is; or that cannot decide whether the row is read. */
  private readonly refused: ReadonlyMap<number, Finding>;

  constructor(record: number, row: Row, rules: RowRules, untold: ReadonlyMap<number, Finding>) {
    this.record = record;
    this.line = row.line;
    this.sheetRow = sheetRowOf(row);
    this.cells = row.cells;
    this.columns = rules.header.columns;
    this.rules = rules;
    // At once: what the cells of a column show together must be known at the file's end.
    this.refused = refusedCells(row, rules, untold);
    // As well as what is set over a template. A row that is filtered out is no record.
    if (record > 0 && rules.filling !== null && rules.info.overrides !== undefined) this.read();
  }

  get isWhole(): boolean {
    return this.rules.isWhole && this.refused.size === 0;
  }

  get template(): string | undefined {
    return this.rules.info.template ?? undefined;
  }

  get isEncodingGuessed(): boolean {
    return this.rules.info.isEncodingGuessed;
  }

  get replaces(): string | undefined {
    return ownText(this.cells, this.rules.header.key);
  }

  get lacksKey(): boolean {
    return this.rules.header.key !== null && this.replaces === undefined;
  }

  read(): RawContent {
    return (this.content ??=
      this.rules.filling === null
        ? readRow(this.cells, this.rules, this.refused)
        : fillRow(this, this.rules.filling, this.rules, this.refused));
  }
}

const CURRENCY_PATH = 'currency';

/** The source of a record's currency: a value set for all of them, or a cell. */
function currencyIn(
  columns: readonly ColumnBinding[],
  given: BoundAssignments,
  style: CellNotation,
): RowRules['currencyOf'] {
  const index = columns.find(({ path }) => path === CURRENCY_PATH)?.index ?? -1;
  const body: Body = {};
  given.apply(body);
  const always = given.covers(CURRENCY_PATH) ? body[CURRENCY_PATH] : undefined;
  return (cells) => (typeof always === 'string' ? always : trimmedCell(cells[index] ?? '', 'currency', style)) || null;
}

function refusedCells(
  { refusalOf, cells }: Row,
  { columns, currencyOf, filling }: RowRules,
  untold: ReadonlyMap<number, Finding>,
): ReadonlyMap<number, Finding> {
  if (refusalOf === undefined) return untold;
  let refused: Map<number, Finding> | null = null;
  const currency = currencyOf(cells);
  for (const use of filling?.uses ?? []) {
    const refusal = refusalOf({ ...use, currency: use.isAmount ? currency : null });
    if (refusal !== null) (refused ??= new Map(untold)).set(use.index, refusal);
  }
  if (filling !== null) return refused ?? untold;
  for (const { index, path, field } of columns) {
    const isAmount = field.money === true;
    const refusal = refusalOf({ index, path, kind: field.kind, isAmount, currency: isAmount ? currency : null });
    if (refusal !== null) (refused ??= new Map(untold)).set(index, refusal);
  }
  return refused ?? untold;
}

function converterFor({ options, given, dates }: RowRules, refused: ReadonlyMap<number, Finding>): CellConverter {
  const found = new CellConverter(options.style, given, dates);
  for (const refusal of refused.values()) {
    found.findings.push(refusal);
    if (refusal.field !== null) (found.unreadable ??= new Set()).add(refusal.field);
  }
  return found;
}

function fillRow(
  { cells, record, line }: RowRecord,
  filling: TemplateRows,
  rules: RowRules,
  refused: ReadonlyMap<number, Finding>,
): RawContent {
  const { given, info } = rules;
  const found = converterFor(rules, refused);
  const input = filling.fill(cells, refused, rules.currencyOf(cells), found);
  // A row that is filtered out is no record.
  if (info.overrides !== undefined && record > 0) seeReplaced(input, given, { record, line }, info.overrides, found);
  return completeFilled(input, found, given, filling.typed);
}

function readRow(cells: readonly string[], rules: RowRules, refused: ReadonlyMap<number, Finding>): RawContent {
  const { columns, unknown, given, currencyOf, options } = rules;
  const input: Body = {};
  const found = converterFor(rules, refused);
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

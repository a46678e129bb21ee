/** Records as typed, with columns for results after them: rejects to correct, results to book and file. */
import { isOnlyPadding } from '../input/csv-cells.js';
import { AT_COLUMN, ERROR_COLUMN, ID_COLUMN, KEY_COLUMN, STATUS_COLUMN } from '../input/result-columns.js';
import { LONE_SURROGATE } from '../records/misleading-text.js';
import { callReports, type CallRecords, isUnpaid } from './call-records.js';
import { timeText } from './event-reporter.js';
import type { RecordReport } from './record-report.js';
import { csvCell, escapeFormula, printable } from './printable.js';
import { type WrittenCell, writtenText } from './written-cell.js';

/** The results of a record, by column. Null keeps the present value of the record. */
export type ResultCells = Readonly<Record<string, string | null>>;

export interface RowResults {
  /** From 1 in its input. */
  readonly record: number;
  readonly cells: ResultCells;
}

export interface RowFileKind {
  readonly flag: string;
  /** Its name for people: `Rejects written: …`. */
  readonly title: string;
  /** After those of the input. */
  readonly columns: readonly string[];
  readonly includes: (call: CallRecords, index: number) => boolean;
  /** What it says of a row that `--only` filters out; null if it has no such rows. @param rule as a person wrote it */
  readonly filteredCells: ((rule: string) => ResultCells) | null;
  /** A person corrects it and imports it again. */
  readonly isImported: boolean;
  /** The included records among the entries from `first` up to `end`, in order. */
  readonly results: (call: CallRecords, first: number, end: number) => AsyncIterable<RowResults>;
}

/** Records to correct: the invalid and the definitely rejected ones. It needs no journal, which may have failed. */
export const REJECTS: RowFileKind = {
  flag: '--rejects',
  title: 'Rejects',
  columns: [KEY_COLUMN, ERROR_COLUMN],
  isImported: true,
  includes: isUnpaid,
  filteredCells: null,
  async *results(call, first, end) {
    const { entries } = call.prepared;
    for (let index = first; index < end; index++) {
      if (!isUnpaid(call, index)) continue;
      const status = entries.status(index);
      // An invalid record has no payment yet. It may still replace an earlier one, which its key column names.
      const key = status === 'rejected' ? entries.keyText(index) : null;
      yield {
        record: entries.placeOf(index).record,
        cells: { [KEY_COLUMN]: key, [ERROR_COLUMN]: oneLine(entries.error(index) ?? status) },
      };
    }
  },
};

/** Records to book and file: all of them, with their outcomes, and the rows that were filtered out. */
export const RESULTS: RowFileKind = {
  flag: '--results',
  title: 'Results',
  columns: [STATUS_COLUMN, ID_COLUMN, KEY_COLUMN, AT_COLUMN, ERROR_COLUMN],
  isImported: false,
  includes: () => true,
  filteredCells: (rule) => ({
    [STATUS_COLUMN]: 'filtered',
    [ID_COLUMN]: '',
    [KEY_COLUMN]: null,
    [AT_COLUMN]: '',
    [ERROR_COLUMN]: oneLine(rule),
  }),
  async *results(call, first, end) {
    for await (const report of callReports(call, first, end)) yield resultOf(report, call);
  },
};

function resultOf(report: RecordReport, { earlier }: CallRecords): RowResults {
  const { record, status, id, key, at, error, outcome } = report;
  // A filter on `created` finds all that this input has paid, also in earlier calls.
  const isCreated = ['already_created', 'skipped'].includes(status) && outcome !== null && earlier.has(outcome.run);
  const cells = {
    [STATUS_COLUMN]: isCreated ? 'created' : status,
    [ID_COLUMN]: id ?? '',
    // An invalid record has no key of a payment, and may replace an earlier payment.
    [KEY_COLUMN]: key,
    [AT_COLUMN]: timeText(at) ?? '',
    [ERROR_COLUMN]: isCreated ? '' : oneLine(error ?? ''),
  };
  return { record, cells };
}

/** Rows of cells as typed, with results. */
export interface TypedTable {
  readonly header: readonly string[];
  /**
   * @param isUnsound the row was refused, but would be accepted in this form
   * @param written a cell of a row that fits the header
   */
  readonly row: (
    cells: readonly string[],
    results: ResultCells,
    isUnsound?: boolean,
    written?: (index: number) => WrittenCell,
  ) => WrittenCell[];
}

/**
 * An additional cell, so that the row is refused until a person has corrected it. Nobody knows which cells of a row of
 * the wrong length are missing or extra. So none is removed, and if it were filled up, it would be read without an
 * error.
 */
const CORRECT = 'correct this row and delete this cell';

/** Indexes of the person's own columns. @param names those of the input. @param columns the result columns */
export function ownColumns(names: readonly string[], columns: readonly string[]): number[] {
  return [...names.keys()].filter((index) => !columns.includes(names[index] as string));
}

/**
 * @param header cells of the input's header; result columns that exist already are replaced
 * @param columns names of the result columns, which are the last ones
 * @param padShortRows rows that differ from the header only by empty cells at their end were read
 */
export function createTypedTable(
  header: readonly string[],
  columns: readonly string[],
  padShortRows: boolean,
): TypedTable {
  const names = header.map((cell) => cell.trim());
  const own = ownColumns(names, columns);
  return {
    header: [...own.map((index) => header[index] ?? ''), ...columns],
    row: (cells, results, isUnsound = false, written = (index) => cells[index] ?? '') => {
      const fits = cells.length === header.length || (padShortRows && isOnlyPadding(cells, header.length));
      const filling = Array<string>(Math.max(0, own.length - cells.length)).fill('');
      const kept = fits ? own.map((index) => written(index)) : [...cells, ...filling];
      // In a row that does not fit, earlier results are among its cells.
      const earlier = (name: string): string => (fits ? (cells[names.indexOf(name)] ?? '') : '');
      const values = columns.map((name) => results[name] ?? earlier(name));
      return [...kept, ...values, ...(fits && !isUnsound ? [] : [CORRECT])];
    },
  };
}

/** A row of CSV with its line end, which a spreadsheet opens without running a formula. */
export function csvLine(cells: readonly WrittenCell[], delimiter: string, lineEnd: string): string {
  return cells.map((cell) => csvCell(escapeFormula(writtenText(cell)), delimiter)).join(delimiter) + lineEnd;
}

/** One record's JSON as typed, on one line, with its results as last members: null for an empty result. */
export function jsonWithResults(json: string, results: ResultCells): string {
  // A string in JSON has no line break, so this changes only the space between values.
  const text = joinLines(json);
  const isObject = text.startsWith('{');
  const members = isObject ? objectMembers(text).filter((member) => member.trim() !== '') : [];
  const given = Object.entries(results).filter(([, value]) => value !== null);
  const added = given.map(
    ([name, value]) => `${JSON.stringify(name)}:${value === '' ? 'null' : JSON.stringify(value)}`,
  );
  // A value that is not an object has no members: it becomes a member with a name that no record has.
  if (!isObject) return `{"value":${text},${added.join(',')}}\n`;
  const replaced = new Set<unknown>(given.map(([name]) => name));
  const kept = members.filter((member) => !replaced.has(memberName(member)));
  return `{${[...kept.slice(0, -1), ...kept.slice(-1).map((last) => last.trimEnd()), ...added].join(',')}}\n`;
}

/** The members of a JSON object as typed, with the spaces around them. */
function objectMembers(object: string): string[] {
  const members: string[] = [];
  let start = 1;
  let depth = 0;
  for (const { 0: token, index } of object.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    if (depth === (token === ',' ? 1 : 0) && (token === ',' || token === '}')) {
      members.push(object.slice(start, index));
      start = index + 1;
    }
  }
  return members;
}

function memberName(member: string): unknown {
  return JSON.parse(/"[^"\\]*(?:\\.[^"\\]*)*"/.exec(member)?.[0] ?? 'null');
}

/** A reason for a cell: it may contain any text of an input or an answer. */
export function oneLine(reason: string): string {
  return printable(joinLines(reason)).replace(LONE_SURROGATES, '\ufffd');
}

/** Not by a pattern for the spaces around a line end, which would start again at every one of a million spaces. */
function joinLines(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

const LONE_SURROGATES = new RegExp(LONE_SURROGATE, 'g');

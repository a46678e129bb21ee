/** Rejects: records as they were typed, each with what is wrong with it, to be corrected and imported again. */
import { LONE_SURROGATE } from '../records/surrogate.js';
import { printable } from './printable.js';
import { csvCell, defused } from './spreadsheet.js';

/** What is told of a record beside its reason, by column. Where it is null, what the record has there already stays. */
export type Told = Readonly<Record<string, string | null>>;

export interface CsvRejects {
  /** The header with its line end. */
  readonly header: string;
  /**
   * A row with its line end.
   * @param reason why it was not taken
   * @param isUnsound the row would be taken as it stands, although it was refused where it comes from
   */
  readonly row: (cells: readonly string[], told: Told, reason: string, isUnsound?: boolean) => string;
}

export interface CsvLayout {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Names of the columns for what is told, before the column for the reasons, which is the last. */
  readonly toldColumns: readonly string[];
  readonly reasonColumn: string;
  /** Rows with too few cells were read as ending in empty ones. */
  readonly padShortRows: boolean;
}

/** The cell after the reason of a row that is too short, see below. */
const TOO_SHORT = 'add what is missing, then delete this cell';
/** The same of a row that a workbook shows otherwise than CSV. */
const UNSOUND = 'correct this row and delete this cell';

/** @param header cells of the input's header; columns of the rejects that are there already are replaced */
export function csvRejects(header: readonly string[], layout: CsvLayout): CsvRejects {
  const { delimiter, lineEnd, padShortRows } = layout;
  const columns = columnsOf(header, layout);
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => csvCell(defused(cell), delimiter)).join(delimiter) + lineEnd;
  return {
    header: line([...columns.kept.map((index) => header[index] ?? ''), ...layout.toldColumns, layout.reasonColumn]),
    row: (cells, told, reason, isUnsound = false) => {
      const missing = header.length - cells.length;
      const fits = missing === 0 || (missing > 0 && padShortRows);
      if (!fits) return line(unfitting(cells, oneLine(reason), columns));
      const fitted = fitting(cells, told, oneLine(reason), columns);
      return line(isUnsound ? [...fitted, UNSOUND] : fitted);
    },
  };
}

interface Columns {
  /** How many cells the header has. */
  readonly width: number;
  /** Indexes of the cells that are the person's own. */
  readonly kept: readonly number[];
  /** The columns for what is told, and where the input has them; -1 for one that it lacks. */
  readonly told: readonly { readonly name: string; readonly index: number }[];
  /** The input has all the columns of a rejects file. */
  readonly isRejects: boolean;
}

function columnsOf(header: readonly string[], { toldColumns, reasonColumn }: CsvLayout): Columns {
  const names = header.map((cell) => cell.trim());
  const added = [...toldColumns, reasonColumn];
  const kept = [...names.keys()].filter((index) => !added.includes(names[index] as string));
  const told = toldColumns.map((name) => ({ name, index: names.indexOf(name) }));
  return { width: header.length, kept, told, isRejects: added.every((name) => names.includes(name)) };
}

function fitting(cells: readonly string[], told: Told, reason: string, columns: Columns): string[] {
  const values = columns.told.map(({ name, index }) => told[name] ?? cells[index] ?? '');
  return [...columns.kept.map((index) => cells[index] ?? ''), ...values, reason];
}

/**
 * Nobody knows which cells of a row of the wrong length are missing or too many. So no cell is removed, and the length
 * stays wrong until a person has corrected the row: filled up, the row would be read without a complaint.
 */
function unfitting(cells: readonly string[], reason: string, { width, kept, told, isRejects }: Columns): string[] {
  const blank = told.map(() => '');
  // What was told of it before is among its cells, where it belongs once the row has been corrected.
  if (cells.length > width) return [...cells, ...(isRejects ? [] : blank), reason];
  const filling = Array<string>(Math.max(0, kept.length - cells.length)).fill('');
  return [...cells, ...filling, ...blank, reason, TOO_SHORT];
}

/** One record's JSON on one line, its own text as it was typed, with what is told of it and the reason as last members. */
export function jsonReject(json: string, told: Told, reason: string, reasonName: string): string {
  // A string in JSON has no line break, so this changes only the space between values.
  const text = joinedLines(json);
  const given = [...Object.entries(told), [reasonName, oneLine(reason)] as const].filter(([, value]) => value !== null);
  const added = given.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  // A value that is no object has no members: it is kept beside the reason, under a name that no record has.
  if (!text.startsWith('{')) return `{"value":${text},${added.join(',')}}\n`;
  const isReplaced = (member: string): boolean => given.some(([name]) => nameOf(member) === name);
  const members = membersOf(text).filter((member) => member.trim() !== '' && !isReplaced(member));
  return `{${[...members.slice(0, -1), ...members.slice(-1).map((last) => last.trimEnd()), ...added].join(',')}}\n`;
}

/** The members of a JSON object as typed, with the spaces around them. */
function membersOf(object: string): string[] {
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

function nameOf(member: string): unknown {
  return JSON.parse(/"[^"\\]*(?:\\.[^"\\]*)*"/.exec(member)?.[0] ?? 'null');
}

/** A reason may hold anything that an input or an answer held. */
function oneLine(reason: string): string {
  return printable(joinedLines(reason)).replace(LONE_SURROGATES, '\ufffd');
}

/** Not by a pattern for the spaces around a line end, which would start again at every one of a million spaces. */
function joinedLines(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

const LONE_SURROGATES = new RegExp(LONE_SURROGATE, 'g');

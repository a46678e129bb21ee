/** Rejects: records as they were typed, each with what is wrong with it, to be mended and imported again. */
import { LONE_SURROGATE } from '../records/surrogate.js';
import { printable } from './printable.js';
import { csvCell, defused } from './spreadsheet.js';

export interface CsvRejects {
  /** The header with its line end. */
  readonly header: string;
  /** A row with its line end. @param reason why it was not taken */
  readonly row: (cells: readonly string[], reason: string) => string;
}

export interface CsvLayout {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Name of the column for the reasons. */
  readonly reasonColumn: string;
  /** Rows with too few cells were read as ending in empty ones. */
  readonly padShortRows: boolean;
}

/** The cell after the reason of a row that is too short, see below. */
const TOO_SHORT = 'add what is missing, then delete this cell';

/** @param header cells of the input's header; a column for the reasons that is there already is replaced */
export function csvRejects(header: readonly string[], layout: CsvLayout): CsvRejects {
  const { delimiter, lineEnd, reasonColumn, padShortRows } = layout;
  const kept = [...header.keys()].filter((index) => header[index]?.trim() !== reasonColumn);
  const pick = (cells: readonly string[]): string[] => kept.map((index) => cells[index] ?? '');
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => csvCell(defused(cell), delimiter)).join(delimiter) + lineEnd;
  return {
    header: line([...pick(header), reasonColumn]),
    row: (cells, reason) => {
      const text = oneLine(reason);
      const missing = header.length - cells.length;
      if (missing === 0 || (missing > 0 && padShortRows)) return line([...pick(cells), text]);
      // Nobody knows which cells of a row of the wrong length are missing or too many. So no cell is removed, and the
      // length stays wrong until a person has mended the row: filled up, the row would be read without a complaint.
      if (missing < 0) return line([...cells, text]);
      const filling = Array<string>(Math.max(0, kept.length - cells.length)).fill('');
      return line([...cells, ...filling, text, TOO_SHORT]);
    },
  };
}

/** One record's JSON on one line, its own text as it was typed, with the reason as its last member. */
export function jsonReject(json: string, reason: string, reasonName: string): string {
  // A string in JSON has no line break, so this changes only the space between values.
  const text = joinedLines(json);
  const added = `${JSON.stringify(reasonName)}:${JSON.stringify(oneLine(reason))}`;
  // A value that is no object has no members: it is kept beside the reason, under a name that no record has.
  if (!text.startsWith('{')) return `{"value":${text},${added}}\n`;
  const members = membersOf(text).filter((member) => member.trim() !== '' && nameOf(member) !== reasonName);
  return `{${[...members.slice(0, -1), ...members.slice(-1).map((last) => last.trimEnd()), added].join(',')}}\n`;
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

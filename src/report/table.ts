/** Plain tables for a terminal: columns as wide as their cells, or one sentence per row if the terminal is narrow. */
import { eastAsianWidth } from 'get-east-asian-width';
import { groupThousands } from '../money/decimal.js';
import type { SignedDecision } from '../journal/payment.js';
import { localTime } from '../util/local-time.js';
import type { Person } from '../world.js';

/** For numbers. `point`: aligns decimal points, and the text after the number too. Default: words on the left. */
export type Align = 'right' | 'point';

export interface TableColumn<Row> {
  readonly title: string;
  readonly align?: Align;
  /** Must be printable. */
  readonly cell: (row: Row) => string;
}

/** Columns of a terminal; a file takes lines of any width. */
export function widthOf({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number {
  // Some terminals report 0 if they do not know.
  return isTTY === true ? columns || 80 : Infinity;
}

const COLUMN_GAP = '  ';
const CONTINUATION_INDENT = '    ';

/**
 * Lines of the table, header first. If it is wider than the terminal, each row becomes a sentence of headings and
 * cells, which may be broken.
 */
export function tableLines<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width = Infinity,
): string[] {
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const lines = columnLines(
    [titles, ...cells],
    columns.map(({ align }) => align),
  );
  if (lines.every((line) => textWidth(line) <= width)) return lines;
  // Without its heading, the meaning of a cell would be unclear.
  return cells.flatMap((row) => {
    const filled = row.map((cell, i) => (cell === '' ? '' : `${titles[i]} ${cell}`.trim()));
    return wrapText(filled.filter((text) => text !== '').join(', '), width);
  });
}

/** Rows with aligned cells, as wide as the widest. A column of empty cells takes no room. */
export function columnLines(rows: readonly (readonly string[])[], aligns: readonly (Align | undefined)[]): string[] {
  const columns: string[][] = [];
  for (const [i, align] of aligns.entries()) {
    const cells = rows.map((row) => row[i] ?? '');
    const aligned = align === 'point' ? alignPoints(cells) : cells;
    const width = widest(aligned);
    if (width > 0) columns.push(aligned.map((cell) => pad(cell, width, align !== undefined)));
  }
  const lineOf = (row: number): string => columns.map((cells) => cells[row]).join(COLUMN_GAP);
  return rows.map((_, row) => lineOf(row).trimEnd());
}

/** A number, its decimals, and the text after it: `1,200.50 EUR`. Other cells stay as they are. */
const NUMBER_CELL = /^([+-]?[\d,]+)(\.\d+)?((?: .*)?)$/s;

function alignPoints(cells: readonly string[]): string[] {
  const parts = cells.map((cell) => NUMBER_CELL.exec(cell));
  const fraction = widest(parts.map((found) => found?.[2] ?? ''));
  const unit = widest(parts.map((found) => found?.[3] ?? ''));
  return cells.map((cell, i) => {
    const found = parts[i];
    if (found === null || found === undefined) return cell;
    return `${found[1]}${pad(found[2] ?? '', fraction)}${pad(found[3] ?? '', unit)}`;
  });
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, textWidth(cell)), 0);
}

const QUOTED_WORD = String.raw`'[^']*'|"(?:\\.|[^"\\])*"`;
const SHELL_WORD = String.raw`(?:\\.|${QUOTED_WORD}|[^\s'"\\])+`;
/** The program's name, or its path. */
const PROGRAM = String.raw`(?<=^ *|: )(?:gigwork|'[^']*gigwork[^']*'|"[^"]*gigwork[^"]*"|[^\s'"]*[/\\]gigwork[^\s'"]*)`;
/** Text for pasting: a command up to the end of its sentence or a bracket after it, an option with a quoted value. */
const PASTED = new RegExp(
  String.raw`${PROGRAM}(?:(?<![.,;]) (?![[(])${SHELL_WORD})+|(?<![\w-])--[a-z-]+ (?=['"])${SHELL_WORD}`,
  'g',
);
/** A space where no line may break, and one between the words of a command; printable text has neither character. */
const KEPT_SPACE = '\0';
const WORD_BREAK = '\u0001';
/** Ends a line of a command that continues in the next one. The shells of Windows do not share such a sign. */
const CONTINUED = process.platform === 'win32' ? null : ' \\';

/**
 * Breaks a text at spaces if it is wider than the terminal, and indents the lines after the first. A command that is
 * too wide for a line is broken between its words so that a shell reads it as one; other text for pasting is not
 * broken.
 */
export function wrapText(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text];
  const start = /^ */.exec(text)?.[0] ?? '';
  const kept = text.slice(start.length).replace(PASTED, (command) => {
    const words = command.match(new RegExp(SHELL_WORD, 'g')) ?? [];
    return words
      .map((word) => word.replaceAll(' ', KEPT_SPACE))
      .join(command.startsWith('--') ? KEPT_SPACE : WORD_BREAK);
  });
  const lines: string[] = [];
  let line = '';
  // With room for the end of the line.
  const add = (word: string, between: string, end: string): void => {
    const longer = line === '' ? start + word : `${line} ${word}`;
    if (line === '' || textWidth(longer + end) <= width) line = longer;
    else {
      lines.push(line + between);
      line = start + CONTINUATION_INDENT + word;
    }
  };
  for (const word of kept.split(' ')) {
    const isWide = textWidth(start + CONTINUATION_INDENT + word) > width;
    const [first = '', ...others] = isWide && CONTINUED !== null ? word.split(WORD_BREAK) : [word];
    const end = others.length > 0 ? (CONTINUED ?? '') : '';
    add(first, '', end);
    others.forEach((other, i) => add(other, end, i < others.length - 1 ? end : ''));
  }
  return [...lines, line].map((each) => each.replaceAll(KEPT_SPACE, ' ').replaceAll(WORD_BREAK, ' '));
}

/** @param width columns of a terminal */
function pad(text: string, width: number, isRight = false): string {
  const gap = ' '.repeat(Math.max(0, width - textWidth(text)));
  return isRight ? gap + text : text + gap;
}

/** Combining marks and joiners take no columns. */
const NO_COLUMNS = /\p{M}|[\u200b-\u200d]/gu;

/**
 * Number of terminal columns that a text takes: two for East Asian characters and emoji. `string-width` would also know
 * emoji that consist of several, but the code for that takes 9 ms to load, at every start.
 */
export function textWidth(text: string): number {
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(NO_COLUMNS, '')) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  return width;
}

/** Keeps both ends, since codes often differ in their last characters. */
export function ellipsize(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join('')}…${characters.slice(-tail).join('')}`;
}

/** With its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1,234`. */
export function formatCount(count: number): string {
  return groupThousands({ units: BigInt(count), scale: 0 });
}

/** `1 record`, `1,234 records`. @param many the plural, if it is not `one` with an s */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `clerk on payroll-1` */
export function personText({ user, host }: Person): string {
  return `${user} on ${host}`;
}

/** `2026-11-01 09:00 +01:00 by clerk on payroll-1: paid by hand` */
export function decisionText({ at, by, note }: SignedDecision): string {
  return `${localTime(at)} by ${personText(by)}${note === '' ? '' : `: ${note}`}`;
}

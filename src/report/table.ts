/** Plain tables for a terminal: columns as wide as their cells, or a block per row where the terminal is too narrow. */
import { eastAsianWidth } from 'get-east-asian-width';
import { groupThousands } from '../money/decimal.js';
import type { TerminalStream } from '../util/output.js';
import type { Person } from '../world.js';

/** `point`: to the right, numbers with their decimal points below one another, and what stands behind them too. */
export type Align = 'left' | 'right' | 'point';

export interface TableColumn<Row> {
  readonly title: string;
  readonly align?: Align;
  /** Must be printable. */
  readonly cell: (row: Row) => string;
}

/** Columns of a terminal; a file takes lines of any width. */
export function widthOf({ isTTY, columns }: Pick<TerminalStream, 'isTTY' | 'columns'>): number {
  // Some terminals say 0 where they do not know.
  return isTTY === true ? columns || 80 : Infinity;
}

const GAP = '  ';
const INDENT = '    ';

/**
 * Lines of the table, header first.
 * @param width columns of the terminal; a table that does not fit gives each row two lines, with its numbers on the second
 */
export function tableLines<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width = Infinity,
): string[] {
  const aligns = columns.map(({ align = 'left' }) => align);
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const lines = columnLines([titles, ...cells], aligns);
  if (lines.every((line) => textWidth(line) <= width)) return lines;
  const aligned = pointsAligned(cells, aligns);
  return aligned.flatMap((row) => stackedRow(titles, aligns, row, aligned, width));
}

/** Rows whose cells stand below one another, as wide as the widest. A column of empty cells takes no room. */
export function columnLines(rows: readonly (readonly string[])[], aligns: readonly Align[]): string[] {
  const aligned = pointsAligned(rows, aligns);
  const widths = aligns.map((_align, i) => aligned.reduce((most, row) => Math.max(most, textWidth(row[i] ?? '')), 0));
  return aligned.map((row) =>
    aligns
      .flatMap((side, i) => (widths[i] === 0 ? [] : [padded(row[i] ?? '', widths[i] ?? 0, side)]))
      .join(GAP)
      .trimEnd(),
  );
}

/** A number, what stands behind its point, and behind the number: `1,200.50 EUR`. Other cells stay as they are. */
const NUMBER = /^([+-]?[\d,]+)(\.\d+)?((?: .*)?)$/s;

function pointsAligned(rows: readonly (readonly string[])[], aligns: readonly Align[]): readonly (readonly string[])[] {
  const widest = aligns.map(() => ({ fraction: 0, unit: 0 }));
  const each = (row: readonly string[], i: number): RegExpExecArray | null =>
    aligns[i] === 'point' ? NUMBER.exec(row[i] ?? '') : null;
  for (const row of rows)
    for (const [i, most] of widest.entries()) {
      const [, , fraction = '', unit = ''] = each(row, i) ?? [];
      most.fraction = Math.max(most.fraction, fraction.length);
      most.unit = Math.max(most.unit, textWidth(unit));
    }
  return rows.map((row) =>
    row.map((cell, i) => {
      const [, whole, fraction = '', unit = ''] = each(row, i) ?? [];
      const most = widest[i];
      if (whole === undefined || most === undefined) return cell;
      return whole + padded(fraction, most.fraction) + padded(unit, most.unit);
    }),
  );
}

/** Words on one line; below it the numbers with their titles, lined up over all rows. */
function stackedRow(
  titles: readonly string[],
  aligns: readonly Align[],
  row: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const filled = row.flatMap((cell, i) => (cell === '' ? [] : [{ cell, i, isNumber: isNumber(aligns[i]) }]));
  const words = filled.filter((each) => !each.isNumber).map(({ cell }) => cell);
  const numbers = filled.flatMap(({ cell, i, isNumber: is }) => {
    if (!is) return [];
    const widest = rows.reduce((most, cells) => Math.max(most, textWidth(cells[i] ?? '')), 0);
    return [`${titles[i]} ${padded(cell, widest, 'right')}`.trim()];
  });
  return [...wrapped(words.join(', '), width), ...inLines(numbers, width)].filter((line) => line !== '');
}

/** As many to a line as it takes, each line indented. */
function inLines(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? null : `${last}${GAP}${part}`;
    if (longer !== null && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(INDENT + part);
  }
  return lines;
}

const QUOTED = String.raw`'[^']*'|"(?:\\.|[^"\\])*"`;
const WORD = String.raw`(?:\\.|${QUOTED}|[^\s'"\\])+`;
/** Text to be pasted: a command up to the end of its sentence or a bracket after it, an option with a quoted value. */
const PASTED = new RegExp(
  String.raw`(?<=: )gigwork(?:(?<![.,;]) (?![[(])${WORD})+|(?<![\w-])--[a-z-]+ (?=['"])${WORD}`,
  'g',
);
/** Stands for a space at which no line may break; printable text never has this character. */
const KEPT = '\0';

/**
 * Breaks a text at spaces where it is wider than the terminal, and indents the lines after the first. Words and text to
 * be pasted are never broken: a shell would run half of a command that has a line end in it.
 */
export function wrapped(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text];
  const start = /^ */.exec(text)?.[0] ?? '';
  const kept = text.slice(start.length).replace(PASTED, (command) => command.replaceAll(' ', KEPT));
  const [first = '', ...words] = kept.split(' ');
  const lines: string[] = [];
  let line = start + first;
  for (const word of words) {
    const longer = `${line} ${word}`;
    if (textWidth(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = start + INDENT + word;
    }
  }
  return [...lines, line].map((each) => each.replaceAll(KEPT, ' '));
}

/** @param width columns of a terminal */
function padded(text: string, width: number, align: Align = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - textWidth(text)));
  return isNumber(align) ? gap + text : text + gap;
}

function isNumber(align: Align | undefined): boolean {
  return align === 'right' || align === 'point';
}

/** Marks that stand on the character before them, and what joins characters: no columns of their own. */
const NO_COLUMNS = /\p{M}|[\u200b-\u200d]/gu;

/**
 * How many columns of a terminal a text takes: two for East Asian characters and emoji. `string-width` would know emoji
 * that are put together from several, too, but what it needs for that takes 9 ms to load, at every start.
 */
export function textWidth(text: string): number {
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(NO_COLUMNS, '')) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  return width;
}

/** A text of at most so many characters: both ends stay, since codes often differ in their last characters. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join('')}…${characters.slice(-tail).join('')}`;
}

/** `1,234`. */
export function countText(count: number): string {
  return groupThousands({ units: BigInt(count), scale: 0 });
}

/** `1 record`, `1,234 records`. @param many the plural, where it is not `one` with an s */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** `2026-11-22 20:58`, in UTC. @param at milliseconds since 1970 */
export function minuteText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** `clerk on payroll-1` */
export function personWords({ user, host }: Person): string {
  return `${user} on ${host}`;
}

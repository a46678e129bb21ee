/** Rows of a file as a table. If they are wider than the terminal, the table is split into parts below one another. */
import { columnLines, shortened, textWidth } from '../../report/table.js';
import { printable } from '../../report/printable.js';

const WIDEST = 24;
const GAP = 2;
const MOST_PARTS = 4;
/** Marks an empty cell, so that a column with only empty cells keeps its place. */
const EMPTY = '\u00b7';

/** @param rows the names of the columns first. @param room columns of the terminal */
export function previewLines(rows: readonly (readonly string[])[], room: number): string[] {
  const width = Math.max(...rows.map((row) => row.length));
  const cells = rows.map((row) =>
    Array.from({ length: width }, (_, i) => shortened(printable((row[i] ?? '').trim()), WIDEST) || EMPTY),
  );
  const parts: number[][] = [];
  let left = 0;
  for (let column = 0; column < width; column++) {
    const needed = Math.max(...cells.map((row) => textWidth(row[column] ?? ''))) + GAP;
    const part = parts.at(-1);
    if (part === undefined || left < needed) {
      parts.push([column]);
      left = room + GAP - needed;
    } else {
      part.push(column);
      left -= needed;
    }
  }
  const shown = parts.slice(0, MOST_PARTS);
  const rest = parts.slice(MOST_PARTS).flat().length;
  return [
    ...shown.flatMap((part, i) => {
      const lines = columnLines(
        cells.map((row) => part.map((column) => row[column] ?? '')),
        part.map(() => undefined),
      );
      return i === 0 ? lines : ['', ...lines];
    }),
    ...(rest === 0 ? [] : [`… and ${rest} more columns`]),
  ];
}

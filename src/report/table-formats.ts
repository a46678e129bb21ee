/** Files with a row for each item, as every report of named columns is written. CONTRACT: "Files it writes". */
import { UsageError } from '../errors.js';
import { csvCell, escapeControls, escapeFormula, printable } from './printable.js';
import type { WrittenCell, WrittenKind } from './written-cell.js';

/** A column of a file. */
export interface ReportColumn<Row, Value = string | number | null> {
  readonly name: string;
  /** Null where the row has nothing. */
  readonly cell: (row: Row) => Value;
  /** In a workbook, where the column is no text. */
  readonly typed?: { readonly kind: WrittenKind; readonly cell: (row: Row) => WrittenCell };
}

/** The pieces of a file. */
export type FilePieces = AsyncIterable<string | Uint8Array>;

export async function* csvTable<Row>(columns: readonly ReportColumn<Row>[], rows: AsyncIterable<Row>): FilePieces {
  yield `${columns.map(({ name }) => name).join(',')}\r\n`;
  for await (const row of rows) {
    const cells = columns.map((column) => csvCell(escapeFormula(textCell(column, row)), ','));
    yield `${cells.join(',')}\r\n`;
  }
}

export async function* ndjsonTable<Row>(
  columns: readonly ReportColumn<Row, unknown>[],
  rows: AsyncIterable<Row>,
): FilePieces {
  for await (const row of rows) {
    const members = columns.map(({ name, cell }) => [name, cell(row)]);
    yield `${escapeControls(JSON.stringify(Object.fromEntries(members)))}\n`;
  }
}

/** @param sheet its name */
export async function* xlsxTable<Row>(
  sheet: string,
  columns: readonly ReportColumn<Row>[],
  rows: AsyncIterable<Row>,
): FilePieces {
  const { writeXlsx } = await import('./xlsx-writer.js');
  const kinds = columns.map(({ typed }) => typed?.kind ?? 'text');
  async function* cells(): AsyncIterable<readonly WrittenCell[]> {
    yield columns.map(({ name }) => name);
    for await (const row of rows) yield columns.map((column) => column.typed?.cell(row) ?? textCell(column, row));
  }
  yield* writeXlsx({ name: sheet, frozenRows: 1, columns: kinds }, cells());
}

/** Control characters are shown as their escapes. */
function textCell<Row>({ cell }: ReportColumn<Row>, row: Row): string {
  return printable(String(cell(row) ?? ''));
}

/** The format that a file's extension names. @throws UsageError for any other extension */
export function formatNamed<T>(flag: string, path: string, formats: Readonly<Record<string, T>>): T {
  const extension = /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  const format = Object.hasOwn(formats, extension) ? formats[extension] : undefined;
  if (format !== undefined) return format;
  const names = Object.keys(formats);
  const one = names.length > 2 ? `one of ${names.join(', ')}` : names.join(' or ');
  throw new UsageError(`${flag} ${path}: the name must end in ${one}`);
}

/** Sheets that may be meant as well as the one that is read: those with the same header. CONTRACT: `known_sheets`. */
import { columnName } from '../columns.js';
import { FileFault } from '../raw-record.js';
import { openTable, type SheetTable, titleCells } from './sheet-table.js';
import { openSheet, type OpenedSheet } from './workbook.js';

/**
 * The names of the other visible sheets with the same header, for a sheet that is not read yet.
 * @param wanted value of `--sheet`, or null
 * @param headerLine as `--header-line` has it, or null
 * @throws FileFault, UsageError
 */
export async function sheetsLike(
  chunks: AsyncIterable<Buffer>,
  path: string,
  wanted: string | null,
  headerLine: number | null,
): Promise<string[]> {
  const sheet = await openSheet(chunks, path, wanted);
  const table = await openTable(sheet, headerLine);
  if (sheet === null || table === null) return [];
  const names = await alikeSheets(sheet, table, headerLine);
  await close(table);
  return names;
}

/** @param headerLine as `--header-line` has it, or null */
export async function alikeSheets(
  { openOthers }: OpenedSheet,
  { header }: SheetTable,
  headerLine: number | null,
): Promise<string[]> {
  const names = foldHeader(header.cells);
  const alike: string[] = [];
  for (const other of openOthers()) {
    const table = await openedTable(other, headerLine);
    if (table === null) continue;
    await close(table);
    // Its title may have more lines or fewer.
    const headers = [table.header.cells, ...table.top.map(titleCells)];
    if (headers.some((cells) => foldHeader(cells) === names)) alike.push(other.name);
  }
  return alike;
}

/** Null for a sheet that cannot be read as a table: such a sheet is not meant. */
async function openedTable(sheet: OpenedSheet, headerLine: number | null): Promise<SheetTable | null> {
  try {
    return await openTable(sheet, headerLine);
  } catch (cause) {
    if (cause instanceof FileFault) return null;
    throw cause;
  }
}

/** The order of the columns, letter case and columns without a name make no other header. */
function foldHeader(cells: readonly string[]): string {
  const names = cells.map((cell) => columnName(cell).trim().toLowerCase()).filter((name) => name !== '');
  return JSON.stringify(names.toSorted());
}

/** To close a part of the archive, its reader must read a piece and stop. */
async function close(table: SheetTable): Promise<void> {
  for await (const _rows of table.rows(null, new Map(), () => true)) break;
}

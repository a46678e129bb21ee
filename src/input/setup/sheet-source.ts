/** A workbook's sheet as setup looks at it: the table that a person sees. Loaded for workbooks alone. */
import { openSource, type SourceOptions } from '../source.js';
import { type OpenedSheet, openSheet } from '../xlsx/open-sheet.js';
import { openPackage } from '../xlsx/package.js';
import type { SheetRow } from '../xlsx/sheet.js';
import { openTable, rowCells, type SheetTable, titleCells } from '../xlsx/table.js';
import { readWorkbook } from '../xlsx/workbook.js';
import { MOST_LINES } from '../header-advice.js';
import { asName, type FirstLine } from './header.js';
import type { SurveyRow, SurveySource } from './survey-source.js';

/** @param wanted what `--sheet` says, or null. @throws FileFault; UsageError where it is not clear which sheet is meant */
export async function sheetSource(path: string, wanted: string | null, from: SourceOptions): Promise<SurveySource> {
  const open = async (): Promise<OpenedSheet | null> => {
    const sheet = await openSheet(openSource(path, from).chunks(), path, wanted);
    // What is hidden is judged when the file is read: here nothing is left out.
    return sheet === null ? null : { ...sheet, isColumnHidden: () => false };
  };
  return {
    format: 'xlsx',
    lines: await firstRows(await open()),
    usualLine: 1,
    isText: true,
    rows: (headerLine) => tableRows(open, headerLine),
  };
}

/** The sheets with a table that a person sees. @throws FileFault */
export async function sheetNames(path: string, from: SourceOptions): Promise<string[]> {
  const parts: Buffer[] = [];
  for await (const chunk of openSource(path, from).chunks()) parts.push(chunk);
  const { sheets } = await readWorkbook(await openPackage(Buffer.concat(parts)));
  return sheets.filter(({ isVisible, part }) => isVisible && part !== null).map(({ name }) => name);
}

async function firstRows(sheet: OpenedSheet | null): Promise<FirstLine[]> {
  const found: FirstLine[] = [];
  for await (const batch of sheet?.rows ?? []) {
    found.push(...batch.map((row) => ({ line: row.row, cells: titleCells(row).map(asName) })));
    if (found.length >= MOST_LINES) break;
  }
  return found.slice(0, MOST_LINES);
}

async function* tableRows(
  open: () => Promise<OpenedSheet | null>,
  headerLine: number | null,
): AsyncIterable<readonly SurveyRow[]> {
  const sheet = await open();
  const table = sheet === null ? null : await openTable(sheet, headerLine ?? 1, new Set());
  if (table === null) return;
  for await (const batch of table.rows) yield batch.map((row) => surveyRow(row, table));
}

/** Numbers and dates that are ones by themselves have one reading, and prove nothing about texts. */
function surveyRow(row: SheetRow, table: SheetTable): SurveyRow {
  const { cells, typed } = rowCells(row, table, null, new Set());
  const byThemselves = new Set(typed?.flatMap((cell, i) => (cell === undefined ? [] : [i])));
  return { cells, typed: byThemselves, line: row.row };
}

/**
 * A workbook with one sheet. Its cells are text, so that a spreadsheet keeps `00123` and runs no formula, but for those
 * that the program itself has made numbers or times.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { addressOf, LONGEST_TEXT, MOST_COLUMNS, MOST_ROWS } from '../input/xlsx/cell-address.js';
import { LONE_SURROGATE, looksLikeFormula } from '../records/misleading-text.js';
import { writtenText, type WrittenCell } from './written-cell.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * @param sheet its name
 * @param rows in order from the first; an empty one stays empty
 * @throws Error for a table that is larger than a sheet
 */
export function writeXlsx(sheet: string, rows: AsyncIterable<readonly WrittenCell[]>): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const parts = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': workbookXml(sheet),
    'xl/_rels/workbook.xml.rels': relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
    'xl/styles.xml': STYLES,
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name, FIRST_DAY);
  const table = Readable.from(sheetXml(rows));
  zip.addReadStream(table, 'xl/worksheets/sheet1.xml', FIRST_DAY);
  zip.end();
  // The archive does not tell its streams of each other's end.
  const bytes = zip.outputStream as Readable;
  table.once('error', (cause) => bytes.destroy(cause));
  bytes.once('close', () => table.destroy());
  return bytes;
}

/** The same content gives the same bytes. */
const FIRST_DAY = { mtime: new Date(1980, 0), forceDosTimestamp: true };

const override = (part: string, type: string): string =>
  `<Override PartName="/xl/${part}.xml" ContentType="${XML}.${type}+xml"/>`;

const CONTENT_TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook', 'sheet.main')}${override('worksheets/sheet1', 'worksheet')}${override('styles', 'styles')}</Types>`;

function relationships(...targets: readonly (readonly [type: string, target: string])[]): string {
  const list = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function workbookXml(sheet: string): string {
  const name = escapeXmlText(sheet).replaceAll('"', '&quot;');
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

/** The formats of cells, by their place in the styles. Where a person types later, style 1 keeps it as text too. */
const TEXT_STYLE = 1;
const NUMBER_STYLE = 2;
const TIME_STYLE = 3;

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">${[0, 49, 0, 164].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Enough for one piece, in UTF-16 units. */
const SHEET_PIECE = 64 * 1024;

async function* sheetXml(rows: AsyncIterable<readonly WrittenCell[]>): AsyncIterable<string> {
  const columns = `<cols><col min="1" max="${MOST_COLUMNS}" width="18" style="${TEXT_STYLE}" customWidth="1"/></cols>`;
  let text = `${HEAD}<worksheet xmlns="${MAIN}">${columns}<sheetData>`;
  let number = 0;
  for await (const cells of rows) {
    text += rowXml(cells, ++number);
    if (text.length < SHEET_PIECE) continue;
    yield text;
    text = '';
  }
  // Otherwise a green corner suggests converting each text that looks like a number.
  const plain = `<ignoredError sqref="A1:${addressOf(MOST_COLUMNS - 1, MOST_ROWS)}" numberStoredAsText="1"/>`;
  yield `${text}</sheetData><ignoredErrors>${plain}</ignoredErrors></worksheet>`;
}

function rowXml(cells: readonly WrittenCell[], row: number): string {
  if (row > MOST_ROWS || cells.length > MOST_COLUMNS)
    throw new Error(`a sheet has room for ${MOST_ROWS} rows and ${MOST_COLUMNS} columns; name a .csv file`);
  const filled = cells.map((cell, index) => (cell === '' ? '' : cellXml(cell, addressOf(index, row))));
  return `<row r="${row}">${filled.join('')}</row>`;
}

function cellXml(cell: WrittenCell, address: string): string {
  if (typeof cell === 'string') return textXml(cell, address);
  if (cell.kind === 'number')
    return EXACT_NUMBER.test(cell.text) ? numberXml(cell.text, NUMBER_STYLE, address) : textXml(cell.text, address);
  const days =
    FIRST_SURE_DAY <= cell.seconds && cell.seconds < YEAR_10000 ? cell.seconds / SECONDS_A_DAY + DAYS_TO_1970 : null;
  return days === null ? textXml(writtenText(cell), address) : numberXml(String(days), TIME_STYLE, address);
}

/** Spreadsheets keep 15 digits. */
const EXACT_NUMBER = /^-?(?=(?:\d\.?){1,15}$)\d+(?:\.\d+)?$/;
const SECONDS_A_DAY = 86_400;
/** A spreadsheet counts days from 1899-12-30, and the earliest ones in more than one way. */
const DAYS_TO_1970 = 25_569;
const FIRST_SURE_DAY = Date.UTC(1901, 0) / 1000;
const YEAR_10000 = Date.UTC(10_000, 0) / 1000;

function numberXml(text: string, style: number, address: string): string {
  return `<c r="${address}" s="${style}"><v>${text}</v></c>`;
}

function textXml(cell: string, address: string): string {
  // Import removes one again, as for a CSV file that a spreadsheet has saved as a workbook.
  const text = cell.startsWith("'") && looksLikeFormula(cell) ? `'${cell}` : cell;
  if (text.length > LONGEST_TEXT)
    throw new Error(
      `${address} would hold ${text.length} characters, and a cell has room for ${LONGEST_TEXT}; name a .csv file`,
    );
  return `<c r="${address}" s="${TEXT_STYLE}" t="inlineStr"><is><t xml:space="preserve">${escapeXmlText(text)}</t></is></c>`;
}

/** Characters that XML cannot contain or that a reader changes, and text that looks like such an escape. */
const UNSAFE = new RegExp(`[\\0-\\x08\\x0b-\\x1f\\ufffe\\uffff]|${LONE_SURROGATE.source}|_(?=x[0-9A-Fa-f]{4}_)`, 'g');

function escapeXmlText(text: string): string {
  return text
    .replace(UNSAFE, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/**
 * A workbook with one sheet. Its cells are text, so that a spreadsheet keeps `00123` and runs no formula, but for those
 * that are known to be numbers or dates.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { addressOf, LONGEST_TEXT, MOST_COLUMNS, MOST_ROWS } from '../input/xlsx/cell-address.js';
import { LONE_SURROGATE } from '../records/misleading-text.js';
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import { isKeptExactly, type WrittenCell, type WrittenKind } from './written-cell.js';
import { HEAD, MAIN, SheetStyles } from './xlsx-styles.js';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface SheetLayout {
  readonly name: string;
  /** Rows that stay in sight: the header, and what is above it. */
  readonly frozenRows: number;
  /** The format of cells that are text or empty: what a person types there becomes a value of this kind. */
  readonly columns: readonly WrittenKind[];
}

/**
 * @param rows in order from the first; an empty one stays empty
 * @throws Error for a table that is larger than a sheet
 */
export function writeXlsx(layout: SheetLayout, rows: AsyncIterable<readonly WrittenCell[]>): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const parts = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': workbookXml(layout.name),
    'xl/_rels/workbook.xml.rels': relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name, FIRST_DAY);
  const styles = new SheetStyles();
  const table = Readable.from(sheetXml(layout, rows, styles));
  zip.addReadStream(table, 'xl/worksheets/sheet1.xml', FIRST_DAY);
  // Read after the table, whose cells decide which styles there are.
  zip.addReadStream(Readable.from(piecesOf(() => styles.xml())), 'xl/styles.xml', FIRST_DAY);
  zip.end();
  // The archive does not tell its streams of each other's end.
  const bytes = zip.outputStream as Readable;
  table.once('error', (cause) => bytes.destroy(cause));
  bytes.once('close', () => table.destroy());
  return bytes;
}

function* piecesOf(text: () => string): Iterable<string> {
  yield text();
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
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

/** Enough for one piece, in UTF-16 units. */
const SHEET_PIECE = 64 * 1024;

async function* sheetXml(
  { frozenRows, columns }: SheetLayout,
  rows: AsyncIterable<readonly WrittenCell[]>,
  styles: SheetStyles,
): AsyncIterable<string> {
  const view = frozenRows === 0 ? '' : `<sheetViews>${frozenView(frozenRows)}</sheetViews>`;
  let text = `${HEAD}<worksheet xmlns="${MAIN}">${view}<cols>${columnsXml(columns, styles)}</cols><sheetData>`;
  let number = 0;
  for await (const cells of rows) {
    text += rowXml(cells, ++number, columns, styles);
    if (text.length < SHEET_PIECE) continue;
    yield text;
    text = '';
  }
  // Otherwise a green corner suggests converting each text that looks like a number.
  const plain = `<ignoredError sqref="A1:${addressOf(MOST_COLUMNS - 1, MOST_ROWS)}" numberStoredAsText="1"/>`;
  yield `${text}</sheetData><ignoredErrors>${plain}</ignoredErrors></worksheet>`;
}

function frozenView(rows: number): string {
  const below = addressOf(0, rows + 1);
  return `<sheetView workbookViewId="0"><pane ySplit="${rows}" topLeftCell="${below}" activePane="bottomLeft" state="frozen"/></sheetView>`;
}

/** Wide enough for a time, and for 15 digits with point and minus. */
const COLUMN_WIDTH = 20;

function columnsXml(kinds: readonly WrittenKind[], styles: SheetStyles): string {
  const column = (first: number, last: number, kind: WrittenKind): string =>
    `<col min="${first}" max="${last}" width="${COLUMN_WIDTH}" style="${styles.ofKind(kind)}" customWidth="1"/>`;
  const named = kinds.map((kind, index) => column(index + 1, index + 1, kind));
  return named.join('') + (kinds.length < MOST_COLUMNS ? column(kinds.length + 1, MOST_COLUMNS, 'text') : '');
}

function rowXml(
  cells: readonly WrittenCell[],
  row: number,
  kinds: readonly WrittenKind[],
  styles: SheetStyles,
): string {
  if (row > MOST_ROWS || cells.length > MOST_COLUMNS)
    throw new Error(`a sheet has room for ${MOST_ROWS} rows and ${MOST_COLUMNS} columns; name a .csv file`);
  const filled = cells.map((cell, index) =>
    cell === '' ? '' : cellXml(cell, addressOf(index, row), kinds[index] ?? 'text', styles),
  );
  return `<row r="${row}">${filled.join('')}</row>`;
}

/** @param kind of its column */
function cellXml(cell: WrittenCell, address: string, kind: WrittenKind, styles: SheetStyles): string {
  if (typeof cell === 'string') return textXml(cell, styles.ofKind(kind), address);
  if (cell.kind === 'number') {
    if (!isKeptExactly(cell.text)) return textXml(cell.text, styles.ofKind(kind), address);
    const decimals = cell.text.split('.')[1]?.length ?? 0;
    return numberXml(formatDecimal(parseDecimal(cell.text)), styles.ofNumber(decimals, cell.sign), address);
  }
  const seconds = secondsOf(cell.text);
  if (!(FIRST_SURE_DAY <= seconds && seconds < YEAR_10000)) return textXml(cell.text, styles.ofKind(kind), address);
  const hasTime = cell.text.includes('T');
  return numberXml(String(seconds / SECONDS_A_DAY + DAYS_TO_1970), styles.ofKind(hasTime ? 'time' : 'date'), address);
}

const SECONDS_A_DAY = 86_400;
/** A spreadsheet counts days from 1899-12-30, and the earliest ones in more than one way. */
const DAYS_TO_1970 = 25_569;
const FIRST_SURE_DAY = Date.UTC(1901, 0) / 1000;
const YEAR_10000 = Date.UTC(10_000, 0) / 1000;

/** @param date YYYY-MM-DD, or with a time of day */
function secondsOf(date: string): number {
  return Date.parse(date.includes('T') ? `${date}Z` : date) / 1000;
}

function numberXml(text: string, style: number, address: string): string {
  return `<c r="${address}" s="${style}"><v>${text}</v></c>`;
}

function textXml(text: string, style: number, address: string): string {
  if (text.length > LONGEST_TEXT)
    throw new Error(
      `${address} would hold ${text.length} characters, and a cell has room for ${LONGEST_TEXT}; name a .csv file`,
    );
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXmlText(text)}</t></is></c>`;
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

/** Workbooks as spreadsheets write them, and as they should not. */
import { zip } from './zip.js';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** A workbook with one sheet. */
export function sheet(rows, spec = {}) {
  return workbook({ sheets: [{ name: 'Sheet1', rows, ...spec }] });
}
export function workbook(spec) {
  const parts = partsOf(spec);
  spec.change?.(parts);
  const entries = [...parts].map(([name, content]) => ({ name, content }));
  return zip(spec.entries?.(entries) ?? entries);
}
/** The parts of a workbook by their names. */
export function partsOf({ sheets, from1904 = false, more = '' }) {
  /** Places of texts and formats in their lists. */
  const strings = new Map();
  const formats = new Map();
  const kind = ({ isChart }) => (isChart === true ? 'chartsheet' : 'worksheet');
  const place = (each, i) => `${kind(each)}s/sheet${i + 1}.xml`;
  const list = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escaped(name)}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
  );
  const properties = `<workbookPr${from1904 ? ' date1904="1"' : ''}/>`;
  const targets = sheets.map((each, i) => [kind(each), place(each, i)]);
  const tables = sheets.map((each, i) => [`xl/${place(each, i)}`, sheetXml(each, strings, formats)]);
  const sst = [...strings.keys()].map((text) => `<si>${textXml(text)}</si>`).join('');
  return new Map([
    ['[Content_Types].xml', contentTypes(sheets.map((each, i) => [`xl/${place(each, i)}`, kind(each)]))],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${properties}<sheets>${list.join('')}</sheets>${more}</workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([...targets, ['sharedStrings', 'sharedStrings.xml'], ['styles', 'styles.xml']]),
    ],
    ...tables,
    ['xl/sharedStrings.xml', `${HEAD}<sst xmlns="${MAIN}">${sst}</sst>`],
    ['xl/styles.xml', stylesXml([...formats.keys()])],
  ]);
}

function contentTypes(tables) {
  const type = (name) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;
  const parts = [
    ['xl/workbook.xml', 'sheet.main'],
    ...tables,
    ['xl/sharedStrings.xml', 'sharedStrings'],
    ['xl/styles.xml', 'styles'],
  ].map(([part, name]) => `<Override PartName="/${part}" ContentType="${type(name)}"/>`);
  const rels = 'application/vnd.openxmlformats-package.relationships+xml';
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="${rels}"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`;
}

function relationships(targets) {
  const list = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}
function sheetXml(
  { rows, rowAttributes = {}, before = '', after = '', merges = [], isBare = false },
  strings,
  formats,
) {
  const data =
    typeof rows === 'string'
      ? rows
      : rows
          .map((cells, i) => {
            const place = isBare ? '' : ` r="${i + 1}"`;
            const inner = cells.map((cell, j) =>
              cellXml(cell, isBare ? '' : ` r="${letters(j)}${i + 1}"`, strings, formats),
            );
            return `<row${place}${rowAttributes[i + 1] ?? ''}>${inner.join('')}</row>`;
          })
          .join('');
  const merged =
    merges.length === 0 ? '' : `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  return `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><dimension ref="A1"/>${before}<sheetData>${data}</sheetData>${merged}${after}</worksheet>`;
}
function cellXml(cell, place, strings, formats) {
  if (cell === null) return place === '' ? '<c/>' : '';
  if (typeof cell === 'string') return `<c${place} t="s"><v>${placeIn(strings, cell)}</v></c>`;
  if (typeof cell === 'number') return `<c${place}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c${place} t="b"><v>${cell ? 1 : 0}</v></c>`;
  const { v = null, t, f, format, xml } = cell;
  const style = format === undefined ? '' : ` s="${1 + placeIn(formats, format)}"`;
  const type = t === undefined ? '' : ` t="${t}"`;
  const inner =
    xml ?? `${f === undefined ? '' : `<f>${escaped(f)}</f>`}${v === null ? '' : `<v>${escaped(String(v))}</v>`}`;
  return `<c${place}${style}${type}>${inner}</c>`;
}
/** Where a value stands in a list, to whose end it is put where it is new. */
function placeIn(list, value) {
  if (!list.has(value)) list.set(value, list.size);
  return list.get(value);
}

function stylesXml(formats) {
  const own = formats.flatMap((format, i) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + i}" formatCode="${escaped(format)}"/>`] : [],
  );
  const xf = (id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
  const xfs = [0, ...formats.map((format, i) => (typeof format === 'number' ? format : 164 + i))].map(xf);
  const fonts = '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>';
  const fills =
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>';
  const borders = '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>';
  const numbers = own.length === 0 ? '' : `<numFmts count="${own.length}">${own.join('')}</numFmts>`;
  // Formats of styles that cells may have a name for: those do not count for the cells.
  const named = '<cellStyleXfs count="1"><xf numFmtId="9" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>';
  return `${HEAD}<styleSheet xmlns="${MAIN}">${numbers}${fonts}${fills}${borders}${named}<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs></styleSheet>`;
}

/** @param column from 0 */
function letters(column) {
  return (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}
export function textXml(text) {
  return `<t xml:space="preserve">${escaped(text)}</t>`;
}
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\r\n\t]/g, (char) =>
      char === '\n' ? '\n' : `_x${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    );
}

/** Workbooks as spreadsheets write them, and as they should not. */
import { zip, type ZipEntry } from './zip.js';

/**
 * What a cell holds: a text (shared), a number, true or false, nothing; or its XML, part by part.
 * `f` a formula, `v` the stored value (null for none), `t` its type, `format` a number format's code or built-in number.
 */
export type CellSpec =
  | string
  | number
  | boolean
  | null
  | {
      readonly v?: string | number | null;
      readonly t?: string;
      readonly f?: string;
      readonly format?: string | number;
      readonly isStruck?: boolean;
      /** What stands in the cell instead of all of the above. */
      readonly xml?: string;
    };
export interface SheetSpec {
  readonly name: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  /** By row and column from the first; or the whole content of `sheetData`. */
  readonly rows: readonly (readonly CellSpec[])[] | string;
  /** Attributes of rows, by their number from 1: ` hidden="1"`. */
  readonly rowAttributes?: Readonly<Record<number, string>>;
  /** XML before `sheetData`, such as `cols`; and after it. */
  readonly before?: string;
  readonly after?: string;
  readonly merges?: readonly string[];
  /** Rows and cells do not say where they stand. */
  readonly isBare?: boolean;
  readonly isChart?: boolean;
}
export interface WorkbookSpec {
  readonly sheets: readonly SheetSpec[];
  readonly from1904?: boolean;
  /** XML at the end of the list of sheets. */
  readonly more?: string;
  /** Changes the parts before they are packed. */
  readonly change?: (parts: Map<string, string>) => void;
  /** Changes the entries of the archive. */
  readonly entries?: (entries: ZipEntry[]) => ZipEntry[];
}

/** Places of values in a list. */
type Places<Value> = Map<Value, number>;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** A workbook with one sheet. */
export function sheet(rows: SheetSpec['rows'], spec: Partial<SheetSpec> = {}): Buffer {
  return workbook({ sheets: [{ name: 'Sheet1', rows, ...spec }] });
}
/** With everything in it that a test wants to be odd. */
export function workbook(spec: WorkbookSpec): Buffer {
  const parts = partsOf(spec);
  spec.change?.(parts);
  const entries = [...parts].map(([name, content]) => ({ name, content }));
  return zip(spec.entries?.(entries) ?? entries);
}
/** The parts of a workbook by their names. */
export function partsOf({ sheets, from1904 = false, more = '' }: WorkbookSpec): Map<string, string> {
  const strings: Places<string> = new Map();
  const styles: Places<string> = new Map();
  const kind = ({ isChart }: SheetSpec): string => (isChart === true ? 'chartsheet' : 'worksheet');
  const place = (each: SheetSpec, i: number): string => `${kind(each)}s/sheet${i + 1}.xml`;
  const list = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escaped(name)}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
  );
  const properties = `<workbookPr${from1904 ? ' date1904="1"' : ''}/>`;
  const targets = sheets.map((each, i) => [kind(each), place(each, i)] as const);
  const tables = sheets.map((each, i) => [`xl/${place(each, i)}`, sheetXml(each, strings, styles)] as const);
  const sst = [...strings.keys()].map((text) => `<si>${textXml(text)}</si>`).join('');
  return new Map([
    ['[Content_Types].xml', contentTypes(sheets.map((each, i) => [`xl/${place(each, i)}`, kind(each)] as const))],
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
    ['xl/styles.xml', stylesXml([...styles.keys()])],
  ]);
}

type Pairs = readonly (readonly [string, string])[];

function contentTypes(tables: Pairs): string {
  const type = (name: string): string => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;
  const named: Pairs = [
    ['xl/workbook.xml', 'sheet.main'],
    ...tables,
    ['xl/sharedStrings.xml', 'sharedStrings'],
    ['xl/styles.xml', 'styles'],
  ];
  const parts = named.map(([part, name]) => `<Override PartName="/${part}" ContentType="${type(name)}"/>`);
  const rels = 'application/vnd.openxmlformats-package.relationships+xml';
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="${rels}"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`;
}

function relationships(targets: Pairs): string {
  const list = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function sheetXml(
  { rows, rowAttributes = {}, before = '', after = '', merges = [], isBare = false }: SheetSpec,
  strings: Places<string>,
  styles: Places<string>,
): string {
  const data =
    typeof rows === 'string'
      ? rows
      : rows
          .map((cells, i) => {
            const place = isBare ? '' : ` r="${i + 1}"`;
            const inner = cells.map((cell, j) =>
              cellXml(cell, isBare ? '' : ` r="${letters(j)}${i + 1}"`, strings, styles),
            );
            return `<row${place}${rowAttributes[i + 1] ?? ''}>${inner.join('')}</row>`;
          })
          .join('');
  const merged =
    merges.length === 0 ? '' : `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  return `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><dimension ref="A1"/>${before}<sheetData>${data}</sheetData>${merged}${after}</worksheet>`;
}

function cellXml(cell: CellSpec, place: string, strings: Places<string>, styles: Places<string>): string {
  if (cell === null) return place === '' ? '<c/>' : '';
  if (typeof cell === 'string') return `<c${place} t="s"><v>${placeIn(strings, cell)}</v></c>`;
  if (typeof cell === 'number') return `<c${place}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c${place} t="b"><v>${cell ? 1 : 0}</v></c>`;
  const { v = null, t, f, format, isStruck = false, xml } = cell;
  const isStyled = format !== undefined || isStruck;
  const style = isStyled ? ` s="${1 + placeIn(styles, JSON.stringify([format ?? 0, isStruck]))}"` : '';
  const type = t === undefined ? '' : ` t="${t}"`;
  const inner =
    xml ?? `${f === undefined ? '' : `<f>${escaped(f)}</f>`}${v === null ? '' : `<v>${escaped(String(v))}</v>`}`;
  return `<c${place}${style}${type}>${inner}</c>`;
}

/** Where a value stands in a list, to whose end it is put where it is new. */
function placeIn<Value>(list: Places<Value>, value: Value): number {
  if (!list.has(value)) list.set(value, list.size);
  return list.get(value) as number;
}

function stylesXml(keys: readonly string[]): string {
  const styles = keys.map((key) => JSON.parse(key) as [format: string | number, isStruck: boolean]);
  const own = styles.flatMap(([format], i) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + i}" formatCode="${escaped(format)}"/>`] : [],
  );
  const xf = (id: number, isStruck: boolean): string =>
    `<xf numFmtId="${id}" fontId="${isStruck ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
  const xfs = styles.map(([format, isStruck], i) => xf(typeof format === 'number' ? format : 164 + i, isStruck));
  const font = (strike: string): string => `<font>${strike}<sz val="11"/><name val="Calibri"/></font>`;
  const fonts = `<fonts count="2">${font('<strike val="0"/>')}${font('<strike/>')}</fonts>`;
  const rules = `<dxfs count="2"><dxf><font><b/></font></dxf><dxf>${font('<strike/>')}</dxf></dxfs>`;
  const fills =
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>';
  const borders = '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>';
  const numbers = own.length === 0 ? '' : `<numFmts count="${own.length}">${own.join('')}</numFmts>`;
  // Formats of styles that cells may have a name for: those do not count for the cells.
  const named = '<cellStyleXfs count="1"><xf numFmtId="9" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>';
  return `${HEAD}<styleSheet xmlns="${MAIN}">${numbers}${fonts}${fills}${borders}${named}<cellXfs count="${xfs.length + 1}">${xf(0, false)}${xfs.join('')}</cellXfs>${rules}</styleSheet>`;
}

/** @param column from 0 */
function letters(column: number): string {
  return (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** A `t` element. */
export function textXml(text: string): string {
  return `<t xml:space="preserve">${escaped(text)}</t>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\r\n\t]/g, (char) =>
      char === '\n' ? '\n' : `_x${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    );
}

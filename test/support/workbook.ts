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

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A workbook with one sheet. */
export function sheet(rows: SheetSpec['rows'], spec: Partial<SheetSpec> = {}): Buffer {
  return workbook({ sheets: [{ name: 'Sheet1', rows, ...spec }] });
}

export function workbook(spec: WorkbookSpec): Buffer {
  const parts = partsOf(spec);
  spec.change?.(parts);
  const entries = [...parts].map(([name, content]) => ({ name, content }));
  return zip(spec.entries?.(entries) ?? entries);
}

export function partsOf({ sheets, from1904 = false, more = '' }: WorkbookSpec): Map<string, string> {
  const strings: string[] = [];
  const formats: (string | number)[] = [];
  const place = (each: SheetSpec, i: number): string =>
    `${each.isChart === true ? 'chartsheets' : 'worksheets'}/sheet${i + 1}.xml`;
  const parts = new Map<string, string>();
  parts.set(
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  );
  parts.set('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]));
  const list = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escaped(name)}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
  );
  parts.set(
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${list.join('')}</sheets>${more}</workbook>`,
  );
  const types = sheets.map((each, i) => [each.isChart === true ? 'chartsheet' : 'worksheet', place(each, i)] as const);
  parts.set(
    'xl/_rels/workbook.xml.rels',
    relationships([...types, ['sharedStrings', 'sharedStrings.xml'], ['styles', 'styles.xml']]),
  );
  sheets.forEach((each, i) => parts.set(`xl/${place(each, i)}`, sheetXml(each, strings, formats)));
  parts.set(
    'xl/sharedStrings.xml',
    `${HEAD}<sst xmlns="${MAIN}">${strings.map((text) => `<si>${textXml(text)}</si>`).join('')}</sst>`,
  );
  parts.set('xl/styles.xml', stylesXml(formats));
  return parts;
}

function relationships(targets: readonly (readonly [string, string])[]): string {
  const list = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function sheetXml(
  { rows, rowAttributes = {}, before = '', after = '', merges = [], isBare = false }: SheetSpec,
  strings: string[],
  formats: (string | number)[],
): string {
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

function cellXml(cell: CellSpec, place: string, strings: string[], formats: (string | number)[]): string {
  if (cell === null) return place === '' ? '<c/>' : '';
  if (typeof cell === 'string') return `<c${place} t="s"><v>${shared(cell, strings)}</v></c>`;
  if (typeof cell === 'number') return `<c${place}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c${place} t="b"><v>${cell ? 1 : 0}</v></c>`;
  const { v = null, t, f, format, xml } = cell;
  const style = format === undefined ? '' : ` s="${styleOf(format, formats)}"`;
  const type = t === undefined ? '' : ` t="${t}"`;
  const inner =
    xml ?? `${f === undefined ? '' : `<f>${escaped(f)}</f>`}${v === null ? '' : `<v>${escaped(String(v))}</v>`}`;
  return `<c${place}${style}${type}>${inner}</c>`;
}

function shared(text: string, strings: string[]): number {
  const found = strings.indexOf(text);
  return found >= 0 ? found : strings.push(text) - 1;
}

function styleOf(format: string | number, formats: (string | number)[]): number {
  const found = formats.indexOf(format);
  return 1 + (found >= 0 ? found : formats.push(format) - 1);
}

function stylesXml(formats: readonly (string | number)[]): string {
  const own = formats.flatMap((format, i) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + i}" formatCode="${escaped(format)}"/>`] : [],
  );
  const xfs = formats.map(
    (format, i) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + i}" fontId="0" applyNumberFormat="1"/>`,
  );
  return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${own.length}">${own.join('')}</numFmts><cellStyleXfs count="1"><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`;
}

/** @param column from 0 */
export function letters(column: number): string {
  return (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}

export function textXml(text: string): string {
  return `<t xml:space="preserve">${escaped(text)}</t>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\r\n\t]/g, (char) =>
      char === '\n' ? '\n' : `_x${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    );
}

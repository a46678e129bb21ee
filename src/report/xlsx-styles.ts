/** The formats of the cells in a workbook that gigwork writes. */
import type { WrittenKind } from './written-cell.js';

/** A date may have a time of day. */
type CellKind = WrittenKind | 'time';

const STYLED_KINDS: readonly CellKind[] = ['number', 'text', 'date', 'time'];
const KIND_CODES = ['General', '@', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm:ss'];
/** The numbers of formats that every spreadsheet knows. ECMA-376 part 1, 18.8.30. */
const KNOWN_CODES: ReadonlyMap<string, number> = new Map([
  ['General', 0],
  ['0', 1],
  ['0.00', 2],
  ['@', 49],
]);
const FIRST_OWN_CODE = 164;

/** Of every part: its first line, and the names of its elements. */
export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The styles of a sheet, which its cells decide. */
export class SheetStyles {
  private readonly places = new Map(KIND_CODES.map((code, place) => [code, place]));

  /** Of cells that are empty or text, by what their column has; their numbers are shown as typed. */
  ofKind(kind: CellKind): number {
    return STYLED_KINDS.indexOf(kind);
  }

  /** @param sign of a currency; null for none */
  ofNumber(decimals: number, sign: string | null): number {
    const code = numberCode(decimals, sign);
    const known = this.places.get(code);
    if (known !== undefined) return known;
    this.places.set(code, this.places.size);
    return this.places.size - 1;
  }

  /** The part with all styles so far. */
  xml(): string {
    return stylesXml([...this.places.keys()]);
  }
}

/** `0.00`, `[$€]0.00`, `0.00\ [$EUR]` */
function numberCode(decimals: number, sign: string | null): string {
  const number = decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`;
  if (sign === null) return number;
  return /^\p{L}/u.test(sign) ? `${number}\\ [$${sign}]` : `[$${sign}]${number}`;
}

function stylesXml(codes: readonly string[]): string {
  const own = codes.filter((code) => !KNOWN_CODES.has(code));
  const idOf = (code: string): number => KNOWN_CODES.get(code) ?? FIRST_OWN_CODE + own.indexOf(code);
  const formats = own.map((code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${code}"/>`);
  const cells = codes.map(
    (code) => `<xf numFmtId="${idOf(code)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

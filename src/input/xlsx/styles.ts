/** The styles of a workbook's cells, which refer to them by position: number formats, and what is struck out. */
import { type NumberFormat, readFormat, unreadFormat } from './displayed-number.js';
import type { Package } from './package.js';
import { isOn } from './shared-parts.js';
import { type Attributes, readXml } from './xml.js';

export interface CellStyle {
  readonly format: NumberFormat;
  readonly isStruck: boolean;
}

export interface Styles {
  /** By the number in the cell. */
  readonly cells: readonly CellStyle[];
  /** Numbers of the styles that strike out, of those that conditions give a cell. */
  readonly strikingRules: ReadonlySet<number>;
}

/** The formats that a workbook names only by their number. ECMA-376 part 1, 18.8.30. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  ...numberedFrom(0, 'General', '0', '0.00', '#,##0', '#,##0.00'),
  // Their currency depends on the reader's system, so it is unknown here.
  ...alike('#,##0_);(#,##0)', 5, 6, 37, 38),
  ...alike('#,##0.00_);(#,##0.00)', 7, 8, 39, 40),
  ...numberedFrom(9, '0%', '0.00%', '0.00E+00', '# ?/?', '# ??/??', 'yyyy-mm-dd', 'd-mmm-yy', 'd-mmm', 'mmm-yy'),
  ...numberedFrom(18, 'h:mm AM/PM', 'h:mm:ss AM/PM', 'h:mm', 'h:mm:ss', 'yyyy-mm-dd h:mm'),
  ...alike('_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 41, 42),
  ...alike('_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 43, 44),
  ...numberedFrom(45, 'mm:ss', '[h]:mm:ss', 'mm:ss.0', '##0.0E+0', '@'),
  // Each language of East Asia shows these in its own way: as a date, as a month, some as a time of day.
  ...alike('yyyy-mm-dd', 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58),
  ...alike('h:mm:ss', 32, 33),
  // In Thailand, with Thai digits.
  ...numberedFrom(59, '0', '0.00', '#,##0', '#,##0.00'),
  ...numberedFrom(67, '0%', '0.00%', '# ?/?', '# ??/??', 'd/m/yyyy', 'd-mmm-yy', 'd-mmm', 'mmm-yy', 'h:mm', 'h:mm:ss'),
  ...numberedFrom(77, 'd/m/yyyy h:mm', 'mm:ss', '[h]:mm:ss', 'mm:ss.0', 'd/m/yyyy'),
]);

type NumberedFormat = readonly [number: number, code: string];

function numberedFrom(first: number, ...codes: readonly string[]): NumberedFormat[] {
  return codes.map((code, i) => [first + i, code]);
}

function alike(code: string, ...numbers: readonly number[]): NumberedFormat[] {
  return numbers.map((number) => [number, code]);
}

/** @throws FileFault */
export async function readStyles(pack: Package, part: string | null): Promise<Styles> {
  const reader = new StylesReader();
  if (part === null) return { cells: [], strikingRules: reader.strikingRules };
  await readXml(part, 'styleSheet', pack.part(part), {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
  });
  return { cells: reader.cells(), strikingRules: reader.strikingRules };
}

/** The lists in the part that are read. */
const LISTS: ReadonlySet<string> = new Set(['fonts', 'cellXfs', 'dxfs']);

class StylesReader {
  readonly strikingRules = new Set<number>();
  private readonly codes = new Map<number, string>(BUILT_IN);
  private readonly styles: { readonly format: number; readonly font: number }[] = [];
  private readonly struckFonts = new Set<number>();
  /** The open list, and how many fonts and rules there were so far. */
  private list = '';
  private fonts = 0;
  private rules = 0;

  open(name: string, attributes: Attributes): void {
    if (LISTS.has(name)) this.list = name;
    else if (name === 'numFmt' && this.list === '')
      this.codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    else if (name === 'font' && this.list === 'fonts') this.fonts++;
    else if (name === 'dxf') this.rules++;
    else if (name === 'strike' && isOn(attributes)) this.strike();
    else if (name === 'xf' && this.list === 'cellXfs')
      this.styles.push({ format: Number(attributes['numFmtId'] ?? 0), font: Number(attributes['fontId'] ?? 0) });
  }

  close(name: string): void {
    if (LISTS.has(name)) this.list = '';
  }

  cells(): CellStyle[] {
    // Many cells share a few formats.
    const formats = new Map<number, NumberFormat>();
    for (const id of new Set(this.styles.map(({ format }) => format))) {
      const code = this.codes.get(id);
      // No list of formats has this number.
      formats.set(id, code === undefined ? unreadFormat(`number ${id}`) : readFormat(code));
    }
    return this.styles.map(({ format, font }) => ({
      format: formats.get(format) as NumberFormat,
      isStruck: this.struckFonts.has(font),
    }));
  }

  private strike(): void {
    if (this.list === 'fonts') this.struckFonts.add(this.fonts - 1);
    else if (this.list === 'dxfs') this.strikingRules.add(this.rules - 1);
  }
}

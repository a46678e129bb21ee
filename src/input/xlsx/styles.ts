/** The number formats of a workbook's cells. */
import { type NumberFormat, readFormat } from './number-format.js';
import type { Package } from './package.js';
import { readXml } from './xml.js';

/** The formats that a workbook names by their number alone. ECMA-376 part 1, 18.8.30. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  ...(['General', '0', '0.00', '#,##0', '#,##0.00'] as const).entries(),
  // The currency is that of the reader's system: none is known here.
  ...[5, 6, 37, 38].map((id) => [id, '#,##0_);(#,##0)'] as const),
  ...[7, 8, 39, 40].map((id) => [id, '#,##0.00_);(#,##0.00)'] as const),
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  ...[41, 42].map((id) => [id, '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)'] as const),
  ...[43, 44].map((id) => [id, '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)'] as const),
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]);

/** The format of a cell that names none. */
export const GENERAL: NumberFormat = readFormat('General');

/** Formats by the number that a cell gives. @throws FileFault */
export async function readStyles(pack: Package, part: string | null): Promise<readonly NumberFormat[]> {
  if (part === null) return [];
  const codes = new Map<number, string>(BUILT_IN);
  const ids: number[] = [];
  let isInCells = false;
  await readXml(part, 'styleSheet', pack.part(part), {
    open: (name, attributes) => {
      if (name === 'cellXfs') isInCells = true;
      else if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (name === 'xf' && isInCells) ids.push(Number(attributes['numFmtId'] ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  // Many cells share a few formats.
  const formats = new Map<number, NumberFormat>();
  return ids.map((id) => {
    const format = formats.get(id) ?? readCode(codes.get(id), id);
    formats.set(id, format);
    return format;
  });
}

/** What a format without a code means, only a program of one language knows. */
function readCode(code: string | undefined, id: number): NumberFormat {
  return code === undefined ? { code: `number ${id}`, format: { is: 'unread' }, hidesText: false } : readFormat(code);
}

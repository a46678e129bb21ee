/** Lists that the cells of a workbook share and refer to by position: texts and number formats. */
import { type NumberFormat, readFormat, unreadFormat } from './displayed-number.js';
import { damaged, type Package } from './package.js';
import { type Attributes, readXml, type XmlHandlers } from './xml.js';

/** Room for a million rows with ten texts each. */
const MOST_SHARED_TEXTS = 10_000_000;

/** Readings of Asian characters: stored with a text, but not part of it. */
const PHONETIC = 'rPh';

/** Collects a text: plain, or in separately formatted runs. */
export class TextCollector implements XmlHandlers {
  private text = '';
  private isPhonetic = false;
  private isKept = false;

  open(name: string, attributes: Attributes): void {
    if (name === PHONETIC) this.isPhonetic = true;
    this.isKept = attributes['xml:space'] === 'preserve';
  }

  close(name: string, text: string): void {
    if (name === PHONETIC) this.isPhonetic = false;
    // Excel drops the space around a text that is not marked as preserved.
    if (name === 't' && !this.isPhonetic) this.text += decodeEscapes(this.isKept ? text : withoutSpaceAround(text));
  }

  /** The text since the last call. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

/** Removes only XML's white space. A pattern would start again at every space within the text. */
function withoutSpaceAround(text: string): string {
  const isSpace = (at: number): boolean => ' \t\r\n'.includes(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

/** Workbooks write characters that XML cannot contain as `_x000D_`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** @throws FileFault */
export async function readStrings(pack: Package, part: string | null): Promise<readonly string[]> {
  if (part === null) return [];
  const strings: string[] = [];
  const collector = new TextCollector();
  await readXml(part, 'sst', pack.part(part), {
    open: (name, attributes) => collector.open(name, attributes),
    close: (name, text) => {
      collector.close(name, text);
      if (name === 'si' && strings.push(collector.take()) > MOST_SHARED_TEXTS)
        throw damaged(`it has more than ${MOST_SHARED_TEXTS} texts`);
    },
  });
  return strings;
}

/** The formats that a workbook names only by their number. ECMA-376 part 1, 18.8.30. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  ...(['General', '0', '0.00', '#,##0', '#,##0.00'] as const).entries(),
  // Their currency depends on the reader's system, so it is unknown here.
  ...[5, 6, 37, 38].map((id) => [id, '#,##0_);(#,##0)'] as const),
  ...[7, 8, 39, 40].map((id) => [id, '#,##0.00_);(#,##0.00)'] as const),
  ...['0%', '0.00%', '0.00E+00', '# ?/?', '# ??/??'].map((code, i) => [9 + i, code] as const),
  ...['yyyy-mm-dd', 'd-mmm-yy', 'd-mmm', 'mmm-yy'].map((code, i) => [14 + i, code] as const),
  ...['h:mm AM/PM', 'h:mm:ss AM/PM', 'h:mm', 'h:mm:ss', 'yyyy-mm-dd h:mm'].map((code, i) => [18 + i, code] as const),
  ...[41, 42].map((id) => [id, '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)'] as const),
  ...[43, 44].map((id) => [id, '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)'] as const),
  ...['mm:ss', '[h]:mm:ss', 'mm:ss.0', '##0.0E+0', '@'].map((code, i) => [45 + i, code] as const),
]);

/** Indexed by the number in the cell. @throws FileFault */
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
  for (const id of new Set(ids)) {
    const code = codes.get(id);
    // Only a program of a certain language knows the meaning of a format without a code.
    formats.set(id, code === undefined ? unreadFormat(`number ${id}`) : readFormat(code));
  }
  return ids.map((id) => formats.get(id) as NumberFormat);
}

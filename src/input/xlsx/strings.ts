/** The texts of a workbook. Cells name them by their place in a list, so that each is kept once. */
import { damaged, type Package } from './package.js';
import { type Attributes, readXml, type XmlHandlers } from './xml.js';

/** Room for a million rows with ten texts each. */
const MOST_TEXTS = 10_000_000;

/** Collects a text element: plain, or in runs that are formatted each for itself. */
export interface TextCollector extends XmlHandlers {
  /** The text since the last call. */
  readonly take: () => string;
}

/** Readings of Asian characters stand beside a text and are no part of it. */
const PHONETIC = 'rPh';

export function textCollector(): TextCollector {
  let text = '';
  let piece = '';
  let isInText = false;
  let isKept = false;
  let isPhonetic = false;
  return {
    open: (name: string, attributes: Attributes) => {
      if (name === PHONETIC) isPhonetic = true;
      else if (name === 't' && !isPhonetic) {
        isInText = true;
        isKept = attributes['xml:space'] === 'preserve';
        piece = '';
      }
    },
    close: (name: string) => {
      if (name === PHONETIC) isPhonetic = false;
      else if (name === 't' && isInText) {
        isInText = false;
        // Excel drops the space around a text that does not say that it is part of it.
        text += decodeEscapes(isKept ? piece : withoutSpaceAround(piece));
      }
    },
    text: (found: string) => {
      if (isInText) piece += found;
    },
    take: () => {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

/** The space of XML only. Not by a pattern, which would start again at every space within the text. */
function withoutSpaceAround(text: string): string {
  const isSpace = (at: number): boolean => ' \t\r\n'.includes(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

/** Characters that XML cannot hold stand in a workbook as `_x000D_`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** @throws FileFault */
export async function readStrings(pack: Package, part: string | null): Promise<readonly string[]> {
  if (part === null) return [];
  const strings: string[] = [];
  const collector = textCollector();
  await readXml(part, 'sst', pack.part(part), {
    ...collector,
    close: (name) => {
      collector.close?.(name);
      if (name !== 'si') return;
      if (strings.push(collector.take()) > MOST_TEXTS) throw damaged(`it has more than ${MOST_TEXTS} texts`);
    },
  });
  return strings;
}

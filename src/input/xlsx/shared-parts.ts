/** The texts that the cells of a workbook share and refer to by position. */
import { damaged, type Package } from './package.js';
import { type Attributes, isTrue, readXml, type XmlHandlers } from './xml.js';

/** Room for a million rows with ten texts each. */
const MOST_SHARED_TEXTS = 10_000_000;

/** Readings of Asian characters: stored with a text, but not part of it. */
const PHONETIC = 'rPh';

/** How much of a cell is struck out. */
export type Strike = 'none' | 'part' | 'whole';

export interface RichText {
  readonly text: string;
  readonly strike: Strike;
}

/** Collects a text: plain, or in separately formatted runs. */
export class TextCollector implements XmlHandlers {
  private text = '';
  private isPhonetic = false;
  private isKept = false;
  /** Of the run that is open. */
  private isStruck = false;
  private hasStruck = false;
  private hasPlain = false;

  open(name: string, attributes: Attributes): void {
    if (name === PHONETIC) this.isPhonetic = true;
    else if (name === 'r') this.isStruck = false;
    else if (name === 'strike') this.isStruck = isOn(attributes);
    this.isKept = attributes['xml:space'] === 'preserve';
  }

  close(name: string, text: string): void {
    if (name === PHONETIC) this.isPhonetic = false;
    if (name !== 't' || this.isPhonetic) return;
    // Excel drops the space around a text that is not marked as preserved.
    this.text += decodeEscapes(this.isKept ? text : withoutSpaceAround(text));
    if (text.trim() === '') return;
    if (this.isStruck) this.hasStruck = true;
    else this.hasPlain = true;
  }

  /** The text since the last call. */
  take(): RichText {
    const { text, hasStruck, hasPlain } = this;
    this.text = '';
    this.isStruck = this.hasStruck = this.hasPlain = false;
    const struck = hasPlain ? 'part' : 'whole';
    return { text, strike: hasStruck ? struck : 'none' };
  }
}

/** Of an element that is a switch: it is on unless it says otherwise. */
export function isOn({ val }: Attributes): boolean {
  return val === undefined || isTrue(val);
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

export interface SharedTexts {
  readonly texts: readonly string[];
  /** Those that are struck out, by position. */
  readonly strikes: ReadonlyMap<number, Strike>;
}

/** @throws FileFault */
export async function readStrings(pack: Package, part: string | null): Promise<SharedTexts> {
  const texts: string[] = [];
  const strikes = new Map<number, Strike>();
  if (part === null) return { texts, strikes };
  const collector = new TextCollector();
  await readXml(part, 'sst', pack.part(part), {
    open: (name, attributes) => collector.open(name, attributes),
    close: (name, content) => {
      collector.close(name, content);
      if (name !== 'si') return;
      const { text, strike } = collector.take();
      if (strike !== 'none') strikes.set(texts.length, strike);
      if (texts.push(text) > MOST_SHARED_TEXTS) throw damaged(`it has more than ${MOST_SHARED_TEXTS} texts`);
    },
  });
  return { texts, strikes };
}

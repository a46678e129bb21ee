/** The encodings that people's files have: their names, encoding of text, and checks of a detected encoding. */
import { UsageError } from '../errors.js';
import { didYouMean } from '../records/nearest.js';
import { encodeInCodepage } from './codepage.js';

/** By the name that the Encoding Standard of the web gives it, such as `windows-1250`. */
export type Encoding = string;

/** Those that Node's TextDecoder knows. */
export const ENCODING_NAMES: readonly string[] = [
  'utf-8 utf-16le utf-16be windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256',
  'windows-1257 windows-1258 windows-874 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8',
  'iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 macintosh x-mac-cyrillic ibm866 koi8-r koi8-u',
  'shift_jis euc-jp iso-2022-jp gbk gb18030 big5 euc-kr',
].flatMap((names) => names.split(' '));

/** @param setting where it is written, for the message. @throws UsageError with the encoding that is probably meant */
export function encodingNamed(setting: string, name: string): Encoding {
  // These are usual names too.
  const label = name
    .toLowerCase()
    .replace(/^utf(?=\d)/, 'utf-')
    .replace(/^mac-?roman$/, 'macintosh');
  const found = standardName(label);
  if (found !== null) return found;
  const meant = didYouMean(name, ENCODING_NAMES);
  const known =
    'Known are the names of the WHATWG Encoding Standard, such as windows-1250, macintosh, shift_jis and iso-8859-15';
  throw new UsageError(
    `${setting}: unknown encoding "${name}".${meant} ${known}. A file in any other encoding can be saved as CSV UTF-8`,
  );
}

/** The standard's name for a label, such as `cp1252`; null if it is not known. */
function standardName(label: string): Encoding | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** At the start of a file, shows its encoding. */
export const BYTE_ORDER_MARK = '\ufeff';

/** The text for a character that an encoding does not have, in ASCII. */
type Lacking = (character: string) => string;

export function encodeText(text: string, encoding: Encoding, lacking: Lacking = () => '?'): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    default:
      return encodeInCodepage(text, encoding, lacking);
  }
}

/** In JSON, the escape is the same text: `\u2192`. */
export function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** A sign that the detected encoding is wrong. */
export interface EncodingDoubt {
  /** Index of the doubtful byte. */
  readonly at: number;
  readonly reason: string;
}

/** UTF-8 within Windows-1252, as in files pasted together or damaged: `Ã¼`, `â‚¬`, two Greek letters in a row. */
const UTF8_WITHIN =
  /[\xc2-\xc5][\x80-\xbf]|\xe2[\x80\x82\x84][\x80-\xbf]|\xf0\x9f[\x80-\xbf]{2}|(?:[\xc2-\xdf][\x80-\xbf]){2}|(?:[\xe3-\xed][\x80-\xbf]{2}){2}/;

/** @param bytes of a file that is not in UTF-8 as a whole */
export function doubtWindows1252(bytes: string): EncodingDoubt | null {
  const within = UTF8_WITHIN.exec(bytes);
  if (within === null) return null;
  const text = Buffer.from(within[0], 'latin1').toString();
  const reason = `"${text}" is UTF-8, and other bytes of the file are not, so two encodings are mixed, or the file is in another one: save all of it as "CSV UTF-8", or name its encoding with --encoding; --encoding windows-1252 would send it as two letters or more`;
  return { at: within.index, reason };
}

/** Windows-1252 that is UTF-8 by chance: `ß“`, `É` and a no-break space. As UTF-8: a lone letter of Nko or IPA. */
const CHANCE = /(?<![\x80-\xff])[\xc9-\xcb\xd6\xd8-\xdc\xde\xdf][\x85\x91-\x94\x96\x97\xa0\xbb](?![\x80-\xff])/g;

/** Whether all UTF-8 beyond ASCII in the bytes may be there by chance. */
export function isHardlyUtf8(bytes: string): boolean {
  return !/[\x80-\xff]/.test(bytes.replace(CHANCE, ''));
}

/** @param bytes the first chunk of the file that has characters beyond ASCII */
export function doubtUtf8(bytes: string): EncodingDoubt | null {
  if (!isHardlyUtf8(bytes)) return null;
  const reason =
    'this can be read as Windows-1252 and as UTF-8: say which with --encoding windows-1252 or --encoding utf-8';
  return { at: bytes.search(/[\x80-\xff]/), reason };
}

const MOST_GUESS_SAMPLES = 3;
const HIGH_BYTE = /[\x80-\xff]/g;
/** Windows-1250 and 1254 have these in the same places: they do not show which encoding it is, so they come last. */
const ALIKE =
  /[\x80\x82\x84-\x87\x89-\x8b\x91-\x97\x99-\x9b\xa0\xa4\xa6-\xa9\xab-\xae\xb0\xb1\xb4-\xb8\xbb\xc1\xc2\xc4\xc7\xc9\xcb\xcd\xce\xd3\xd4\xd6\xd7\xda\xdc\xdf\xe1\xe2\xe4\xe7\xe9\xeb\xed\xee\xf3\xf4\xf6\xf7\xfa\xfc]/;

/** Cells that show a person whether a guess is right: each shows a different character. */
export class GuessSamples {
  private readonly seen = new Set<string>();
  private readonly telling = new Set<string>();
  private readonly alike = new Set<string>();

  see(bytes: string): void {
    if (this.telling.size === MOST_GUESS_SAMPLES) return;
    for (const { 0: byte, index } of bytes.matchAll(HIGH_BYTE)) {
      if (this.seen.has(byte)) continue;
      this.seen.add(byte);
      const cells = ALIKE.test(byte) ? this.alike : this.telling;
      if (cells.size < MOST_GUESS_SAMPLES) cells.add(cellAt(bytes, index));
    }
  }

  /** Up to three cells. */
  cells(): string[] {
    return [...new Set([...this.telling, ...this.alike])].slice(0, MOST_GUESS_SAMPLES);
  }
}

/** How many characters before and after a byte may belong to its cell: as many as a name may have. */
const REACH = 30;

/** The cell around a byte. */
function cellAt(bytes: string, at: number): string {
  const before = bytes.slice(Math.max(0, at - REACH), at);
  const after = bytes.slice(at, at + REACH);
  return `${/[^,;\t|"\r\n]*$/.exec(before)?.[0] ?? ''}${/^[^,;\t|"\r\n]*/.exec(after)?.[0] ?? ''}`.trim();
}

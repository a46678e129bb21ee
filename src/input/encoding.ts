/** The encodings that people's files have: their names, and encoding of text. */
import { UsageError } from '../errors.js';
import { didYouMean } from '../records/nearest.js';

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** @param setting where it is written, for the message. @throws UsageError with the supported encodings */
export function encodingNamed(setting: string, name: string): Encoding {
  // `utf8` and `cp1252` are usual names too.
  const full = name
    .toLowerCase()
    .replace(/^utf(?=\d)/, 'utf-')
    .replace(/^cp(?=1252$)/, 'windows-');
  const found = ENCODINGS.find((encoding) => encoding === full);
  if (found !== undefined) return found;
  throw new UsageError(
    `${setting}: unknown encoding "${name}"; known are ${ENCODINGS.join(', ')}.${didYouMean(name, ENCODINGS)}`,
  );
}

/** 0x80 to 0x9F of Windows-1252; the five bytes that it leaves undefined are null. */
export const WINDOWS_1252: readonly (string | null)[] = [
  '€',
  null,
  '‚',
  'ƒ',
  '„',
  '…',
  '†',
  '‡',
  'ˆ',
  '‰',
  'Š',
  '‹',
  'Œ',
  null,
  'Ž',
  null,
  null,
  '‘',
  '’',
  '“',
  '”',
  '•',
  '–',
  '—',
  '˜',
  '™',
  'š',
  '›',
  'œ',
  null,
  'ž',
  'Ÿ',
];

/** At the start of a file, shows its encoding. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A character that the encoding does not have becomes its escape, `\u2192`: in JSON that is the same text. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return Buffer.from(text.replace(BEYOND_LATIN_1, toWindows1252), 'latin1');
  }
}

const BYTES = new Map(WINDOWS_1252.map((char, i) => [char, 0x80 + i]));
/** All characters whose code is not their byte in Windows-1252. */
const BEYOND_LATIN_1 = /[^\u0000-\u007f\u00a0-\u00ff]/g;

function toWindows1252(unit: string): string {
  const byte = BYTES.get(unit);
  return byte === undefined ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : String.fromCharCode(byte);
}

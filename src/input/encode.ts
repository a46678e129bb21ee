/** Text → bytes in the encoding that a file came in. */
import { type Encoding, WINDOWS_1252 } from './encoding.js';

/** Stands at the start of a file to tell its encoding. */
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

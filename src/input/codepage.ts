/**
 * Encodings that Node's TextDecoder knows. It only decodes: the way back is a table that is made by decoding every
 * sequence of bytes. CONTRACT: `--encoding`.
 */
import { isAscii } from 'node:buffer';

/** Encodings with characters of more than one byte. All of them keep the bytes of line ends for line ends. */
const MULTI_BYTE: ReadonlySet<string> = new Set([
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'gbk',
  'iso-2022-jp',
  'shift_jis',
]);

export function isMultiByte(encoding: string): boolean {
  return MULTI_BYTE.has(encoding);
}

/**
 * Decodes bytes in an encoding; the bytes of {@link isMultiByte} ones must end where a line ends.
 * @returns null if some bytes have no meaning
 */
export type CodepageDecoder = (bytes: Buffer) => string | null;

export function openCodepage(encoding: string): CodepageDecoder {
  if (encoding === 'iso-2022-jp') return openIso2022();
  return (bytes) => (isAscii(bytes) ? bytes.toString('latin1') : strictText(encoding, bytes));
}

const TO_ASCII = '\x1b(B';
const ESCAPES = /\x1b(?:\([BIJ]|\$[@B])/g;

/** Its bytes mean other characters after an escape sequence, also on the next line. */
function openIso2022(): CodepageDecoder {
  let state = '';
  return (bytes) => {
    const text = strictText('iso-2022-jp', Buffer.concat([Buffer.from(state, 'latin1'), bytes]));
    state = bytes.toString('latin1').match(ESCAPES)?.at(-1) ?? state;
    if (state === TO_ASCII) state = '';
    return text;
  };
}

/** What decoders make of bytes without a meaning: C1 controls, U+FFFD, and private characters for single bytes. */
const MEANINGLESS = /[\u0080-\u009f\ufffd\uf8f0-\uf8fe]/;

/** 0x80 to 0x9F of Windows-1252, with a zero for each of the five bytes that it leaves undefined. */
const WINDOWS_1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/** @param byte 0x80 to 0x9F, as a character. Null for an undefined one */
function windows1252(byte: string): string | null {
  const char = WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80);
  return char === '\0' ? null : char;
}

const HIGH_HALF = /[\x80-\x9f]/g;

/** @param bytes one character each */
export function textOfWindows1252(bytes: string, undefinedByte: (byte: string, at: number) => string): string {
  return bytes.replace(HIGH_HALF, (byte, at: number) => windows1252(byte) ?? undefinedByte(byte, at));
}

function strictText(encoding: string, bytes: Uint8Array): string | null {
  let text: string;
  try {
    text =
      encoding === 'windows-1252'
        ? textOfWindows1252(Buffer.from(bytes).toString('latin1'), () => '\ufffd')
        : new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  if (MEANINGLESS.test(text)) return null;
  return EXCHANGING.has(encoding) ? text.replace(EXCHANGED, (control) => ICU_CONTROLS.get(control) ?? control) : text;
}

/** ICU, as Node has it, exchanges these controls in these encodings. */
const EXCHANGING: ReadonlySet<string> = new Set(['shift_jis', 'ibm866']);
const EXCHANGED = /[\x1a\x1c\x7f]/g;
const ICU_CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\x1c', '\x1a'],
  ['\x7f', '\x1c'],
  ['\x1a', '\x7f'],
]);

type ByteTable = ReadonlyMap<string, readonly number[]>;

const byteTables = new Map<string, ByteTable>();

/** @param lacking the text for a character that the encoding does not have; ASCII */
export function encodeInCodepage(text: string, encoding: string, lacking: (character: string) => string): Buffer {
  if (isPlainAscii(text)) return Buffer.from(text, 'latin1');
  let table = byteTables.get(encoding);
  if (table === undefined) byteTables.set(encoding, (table = byteTable(encoding)));
  const bytes: number[] = [];
  for (const character of text) {
    if (character <= '\x7f') bytes.push(character.charCodeAt(0));
    else {
      const found = table.get(character) ?? beyondTable(character, encoding);
      if (found === null) bytes.push(...Buffer.from(lacking(character), 'latin1'));
      else bytes.push(...found);
    }
  }
  const buffer = Buffer.from(bytes);
  return encoding === 'iso-2022-jp' ? joinEscapes(buffer) : buffer;
}

/** Decoders refuse an escape sequence that no character follows. */
function joinEscapes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\x1b\(B(?=\x1b)/g, ''), 'latin1');
}

function isPlainAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** GB18030 has all of Unicode: four bytes count the characters beyond U+FFFF. */
function beyondTable(character: string, encoding: string): readonly number[] | null {
  const code = character.codePointAt(0) ?? 0;
  if (encoding !== 'gb18030' || code < 0x1_0000) return null;
  const place = code - 0x1_0000;
  return [
    0x90 + Math.floor(place / 12_600),
    0x30 + (Math.floor(place / 1260) % 10),
    0x81 + (Math.floor(place / 10) % 126),
    0x30 + (place % 10),
  ];
}

function byteTable(encoding: string): ByteTable {
  const table = new Map<string, readonly number[]>();
  if (encoding === 'iso-2022-jp') return iso2022Table();
  // The first sequence counts: those that follow it in these orders are for old programs.
  for (const bytes of sequencesOf(encoding)) {
    const text = strictText(encoding, Uint8Array.from(bytes));
    if (text !== null && isOneCharacter(text) && !table.has(text)) table.set(text, bytes);
  }
  return table;
}

function isOneCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

function* sequencesOf(encoding: string): Iterable<readonly number[]> {
  for (const byte of span(0x80, 0xff)) yield [byte];
  if (!isMultiByte(encoding)) return;
  const leads = encoding === 'big5' ? [...span(0xa1, 0xfe), ...span(0x81, 0xa0)] : span(0x81, 0xfe);
  for (const lead of leads) for (const trail of span(0x40, 0xfe)) yield [lead, trail];
  if (encoding === 'euc-jp')
    for (const lead of span(0xa1, 0xfe)) for (const trail of span(0xa1, 0xfe)) yield [0x8f, lead, trail];
  if (encoding !== 'gb18030') return;
  for (const first of span(0x81, 0x84))
    for (const second of span(0x30, 0x39))
      for (const third of span(0x81, 0xfe)) for (const fourth of span(0x30, 0x39)) yield [first, second, third, fourth];
}

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

const ESC = 0x1b;
const ASCII = [ESC, 0x28, 0x42];
const KANJI = [ESC, 0x24, 0x42];
const KATAKANA = [ESC, 0x28, 0x49];

/** The characters of EUC-JP, each between escape sequences, so that the text around stays ASCII. */
function iso2022Table(): ByteTable {
  const table = new Map<string, readonly number[]>();
  for (const [character, bytes] of byteTable('euc-jp')) {
    const [first = 0, second = 0] = bytes;
    if (bytes.length !== 2) continue;
    const low = first === 0x8e ? [...KATAKANA, second & 0x7f] : [...KANJI, first & 0x7f, second & 0x7f];
    const sequence = [...low, ...ASCII];
    if (strictText('iso-2022-jp', Uint8Array.from(sequence)) === character) table.set(character, sequence);
  }
  return table;
}

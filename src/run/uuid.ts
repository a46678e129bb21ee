/** UUIDs as four 32-bit words, so that a million keys take 16 bytes each and compare without text. */

export const UUID_WORDS = 4;
const LENGTH = 36;
const HYPHENS: readonly number[] = [8, 13, 18, 23];
const HYPHEN = 0x2d;

/** The value of a lower-case hexadecimal digit, or -1. */
const DIGITS = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;

/** Which character of a UUID holds its n-th digit. */
const PLACES = Uint8Array.from([...Array(LENGTH).keys()].filter((i) => !HYPHENS.includes(i)));

/** The text that was read last, and its words: a key is looked for, noted and looked for again. */
const latest = { text: '', isUuid: false, words: new Uint32Array(UUID_WORDS) };

/** Puts the words at `at`; false, and nothing of use there, when the text is no UUID in its usual lower-case writing. */
export function parseUuid(text: string, words: Uint32Array, at: number): boolean {
  if (latest.text !== text) {
    latest.text = text;
    latest.isUuid = readUuid(text, latest.words);
  }
  for (let word = 0; word < UUID_WORDS; word++) words[at + word] = latest.words[word] as number;
  return latest.isUuid;
}

function readUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== LENGTH) return false;
  for (let i = 0; i < HYPHENS.length; i++) if (text.charCodeAt(HYPHENS[i] as number) !== HYPHEN) return false;
  for (let word = 0; word < UUID_WORDS; word++) {
    let value = 0;
    for (let digit = 0; digit < 8; digit++) {
      const code = text.charCodeAt(PLACES[word * 8 + digit] as number);
      const found = code < 128 ? (DIGITS[code] as number) : -1;
      if (found < 0) return false;
      value = (value << 4) | found;
    }
    words[word] = value;
  }
  return true;
}

/** Every byte in hexadecimal. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function half(value: number): string {
  return `${BYTES[(value >>> 8) & 0xff]}${BYTES[value & 0xff]}`;
}

/** The text of the words at `at`. */
export function formatUuid(words: Uint32Array, at: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
  return `${half(a >>> 16)}${half(a)}-${half(b >>> 16)}-${half(b)}-${half(c >>> 16)}-${half(c)}${half(d >>> 16)}${half(d)}`;
}

/** Idempotency keys. Nearly all are UUIDs, kept as four words: a million are compared and found without text. */

/** Words in a UUID, 32 bits each. */
export const UUID_WORDS = 4;
const UUID_LENGTH = 36;
const HYPHENS: readonly number[] = [8, 13, 18, 23];
const HYPHEN_CODE = 0x2d;

export class RecordKey {
  /** The words of a UUID, from its first digit on, as signed integers; all zero for any other key. */
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  /** The text of a key that is not a lower-case UUID, else null. */
  readonly other: string | null;

  constructor(first: number, second: number, third: number, fourth: number, other: string | null = null) {
    this.first = first;
    this.second = second;
    this.third = third;
    this.fourth = fourth;
    this.other = other;
  }

  /** From the text that a person or a journal has. */
  static of(text: string): RecordKey {
    if (!isUuid(text)) return new RecordKey(0, 0, 0, 0, text);
    const first = wordAt(text, 0);
    const second = wordAt(text, 1);
    const third = wordAt(text, 2);
    const fourth = wordAt(text, 3);
    return new RecordKey(first, second, third, fourth);
  }

  /** From a hash's first 16 bytes, with version 8 and variant binary 10 (RFC 9562). @param bytes a character each */
  static ofHash(bytes: string): RecordKey {
    return new RecordKey(
      bytesAt(bytes, 0),
      (bytesAt(bytes, 4) & ~0xf000) | 0x8000,
      (bytesAt(bytes, 8) & ~0xc0000000) | 0x80000000,
      bytesAt(bytes, 12),
    );
  }

  get text(): string {
    if (this.other !== null) return this.other;
    const { second, third } = this;
    const b = half(second >>> 16);
    const c = half(second);
    const d = half(third >>> 16);
    const e = half(third);
    return `${half(this.first >>> 16)}${half(this.first)}-${b}-${c}-${d}-${e}${half(this.fourth >>> 16)}${half(this.fourth)}`;
  }
}

/**
 * A 32-bit hash of all words of a UUID; its upper bits depend on them most. Computed keys are hashes already, but
 * time-based UUIDs of one morning share their first word, and numbered UUIDs differ in one word only.
 */
export function hashOfWords(first: number, second: number, third: number, fourth: number): number {
  const sum =
    Math.imul(first, WORD_FACTORS[0]) +
    Math.imul(second, WORD_FACTORS[1]) +
    Math.imul(third, WORD_FACTORS[2]) +
    Math.imul(fourth, WORD_FACTORS[3]);
  return sum >>> 0;
}

/** Any odd numbers with well mixed bits. */
const WORD_FACTORS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

function isUuid(text: string): boolean {
  if (text.length !== UUID_LENGTH || HYPHENS.some((at) => text.charCodeAt(at) !== HYPHEN_CODE)) return false;
  for (let i = 0; i < DIGIT_PLACES.length; i++) if (digitAt(text, DIGIT_PLACES[i] as number) < 0) return false;
  return true;
}

/** The position in a UUID of its n-th digit. */
const DIGIT_PLACES = Uint8Array.from([...Array(UUID_LENGTH).keys()].filter((i) => !HYPHENS.includes(i)));
/** The value of a lower-case hexadecimal digit, or -1. */
const HEX_VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) HEX_VALUES[value.toString(16).charCodeAt(0)] = value;

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (HEX_VALUES[code] as number) : -1;
}

function wordAt(text: string, word: number): number {
  let value = 0;
  for (let digit = 0; digit < 8; digit++)
    value = (value << 4) | digitAt(text, DIGIT_PLACES[word * 8 + digit] as number);
  return value;
}

/** The four bytes at a position as a signed integer. @param bytes a character each */
export function bytesAt(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) << 24) |
    (bytes.charCodeAt(at + 1) << 16) |
    (bytes.charCodeAt(at + 2) << 8) |
    bytes.charCodeAt(at + 3)
  );
}

/** Every byte in hexadecimal. */
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The lower half of a word in hexadecimal. */
function half(value: number): string {
  return `${HEX_BYTES[(value >>> 8) & 0xff]}${HEX_BYTES[value & 0xff]}`;
}

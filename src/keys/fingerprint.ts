/** The hashes by which records and payments are compared, and by which the history is searched. */
import { sha256Bytes } from './key.js';
import { bytesAt } from './record-key.js';

export interface Fingerprint {
  /** Hash of type and body without the key. Equal content is the same payment under any key. */
  readonly content: bigint;
  /** Hash of type and payee; of a gig: of its title, start and filter. All comparisons are between equal ones. */
  readonly payee: number;
  /** Hash of the title. */
  readonly title: number;
  /** Hash of the ID of its purpose, if it comes from the record's file; else null. */
  readonly reference: number | null;
  /** The day of the work, in days since 1970, if it comes from the record's file; else null. */
  readonly date: number | null;
  /** Hash of a result's quantity; null for other types. */
  readonly measure: number | null;
  /** Payee and amount (of a result: the quantity) come from the record's file, too: no flag sets them on all records. */
  readonly isOfFile: boolean;
}

const hashWords = new DataView(new ArrayBuffer(8));

/** The first 8 bytes of the SHA-256 of UTF-8 text, as a signed integer: SQLite has no unsigned ones. */
export function hash64(text: string): bigint {
  const bytes = sha256Bytes(text);
  hashWords.setInt32(0, bytesAt(bytes, 0));
  hashWords.setInt32(4, bytesAt(bytes, 4));
  return hashWords.getBigInt64(0);
}

/**
 * A hash for finding, which costs a tenth of a cryptographic one: two texts that share theirs by chance cause at most a
 * question too many. Its scheme is stored in journals, so it never changes.
 */
export class TextHash {
  private low = 0;
  private high = 0;

  start(): this {
    this.low = 0x3c6ef372;
    this.high = 0x5be0cd19;
    return this;
  }

  addText(text: string): this {
    let { low, high } = this;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      low = Math.imul(low ^ code, LOW_FACTOR);
      high = Math.imul(high ^ code, HIGH_FACTOR);
    }
    return this.set(low, high);
  }

  /** Adds a text as it folds. Most texts are folded on the way, without making another text. */
  addFolded(text: string, fold: (text: string) => string): this {
    let { low, high } = this;
    const first = text.charCodeAt(0);
    // Zeros before digits may fold away.
    if (first === CODE_0 || first === CODE_SPACE) return this.addText(fold(text));
    for (let i = 0; i < text.length; i++) {
      let code = text.charCodeAt(i);
      if (code === CODE_SPACE) continue;
      if (code < CODE_SPACE || code > LAST_ASCII) return this.addText(fold(text));
      if (code >= CODE_A && code <= CODE_Z) code += TO_LOWER;
      low = Math.imul(low ^ code, LOW_FACTOR);
      high = Math.imul(high ^ code, HIGH_FACTOR);
    }
    return this.set(low, high);
  }

  private set(low: number, high: number): this {
    this.low = low;
    this.high = high;
    return this;
  }

  /** Below 2^47: SQLite stores that in 6 bytes, and it is exact as a number. */
  wide(): number {
    return (mixed(this.high, this.low) & 0x7fff) * 2 ** 32 + (mixed(this.low, this.high) >>> 0);
  }

  /** 32 bits, signed; never 0. For texts that are only compared among a few. */
  narrow(): number {
    return mixed(this.low, this.high) || 1;
  }
}

const LOW_FACTOR = 0x85ebca77;
const HIGH_FACTOR = 0x9e3779b1;
const CODE_SPACE = 0x20;
const CODE_0 = 0x30;
const CODE_A = 0x41;
const CODE_Z = 0x5a;
const LAST_ASCII = 0x7e;
const TO_LOWER = 0x20;

/** Each bit of the result depends on all bits of both words. */
function mixed(one: number, other: number): number {
  const first = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  return first ^ (first >>> 15);
}

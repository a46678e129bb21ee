/** How payments are compared: equal content is the same payment under any key; similar payments get a warning. */
import { sha256Bytes } from './key.js';
import { bytesAt } from './record-key.js';

export interface Fingerprint {
  /** Hash of type and body without the key. */
  readonly content: bigint;
  /** Hash of the fields that similar records share. Equal content implies equal similarity. */
  readonly similarity: bigint;
  /** Hash of the ID of its purpose; it distinguishes similar records that both have one from their files. Else null. */
  readonly reference: bigint | null;
  /** The day of the work, in days since 1970; it distinguishes similar records likewise. Else null. */
  readonly date: number | null;
  /** Hash of a result's quantity: with its task, it shows the same work in another batch. Null for other types. */
  readonly measure: bigint | null;
}

const words = new DataView(new ArrayBuffer(8));

/** The first 8 bytes of the SHA-256 of UTF-8 text, as a signed integer: SQLite has no unsigned ones. */
export function hash64(text: string): bigint {
  const bytes = sha256Bytes(text);
  words.setInt32(0, bytesAt(bytes, 0));
  words.setInt32(4, bytesAt(bytes, 4));
  return words.getBigInt64(0);
}

/** What a payment is compared by: equal content is the same payment under any key, similar payments are doubted. */
import { sha256Bytes } from './key.js';
import { bytesAt } from './record-key.js';

export interface Fingerprint {
  /** Of type and body, its key aside. */
  readonly content: bigint;
  /** Of what similar records share. Equal content implies equal similarity. */
  readonly similarity: bigint;
  /** Of the ID of what it is for, which tells similar records apart where both have one from their files; else null. */
  readonly reference: bigint | null;
  /** When the work was done, which tells similar records apart likewise: days since 1970; else null. */
  readonly date: number | null;
  /** Of a result's quantity: with its task, the same work in another batch. Null for other types. */
  readonly measure: bigint | null;
}

const words = new DataView(new ArrayBuffer(8));

/** The first 8 bytes of the SHA-256 of UTF-8 text, as a signed integer, the only kind that SQLite has. */
export function hash64(text: string): bigint {
  const bytes = sha256Bytes(text);
  words.setInt32(0, bytesAt(bytes, 0));
  words.setInt32(4, bytesAt(bytes, 4));
  return words.getBigInt64(0);
}

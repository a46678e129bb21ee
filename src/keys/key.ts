/** Keys and hashes of records. CONTRACT: "Keys and repeats". Never change the scheme: a changed key pays twice. */
import { createHash, hash } from 'node:crypto';
import { RecordKey } from './record-key.js';

export const KEY_FIELD = 'idempotency_key';

/** The batch of a call that names none. */
export const DEFAULT_BATCH = 'default';

/** The input of a computed key: the whole body, the columns that the person named, or body and rejected key. */
export type KeyBasis = 'content' | 'columns' | 'replaces';

/**
 * The UUID (version 8) of a record without a key from its file.
 * @param value canonical JSON: of the body without its key (`content`), of the flat object of key columns (`columns`),
 *   or of that body and the key of the payment that it corrects (`replaces`)
 * @param ordinal from 1: the position among the identical records of its file
 */
export function computeKey(batchId: string, type: string, basis: KeyBasis, value: string, ordinal: number): RecordKey {
  if (batchId !== batch.id) batch = { id: batchId, text: JSON.stringify(batchId) };
  const seed = `["gigwork-key-1",${batch.text},"${type}","${basis}",${value},${ordinal}]`;
  return RecordKey.ofHash(sha256Bytes(seed));
}

/** Cached: the same for all records of a run. */
let batch = { id: '', text: '""' };

/** Whether a key looks computed: keys from files are hardly ever UUIDs of version 8. */
export function isComputedKey(key: string): boolean {
  return COMPUTED.test(key);
}

const COMPUTED = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** SHA-256 of UTF-8 text, 64 lower-case hex digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The same as 32 characters, one for each byte: Node makes them in half the time of a buffer. */
export function sha256Bytes(text: string): string {
  return hash('sha256', text, 'binary');
}

export interface Digest {
  /** Adds the next valid record, in input order. */
  add(key: string, bodyHash: string): void;
  /** The digest, 64 lower-case hex digits. To be called once, last. */
  finish(): string;
}

/** The digest that a person signs: it binds the target and every record, in order, to the very bytes that are sent. */
export function startDigest(target: string): Digest {
  const digest = createHash('sha256');
  let waiting = `gigwork-digest-1\n${target}\n`;
  return {
    add(key, bodyHash) {
      waiting += `${key} ${bodyHash}\n`;
      if (waiting.length > 8192) {
        digest.update(waiting);
        waiting = '';
      }
    },
    finish: () => digest.update(waiting).digest('hex'),
  };
}

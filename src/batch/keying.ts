/** Gives each record of a run its key, and finds keys that two records share. */
import type { RecordKey } from '../keys/record-key.js';
import { KEY_COLUMN } from '../input/own-columns.js';
import { type Finding, error, placeWords, warning } from '../records/issue.js';
import type { Entries } from './entries.js';
import type { Place } from './record-places.js';
import type { Content } from './content.js';
import type { KeyIndex } from './key-index.js';

export interface Keyed {
  readonly key: RecordKey;
  /** Entry that has this key already, or null. Both are then invalid. */
  readonly duplicateOf: number | null;
  /** Set when the record equals an earlier one of its file. */
  readonly identical: Finding | null;
}

/**
 * The record's key. To be called in the order of the input, with each record in the index before the next call.
 * @param key that the record has when no other record is identical to it
 */
export type Keying = (content: Content, key: RecordKey, place: Place) => Keyed;

/**
 * A key computed from content counts the identical records of its file, so that two identical rows are two records. In
 * two files of one run they share a key, because nobody can tell whether the same row was exported twice.
 */
export function startKeying(batchId: string, entries: Entries, index: KeyIndex): Keying {
  /** How many records of a file had this content; kept only for content that the run has met more than once. */
  const counts = new Map<string, number>();

  return (content, key, place) => {
    const found = index.find(key);
    if (content.parts.keySource !== 'content' || found === null) return { key, duplicateOf: found, identical: null };
    const name = `${place.file}:${key.text}`;
    const isCounted = ['content', 'rejected'].includes(entries.keySource(found));
    const inThisFile = entries.fileOf(found) === place.file && isCounted ? 1 : 0;
    const ordinal = (counts.get(name) ?? inThisFile) + 1;
    counts.set(name, ordinal);
    if (ordinal === 1) return { key, duplicateOf: found, identical: null };
    const ordinalKey = content.keyOf(batchId, ordinal);
    return { key: ordinalKey, duplicateOf: index.find(ordinalKey), identical: identicalTo(found, place, entries) };
  };
}

function identicalTo(found: number, place: Place, entries: Entries): Finding {
  const earlier = entries.placeOf(found);
  const where = earlier.file === place.file ? placeWords(earlier) : 'another file';
  const message = `Same as ${where}; both will be sent. Delete one if it is a mistake`;
  return warning('identical-rows', null, message);
}

/**
 * What is said of a record whose key another record has.
 * @param where the other record stands
 * @param own the record's key is its own, not computed
 */
export function duplicateKey(key: string, where: string, own: boolean): Finding {
  const message = own
    ? `${where} has the same idempotency_key. Each record needs a different one`
    : `${where} has the same key. If they are one payment, remove one row. If they are two, give each an idempotency_key`;
  return error('duplicate-key', 'idempotency_key', message, key);
}

/**
 * What is said of a record that replaces a payment which another record replaces too.
 * @param where the other record stands
 */
export function replacedTwice(key: string, where: string): Finding {
  const message = `${where} has the same ${KEY_COLUMN}. One row corrects one payment: keep the right row, and remove the other`;
  return error('duplicate-key', KEY_COLUMN, message, key);
}

/** Fingerprints as the journal stores them: two byte strings of one length, one for content and one for all else. */
import { SHORT_HASH } from '../journal/record.js';
import type { Entries } from './table.js';

export function contentBytes(entries: Entries, index: number): Buffer {
  const bytes = Buffer.alloc(SHORT_HASH);
  bytes.writeBigInt64BE(entries.content(index));
  return bytes;
}

/** Similarity, reference and date, the last two each with a mark of whether there is one. */
export function likenessBytes(entries: Entries, index: number): Buffer {
  const bytes = Buffer.alloc(SHORT_HASH);
  const reference = entries.reference(index);
  const date = entries.date(index);
  bytes.writeBigInt64BE(entries.similarity(index));
  bytes.writeBigInt64BE(reference ?? 0n, 8);
  bytes.writeInt32BE(date ?? 0, 16);
  bytes.writeUInt8(reference === null ? 0 : 1, 20);
  bytes.writeUInt8(date === null ? 0 : 1, 21);
  return bytes;
}

/** @param hashes content and likeness in turn, for as many entries as there are */
export function setStoredHashes(entries: Entries, from: number, hashes: Buffer): void {
  for (let at = 0; at < hashes.length; at += 2 * SHORT_HASH) {
    const content = hashes.subarray(at, at + SHORT_HASH);
    const likeness = hashes.subarray(at + SHORT_HASH, at + 2 * SHORT_HASH);
    entries.setFingerprint(from + at / (2 * SHORT_HASH), {
      content: content.readBigInt64BE(),
      similarity: likeness.readBigInt64BE(),
      reference: likeness.readUInt8(20) === 0 ? null : likeness.readBigInt64BE(8),
      date: likeness.readUInt8(21) === 0 ? null : likeness.readInt32BE(16),
    });
  }
}

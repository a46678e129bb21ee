/** The records of a program as the text of a JSON list: from here on they are read like a file. */
import { Readable } from 'node:stream';
import { UsageError } from '../errors.js';
import type { Records } from './options-type.js';

/** Characters of a piece: enough that its way through the stream costs little beside its records. */
const PIECE_LENGTH = 16_384;

/** Reads a record only when the text is asked for. @throws UsageError what the stream breaks with */
export function recordStream(records: Records): Readable {
  return Readable.from(jsonList(records), { objectMode: true, highWaterMark: 1 });
}

async function* jsonList(records: Records): AsyncIterable<string> {
  const isList = typeof records === 'object' && records !== null;
  if (!isList || !(Symbol.iterator in records || Symbol.asyncIterator in records))
    throw new UsageError('the records must be a list of objects, or anything else that gives one after the other');
  let piece = '[';
  let count = 0;
  try {
    for await (const record of records) {
      count++;
      piece += `${count === 1 ? '' : ','}${recordJson(record, count)}\n`;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`the records cannot be read, after record ${count}: ${message}`, { cause });
  }
  yield `${piece}]`;
}

/** @param number of the record, from 1. @throws UsageError for what JSON would change or leave out in silence */
export function recordJson(record: unknown, number: number): string {
  try {
    return JSON.stringify(record, refuseUnsayable) ?? 'null';
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`record ${number} cannot be sent: ${message}`, { cause });
  }
}

/** `JSON.stringify` makes null of NaN, and nothing of a function or a map. */
function refuseUnsayable(name: string, value: unknown): unknown {
  const where = name === '' ? 'it' : name;
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${where} is ${value}`);
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    throw new TypeError(`${where} is a ${typeof value}`);
  if (value instanceof Map || value instanceof Set) throw new TypeError(`${where} is a ${value.constructor.name}`);
  return value;
}

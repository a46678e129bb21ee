/** Writes zip archives part by part as a stream: memory does not depend on their size. */
import { Readable, pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly text: Iterable<string> | AsyncIterable<string>;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Names are UTF-8, and sizes follow the content, since nobody knows them before. */
const FLAGS = 0x808;
const DEFLATED = 8;
/** 1980-01-01: the same content gives the same bytes. */
const FIRST_DAY = 0x21;

/** The facts about a part after it is written. */
interface Written {
  crc: number;
  packed: number;
  size: number;
}

/** @throws RangeError for more than 4 GB; all errors of the texts */
export async function* zipped(parts: readonly ZipPart[]): AsyncIterable<Buffer> {
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of parts) {
    const written: Written = { crc: 0, packed: 0, size: 0 };
    const path = Buffer.from(name);
    yield Buffer.concat([little([4, LOCAL]), headOf({ ...written }, path), path]);
    for await (const piece of deflated(text, written)) {
      written.packed += piece.length;
      yield piece;
    }
    yield little([4, DESCRIPTOR], [4, written.crc], [4, written.packed], [4, written.size]);
    const place = little([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    central.push(Buffer.concat([little([4, CENTRAL], [2, 20]), headOf(written, path), place, path]));
    offset += 30 + path.length + written.packed + 16;
  }
  const directory = Buffer.concat(central);
  const count = central.length;
  yield directory;
  yield little([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length], [4, offset], [2, 0]);
}

/** The common part of a part's header and the table of contents. */
function headOf({ crc, packed, size }: Written, path: Buffer): Buffer {
  const time = [[2, 0] as const, [2, FIRST_DAY] as const];
  return little(
    [2, 20],
    [2, FLAGS],
    [2, DEFLATED],
    ...time,
    [4, crc],
    [4, packed],
    [4, size],
    [2, path.length],
    [2, 0],
  );
}

function little(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const all = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = all.writeUIntLE(value, at, bytes);
  return all;
}

function deflated(text: ZipPart['text'], written: Written): AsyncIterable<Buffer> {
  async function* counted(): AsyncGenerator<Buffer, void> {
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      written.crc = crc32(bytes, written.crc);
      written.size += bytes.length;
      yield bytes;
    }
  }
  // An error reaches the reader of the packed bytes.
  return pipeline(Readable.from(counted()), createDeflateRaw(), () => undefined);
}

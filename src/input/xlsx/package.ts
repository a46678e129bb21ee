/** Splits a workbook's bytes into its parts. The file is a zip archive; all of it is counted before it is trusted. */
import { TextDecoder } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { OLE, ZIP } from '../formats.js';
import { FileFault } from '../raw-record.js';

/** The largest size of all unpacked parts together, in bytes. CONTRACT: 256 MB. */
const MOST_UNPACKED = 256 * 1024 * 1024;
/** A workbook has a few parts for each sheet, and one for each picture. */
const MOST_PACKAGE_PARTS = 10_000;

export interface Package {
  /** The text of a part; null for an unknown name. @throws FileFault during reading, if the part is damaged */
  readonly part: (name: string) => AsyncIterable<string> | null;
}

/** The message for damage of the whole file. */
export function damaged(what: string): FileFault {
  const message = `the workbook is damaged: ${what}; open it in the program that made it, save it as .xlsx again, or save the sheet as "CSV UTF-8"`;
  return new FileFault('bad-encoding', null, message);
}

/**
 * @param stop ends the reading of a part, which then throws the signal's reason
 * @returns null for a file without bytes
 * @throws FileFault if the bytes are not a zip archive, or unpack to more than the limit
 */
export async function openPackage(chunks: AsyncIterable<Buffer>, stop?: AbortSignal): Promise<Package | null> {
  const bytes = await bytesOf(chunks);
  if (bytes.length === 0) return null;
  refuseOthers(bytes);
  const zip = await fromBufferPromise(bytes).catch((cause: unknown) => Promise.reject(damaged(unzipReason(cause))));
  const entries = await entriesOf(zip);
  return {
    part: (name) => {
      const entry = entries.get(foldPartName(name));
      return entry === undefined ? null : partText(zip, entry, stop);
    },
  };
}

/** A zip archive has its table of contents at its end, so the whole file is needed first. */
async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > MOST_UNPACKED) throw tooLarge();
  }
  return Buffer.concat(parts);
}

const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

function refuseOthers(bytes: Buffer): void {
  const signature = bytes.subarray(0, ZIP.length).toString('latin1');
  if (signature === ZIP) return;
  if (signature === OLE && bytes.includes(ENCRYPTED)) throw protectedFile();
  const message =
    signature === OLE
      ? 'this is an old Excel workbook (.xls): in Excel: Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8"'
      : 'this is not a workbook (.xlsx): if it contains text, name its format with --format: csv, json or ndjson';
  throw new FileFault('bad-encoding', null, message);
}

/** Names of parts ignore letter case. */
function foldPartName(name: string): string {
  return name.replace(/^\//, '').toLowerCase();
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let size = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = foldPartName(entry.fileName);
      // Two programs could read two different tables.
      if (entries.has(name)) throw damaged(`it holds ${JSON.stringify(entry.fileName)} twice`);
      if (entry.isEncrypted()) throw protectedFile();
      entries.set(name, entry);
      size += entry.uncompressedSize;
      if (size > MOST_UNPACKED) throw tooLarge();
      if (entries.size > MOST_PACKAGE_PARTS) throw damaged(`it has more than ${MOST_PACKAGE_PARTS} parts`);
    }
  } catch (cause) {
    throw cause instanceof FileFault ? cause : damaged(unzipReason(cause));
  }
  return entries;
}

/** A part that unpacks to another size or checksum than the archive declares is an error. */
async function* partText(zip: ZipFile, entry: Entry, stop?: AbortSignal): AsyncIterable<string> {
  const { fileName: name, uncompressedSize, crc32: expected } = entry;
  try {
    let size = 0;
    let sum = 0;
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const piece of await unpacked(zip, entry)) {
      stop?.throwIfAborted();
      sum = crc32(piece, sum);
      size += piece.length;
      if (size > uncompressedSize) break;
      yield decoder.decode(piece, { stream: true });
    }
    if (size !== uncompressedSize || sum !== expected) throw damaged(`${name} is not what its checksum says`);
    yield decoder.decode();
  } catch (cause) {
    if (cause instanceof FileFault || stop?.aborted === true) throw cause;
    throw damaged(`${name}: ${unzipReason(cause)}`);
  }
}

/** Bytes per unpacking step: each step costs a switch to another thread. */
const UNPACKED_BYTES = 64 * 1024;

async function unpacked(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  if (!entry.canDecodeFileData()) throw damaged(`${entry.fileName} is packed in a way that is not read`);
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  return entry.compressionMethod === 0 ? packed : packed.pipe(createInflateRaw({ chunkSize: UNPACKED_BYTES }));
}

function unzipReason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function tooLarge(): FileFault {
  const most = MOST_UNPACKED / 1024 / 1024;
  const message = `the workbook unpacks to more than ${most} MB, and no more is read: copy the table into a separate workbook, or save the sheet as "CSV UTF-8"`;
  return new FileFault('bad-encoding', null, message);
}

function protectedFile(): FileFault {
  const message =
    'the workbook is protected by a password; in Excel: File, Info, Protect Workbook, Encrypt with Password: empty the field, and save again';
  return new FileFault('bad-encoding', null, message);
}

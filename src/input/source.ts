/** Reads bytes of a file or standard input. Counts and hashes them. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { trackRead } from '../util/pending-reads.js';
import { UsageError } from '../errors.js';
import { FileFault } from './raw-record.js';

/** The path that means standard input. */
export const STDIN = '-';
/** Used as the path when the record's fields came from flags. */
export const FLAGS_PATH = '(flags)';
/** Where the records of a program stand in a file's place: they are read from standard input of its call's world. */
export const RECORDS_PATH = '(records)';

/** Small enough that a chunk's records are garbage before the garbage collector counts them as long-lived. */
const CHUNK_BYTES = 64 * 1024;

export interface Source {
  readonly chunks: () => AsyncIterable<Buffer>;
  readonly taken: () => ConsumedBytes;
}

/** The bytes that a source has read so far. */
export interface ConsumedBytes {
  readonly bytes: number;
  /** Their SHA-256, lower-case hex. */
  readonly sha256: string;
  /** The bytes themselves, if they cannot be read again and `keepBytes` is set; else null. */
  readonly kept: readonly Buffer[] | null;
}

export interface SourceOptions {
  /** Directory that relative paths start from. */
  readonly cwd: string;
  readonly stdin: Readable;
  /** Ends the reading, even while it waits for the writer of a pipe: the reader throws the signal's reason. */
  readonly stop: AbortSignal;
  /** Keep the bytes of standard input and of pipes, which cannot be read a second time. */
  readonly keepBytes?: boolean;
}

/** @param path as the person wrote it */
export function openSource(path: string, { cwd, stdin, stop, keepBytes = false }: SourceOptions): Source {
  let once = isStream(path, cwd);
  const isGiven = path === STDIN || path === RECORDS_PATH;
  let mayWait = isGiven;
  const found = (isRegular: boolean): void => {
    once ||= !isRegular;
    mayWait = !isRegular;
  };
  const pieces = isGiven ? stdin : fileChunks(path, resolve(cwd, path), found);
  return counted(
    untilStopped(pieces, stop, () => mayWait),
    () => keepBytes && once,
  );
}

/** Whether a path can be read only once, whatever it is. macOS opens /dev/stdin where the last reading stopped. */
export function isStream(path: string, cwd: string): boolean {
  if (path === STDIN || path === RECORDS_PATH) return true;
  return /^\/(?:dev\/(?:stdin$|fd\/)|proc\/)/.test(resolve(cwd, path));
}

/** Whether a path names standard input: `-`, or the system's name for it. */
export function isStdin(path: string, cwd: string): boolean {
  return path === STDIN || /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(resolve(cwd, path));
}

/**
 * The same pieces, until the signal comes. A read that has begun cannot be cancelled: if it may wait for a writer, it
 * is abandoned, together with its file.
 */
async function* untilStopped<T>(pieces: AsyncIterable<T>, stop: AbortSignal, mayWait: () => boolean): AsyncIterable<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  let isLeft = false;
  try {
    for (;;) {
      stop.throwIfAborted();
      const next = await orStopped(iterator.next(), stop, () => (isLeft = mayWait()));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!isLeft) await iterator.return?.();
  }
}

/** @param leaves called when the signal comes: whether to abandon the work */
function orStopped<T>(work: Promise<T>, stop: AbortSignal, leaves: () => boolean): Promise<T> {
  return new Promise((resolved, rejected) => {
    const end = (): void => {
      if (leaves()) rejected(stop.reason);
    };
    stop.addEventListener('abort', end, { once: true });
    void work.then(resolved, rejected).finally(() => stop.removeEventListener('abort', end));
  });
}

/** The bytes that an earlier reading took from the same place, and no others. */
export function reopenSource(path: string, cwd: string, earlier: ConsumedBytes, wasWhole: boolean): Source {
  const pieces = earlier.kept ?? fileChunks(path, resolve(cwd, path));
  return counted(wasWhole ? pieces : truncate(pieces, earlier.bytes), () => false);
}

function counted(pieces: AsyncIterable<unknown> | Iterable<Buffer>, isKept: () => boolean): Source {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let bytes = 0;
  return {
    async *chunks() {
      for await (const piece of pieces) {
        const chunk = typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer);
        hash.update(chunk);
        bytes += chunk.length;
        if (isKept()) kept.push(chunk);
        yield chunk;
      }
    },
    taken: () => ({ bytes, sha256: hash.copy().digest('hex'), kept: isKept() ? kept : null }),
  };
}

async function* truncate(pieces: AsyncIterable<Buffer> | Iterable<Buffer>, size: number): AsyncIterable<Buffer> {
  let left = size;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

async function* fileChunks(shown: string, path: string, onFound?: (isRegular: boolean) => void): AsyncIterable<Buffer> {
  // Checked before the file is opened, since opening a pipe also waits for a writer.
  const found = await lookAt(shown, path);
  onFound?.(found.isFile());
  const file = await openFile(shown, path);
  try {
    const before = await file.stat();
    for (;;) {
      // A new buffer for each chunk: readers keep slices of it.
      const { bytesRead, buffer } = await trackRead(
        file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null),
      ).catch((cause: unknown) => Promise.reject(unreadable(shown, cause)));
      if (bytesRead === 0) break;
      yield buffer.subarray(0, bytesRead);
    }
    const after = await file.stat();
    if (before.isFile() && (before.size !== after.size || before.mtimeMs !== after.mtimeMs)) {
      const message = 'the file changed while it was read; close it in other programs and run the command again';
      throw new FileFault('bad-encoding', null, message);
    }
  } finally {
    await file.close();
  }
}

/** @throws UsageError when it is missing, or a folder */
async function lookAt(shown: string, path: string): Promise<Stats> {
  const found = await stat(path).catch((cause: unknown) => Promise.reject(unreadable(shown, cause)));
  if (found.isDirectory()) throw new UsageError(`${shown} is a folder; name the files in it`);
  return found;
}

function openFile(shown: string, path: string): Promise<FileHandle> {
  return trackRead(open(path, 'r')).catch((cause: unknown) => Promise.reject(unreadable(shown, cause)));
}

function unreadable(shown: string, cause: unknown): UsageError {
  return new UsageError(`cannot read ${shown}: ${systemErrorText(cause)}`, { cause });
}

/** The system's error in words. */
export function systemErrorText(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EBUSY') return 'another program holds it; close it there';
  return cause instanceof Error ? cause.message : String(cause);
}

/** SHA-256 of a file's bytes, lower-case hex. @throws UsageError when it cannot be read */
export async function hashFile(path: string, cwd: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fileChunks(path, resolve(cwd, path))) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * In bytes; null for standard input, pipes, devices and the like.
 * @param shown its name in messages
 * @throws UsageError when it cannot be read
 */
export async function sizeOf(path: string, cwd: string, shown = path): Promise<number | null> {
  if (isStream(path, cwd)) return null;
  const full = resolve(cwd, path);
  // Checked before opening: a pipe that is opened and closed again is broken for its writer.
  const found = await lookAt(shown, full);
  if (!found.isFile()) return null;
  await (await openFile(shown, full)).close();
  return found.size;
}

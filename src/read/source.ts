/** Where bytes come from: a file or standard input. Counts and hashes what it hands on. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { UsageError } from '../exit.js';
import { FileFault } from './raw.js';

/** The path that stands for standard input. */
export const STDIN = '-';

const CHUNK_BYTES = 256 * 1024;

export interface Source {
  /** As the person wrote it. */
  readonly path: string;
  chunks(): AsyncIterable<Buffer>;
  /** SHA-256 of all bytes, lower-case hex. To be called once, after the last chunk. */
  sha256(): string;
}

export function openSource(path: string, cwd: string, stdin: Readable): Source {
  const hash = createHash('sha256');
  const bytes = path === STDIN ? stdin : fileChunks(path, resolve(cwd, path));
  return {
    path,
    async *chunks() {
      for await (const piece of bytes) {
        const chunk = typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer);
        hash.update(chunk);
        yield chunk;
      }
    },
    sha256: () => hash.digest('hex'),
  };
}

async function* fileChunks(shown: string, path: string): AsyncIterable<Buffer> {
  const file = await openFile(shown, path);
  try {
    const before = await file.stat();
    if (before.isDirectory()) throw new UsageError(`${shown} is a folder; name the files in it`);
    for (;;) {
      // A fresh buffer for each chunk: readers keep slices of it.
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
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

async function openFile(shown: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new UsageError(`cannot read ${shown}: ${reasonOf(cause)}`, { cause });
  }
}

/** What the system said, in words. */
export function reasonOf(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  return cause instanceof Error ? cause.message : String(cause);
}

/** SHA-256 of a file's bytes, lower-case hex. @throws UsageError when it cannot be read */
export async function hashFile(path: string, cwd: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fileChunks(path, resolve(cwd, path))) hash.update(chunk);
  return hash.digest('hex');
}

/** The size of a regular file in bytes; null for standard input, pipes and the like. @throws UsageError when it cannot be read */
export async function sizeOf(path: string, cwd: string): Promise<number | null> {
  if (path === STDIN) return null;
  const file = await openFile(path, resolve(cwd, path));
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw new UsageError(`${path} is a folder; name the files in it`);
    return stat.isFile() ? stat.size : null;
  } finally {
    await file.close();
  }
}

/** Files that appear whole or not at all. */
import { randomBytes } from 'node:crypto';
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../exit.js';

/**
 * @param flag the option that names the file, for messages
 * @param inputs files that must not be written over
 * @throws UsageError when the file cannot be written, or is an input
 */
export async function checkWritable(path: string, flag: string, inputs: readonly string[], cwd: string): Promise<void> {
  const full = resolve(cwd, path);
  const folder = dirname(full);
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new UsageError(`${flag} ${path}: the folder ${folder} is not there or cannot be written`);
  }
  const target = await identity(full);
  if (target === 'folder') throw new UsageError(`${flag} ${path}: this is a folder; name a file`);
  for (const input of inputs) {
    if (target !== null && target === (await identity(resolve(cwd, input)))) {
      throw new UsageError(`${flag} ${path}: this is an input file, and it would be written over; name another file`);
    }
  }
}

/** The real path of a file, whatever name it was called by; null when there is none. */
async function identity(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : await realpath(path);
  } catch {
    return null;
  }
}

/** Enough text for one write. */
const PIECE = 64 * 1024;

/** Writes beside the file first and puts it in place when it is complete. */
export async function writeWhole(path: string, cwd: string, text: Iterable<string | Uint8Array>): Promise<void> {
  const full = resolve(cwd, path);
  const part = join(dirname(full), `.${basename(full)}.${randomBytes(4).toString('hex')}.part`);
  const file = await open(part, 'wx', 0o600);
  try {
    let waiting: Uint8Array[] = [];
    let size = 0;
    for (const piece of text) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      waiting.push(bytes);
      size += bytes.length;
      if (size < PIECE) continue;
      await file.write(Buffer.concat(waiting));
      waiting = [];
      size = 0;
    }
    await file.write(Buffer.concat(waiting));
    await file.sync();
    await file.close();
    await rename(part, full);
  } catch (cause) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw cause;
  }
}

/** Files that are written whole or not at all, and folders that are made for the user. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** Enough text for one write. */
const PIECE = 64 * 1024;

/** Pieces of a file, text in UTF-8. When they end in an error, the file is not written. */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface WriteOptions {
  /** Who may read the file: only its owner, unless it is for other people. */
  readonly mode?: number;
  /** Called when the file is complete, with its SHA-256, before it appears under its name. If it fails, the file does not. */
  readonly beforeAppearing?: (sha256: string) => Promise<void>;
}

/** Writes a temporary file next to the file, and renames it when it is complete. */
export async function writeFileAtomically(
  path: string,
  cwd: string,
  text: Pieces,
  { mode = 0o600, beforeAppearing }: WriteOptions = {},
): Promise<void> {
  const full = resolve(cwd, path);
  await removeAbandoned(full);
  const part = partName(full);
  const file = await open(part, 'wx', mode);
  try {
    const hash = beforeAppearing === undefined ? null : createHash('sha256');
    let waiting: Uint8Array[] = [];
    let size = 0;
    for await (const piece of text) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash?.update(bytes);
      waiting.push(bytes);
      size += bytes.length;
      if (size < PIECE) continue;
      await file.appendFile(Buffer.concat(waiting));
      waiting = [];
      size = 0;
    }
    await file.appendFile(Buffer.concat(waiting));
    await file.sync();
    await file.close();
    if (hash !== null) await beforeAppearing?.(hash.digest('hex'));
    await rename(part, full);
  } catch (cause) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw cause;
  }
}

/**
 * Creates a file next to where it will be, and removes it: permissions do not show that a disk is read-only or a name too
 * long.
 * @throws the system's error if the file cannot be written there
 */
export async function tryToWrite(full: string): Promise<void> {
  const part = partName(full);
  await (await open(part, 'wx', 0o600)).close();
  await rm(part);
}

/** The temporary file, which is then renamed. Its name identifies the writer, so that leftovers are found. */
function partName(full: string): string {
  return join(dirname(full), `${beginning(full)}${process.pid}.${randomBytes(4).toString('hex')}.part`);
}

/** Removes temporary files whose writers on this machine ended while they wrote this file. A failure does no harm. */
async function removeAbandoned(full: string): Promise<void> {
  const folder = dirname(full);
  const own = beginning(full);
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = name.startsWith(own) ? /^(\d+)\.[0-9a-f]{8}\.part$/.exec(name.slice(own.length))?.[1] : undefined;
    if (writer === undefined || isAlive(Number(writer))) continue;
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Contains the name of the machine: a process id has a meaning on one machine only. */
function beginning(full: string): string {
  return `.${basename(full)}.${hostname().replace(/[^\w-]/g, '-')}.`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // EPERM: the process exists, but we must not signal it.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Makes a folder and its missing parents, one `mkdir` at a time. Node's recursive `mkdir` never ends if the system
 * reports an existing parent as missing, as Linux does below /proc.
 * @throws the system's error about the first folder that cannot be made
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // It exists, perhaps because another process has just made it. A link to a missing folder does not count.
    if (code === 'EEXIST' && existsSync(folder)) return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || existsSync(above)) throw cause;
    makeFolder(above, mode);
    makeFolder(folder, mode);
  }
}

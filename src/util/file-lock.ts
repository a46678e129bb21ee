/** One process at a time reads a file, changes it, and writes it. */
import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks at a lock that another process holds. */
const LOOK_MS = 20;
/** A change takes far less: an older lock is that of a process that was killed. Milliseconds. */
const STALE_MS = 10_000;

/** @param path of the file. The lock is a file beside it. @throws what `work` throws, and errors of the file system */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  for (;;) {
    try {
      await (await open(lock, 'wx')).close();
      break;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    const held = await stat(lock).catch(() => null);
    if (held !== null && Date.now() - held.mtimeMs > STALE_MS) await rm(lock, { force: true });
    else await delay(LOOK_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

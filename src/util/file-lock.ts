/** One process at a time reads a file, changes it, and writes it. */
import { open, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks at a lock that another process holds. */
const LOOK_MS = 20;
/** Ten seconds: changes take far less, so the lock is that of a process that was killed. */
const MOST_LOOKS = 500;

/** @param path of the file. The lock is a file beside it. @throws what `work` throws, and errors of the file system */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  for (let looks = 1; ; looks++) {
    try {
      await (await open(lock, 'wx')).close();
      break;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    if (looks === MOST_LOOKS) await rm(lock, { force: true });
    else await delay(LOOK_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

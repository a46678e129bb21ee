/** Folders that are made for the user. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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

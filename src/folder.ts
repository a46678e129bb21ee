/** Folders that are made for the user. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, step by step: asked for all at once, Node tries without end where the system says
 * that a folder above is not there although it is, as Linux does below /proc.
 * @throws what the system says of the first that cannot be made
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Also one that another process has just made; but not a link that leads nowhere.
    if (code === 'EEXIST' && existsSync(folder)) return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || existsSync(above)) throw cause;
    makeFolder(above, mode);
    makeFolder(folder, mode);
  }
}

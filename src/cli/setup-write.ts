/** Puts a profile into the config file, whole or not at all; everything else in the file stays as it is. */
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { configAt } from '../config/config-file.js';
import { profileIn, withProfile } from '../config/profile-text.js';
import type { Profile } from '../config/profile-settings.js';
import { UsageError } from '../errors.js';
import { reasonOf } from '../input/source.js';
import { writeWhole } from '../report/whole-file.js';

/** New files may hold secrets one day: their owner alone reads them. */
const OWNER_ONLY = 0o600;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * @param replaces the profile that the person has agreed to replace; undefined for none. Another one that has come since is
 *   never written over
 * @throws UsageError when the file cannot be written, is broken, or has another profile of this name
 */
export async function writeProfile(path: string, name: string, profile: Profile, replaces: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A config file that is a link to one elsewhere stays a link.
    const file = await realpath(path).catch(() => path);
    const text = await readFile(file, 'utf8').catch(noFile);
    // Read once more as every run reads it: what was right when setup began may be broken now.
    if (text !== null) await configAt(file, true);
    const bare = text?.replace(/^\ufeff/, '') ?? null;
    const found = bare === null ? undefined : profileIn(bare, name);
    if (isDeepStrictEqual(found, profile)) return;
    if (found !== undefined && !isDeepStrictEqual(found, replaces))
      throw new UsageError(`the config file ${path} has another profile "${name}" by now; nothing was written`);
    const edited = withProfile(bare, name, profile);
    const mode = text === null ? OWNER_ONLY : (await stat(file)).mode & 0o7777;
    await writeWhole(file, '/', [bare === text ? edited : BYTE_ORDER_MARK + edited], mode);
    // What the umask has taken away, the file had before.
    await chmod(file, mode);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new UsageError(`the config file ${path} could not be written: ${reasonOf(cause)}`, { cause });
  }
}

function noFile(cause: unknown): null {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw cause;
}

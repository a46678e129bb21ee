/** Files that a command writes where the command line says. */
import { UsageError } from '../exit.js';
import { reasonOf } from '../read/source.js';
import { type Pieces, writeWhole } from '../report/whole-file.js';

/** @param flag the option that names the file. @throws UsageError with path and reason when it cannot be written */
export async function writeNamed(flag: string, path: string, cwd: string, text: Pieces): Promise<void> {
  try {
    await writeWhole(path, cwd, text);
  } catch (cause) {
    // Only what the system says: any other failure is one of the program, or of the journal that is read for it.
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new UsageError(`${flag} ${path}: it could not be written: ${reasonOf(cause)}`, { cause });
  }
}

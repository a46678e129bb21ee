/** Files that a command writes to a path from the command line. */
import { UsageError } from '../errors.js';
import { reasonOf } from '../input/source.js';
import { type Pieces, writeWhole } from '../report/whole-file.js';

/** @param flag the option that names the file. @throws UsageError with path and reason when it cannot be written */
export async function writeNamed(flag: string, path: string, cwd: string, text: Pieces): Promise<void> {
  try {
    await writeWhole(path, cwd, text);
  } catch (cause) {
    // Only an error of a system call: any other failure is the program's, or that of the journal being read.
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new UsageError(`${flag} ${path}: it could not be written: ${reasonOf(cause)}`, { cause });
  }
}

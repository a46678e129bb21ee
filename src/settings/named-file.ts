/** Files that a setting names. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../exit.js';
import { reasonOf } from '../read/source.js';

/**
 * The text of a file.
 * @param what the setting that names it, for the message
 * @param folder where a relative path starts from
 * @throws UsageError with path and reason when it cannot be read
 */
export function readNamed(what: string, path: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (cause) {
    throw new UsageError(`${what}: cannot read the file ${path}: ${reasonOf(cause)}`, { cause });
  }
}

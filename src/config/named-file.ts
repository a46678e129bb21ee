/** The text of a file that a setting names. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { systemErrorText } from '../input/source.js';

/**
 * The text of a file.
 * @param name of the setting that names the file, for the message
 * @param folder where a relative path starts from
 * @throws UsageError with path and reason when it cannot be read
 */
export function readNamed(name: string, path: string, folder: string, encoding?: 'latin1'): string {
  try {
    const bytes = readFileSync(resolve(folder, path));
    return encoding === undefined ? utf8Text(bytes) : bytes.toString(encoding);
  } catch (cause) {
    throw new UsageError(`${name}: cannot read the file ${path}: ${systemErrorText(cause)}`, { cause });
  }
}

/** UTF-8 without its byte order mark. Text in any other encoding would be sent with wrong letters. */
export function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('it is not in UTF-8; save it as that');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** Files that a setting names. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { reasonOf } from '../input/source.js';

/**
 * The text of a file.
 * @param what the setting that names it, for the message
 * @param folder where a relative path starts from
 * @throws UsageError with path and reason when it cannot be read
 */
export function readNamed(what: string, path: string, folder: string): string {
  const bytes = readBytes(what, path, folder);
  try {
    return textOf(bytes);
  } catch (cause) {
    throw cannotRead(what, path, (cause as NoUtf8).message, cause);
  }
}

/** The same for a file that need not be text. */
export function readBytes(what: string, path: string, folder: string): Buffer {
  try {
    return readFileSync(resolve(folder, path));
  } catch (cause) {
    throw cannotRead(what, path, reasonOf(cause), cause);
  }
}

function cannotRead(what: string, path: string, reason: string, cause: unknown): UsageError {
  return new UsageError(`${what}: cannot read the file ${path}: ${reason}`, { cause });
}

/** Bytes that are no text in UTF-8. */
export class NoUtf8 extends Error {
  override readonly name = 'NoUtf8';
  constructor() {
    super('it is not in UTF-8; save it as that');
  }
}

/** UTF-8 without its byte order mark. Text in any other encoding would be sent with wrong letters. @throws NoUtf8 */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new NoUtf8();
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

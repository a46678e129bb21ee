/** The delimiters of CSV files, and their names. */
import { UsageError } from '../errors.js';

export const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
]);

/** For people. */
export function delimiterName(delimiter: string): string {
  return DELIMITER_NAMES.get(delimiter) ?? delimiter;
}

/** Takes the character itself, or its name. @param setting where it is written, for the message. @throws UsageError */
export function delimiterNamed(setting: string, text: string): string {
  const byName = [...DELIMITER_NAMES].find(([, name]) => name === text.toLowerCase())?.[0];
  const delimiter = byName ?? (text === '\\t' ? '\t' : text);
  if (DELIMITER_NAMES.has(delimiter)) return delimiter;
  throw new UsageError(`${setting} takes one of , ; | and tab; found ${JSON.stringify(text)}`);
}

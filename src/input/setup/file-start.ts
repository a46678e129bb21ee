/** A file as setup looks at it: its first lines, and its rows as often as they are needed. */
import { decode } from '../encoding.js';
import type { Format } from '../formats.js';
import { readRows, type Row } from '../rows.js';
import { openSource, type SourceOptions } from '../source.js';
import { openText, type TextRules } from '../text.js';

/** The start of a file. */
export interface FileStart {
  readonly format: Format;
  /** Text, from the first line on. */
  readonly head: string;
  /** On which line the tool looks for the header by itself; 1 where there is none. */
  readonly usualLine: number;
}

/** @throws FileFault, UsageError */
export async function readStart(path: string, rules: TextRules, source: SourceOptions): Promise<FileStart> {
  const decoded = decode(openSource(path, source).chunks(), rules.encoding);
  const { format, dialect, head, body } = await openText(path, decoded, { ...rules, headerLine: null });
  // Reading a first piece and leaving is what closes the file.
  for await (const _piece of body) break;
  return { format, head, usualLine: dialect?.headerLine ?? 1 };
}

/** The rows of a CSV file from its header on. @throws FileFault, UsageError */
export async function* csvRows(path: string, rules: TextRules, source: SourceOptions): AsyncIterable<Row[]> {
  const decoded = decode(openSource(path, source).chunks(), rules.encoding);
  const { dialect, body } = await openText(path, decoded, rules);
  if (dialect !== null) yield* readRows(body, dialect);
}

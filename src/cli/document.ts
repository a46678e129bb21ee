/** The output of a command: with `--json` one JSON document, else lines for people; and the files that it writes. */
import { EXIT, UsageError } from '../errors.js';
import { systemErrorText } from '../input/source.js';
import { escapeControls } from '../report/printable.js';
import { type TableColumn, tableLines, widthOf, wrapText } from '../report/table.js';
import { type Pieces, writeFileAtomically } from '../util/atomic-file.js';
import type { World } from '../world.js';

/** The part of a call that decides where its output goes, and in which form. */
interface CommandOutput {
  readonly flags: { readonly json?: boolean };
  readonly world: World;
}

/** Prints one of the two, and returns the exit code. */
export async function print(
  { flags, world }: CommandOutput,
  document: unknown,
  lines: Iterable<string>,
): Promise<number> {
  if (flags.json === true) writeDocument(document, world);
  else await writeLines(lines, world);
  return EXIT.ok;
}

export function writeDocument(document: unknown, world: World): void {
  world.stdout.write(`${escapeControls(JSON.stringify(document, null, 2))}\n`);
}

/** Lines for people, which end where the terminal ends, as fast as they are read. */
export async function writeLines(lines: Iterable<string>, { stdout }: World): Promise<void> {
  for (const line of lines) {
    stdout.write(`${wrapText(line, widthOf(stdout)).join('\n')}\n`);
    await stdout.ready();
  }
}

export interface Listing<T> {
  /** Of the list in the document. */
  readonly name: string;
  readonly items: AsyncIterable<T>;
  readonly json: (item: T) => string;
  readonly columnsFor: (rows: readonly T[]) => readonly TableColumn<T>[];
  /** The message for an empty list. */
  readonly none: string;
}

/** Prints a list as the only member of a document, or as a table, and returns the exit code. */
export async function printList<T>({ flags, world }: CommandOutput, listing: Listing<T>): Promise<number> {
  const { name, items, json, columnsFor, none } = listing;
  if (flags.json === true) await writeList({}, name, items, json, world);
  else {
    const rows: T[] = [];
    for await (const item of items) rows.push(item);
    await writeLines(rows.length === 0 ? [none] : tableLines(columnsFor(rows), rows, widthOf(world.stdout)), world);
  }
  return EXIT.ok;
}

/** Writes an object whose last member is a list, as fast as it is read. @param head its other members */
export async function writeList<T>(
  head: Readonly<Record<string, unknown>>,
  name: string,
  items: AsyncIterable<T>,
  json: (item: T) => string,
  { stdout }: World,
): Promise<void> {
  const members = JSON.stringify(head, null, 2).slice(0, -1).trimEnd();
  stdout.write(escapeControls(`${members}${members === '{' ? '' : ','}\n  ${JSON.stringify(name)}: [`));
  let comma = '';
  for await (const item of items) {
    stdout.write(escapeControls(`${comma}\n    ${json(item)}`));
    comma = ',';
    await stdout.ready();
  }
  stdout.write('\n  ]\n}\n');
}

/**
 * Writes a file that the command line names.
 * @param flag the option that names the file
 * @throws UsageError with path and reason when it cannot be written
 */
export async function writeNamed(flag: string, path: string, cwd: string, text: Pieces): Promise<void> {
  try {
    await writeFileAtomically(path, cwd, text);
  } catch (cause) {
    // Only an error of a system call: any other failure comes from the program, or from reading the journal.
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new UsageError(`${flag} ${path}: it could not be written: ${systemErrorText(cause)}`, { cause });
  }
}

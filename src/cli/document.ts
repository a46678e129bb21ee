/** The one JSON document that a command prints with `--json`. */
import { escapeControls } from '../report/printable.js';
import type { World } from '../world.js';

export function writeDocument(document: unknown, world: World): void {
  world.stdout.write(`${escapeControls(JSON.stringify(document, null, 2))}\n`);
}

/**
 * The same piece by piece, as fast as it is read: an object whose last member is a list.
 * @param head its other members
 * @param items JSON texts
 */
export async function writeList(
  head: Readonly<Record<string, unknown>>,
  name: string,
  items: AsyncIterable<string>,
  { stdout }: World,
): Promise<void> {
  const members = JSON.stringify(head, null, 2).slice(0, -1).trimEnd();
  stdout.write(escapeControls(`${members}${members === '{' ? '' : ','}\n  ${JSON.stringify(name)}: [`));
  let comma = '';
  for await (const item of items) {
    stdout.write(escapeControls(`${comma}\n    ${item}`));
    comma = ',';
    await stdout.ready();
  }
  stdout.write('\n  ]\n}\n');
}

/** Lines for people, as fast as they are read. */
export async function writeLines(lines: Iterable<string>, { stdout }: World): Promise<void> {
  for (const line of lines) {
    stdout.write(`${line}\n`);
    await stdout.ready();
  }
}

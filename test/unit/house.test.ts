/** One name, one thing: no name is declared at the top level of two files of `src/`. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SRC = new URL('../../src/', import.meta.url);

const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|class|interface|type|const|let) (\w+)/gm;

/** Name → the files that declare it, below `src/`. */
function declarations(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue;
    for (const [, name = ''] of readFileSync(new URL(file.replaceAll('\\', '/'), SRC), 'utf8').matchAll(DECLARATION))
      found.set(name, (found.get(name) ?? new Set()).add(file.replaceAll('\\', '/')));
  }
  return found;
}

/** The drivers of the journal do the same for two databases, under the same names. */
function areTwins(files: readonly string[]): boolean {
  const inDriver = (driver: string): number => files.filter((file) => file.startsWith(`journal/${driver}/`)).length;
  return files.length === 2 && inDriver('sqlite') === 1 && inDriver('postgresql') === 1;
}

/** The sandbox is another program: it repeats on purpose what it must not share with the client. */
function ofOneProgram(files: Iterable<string>): string[] {
  return [...files].filter((file) => !file.startsWith('sandbox/'));
}

test('no name is declared at the top level of two files, but for the twins of the drivers', () => {
  const repeated = [...declarations()]
    .map(([name, files]) => ({ name, files: ofOneProgram(files) }))
    .filter(({ files }) => files.length > 1 && !areTwins(files));
  expect(
    Object.fromEntries(repeated.map(({ name, files }) => [name, files])),
    'rename these to what each of them is',
  ).toEqual({});
});

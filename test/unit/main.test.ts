import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildProgram } from '../../src/program.js';
import { RECORD_SCHEMAS } from '../../src/records/record-schemas.js';
import { quietWorld } from '../support/inside.js';
import { runHere } from '../support/here.js';

// `program.ts` tells from words alone which command was meant, since a wrong call has none that commander could name.

const HOOKS = { began: () => undefined, done: () => undefined };
const PROGRAM = buildProgram([], quietWorld(), HOOKS, RECORD_SCHEMAS);
const COMMANDS = PROGRAM.commands.flatMap((group) =>
  (group.commands.length === 0 ? [group] : group.commands).map((command) => ({
    name: command === group ? group.name() : `${group.name()} ${command.name()}`,
    // What runs records can be held against their number.
    runsRecords: command.options.some(({ long }) => long === '--expect-count'),
  })),
);

/** The command that the summary of a wrong call names; null where there is no summary. */
async function summarised(words: readonly string[]): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, stdout } = await runHere(words, folder);
  expect(code).toBe(2);
  return stdout === '' ? null : (JSON.parse(stdout) as { command: string }).command;
}

describe('a wrong call with --json ends in a summary where the command runs records', () => {
  it.each(COMMANDS)('$name: $runsRecords', async ({ name, runsRecords }) => {
    const expected = runsRecords ? name : null;
    expect(await summarised([...name.split(' '), '--json', '--no-such-flag'])).toBe(expected);
    expect(await summarised(['--json', ...name.split(' ')])).toBe(expected);
  });

  it.each(PROGRAM.commands.map((group) => group.name()))(
    'and never for words after %s that are not its own',
    async (name) => {
      expect(await summarised([name, 'payout', 'create', '--json', '--no-such-flag'])).toBeNull();
    },
  );
});

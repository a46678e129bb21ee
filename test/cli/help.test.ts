import { describe, expect, test } from 'vitest';
import { gigwork } from '../support/cli.js';

/** The flags of a command, by the heading under which its help shows them. */
async function headings(words: string[]): Promise<Map<string, string[]>> {
  const { stdout } = await gigwork([...words, '--help']);
  const found = new Map<string, string[]>();
  let heading = '';
  for (const line of stdout.split('\n')) {
    if (/^\S.*:$/.test(line)) heading = line;
    const flag = /^ {2}(?:-\w, )?(--[\w-]+)/.exec(line)?.[1];
    if (flag !== undefined) found.set(heading, [...(found.get(heading) ?? []), flag]);
  }
  return found;
}

/** What all commands print, and where they keep it. */
const STATE = ['--color', '--no-color', '--state-dir', '--journal', '--require-journal', '--debug'];
const LOOKING = ['--json', '--profile', '--config', '--help'];

describe('a command’s own flags stand first, and not among those of the output', () => {
  test.each([
    ['list', ['--target', '--batch-id', '--open', '--since', '--limit']],
    ['show', []],
    ['find', []],
    ['report', ['--report']],
    ['settle', ['--line', '--record', '--file', '--created', '--id', '--not-created', '--note']],
    ['close', ['--note']],
    ['prune', ['--before']],
  ])('batch %s', async (name, own) => {
    const found = await headings(['batch', name]);
    expect(found.get('Options:')).toEqual([...own, ...LOOKING]);
    expect(found.get('Output:')).toEqual(STATE);
  });

  test.each([
    ['payout create', ['--rejects']],
    ['batch import', ['--rejects']],
    // It has no input that rejects could be made of.
    ['batch resume', []],
  ])('%s', async (command, ofInput) => {
    const found = await headings(command.split(' '));
    const own = ['--json', '--report', ...ofInput, '--quiet', '--no-progress', '--explain'];
    expect(found.get('Output:')).toEqual([...own, ...STATE]);
  });
});

test('the day of batch prune is one in UTC, and the help says so', async () => {
  const { stdout } = await gigwork(['batch', 'prune', '--help']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    '--before <date> of runs that ended before this day in UTC, YYYY-MM-DD',
  );
});

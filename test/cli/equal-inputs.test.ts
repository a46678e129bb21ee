import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, ndjson, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';

const ROWS = csv(payouts(3));

function imports(work: Workspace, files: readonly string[], input = ''): Promise<CliResult> {
  return work.run(['batch', 'import', ...files, '--sandbox', '--yes', '--json'], { input });
}

function expectEqual({ code, stderr, summary }: CliResult, one: string, other: string): void {
  expect([code, summary.stop_reason, summary.records.read]).toEqual([2, 'usage', 0]);
  expect(stderr).toContain(`${one} and ${other} are the same, byte for byte; name it once`);
}

describe('equal bytes in one run are never meant', () => {
  test.each([
    ['after the file', ['a.csv', '-']],
    ['before the file', ['-', 'a.csv']],
  ] as const)('standard input that equals a file, named %s', async (_what, files) => {
    const work = workspace();
    work.file('a.csv', ROWS);
    expectEqual(await imports(work, files, ROWS), files[0], files[1]);
    // Nothing of it was kept: the file alone is sent as if nothing had happened.
    expect((await imports(work, ['a.csv'])).summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
  });

  test('the same rows in other bytes are two inputs, whose records share their keys', async () => {
    const work = workspace();
    work.file('a.csv', ROWS);
    const { code, summary } = await imports(work, ['a.csv', '-'], ndjson(payouts(3)));
    expect([code, summary.stop_reason]).toEqual([3, 'invalid_input']);
  });

  test('a copy, and the same file by another way of writing its path', async () => {
    const work = workspace();
    work.file('a.csv', ROWS);
    work.file('folder/b.csv', ROWS);
    for (const other of ['folder/b.csv', './a.csv', 'folder/../a.csv', work.path('a.csv')]) {
      expectEqual(await imports(work, ['a.csv', other]), 'a.csv', other);
    }
  });

  test.skipIf(process.platform === 'win32')('the same file through links', async () => {
    const work = workspace();
    work.file('a.csv', ROWS);
    mkdirSync(work.path('folder'));
    symlinkSync(work.path('a.csv'), work.path('symbolic.csv'));
    linkSync(work.path('a.csv'), work.path('hard.csv'));
    symlinkSync(work.dir, work.path('folder/here'));
    for (const other of ['symbolic.csv', 'hard.csv', 'folder/here/a.csv']) {
      expectEqual(await imports(work, ['a.csv', other]), 'a.csv', other);
    }
  });
});

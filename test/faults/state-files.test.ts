import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

const OPEN_UMASK = fileURLToPath(new URL('open-umask-entry.js', import.meta.url));
const isPosix = process.platform !== 'win32';

/** The permissions of everything in a folder, and of the folder itself as `.`, in octal. */
function modesIn(folder: string): Record<string, string> {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return Object.fromEntries(names.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]));
}

function expectOwnersOnly(modes: Record<string, string>, names: readonly RegExp[]): void {
  for (const name of names) expect(Object.keys(modes).join('\n')).toMatch(name);
  const { '.': folder, ...files } = modes;
  expect(folder).toBe('700');
  expect(files).toEqual(Object.fromEntries(Object.keys(files).map((name) => [name, '600'])));
}

function withPayouts(count = 2): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(count)));
  return work;
}

describe.runIf(isPosix)('files of the state directory are their owner’s alone, whatever the umask', () => {
  test('during a run and after it: journal, what SQLite puts beside it, and the lock', async () => {
    const work = withPayouts(40);
    const during: Record<string, string>[] = [];
    const service = await testService({
      respond: () => {
        during.push(modesIn(work.stateDir));
        return undefined;
      },
    });
    const args = ['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--report', 'r.csv'];
    const result = await work.process(args, { entry: OPEN_UMASK });
    expect(result.code, result.stderr).toBe(0);
    expect(during).toHaveLength(40);
    for (const modes of during) {
      expectOwnersOnly(modes, [/^journal\.db$/m, /^journal\.db-wal$/m, /^journal\.db-shm$/m, /^alive-.*\.lock$/m]);
    }
    expectOwnersOnly(modesIn(work.stateDir), [/^journal\.db$/m]);
    expect((statSync(work.path('r.csv')).mode & 0o777).toString(8)).toBe('600');
  });

  test('the sandbox’s', async () => {
    const work = withPayouts();
    const result = await work.process(['payout', 'create', 'p.csv', '--sandbox'], { entry: OPEN_UMASK });
    expect(result.code, result.stderr).toBe(0);
    expectOwnersOnly(modesIn(work.stateDir), [/^sandbox\.db$/m, /^journal\.db$/m]);
  });

  test('folders that have to be made on the way too', async () => {
    const work = withPayouts();
    const result = await work.process(['payout', 'create', 'p.csv', '--sandbox', '--state-dir', 'a/b'], {
      entry: OPEN_UMASK,
    });
    expect(result.code, result.stderr).toBe(0);
    for (const folder of ['a', 'a/b']) expect((statSync(work.path(folder)).mode & 0o777).toString(8)).toBe('700');
  });
});

const VICTIM = 'somebody else’s file\n';
const UUID = '0d4c1b52-5f0e-4a51-9d3b-6a1a64a1b7c1';

describe.runIf(isPosix)('a link in the state directory is not followed', () => {
  test.each([
    ['journal.db', VICTIM],
    ['journal.db', ''],
    ['journal.db', null],
    ['journal.db-wal', VICTIM],
    ['journal.db-shm', VICTIM],
    [`alive-${UUID}.lock`, VICTIM],
    ['sandbox.db', VICTIM],
    ['sandbox.db', ''],
    ['sandbox.db', null],
    ['sandbox.db-wal', VICTIM],
  ])('%s, to a file with %j', async (name, content) => {
    const work = withPayouts();
    const victim = content === null ? work.path('victim') : work.file('victim', content);
    mkdirSync(work.stateDir, { mode: 0o700 });
    symlinkSync(victim, join(work.stateDir, name));
    const commands = [
      ['payout', 'create', 'p.csv', '--sandbox'],
      ...(name.startsWith('sandbox')
        ? [['sandbox']]
        : [
            ['batch', 'list'],
            ['batch', 'prune', '--before', '2026-01-01'],
          ]),
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await work.run(command, { timeoutMs: 20_000 });
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr).toContain(`${join(work.stateDir, name)} `);
      expect(stderr).toMatch(/symbolic link.*--state-dir/s);
      expect(stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
    }
    if (content === null) expect(readdirSync(work.dir)).not.toContain('victim');
    else {
      expect(readFileSync(victim, 'utf8')).toBe(content);
      expect((statSync(victim).mode & 0o777) === 0o600).toBe(false);
    }
  });

  test('the doctor names it', async () => {
    const work = withPayouts();
    mkdirSync(work.stateDir, { mode: 0o700 });
    symlinkSync(work.file('victim', VICTIM), join(work.stateDir, 'journal.db'));
    const { code, stdout } = await work.run(['doctor', '--sandbox']);
    expect(code).not.toBe(0);
    expect(stdout).toContain(join(work.stateDir, 'journal.db'));
  });

  test('but the directory itself may be reached through one', async () => {
    const work = withPayouts();
    mkdirSync(work.path('real'), { mode: 0o700 });
    symlinkSync(work.path('real'), work.stateDir);
    const result = await work.run(['payout', 'create', 'p.csv', '--sandbox']);
    expect(result.code, result.stderr).toBe(0);
    expect(readdirSync(work.path('real'))).toEqual(expect.arrayContaining(['journal.db', 'sandbox.db']));
    expect((await work.run(['payout', 'create', 'p.csv', '--sandbox'])).stdout).toContain('2 already paid');
  });
});

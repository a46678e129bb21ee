import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { workspace } from '../../support/cli.js';
import { NO_WAITS } from '../../support/crash.js';
import { testService } from '../../support/fixtures.js';
import { csv, payouts } from '../../support/builders.js';

/** A program that tells what it was given. */
const MIRROR = `console.log(JSON.stringify({ event: 'given', env: process.env }));`;

describe('a process in a workspace', () => {
  const shared = workspace(afterAll);
  const entry = shared.file('mirror.mjs', MIRROR);

  test('keeps out what would change the behaviour', async () => {
    const foreign = { GIGWORK_TOKEN: 'x', HTTPS_PROXY: 'x', no_proxy: 'x', NO_COLOR: '1', FORCE_COLOR: '1', CI: '1' };
    Object.assign(process.env, foreign);
    onTestFinished(() => Object.keys(foreign).forEach((name) => delete process.env[name]));
    const { events } = await shared.process(['--json'], { entry, env: { MINE: 'yes' } });
    const { env } = events[0];
    expect(Object.keys(env).filter((name) => name in foreign)).toEqual([]);
    expect(env).toMatchObject({ MINE: 'yes', GIGWORK_STATE_DIR: shared.stateDir, PATH: process.env.PATH });
    expect([env.HOME, env.XDG_CONFIG_HOME].every((path) => path.startsWith(shared.dir))).toBe(true);
  });
});

describe('a run inside this process', () => {
  test('says what a process says', async () => {
    const work = workspace();
    work.file('p.csv', `${csv(payouts(2))}u,x,T,P\n`);
    const words = ['payout', 'create', 'p.csv', '--dry-run', '--json', '--batch-id', 'b'];
    const [inside, process] = await Promise.all([work.run(words), work.process(words)]);
    // A process names the program's path where no folder of PATH has it.
    const told = ({ stdout }: { stdout: string }): string =>
      stdout.replace(/"(duration_ms|\w+_at)":[^,}]+/g, '').replace(/"[^"]*gigwork\.js"/g, '"gigwork"');
    expect([inside.code, told(inside), inside.stderr]).toEqual([process.code, told(process), process.stderr]);
  });

  test('can have its waits skipped, and tells of none then', async () => {
    const work = workspace();
    const service = await testService({
      respond: ({ n }) => (n === 1 ? { status: 429, headers: { 'retry-after': '240' } } : undefined),
    });
    work.file('p.csv', csv(payouts(1)));
    const words = ['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--no-progress'];
    const { code, stderr } = await work.run(words, { env: { ...NO_WAITS, TEST_TELL: '1' } });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^wait 2[34]\d{4}$/m)]);
  });

  test.each(['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'TZ', 'TMPDIR', 'TEST_KILL_AT'])(
    'takes no %s: only a process follows that',
    (name) => {
      const work = workspace();
      expect(() => work.run(['--version'], { env: { [name]: 'x' } })).toThrow(/work\.process/);
    },
  );

  test('that waits for an answer for ever is stopped too: a second signal ends it', async () => {
    const work = workspace();
    const service = await testService({ respond: () => ({ fault: 'hang' }) });
    work.file('p.csv', csv(payouts(1)));
    const words = ['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--timeout', '3600'];
    await expect(work.run(words, { timeoutMs: 500 })).rejects.toThrow(/did not end within 500 ms:[^]*stopping/);
  });
});

describe('after its test', () => {
  const left: { dir: string; pid: number }[] = [];

  test('a workspace', async () => {
    const space = workspace();
    space.file('deep/file.txt', 'text');
    expect(space.read('deep/file.txt')).toBe('text');
    expect(existsSync(join(space.dir, 'deep', 'file.txt'))).toBe(true);
    const entry = space.file('wait.mjs', `console.log('ready'); setInterval(() => {}, 1000);`);
    const { child } = space.start([], { entry });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    left.push({ dir: space.dir, pid: child.pid! });
  });

  test('is gone with its processes', () => {
    const [{ dir, pid } = { dir: '/', pid: 0 }] = left;
    expect(existsSync(dir)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });
});

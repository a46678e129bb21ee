import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gigwork, workspace } from '../../support/cli.js';

/** A program that tells what it was given. */
const MIRROR = `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { env } = process;
console.log(JSON.stringify({ event: 'given', args: process.argv.slice(2), cwd: process.cwd(), env,
  input: Buffer.concat(chunks).toString() }));
console.log(JSON.stringify({ event: 'summary', exit_code: 4 }));
console.error('for people');
process.exitCode = 4;
`;

describe('a run in a workspace', () => {
  const shared = workspace(afterAll);
  const entry = shared.file('mirror.mjs', MIRROR);

  test('gives code, both streams and the events', async () => {
    const result = await shared.run(['payout', '--json'], { entry, input: 'a,b\n' });
    expect(result).toMatchObject({ code: 4, signal: null, stderr: 'for people\n', summary: { exit_code: 4 } });
    expect(result.events).toHaveLength(2);
    expect(result.events[0]).toMatchObject({ args: ['payout', '--json'], cwd: shared.dir, input: 'a,b\n' });
  });

  test('has no events without --json', async () => {
    const result = await shared.run(['payout'], { entry });
    expect([result.events, result.summary]).toEqual([[], undefined]);
  });

  test('keeps out what would change the behaviour', async () => {
    const foreign = { GIGWORK_TOKEN: 'x', HTTPS_PROXY: 'x', no_proxy: 'x', NO_COLOR: '1', FORCE_COLOR: '1', CI: '1' };
    const before = { ...process.env };
    Object.assign(process.env, foreign);
    const { events } = await shared.run(['--json'], { entry, env: { MINE: 'yes' } });
    process.env = before;
    const { env } = events[0];
    expect(Object.keys(env).filter((name) => name in foreign)).toEqual([]);
    expect(env).toMatchObject({ MINE: 'yes', GIGWORK_STATE_DIR: shared.stateDir, PATH: process.env.PATH });
    expect([env.HOME, env.XDG_CONFIG_HOME].every((path) => path.startsWith(shared.dir))).toBe(true);
  });

  test('outside a workspace has a home of its own, that goes with it', async () => {
    const { events } = await gigwork(['--json'], { entry });
    expect(events[0].env.HOME).toMatch(/gigwork-home-/);
    expect(events[0].env).not.toHaveProperty('GIGWORK_STATE_DIR');
    expect(existsSync(events[0].env.HOME)).toBe(false);
  });
});

describe('what --json printed', () => {
  const shared = workspace(afterAll);
  const print = (text: string) => {
    const entry = shared.file('print.mjs', `process.stdout.write(${JSON.stringify(text)});`);
    return shared.run(['--json'], { entry });
  };

  test('may be one document over several lines', async () => {
    expect((await print('{\n  "runs": []\n}\n')).events).toEqual([{ runs: [] }]);
  });

  test('may be cut off in its last line', async () => {
    const result = await print('{"event":"record"}\n{"event":"summ');
    expect([result.events, result.summary]).toEqual([[{ event: 'record' }], undefined]);
  });

  test('must be JSON', async () => {
    const result = await print('{"event":"record"}\noops\n');
    expect(() => result.events).toThrow(/not JSON/);
    expect(() => result.summary).toThrow(/not JSON/);
  });
});

test('a process can be watched, killed and left open on its input', async () => {
  const space = workspace();
  const entry = space.file('echo.mjs', `process.stdin.pipe(process.stdout); process.stdout.write('ready ');`);
  const { child, result } = space.start([], { entry, keepInputOpen: true });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdin.write('set');
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  expect(await result).toMatchObject({ code: null, signal: 'SIGKILL', stdout: 'ready set' });
});

test('a process that does not end in time is killed and named', async () => {
  const space = workspace();
  const entry = space.file('wait.mjs', `console.error('stuck here'); setInterval(() => {}, 1000);`);
  await expect(space.run(['payout'], { entry, timeoutMs: 500 })).rejects.toThrow(/payout did not end within 500 ms/);
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

/** Readers of standard output that are slow, do not read, or go away. CONTRACT: "`--json`: NDJSON on standard output". */
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { type RunningCli, type Workspace, workspace } from '../support/cli.js';
import { send, startSending, states, TELL } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import type { Service } from '../support/service.js';
import { shellIn } from '../support/shell.js';

/** So many that their events, of some 9 kB each, are far more than a pipe and all buffers hold. */
const MANY = 110;

/** Records whose events a pipe, the buffers at both its ends and the claims made ahead hold, at the very most. */
const MOST_AHEAD = 85;

/** Makes a record's event long. */
const LONG = 'x'.repeat(8500);
const paid = payouts(MANY).map((row) => ({ ...row, title: `${row.title} ${LONG}` }));

/** Generous: a run that waits for its reader never ends. */
const SECONDS = 90_000;

/** The pipe of a process that nobody reads: what the buffers at this end hold is all that is taken from it. */
function unread(running: RunningCli): RunningCli {
  running.child.stdout.pause();
  return running;
}

/** The process has written more than this end takes. */
async function filled({ child: { stdout } }: RunningCli): Promise<void> {
  await vi.waitFor(() => expect(stdout.readableLength).toBeGreaterThanOrEqual(stdout.readableHighWaterMark), {
    timeout: SECONDS,
  });
}

/** No request has come for a second. Where that is too early, a test asks less than it could. */
async function quiet(service: Service): Promise<void> {
  let seen = -1;
  await vi.waitFor(
    () => {
      const before = seen;
      seen = service.requestCount;
      if (seen === 0 || seen !== before) throw new Error('still sending');
    },
    { interval: 1000, timeout: SECONDS },
  );
}

/** Ends a process that nobody reads with a signal. Gives its exit code, and what it said on standard error. */
async function stopped(running: RunningCli, signal: NodeJS.Signals): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  running.child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const exit = once(running.child, 'exit', { signal: AbortSignal.timeout(SECONDS) });
  running.child.kill(signal);
  const [code] = (await exit) as [number];
  return { code, stderr };
}

async function expectAllPaid(work: Workspace, service: Service): Promise<void> {
  const again = await send(work, 'payout create', 'p.csv', service);
  expect(again.summary).toMatchObject({ exit_code: 0, records: { already_created: MANY, created: 0 } });
  expect([service.requestCount, service.ledgerTotal()]).toEqual([MANY, MANY]);
}

describe.skipIf(process.platform === 'win32')('a reader that does not read', () => {
  test.each([
    ['a dry run', 'SIGINT', 130, paid],
    ['an input of faults', 'SIGTERM', 143, payouts(4000).map((row) => ({ ...row, amount: 'much' }))],
  ] as const)('keeps no %s from obeying %s', async (_what, signal, exitCode, rows) => {
    const work = workspace();
    work.file('p.csv', csv(rows));
    const running = unread(work.start(['payout', 'create', 'p.csv', '--dry-run', '--json']));
    await filled(running);
    const { code, stderr } = await stopped(running, signal);
    expect(code).toBe(exitCode);
    expect(stderr).toContain('Part of the output was lost: nobody has read it');
    expect(stderr).not.toMatch(/ at .*\.js/);
  });

  test('keeps no run that sends from obeying a signal: what is known is written down', async () => {
    const work = workspace();
    const service = await testService({ record: false });
    work.file('p.csv', csv(paid));
    const running = unread(startSending(work, 'payout create', 'p.csv', service));
    await quiet(service);
    expect(await stopped(running, 'SIGTERM')).toMatchObject({ code: 143 });
    const created = service.ledgerTotal();
    expect(created).toBeLessThan(MOST_AHEAD);
    const { stdout } = await work.run(['batch', 'list', '--json']);
    expect(JSON.parse(stdout).runs[0]).toMatchObject({
      exit_code: 143,
      stop_reason: 'interrupted',
      records: {
        created,
        not_sent: MANY - created,
        unknown: 0,
      },
    });
    const done = await send(work, 'payout create', 'p.csv', service);
    expect(done.summary.records).toMatchObject({ already_created: created, created: MANY - created });
    expect(service.ledgerTotal()).toBe(MANY);
  });

  test('slows the run: nothing more is claimed until it reads, and then everything is sent and told', async () => {
    const work = workspace();
    const service = await testService({ record: false });
    work.file('p.csv', csv(paid));
    const running = unread(startSending(work, 'payout create', 'p.csv', service));
    await quiet(service);
    expect(service.requestCount).toBeLessThan(MOST_AHEAD);
    running.child.stdout.resume();
    const result = await running.result;
    expect([result.code, states(result)]).toEqual([0, { created: MANY }]);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { created: MANY } });
    expect([service.requestCount, service.ledgerTotal()]).toEqual([MANY, MANY]);
  });

  test('loses nothing where it reads on within the time that a signal leaves it', async () => {
    const work = workspace();
    const service = await testService({ record: false });
    work.file('g.ndjson', ndjson(gigs(MANY).map((row) => ({ ...row, title: `${row.title} ${LONG}` }))));
    const running = unread(startSending(work, 'gig create', 'g.ndjson', service, [], { env: TELL }));
    await quiet(service);
    const heard = running.said(/stopping/);
    running.child.kill('SIGTERM');
    await heard;
    running.child.stdout.resume();
    const result = await running.result;
    const { created, not_sent: open } = result.summary.records;
    expect([result.code, created + open, states(result)]).toEqual([143, MANY, { created, not_sent: open }]);
    expect(service.ledgerTotal()).toBe(created);
  });
});

describe.skipIf(process.platform === 'win32')('a reader that goes away', () => {
  test('stops no run: all payments are made, and it is said that output was lost', async () => {
    const work = workspace();
    const service = await testService({ record: false });
    work.file('p.csv', csv(paid));
    const running = unread(startSending(work, 'payout create', 'p.csv', service));
    await filled(running);
    running.child.stdout.destroy();
    const { code, stderr } = await running.result;
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Part of the output was lost: the program that read it has ended. See what was done: gigwork batch list',
    );
    expect(stderr).toMatch(/^exit code 1: .* paid/m);
    expect(stderr).not.toMatch(/exit code 0|EPIPE| at .*\.js/);
    await expectAllPaid(work, service);
  });

  test('is no error of a command that only reads', async () => {
    const { output } = await shellIn(workspace())('{ gigwork schema event && echo "exit $?" >&2; } | true');
    expect(output).toBe('exit 0\n');
  });

  test('does not hide another exit code', async () => {
    const work = workspace();
    const service = await testService({ respond: () => ({ status: 422 }), record: false });
    work.file('p.csv', csv(paid));
    const running = unread(startSending(work, 'payout create', 'p.csv', service));
    await filled(running);
    running.child.stdout.destroy();
    expect(await running.result).toMatchObject({ code: 4, stderr: expect.stringContaining('output was lost') });
  });
});

test.skipIf(!existsSync('/dev/full'))('a full disk behind standard output stops no run, and is said', async () => {
  const work = workspace();
  const service = await testService({ record: false });
  work.file('p.csv', csv(paid));
  const words = `gigwork payout create p.csv --base-url ${service.url} --yes --json --no-progress`;
  const { output } = await shellIn(work)(`${words} > /dev/full || echo "exit $?"`);
  expect(output).toMatch(/Part of the output was lost: ENOSPC/);
  expect(output).toMatch(/^exit 1$/m);
  expect(output).toMatch(/^exit code 1: /m);
  expect(output).not.toMatch(/ at .*\.js/);
  expect([service.requestCount, service.ledgerTotal()]).toEqual([MANY, MANY]);
});

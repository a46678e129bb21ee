import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts, type Row } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { said, send, startSending, states, TELL } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import type { Reply, Service } from '../support/service.js';

const KINDS = [
  { command: 'payout create', rows: (n: number): Row[] => payouts(n) },
  { command: 'gig create', rows: (n: number): Row[] => gigs(n) },
];

/** Every row once, and each process's figures say what it did. */
function expectOnce(service: Service, records: number): void {
  expect(service.executions.size).toBe(records);
  expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
}

function created({ summary }: CliResult): number {
  return summary.records.created;
}

function noLocks({ stateDir }: Workspace): void {
  expect(readdirSync(stateDir).filter((name) => name.startsWith('alive-'))).toEqual([]);
}

/** Answers as usual but for the `nth` request, which is kept waiting until it is let go. */
function holding(nth: number) {
  let arrive = (): void => {};
  let release = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const respond = async ({ n }: { n: number }): Promise<Reply> => {
    if (n === nth) {
      arrive();
      await released;
    }
    return { default: true };
  };
  return { respond, arrived, release };
}

describe.each(KINDS)('$command, two processes', ({ command, rows }) => {
  test('with the same file: every record once, both end with truthful figures', async () => {
    const work = workspace();
    const service = await testService();
    work.file('r.ndjson', ndjson(rows(120)));
    const both = await Promise.all([
      startSending(work, command, 'r.ndjson', service).result,
      startSending(work, command, 'r.ndjson', service).result,
    ]);
    for (const { code, summary } of both) {
      expect(code).toBe(0);
      expect(summary.records.created + summary.records.already_created).toBe(120);
    }
    expect(created(both[0]) + created(both[1])).toBe(120);
    expect(both[0].summary.run).toBe(both[1].summary.run);
    expectOnce(service, 120);
    noLocks(work);
  });

  test('with overlapping files: what both hold is left to one of them', async () => {
    const work = workspace();
    const service = await testService();
    const all = rows(90);
    work.file('a.ndjson', ndjson(all.slice(0, 60)));
    work.file('b.ndjson', ndjson(all.slice(30)));
    const both = await Promise.all(
      ['a.ndjson', 'b.ndjson'].map((file) => startSending(work, command, file, service, ['--skip-created']).result),
    );
    for (const { code, summary } of both) {
      expect(code).toBe(0);
      const { created: made, already_created: earlier, skipped } = summary.records;
      expect(made + earlier + skipped).toBe(60);
    }
    expect(both.reduce((sum, result) => sum + created(result), 0)).toBe(90);
    expectOnce(service, 90);
    noLocks(work);
  });

  test('with overlapping files and no word about repeats: none is sent twice, and none is left out silently', async () => {
    const work = workspace();
    const service = await testService();
    const all = rows(60);
    work.file('a.ndjson', ndjson(all.slice(0, 40)));
    work.file('b.ndjson', ndjson(all.slice(20)));
    const both = await Promise.all(
      ['a.ndjson', 'b.ndjson'].map((file) => startSending(work, command, file, service).result),
    );
    for (const { code, summary } of both) {
      // Who came when the other's were created already is refused; who came while they were under way takes them over.
      expect([0, 3]).toContain(code);
      if (code === 3) expect(summary).toMatchObject({ stop_reason: 'repeats', records: { created: 0 } });
    }
    expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
    for (const file of ['a.ndjson', 'b.ndjson']) {
      const { code } = await send(work, command, file, service, ['--skip-created']);
      expect(code).toBe(0);
    }
    expectOnce(service, 60);
  });

  test('one waits for what the other has under way, and takes its outcome', async () => {
    const work = workspace();
    const held = holding(5);
    const service = await testService(held);
    work.file('r.ndjson', ndjson(rows(8)));
    const first = startSending(work, command, 'r.ndjson', service, ['--concurrency', '1']);
    await held.arrived;
    const second = startSending(work, command, 'r.ndjson', service, ['--concurrency', '1'], { env: TELL });
    await said(second, /^wait 50$/m);
    held.release();
    const both = await Promise.all([first.result, second.result]);
    for (const { summary } of both) expect(summary).toMatchObject({ exit_code: 0, stop_reason: null });
    expect(created(both[0]) + created(both[1])).toBe(8);
    expectOnce(service, 8);
    noLocks(work);
  });

  test('one was refused with a record, and is at work still: the other does not send that one', async () => {
    const work = workspace();
    const { respond, arrived, release } = holding(2);
    const service = await testService({
      respond: async (request) => (request.n === 1 ? { status: 422 } : respond(request)),
    });
    work.file('r.ndjson', ndjson(rows(2)));
    const flags = ['--concurrency', '1', '--rejects', 'mend.ndjson'];
    const first = startSending(work, command, 'r.ndjson', service, flags);
    await arrived;
    const second = startSending(work, command, 'r.ndjson', service, ['--retry-rejected'], { env: TELL });
    await said(second, /^wait /m);
    release();
    for (const { summary } of [await first.result, await second.result]) {
      expect(summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    }
    expect(work.read('mend.ndjson').trimEnd().split('\n')).toHaveLength(1);
    expect(service.ledgerTotal()).toBe(1);
    // Rejected stays rejected, until a person wants another try.
    expect((await send(work, command, 'r.ndjson', service)).summary).toMatchObject({ exit_code: 4 });
    const retried = await send(work, command, 'r.ndjson', service, ['--retry-rejected']);
    expect(retried.summary).toMatchObject({ exit_code: 0 });
    expect(service.ledgerTotal()).toBe(2);
  });

  test('one is killed: the other takes over what it held', async () => {
    const work = workspace();
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const service = await testService({
      respond: ({ n }) => {
        if (n !== 5) return { default: true };
        arrive();
        return { fault: 'hang', execute: true };
      },
    });
    work.file('r.ndjson', ndjson(rows(12)));
    const first = startSending(work, command, 'r.ndjson', service, ['--concurrency', '1']);
    await arrived;
    const second = startSending(work, command, 'r.ndjson', service, [], { env: TELL });
    await said(second, /^wait 50$/m);
    first.child.kill('SIGKILL');
    const result = await second.result;
    const isKeyed = command === 'payout create';
    expect(result.code).toBe(isKeyed ? 0 : 5);
    expect(states(result)['unknown']).toBe(isKeyed ? undefined : 1);
    expectOnce(service, 12);
    noLocks(work);
  });
});

test('two targets do not wait for each other', async () => {
  const work = workspace();
  const held = holding(1);
  const slow = await testService(held);
  const quick = await testService();
  work.file('p.csv', csv(payouts(20)));
  const waiting = startSending(work, 'payout create', 'p.csv', slow);
  await held.arrived;
  const result = await send(work, 'payout create', 'p.csv', quick);
  expect(result.summary).toMatchObject({ exit_code: 0, records: { created: 20 } });
  held.release();
  expect((await waiting.result).summary).toMatchObject({ exit_code: 0, records: { created: 20 } });
  expectOnce(slow, 20);
  expectOnce(quick, 20);
});

test('another account at the same address is another target', async () => {
  const work = workspace();
  const service = await testService({ keyMemory: false });
  work.file('p.csv', csv(payouts(5)));
  for (const account of ['north', 'south']) {
    const result = await send(work, 'payout create', 'p.csv', service, ['--account', account]);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { created: 5 } });
  }
  expect(service.ledgerTotal()).toBe(10);
});

/** Several machines with one journal, one of which may be gone. CONTRACT: "The shared journal". */
import { describe, expect, it } from 'vitest';
import { gigs, ndjson, payouts } from '../../support/builders.js';
import { killedAt, states } from '../../support/crash.js';
import { testService } from '../../support/fixtures.js';
import { PROGRAMS } from '../../support/postgresql.js';
import { expectEnds, expectOnce, holding, KINDS } from '../together.js';
import { desks, LEASE_MS, sending } from './desks.js';

describe.skipIf(PROGRAMS === null).each(KINDS)('$command from several machines', ({ command, rows }) => {
  it('with the same file at once: one sends, the others wait and find everything created', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('r.ndjson', ndjson(rows(30)));
    const words = sending(command, 'r.ndjson', service);
    const all = await Promise.all([1, 2, 3].map(() => desk.begin(words).result));
    expectEnds(all, [0, { created: 30 }], ...[1, 2].map(() => [0, { already_created: 30 }] as const));
    expect(new Set(all.map(({ summary }) => summary.run)).size).toBe(1);
    expectOnce(service, 30);
  });

  it('with overlapping files at once: the second leaves out what the first has sent', async () => {
    const desk = await desks();
    const service = await testService();
    const both = rows(24);
    desk.work.file('a.ndjson', ndjson(both.slice(0, 16)));
    desk.work.file('b.ndjson', ndjson(both.slice(8)));
    const flags = ['--skip-created'];
    const start = (file: string) => desk.run(sending(command, file, service), { flags });
    const ends = await Promise.all(['a.ndjson', 'b.ndjson'].map(start));
    expectEnds(ends, [0, { created: 16 }], [0, { skipped: 8, created: 8 }]);
    for (const file of ['a.ndjson', 'b.ndjson'])
      expect((await desk.run(sending(command, file, service), { flags })).code).toBe(0);
    expectOnce(service, 24);
  });

  it('with requests that may take longer than the lease: only with a key', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('r.ndjson', ndjson(rows(3)));
    const words = sending(command, 'r.ndjson', service, String(LEASE_MS / 1000));
    const isKeyed = command !== 'gig create';
    for (const dry of [['--dry-run'], []]) {
      const { code, stderr } = await desk.run([...words, ...dry]);
      expect(code).toBe(isKeyed ? 0 : 2);
      if (!isKeyed) expect(stderr).toContain('--timeout (or the setting timeout) is at most 2.25 seconds for gigs');
    }
    expectOnce(service, isKeyed ? 3 : 0);
  });
});

describe.skipIf(PROGRAMS === null)('a machine that sends, or is gone', () => {
  it('sends: the same command waits for a lease and --journal-timeout, then it is busy', async () => {
    const { respond, arrived, release } = holding((n) => n === 1);
    const desk = await desks();
    const service = await testService({ respond });
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const words = sending('payout create', 'p.ndjson', service, '60');
    const live = desk.begin(words);
    await arrived;
    const busy = await desk.run(words, { flags: ['--journal-timeout', '1'] });
    expect(busy.stderr).toMatch(/is sending some of these records\. Waiting for it/);
    expect(busy.summary).toMatchObject({ exit_code: 5, stop_reason: 'busy', retry: true, records: { not_sent: 1 } });
    release();
    expectEnds([await live.result, await desk.run(words)], [0, { created: 1 }], [0, { already_created: 1 }]);
  });

  it('killed: the same command waits for its lease; gigs wait for a person', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('g.ndjson', ndjson(gigs(12)));
    const words = [...sending('gig create', 'g.ndjson', service), '--concurrency', '3'];
    await desk.start(words, { env: killedAt('request:sent', 5) }).result;
    const again = await desk.run(words);
    expect([again.code, again.summary.stop_reason]).toEqual([6, null]);
    const { unknown = 0 } = states(again);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(3);
    expect(service.executions.size).toBeGreaterThanOrEqual(12 - unknown);
    expect([...service.executions.values()].every((times) => times === 1)).toBe(true);
  });

  it('killed: payments with a key are sent again under it, once its lease has run out', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('p.ndjson', ndjson(payouts(30)));
    const words = sending('payout create', 'p.ndjson', service);
    await desk.start(words, { env: killedAt('answer:read', 9) }).result;
    const again = await desk.run(words);
    expect(again.code).toBe(0);
    expectOnce(service, 30);
  });

  it('paused for longer than its lease: it is shut out, stops with journal, and what it learned late is kept', async () => {
    const { respond, arrived, release } = holding((n) => n >= 4, 2);
    const desk = await desks();
    const service = await testService({ respond });
    desk.work.file('g.ndjson', ndjson(gigs(9)));
    const words = [...sending('gig create', 'g.ndjson', service, '2'), '--concurrency', '2'];
    const paused = desk.start(words);
    await arrived;
    paused.child.kill('SIGSTOP');
    // The service has done what it was asked for, and its answer waits for the one that sleeps.
    release();
    const other = await desk.run(words);
    paused.child.kill('SIGCONT');
    const back = await paused.result;
    expect(other.code).toBe(6);
    expect(states(other)['unknown']).toBeGreaterThan(0);
    const told = `${JSON.stringify(back.summary)} ${back.stderr}`;
    expect(back.summary.stop_reason, told).toBe('journal');
    expect(back.stderr).toMatch(/took this one for dead/);
    // The other process has sent the rest, so nothing is left to do.
    const { exit_code: code, next, retry } = back.summary;
    expect([back.code, code, next, retry], told).toEqual([0, 0, null, false]);
    expect(states(back)).toEqual({ created: expect.any(Number), already_created: states(other)['created'] });
    expect([...service.executions.values()].every((times) => times === 1)).toBe(true);
    // The answers say that they were created: nothing is left in doubt.
    const last = await desk.run(words);
    expect([last.code, states(last)]).toEqual([0, { already_created: 9 }]);
  });
});

import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { gigs, ndjson, payouts } from '../../support/builders.js';
import { killedAt, said, states } from '../../support/crash.js';
import { testService } from '../../support/fixtures.js';
import { PROGRAMS, startServer } from '../../support/postgresql.js';
import { desks, LEASE_MS, sending } from './desks.js';
import { playRound } from './table.js';
import { expectEnds, expectOnce, holding, KINDS } from '../together.js';

describe.skipIf(PROGRAMS === null).each(KINDS)('$command from several machines', ({ command, rows }) => {
  it('with the same file at once: one sends, the others wait and find everything created', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('r.ndjson', ndjson(rows(90)));
    const words = sending(command, 'r.ndjson', service);
    const all = await Promise.all([1, 2, 3].map(() => desk.run(words)));
    expectEnds(all, [0, { created: 90 }], ...[1, 2].map(() => [0, { already_created: 90 }] as const));
    expect(new Set(all.map(({ summary }) => summary.run)).size).toBe(1);
    expectOnce(service, 90);
  });

  it('with overlapping files at once: the second leaves out what the first has sent', async () => {
    const [desk, service] = [await desks(), await testService()];
    const both = rows(60);
    desk.work.file('a.ndjson', ndjson(both.slice(0, 40)));
    desk.work.file('b.ndjson', ndjson(both.slice(20)));
    const run = (file: string) => desk.run(sending(command, file, service), { flags: ['--skip-created'] });
    const ends = await Promise.all(['a.ndjson', 'b.ndjson'].map(run));
    expectEnds(ends, [0, { created: 40 }], [0, { skipped: 20, created: 20 }]);
    for (const file of ['a.ndjson', 'b.ndjson']) expect((await run(file)).code).toBe(0);
    expectOnce(service, 60);
  });

  it('with requests that may take longer than the lease: only with a key', async () => {
    const [desk, service] = [await desks(), await testService()];
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
    const [desk, service] = [await desks(), await testService({ respond })];
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const words = sending('payout create', 'p.ndjson', service, '60');
    const live = desk.start(words);
    await arrived;
    const busy = await desk.run(words, { flags: ['--journal-timeout', '1'] });
    expect(busy.summary).toMatchObject({ exit_code: 5, stop_reason: 'busy', retry: true, records: { not_sent: 1 } });
    release();
    expectEnds([await live.result, await desk.run(words)], [0, { created: 1 }], [0, { already_created: 1 }]);
  });

  it('killed: the same command waits for its lease; gigs wait for a person', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('g.ndjson', ndjson(gigs(12)));
    const words = [...sending('gig create', 'g.ndjson', service), '--concurrency', '3'];
    await desk.run(words, { env: killedAt('request:sent', 5) });
    const again = await desk.run(words);
    expect([again.code, again.summary.stop_reason]).toEqual([6, null]);
    expect(again.stderr).toMatch(/is sending some of these records\. Waiting for it/);
    const { unknown = 0 } = states(again);
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(3);
    expect(service.executions.size).toBeGreaterThanOrEqual(12 - unknown);
    expect([...service.executions.values()].every((times) => times === 1)).toBe(true);
  });

  it('killed: payments with a key are sent again under it, once its lease has run out', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('p.ndjson', ndjson(payouts(30)));
    const words = sending('payout create', 'p.ndjson', service);
    await desk.run(words, { env: killedAt('answer:read', 9) });
    const again = await desk.run(words);
    expect(again.code).toBe(0);
    expectOnce(service, 30);
  });

  it('paused for longer than its lease: it is shut out, stops with journal, and what it learned late is kept', async () => {
    const { respond, arrived, release } = holding((n) => n >= 4, 2);
    const [desk, service] = [await desks(), await testService({ respond })];
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
    expect(back.summary.stop_reason, `${JSON.stringify(back.summary)} ${back.stderr}`).toBe('journal');
    expect(back.stderr).toMatch(/took this one for dead/);
    expect([...service.executions.values()].every((times) => times === 1)).toBe(true);
    // The answers say that they were created: nothing is left in doubt.
    const last = await desk.run(words);
    expect([last.code, states(last)]).toEqual([0, { already_created: 9 }]);
  });
});

describe.skipIf(PROGRAMS === null)('the way to the database', () => {
  it.each([
    ['cut in the middle of a commit, which passes', 'deaf'],
    ['cut before a commit, which does not pass', 'swallow'],
  ] as const)('%s: nothing is done twice or lost', async (_what, manner) => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('g.ndjson', ndjson(gigs(20)));
    const way = await desk.way();
    const child = desk.start([...sending('gig create', 'g.ndjson', service), '--concurrency', '2'], { port: way.port });
    let commits = 0;
    let cuts = 0;
    way.listener((text) => {
      if (!text.includes('; COMMIT') || ++commits % 4 !== 0 || cuts === 5) return;
      cuts++;
      way.manner(manner);
      setTimeout(() => {
        way.drop();
        way.manner('open');
      }, 100);
    });
    const { code, stderr } = await child.result;
    expect(code, stderr).toBe(0);
    expect(cuts).toBe(5);
    expectOnce(service, 20);
  });

  it('swallowing everything: nothing leaves once the lease has run out, and the run goes on afterwards', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('p.ndjson', ndjson(payouts(60)));
    const way = await desk.way();
    const words = [...sending('payout create', 'p.ndjson', service), '--concurrency', '1', '--rate', '20'];
    const child = desk.start(words, { port: way.port });
    await said(child, /payouts? |ndjson/);
    while (service.requestCount < 5) await once(child.child.stdout, 'data');
    way.manner('swallow');
    // Another machine may only take over what is left when the lease has run out by the database's clock.
    const other = await desk.run(words);
    expect(other.code).toBe(0);
    way.manner('open');
    way.drop();
    const back = await child.result;
    expect([0, 5]).toContain(back.code);
    expectOnce(service, 60);
  });

  it('away for longer than --journal-timeout: the run stops with journal, and the same command goes on', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('p.ndjson', ndjson(payouts(40)));
    const way = await desk.way();
    const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20'];
    const child = desk.start(words, { port: way.port, flags: ['--journal-timeout', '1'] });
    while (service.requestCount < 5) await once(child.child.stdout, 'data');
    way.manner('closed');
    way.drop();
    const stopped = await child.result;
    expect([stopped.code, stopped.summary.stop_reason]).toEqual([5, 'journal']);
    expect(stopped.stderr).toMatch(/does not answer: .*Waiting for it up to 1 s/);
    // Whatever was never claimed did not leave.
    const { records } = stopped.summary;
    expect(records.not_sent).toBeGreaterThan(20);
    expect(40 - records.not_sent).toBeGreaterThanOrEqual(service.executions.size);
    const before = await desk.run(words, { port: way.port, flags: ['--journal-timeout', '1'] });
    expect([before.code, before.summary.stop_reason]).toEqual([5, 'journal']);
    expect((await desk.run(words)).code).toBe(0);
    expectOnce(service, 40);
  });
});

describe.skipIf(PROGRAMS === null)('the server', () => {
  it('restarted, and crashed, in the middle of a run: the run waits and goes on', { timeout: 120_000 }, async () => {
    const server = await startServer();
    const [desk, service] = [await desks(server), await testService()];
    desk.work.file('g.ndjson', ndjson(gigs(60)));
    const child = desk.start([...sending('gig create', 'g.ndjson', service), '--rate', '30', '--concurrency', '2']);
    for (const mode of ['fast', 'immediate'] as const) {
      const before = service.requestCount;
      while (service.requestCount < before + 10) await once(child.child.stdout, 'data');
      await server.stop(mode);
      await server.start();
    }
    const { code, stderr } = await child.result;
    expect(code, stderr).toBe(0);
    expectOnce(service, 60);
    await server.end();
  });

  it(
    'with a standby that is promoted in the middle of a run: the run stops with journal',
    { timeout: 120_000 },
    async () => {
      const server = await startServer();
      const standby = await server.standby();
      const [desk, service] = [await desks(server), await testService()];
      desk.work.file('p.ndjson', ndjson(payouts(60)));
      const way = await desk.way();
      const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20'];
      const child = desk.start(words, { port: way.port });
      while (service.requestCount < 10) await once(child.child.stdout, 'data');
      way.redirect(standby.port);
      await server.stop('immediate');
      standby.say('SELECT pg_promote()', 'postgres');
      way.drop();
      const { code, summary, stderr } = await child.result;
      expect([code, summary.stop_reason]).toEqual([5, 'journal']);
      expect(stderr).toMatch(/another server has taken over the journal/);
      // A person has looked whether the standby had everything, and says so by going on.
      expect((await desk.run(words, { port: way.port })).code).toBe(0);
      expectOnce(service, 60);
      await standby.end();
      await server.start();
      await server.end();
    },
  );

  it.each([
    ['for a moment: the run waits and goes on', '20', 0],
    ['for longer: the run stops with journal, and the same command goes on', '1', 5],
  ])('whose disk is full %s', async (_what, timeout, expected) => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('g.ndjson', ndjson(gigs(40)));
    const words = [...sending('gig create', 'g.ndjson', service), '--rate', '20', '--concurrency', '2'];
    const child = desk.start(words, { flags: ['--journal-timeout', timeout] });
    while (service.requestCount < 10) await once(child.child.stdout, 'data');
    // As the server says it; to fill a disk really takes the right to make one.
    desk.server.say(`SET search_path = ${desk.schema}; CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON claim EXECUTE FUNCTION full_disk()`);
    await said(child, /does not answer: could not extend file/);
    if (expected !== 0) await child.result;
    desk.server.say(`DROP TRIGGER full_disk ON ${desk.schema}.claim`);
    const { code, summary } = await child.result;
    expect([code, summary.stop_reason]).toEqual([expected, expected === 0 ? null : 'journal']);
    const again = await desk.run(words);
    expect(again.code === 0 || (states(again)['unknown'] ?? 0) > 0).toBe(true);
    expect([...service.executions.values()].every((times) => times === 1)).toBe(true);
  });

  it('whose disk is full when answers are to be written down: payments with a key wait for nobody', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('p.ndjson', ndjson(payouts(40)));
    const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20', '--concurrency', '2'];
    const child = desk.start(words, { flags: ['--journal-timeout', '1'] });
    while (service.requestCount < 10) await once(child.child.stdout, 'data');
    desk.server.say(`SET search_path = ${desk.schema}; CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON outcome EXECUTE FUNCTION full_disk()`);
    const { code, summary, stderr } = await child.result;
    desk.server.say(`DROP TRIGGER full_disk ON ${desk.schema}.outcome`);
    expect([code, summary.stop_reason, summary.held]).toEqual([5, 'journal', 0]);
    expect(summary.records.unknown).toBeGreaterThan(0);
    expect(stderr).not.toContain('are not sent again');
    expect(states(await desk.run(words))).toMatchObject({ created: 40 - summary.records.created });
    expect(service.executions.size).toBe(40);
  });

  it('that forgets what it was told when its machine stops is refused', async () => {
    const server = await startServer({ settings: ['fsync=off'] });
    const [desk, service] = [await desks(server), await testService()];
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const { code, stderr } = await desk.run(sending('payout create', 'p.ndjson', service));
    expect([code, service.requestCount]).toEqual([2, 0]);
    expect(stderr).toMatch(/fsync off/);
    await server.end();
  });

  it('with a newer journal is refused; a dry run makes none', async () => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const words = sending('payout create', 'p.ndjson', service);
    expect((await desk.run([...words, '--dry-run'])).code).toBe(0);
    expect(desk.server.say(`SELECT count(*) FROM pg_namespace WHERE nspname = '${desk.schema}'`)).toBe('0');
    expect((await desk.run(words)).code).toBe(0);
    desk.server.say(`UPDATE ${desk.schema}.journal SET version = 99`);
    const { code, stderr } = await desk.run(words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/newer gigwork \(journal version 99/)]);
  });
});

describe.skipIf(PROGRAMS === null)('faults by chance, done to several processes', () => {
  it.each([41, 42, 43])('seed %i: gigs at most once, payments once', { timeout: 240_000 }, async (seed) => {
    const server = await startServer();
    const { problems } = await playRound({ seed, server, faults: 10 });
    expect(problems).toEqual([]);
    await server.end();
  });
});

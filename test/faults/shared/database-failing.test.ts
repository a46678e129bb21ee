/** The server of the journal hangs, fills up, or is not fit. CONTRACT: "The shared journal". */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gigs, ndjson, payouts } from '../../support/builders.js';
import { states } from '../../support/crash.js';
import { testService } from '../../support/fixtures.js';
import { PROGRAMS, startServer } from '../../support/postgresql.js';
import { requested } from '../together.js';
import { desks, sending } from './desks.js';

describe.skipIf(PROGRAMS === null)('the server', () => {
  it(
    'that hangs with all its processes: the run stops with journal when its time is over',
    { timeout: 50_000 },
    async () => {
      const server = await startServer();
      const desk = await desks(server);
      const service = await testService();
      desk.work.file('p.ndjson', ndjson(payouts(200)));
      const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20'];
      const child = desk.begin(words, { flags: ['--journal-timeout', '2'] });
      await requested(service, 10, child);
      const pids = `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) || ' ' || string_agg(pid::text, ' ') FROM pg_stat_activity`;
      const processes = server.say(pids).trim().split(' ').map(Number);
      // The session that told them has ended.
      const signal = (name: NodeJS.Signals): void => {
        for (const pid of processes) if (existsSync(`/proc/${pid}`)) process.kill(pid, name);
      };
      signal('SIGSTOP');
      const { code, summary } = await child.result;
      signal('SIGCONT');
      expect([code, summary.stop_reason]).toEqual([5, 'journal']);
      await server.end();
    },
  );

  it.each([
    ['for a moment: the run waits and goes on', '20', 0],
    ['for longer: the run stops with journal, and the same command goes on', '1', 5],
  ])('whose disk is full %s', async (_what, timeout, expected) => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('g.ndjson', ndjson(gigs(40)));
    const words = [...sending('gig create', 'g.ndjson', service), '--rate', '20', '--concurrency', '2'];
    const child = desk.begin(words, { flags: ['--journal-timeout', timeout] });
    await requested(service, 10, child);
    // As the server says it; to fill a disk really takes the right to make one.
    desk.server.say(`SET search_path = ${desk.schema}; CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON claim EXECUTE FUNCTION full_disk()`);
    await child.said(/does not answer|cannot grow/);
    if (expected !== 0) await child.result;
    desk.server.say(`DROP TRIGGER full_disk ON ${desk.schema}.claim`);
    const { code, summary } = await child.result;
    expect([code, summary.stop_reason]).toEqual([expected, expected === 0 ? null : 'journal']);
    const again = await desk.run(words);
    expect(again.code === 0 || (states(again)['unknown'] ?? 0) > 0).toBe(true);
    expect([...service.executions.values()].every((times) => times === 1)).toBe(true);
  });

  it('whose disk is full when answers are to be written down: payments with a key wait for nobody', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('p.ndjson', ndjson(payouts(40)));
    const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20', '--concurrency', '2'];
    const child = desk.begin(words, { flags: ['--journal-timeout', '1'] });
    await requested(service, 10, child);
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
    const desk = await desks(server);
    const service = await testService();
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const { code, stderr } = await desk.run(sending('payout create', 'p.ndjson', service));
    expect([code, service.requestCount]).toEqual([2, 0]);
    expect(stderr).toMatch(/fsync off/);
    await server.end();
  });

  it('with a newer journal is refused; a dry run makes none', async () => {
    const desk = await desks();
    const service = await testService();
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

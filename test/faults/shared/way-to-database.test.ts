/** The way to the database is cut, swallows everything, or is away. CONTRACT: "The shared journal". */
import { describe, expect, it } from 'vitest';
import { gigs, ndjson, payouts } from '../../support/builders.js';
import { testService } from '../../support/fixtures.js';
import { PROGRAMS } from '../../support/postgresql.js';
import { expectOnce, requested } from '../together.js';
import { desks, sending } from './desks.js';

describe.skipIf(PROGRAMS === null)('the way to the database', () => {
  it.each([
    ['cut in the middle of a commit, which passes', 'deaf'],
    ['cut before a commit, which does not pass', 'swallow'],
  ] as const)('%s: nothing is done twice or lost', async (_what, manner) => {
    const [desk, service] = [await desks(), await testService()];
    desk.work.file('g.ndjson', ndjson(gigs(20)));
    const way = await desk.way();
    const child = desk.begin([...sending('gig create', 'g.ndjson', service), '--concurrency', '2'], { port: way.port });
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
    const child = desk.begin(words, { port: way.port });
    await requested(service, 5, child);
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
    const child = desk.begin(words, { port: way.port, flags: ['--journal-timeout', '1'] });
    await requested(service, 5, child);
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

/** The way to the database is cut, swallows everything, or is away. CONTRACT: "The shared journal". */
import { describe, expect, it } from 'vitest';
import { gigs, ndjson, payouts } from '../../support/builders.js';
import { TELL } from '../../support/crash.js';
import { testService } from '../../support/fixtures.js';
import { PROGRAMS } from '../../support/postgresql.js';
import { expectOnce, requested } from '../together.js';
import { desks, sending } from './desks.js';

describe.skipIf(PROGRAMS === null)('the way to the database', () => {
  it.each([
    ['cut in the middle of a commit, which passes', 'deaf'],
    ['cut before a commit, which does not pass', 'swallow'],
  ] as const)('%s: nothing is done twice or lost', async (_what, manner) => {
    const desk = await desks();
    const service = await testService();
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
    const desk = await desks();
    const service = await testService();
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
    const desk = await desks();
    const service = await testService();
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

  // The way never opens again: whoever waits for it does not end within this test.
  const patient = { flags: ['--journal-timeout', '600'], env: { ...TELL, PGCONNECT_TIMEOUT: '600' } };

  it.each([
    ['payout create', 'SIGTERM', 143],
    ['batch resume', 'SIGINT', 130],
  ] as const)('away from the start of %s: %s ends the wait', async (command, signal, code) => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const way = await desk.way();
    way.manner('closed');
    const child = desk.begin(sending(command, 'p.ndjson', service), { port: way.port, ...patient });
    await child.said(/^wait \d+$/m);
    child.stop(signal);
    const { summary, stderr, ...ended } = await child.result;
    expect([ended.code, summary]).toMatchObject([code, { exit_code: code, stop_reason: 'interrupted' }]);
    expect([summary.next.slice(1, 3).join(' '), service.requestCount]).toEqual([command, 0]);
    expect(stderr).toMatch(/Nothing was sent: .*\nTo continue: gigwork /);
  });

  it('swallowing everything from the start: a signal ends the wait for an answer', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('p.ndjson', ndjson(payouts(1)));
    const way = await desk.way();
    way.manner('swallow');
    const asked = new Promise((resolve) => way.listener(resolve));
    const child = desk.begin(sending('payout create', 'p.ndjson', service), { port: way.port, ...patient });
    await asked;
    child.stop('SIGTERM');
    const { code, summary } = await child.result;
    expect([code, summary.stop_reason, service.requestCount]).toEqual([143, 'interrupted', 0]);
  });

  it('away in the middle of a run: a signal ends the wait, what was not written down is unknown', async () => {
    const desk = await desks();
    const service = await testService();
    desk.work.file('p.ndjson', ndjson(payouts(40)));
    const way = await desk.way();
    const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20'];
    const child = desk.begin(words, { port: way.port, ...patient });
    await requested(service, 5, child);
    way.manner('closed');
    way.drop();
    await child.said(/does not answer/);
    child.stop('SIGTERM');
    const { code, summary } = await child.result;
    expect([code, summary.stop_reason]).toEqual([143, 'interrupted']);
    expect(summary.next.slice(1, 3)).toEqual(['batch', 'resume']);
    expect(summary.reasons[0]).toContain('cannot be used now');
    const { records } = summary;
    expect(records.created + records.unknown + records.not_sent).toBe(40);
    expect(records.created + records.unknown).toBeGreaterThanOrEqual(service.executions.size);
    expect((await desk.run(words)).code).toBe(0);
    expectOnce(service, 40);
  });
});

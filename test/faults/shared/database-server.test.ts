/** The server of the journal stops, is read-only or locked, or is replaced. CONTRACT: "The shared journal". */
import Client from 'pg/lib/client.js';
import { describe, expect, it } from 'vitest';
import { gigs, ndjson, payouts } from '../../support/builders.js';
import { testService } from '../../support/fixtures.js';
import { DATABASE, PROGRAMS, startServer, USER } from '../../support/postgresql.js';
import { expectOnce, requested } from '../together.js';
import { desks, sending } from './desks.js';

describe.skipIf(PROGRAMS === null)('the server', () => {
  it('restarted, and crashed, in the middle of a run: the run waits and goes on', async () => {
    const server = await startServer();
    const desk = await desks(server);
    const service = await testService();
    desk.work.file('g.ndjson', ndjson(gigs(60)));
    const child = desk.begin([...sending('gig create', 'g.ndjson', service), '--rate', '30', '--concurrency', '2']);
    for (const mode of ['fast', 'immediate'] as const) {
      await requested(service, service.requestCount + 10, child);
      await server.stop(mode);
      await server.start();
    }
    const { code, stderr } = await child.result;
    expect(code, stderr).toBe(0);
    expectOnce(service, 60);
    await server.end();
  });

  it('set to read-only by its administrator, then locked, in the middle of a run: the run waits and goes on', async () => {
    const server = await startServer();
    const desk = await desks(server);
    const service = await testService();
    desk.work.file('g.ndjson', ndjson(gigs(60)));
    const child = desk.begin([...sending('gig create', 'g.ndjson', service), '--rate', '30', '--concurrency', '2']);
    await requested(service, 10, child);
    // Sessions that are open take the new setting over as well.
    server.say('ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()');
    await child.said(/read-only transaction/);
    const held = service.requestCount;
    server.say('ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf()');
    await requested(service, held + 10, child);
    const locking = new Client({ port: server.port, host: '127.0.0.1', user: USER, database: DATABASE, ssl: false });
    await locking.connect();
    await locking.query(`BEGIN; LOCK TABLE ${desk.schema}.process`);
    await child.said(/lock timeout/);
    await locking.end();
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
      const desk = await desks(server);
      const service = await testService();
      desk.work.file('p.ndjson', ndjson(payouts(60)));
      const way = await desk.way();
      const words = [...sending('payout create', 'p.ndjson', service), '--rate', '20'];
      const child = desk.begin(words, { port: way.port });
      await requested(service, 10, child);
      way.redirect(standby.port);
      await server.stop('immediate');
      standby.say('SELECT pg_promote()', 'postgres');
      way.drop();
      const { code, summary, stderr } = await child.result;
      expect([code, summary.stop_reason, summary.retry]).toEqual([6, 'journal', false]);
      expect(stderr).toMatch(/another server has taken over the journal/);
      // A person has looked whether the standby had everything, and says so by going on. Of several hosts, one can be written.
      const both = desk.url().replace(/@[^/]*/, `@127.0.0.1:${server.port},127.0.0.1:${standby.port}`);
      expect((await desk.run(words, { flags: ['--journal', both] })).code).toBe(0);
      expectOnce(service, 60);
      await standby.end();
      await server.start();
      await server.end();
    },
  );
});

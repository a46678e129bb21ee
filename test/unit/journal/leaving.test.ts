import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sharedServer } from '../../support/postgresql.js';
import { benchOn, claim, drafts, keysOf } from './journal-fixtures.js';
import { STORES } from './stores.js';

async function openSession(): Promise<pg.Client> {
  const client = new pg.Client((await sharedServer()).url('postgres'));
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const shared = STORES.find(({ name }) => name === 'PostgreSQL');

describe.skipIf(shared === undefined)('a process that leaves the shared journal', () => {
  it('leaves what a transaction of its own claims whose answer it no longer waits for', async () => {
    const bench = benchOn(shared!);
    const { place } = bench;
    const gone = await bench.process();
    const { run, ids } = await gone.pass(drafts('a', 'b'));
    const lost = await openSession();
    const sender = `(SELECT process FROM ${place}.delivery WHERE run = ${run.number})`;
    await lost.query(`BEGIN; SELECT 1 FROM ${place}.process WHERE id = ${sender} FOR KEY SHARE;
      INSERT INTO ${place}.claim SELECT ${ids[0]}, nextval('${place}.claim_number'), ${sender}, ${run.number}, 5`);
    const { rows } = await lost.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const leaving = gone.journal.detach();
    const watch = await openSession();
    const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    while ((await watch.query(waiting, [rows[0]!.pid])).rowCount === 0);
    await lost.query('COMMIT');
    await leaving;
    const other = await bench.process();
    await other.journal.recover();
    expect(await other.states(run)).toEqual(['unknown', null]);
    const { delivery } = await other.join(run, { sends: ids });
    expect(keysOf(await claim(delivery, ids))).toEqual(['a', 'b']);
  });
});

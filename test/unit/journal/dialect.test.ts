import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { asSqlite } from '../../../src/journal/sqlite/dialect.js';
import { SCHEMA } from '../../../src/journal/sqlite/schema.js';
import { benchOn, claim, drafts, storeOutcomes, settled } from './journal-fixtures.js';
import { STORES } from './stores.js';

describe('SQL of the store', () => {
  it('joins in the order in which it is written: SQLite would begin with the table that has the index', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(SCHEMA);
    const text = 'SELECT 1 FROM payment p JOIN span s ON s.payment = p.id LEFT JOIN outcome o ON o.payment = p.id';
    const plan = (sql: string) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => (row as { detail: string }).detail);
    expect(plan(asSqlite(text))[0]).toMatch(/SCAN p\b/);
    expect(asSqlite(text)).toContain(' LEFT JOIN outcome');
    expect(asSqlite('SELECT 1 FROM a CROSS JOIN b')).toBe('SELECT 1 FROM a CROSS JOIN b');
  });
});

describe.each(STORES)('calls on one journal at once, in $name', (store) => {
  it('are done one after the other, each as a whole', async () => {
    const process = await benchOn(store).process();
    const { journal } = process;
    const { run, delivery, ids } = await process.pass(drafts('a', 'b', 'c'));
    const [{ claimed }, records, found] = await Promise.all([
      claim(delivery, ids),
      process.records(run),
      process.find('a'),
    ]);
    expect([claimed.length, records.length, found?.key]).toEqual([3, 3, 'a']);
    const head = { command: 'payout create', target: 't', scope: '', batchId: 'b', startedAt: 0, headers: [] };
    const [, preparation, , states, failed] = await Promise.all([
      storeOutcomes(delivery, ...claimed.map((each) => settled(each, 'created'))),
      journal.prepare(head),
      journal.end(run, { finishedAt: 1, exitCode: 0, stopReason: null }),
      journal.states(run, 0, 10),
      journal.close(run, 'nothing is left').catch((cause: Error) => cause.message),
    ]);
    expect(states.every(({ isCreated }) => isCreated)).toBe(true);
    expect(failed).toMatch(/is being sent at this moment/);
    // What failed has left no transaction open.
    await preparation.store(drafts('d'));
    expect((await journal.runs())[0]?.end?.exitCode).toBe(0);
  });
});

import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { bound as boundShared, statementOf } from '../../../src/ledger/postgresql/dialect.js';
import { asSqlite, bound } from '../../../src/ledger/sqlite/dialect.js';
import { SCHEMA } from '../../../src/ledger/sqlite/schema.js';
import { benchOn, claim, drafts, settle, settled } from './kit.js';
import { STORES } from './stores.js';

describe('SQL of the store', () => {
  it('binds a list as one value in both databases', () => {
    expect(asSqlite('SELECT 1 FROM t WHERE a = ANY ($2) AND b = $1')).toBe(
      'SELECT 1 FROM t WHERE a IN (SELECT value FROM json_each(?2)) AND b = ?1',
    );
    expect(bound(['a"b', 9007199254740993n, 1, null])).toBe('["a\\"b",9007199254740993,1,null]');
    const statement = statementOf('SELECT 1 FROM t WHERE a = ANY ($2) AND b = $1');
    expect(boundShared([1, [9007199254740993n, null]], statement)).toEqual([1, ['9007199254740993', null]]);
  });

  it('binds rows as rows in the file, and column by column in the shared database', () => {
    const text = 'SELECT g.a, g.b FROM given($2, a bigint, b text) g WHERE g.a > $1';
    const rows = [
      [2, 'x'],
      [3, null],
    ];
    const db = new DatabaseSync(':memory:');
    const found = db.prepare(asSqlite(text)).all(2, bound(rows)) as object[];
    expect(found.map((row) => ({ ...row }))).toEqual([{ a: 3, b: null }]);
    const statement = statementOf(text);
    expect(statement.text).toBe('SELECT g.a, g.b FROM unnest($2::bigint[],$3::text[]) g(a,b) WHERE g.a > $1');
    expect(boundShared([2, rows], statement)).toEqual([2, [2, 3], ['x', null]]);
    expect(boundShared([2, []], statement)).toEqual([2, [], []]);
  });

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

describe.each(STORES)('calls on one ledger at once, in $name', (store) => {
  it('are done one after the other, each as a whole', async () => {
    const process = await benchOn(store).process();
    const { ledger } = process;
    const { run, delivery, ids } = await process.pass(drafts('a', 'b', 'c'));
    const [{ claimed }, records, found] = await Promise.all([
      claim(delivery, ids),
      process.records(run),
      process.find('a'),
    ]);
    expect([claimed.length, records.length, found?.key]).toEqual([3, 3, 'a']);
    const head = { command: 'payout create', target: 't', scope: '', batchId: 'b', startedAt: 0, headers: [] };
    const [, preparation, , states, failed] = await Promise.all([
      settle(delivery, ...claimed.map((each) => settled(each, 'created'))),
      ledger.prepare(head),
      ledger.end(run, { finishedAt: 1, exitCode: 0, stopReason: null }),
      ledger.states(run, 0, 10),
      ledger.close(run, 'nothing is left').catch((cause: Error) => cause.message),
    ]);
    expect(states.every(({ isCreated }) => isCreated)).toBe(true);
    expect(failed).toMatch(/is being sent at this moment/);
    // What failed has left no transaction open.
    await preparation.store(drafts('d'));
    expect((await ledger.runs())[0]?.end?.exitCode).toBe(0);
  });
});

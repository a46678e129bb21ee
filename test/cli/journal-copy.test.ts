/** `journal copy`: one journal's history in another one. CONTRACT: "The shared journal". */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { openFileArchive } from '../../src/ledger/copy/sqlite-archive.js';
import { copyJournal } from '../../src/ledger/copy/copy.js';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite.js';
import { processWorld, worldOf } from '../../src/world.js';
import type { Workspace } from '../support/cli.js';
import { desk, type Desk, expectDone, own, ROWS, times } from '../support/desk.js';
import { DATABASE, PROGRAMS, sharedServer, USER } from '../support/postgresql.js';
import { CALLER } from '../unit/ledger/stores.js';

/** A secret that the server does not ask for. */
const SECRET = 'top%2Fsecret';
let schemas = 0;

async function shared(): Promise<{ url: string; shown: string }> {
  const { port } = await sharedServer();
  const rest = `@127.0.0.1:${port}/${DATABASE}?schema=copy_${process.pid}_${++schemas}`;
  return { url: `postgresql://${USER}:${SECRET}${rest}`, shown: `postgresql://${USER}${rest}` };
}

/** A history with everything in it: keys of both kinds, an approval, a finished run, and one with a doubt. */
async function busyDesk(): Promise<Desk & { open: string }> {
  const at = await desk((n) => (n === 6 ? { fault: 'reset-after' } : n === 7 ? { status: 401 } : { status: 201 }));
  await at.send([own(ROWS[0]!, 'a key of its own ü'), ...ROWS.slice(1)], '--approve=a.json');
  expectDone(await at.send([own(ROWS[0]!, 'a key of its own ü'), ...ROWS.slice(1)], '--approval', 'a.json'), {
    created: 4,
  });
  const more = ROWS.map((row) => ({ ...row, amount: row.amount + 1 }));
  const open = await at.send(more, '--batch-id', 'more', '--retries', '0');
  expect(open.summary).toMatchObject({ exit_code: 5, records: { created: 1, unknown: 1, not_sent: 2 } });
  return { ...at, open: open.summary.run };
}

/** What people see of a journal. */
async function seen(work: Workspace, journal: string) {
  const said = async (...words: string[]) => (await work.run([...words, '--journal', journal])).stdout;
  const { runs } = JSON.parse(await said('batch', 'list', '--json'));
  const shows = [];
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
  for (const { run } of runs as any[]) {
    const { closed: _closed, next: _next, ...document } = JSON.parse(await said('batch', 'show', run, '--json'));
    shows.push(document);
  }
  const log = (await said('journal', 'log')).split('\n').slice(0, -1);
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
  return { runs: runs as any[], shows, log: log.map((line) => JSON.parse(line)) };
}

const copy = (work: Workspace, from: string, to: string, ...flags: string[]) =>
  work.run(['journal', 'copy', '--from', from, '--to', to, ...flags]);

/** Pairs of journals: the first one is the desk's file. */
const WAYS = PROGRAMS === null ? (['file'] as const) : (['file', 'PostgreSQL'] as const);

async function placeOf(way: (typeof WAYS)[number], name: string): Promise<{ url: string; shown: string }> {
  return way === 'PostgreSQL' ? shared() : { url: `sqlite:${name}`, shown: name };
}

describe.each(WAYS)('a copy into a journal in: %s', (way) => {
  test('has all of it, is compared, and leaves what is unfinished to the original', async () => {
    const { work, open, service, resume } = await busyDesk();
    const { url, shown } = await placeOf(way, 'backup');
    const before = await seen(work, 'sqlite:state');
    const done = await copy(work, 'sqlite:state', url);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(
      /^8 payments of 2 runs copied from .*, and compared: they are equal\.\n.*1 unfinished run/,
    );
    const [original, arrived] = [await seen(work, 'sqlite:state'), await seen(work, url)];
    expect(arrived.shows).toEqual(before.shows);
    expect(arrived.log.slice(0, before.log.length)).toEqual(before.log);
    expect(arrived.log.slice(before.log.length)).toMatchObject([
      { what: 'closed', run: open, note: expect.stringContaining('sqlite:') },
      { what: 'copied', move: false, to: expect.stringContaining(shown), rows: { payment: 8, run: 2 } },
    ]);
    expect(original.log.slice(before.log.length)).toMatchObject([{ what: 'copied', move: false }]);
    expect(original.runs).toEqual(before.runs);
    expect(JSON.stringify([arrived, original, done.stdout])).not.toMatch(/top(%2F|\/)secret/);
    expect((await resume(open, '--journal', url)).stderr).toMatch(/was closed: it goes on in the journal sqlite:.*\n$/);
    expect((await resume(open)).summary.records.created).toBe(3);
    for (const row of ROWS) expect(times(service, { ...row, amount: row.amount + 1 })).toBeLessThanOrEqual(1);
  });

  test('with --move it goes on in the copy, and the original sends nothing more', async () => {
    const { work, open, service, resume, send } = await busyDesk();
    const { url, shown } = await placeOf(way, 'new');
    const done = await copy(work, 'sqlite:state', url, '--move', '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ move: true, rows: { payment: 8 }, unfinished: 1 });
    const requests = service.requestCount;
    for (const words of [
      ['batch', 'prune', '--before', '2020-01-01'],
      ['batch', 'close', open, '--note', 'n'],
    ]) {
      const refused = await work.run(words);
      expect([refused.code, refused.stdout + refused.stderr], words.join(' ')).toEqual([
        2,
        expect.stringContaining(shown),
      ]);
      expect(refused.stdout + refused.stderr).not.toMatch(/top(%2F|\/)secret/);
    }
    expect((await resume(open)).stderr).toContain(
      `was closed: it goes on in the journal ${shown.includes(':') ? shown : ''}`,
    );
    expect((await send(ROWS)).summary).toMatchObject({ exit_code: 2, stop_reason: 'journal' });
    expect((await send(ROWS, '--dry-run')).summary).toMatchObject({ exit_code: 2, stop_reason: 'journal' });
    expect((await work.run(['doctor', '--sandbox'])).stdout).toMatch(/fail {2}journal: .* was moved to /);
    expect(service.requestCount).toBe(requests);
    expect((await seen(work, 'sqlite:state')).log.at(-1)).toMatchObject({ what: 'closed', run: open });
    expect((await resume(open, '--journal', url)).summary.records.created).toBe(3);
    // A new run there has numbers of its own.
    const later = await send(
      ROWS.map((row) => ({ ...row, amount: row.amount + 2 })),
      '--batch-id',
      'x',
      '--journal',
      url,
    );
    expectDone(later, { created: 4 });
    expect((await copy(work, 'sqlite:state', 'sqlite:third')).stderr).toContain(shown);
  });

  test('comes back as it was, byte by byte of every row', async () => {
    const { work } = await busyDesk();
    const [there, further] = [(await placeOf(way, 'there')).url, (await placeOf(way, 'further')).url];
    const places = ['sqlite:state', there, further, 'sqlite:back'];
    for (const [i, from] of places.slice(0, -1).entries()) {
      const { code, stderr } = await copy(work, from, places[i + 1]!);
      expect([code, stderr]).toEqual([0, '']);
    }
    const tables = ['target', 'file', 'payment', 'span', 'invalid_record', 'outcome', 'by_key', 'by_similarity'];
    for (const table of tables) expect(rowsOf(work.path('back'), table), table).toEqual(rowsOf(work.stateDir, table));
  });

  test('is only made into an empty journal, of one that is there', async () => {
    const { work } = await busyDesk();
    const { url } = await placeOf(way, 'full');
    await copy(work, 'sqlite:state', url);
    const again = await copy(work, 'sqlite:state', url);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is not empty')]);
    const none = await copy(work, 'sqlite:nowhere', url);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no journal in')]);
    const same = await copy(work, url, url);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('the same journal')]);
    expect(existsSync(work.path('nowhere'))).toBe(false);
  });
});

function rowsOf(folder: string, table: string): unknown[] {
  const db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true });
  try {
    const select = db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`);
    select.setReadBigInts(true);
    return select.all();
  } finally {
    db.close();
  }
}

const world = worldOf(processWorld());

describe('a copy of a file', () => {
  test('has what SQLite still keeps beside it, while another process has it open, and is one file', async () => {
    const { work } = await busyDesk();
    const options = { folder: work.stateDir, caller: CALLER, now: Date.now, platform: process.platform };
    const { ledger } = (await openSqliteLedger(options))!;
    await ledger.prune(1);
    expect(readdirSync(work.stateDir)).toContain('journal.db-wal');
    expect((await copy(work, 'sqlite:state', 'sqlite:backup')).code).toBe(0);
    await ledger.leave();
    expect(statSync(join(work.path('backup'), 'journal.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect((await seen(work, 'sqlite:backup')).log.filter(({ what }) => what === 'pruned')).toHaveLength(1);
  });

  test('of which something does not arrive is refused, and nothing of it is kept', async () => {
    const { work } = await busyDesk();
    const source = openFileArchive(work.stateDir, CALLER, world);
    const target = openFileArchive(work.path('backup'), CALLER, world);
    const losing = {
      ...target,
      write: (...[kind, rows]: Parameters<typeof target.write>) =>
        target.write(kind, kind.name === 'outcome' ? rows.slice(1) : rows),
    };
    const copying = copyJournal({ source, target: losing, from: 'one', to: 'other', move: true });
    await expect(copying).rejects.toThrow(
      /the copy in other is not equal to one: of outcome, \d rows were read and \d arrived/,
    );
    await Promise.all([source.leave(), target.leave()]);
    const { log, runs } = await seen(work, 'sqlite:backup');
    expect([log, runs]).toEqual([[], []]);
    expect((await seen(work, 'sqlite:state')).log.map(({ what }) => what)).not.toContain('copied');
  });

  test('that is moved and cut off before the copy is durable can be moved again: meanwhile, neither sends', async () => {
    const { work, open, resume } = await busyDesk();
    const [from, to] = [`sqlite:${work.stateDir}`, `sqlite:${work.path('new')}`];
    const source = openFileArchive(work.stateDir, CALLER, world);
    const target = openFileArchive(work.path('new'), CALLER, world);
    const failing = { ...target, commit: () => Promise.reject(new Error('cut off')) };
    await expect(copyJournal({ source, target: failing, from, to, move: true })).rejects.toThrow(
      /run the same command/,
    );
    await Promise.all([source.leave(), target.leave()]);
    expect((await resume(open)).stderr).toContain(`was moved to ${to}`);
    expect((await copy(work, from, 'sqlite:other', '--move')).stderr).toContain(`was moved to ${to}`);
    expect(await copy(work, from, to, '--move')).toMatchObject({ code: 0, stderr: '' });
    expect((await resume(open, '--journal', to)).summary.records.created).toBe(3);
  });

  test('waits for the end of a run that is being sent', async () => {
    const { work } = await busyDesk();
    const db = new DatabaseSync(join(work.stateDir, 'journal.db'));
    db.exec('INSERT INTO delivery (run, process, since) VALUES (1, 9999, 0)');
    db.close();
    const refused = await copy(work, 'sqlite:state', 'sqlite:backup');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a run is being sent')]);
  });
});

/** `journal copy`: one journal's history in another one. CONTRACT: "The shared journal". */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { copyJournal, openForCopy } from '../../src/journal/copy/copy.js';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite.js';
import { quietWorld } from '../support/inside.js';
import type { CliResult, Workspace } from '../support/cli.js';
import type { PayoutRow as Row } from '../support/builders.js';
import { openDesk, type Desk, expectDone, own, paid, ROWS } from '../support/desk.js';
import { jsonLines } from '../support/result.js';
import { DATABASE, PROGRAMS, sharedServer, USER } from '../support/postgresql.js';
import { CALLER } from '../unit/journal/stores.js';

/** A secret that the server does not ask for. */
const SECRET = 'top%2Fsecret';
let schemas = 0;

async function shared(): Promise<{ url: string; shown: string }> {
  const { port } = await sharedServer();
  const rest = `@127.0.0.1:${port}/${DATABASE}?schema=copy_${process.pid}_${++schemas}`;
  return { url: `postgresql://${USER}:${SECRET}${rest}`, shown: `postgresql://${USER}${rest}` };
}

const [MORE, DEARER] = [1, 2].map((n) => ROWS.map((row) => ({ ...row, amount: row.amount + n }))) as [Row[], Row[]];

type Busy = Awaited<ReturnType<typeof busyDesk>>;

/** A history with everything in it: keys of both kinds, an approval, a finished run, and one with a doubt. */
async function busyDesk(): Promise<Desk & { open: string }> {
  const at = await openDesk((n) => (n === 6 ? { fault: 'reset-after' } : { status: n === 7 ? 401 : 201 }));
  const rows = [own(ROWS[0]!, 'a key of its own ü'), ...ROWS.slice(1)];
  await at.send(rows, '--approve=a.json');
  expectDone(await at.send(rows, '--approval', 'a.json'), { created: 4 });
  const open = await at.send(MORE, '--batch-id', 'more', '--retries', '0');
  expect(open.summary).toMatchObject({ exit_code: 5, records: { created: 1, unknown: 1, not_sent: 2 } });
  return { ...at, open: open.summary.run };
}

/** Which of the calls in {@link expectUnused} approves: a file takes no approval, which is said first. */
const APPROVE = 2;
const BACK = { url: 'sqlite:back', shown: 'back' };

/** What people see of a journal. */
async function seen(work: Workspace, journal: string) {
  const said = (words: string) => work.run(`${words} --journal ${journal}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
  const runs: any[] = (await said('batch list --json')).events[0].runs;
  const shows = [];
  for (const { run } of runs) {
    const { next: _next, ...document } = (await said(`batch show ${run} --json`)).events[0];
    shows.push(document);
  }
  return { runs, shows, log: jsonLines((await said('journal log')).stdout) };
}

const copy = (work: Workspace, from: string, to: string, ...flags: string[]) =>
  work.run(['journal', 'copy', '--from', from, '--to', to, ...flags]);

/** Expects that the copy is refused, and these words. */
async function expectRefused(copying: ReturnType<typeof copy>, words: RegExp): Promise<void> {
  const { code, stderr } = await copying;
  expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
}

/** Pairs of journals: the first one is the desk's file. */
const WAYS = PROGRAMS === null ? (['file'] as const) : (['file', 'PostgreSQL'] as const);

async function placeOf(way: (typeof WAYS)[number], name: string): Promise<{ url: string; shown: string }> {
  return way === 'PostgreSQL' ? shared() : { url: `sqlite:${name}`, shown: name };
}

/** Expects that nothing is sent from this journal; gives what each refusal says. */
async function expectUnsent({ service, send, resume, open }: Busy, journal: string): Promise<string[]> {
  const requests = service.requestCount;
  const at = ['--journal', journal];
  const results = [await send(ROWS, '--batch-id', 'x', ...at), await resume(open, ...at)];
  expect(results.map(({ code }) => code)).toEqual([2, 2]);
  expect(service.requestCount).toBe(requests);
  return results.map(({ stdout, stderr }) => stdout + stderr);
}

/** And that nothing is changed in it, whatever is tried. */
async function expectUnused(busy: Busy, journal: string): Promise<string[]> {
  const { work, send, open } = busy;
  const at = ['--journal', journal];
  const log = await work.run(['journal', 'log', ...at]);
  const unsent = await expectUnsent(busy, journal);
  const results: CliResult[] = [await send(ROWS, '--batch-id', 'x', '--approve', ...at)];
  const settle = `batch settle ${open} --line 2 --not-created --note n`;
  for (const words of [settle, `batch close ${open} --note n`, 'batch prune --before 2020-01-01', 'doctor --sandbox'])
    results.push(await work.run(`${words} --journal ${journal}`));
  expect(results.map(({ code }) => code)).toEqual(results.map(() => 2));
  expect((await work.run(['journal', 'log', ...at])).stdout).toBe(log.stdout);
  return [...unsent, ...results.map(({ stdout, stderr }) => stdout + stderr)];
}

describe.each(WAYS)('a copy into a journal in: %s', (way) => {
  test('has all of it and is compared; no run sends from it, and the original goes on', async () => {
    const busy = await busyDesk();
    const { work, send, resume, open } = busy;
    const { url, shown } = await placeOf(way, 'backup');
    const before = await seen(work, 'sqlite:state');
    const done = await copy(work, 'sqlite:state', url);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^8 payments of 2 runs copied from .*, and compared: they are equal\.\nNo run sends/);
    const original = await seen(work, 'sqlite:state');
    const arrived = await seen(work, url);
    expect(arrived.shows).toEqual(before.shows);
    expect([original.runs, original.shows]).toEqual([before.runs, before.shows]);
    for (const { log } of [original, arrived]) {
      expect(log.slice(0, before.log.length)).toEqual(before.log);
      expect(log.slice(before.log.length)).toMatchObject([
        { what: 'copied', move: false, to: expect.stringContaining(shown), rows: { payment: 8, run: 2 } },
      ]);
    }
    const today = new Date().toISOString().slice(0, 10);
    const words = await expectUnused(busy, url);
    for (const text of words.filter((_, i) => way === 'PostgreSQL' || i !== APPROVE)) {
      expect(text).toContain(`is a copy of sqlite:${work.stateDir}, made on ${today}`);
      expect(text).toContain(`--journal sqlite:${work.stateDir}`);
      expect(text).toContain('gigwork journal copy --move --original-lost --from ');
    }
    expect(JSON.stringify([arrived, original, done.stdout, words])).not.toMatch(/top(%2F|\/)secret/);
    expect((await work.run(['batch', 'find', ROWS[0]!.user_id, '--journal', url])).code).toBe(0);
    // A dry run only reads, and says until when the copy knows.
    const rows = [own(ROWS[0]!, 'a key of its own ü'), ...ROWS.slice(1)];
    const dry = [await send(rows, '--dry-run', '--journal', url), await resume(open, '--dry-run', '--journal', url)];
    for (const { stderr } of dry) {
      expect(stderr).toContain(`is a copy of sqlite:${work.stateDir}, made on ${today}`);
      expect(stderr).toContain('It does not know what was paid since then');
    }
    expect(dry.map(({ summary }) => summary.records)).toMatchObject([{ already_created: 4 }, { planned: 3 }]);
    expect((await resume(open)).summary.records.created).toBe(3);
    expect(paid(busy, ...MORE)).toEqual([1, 1, 1, 1]);
  });

  test('with --move takes its place, again and again: only the last one is used', async () => {
    const busy = await busyDesk();
    const { work, open, resume, send } = busy;
    const places = [{ url: 'sqlite:state', shown: `sqlite:${work.stateDir}` }, await placeOf(way, 'next'), BACK];
    for (const [i, { url }] of places.slice(0, -1).entries()) {
      const to = places[i + 1]!;
      const done = await copy(work, url, to.url, '--move', '--json');
      const told = { move: true, rows: { payment: 8 }, unfinished: 1, original_lost: null };
      expect(JSON.parse(done.stdout)).toMatchObject(told);
      const words = await expectUnsent(busy, url);
      for (const text of words) expect(text).toContain(to.shown);
      // On another machine, a folder of that name is another journal.
      for (const text of words) expect(text).toMatch(/ on the machine desk \(.* on that machine: /);
      for (const dry of [
        await send(ROWS, '--dry-run', '--journal', url),
        await resume(open, '--dry-run', '--journal', url),
      ])
        expect([dry.code, dry.stderr]).toEqual([2, expect.stringContaining('was moved to')]);
      expect(JSON.stringify([words, done])).not.toMatch(/top(%2F|\/)secret/);
      // What has gone on elsewhere is neither copied nor moved a second time, wherever to.
      for (const flags of [[], ['--move'], ['--move', '--original-lost']])
        await expectRefused(copy(work, url, 'sqlite:third', ...flags), /was moved to/);
      expect((await copy(work, url, to.url, '--move')).code).toBe(2);
      expect((await seen(work, url)).log.at(-1)).toMatchObject({ what: 'copied', move: true });
      expect((await seen(work, to.url)).log.at(-1)).toMatchObject({ what: 'copied', move: true });
    }
    expect(existsSync(work.path('third'))).toBe(false);
    expect((await resume(open, '--journal', BACK.url)).summary.records.created).toBe(3);
    // A new run there has numbers of its own.
    expectDone(await send(DEARER, '--batch-id', 'x', '--journal', BACK.url), { created: 4 });
  });

  test('is not made while a call is live', async () => {
    const { url } = await placeOf(way, 'live');
    const { work, service, send } = await openDesk();
    const results: Awaited<ReturnType<typeof copy>>[] = [];
    service.responder(async ({ n }) => {
      if (n === 1) for (const flags of [[], ['--move']]) results.push(await copy(work, url, 'sqlite:to', ...flags));
      return { status: 201 };
    });
    expectDone(await send(ROWS, '--journal', url), { created: 4 });
    expect(results).toMatchObject([{ code: 2 }, { code: 2 }]);
    for (const { stderr } of results) expect(stderr).toContain('a run is being sent');
    expect((await copy(work, url, 'sqlite:to')).code).toBe(0);
  });
});

const world = quietWorld();
const openFile = (folder: string) => openForCopy({ kind: 'file', folder }, CALLER, world);

describe('a copy of a file', () => {
  test('comes into use when its original is lost', async () => {
    const busy = await busyDesk();
    const { work, open, resume } = busy;
    const [first, second] = ['sqlite:first', 'sqlite:second'] as const;
    await copy(work, 'sqlite:state', first);
    await copy(work, first, second);
    for (const text of await expectUnsent(busy, second)) expect(text).not.toContain(`a copy of ${first}`);
    const restore = (from: string, to: string, ...flags: string[]) => copy(work, from, to, '--move', ...flags);
    await expectRefused(restore(second, 'sqlite:new'), /add --original-lost/);
    await expectRefused(restore(second, 'sqlite:new', '--original-lost'), /is not lost: it is in use/);
    expect(existsSync(work.path('new'))).toBe(false);
    // In the original's own place, too: what stays of it is kept aside.
    renameSync(work.stateDir, work.path('kept'));
    const done = await restore(second, 'sqlite:state', '--original-lost', '--json');
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({
      last_payment_at: expect.stringMatching(/^\d{4}-.*Z$/),
      original_lost: { journal: `sqlite:${work.stateDir}`, copied_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect((await expectUnused(busy, second))[0]).toContain(`was moved to sqlite:${work.stateDir}`);
    const { stdout } = await work.run('doctor --sandbox');
    expect(stdout).toMatch(
      new RegExp(`copy of sqlite:${work.stateDir}, which was lost: .* between \\d{4}-\\d\\d-\\d\\d and its restoring`),
    );
    const resumed = await resume(open);
    expect(resumed.summary.records.created).toBe(3);
    expect(resumed.summary.reasons.join()).toMatch(/Careful: the journal comes from a copy of .*, which was lost/);
    await expectRefused(restore(first, 'sqlite:new', '--original-lost'), /is not lost: it is in use/);
  });

  test('is only made into an empty journal, of one that is there', async () => {
    const { work } = await busyDesk();
    const url = 'sqlite:full';
    await copy(work, 'sqlite:state', url);
    await expectRefused(copy(work, 'sqlite:state', url), /is not empty/);
    await expectRefused(copy(work, 'sqlite:nowhere', url), /there is no journal in/);
    await expectRefused(copy(work, url, url), /the same journal/);
    expect(existsSync(work.path('nowhere'))).toBe(false);
  });

  test('has what SQLite still keeps beside it, while another process has it open, and is one file', async () => {
    const { work } = await busyDesk();
    const options = { folder: work.stateDir, caller: CALLER, now: Date.now, platform: process.platform };
    const { journal } = (await openSqliteJournal(options))!;
    await journal.prune(1);
    expect(readdirSync(work.stateDir)).toContain('journal.db-wal');
    expect((await copy(work, 'sqlite:state', 'sqlite:backup')).code).toBe(0);
    await journal.detach();
    expect(statSync(join(work.path('backup'), 'journal.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect((await seen(work, 'sqlite:backup')).log.filter(({ what }) => what === 'pruned')).toHaveLength(1);
  });

  test('of which something does not arrive is refused, and nothing of it is kept', async () => {
    const { work } = await busyDesk();
    const source = await openFile(work.stateDir);
    const target = await openFile(work.path('backup'));
    const losing: typeof target.session.write = (act) =>
      target.session.write((tx) => {
        const insert: typeof tx.insert = (table, columns, rows) =>
          tx.insert(table, columns, table === 'outcome' ? [...rows].slice(1) : rows);
        return act({ ...tx, insert });
      });
    const openTarget = () => Promise.resolve({ ...target, session: { ...target.session, write: losing } });
    const copying = copyJournal({ source, openTarget, from: 'one', to: 'other', move: true, originalLost: false });
    await expect(copying).rejects.toThrow(
      /the copy in other is not equal to one: of outcome, \d rows were read and \d arrived/,
    );
    await source.detach();
    const { log, runs } = await seen(work, 'sqlite:backup');
    expect([log, runs]).toEqual([[], []]);
    expect((await seen(work, 'sqlite:state')).log.map(({ what }) => what)).not.toContain('copied');
  });

  test.each([1, 2])(
    'whose move is cut off before the copy is durable (1) or after it (2): one of the two sends',
    async (nth) => {
      const busy = await busyDesk();
      const { work, open, resume } = busy;
      const from = `sqlite:${work.stateDir}`;
      const to = `sqlite:${work.path('new')}`;
      const source = await openFile(work.stateDir);
      const target = await openFile(work.path('new'));
      const cut = () => Promise.reject(new Error('cut off'));
      const undone: typeof target.session.write = (act) =>
        target.session.write(async (tx) => {
          await act(tx);
          return cut();
        });
      const openTarget = () =>
        Promise.resolve(nth === 1 ? { ...target, session: { ...target.session, write: undone } } : target);
      let writes = 0;
      const write: typeof source.session.write = (act) => (++writes === 2 ? cut() : source.session.write(act));
      const failing = { ...source, session: { ...source.session, write } };
      const moving = copyJournal({ source: failing, openTarget, from, to, move: true, originalLost: false });
      await expect(moving).rejects.toThrow(/cut off/);
      await source.detach();
      for (const text of await expectUnsent(busy, from))
        expect(text).toContain(`gigwork journal copy --move --from ${from} --to ${to}`);
      expect(await copy(work, from, 'sqlite:other', '--move')).toMatchObject({ code: 2 });
      expect((await copy(work, from, to, '--move')).code).toBe(nth === 1 ? 0 : 2);
      expect((await resume(open, '--journal', to)).summary.records.created).toBe(3);
    },
  );

  test('is moved as what it is: --original-lost is for copies whose original nobody can open', async () => {
    const { work } = await busyDesk();
    const lost = ['--move', '--original-lost'];
    await expectRefused(copy(work, 'sqlite:state', 'sqlite:new', '--original-lost'), /goes with --move/);
    await expectRefused(copy(work, 'sqlite:state', 'sqlite:new', ...lost), /is not a copy/);
    await copy(work, 'sqlite:state', 'sqlite:backup');
    await copy(work, 'sqlite:state', 'sqlite:new', '--move');
    const other = () => copy(work, 'sqlite:backup', 'sqlite:other', ...lost);
    await expectRefused(other(), /is not lost: it was moved to .*new/);
    const db = new DatabaseSync(join(work.stateDir, 'journal.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expectRefused(other(), /is not lost: something is there/);
    writeFileSync(join(work.stateDir, 'journal.db'), 'x'.repeat(4096));
    for (const name of ['journal.db-wal', 'journal.db-shm']) rmSync(join(work.stateDir, name), { force: true });
    const done = await other();
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(
      /this history ends on \d.* [+-]\d\d:\d\d.*\. Its newest payment is of \d.* [+-]\d\d:\d\d\.\n/,
    );
  });

  test.skipIf(PROGRAMS === null)('of a shared journal: where a server answers, the original is not lost', async () => {
    const { work, send } = await openDesk();
    const { url, shown } = await shared();
    expectDone(await send(ROWS, '--journal', url), { created: 4 });
    const { say } = await sharedServer();
    // The database and the host come from PostgreSQL's own variables: another machine has others.
    const env = { PGHOST: '127.0.0.1', PGPORT: new URL(url).port, PGDATABASE: DATABASE, PGUSER: USER };
    const words = ['--from', `postgresql:///${new URL(url).search}`, '--to', 'sqlite:backup'];
    expect((await work.run(['journal', 'copy', ...words], { env })).code).toBe(0);
    const [, host] = shown.split('@');
    expect((await send(ROWS, '--journal', 'sqlite:backup')).stderr).toContain(`is a copy of postgresql://${host}`);
    const restore = (user: string) =>
      work.run(['journal', 'copy', '--move', '--original-lost', '--from', 'sqlite:backup', '--to', 'sqlite:new'], {
        env: { PGUSER: user },
      });
    expect((await restore(USER)).stderr).toContain('is not lost: it is in use');
    expect((await restore('nobody')).stderr).toContain('is not lost: something is there');
    say(`DROP SCHEMA ${new URL(url).searchParams.get('schema')} CASCADE`);
    expect(await restore(USER)).toMatchObject({ code: 0, stderr: '' });
  });
});

import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalError } from '../../../src/errors.js';
import type { OpenedJournal } from '../../../src/journal/journal.js';
import { openForWriting } from '../../../src/journal/sqlite/file.js';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite.js';
import { sha256 } from '../../../src/keys/key.js';
import {
  claim,
  deliver,
  draft,
  drafts,
  keysOf,
  manyDrafts,
  outcome,
  Process,
  storeOutcomes,
  settled,
  START,
} from './journal-fixtures.js';
import { CALLER, temporaryFolder } from './stores.js';

async function openAt(folder: string, readOnly = false): Promise<OpenedJournal | null> {
  const caller = readOnly ? null : CALLER;
  const opened = await openSqliteJournal({ folder, caller, now: () => START, platform: process.platform });
  // One that the test has closed itself says so.
  onTestFinished(() => opened?.journal.detach().catch(() => undefined));
  return opened;
}

async function writing(folder: string): Promise<Process> {
  return new Process((await openAt(folder))!.journal);
}

async function reading(folder: string): Promise<Process | null> {
  const opened = await openAt(folder, true);
  return opened === null ? null : new Process(opened.journal);
}

/** Names, sizes and contents of a folder's files. */
function listing(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
}

/** A folder with a journal in which one run is done. */
async function finished(): Promise<string> {
  const folder = temporaryFolder();
  const one = await writing(folder);
  const passed = await one.pass(drafts('a', 'b'));
  await deliver(passed);
  await passed.delivery.leave();
  await one.journal.detach();
  return folder;
}

function damage(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'journal.db'));
  db.exec(sql);
  db.close();
}

/** What is said when the journal cannot be opened: it must name the file and the remedy. */
async function refusal(folder: string, readOnly = false): Promise<string> {
  try {
    await openAt(folder, readOnly);
  } catch (cause) {
    expect(cause).toBeInstanceOf(JournalError);
    return (cause as Error).message;
  }
  throw new Error('it was opened');
}

describe('opening the SQLite journal', () => {
  it.runIf(existsSync('/dev/shm'))('warns where the folder is thrown away', async () => {
    const folder = join('/dev/shm', `gigwork-journal-${process.pid}`);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const opened = await openAt(folder);
    expect(opened!.storage).toContain(folder);
    await opened!.journal.detach();
  });
});

describe('the files of the SQLite journal', () => {
  it('take at most 405 bytes for a payment whose body has 190, sent and answered', async () => {
    const folder = temporaryFolder();
    const one = await writing(folder);
    const count = 4000;
    const planned = Array.from({ length: count }, (_, index) => {
      const { content: hash, ...sketch } = draft(index);
      const key = `4e353669-d28d-8c9e-99b3-${hash.toString(16).replace('-', '').padStart(12, '0').slice(-12)}`;
      const body = `{"amount":1200,"cost_center_key":"PP-7","currency":"EUR","idempotency_key":"${key}","note":"${'x'.repeat(4)}","title":"Bonus for November, with thanks","user_id":"u${100_000 + index}"}`;
      return { ...sketch, key, body, content: hash, payee: Number(hash & 0x7fffffffffffn) };
    });
    expect(planned[0]!.body).toHaveLength(190);
    const { delivery, ids } = await one.pass(planned.map((each) => ({ ...each, bodyHash: sha256(each.body) })));
    for (let i = 0; i < count; i += 500) {
      await deliver({ delivery, ids: ids.slice(i, i + 500) }, ({ id }) =>
        outcome('created', { response: `{"id":"payout_${String(id % 1_000_000).padStart(6, '0')}"}` }),
      );
    }
    await delivery.leave();
    await one.journal.detach();
    expect(statSync(join(folder, 'journal.db')).size / count).toBeLessThanOrEqual(405);
  });
});

describe('what the SQLite journal keeps of processes', () => {
  function kept(folder: string): Record<string, number> {
    const db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true });
    const count = (table: string) => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    const counts = Object.fromEntries(['claim', 'delivery', 'process'].map((table) => [table, count(table)]));
    db.close();
    return counts;
  }

  it('is nothing when they have closed it: no row, no lock, and nothing in the log', async () => {
    const folder = await finished();
    expect(kept(folder)).toEqual({ claim: 0, delivery: 0, process: 0 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
    expect(statSync(join(folder, 'journal.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it('is nothing of those that died, when they have been taken over', async () => {
    const folder = temporaryFolder();
    const gone = await writing(folder);
    const other = await writing(folder);
    const { delivery, ids } = await gone.pass(manyDrafts(5));
    const { claimed } = await claim(delivery, ids.slice(0, 3));
    await storeOutcomes(delivery, settled(claimed[1]!, 'created'));
    await gone.die();
    expect(kept(folder)).toEqual({ claim: 1, delivery: 1, process: 2 });
    await other.journal.recover();
    expect(kept(folder)).toEqual({ claim: 0, delivery: 0, process: 1 });
  });
});

describe('the SQLite journal, only read', () => {
  it('is none in an empty folder, or where there is no folder, and makes nothing', async () => {
    const folder = temporaryFolder();
    expect(await reading(folder)).toBeNull();
    expect(await reading(join(folder, 'none', 'here'))).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    // Nor where one has left only what SQLite keeps beside it, or nothing of itself.
    for (const left of ['wal', 'shm']) {
      writeFileSync(join(folder, `journal.db-${left}`), '');
      const missing = new RegExp(`journal\\.db is missing, and .*journal\\.db-${left} (is|are) still there`);
      for (const open of [reading, openAt]) await expect(open(folder)).rejects.toThrow(missing);
      if (left === 'wal') rmSync(join(folder, 'journal.db-wal'));
    }
    writeFileSync(join(folder, 'journal.db'), '');
    await expect(openAt(folder)).rejects.toThrow(/is empty \(0 bytes\)/);
  });

  it('changes no byte of what is there, and nothing can be written through it', async () => {
    const folder = await finished();
    const before = listing(folder)['journal.db'];
    const reader = (await reading(folder))!;
    const [run] = await reader.journal.runs();
    expect(await reader.states(run!)).toEqual(['created', 'created']);
    await reader.find('a');
    await expect(reader.prepare(drafts('c'))).rejects.toThrow(JournalError);
    await expect(reader.journal.prune(START * 2)).rejects.toThrow(JournalError);
    await reader.journal.detach();
    expect(listing(folder)['journal.db']).toBe(before);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});

describe('the SQLite journal refuses, and says what to do', () => {
  it.each([1, 4])('a journal of version %i, from before the first release', async (version) => {
    const folder = await finished();
    damage(folder, `PRAGMA user_version = ${version}`);
    const before = readFileSync(join(folder, 'journal.db'));
    for (const readOnly of [false, true]) {
      expect(await refusal(folder, readOnly)).toMatch(
        new RegExp(
          `version ${version}.*Keep it: it knows what was paid. Finish its runs with the program that wrote it`,
        ),
      );
    }
    expect(readFileSync(join(folder, 'journal.db')).equals(before)).toBe(true);
  });

  it('a stored body that is not the one that was checked: nothing is claimed, and outcomes are stored all the same', async () => {
    const folder = temporaryFolder();
    const one = await writing(folder);
    const { delivery, ids, run } = await one.pass(drafts('x', 'a', 'b', 'c'));
    const { claimed } = await claim(delivery, ids.slice(0, 1));
    damage(folder, "UPDATE payment SET body = replace(body, 'says', 'pays') WHERE key = 'b'");
    const exchange = delivery.storeAndClaim([settled(claimed[0]!, 'created')], ids.slice(1));
    await expect(exchange).rejects.toThrow(/damaged: a stored record is not the one that was checked/);
    // What was not claimed is not in doubt.
    expect(await one.states(run)).toEqual(['created', null, null, null]);
    expect((await one.records(run)).map(({ isClaimed }) => isClaimed)).toEqual([false, false, false, false]);
    expect(keysOf(await claim(delivery, [ids[1]!, ids[3]!]))).toEqual(['a', 'c']);
  });

  describe('where the folder cannot be written', () => {
    /** The administrator may write everywhere; so for this test nobody is administrator. */
    async function asNobody(work: () => Promise<void>): Promise<void> {
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        await work();
      } finally {
        if (isRoot) process.seteuid?.(0);
      }
    }

    it('a journal that may not even be read: it is not taken for none', async () => {
      const folder = await finished();
      chmodSync(folder, 0o000);
      await asNobody(async () => {
        for (const readOnly of [false, true]) expect(await refusal(folder, readOnly)).toContain('permission denied');
      });
      chmodSync(folder, 0o700);
    });
  });
});

describe('a journal that is taken away while it is in use', () => {
  const AWAY: [string, (folder: string) => void][] = [
    ['removed', (folder) => rmSync(join(folder, 'journal.db'))],
    ['moved', (folder) => renameSync(join(folder, 'journal.db'), join(folder, 'old.db'))],
    [
      'replaced by a copy',
      (folder) => {
        const file = join(folder, 'journal.db');
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
    ['parted from its log', (folder) => rmSync(join(folder, 'journal.db-wal'))],
  ];

  it.each(AWAY)('and %s stops the run before the next claim; what was answered is stored', async (_how, take) => {
    const folder = temporaryFolder();
    const one = await writing(folder);
    const { delivery, ids, run } = await one.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, [ids[0]!]);
    take(folder);
    const exchange = delivery.storeAndClaim([settled(claimed[0]!, 'created')], [ids[1]!]);
    await expect(exchange).rejects.toThrow(JournalError);
    await expect(exchange).rejects.toThrow(
      /was removed, replaced or moved while it was in use.*it knows what was paid/,
    );
    expect(await one.states(run)).toEqual(['created', null]);
    expect((await one.records(run))[1]!.isClaimed).toBe(false);
    // Nor does anything pass the gate there.
    const planned = drafts('c');
    await expect(one.pass(planned, { digest: 'two' })).rejects.toThrow(/was removed, replaced or moved/);
  });
});

it('is durable when a commit returns, on macOS too', () => {
  const db = openForWriting(temporaryFolder(), process.platform);
  onTestFinished(() => db.close());
  const setting = (name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0];
  const names = ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'];
  expect(names.map(setting)).toEqual(['wal', 2, 1, 1]);
});

describe('a journal that cannot be used any more says so with its name, whatever part of it is used', () => {
  it.each<[string, (at: Awaited<ReturnType<typeof broken>>) => Promise<unknown>]>([
    ['a look-up', ({ one }) => one.find('a')],
    ['a gate', ({ one, plan }) => one.journal.commit(plan)],
    ['an exchange', ({ passed }) => claim(passed.delivery, passed.ids)],
    ['its end', ({ one }) => one.journal.detach()],
  ])('%s', async (_what, use) => {
    const at = await broken();
    const failure = await use(at).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(JournalError);
    expect((failure as JournalError).message).toContain(at.file);
  });

  async function broken() {
    const folder = temporaryFolder();
    const one = await writing(folder);
    const passed = await one.pass(drafts('a'));
    const plan = await one.plan(await one.prepare(drafts('b')), drafts('b'));
    await one.journal.detach();
    return { file: join(folder, 'journal.db'), one, passed, plan };
  }
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalError } from '../../../src/errors.js';
import { openForWriting } from '../../../src/journal/db.js';
import { openSqliteJournal } from '../../../src/journal/sqlite.js';
import { startChild } from './child.js';
import { deliverAll, manyPayouts, Process, records, room, settled, START } from './kit.js';
import { isKeyed, temporaryFolder } from './stores.js';

const MAIN = fileURLToPath(new URL('child-main.js', import.meta.url));

function open(folder: string, readOnly = false): Process | null {
  const journal = openSqliteJournal({ folder, readOnly, isKeyed, now: () => START, platform: process.platform });
  if (journal === null) return null;
  onTestFinished(() => {
    try {
      journal.close();
    } catch {
      // It was closed by the test.
    }
  });
  return new Process(journal);
}

function writing(folder: string): Process {
  return open(folder) as Process;
}

/** Names, sizes and contents of a folder's files. */
function listing(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
}

function modesIn(folder: string): Set<string> {
  return new Set(readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8)));
}

/** A folder with a journal in which one run is done. */
function finished(): string {
  const folder = temporaryFolder();
  const process = writing(folder);
  const { outbox } = process.pass(records('a', 'b'));
  deliverAll(outbox, 'created');
  outbox.leave();
  process.journal.close();
  return folder;
}

function damage(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'journal.db'));
  db.exec(sql);
  db.close();
}

/** What is said when the journal cannot be opened: it must name the file and the remedy. */
function refusal(folder: string, readOnly = false): string {
  try {
    open(folder, readOnly);
  } catch (cause) {
    expect(cause).toBeInstanceOf(JournalError);
    return (cause as Error).message;
  }
  throw new Error('it was opened');
}

describe('the files of the SQLite journal', () => {
  it('are their owner’s alone, also where everything is permitted', () => {
    const old = process.umask(0);
    onTestFinished(() => void process.umask(old));
    const folder = join(temporaryFolder(), 'state', 'gigwork');
    const one = writing(folder);
    const { outbox } = one.pass(manyPayouts(3));
    outbox.exchange([], room(2));
    expect(
      readdirSync(folder)
        .map((name) => name.replace(/^alive-.*/, 'alive'))
        .sort(),
    ).toEqual(['alive', 'journal.db', 'journal.db-shm', 'journal.db-wal']);
    expect(modesIn(folder)).toEqual(new Set(['600']));
    for (const each of [folder, join(folder, '..')]) expect((statSync(each).mode & 0o777).toString(8)).toBe('700');
  });

  it('become so again where they were not', () => {
    const folder = finished();
    chmodSync(join(folder, 'journal.db'), 0o644);
    writing(folder).pass(records('c'), { digest: 'd2' });
    expect(modesIn(folder)).toEqual(new Set(['600']));
  });

  it('are few when it is closed: no lock, and nothing in the log', () => {
    const folder = finished();
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
    const log = join(folder, 'journal.db-wal');
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
  });

  it('do not multiply while processes are asked whether they live', () => {
    const folder = temporaryFolder();
    const [one, other] = [writing(folder), writing(folder)];
    one.pass(records('a'));
    const before = readdirSync(folder).sort();
    for (let i = 0; i < 50; i++) {
      other.journal.recover();
      other.history();
    }
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(other.history().byKey('a')?.state).toBe('waiting');
  });
});

describe('what the SQLite journal keeps of processes', () => {
  function kept(folder: string): Record<string, number> {
    const db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true });
    const count = (table: string) => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    const counts = Object.fromEntries(['intent', 'delivery', 'process'].map((table) => [table, count(table)]));
    db.close();
    return counts;
  }

  it('is nothing when they have closed it', () => {
    expect(kept(finished())).toEqual({ intent: 0, delivery: 0, process: 0 });
  });

  it('is nothing of those that died, when they have been taken over', () => {
    const folder = temporaryFolder();
    const [gone, other] = [writing(folder), writing(folder)];
    const { outbox } = gone.pass(manyPayouts(5));
    const { claimed } = outbox.exchange([], room(3));
    outbox.exchange([settled(claimed[1]!, 'created')], null);
    gone.die();
    expect(kept(folder)).toEqual({ intent: 1, delivery: 1, process: 2 });
    other.journal.recover();
    expect(kept(folder)).toEqual({ intent: 0, delivery: 0, process: 1 });
  });
});

describe('the SQLite journal, only read', () => {
  it('is none in an empty folder, or where there is no folder, and makes nothing', () => {
    const folder = temporaryFolder();
    expect(open(folder, true)).toBeNull();
    expect(open(join(folder, 'none', 'here'), true)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is none while it is being made', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'journal.db'), '');
    expect(open(folder, true)).toBeNull();
  });

  it('changes no byte of what is there, and nothing can be written through it', () => {
    const folder = finished();
    const before = listing(folder)['journal.db'];
    const reader = open(folder, true) as Process;
    const [run] = reader.journal.runs();
    expect(reader.states(run!)).toEqual(['created', 'created']);
    reader.history().byKey('a');
    expect(() => reader.prepare(records('c'))).toThrow(JournalError);
    expect(() => reader.journal.prune(START * 2)).toThrow(JournalError);
    reader.journal.close();
    expect(listing(folder)['journal.db']).toBe(before);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('reads while another process writes', () => {
    const folder = temporaryFolder();
    const writer = writing(folder);
    const { run, outbox } = writer.pass(manyPayouts(2500));
    const reader = open(folder, true) as Process;
    const reading = reader.journal.records(run)[Symbol.iterator]();
    reading.next();
    expect(deliverAll(outbox, 'created')).toHaveLength(2500);
    let count = 1;
    while (reading.next().done === false) count++;
    expect(count).toBe(2500);
    expect(new Set(reader.states(run))).toEqual(new Set(['created']));
  });
});

describe('the SQLite journal refuses, and says what to do', () => {
  const FOREIGN: [string, (file: string) => void, RegExp][] = [
    ['a text file', (file) => writeFileSync(file, 'Dear diary, '.repeat(500)), /damaged, or is no journal.*backup/],
    ['a few bytes', (file) => writeFileSync(file, 'x'), /not a journal of gigwork.*--state-dir/],
    [
      'a database of another program',
      (file) => {
        const db = new DatabaseSync(file);
        db.exec('CREATE TABLE note (text TEXT); PRAGMA user_version = 1');
        db.close();
      },
      /not a journal of gigwork.*--state-dir/,
    ],
    ['a folder of that name', (file) => mkdirSync(file), /cannot be.*--state-dir/],
  ];

  it.each(FOREIGN)('%s, and leaves it as it is', (_what, make, words) => {
    const folder = temporaryFolder();
    const file = join(folder, 'journal.db');
    make(file);
    chmodSync(file, 0o755);
    const before = statSync(file).isFile() ? readFileSync(file) : null;
    for (const readOnly of [false, true]) {
      expect(refusal(folder, readOnly)).toMatch(words);
      expect(refusal(folder, readOnly)).toContain(file);
    }
    expect((statSync(file).mode & 0o777).toString(8)).toBe('755');
    if (before !== null) expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('a journal that is newer than the program', () => {
    const folder = finished();
    damage(folder, 'PRAGMA user_version = 99');
    for (const readOnly of [false, true])
      expect(refusal(folder, readOnly)).toMatch(/newer gigwork.*99.*Update gigwork/);
  });

  it('a journal that is older than the first release', () => {
    const folder = finished();
    damage(folder, 'PRAGMA user_version = 1');
    for (const readOnly of [false, true])
      expect(refusal(folder, readOnly)).toMatch(/before the first release.*Keep it: it knows what was paid/);
  });

  it('a journal whose pages are damaged, at the latest where they are read', () => {
    const folder = finished();
    const file = join(folder, 'journal.db');
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    const use = (): void => {
      const process = open(folder, true) as Process;
      for (const run of process.journal.runs())
        for (const record of process.journal.records(run)) expect(record).toBeDefined();
    };
    expect(use).toThrow(JournalError);
    expect(use).toThrow(/damaged.*Keep it/);
  });

  it('a stored body that is not the one that was checked, before anything of its claim is sent', () => {
    const folder = temporaryFolder();
    const process = writing(folder);
    const { outbox } = process.pass(records('a', 'b', 'c'));
    damage(folder, "UPDATE record SET body = replace(body, 'says', 'pays') WHERE key = 'b'");
    expect(() => outbox.exchange([], room(10))).toThrow(JournalError);
    expect(() => outbox.exchange([], room(10))).toThrow(/damaged: a stored record is not the one that was checked/);
    // What was not claimed is not in doubt.
    expect(outbox.exchange([], room(1)).claimed.map(({ key }) => key)).toEqual(['a']);
  });

  it('a state folder that is a file', () => {
    const folder = join(temporaryFolder(), 'state');
    writeFileSync(folder, '');
    expect(refusal(folder)).toMatch(/--state-dir/);
    expect(refusal(join(folder, 'below'))).toMatch(/cannot make the state folder.*--state-dir/);
  });

  it('a state folder that leads nowhere', () => {
    const folder = join(temporaryFolder(), 'state');
    symlinkSync(join(folder, '..', 'missing', 'x'), folder);
    expect(refusal(folder)).toMatch(/--state-dir/);
  });

  describe('where the folder cannot be written', () => {
    /** The administrator may write everywhere; so for this test nobody is administrator. */
    function asNobody(work: () => void): void {
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        work();
      } finally {
        if (isRoot) process.seteuid?.(0);
      }
    }

    it('a new journal', () => {
      const folder = temporaryFolder();
      chmodSync(folder, 0o555);
      asNobody(() => expect(refusal(folder)).toMatch(/cannot be written.*--state-dir/));
      asNobody(() => expect(refusal(join(folder, 'new'))).toMatch(/cannot make the state folder.*--state-dir/));
    });

    it('a journal that is there', () => {
      const folder = finished();
      chmodSync(join(folder, 'journal.db'), 0o444);
      chmodSync(folder, 0o555);
      asNobody(() => expect(refusal(folder)).toMatch(/cannot be written.*would know nothing of what was paid/s));
    });

    it('a journal that may not even be read: it is not taken for none', () => {
      const folder = finished();
      chmodSync(folder, 0o000);
      asNobody(() => {
        for (const readOnly of [false, true]) expect(refusal(folder, readOnly)).toContain('permission denied');
      });
      chmodSync(folder, 0o700);
    });
  });
});

it('is durable when a commit returns, on macOS too', () => {
  const db = openForWriting(temporaryFolder(), process.platform);
  onTestFinished(() => db.close());
  const setting = (name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0];
  const names = ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'];
  expect(names.map(setting)).toEqual(['wal', 2, 1, 1]);
});

describe('many processes on one SQLite journal', () => {
  it('make it together', async () => {
    const folder = join(temporaryFolder(), 'state');
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => startChild(folder)));
    const process = writing(folder);
    expect(process.journal.runs()).toEqual([]);
    process.pass(records('a'));
  });

  it('end without a trace when their input ends', async () => {
    const folder = temporaryFolder();
    const children = [1, 2, 3].map(() => spawn(process.execPath, [MAIN], { stdio: ['pipe', 'inherit', 'inherit'] }));
    for (const child of children) child.stdin.end();
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as unknown));
    expect([codes, readdirSync(folder)]).toEqual([[0, 0, 0], []]);
  });
});

import { DatabaseSync } from '@photostructure/sqlite';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, readSandboxId } from '../../../src/sandbox/store.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gigwork-sandbox-'));
  file = path.join(folder, 'state', 'sandbox.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('create', () => {
  it('numbers each type on its own, and keeps their keys apart', () => {
    const store = openStore(file);
    expect(store.create('payout', null, null, '{"a":1}')).toBe('{"id":"payout_000001","a":1}');
    expect(store.create('payout', 'k', 'h1', '{"a":2}')).toBe('{"id":"payout_000002","a":2}');
    expect(store.create('payout', 'k', 'h1', '{"a":3}')).toBe('{"id":"payout_000002","a":2}');
    expect(store.create('payout', 'k', 'h2', '{"a":3}')).toBeNull();
    expect(store.create('payout', 'l', 'h1', '{"a":4}')).toBe('{"id":"payout_000003","a":4}');
    expect(store.create('gig_result', 'k', 'h1', '{"a":5}')).toBe('{"id":"gig_result_000001","a":5}');
    store.close();
  });
});

describe('the tasks of a gig', () => {
  const answerOf = (fields: object): unknown => {
    const store = openStore(file);
    const answer = store.create('gig', null, null, JSON.stringify(fields));
    store.close();
    return JSON.parse(answer ?? 'null');
  };

  it('have ids made from the number of the gig and their places, in the order sent', () => {
    const tasks = [
      { title: 'Audit', base_price: 1 },
      { title: 'Audit', base_price: 2.5 },
    ];
    expect(answerOf({ title: 'A', tasks })).toEqual({
      id: 'gig_000001',
      title: 'A',
      tasks: [
        { id: 'gig_task_000001_1', title: 'Audit', base_price: 1 },
        { id: 'gig_task_000001_2', title: 'Audit', base_price: 2.5 },
      ],
    });
    expect(answerOf({ tasks: [{ title: 'B' }] })).toEqual({
      id: 'gig_000002',
      tasks: [{ id: 'gig_task_000002_1', title: 'B' }],
    });
  });

  it('are none where none were sent', () => {
    expect(answerOf({ title: 'A' })).toEqual({ id: 'gig_000001', title: 'A' });
  });

  it('have the same ids in an answer that is repeated', () => {
    const store = openStore(file);
    const create = (): string | null => store.create('gig', 'k', 'h', '{"tasks":[{"title":"A"}]}');
    expect(create()).toContain('gig_task_000001_1');
    expect(create()).toBe(create());
    store.close();
  });
});

describe('the file', () => {
  it('is open to its owner alone, as are its folder and companions', () => {
    const store = openStore(file);
    store.create('payout', 'k', 'h1', '{}');
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path.dirname(file))) {
      expect(statSync(path.join(path.dirname(file), name)).mode & 0o777, name).toBe(0o600);
    }
    store.close();
  });

  it('leaves no data outside the main file when it is closed', () => {
    const store = openStore(file);
    store.create('payout', 'k', 'h1', '{}');
    store.close();
    const wal = `${file}-wal`;
    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
  });
});

describe('files that are not ours', () => {
  function changed(statements: string): void {
    const database = new DatabaseSync(file);
    database.exec(statements);
    database.close();
  }

  it.each<[what: string, make: () => void, message: RegExp]>([
    ['garbage', () => writeFileSync(file, 'a'.repeat(20_000)), /cannot be used.*--state-dir/],
    ['a foreign database', () => changed('CREATE TABLE t (a)'), /another program's SQLite file.*--state-dir/],
    ['a folder', () => mkdirSync(file), /cannot be used/],
  ])('refuses %s and leaves it as it is', (_name, make, message) => {
    mkdirSync(path.dirname(file));
    make();
    const before = statSync(file).isFile() ? readFileSync(file) : null;
    expect(() => openStore(file)).toThrow(message);
    expect(() => readSandboxId(file)).toThrow(message);
    if (before) expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(path.dirname(file))).toEqual(['sandbox.db']);
  });

  it.each<[what: string, make: () => void, message: RegExp]>([
    ['a newer version', () => changed('PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)'), /newer gigwork/],
    ['a damaged file', () => writeFileSync(file, readFileSync(file).fill(0xff, 100, 4096)), /cannot be used/],
  ])('refuses %s', (_name, make, message) => {
    openStore(file).close();
    make();
    expect(() => openStore(file)).toThrow(message);
    expect(() => readSandboxId(file)).toThrow(message);
  });
});

describe('readSandboxId', () => {
  it('is null without a file, and makes none', () => {
    expect(readSandboxId(file)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is the identity of the open and of the closed file, and writes nothing', () => {
    const store = openStore(file);
    expect(store.id).toMatch(UUID);
    expect(readSandboxId(file)).toBe(store.id);
    for (let number = 0; number < 1000; number += 1) store.create('payout', `k${number}`, 'h1', '{}');
    store.close();
    for (const name of [`${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    expect(readSandboxId(file)).toBe(store.id);
    expect(readdirSync(path.dirname(file))).toEqual(['sandbox.db']);
    const other = openStore(path.join(folder, 'other.db'));
    other.close();
    expect(other.id).not.toBe(store.id);
  });
});

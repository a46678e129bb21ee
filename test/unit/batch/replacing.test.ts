import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../../src/input/cells.js';
import type { History } from '../../../src/batch/corrections.js';
import { type Prepared, prepare } from '../../../src/batch/prepare.js';
import { UsageError } from '../../../src/errors.js';
import { Entries } from '../../../src/batch/entries.js';
import { openFile } from '../../../src/input/read.js';
import type { Issue } from '../../../src/records/issue.js';
import { KINDS } from '../../../src/records/kinds.js';
import { quietWorld } from '../../support/inside.js';
import { folder, readOptions } from '../input/reading.js';
import { computed, history, type Past, TARGET } from '../preflight/kit.js';

interface Preparation {
  readonly prepared: Prepared;
  readonly issues: readonly Issue[];
}

/** What the history knows of corrected payments, under their own keys. */
function historyOf(past: readonly (Past & { user?: string })[]): History['ledger'] {
  const payments = history(past);
  return {
    find: (_, keys) => Promise.resolve(payments.filter(({ key }) => keys.includes(key))),
    bodies: (ids) => Promise.resolve(ids.map((id) => JSON.stringify({ user_id: past[id - 1]?.user ?? 'u1' }))),
  };
}

const PAST = ['k', 'k1', 'k2', 'k3', 'k4', 'k5', 'other'].map((key): Past => ({
  key,
  state: 'rejected',
  batch: 'default',
}));

/** Prepares files of these names and contents. */
async function prepared(
  contents: Readonly<Record<string, string>>,
  change: { strict?: boolean; past?: readonly (Past & { user?: string })[]; batchId?: string | null } = {},
): Promise<Preparation> {
  const cwd = folder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(cwd, name), content);
  const issues: Issue[] = [];
  const prices = { priceOf: () => null };
  const run = await prepare({
    files: Object.keys(contents).map((name) => openFile(name, readOptions({ cwd }))),
    kindOf: () => KINDS.payout,
    batchId: change.batchId === undefined ? 'default' : change.batchId,
    history: { target: { target: TARGET, scope: '' }, ledger: historyOf(change.past ?? PAST) },
    rules: {
      today: '2026-11-20',
      style: PLAIN_STYLE,
      allowTotalRow: false,
      allowNegative: false,
      strict: change.strict ?? false,
      keyColumns: [],
      prices,
    },
    skipInvalid: true,
    entries: new Entries(),
    store: null,
    keepBodies: false,
    keepBodyHashes: false,
    keepFingerprints: false,
    onIssue: (issue) => issues.push(issue),
    onRead: () => Promise.resolve(),
    explain: null,
    world: quietWorld(),
  });
  return { prepared: run, issues };
}

const HEADER = 'user_id,amount,title,cost_center_key,gigwork_key,gigwork_error\n';

function statuses({ entries }: Prepared): string[] {
  return Array.from({ length: entries.length }, (_, index) => entries.status(index));
}

/** `file line code field` of each issue. */
function found(issues: readonly Issue[]): string[] {
  return issues.map(({ file, line, code, field }) => `${file} ${line} ${code} ${field}`);
}

describe('the payments that records replace', () => {
  it('are known by entry, of plain rows, of others and of invalid ones', async () => {
    const { prepared: run, issues } = await prepared({
      'r.csv': `${HEADER}u1,10,One,PP-1,k1,no\nu2,20,Two,PP-1,,no\nu3,0,Three,PP-1,k3,no\nu4,40,,PP-1,k4,no\n`,
      'r.ndjson': '{"user_id":"u5","amount":50,"title":"Five","cost_center_key":"PP-1","gigwork_key":"k5"}\n',
    });
    expect(statuses(run)).toEqual(['pending', 'pending', 'invalid', 'invalid', 'pending']);
    expect([...run.replaces]).toEqual([
      [0, 'k1'],
      [2, 'k3'],
      [3, 'k4'],
      [4, 'k5'],
    ]);
    expect(issues.map(({ code }) => code)).toEqual(['not-positive', 'missing-field']);
  });

  it('are replaced by one record each: all others with the key are invalid, wherever they stand', async () => {
    const { prepared: run, issues } = await prepared({
      'a.csv': `${HEADER}u1,10,One,PP-1,k,no\nu2,20,Two,PP-1,other,no\nu3,31,Three,PP-1,k,no\n`,
      'b.csv': `${HEADER}u4,40,Four,PP-1,k,no\n`,
    });
    expect(statuses(run)).toEqual(['invalid', 'pending', 'invalid', 'invalid']);
    expect(found(issues)).toEqual([
      'a.csv 2 duplicate-key gigwork_key',
      'a.csv 4 duplicate-key gigwork_key',
      'b.csv 2 duplicate-key gigwork_key',
    ]);
    expect(issues.map(({ message }) => /^line \d of \S+/.exec(message)?.[0])).toEqual([
      'line 4 of a.csv',
      'line 2 of a.csv',
      'line 2 of a.csv',
    ]);
    expect(issues.map(({ value }) => value)).toEqual(['k', 'k', 'k']);
    expect(run.entries.error(0)).toBe(issues[0]?.message);
    expect(run.replaces.get(2)).toBe('k');
  });

  it('are replaced by one record, whatever else is wrong with another', async () => {
    const { prepared: run, issues } = await prepared({ 'r.csv': `${HEADER}u1,10,,PP-1,k,no\nu2,20,Two,PP-1,k,no\n` });
    expect(statuses(run)).toEqual(['invalid', 'invalid']);
    expect(found(issues)).toEqual(['r.csv 2 missing-field title', 'r.csv 3 duplicate-key gigwork_key']);
  });
});

describe('a row that corrects a payment', () => {
  // CONTRACT: the known answers of "Keys and repeats".
  const BONUS = '4e353669-d28d-8c9e-99b3-1e2c9de495dd';
  const past = [{ key: BONUS, state: 'rejected', batch: 'default' }] as const;
  const rows = (...cells: string[]): Record<string, string> => ({
    'r.csv': `user_id,amount,title,cost_center_key,idempotency_key,gigwork_key\n${cells.join('\n')}\n`,
  });
  const keyed = async (...given: Parameters<typeof prepared>) => {
    const { prepared: run, issues } = await prepared(...given);
    const keys = Array.from({ length: run.entries.length }, (_, i) => [run.entries.keySource(i), run.entries.key(i)]);
    return { keys, run, codes: issues.filter(({ severity }) => severity === 'error').map(({ code }) => code) };
  };

  it.each<[says: string, row: string, source: string, key: string]>([
    [
      'is keyed by what it corrects',
      `u2,1200,Bonus,PP-7,,${BONUS}`,
      'replaces',
      '8c013cd3-ae5a-8f9a-a8d7-752e339c0ffd',
    ],
    ['is that payment where it was not changed', `u1,1200,Bonus,PP-7,,${BONUS}`, 'rejected', BONUS],
    ['has its own key where it names one', `u2,1200,Bonus,PP-7,mine,${BONUS}`, 'own', 'mine'],
    ['or keeps that of the payment', `u2,1200,Bonus,PP-7,${BONUS},${BONUS}`, 'own', BONUS],
  ])('%s', async (_, row, source, key) => {
    expect((await keyed(rows(row), { past })).keys).toEqual([[source, key]]);
  });

  it('is that payment, of whichever of several equal rows it was', async () => {
    const file = rows('u1,1200,Bonus,PP-7,,', `u1,1200,Bonus,PP-7,,${computed('second')}`);
    const same = { key: computed('second'), state: 'rejected', batch: 'default' } as const;
    const { keys } = await keyed(file, { past: [same] });
    expect(keys[0]).toEqual(['content', BONUS]);
  });

  it.each<[code: string, row: string, past: Past & { user?: string }, batchId?: string]>([
    ['replaces-unknown', 'u1,9,Bonus,PP-7,,gone', past[0]],
    ['wrong-batch', `u1,9,Bonus,PP-7,,${BONUS}`, past[0], 'may'],
    ['lost-zeros', `123,9,Bonus,PP-7,,${BONUS}`, { ...past[0], user: '00123' }],
  ])('is invalid: %s', async (code, row, payment, batchId = 'default') => {
    const { codes, run } = await keyed(rows(row), { past: [payment], batchId });
    expect([codes, statuses(run)]).toEqual([[code], ['invalid']]);
  });

  it.each([
    ['00123', '00123'],
    ['123', '0012'],
    ['0123', 'a123'],
  ])('may have the user %s where the rejected one is %s', async (user, rejected) => {
    const { codes } = await keyed(rows(`${user},9,Bonus,PP-7,,${BONUS}`), { past: [{ ...past[0], user: rejected }] });
    expect(codes).toEqual([]);
  });

  it('says which batch the input is for, where none was named; of two, it is refused', async () => {
    const [may, june] = [{ key: 'a', state: 'rejected', batch: 'may' } as const, { key: 'b', batch: 'june' }];
    const [first, plain, second] = ['u1,9,One,PP-7,,a', 'u2,9,Two,PP-7,,', 'u3,9,Three,PP-7,,b'] as [
      string,
      string,
      string,
    ];
    expect((await keyed(rows(plain, first), { past: [may], batchId: null })).run.batchId).toBe('may');
    expect((await keyed(rows(plain), { past: [may], batchId: null })).run.batchId).toBe('default');
    await expect(keyed(rows(first, second), { past: [may, june], batchId: null })).rejects.toThrow(UsageError);
  });
});

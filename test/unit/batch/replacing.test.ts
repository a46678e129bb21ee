import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../../src/input/cells.js';
import { type Prepared, prepare } from '../../../src/batch/prepare.js';
import { Entries } from '../../../src/batch/table.js';
import { openFile } from '../../../src/input/read.js';
import type { Issue } from '../../../src/records/issue.js';
import { KINDS } from '../../../src/records/kinds.js';
import { processWorld, worldOf } from '../../../src/world.js';
import { folder, readOptions } from '../input/reading.js';

interface Preparation {
  readonly prepared: Prepared;
  readonly issues: readonly Issue[];
}

/** Prepares files of these names and contents. */
async function prepared(
  contents: Readonly<Record<string, string>>,
  change: { strict?: boolean } = {},
): Promise<Preparation> {
  const cwd = folder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(cwd, name), content);
  const issues: Issue[] = [];
  const prices = { priceOf: () => null };
  const run = await prepare({
    files: Object.keys(contents).map((name) => openFile(name, readOptions({ cwd }))),
    kindOf: () => KINDS.payout,
    batchId: 'default',
    rules: {
      today: '2026-11-20',
      style: PLAIN_STYLE,
      allowTotalRow: false,
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
    world: worldOf(processWorld()),
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
    expect(statuses(run)).toEqual(['pending', 'pending', 'pending', 'invalid', 'pending']);
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

  it('belong to their rows also where --strict refuses a row beside them', async () => {
    const row = 'u1,10,One,PP-1';
    const { prepared: run } = await prepared(
      { 'r.csv': `${HEADER}${row},k1,no\n${row},k2,no\n${row},,no\n` },
      { strict: true },
    );
    expect(statuses(run)).toEqual(['pending', 'invalid', 'invalid']);
    expect([...run.replaces]).toEqual([
      [0, 'k1'],
      [1, 'k2'],
    ]);
  });
});

describe('the records that a results file says were paid, or may have been', () => {
  it('are invalid, in whatever words of the run: importing the file by mistake pays nobody', async () => {
    const paid = ['created', 'already_created', ' created ', 'CREATED', 'skipped', 'unknown'];
    const unpaid = ['rejected', 'not_sent', 'planned', 'invalid', '', 'paid'];
    const rows = [...paid, ...unpaid].map((status, i) => `u${i},${2 * i + 7},Bonus,PP-1,${status}\n`);
    const { prepared: run, issues } = await prepared({
      'r.csv': `user_id,amount,title,cost_center_key,gigwork_status\n${rows.join('')}`,
      'r.ndjson': '{"user_id":"u99","amount":50,"title":"Nine","cost_center_key":"PP-1","gigwork_status":"created"}\n',
    });
    expect(statuses(run)).toEqual([...paid.map(() => 'invalid'), ...unpaid.map(() => 'pending'), 'invalid']);
    expect(found(issues)).toEqual([
      ...paid.map((_status, i) => `r.csv ${i + 2} created-before gigwork_status`),
      'r.ndjson 1 created-before gigwork_status',
    ]);
    const told = [
      ...paid.map(() => 'settled'),
      undefined,
      'unsent',
      'unsent',
      undefined,
      undefined,
      undefined,
      'settled',
    ];
    expect(told.map((_state, i) => run.told.get(i))).toEqual(told);
  });

  it.each([
    ['created', 'this row says that it was paid (gigwork_status is created)'],
    ['skipped', 'this row says that it was paid before (gigwork_status is skipped)'],
    ['unknown', 'this row says that it may have been paid (gigwork_status is unknown)'],
  ])('say why: %s', async (status, words) => {
    const header = 'user_id,amount,title,cost_center_key,gigwork_status';
    const { issues } = await prepared({ 'r.csv': `${header}\nu1,1,Bonus,PP-1,${status}\n` });
    expect(issues.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
  });
});

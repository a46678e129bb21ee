import { describe, expect, it } from 'vitest';
import { type Workspace, workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { dry } from '../support/dry.js';
import { sheet } from '../support/workbook.js';

// CONTRACT: `known_values`, `--known-value`, `unknown-value`.

const MONTH = [
  'user_id,amount,currency,title,cost_center_key,Type',
  'u1,100.50,EUR,November,PP-7,Hourly',
  'u2,200,EUR,November,PP-7, Fixed-price ',
  'u3,400,EUR,November,PP-7,Bonus',
  '',
].join('\n');
const KNOWN = { Type: ['Hourly', 'Fixed-price'] };
const PROFILES = {
  profiles: { payroll: { only: ['Type=Hourly'], known_values: KNOWN }, all: { known_values: KNOWN } },
};
const PAYROLL = 'payout create m.csv --config c.json --profile payroll';

function month(text = MONTH): Workspace {
  return workspaceWith({ 'm.csv': text, 'c.json': PROFILES });
}

describe('a value that nobody has decided about', () => {
  it('refuses the run, also in a row that is filtered out, and whatever is skipped', async () => {
    const ws = month();
    const refused = await ws.run(`${PAYROLL} --sandbox --yes --json --skip-invalid`);
    const issue = { code: 'unknown-value', severity: 'error', file: 'm.csv', record: null, line: 4, value: 'Bonus' };
    expect([refused.code, issuesOf(refused)]).toMatchObject([3, [issue]]);
    expect(refused.summary).toMatchObject({ stop_reason: 'invalid_input', records: { read: 1, created: 0 } });
    const { stderr } = await ws.run(`${PAYROLL} --dry-run`);
    expect(stderr).toContain(
      '"Type" is "Bonus", which is not among its known values. "Type=Hourly" (only in the profile payroll) filters this row out, so it is not sent. If that is right, add "Bonus" to known_values in the profile payroll, or add --known-value Type=Bonus. If it must be sent, change that filter [unknown-value]\n',
    );
  });

  it('is no person’s in a total row that is filtered out', async () => {
    const text = MONTH.replace('u3,400,EUR,November,PP-7,Bonus', ',300.50,EUR,Total,,');
    const { code, summary } = await month(text).run(`${PAYROLL} --dry-run --json`);
    expect([code, summary?.filtered]).toMatchObject([0, [{ count: 2 }]]);
  });

  it('is known by the flag, and its row is filtered as the others are', async () => {
    const { code, summary } = await month().run(`${PAYROLL} --dry-run --json --known-value Type=Bonus`);
    const totals = [{ currency: 'EUR', amount: '600', unit: null }];
    expect([code, summary]).toMatchObject([0, { filtered: [{ rule: 'Type=Hourly', count: 2, totals }] }]);
  });

  it('is not one that only the spaces around it tell from a known one: it is filtered as that is', async () => {
    const padded = MONTH.replaceAll(',Hourly', ', Hourly ').replace(',Bonus', ',Fixed-price ');
    const { code, summary } = await month(padded).run(`${PAYROLL} --dry-run --json`);
    const { summary: plain } = await month(MONTH.replace(',Bonus', ',Fixed-price')).run(`${PAYROLL} --dry-run --json`);
    expect([code, summary?.filtered]).toEqual([0, plain?.filtered]);
    expect(plain?.filtered).toMatchObject([{ count: 2 }]);
  });

  it('is known where a flag names the position of the column', async () => {
    const { code, summary } = await month().run(`${PAYROLL} --dry-run --json --known-value #6=Bonus`);
    expect([code, summary?.filtered]).toMatchObject([0, [{ count: 2 }]]);
  });

  it('makes a row that would be sent an invalid record, and names the flags that filter it out', async () => {
    const ws = month();
    const all = 'payout create m.csv --config c.json --profile all --dry-run';
    const found = await ws.run(`${all} --json --ignore-column Type`);
    expect([found.code, found.summary?.records.invalid]).toEqual([3, 1]);
    expect(issuesOf(found)).toMatchObject([{ code: 'unknown-value', record: 3, line: 4, field: null, value: 'Bonus' }]);
    const flags = ['--only', 'Type!=Bonus', '--known-value', 'Type=Bonus'];
    expect((await ws.run(all)).stderr).toContain(
      `This row would be sent. If that is right, add "Bonus" to known_values in the profile all, or add --known-value Type=Bonus. If not, filter such rows out: --only 'Type!=Bonus' --known-value Type=Bonus`,
    );
    expect((await ws.run([...`${all} --json`.split(' '), ...flags])).summary).toMatchObject({
      exit_code: 0,
      records: { valid: 2 },
    });
  });

  it('may be an empty cell, which a flag names as nothing', async () => {
    const file = MONTH.replace('Bonus', ' ');
    const found = await dry({ 'm.csv': file }, '--known-value', 'Type=Hourly', '--known-value', 'Type=Fixed-price');
    expect([found.code, issuesOf(found)]).toMatchObject([3, [{ code: 'unknown-value', value: ' ' }]]);
    const known = ['Type=Hourly', 'Type=Fixed-price', 'Type='].flatMap((value) => ['--known-value', value]);
    expect((await dry({ 'm.csv': file }, ...known)).code).toBe(0);
  });

  it('is found in workbooks, and asked for in no row that does not fit its header', async () => {
    const table = sheet([
      ['user_id', 'amount', 'title', 'cost_center_key', 'Type'],
      ['u1', 5, 'A', 'K', 'Hourly'],
      ['u2', 6, 'B', 'K', 7],
    ]);
    const found = await dry({ 'b.xlsx': table }, '--known-value', 'Type=Hourly');
    expect(issuesOf(found)).toMatchObject([{ code: 'unknown-value', line: 3, value: '7' }]);
    const ragged = await dry(
      { 'm.csv': MONTH.replace(',Bonus', '') },
      '--known-value',
      'Type=Hourly',
      '--only',
      'Type=Hourly',
      '--known-value',
      'Type=Fixed-price',
    );
    expect(issuesOf(ragged).map(({ code }) => code)).toEqual(['bad-csv']);
  });

  it.each([
    [
      ['--known-value', 'Typ=Hourly'],
      /m\.csv: --known-value "Typ": the file has no column "Typ"\. Did you mean "Type"\?/,
    ],
    [['--known-value', 'Type'], /--known-value takes NAME=VALUE; found "Type"/],
    [
      ['--config', 'c.json', '--profile', 'typo'],
      /known_values in the profile typo "Typ": the file has no column "Typ"/,
    ],
    [
      ['j.json', '--known-value', 'Type=Hourly'],
      /j\.json: --known-value "Type" is about a column of CSV and workbooks, and/,
    ],
    [['--config', 'd.json'], /known_values\.Type takes a list of texts/],
  ])('%s is exit 2', async (flags, words) => {
    const ws = workspaceWith({
      'm.csv': MONTH,
      'c.json': { profiles: { typo: { known_values: { Typ: [] } } } },
      'j.json': '[{"user_id":"u1"}]',
      'd.json': { known_values: { Type: 'Hourly' } },
    });
    const { code, stderr } = await ws.run([
      'payout',
      'create',
      ...(flags[0] === 'j.json' ? [] : ['m.csv']),
      '--dry-run',
      ...flags,
    ]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});

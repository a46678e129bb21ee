import { describe, expect, it } from 'vitest';
import { workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { dry } from '../support/dry.js';
import { sheet } from '../support/workbook.js';

// CONTRACT: `--set`, `set-over`.

const FILE = [
  'user_id,amount,currency,title,cost_center_key',
  'u1,"1,100.50",EUR,Nov,PP-7',
  'u2,200,,Nov,PP-7',
  'u3,300,USD,Nov,PP-7',
  'u4,400,GBP,Dec,PP-7',
  'u5,500,eur,Dec,PP-7',
  '',
].join('\n');
const NUMBERS = ['--decimal', 'point'];

describe('a value that is set over the cells of a file', () => {
  it('is a warning for each file where it decides on money, and refuses under --strict', async () => {
    const found = await dry({ 'p.csv': FILE }, ...NUMBERS, '--set', 'currency=EUR');
    const issue = {
      severity: 'warning',
      code: 'set-over',
      field: 'currency',
      record: null,
      line: 4,
      value: 'USD',
      count: 2,
    };
    const message =
      '--set currency sends "EUR" instead of other values in 2 records: line 4 has "USD" under "currency". If the file is right, leave out --set currency';
    expect([found.code, issuesOf(found)]).toMatchObject([0, [{ ...issue, message }]]);
    const strict = await dry({ 'p.csv': FILE }, ...NUMBERS, '--set', 'currency=EUR', '--strict', '--skip-invalid');
    expect([strict.code, issuesOf(strict)]).toMatchObject([3, [{ ...issue, severity: 'error' }]]);
  });

  it.each([
    [['user_id=u1'], [['user_id', 3, 'u2', 4]]],
    [['amount=1100.50'], [['amount', 3, '200', 4]]],
    [
      ['amount=1', '--set', 'currency=USD'],
      [
        ['amount', 2, '1,100.50', 5],
        ['currency', 2, 'EUR', 3],
      ],
    ],
  ])('counts the records with another value: %s', async (set, expected) => {
    const found = await dry({ 'p.csv': FILE }, ...NUMBERS, '--set', ...set);
    const told = issuesOf(found).filter(({ code }) => code === 'set-over');
    expect(told.map(({ field, line, value, count }) => [field, line, value, count])).toEqual(expected);
  });

  it('is said in one line for other fields, also for parts of them, and not where nothing changes', async () => {
    const set = [
      '--set',
      'title=Nov',
      '--set',
      'cost_center_key=PP-7',
      '--set',
      'cost_center_data={"legal_entity":"Rom"}',
    ];
    const [head = '', first = '', ...rest] = FILE.split('\n');
    const parts = [`${head},cost_center_data.legal_entity`, `${first},Berlin`, ...rest.map((row) => `${row},Rom`)];
    const found = await dry({ 'p.csv': parts.slice(0, -1).join('\n') }, ...NUMBERS, ...set);
    expect(found.stderr.match(/^p\.csv: --set.*$/gm)).toEqual([
      'p.csv: --set cost_center_data sends {"legal_entity":"Rom"} instead of another value in 1 record: line 2 has "Berlin" under "cost_center_data.legal_entity"',
      'p.csv: --set title sends "Nov" instead of other values in 2 records: line 5 has "Dec" under "title"',
    ]);
    expect(issuesOf(found).filter(({ code }) => code === 'set-over')).toEqual([]);
  });

  it('holds for JSON, workbooks and settings, and counts no row that is filtered out', async () => {
    const list = [
      { user_id: 'u1', amount: 5, currency: 'USD', title: 'A', cost_center_key: 'K' },
      { user_id: 'u2', amount: 6, title: 'A', cost_center_key: 'K' },
    ];
    const table = sheet([
      ['user_id', 'amount', 'Cur', 'title', 'cost_center_key'],
      ['u1', 5, 'USD', 'A', 'K'],
      ['u2', 5, 'CHF', 'A', 'K'],
    ]);
    const profiles = {
      json: { set: { currency: 'EUR' } },
      book: { set: { currency: 'EUR' }, map: { Cur: 'currency' }, only: 'Cur=USD' },
    };
    const ws = workspaceWith({ 'p.json': JSON.stringify(list), 'p.xlsx': table, 'c.json': { profiles } });
    const call = 'payout create --dry-run --json --config c.json';
    const json = await ws.run(`${call} p.json --profile json`);
    const source =
      'set.currency in the profile json sends "EUR" instead of another value in 1 record: record 1 has "USD"';
    expect(issuesOf(json)).toMatchObject([
      { code: 'set-over', line: null, count: 1, message: expect.stringContaining(source) },
    ]);
    const book = await ws.run(`${call} p.xlsx --profile book`);
    const change = {
      code: 'set-over',
      line: 2,
      count: 1,
      message: expect.stringContaining('line 2 has "USD" under "Cur"'),
    };
    expect(issuesOf(book)).toMatchObject([change]);
  });
});

describe('a value without content', () => {
  it.each([
    [
      ['p.csv', '--set', 'currency='],
      /^--set currency has no value\. If a variable should give it, set that variable\. To send no currency, leave this out$/m,
    ],
    [['p.csv', '--set', 'title='], /^--set title has no value/m],
    [['p.csv', '--set', 'currency= '], /^--set currency has no value/m],
    [
      ['p.csv', '--set', 'cost_center_data=@empty.json'],
      /^--set cost_center_data has no value: empty\.json is empty\. To send/m,
    ],
    [
      ['p.csv', '--config', 'c.json'],
      /^set\.currency in \S*c\.json has no value\. To send no currency, leave this out$/m,
    ],
    [
      ['--user-id', 'u1', '--amount', '5', '--title', 'A', '--cost-center-key', 'K', '--currency', ''],
      /^--currency has no value/m,
    ],
    [
      ['--user-id', 'u1', '--amount', '5', '--title', 'A', '--cost-center-key', ' \t', '--currency', 'EUR'],
      /^--cost-center-key has no value/m,
    ],
  ])('is exit 2: %s', async (words, message) => {
    const ws = workspaceWith({ 'p.csv': FILE, 'empty.json': '\n', 'c.json': { set: { currency: '' } } });
    const { code, stderr } = await ws.run(['payout', 'create', ...words, '--dry-run']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

/** Files that nobody adapted: amounts with signs, amounts that go out, other columns, no header. CONTRACT: "Input flags". */
import { describe, expect, it, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { issuesOf, recordsOf } from '../support/desk.js';
import { bodiesOf, dry } from '../support/dry.js';
import { testService } from '../support/fixtures.js';

const SPENDING = [
  'Department of Transport,,,,',
  'Payments over 500 pounds,,,,',
  'Supplier,Date,Amount,Expense area,Transaction',
  'Acme Ltd,01-Jul-10,"£1,200.00",Roads,T1',
  'Bolt & Co,05-Dec-10,-£80.50,Rail,T2',
].join('\r\n');

const SPENDING_FLAGS = [
  '--header-line',
  '3',
  '--decimal',
  'point',
  '--date-format',
  'dmy',
  '--currency-signs',
  '--map',
  'Supplier=user_id',
  '--map',
  'Amount=amount',
  '--map',
  'Date=billing_date',
  '--map',
  'Expense area=title',
  '--map',
  'Transaction=reference_id',
  '--set',
  'cost_center_key=PP',
];

describe('a list of public spending', () => {
  it('is read exactly, with signs that agree with the currency', async () => {
    const flags = [...SPENDING_FLAGS, '--set', 'currency=GBP', '--allow-negative'];
    const { code, events, stderr } = await dry({ 'spend.csv': SPENDING }, ...flags);
    const shared = { cost_center_key: 'PP', currency: 'GBP', idempotency_key: expect.any(String) };
    expect([code, bodiesOf(events, 'spend.csv')]).toEqual([
      0,
      [
        {
          user_id: 'Acme Ltd',
          amount: 1200,
          title: 'Roads',
          billing_date: '2010-07-01',
          reference_id: 'T1',
          ...shared,
        },
        {
          user_id: 'Bolt & Co',
          amount: -80.5,
          title: 'Rail',
          billing_date: '2010-12-05',
          reference_id: 'T2',
          ...shared,
        },
      ],
    ]);
    expect(stderr).toContain('header on line 3');
  });

  it.each<[string, string[], RegExp]>([
    ['without a currency', [], /--set currency=GBP/],
    ['with another', ['--set', 'currency=EUR'], /its record is in EUR/],
  ])('is refused %s', async (_name, flags, words) => {
    const result = await dry({ 'spend.csv': SPENDING }, ...SPENDING_FLAGS, ...flags);
    const errors = issuesOf(result).filter(({ severity }) => severity === 'error');
    const common = { code: 'bad-number', message: expect.stringMatching(words) };
    expect([result.code, errors]).toMatchObject([3, [4, 5].map((line) => ({ ...common, line }))]);
  });
});

test('a name that JSON from elsewhere often has is said to be the field that it probably is', async () => {
  const result = await dry({ 'p.json': '[{"user_id":"u1","Betrag":1,"title":"T","cost_center_key":"K"}]' });
  const message = expect.stringContaining('there is no field "Betrag". It is probably "amount".');
  expect(issuesOf(result, 'unknown-field')).toMatchObject([{ message }]);
});

test('columns that are dropped are said in one line, with a warning for the one that may be a field', async () => {
  const file = { 'p.csv': 'user_id;amount;title;cost_center_key;curency;Notiz\nu1;5;a;PP;EUR;x\n' };
  const all = await dry(file, '--ignore-other-columns');
  const named = await dry(file, '--ignore-column', 'curency', '--ignore-column', 'Notiz');
  for (const { code, stderr } of [all, named])
    expect([code, stderr]).toEqual([0, expect.stringContaining('p.csv: dropped 2 columns: "curency", "Notiz"\n')]);
  expect(issuesOf(all)).toMatchObject([
    {
      severity: 'warning',
      code: 'unknown-field',
      file: 'p.csv',
      record: null,
      field: 'curency',
      message: expect.stringContaining('Did you mean "currency"? Then add --map curency=currency'),
    },
  ]);
  expect(issuesOf(named)).toEqual([]);
});

test('the rejects of a file without column names are read by the same command, and replace what was rejected', async () => {
  const work = workspace();
  const service = await testService({
    respond: ({ body }) => (body.includes('"u2"') ? { status: 422, body: '{}' } : undefined),
  });
  const send = (file: string, more = '') =>
    work.run(
      `payout create ${file} --header-line 0 --map #1=user_id --map #2=amount --map #3=title --negate --decimal comma ` +
        `--set cost_center_key=PP --ignore-other-columns --base-url ${service.url} --json --yes ${more}`,
    );
  work.file('bank.csv', 'u1;-1,50;Bonus;x\nu2;-2,50;Bonus;y\n;-3,50;Bonus;z\n');
  const first = await send('bank.csv', '--skip-invalid --rejects r.csv');
  expect(first).toMatchObject({ code: 4, summary: { records: { created: 1, rejected: 1, invalid: 1 } } });
  const [header, second, third] = work.read('r.csv').split('\n');
  expect(header).toBe('#1;#2;#3;#4;gigwork_key;gigwork_error');
  expect(second).toMatch(new RegExp(`^u2;-2,50;Bonus;y;${recordsOf(first)[1].key};`));
  expect(third).toMatch(/^;-3,50;Bonus;z;;.*#1"" \(user_id\) is empty/);

  work.file('fixed.csv', work.read('r.csv').replace('u2;-2,50', 'u5;-2,55').replace('\n;-3', '\nu3;-3'));
  expect(await send('fixed.csv')).toMatchObject({ code: 0, summary: { records: { read: 2, created: 2 } } });
  const asked = service.requests.map(({ json }) => json as { user_id: string; amount: number });
  expect(asked.map(({ user_id: user, amount }) => `${user} ${amount}`)).toEqual([
    'u1 1.5',
    'u2 2.5',
    'u5 2.55',
    'u3 3.5',
  ]);
  // What was replaced is never sent again.
  const old = await send('bank.csv', '--skip-invalid --retry-rejected');
  expect(old.summary.records).toMatchObject({ already_created: 1, skipped: 1, invalid: 1 });
  expect([service.requestCount, service.ledgerTotal()]).toEqual([4, 3]);
});

test('the setup of a file without any needed column is a remedy for programs', async () => {
  const { code, summary } = await dry({ 'b.csv': 'Name,Betrag\nx,1\n' });
  expect(code).toBe(3);
  expect(summary.remedies).toMatchObject([{ code: 'setup', placeholders: [] }]);
  expect(summary.remedies[0].command.slice(1)).toEqual(['setup', expect.stringMatching(/b\.csv$/), '--type', 'payout']);
});

test('a column for a part of a query is told to be JSON: no column can be mapped to a part', async () => {
  const work = workspace();
  work.file('g.csv', 'title,description,url,start_at,end_at,filter_query.address.city\nA,d,https://e.de,1,2,Berlin\n');
  const found = await work.run('gig create g.csv --dry-run --json');
  const [{ message }] = issuesOf(found).filter((issue: { code: string }) => issue.code === 'unknown-field');
  expect(message).toBe(
    'The column "filter_query.address.city" is only a part of filter_query. Write it in one column filter_query as JSON, such as {"address.city":"…"}, or fill it in with --template. To ignore it, add --ignore-column filter_query.address.city',
  );
});

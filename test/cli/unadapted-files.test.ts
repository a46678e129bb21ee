/** Files that nobody adapted: amounts with signs, amounts that go out, other columns, no header. CONTRACT: "Input flags". */
import { describe, expect, it, test } from 'vitest';
import { workspace, type Workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

const SPENDING = [
  'Department of Transport,,,,',
  'Payments over 500 pounds,,,,',
  'Supplier,Date,Amount,Expense area,Transaction',
  'Acme Ltd,01-Jul-10,"£1,200.00",Roads,T1',
  'Bolt & Co,05-Dec-10,-£80.50,Rail,T2',
].join('\r\n');

const SPENDING_FLAGS = [
  ...['--header-line', '3', '--decimal', 'point', '--date-format', 'dmy', '--currency-signs'],
  ...['--map', 'Supplier=user_id', '--map', 'Amount=amount', '--map', 'Date=billing_date'],
  ...['--map', 'Expense area=title', '--map', 'Transaction=reference_id', '--set', 'cost_center_key=PP'],
];

async function dry(work: Workspace, file: string, ...flags: string[]) {
  const result = await work.run(['payout', 'create', file, '--dry-run', '--json', ...flags]);
  const bodies = result.events.filter(({ event }) => event === 'record').map(({ request }) => request as object | null);
  return { ...result, bodies };
}

function withoutKey(bodies: readonly (object | null)[]): object[] {
  return bodies.map((body) => ({ ...body, idempotency_key: null }));
}

describe('a list of public spending', () => {
  it('is read exactly, with signs that agree with the currency', async () => {
    const work = workspace();
    work.file('spend.csv', SPENDING);
    const flags = [...SPENDING_FLAGS, '--set', 'currency=GBP', '--allow-negative'];
    const { code, bodies, stderr } = await dry(work, 'spend.csv', ...flags);
    expect(code).toBe(0);
    const shared = { cost_center_key: 'PP', currency: 'GBP', idempotency_key: null };
    expect(withoutKey(bodies)).toEqual([
      { user_id: 'Acme Ltd', amount: 1200, title: 'Roads', billing_date: '2010-07-01', reference_id: 'T1', ...shared },
      { user_id: 'Bolt & Co', amount: -80.5, title: 'Rail', billing_date: '2010-12-05', reference_id: 'T2', ...shared },
    ]);
    expect(stderr).toContain('header on line 3');
  });

  it.each<[string, string[], RegExp]>([
    ['without a currency', [], /--set currency=GBP/],
    ['with another', ['--set', 'currency=EUR'], /its record is in EUR/],
  ])('is refused %s', async (_name, flags, words) => {
    const work = workspace();
    work.file('spend.csv', SPENDING);
    const { code, events } = await dry(work, 'spend.csv', ...SPENDING_FLAGS, ...flags);
    expect(code).toBe(3);
    const issues = events.filter(({ event, severity }) => event === 'issue' && severity === 'error');
    expect(issues.map(({ code: issue, line }) => [issue, line])).toEqual([
      ['bad-number', 4],
      ['bad-number', 5],
    ]);
    for (const { message } of issues) expect(message).toMatch(words);
  });
});

test('a name that JSON from elsewhere often has is said to be the field that it probably is', async () => {
  const work = workspace();
  work.file('p.json', '[{"user_id":"u1","Betrag":1,"title":"T","cost_center_key":"K"}]');
  const { events } = await dry(work, 'p.json');
  const message = expect.stringContaining('there is no field "Betrag". It is probably "amount".');
  expect(events).toContainEqual(expect.objectContaining({ code: 'unknown-field', message }));
});

describe('columns that are dropped', () => {
  const FILE = 'user_id;amount;title;cost_center_key;curency;Notiz\nu1;5;a;PP;EUR;x\n';

  it('are said in one line, with a warning for the one that may be a field', async () => {
    const work = workspace();
    work.file('p.csv', FILE);
    const { code, stderr, events, summary } = await dry(work, 'p.csv', '--ignore-other-columns');
    expect([code, summary.warnings]).toEqual([0, 1]);
    expect(stderr).toContain('p.csv: dropped 2 columns: "curency", "Notiz"\n');
    expect(events.find(({ event }) => event === 'issue')).toMatchObject({
      ...{ severity: 'warning', code: 'unknown-field', file: 'p.csv', record: null, field: 'curency' },
      message: expect.stringContaining('Did you mean "currency"? Then add --map curency=currency'),
    });
    const named = await dry(work, 'p.csv', '--ignore-column', 'curency', '--ignore-column', 'Notiz');
    expect([named.code, named.summary.warnings]).toEqual([0, 0]);
    expect(named.stderr).toContain('p.csv: dropped 2 columns: "curency", "Notiz"\n');
  });
});

describe('the rejects of a file without column names', () => {
  const FLAGS = [
    ...['--header-line', '0', '--map', '#1=user_id', '--map', '#2=amount', '--map', '#3=title'],
    ...['--set', 'cost_center_key=PP', '--ignore-other-columns', '--decimal', 'comma', '--negate'],
  ];

  it('are read by the same command, and replace what was rejected', async () => {
    const work = workspace();
    const service = await testService({
      respond: ({ json }) => ((json as { user_id: string }).user_id === 'u2' ? { status: 422, body: '{}' } : undefined),
    });
    const send = [...FLAGS, '--base-url', service.url, '--json', '--yes'];
    work.file('bank.csv', 'u1;-1,50;Bonus;x\nu2;-2,50;Bonus;y\n;-3,50;Bonus;z\n');
    const first = await work.run(['payout', 'create', 'bank.csv', ...send, '--skip-invalid', '--rejects', 'r.csv']);
    expect(first).toMatchObject({ code: 4, summary: { records: { created: 1, rejected: 1, invalid: 1 } } });
    const key = first.events.find(({ event, status }) => event === 'record' && status === 'rejected')?.['key'];
    const [header, second, third] = work.read('r.csv').split('\n');
    expect(header).toBe('#1;#2;#3;#4;gigwork_key;gigwork_error');
    expect(second).toMatch(new RegExp(`^u2;-2,50;Bonus;y;${key};`));
    expect(third).toMatch(/^;-3,50;Bonus;z;;.*#1"" \(user_id\) is empty/);

    work.file('fixed.csv', work.read('r.csv').replace('u2;-2,50', 'u5;-2,55').replace('\n;-3', '\nu3;-3'));
    const again = await work.run(['payout', 'create', 'fixed.csv', ...send]);
    expect(again).toMatchObject({ code: 0, summary: { records: { read: 2, created: 2 } } });
    const asked = service.requests.map(({ json }) => json as { user_id: string; amount: number });
    expect(asked.map(({ user_id: user, amount }) => [user, amount])).toEqual([
      ['u1', 1.5],
      ['u2', 2.5],
      ['u5', 2.55],
      ['u3', 3.5],
    ]);
    // What was replaced is never sent again.
    const old = await work.run(['payout', 'create', 'bank.csv', ...send, '--skip-invalid', '--retry-rejected']);
    expect(old.summary.records).toMatchObject({ already_created: 1, skipped: 1, invalid: 1 });
    expect([service.requestCount, service.ledgerTotal()]).toEqual([4, 3]);
  });
});

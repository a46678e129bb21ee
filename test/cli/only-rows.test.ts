import { describe, expect, it, test } from 'vitest';
import { workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { bodiesOf, dry } from '../support/dry.js';
import { sheet } from '../support/workbook.js';

// CONTRACT: `--only`.

const BANK = [
  'user_id;amount;title;cost_center_key;S/H;currency',
  'u1;-12,50;Bonus;PP-7;S;EUR',
  'u2;300,00;Refund;PP-7;H;EUR',
  'u3;-7;Bonus;PP-7; S ;EUR',
  'u4;30,95;Refund;PP-7;h;EUR',
  'u5;;Fee;PP-7;;EUR',
  '',
].join('\n');
const GERMAN = ['--decimal', 'comma', '--ignore-column', 'S/H'];

function users(events: Parameters<typeof bodiesOf>[0]): unknown[] {
  return bodiesOf(events, 'b.csv').flatMap((body) => (body as { user_id: string } | null)?.user_id ?? []);
}

describe('--only', () => {
  it.each([
    ['a text, without the spaces around it', ['S/H=S'], ['u1', 'u3']],
    ['any other text', ['S/H!=S', '--allow-negative', '--only', 'user_id!=u5'], ['u2', 'u4']],
    ['a number below zero, as it is typed', ['amount<0', '--negate'], ['u1', 'u3']],
    ['a number above zero', ['amount > 0'], ['u2', 'u4']],
    ['all of several', ['S/H=H', '--only', 'amount>0'], ['u2']],
  ])('reads the rows with %s', async (_what, flags, expected) => {
    const negative = flags.includes('--negate') || flags[0] === 'S/H=S' ? ['--allow-negative'] : [];
    const found = await dry({ 'b.csv': BANK }, ...GERMAN, ...negative, '--only', ...flags);
    expect([found.code, users(found.events)]).toEqual([0, expected]);
  });

  it('filters out rows that are no records, and says how many and their amounts', async () => {
    const { stderr, events, summary } = await dry({ 'b.csv': BANK }, ...GERMAN, '--only', 'amount<0', '--negate');
    expect(stderr).toContain('b.csv: 3 of 5 rows filtered out, 330.95 EUR, by --only "amount<0"\n');
    expect(summary?.records).toMatchObject({ read: 2, valid: 2 });
    const places = events
      .filter(({ event }) => event === 'record')
      .map(({ record, line }) => `${record}, line ${line}`);
    expect(places).toEqual(['1, line 2', '2, line 4']);
  });

  it('says that they are the reason where no row is left', async () => {
    const found = await dry({ 'b.csv': BANK }, ...GERMAN, '--only', 'user_id=nobody');
    const message = expect.stringContaining('All rows are filtered out, by --only');
    expect([found.code, issuesOf(found)]).toMatchObject([3, [{ code: 'no-records', message }]]);
  });

  it('needs no other word about its column, and refuses a cell that is no number', async () => {
    const file = 'user_id,amount,title,cost_center_key,Haben\nu1,5,A,K,\nu2,6,B,K,n/a\nu3,7,C,K,3\nu4,8,D,K,-\n';
    const found = await dry({ 'b.csv': file }, '--only', 'Haben>0');
    const wrong = { code: 'bad-number', record: 1, line: 3, value: 'n/a' };
    expect([found.code, issuesOf(found)]).toMatchObject([3, [wrong]]);
    expect(users(found.events)).toEqual(['u3']);
    const amounts = await dry({ 'b.csv': file.replace('5', 'five') }, '--only', 'amount>0', '--ignore-column', 'Haben');
    const fault = { code: 'bad-number', field: 'amount', line: 2 };
    expect([amounts.code, issuesOf(amounts)]).toMatchObject([3, [fault]]);
  });

  it.each([
    ['St=paid', '#N/V', 'spreadsheet-error'],
    ['St!=open', '########', 'spreadsheet-error'],
    ['St!=#NV', '#NV', undefined],
  ])('under %s, %s is no value that decides', async (rule, cell, code) => {
    const file = `user_id,amount,title,cost_center_key,St\nu1,5,A,K,paid\nu2,6,B,K,${cell}\n`;
    const found = await dry({ 'b.csv': file }, '--only', rule);
    expect(issuesOf(found).map((issue) => [issue.code, issue.line, issue.value])).toEqual(
      code === undefined ? [] : [[code, 3, cell]],
    );
  });

  it('reads a row that does not fit its header, so that it is a fault', async () => {
    const file = 'user_id,amount,title,cost_center_key,St\nu1,5,A,K,no\nu2,6,B,K,yes,no\n';
    const found = await dry({ 'b.csv': file }, '--only', 'St=no');
    expect([found.code, issuesOf(found)]).toMatchObject([3, [{ code: 'bad-csv', record: 2, line: 3 }]]);
  });

  it.each([
    [['--only', 'Stat=x'], /--only "Stat=x": the file has no column "Stat"/],
    [['--only', 'amount>100'], /--only takes COLUMN=VALUE, COLUMN!=VALUE, COLUMN<0 or COLUMN>0; found "amount>100"/],
    [['--config', 'c.json'], /only in .*c\.json "Haben=1": the file has no column "Haben"/],
  ])('with a column that the file lacks, or another test, is exit 2: %s', async (flags, words) => {
    const ws = workspaceWith({ 'b.csv': BANK, 'c.json': { only: 'Haben=1' } });
    const { code, stderr } = await ws.run(['payout', 'create', 'b.csv', '--dry-run', ...GERMAN, ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it('holds for workbooks, and chooses no objects of JSON', async () => {
    const table = sheet([
      ['user_id', 'amount', 'title', 'cost_center_key', 'Status'],
      ['u1', 5, 'A', 'K', 'paid'],
      ['u2', 6, 'B', 'K', 'open'],
    ]);
    const found = await dry({ 'b.xlsx': table }, '--only', 'Status=open');
    expect([found.code, bodiesOf(found.events, 'b.xlsx')]).toEqual([0, [expect.objectContaining({ user_id: 'u2' })]]);
    const json = await dry({ 'b.json': '[{"user_id":"u1"}]' }, '--only', 'Status=open');
    expect([json.code, json.stderr]).toEqual([2, expect.stringContaining('this file is JSON')]);
  });

  it('leaves out the same rows of rejects and results, which the same command reads again', async () => {
    const ws = workspaceWith({ 'b.csv': BANK.replace('u3;-7', ';-7') });
    const call = `payout create --sandbox --yes ${GERMAN.join(' ')} --only amount<0 --negate`;
    expect((await ws.run(`${call} b.csv --skip-invalid --rejects r.csv --results d.csv`)).code).toBe(4);
    expect(ws.read('r.csv').split('\n')).toEqual([
      'user_id;amount;title;cost_center_key;S/H;currency;gigwork_key;gigwork_error',
      expect.stringMatching(/^;-7;Bonus;PP-7; S ;EUR;;/),
      '',
    ]);
    const typed = ws.read('d.csv').split('\n');
    expect(typed.map((line) => line.replace(/;(?:\w+|);[^;]{36};[^;]+;/, ';…;'))).toEqual([
      'user_id;amount;title;cost_center_key;S/H;currency;gigwork_status;gigwork_id;gigwork_key;gigwork_at;gigwork_error',
      'u1;-12,50;Bonus;PP-7;S;EUR;created;…;',
      'u2;300,00;Refund;PP-7;H;EUR;filtered;;;;amount<0',
      expect.stringMatching(/^;-7;Bonus;PP-7; S ;EUR;invalid;/),
      'u4;30,95;Refund;PP-7;h;EUR;filtered;;;;amount<0',
      'u5;;Fee;PP-7;;EUR;filtered;;;;amount<0',
      '',
    ]);
    ws.file('r.csv', ws.read('r.csv').replace('\n;', '\nu3;'));
    expect((await ws.run(`${call} r.csv`)).code).toBe(0);
  });

  it('tells the rows and their sum, by rule and currency, in the summary, the review and the page', async () => {
    const rows = ['u2;1.000,00;Refund;PP-7;H;USD', 'u3;€ 5;Bonus;PP-7;H;EUR', 'u6;7;Bonus;PP-7;S;EUR'];
    const ws = workspaceWith({ 'b.csv': `${BANK}${rows.join('\n')}\n` });
    const call = ['payout', 'create', 'b.csv', '--dry-run', ...GERMAN, '--only', 'S/H=S', '--only', 'amount>0'];
    const { summary } = await ws.run([...call, '--json', '--report', 'p.html']);
    const sums = [
      { currency: 'EUR', amount: '335.95', unit: null },
      { currency: 'USD', amount: '1000', unit: null },
    ];
    expect(summary).toMatchObject({
      records: { read: 1 },
      filtered: [
        { rule: 'S/H=S', count: 5, totals: sums },
        { rule: 'amount>0', count: 2, totals: [{ currency: 'EUR', amount: '-19.5', unit: null }] },
      ],
    });
    const lines = [
      'Filtered out by --only "S/H=S": 5 rows, 335.95 EUR, 1,000.00 USD',
      'Filtered out by --only "amount>0": 2 rows, -19.50 EUR',
    ];
    const { stdout } = await ws.run(call);
    const page = ws.read('p.html').replaceAll('&quot;', '"').replaceAll('&gt;', '>');
    for (const line of lines) {
      expect(stdout).toContain(`${line}\n`);
      expect(page).toContain(`${line}. No sum counts them.`);
    }
  });

  it('says how many amounts cannot be read, and computes those of results', async () => {
    const file = 'user_id,amount,title,cost_center_key,St\nu1,5,A,K,x\nu2,six,B,K,y\nu3,7,C,K,y\n';
    const { stderr } = await dry({ 'b.csv': file }, '--only', 'St=x');
    expect(stderr).toContain('2 of 3 rows filtered out, 7, 1 without a readable amount, by --only "St=x"\n');
    const head = 'gig_task_id,user_id,title,quantity,cost_center_key,currency,base_price,multiplier,St';
    const results = [
      't1,u1,A,1,K,EUR,250,,x',
      't1,u2,A,3,K,EUR,250,1.5,y',
      't1,u3,,n/a,K,EUR,250,,y',
      't2,u4,A,2,K,EUR,,,y',
    ];
    const ws = workspaceWith({
      'r.csv': `${head}\n${results.join('\n')}\n`,
      'p.csv': 'gig_task_id,base_price\nt2,100\n',
    });
    const priced = await ws.run('result create r.csv --dry-run --json --only St=x --prices p.csv');
    const totals = [{ currency: 'EUR', amount: '1325', unit: 'cents' }];
    expect([priced.code, priced.summary]).toMatchObject([0, { filtered: [{ rule: 'St=x', count: 3, totals }] }]);
    expect(priced.stderr).toContain('1,325 EUR cents, 1 without a readable amount');
  });

  it('does not count filtered rows among those that a total or a twin is made of', async () => {
    const rows = ['u1,5,A,K,x', 'u2,6,B,K,x', 'u3,7,C,K,x', 'u4,18,D,K,y', 'u1,5,A,K,y'];
    const file = `user_id,amount,title,cost_center_key,St\n${rows.join('\n')}\n`;
    const found = await dry({ 'b.csv': file }, '--only', 'St=y');
    expect([found.code, issuesOf(found)]).toEqual([0, []]);
  });
});

test('settings pad short rows, leave out rows with the flags, and say how long a key is remembered', async () => {
  const profile = { pad_short_rows: true, only: ['S/H!=S', 'amount>0'], key_lifetime: 48, decimal: 'comma' };
  const bank = BANK.replace('u1;-12,50;Bonus;PP-7;S;EUR', 'u1;12,50;Bonus;PP-7;H');
  const ws = workspaceWith({ 'b.csv': bank, 'c.json': { profiles: { bank: profile } } });
  const flags = '--json --config c.json --profile bank';
  const { code, events } = await ws.run(`payout create b.csv --dry-run ${flags} --only user_id!=u4`);
  expect([code, users(events)]).toEqual([0, ['u1', 'u2']]);
  expect((await ws.run(`config show ${flags}`)).stdout).toContain('only.S/H!=S');
});

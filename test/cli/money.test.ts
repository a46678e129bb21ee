/** Money as people see it, what is doubted of it, and the prices of results. CONTRACT: "Money", "Input flags". */
import { describe, expect, it } from 'vitest';
import { csv, type Row } from '../support/builders.js';
import { type CliResult, type Content, workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { dry } from '../support/dry.js';

type Files = Readonly<Record<string, Content>>;

/** Runs results dry, from the first file. */
const dryResults = (files: Files, flags = '--json'): Promise<CliResult> =>
  workspaceWith(files).run(`result create ${Object.keys(files)[0]} --dry-run ${flags}`);

const done = (task: string, user: string, more: Row = {}): Row => ({
  gig_task_id: task,
  user_id: user,
  title: `Of ${user}`,
  quantity: '2',
  cost_center_key: 'PP-1',
  currency: 'EUR',
  ...more,
});
const RESULTS = csv([
  done('t1', 'u1', { quantity: '7.5', multiplier: '1.3333' }),
  done('t2', 'u2', { quantity: '1000', currency: 'CHF' }),
  done('t3', 'u3'),
]);
const PRICES = 'gig_task_id,base_price\nt1,187.5\nt2,24000\nnothing,0\nless,-5\nunused,0\n';
const PRICED = { 'in.csv': RESULTS, 'prices.csv': PRICES };

describe('money as people see it', () => {
  it('is explained record by record; grouped and exact, with a sum for each currency and unpriced results apart', async () => {
    const { stdout } = await dryResults(PRICED, '--prices prices.csv --explain');
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'gig results: amounts in cents: quantity × base price × multiplier',
      'in.csv, line 2: 7.5 × 187.5 × 1.3333 = 1,874.953125 EUR cents',
      'in.csv, line 3: 1000 × 24000 × 1.0 = 24,000,000 CHF cents',
      'in.csv, line 4: 2 × unknown price × 1.0 = not known',
    ]);
    expect(stdout).toMatch(/^ {2}CHF +PP-1 +would be sent +1 +24,000,000 +0$/m);
    expect(stdout).toMatch(/^ {2}EUR +PP-1 +would be sent +2 +1,874\.953125 +1$/m);
    expect(stdout).not.toMatch(/\ball\b/);
  });

  it.each(['', '--json', '--json --quiet'])(
    'a control total that is missed is told on standard error: %s',
    async (flags) => {
      // Sums that binary floating point gets wrong.
      const rows = ['0.1', '0.2', '1234567.3', '-0.55'].map((amount, i) => `u${i},${amount},T,PP-1,EUR\n`);
      const work = workspaceWith({ 'in.csv': `user_id,amount,title,cost_center_key,currency\n${rows.join('')}` });
      const { code, stderr, summary } = await work.run(
        `payout create in.csv --dry-run --allow-negative --expect-total EUR=1234567 ${flags}`,
      );
      expect([code, summary?.stop_reason]).toEqual([3, flags === '' ? undefined : 'control_total']);
      expect(stderr).toMatch(/--expect-total EUR=1234567\b.*1,?234,?567\.05/);
    },
  );

  it.each([
    ['EUR=1234567,05', 0],
    ['EUR=1.234.567,05', 0],
    ['1,234,567.05', 0],
    ['EUR=1234567.05', 0],
    ['EUR=1234567,50', 3],
  ])('a control total may be written as at the question: %s, exit %i', async (total, code) => {
    const row = 'u1,1234567.05,T,PP-1,EUR';
    const work = workspaceWith({ 'in.csv': `user_id,amount,title,cost_center_key,currency\n${row}\n` });
    const result = await work.run(['payout', 'create', 'in.csv', '--dry-run', '--json', '--expect-total', total]);
    expect([result.code, result.summary.stop_reason]).toEqual([code, code === 0 ? null : 'control_total']);
  });
});

describe('prices', () => {
  it('in a result file must agree with one another: no flag leaves one of two out, and with it a total', async () => {
    const rows = [done('t1', 'u1', { base_price: '250' }), done('t1', 'u2', { base_price: '25' })];
    for (const given of [rows, rows.toReversed()]) {
      const { code, stderr } = await dryResults({ 'in.csv': csv(given) }, '--skip-invalid');
      expect([code, stderr]).toEqual([3, expect.stringMatching(/line 3: The task \S+ has two prices/)]);
    }
  });

  it('come from the list where a row has none, and must agree with it', async () => {
    const with2nd = (price: string): Files => ({
      'in.csv': csv([done('t1', 'u1', { base_price: '' }), done('t1', 'u2', { base_price: price })]),
      'prices.csv': PRICES,
    });
    const agreeing = await dryResults(with2nd('187.5'), '--prices prices.csv --json');
    expect(agreeing.summary.totals).toMatchObject({ result: [{ count: 2, amount: '750', unpriced: 0 }] });
    const other = await dryResults(with2nd('250'), '--prices prices.csv --json');
    expect([other.code, issuesOf(other, 'price-conflict')]).toMatchObject([3, [{ record: 2 }]]);
  });

  it.each(['1e400', '-1e400'])(
    'that no double stands for, %s, are refused in their own record, and the others told',
    async (price) => {
      const record = ({ base_price: given, ...row }: Row): string =>
        `${JSON.stringify(row).slice(0, -1)}${given === undefined ? '' : `,"base_price":${given as string}`}}`;
      const records = [
        record({ ...done('t1', 'u1', { base_price: price }), quantity: 1 }),
        record({ ...done('t2', 'u2', { base_price: '250' }), quantity: 1 }),
        record({ ...done('t3', 'u3'), quantity: '' }),
      ];
      for (const files of [{ 'in.json': `[${records.join(',')}]` }, { 'in.ndjson': records.join('\n') }] as Files[]) {
        const found = await dryResults(files);
        expect(found.code).toBe(3);
        expect(issuesOf(found).map(({ record: n, code, field }) => `${n} ${code} ${field}`)).toEqual([
          '1 inexact-number base_price',
          '3 wrong-type quantity',
          '3 unpriced base_price',
        ]);
        expect(found.summary.records).toMatchObject({ read: 3, invalid: 2, not_sent: 1 });
      }
    },
  );

  it('of zero or less are doubted in the results that they price', async () => {
    const files = { ...PRICED, 'in.csv': csv([done('nothing', 'u1'), done('less', 'u2'), done('t1', 'u3')]) };
    const found = await dryResults(files, '--prices prices.csv --json');
    const warning = { severity: 'warning', code: 'not-positive', field: 'base_price' };
    expect([found.code, found.summary.warnings, issuesOf(found)]).toMatchObject([
      0,
      2,
      [
        { ...warning, record: 1, message: 'The base price is zero (0)', value: '0' },
        { ...warning, record: 2, message: 'The base price is negative (-5)', value: '-5' },
      ],
    ]);
    const strict = await dryResults(files, '--prices prices.csv --strict --json');
    expect(strict.summary.records).toMatchObject({ valid: 1, invalid: 2 });
  });

  it.each([
    ['result create', '--set base_price=3', '--set'],
    ['batch import', '--set base_price=3', '--set'],
    ['result create', '--key-columns base_price', '--key-columns'],
  ])('given as if they were a field are told where they belong: %s %s', async (command, flags, flag) => {
    const { code, stderr } = await workspaceWith({ 'in.csv': RESULTS }).run(`${command} in.csv --dry-run ${flags}`);
    const beside = 'base_price is not sent with a record: add it as a column of the file, or in a list of prices with';
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} base_price: ${beside} --prices`)]);
  });
});

/** `line severity code` of what a dry run says of the rows below the usual header. */
async function doubts(rows: readonly string[], ...flags: string[]) {
  const text = `user_id,amount,title,cost_center_key,currency\n${rows.join('\n')}\n`;
  const result = await dry({ 'p.csv': text }, ...flags);
  const found = issuesOf(result).map(({ line, severity, code }) => `${line} ${severity} ${code}`);
  return { found: found.toSorted(), code: result.code, summary: result.summary };
}

const row = (amount: string, title = 'Bonus', currency = 'EUR'): string =>
  `u${amount},${amount},${title},PP-1,${currency}`;

// Which rows are sums: test/unit/prepare/amount-warnings.test.ts, test/unit/records/sum-words.test.ts.
describe('a row of sums', () => {
  const three = [row('10.10'), row('20.20'), row('30.30')];
  const BLOCKS = [row('1'), row('2', 'Subtotal'), row('3'), row('4', 'Subtotal'), row('5', 'Grand Total')];

  it.each<[string, string[], string[]]>([
    ['is doubted by its amount', [...three, row('60.60')], ['5 warning total-row']],
    ['has at least three amounts above it', [row('1'), row('2'), row('3')], []],
    ['is an error by its title', [row('1'), row('9', 'Summe:')], ['3 error total-row']],
    ['by its user, too', [row('1x'), 'TOTAL,3,x,PP-1,EUR'], ['2 error bad-number', '3 error total-row']],
    ['is known by block', BLOCKS, ['3 error total-row', '5 error total-row', '6 error total-row']],
  ])('%s', async (_what, rows, expected) => {
    const code = expected.some((each) => each.includes('error')) ? 3 : 0;
    expect(await doubts(rows)).toMatchObject({ found: expected, code });
  });

  it('is a record with --allow-total-row, and an error of any kind with --strict', async () => {
    const rows = [...three, row('9', 'Summe')];
    expect(await doubts(rows, '--allow-total-row')).toMatchObject({ found: [], code: 0 });
    const strict = await doubts([...three, row('60.60')], '--strict');
    expect(strict).toMatchObject({ found: ['5 error total-row'], code: 3 });
    const skipped = await doubts(rows, '--skip-invalid');
    expect([skipped.code, skipped.summary.records]).toMatchObject([4, { planned: 3, invalid: 1 }]);
  });

  it('says first that it is one, whatever else is wrong with it', async () => {
    const text = 'user_id,amount,title,cost_center_key\nu1,5,A,K\n,x,Total,\n';
    const [first, ...others] = issuesOf(await dry({ 'p.csv': text }));
    expect(first).toMatchObject({ code: 'total-row', line: 3 });
    expect(others.map(({ code }) => code)).toEqual(['bad-number', 'missing-field', 'missing-one-of']);
  });

  it('says so in its own title also where all titles are set', async () => {
    expect((await doubts([row('1', 'Summe')], '--set', 'title=Bonus')).found).toEqual(['2 error total-row']);
    const json = { 's.json': '[{"user_id":"u","amount":3,"title":"Summe","cost_center_key":"P"}]' };
    expect(issuesOf(await dry(json, '--set', 'title=Bonus'))).toMatchObject([{ code: 'total-row', field: 'title' }]);
    expect((await doubts([row('1')], '--set', 'title=Total')).found).toEqual([]);
  });
});

describe('an amount of zero or below', () => {
  it.each<[string, string[], string[]]>([
    ['is an error', [], ['2 error not-positive', '3 error not-positive']],
    ['is sent with --allow-negative', ['--allow-negative'], ['2 warning not-positive', '3 warning not-positive']],
    ['is the other one with --negate', ['--negate'], ['3 error not-positive', '4 error not-positive']],
    ['is no warning of --strict', ['--allow-negative', '--strict'], ['2 error not-positive', '3 error not-positive']],
  ])('%s', async (_what, flags, expected) => {
    const code = expected.some((each) => each.includes('error')) ? 3 : 0;
    expect(await doubts([row('-1'), row('0'), row('5')], ...flags)).toMatchObject({ found: expected, code });
  });
});

describe('a currency', () => {
  it('that only some records of a file have is missed in the others', async () => {
    const rows = [row('1', 'A', ''), row('5', 'B'), row('8', 'C', '')];
    expect((await doubts(rows)).found).toEqual(['2 warning no-currency', '4 warning no-currency']);
    expect(await doubts(rows, '--strict')).toMatchObject({ code: 3, summary: { records: { invalid: 2 } } });
    expect((await doubts([row('1', 'A', ''), row('5', 'B', '')])).found).toEqual([]);
    const invalid = ['2 error missing-field', '3 warning no-currency'];
    expect((await doubts([row('1', ''), row('5', 'B', '')])).found).toEqual(invalid);
  });

  it.each([
    ['10.005', 'EUR', ['2 warning sub-cent']],
    ['10.5', 'JPY', ['2 warning sub-cent']],
    ['10.50', 'EUR', []],
    ['10.0005', 'XAU', []],
    ['1.1234567', '', ['2 warning sub-cent']],
    ['1.1234560', '', []],
  ])('has so many decimals: %s %s', async (amount, currency, expected) => {
    expect((await doubts([row(amount, 'A', currency)], '--decimal', 'point')).found).toEqual(expected);
  });
});

import { describe, expect, test } from 'vitest';
import { workspace } from '../support/cli.js';

const HEAD = 'user_id,amount,title,cost_center_key,currency';

interface Issue {
  readonly severity: string;
  readonly code: string;
  readonly line: number | null;
}

/** `line severity code` of what a dry run says of the rows below the usual header. */
async function doubts(rows: readonly string[], flags: readonly string[] = [], head = HEAD) {
  const space = workspace();
  const file = space.file('p.csv', `${head}\n${rows.join('\n')}\n`);
  const { events, code, summary } = await space.run(['payout', 'create', file, '--dry-run', '--json', ...flags]);
  const issues = (events as (Issue & { event: string })[]).filter(({ event }) => event === 'issue');
  return { found: issues.map(({ line, severity, code: what }) => `${line} ${severity} ${what}`), code, summary };
}

const row = (amount: string, title = 'Bonus', currency = 'EUR', user = 'u'): string =>
  `${user}${amount},${amount},${title},PP-1,${currency}`;

describe('a row of sums', () => {
  const three = [row('10.10'), row('20.20'), row('30.30')];

  test.each<[string, string[], string[]]>([
    ['is doubted by its amount', [...three, row('60.60')], ['5 warning total-row']],
    ['has at least three amounts above it', [row('1'), row('2'), row('3')], []],
    ['is an error by its title', [row('1'), row('9', 'Summe:')], ['3 error total-row']],
    [
      'is an error by its user, with a bad number above',
      [row('1x'), 'TOTAL,3,x,PP-1,EUR'],
      ['2 error bad-number', '3 error total-row'],
    ],
    [
      'is known by block, and below all blocks',
      [row('1'), row('2', 'Subtotal'), row('3'), row('4', 'Subtotal'), row('5', 'Grand Total')],
      ['3 error total-row', '5 error total-row', '6 error total-row'],
    ],
  ])('%s', async (_what, rows, expected) => {
    const { found, code } = await doubts(rows);
    expect(found.sort()).toEqual(expected.sort());
    expect(code).toBe(expected.some((each) => each.includes('error')) ? 3 : 0);
  });

  test('is a record with --allow-total-row, and an error of any kind with --strict', async () => {
    const rows = [...three, row('9', 'Summe')];
    expect(await doubts(rows, ['--allow-total-row'])).toMatchObject({ found: [], code: 0 });
    expect(await doubts([...three, row('60.60')], ['--strict'])).toMatchObject({
      found: ['5 error total-row'],
      code: 3,
    });
    const skipped = await doubts(rows, ['--skip-invalid']);
    expect([skipped.code, skipped.summary.records]).toMatchObject([4, { planned: 3, invalid: 1 }]);
  });

  test('says so in its own title also where all titles are set', async () => {
    const flags = ['--set', 'title=Bonus'];
    expect((await doubts([row('1', 'Summe')], flags)).found).toEqual(['2 error total-row']);
    const space = workspace();
    const json = JSON.stringify([{ user_id: 'u', amount: 3, title: 'Summe', cost_center_key: 'P' }]);
    const { events } = await space.run([
      'payout',
      'create',
      space.file('s.json', json),
      '--dry-run',
      '--json',
      ...flags,
    ]);
    expect(events[0]).toMatchObject({ code: 'total-row', severity: 'error', field: 'title' });
    expect((await doubts([row('1')], ['--set', 'title=Total'])).found).toEqual([]);
  });
});

describe('an amount of zero or below', () => {
  test.each<[string, string[], string[]]>([
    ['is an error', [], ['2 error not-positive', '3 error not-positive']],
    ['is sent with --allow-negative', ['--allow-negative'], ['2 warning not-positive', '3 warning not-positive']],
    ['is the other one with --negate', ['--negate'], ['3 error not-positive', '4 error not-positive']],
    ['is no warning of --strict', ['--allow-negative', '--strict'], ['2 error not-positive', '3 error not-positive']],
  ])('%s', async (_what, flags, expected) => {
    const { found, code } = await doubts([row('-1'), row('0'), row('5')], flags);
    expect(found).toEqual(expected);
    expect(code).toBe(expected.some((each) => each.includes('error')) ? 3 : 0);
  });
});

describe('a currency', () => {
  test('that only some records of a file have is missed in the others', async () => {
    const rows = [row('1', 'A', ''), row('5', 'B'), row('8', 'C', '')];
    expect((await doubts(rows)).found.sort()).toEqual(['2 warning no-currency', '4 warning no-currency']);
    expect(await doubts(rows, ['--strict'])).toMatchObject({ code: 3, summary: { records: { invalid: 2 } } });
    expect((await doubts([row('1', 'A', ''), row('5', 'B', '')])).found).toEqual([]);
    const invalid = ['2 error missing-field', '3 warning no-currency'];
    expect((await doubts([row('1', ''), row('5', 'B', '')])).found.sort()).toEqual(invalid);
  });

  test.each([
    ['10.005', 'EUR', ['2 warning sub-cent']],
    ['10.5', 'JPY', ['2 warning sub-cent']],
    ['10.50', 'EUR', []],
    ['10.0005', 'XAU', []],
  ])('has so many decimals: %s %s', async (amount, currency, expected) => {
    expect((await doubts([row(amount, 'A', currency)], ['--decimal', 'point'])).found).toEqual(expected);
  });
});

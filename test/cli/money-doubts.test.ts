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

describe('a row whose amount is the sum of those above it', () => {
  test.each<[string, string[], string[]]>([
    ['is doubted', [row('10.10'), row('20.20'), row('30.30')], ['4 warning total-row']],
    ['is no sum of one amount', [row('10'), row('10', 'Bonus', 'EUR', 'w')], []],
    ['is another amount, by a cent', [row('10.10'), row('20.20'), row('30.31')], []],
    ['is an error where its title says so', [row('1'), row('2'), row('3', 'Summe November')], ['4 error total-row']],
    ['is an error where its user says so', [row('1'), row('2'), 'TOTAL,3,x,PP-1,EUR'], ['4 error total-row']],
    [
      'is known below a row of another currency',
      [row('1'), row('2', 'B', 'CHF'), row('3', 'Saldo')],
      ['4 error total-row'],
    ],
    [
      'is known behind an invalid row',
      [row('1'), row('2', ''), row('3', 'Gesamt')],
      ['3 error missing-field', '4 error total-row'],
    ],
    [
      'is known where it is invalid itself',
      [row('1'), row('2'), ',3,Total,,'],
      ['4 error missing-field', '4 error missing-one-of', '4 error total-row', '4 warning no-currency'].slice(0, 3),
    ],
    [
      'is known by block, and below all blocks',
      [
        row('1'),
        row('2'),
        row('3', 'Zwischensumme'),
        row('4'),
        row('5'),
        row('9', 'Zwischensumme'),
        row('12', 'Gesamtsumme'),
      ],
      ['4 error total-row', '7 error total-row', '8 error total-row'],
    ],
    [
      'may be negative',
      [row('-1'), row('-2'), row('-3', 'Total')],
      ['2 warning not-positive', '3 warning not-positive', '4 warning not-positive', '4 error total-row'],
    ],
    ['says so in a word of its own', [row('1'), row('2'), row('3', 'Totally different')], ['4 warning total-row']],
    ['and another text that says so are two things', [row('1'), row('2'), row('4', 'Total')], []],
  ])('%s', async (_what, rows, expected) => {
    const { found, code } = await doubts(rows);
    expect(found.sort()).toEqual(expected.sort());
    expect(code).toBe(expected.some((each) => each.includes('error')) ? 3 : 0);
  });

  test('says so in a column that is dropped', async () => {
    const rows = ['u1,1,A,PP-1,', 'u2,2,B,PP-1,', 'u3,3,C,PP-1,Summe'];
    const { found } = await doubts(rows, ['--ignore-column', 'note'], 'user_id,amount,title,cost_center_key,note');
    expect(found).toEqual(['4 error total-row']);
  });

  test('is a record with --allow-total-row, and an error of any kind with --strict', async () => {
    const rows = [row('1'), row('2'), row('3', 'Summe')];
    expect(await doubts(rows, ['--allow-total-row'])).toMatchObject({ found: [], code: 0 });
    const doubted = [row('1'), row('2'), row('3')];
    expect(await doubts(doubted, ['--strict'])).toMatchObject({ found: ['4 error total-row'], code: 3 });
    const skipped = await doubts(rows, ['--skip-invalid']);
    expect([skipped.code, skipped.summary.records]).toMatchObject([4, { planned: 2, invalid: 1 }]);
  });

  test('counts the rows of its own file, in JSON too', async () => {
    const space = workspace();
    const record = (amount: number, title: string) => ({
      user_id: `u${amount}`,
      amount,
      title,
      cost_center_key: 'PP-1',
    });
    const a = space.file('a.json', JSON.stringify([record(1, 'A'), record(2, 'B')]));
    const b = space.file('b.ndjson', `${JSON.stringify(record(3, 'Total'))}\n`);
    const both = await space.run(['payout', 'create', a, b, '--dry-run', '--json']);
    expect([both.code, both.summary.warnings]).toEqual([0, 0]);
    const c = space.file('c.json', JSON.stringify([record(1, 'A'), record(2, 'B'), record(3, 'Total')]));
    const one = await space.run(['payout', 'create', c, '--dry-run', '--json']);
    expect(one.events[0]).toMatchObject({ code: 'total-row', severity: 'error', record: 3, line: null });
  });
});

describe('an example of a template', () => {
  test('is one also where columns were removed, and none where a value was changed', async () => {
    const head = 'user_id,amount,title,cost_center_key';
    expect((await doubts(['usr_7f3a91,1200,Bonus November,PP-7'], [], head)).found).toEqual(['2 error example-row']);
    expect((await doubts(['usr_7f3a91,1201,Bonus November,PP-7'], [], head)).found).toEqual([]);
  });
});

describe('a currency', () => {
  test('that only some records of a file have is missed in the others', async () => {
    const rows = [row('1', 'A', ''), row('5', 'B'), row('8', 'C', '')];
    expect((await doubts(rows)).found.sort()).toEqual(['2 warning no-currency', '4 warning no-currency']);
    expect(await doubts(rows, ['--strict'])).toMatchObject({ code: 3, summary: { records: { invalid: 2 } } });
    expect((await doubts([row('1', 'A', ''), row('5', 'B', '')])).found).toEqual([]);
  });

  test.each([
    ['10.005', 'EUR', ['2 warning sub-cent']],
    ['10.0050', 'EUR', ['2 warning sub-cent']],
    ['10.5', 'JPY', ['2 warning sub-cent']],
    ['10.50', 'EUR', []],
    ['10', 'JPY', []],
    ['10.0055', 'KWD', ['2 warning sub-cent']],
    ['10.0005', '', []],
    ['10.0005', 'XAU', []],
  ])('has so many decimals: %s %s', async (amount, currency, expected) => {
    expect((await doubts([row(amount, 'A', currency)], ['--decimal', 'point'])).found).toEqual(expected);
  });
});

import { describe, expect, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { sheet } from '../support/workbook.js';

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

  test('is told with its amount as it was typed', async () => {
    const rows = ['u;-1.000,50;A;P', 'v;-0,50;B;P', 'w;-1,00;C;P', 'x;-1.002,00;D;P'];
    const space = workspace();
    const file = space.file('p.csv', `user_id;amount;title;cost_center_key\n${rows.join('\n')}\n`);
    const flags = ['--dry-run', '--json', '--decimal', 'comma', '--negate'];
    const { events } = await space.run(['payout', 'create', file, ...flags]);
    expect(events[0]).toMatchObject({ code: 'total-row', field: 'amount', value: '-1.002,00' });
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

  test('counts the rows of its own file', async () => {
    const space = workspace();
    const a = space.file('a.csv', `${HEAD}\n${three.join('\n')}\n`);
    const b = space.file('b.csv', `${HEAD}\n${row('60.60')}\n`);
    const both = await space.run(['payout', 'create', a, b, '--dry-run', '--json']);
    expect([both.code, both.summary.warnings]).toEqual([0, 0]);
  });

  test('is known in a workbook, by a formula below the amounts', async () => {
    const space = workspace();
    const rows = [
      ['no', 'user_id', 'amount', 'title', 'cost_center_key'],
      ['1', 'u1', { v: 1.1, format: '0.00' }, 'A', 'P'],
      ['2', 'u2', { v: 2.2, format: '0.00' }, 'B', 'P'],
      ['3', 'u3', { v: 3.3, format: '0.00' }, 'C', 'P'],
      ['Summe', 'u4', { v: 6.6, f: 'SUM(C2:C4)', format: '0.00' }, 'D', 'P'],
    ];
    const file = space.file('p.xlsx', sheet(rows));
    const { events } = await space.run(['payout', 'create', file, '--dry-run', '--json', '--ignore-column', 'no']);
    expect(events[0]).toMatchObject({ code: 'total-row', severity: 'warning', line: 5 });
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

describe('an example of a template', () => {
  test('is one also where columns were removed, and none where a value was changed', async () => {
    const head = 'user_id,amount,title,cost_center_key';
    expect((await doubts(['usr_7f3a91,1200,Bonus November,PP-7'], [], head)).found).toEqual(['2 error example-row']);
    expect((await doubts(['usr_7f3a91,1201,Bonus November,PP-7'], [], head)).found).toEqual([]);
  });

  test.each(['csv', 'json', 'ndjson'])('is one, as %s, where the command gives its fields, too', async (format) => {
    const space = workspace();
    for (const type of ['payout', 'result', 'gig']) {
      const { stdout } = await space.run(['template', type, '--format', format]);
      const file = space.file(`${type}.${format}`, stdout);
      const { events, code } = await space.run([
        type,
        'create',
        file,
        '--dry-run',
        '--json',
        '--set',
        'description=Pay',
      ]);
      expect([events[0].code, code]).toEqual(['example-row', 3]);
    }
  });

  test('is one where a person types it as flags', async () => {
    const space = workspace();
    const flags = ['--user-id', 'usr_7f3a91', '--title', 'Bonus November', '--cost-center-key', 'PP-7'];
    const code = async (amount: string) =>
      (await space.run(['payout', 'create', ...flags, '--amount', amount, '--dry-run'])).code;
    expect([await code('1200'), await code('1300')]).toEqual([3, 0]);
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

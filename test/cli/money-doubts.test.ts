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
      ['4 error missing-field', '4 error missing-one-of', '4 error total-row'],
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
    [
      'is known below groups of one person, too',
      [row('1'), row('2'), row('3', 'Zwischentotal'), row('4'), row('4', 'Zwischentotal', 'EUR', 'z')].concat(
        row('7', 'Gesamttotal'),
      ),
      ['4 error total-row', '6 error total-row', '7 error total-row'],
    ],
    [
      'is none among zeros',
      [row('0'), row('0', 'B'), row('0', 'Total')],
      [2, 3, 4].map((n) => `${n} warning not-positive`),
    ],
    ['is no Greek word', [row('1', 'Μισθός'), row('2', 'Μισθός'), row('3', 'Μισθός')], ['4 warning total-row']],
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

  test('is told with its amount as it was typed', async () => {
    const space = workspace();
    const file = space.file(
      'p.csv',
      'user_id;amount;title;cost_center_key\nu;-1.000,50;A;P\nv;-0,50;B;P\nw;-1.001,00;Summe;P\n',
    );
    const { events } = await space.run([
      'payout',
      'create',
      file,
      '--dry-run',
      '--json',
      '--decimal',
      'comma',
      '--negate',
    ]);
    expect(events[0]).toMatchObject({ code: 'total-row', field: 'amount', value: '-1.001,00' });
    expect(events[0].message).toContain('amount -1.001,00 is the sum of rows above it, and the row says "Summe"');
  });

  test('stays one in the rejects, until its amount or its text is another', async () => {
    const space = workspace();
    const file = space.file(
      'p.csv',
      `${HEAD}\n${[row('1'), row('2'), 'Summe,3,x,PP-1,EUR', ',9,y,PP-1,EUR'].join('\n')}\n`,
    );
    const first = await space.run([
      'payout',
      'create',
      file,
      '--sandbox',
      '--yes',
      '--skip-invalid',
      '--rejects',
      'r.csv',
    ]);
    expect(first.code).toBe(4);
    const corrected = space.read('r.csv').replace('\n,9', '\nu9,9');
    const again = async (text: string, ...flags: string[]) => {
      const run = await space.run(['payout', 'create', space.file('c.csv', text), '--dry-run', '--json', ...flags]);
      return run.events.map(({ event, code, line, status }) => (event === 'issue' ? `${line} ${code}` : status));
    };
    expect(await again(corrected)).toEqual(['2 total-row', 'invalid', 'not_sent', undefined]);
    expect(await again(corrected, '--allow-total-row')).toEqual(['planned', 'planned', undefined]);
    expect(await again(corrected.replace('Summe,3', 'Summe,4'))).toEqual(['planned', 'planned', undefined]);
    expect(await again(corrected.replace('Summe,3', 'u3,3'))).toEqual(['planned', 'planned', undefined]);
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

  test('is known in a workbook, by a formula below the amounts', async () => {
    const space = workspace();
    const rows = [
      ['no', 'user_id', 'amount', 'title', 'cost_center_key'],
      ['1', 'u1', { v: 1.1, format: '0.00' }, 'A', 'P'],
      ['2', 'u2', { v: 2.2, format: '0.00' }, 'B', 'P'],
      ['Summe', 'u3', { v: 3.3, f: 'SUM(C2:C3)', format: '0.00' }, 'C', 'P'],
    ];
    const file = space.file('p.xlsx', sheet(rows));
    const { events } = await space.run(['payout', 'create', file, '--dry-run', '--json', '--ignore-column', 'no']);
    expect(events[0]).toMatchObject({ code: 'total-row', severity: 'error', line: 4 });
  });

  test('says so in JSON wherever CSV would: in a dropped or nested text, and in one that is set', async () => {
    const space = workspace();
    const record = (amount: number, more: object) => ({
      user_id: 'u',
      amount,
      title: 'A',
      cost_center_key: 'P',
      ...more,
    });
    const severity = async (last: object, ...flags: string[]) => {
      const file = space.file('s.json', JSON.stringify([record(1, {}), record(2, {}), record(3, last)]));
      const { events } = await space.run(['payout', 'create', file, '--dry-run', '--json', ...flags]);
      return events.filter(({ code }) => code === 'total-row').map(({ severity: found }) => found);
    };
    expect(await severity({ note: 'Summe' }, '--ignore-column', 'note')).toEqual(['error']);
    const data = { legal_entity: 'Summe', inhouse: 'No', partner_project_code: 'P' };
    expect(await severity({ cost_center_data: data })).toEqual(['error']);
    expect(await severity({ title: 'Summe' }, '--set', 'title=Bonus')).toEqual(['error']);
    expect(await severity({}, '--set', 'title=Total pay')).toEqual(['warning']);
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

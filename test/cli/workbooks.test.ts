import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspace, workspaceWith } from '../support/cli.js';
import { openDesk, openDeskAnswering, expectRefused, recordsOf } from '../support/desk.js';
import { testService } from '../support/fixtures.js';
import { type CellSpec, sheet, workbook } from '../support/workbook.js';
import { writtenRows, writtenXml } from '../support/written-sheet.js';

const HEAD = ['user_id', 'amount', 'title', 'cost_center_key', 'billing_date'];
const DAY = { v: 46327, format: 'dd.mm.yyyy' };
const CSV = `${HEAD.join(',')}\nu1,12.5,Bonus,PP-1,2026-11-01\n00123,7,"a ""b"", c",PP-1,\n`;
const ROWS: CellSpec[][] = [
  HEAD,
  ['u1', { v: 12.5, format: '0.00' }, 'Bonus', 'PP-1', DAY],
  ['00123', 7, 'a "b", c', 'PP-1'],
];

const dry = (at: Workspace, ...words: string[]): ReturnType<Workspace['run']> =>
  at.run(['payout', 'create', ...words, '--dry-run', '--json']);

/** What would be sent, and what is wrong with the rest. */
async function meant(at: Workspace, ...words: string[]): Promise<{ status: string; key: unknown; request: object }[]> {
  return recordsOf(await dry(at, ...words)).map(({ status, key, request }) => ({ status, key, request }));
}

/** The XML of the table in a workbook with one sheet. */
function sheetOf(at: Workspace, name: string): Promise<string> {
  return writtenXml(readFileSync(at.path(name)));
}

describe('a workbook', () => {
  it('gives the records and keys of the CSV that holds the same', async () => {
    const at = workspaceWith({ 'a.csv': CSV, 'a.xlsx': sheet(ROWS), 'a.bin': sheet(ROWS) });
    const fromCsv = await meant(at, 'a.csv');
    expect(fromCsv).toHaveLength(2);
    for (const name of ['a.xlsx', 'a.bin']) expect(await meant(at, name)).toEqual(fromCsv);
    const piped = await at.run('payout create - --dry-run --json', { input: sheet(ROWS) });
    expect(recordsOf(piped).map(({ key }) => key)).toEqual(fromCsv.map(({ key }) => key));
  });

  it('says which sheet it was; of several one is chosen by a flag or a setting, by name or number', async () => {
    const at = workspace();
    at.file('a.xlsx', sheet(ROWS));
    expect((await dry(at, 'a.xlsx')).stderr).toContain('a.xlsx: xlsx, sheet "Sheet1"');
    const sheets = [
      { name: 'October', rows: [HEAD] },
      { name: 'November', rows: ROWS },
    ];
    at.file('b.xlsx', workbook({ sheets }));
    const asked = await dry(at, 'b.xlsx');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('--sheet: 1 "October", 2 "November"');
    for (const wanted of ['November', 2]) {
      expect((await dry(at, 'b.xlsx', '--sheet', String(wanted))).summary).toMatchObject({ records: { planned: 2 } });
      at.file('config.json', JSON.stringify({ sheet: wanted }));
      expect((await dry(at, 'b.xlsx', '--config', 'config.json')).code).toBe(0);
    }
  });

  it('tells once of a currency that only its cells show, and of dates that are partly text', async () => {
    const row = (date: CellSpec): CellSpec[] => ['u1', { v: 5, format: '[$CHF] 0.00' }, 'Bonus', 'PP-1', date];
    const at = workspaceWith({
      'a.xlsx': sheet([HEAD, row({ v: 46092, format: 14 }), row('13.11.2026'), row('14.11.2026')]),
    });
    const { code, stderr, events } = await dry(at, 'a.xlsx', '--date-format', 'dmy');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'a.xlsx: the cells of "amount" show "CHF", but these amounts will be sent without a currency. To send it, add --set currency=CHF\n',
    );
    const issues = events.filter(({ code: found }) => found === 'mixed-dates');
    expect(issues).toMatchObject([{ severity: 'warning', field: 'billing_date', record: null, line: 3, count: 3 }]);
    for (const words of ['E2 is a date (2026-03-11)', 'E3 is text ("13.11.2026")', 'E2 may mean 2026-11-03'])
      expect(issues[0]?.message).toContain(words);
    expect((await dry(at, 'a.xlsx', '--date-format', 'dmy', '--strict')).code).toBe(3);
    expect((await dry(at, 'a.xlsx', '--set', 'currency=EUR', '--date-format', 'dmy')).stdout).toContain(
      'shows \\"CHF\\"',
    );
  });

  it('with two months of the same columns is not read by a profile for one of them, until a person says which', async () => {
    const sheets = [
      { name: 'October', rows: [['Pay list'], [], ROWS[0] ?? [], ['u1', 1, 'Bonus']] },
      { name: 'Notes', rows: [['anything'], ['else']] },
      { name: 'Old', state: 'hidden' as const, rows: ROWS },
      { name: 'November', rows: ROWS },
      { name: 'December', rows: ROWS },
    ];
    const at = workspaceWith({ 'a.xlsx': workbook({ sheets }) });
    const call = (known: string[] | undefined, ...words: string[]): ReturnType<typeof dry> => {
      const profiles = { pay: { sheet: 'November', known_sheets: known } };
      at.file('config.json', JSON.stringify({ profiles }));
      return dry(at, 'a.xlsx', '--config', 'config.json', '--profile', 'pay', ...words);
    };
    const refused = await call(undefined);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'the profile pay names the sheet "November", but "October", "December" have the same columns',
    );
    expect(refused.stderr).toContain('--sheet October or --sheet December or --sheet November');
    expect((await call(['october'])).stderr).toContain('but "December" has the same columns');
    expect((await call(['October', 'December'])).code).toBe(0);
    expect((await call(undefined, '--sheet', 'December')).code).toBe(0);
  });

  // Which archives and sheets are refused, and with which words: test/unit/input/xlsx.
  it.each([
    ['a.xlsx', Buffer.from('PK\x03\x04 and nothing else'), 'damaged'],
    ['a.xlsx', Buffer.alloc(0), 'has no records'],
    ['a.csv', sheet(ROWS), '--format xlsx'],
    ['a.xlsx', sheet(ROWS, { rowAttributes: { 3: ' hidden="1"' } }), 'A3'],
    ['a.xlsx', sheet(ROWS, { merges: ['C2:C3'] }), 'C2:C3'],
    [
      'a.xlsx',
      sheet([...ROWS, ['u3', { v: 5, isStruck: true }, 'T', 'PP-1']]),
      'B4 holds something that is struck out',
    ],
    ['a.xlsx', sheet([...ROWS, ['u3', 5, 'T', 'PP-1', null, 'x']]), 'F4'],
  ])('with a fault of its own stops the run, whatever is said: %s, %#', async (name, bytes, words) => {
    const refused = await dry(workspaceWith({ [name]: bytes }), name, '--skip-invalid');
    expect(refused).toMatchObject({ code: 3, summary: { exit_code: 3 } });
    expect(refused.stdout).toContain(words);
  });
});

describe('rejects of a workbook', () => {
  const BAD: CellSpec[][] = [
    ['Payroll; November', null, '=cmd'],
    [],
    HEAD,
    ['u1', { v: 1.234 }, 'Bonus', 'PP-1', DAY],
    ['u2', 1200.5, null, 'PP-1', DAY],
    ['u3', '1.200,50', '=1+1', null],
    ['00007', { v: 12.299999999999999, format: '0.00' }, 'Zwölf', 'PP-1'],
    [{ v: 8, format: '00000' }, 8, 'T', 'PP-1'],
    ['u9', 9, { t: 'e', v: '#REF!' }, 'PP-1'],
  ];

  it('are CSV in UTF-8 with a mark, refused as they stand, and taken once they are corrected', async () => {
    const at = workspaceWith({ 'a.xlsx': sheet(BAD) });
    const words = ['--header-line', '3'];
    expect((await dry(at, 'a.xlsx', ...words, '--rejects', 'r.csv')).code).toBe(3);
    await expect(at.read('r.csv').replaceAll('\r\n', '\n')).toMatchFileSnapshot('approved/workbook-rejects.csv');
    expect((await dry(at, 'r.csv', ...words)).summary).toMatchObject({ records: { read: 5, valid: 0 } });
    const corrected = at
      .read('r.csv')
      .replace('u2,1200.5,,', 'u2,1200.5,Two,')
      .replace('"1.200,50",\'=1+1,,', "1200.5,'=1+1,PP-1,")
      .replace('12.30 (stored: 12.299999999999999)', '12.3')
      .replace(/^8,/m, '00008,')
      .replace('#REF!', 'Nine')
      .replaceAll(/,correct this row[^\r]*/g, '');
    at.file('r.csv', corrected);
    const requests = (await meant(at, 'r.csv', ...words)).map(({ request }) => request);
    expect(requests).toMatchObject([
      { user_id: 'u2', amount: 1200.5, title: 'Two', billing_date: '2026-11-01' },
      { user_id: 'u3', amount: 1200.5, title: '=1+1' },
      { user_id: '00007', amount: 12.3, title: 'Zwölf' },
      { user_id: '00008', amount: 8 },
      { user_id: 'u9', amount: 9, title: 'Nine' },
    ]);
  });

  it.each([
    '',
    '--decimal comma --date-format dmy',
    '--decimal point --date-format mdy',
    '--negate',
    '--delimiter ; --decimal comma',
    '--sheet Sheet1 --currency-signs',
  ])('give the very same records under the same flags: %s', async (flags) => {
    const service = await testService({ respond: () => ({ status: 422, body: '{"error":"no"}' }) });
    const rows: CellSpec[][] = [
      [...HEAD, 'description'],
      ['u1', { v: 1.234 }, 'A', 'PP-1', DAY, 'a;b,"c"\nd'],
      ['u2', 1200.5, ' B ', 'PP-1', DAY, "'=1"],
      ['3', { v: -1234567.25, format: '#,##0.00' }, 'C', 'PP-1', null, '1.234'],
      ['u4', 0.000001, '=D', 'PP-1'],
    ];
    const at = workspaceWith({ 'a.xlsx': sheet(rows) });
    const same = [...flags.split(' ').filter(Boolean), '--allow-negative'];
    const send = (file: string, more: string) =>
      at.run(`payout create ${file} --base-url ${service.url} --yes --json ${same.join(' ')} ${more}`);
    const bodies = async (file: string): Promise<object[]> =>
      (await meant(at, file, ...same)).map(({ request }) => ({ ...request, idempotency_key: '' }));
    const wanted = await bodies('a.xlsx');
    expect(wanted).toHaveLength(4);
    for (const rejects of ['r.csv', 'r']) {
      const { code, summary } = await send('a.xlsx', `--rejects ${rejects}`);
      expect([code, summary.records.rejected, await bodies(rejects)]).toEqual([4, 4, wanted]);
    }
    service.responder(undefined);
    expect(await send('r', '--retry-rejected')).toMatchObject({ code: 0, summary: { records: { created: 4 } } });
  });

  it('have the name of its sheet, so that the same flags and settings find it', async () => {
    const at = workspace();
    const sheets = [
      { name: 'October', rows: [HEAD] },
      { name: 'Nov & "Dez"', rows: [HEAD, ['u1', 'x', 'T', 'P']] },
    ];
    at.file('a.xlsx', workbook({ sheets }));
    for (const wanted of ['Nov & "Dez"', '2']) {
      expect((await dry(at, 'a.xlsx', '--sheet', wanted, '--overwrite', '--rejects', 'r.xlsx')).code).toBe(3);
      for (const flags of [[], ['--sheet', wanted]])
        expect((await dry(at, 'r.xlsx', ...flags)).summary.records).toMatchObject({ read: 1, invalid: 1 });
    }
  });

  it('are workbooks in a folder too', async () => {
    const bad = [HEAD, ['u1', 5]];
    const both = { 'a.xlsx': sheet(bad), upload: sheet([...bad, ['u2', 6]]) };
    const at = workspaceWith({ ...both, 'a.csv': `${HEAD.join(',')}\nu2,,,,\n` });
    expect((await dry(at, 'a.csv', 'a.xlsx', 'upload', '--rejects', 'out')).code).toBe(3);
    expect(at.read('out/a.csv')).toContain('u2');
    expect((await dry(at, 'out/a-2.xlsx')).summary.records).toMatchObject({ invalid: 1 });
    expect((await dry(at, 'out/upload.xlsx')).summary.records).toMatchObject({ invalid: 2 });
  });
});

describe('a workbook that is asked for', () => {
  const CELLS = [
    '=1+1',
    "'=1+1",
    "''-5",
    '-5',
    "'tis",
    ' two\nlines ',
    '00123',
    '_x0041_x0042_',
    'a&<b>"c"',
    '\u0001\t',
  ];

  it('has each cell of a CSV file as it was typed, and the lines above the header', async () => {
    const at = workspace();
    const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
    const rows = CELLS.map((cell) => `u1;x;${quoted(cell)};P`);
    at.file('in.csv', ['Lohn;"a;b"', 'Wer;amount;title;cost_center_key', ...rows, ''].join('\r\n'));
    const flags = ['--header-line', '2', '--map', 'Wer=user_id'];
    for (const name of ['x.csv', 'x.xlsx']) expect((await dry(at, 'in.csv', ...flags, '--rejects', name)).code).toBe(3);
    expect((await dry(at, 'x.xlsx', ...flags, '--delimiter', ';', '--rejects', 'y.csv')).code).toBe(3);
    expect(at.read('y.csv')).toBe(`\ufeff${at.read('x.csv')}`);
    const shown = await sheetOf(at, 'x.xlsx');
    expect(shown).toContain('<c r="C3" s="1" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
    expect(shown).not.toMatch(/<f>|<v>/);
  });

  it('is mended in a spreadsheet, and replaces what was rejected', async () => {
    const { work: at, sendFiles } = await openDeskAnswering({ u2: { status: 422, body: '{}' } });
    at.file('in.csv', csv(payouts(3)));
    await sendFiles(['in.csv'], '--rejects', 'x.xlsx', '--results', 'r.xlsx');
    const [head = [], row = []] = await writtenRows(readFileSync(at.path('x.xlsx')));
    const [, amount = ''] = row;
    expect([head.slice(-2), amount, row]).toEqual([
      ['gigwork_key', 'gigwork_error'],
      expect.stringMatching(/^\d+ as 0$/),
      expect.arrayContaining(['u2', 'HTTP 422: {}']),
    ]);
    at.file('mended.xlsx', sheet([head, ['00002', parseInt(amount), ...row.slice(2)]]));
    expect(await sendFiles(['mended.xlsx'])).toMatchObject({ code: 0, summary: { records: { created: 1 } } });
    // What was corrected since is nobody's work any more.
    await sendFiles(['in.csv'], '--rejects', 'x.xlsx', '--results', 'r.xlsx');
    expect(await sheetOf(at, 'x.xlsx')).not.toContain('u2');
    const states = [...(await sheetOf(at, 'r.xlsx')).matchAll(/>(created|skipped|rejected|already_created)</g)];
    expect(states.map(([, state]) => state)).toEqual(['created', 'skipped', 'created']);
    expectRefused(await sendFiles(['r.xlsx']), 'invalid_input', { 'results-file': 1 });
  });

  it.each([
    ['in.json', 'r.xlsx', 'r.ndjson'],
    ['in.csv', 'r.xls', 'r.xlsx'],
    ['in.csv', 'r.ods', 'r.xlsx'],
  ])('of %s cannot be named %s', async (input, name, other) => {
    const { work: at, service, sendFiles } = await openDesk();
    at.file('in.csv', csv(payouts(1)));
    at.file('in.json', JSON.stringify(payouts(1)));
    const { code, stderr } = await sendFiles([input], '--results', name);
    expect([code, service.requestCount]).toEqual([2, 0]);
    expect(stderr).toContain(`name it ${other}`);
  });
});

it('what reads workbooks is loaded for them alone', async () => {
  const at = workspaceWith({ 'a.csv': CSV, 'a.xlsx': sheet(ROWS) });
  const env = { NODE_DEBUG: 'esm', NODE_OPTIONS: '' };
  for (const [words, isLoaded] of [
    ['payout create a.xlsx --dry-run', true],
    ['payout create a.csv --dry-run', false],
    ['--version', false],
  ] as const)
    expect([words, /xlsx-[^/]*\.js/.test((await at.process(words, { env })).stderr)]).toEqual([words, isLoaded]);
});

/** Rejects, results and reports whose cells are numbers and dates. CONTRACT: "Files it writes". */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspaceWith } from '../support/cli.js';
import { expectRefused, openDesk, openDeskAnswering, recordsOf, remedyOf } from '../support/desk.js';
import { jsonLines } from '../support/result.js';
import { type CellSpec, sheet } from '../support/workbook.js';
import { writtenRows } from '../support/written-sheet.js';

const WAGES = [
  'Lohnlauf November',
  'Wer;Betrag;Was;KST;Datum;Ref;Stunden',
  'u1;1.234,50;Bonus;00123;01.11.2026;00045;7',
  'u2;1200,00;Bonus;P;1.11.26;1E5;3,5',
  'u3;(7,25);Bonus;P;3.11.2026 02:22 PM;;3',
  'u4;12.50;Bonus;P;31.02.2026;;3',
  'u5; 5 ;Bonus;P;05-Mai-2026;;-',
  'u6;1.234.567.890.123.456,00;Bonus;P;;;',
  '',
].join('\r\n');
const MAPPED = [
  'Wer=user_id',
  'Betrag=amount',
  'Was=title',
  'KST=cost_center_key',
  'Datum=billing_date',
  'Ref=reference_id',
];
const FLAGS = '--header-line 2 --decimal comma --date-format dmy --ignore-column Stunden --allow-negative'
  .split(' ')
  .concat(MAPPED.flatMap((each) => ['--map', each]));

const rowsOf = (at: Workspace, name: string): Promise<string[][]> => writtenRows(readFileSync(at.path(name)));

/** Without the result columns. */
async function ownCells(at: Workspace, name: string): Promise<string[][]> {
  const [, , ...rows] = await rowsOf(at, name);
  return rows.map((cells) =>
    cells.slice(
      1,
      cells.findIndex((cell) => ['not_sent', 'invalid'].includes(cell)),
    ),
  );
}

describe('a workbook of a CSV file', () => {
  it('has its numbers with the decimals that were typed, its dates, and all else as text', async () => {
    const at = workspaceWith({ 'w.csv': WAGES });
    expect((await at.run(['payout', 'create', 'w.csv', '--dry-run', ...FLAGS, '--results', 'r.xlsx'])).code).toBe(3);
    expect(await ownCells(at, 'r.xlsx')).toEqual([
      ['1234.5 as 0.00', 'Bonus', '00123', '46327 as yyyy-mm-dd', '00045', '7'],
      ['1200 as 0.00', 'Bonus', 'P', '46327 as yyyy-mm-dd', '1E5', '3,5'],
      ['-7.25 as 0.00', 'Bonus', 'P', `${46329 + 862 / 1440} as yyyy-mm-dd hh:mm:ss`, '3'],
      ['12.50', 'Bonus', 'P', '31.02.2026', '3'],
      ['5 as 0', 'Bonus', 'P', '46147 as yyyy-mm-dd', '-'],
      ['1.234.567.890.123.456,00', 'Bonus', 'P'],
    ]);
  });

  it('sends the same payments when it is imported again, with the command that was printed', async () => {
    const { work: at, service, sendFiles, runPrinted } = await openDesk(() => ({ status: 422, body: '{}' }));
    at.file(
      'w.csv',
      WAGES.replace('12.50', '12,50').replace('31.02.', '28.02.').replace('1.234.567.890.123.456', '123'),
    );
    const refused = await sendFiles(['w.csv'], ...FLAGS, '--rejects', 'r.xlsx');
    expect(refused.summary.records).toMatchObject({ read: 6, rejected: 6 });
    const bodies = service.requests.map(({ body }) => body);
    service.responder(undefined);
    const again = await runPrinted(remedyOf(refused, at.path('r.xlsx')), '--yes', '--concurrency', '1');
    expect(again).toMatchObject({ code: 0, summary: { records: { read: 6, created: 6 } } });
    // The same keys, too: no row was changed.
    expect(service.requests.slice(6).map(({ body }) => body)).toEqual(bodies);
  });

  it('returns every number of up to 15 digits, and every longer one as it was typed', async () => {
    const amount = fc
      .tuple(fc.stringMatching(/^[1-9]\d{0,16}$/), fc.nat(16))
      .map(([digits, at]) => (at === 0 || at >= digits.length ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`))
      .map((text) => (/^\d\./.test(text) ? text.replace(/^\d/, '0') : text));
    const amounts = fc.sample(amount, { numRuns: 500, seed: 45 });
    const at = workspaceWith({
      'a.csv': csv(amounts.map((text) => ({ user_id: 'u1', amount: text, title: 'A', cost_center_key: 'P' }))),
    });
    const words = ['payout', 'create', '--decimal', 'point', '--allow-negative', '--dry-run', '--json'];
    const wanted = recordsOf(await at.run([...words, 'a.csv']));
    await at.run([...words, 'a.csv', '--set', 'title=#N/A', '--rejects', 'r.xlsx']);
    const found = recordsOf(await at.run([...words, 'r.xlsx']));
    const meant = (records: typeof found): unknown[] => records.map(({ key, request, error }) => [key, request, error]);
    expect(found).toHaveLength(500);
    expect(meant(found)).toEqual(meant(wanted));
    const numbers = (await rowsOf(at, 'r.xlsx')).filter(([, cell = '']) => cell.includes(' as '));
    expect(numbers.length).toBeGreaterThan(250);
  });

  it('shows a currency sign that agrees with its record in the format of the number', async () => {
    const head = 'user_id,amount,title,cost_center_key,currency\n';
    const rows = ['"£1,200.50",A,P,GBP', '12.00 EUR,B,P,EUR', '($5.10),C,P,CAD', '$6,D,P,EUR', '£7,E,P,', '8,F,P,USD'];
    const at = workspaceWith({ 'a.csv': head + rows.map((row, i) => `u${i},${row}\n`).join('') });
    const words = [
      'payout',
      'create',
      '--decimal',
      'point',
      '--currency-signs',
      '--allow-negative',
      '--dry-run',
      '--json',
    ];
    const meant = async (name: string): Promise<unknown[][]> =>
      recordsOf(await at.run([...words, name])).map(({ status, key, request }) => [status, key, request]);
    const wanted = await meant('a.csv');
    expect(wanted.filter(([status]) => status === 'invalid')).toHaveLength(2);
    let name = 'a.csv';
    for (const next of ['r.xlsx', 'again.xlsx']) {
      await at.run([...words, name, '--set', 'title=#N/A', '--rejects', next]);
      const [, ...cells] = await rowsOf(at, next);
      expect(cells.map(([, amount]) => amount).join()).toBe(
        '1200.5 as [$£]0.00,12 as 0.00 [$EUR],-5.1 as [$$]0.00,$6,£7,8 as 0',
      );
      expect(await meant(next)).toEqual(wanted);
      name = next;
    }
  });

  it('replaces the payment of a row whose amount was corrected', async () => {
    const { work: at, service, sendFiles } = await openDeskAnswering({ u2: { status: 422, body: '{}' } });
    at.file('in.csv', csv([...payouts(1), { user_id: 'u2', amount: '12.50', title: 'B', cost_center_key: 'P' }]));
    await sendFiles(['in.csv'], '--rejects', 'r.xlsx');
    const [head = [], [, amount = '', ...rest] = []] = await rowsOf(at, 'r.xlsx');
    expect(amount).toBe('12.5 as 0.00');
    service.responder(undefined);
    at.file('m.xlsx', sheet([head, ['u2', { v: 13.5, format: '0.00' }, ...rest]]));
    expect((await sendFiles(['m.xlsx'])).summary.records).toMatchObject({ created: 1 });
    expect(service.requests.at(-1)?.json).toMatchObject({ user_id: 'u2', amount: 13.5 });
    // The payment that it replaced is nobody's work any more.
    await sendFiles(['in.csv'], '--rejects', 'later.xlsx');
    expect(await rowsOf(at, 'later.xlsx')).toEqual([head]);
  });

  it.each([
    ['amount=12,50', '12,50', '13,50', '01.11.2026'],
    ['billing_date=01.11.2026', '12,50', '12,50', '02.11.2026'],
  ])('keeps what --only %s compares as it was typed', async (rule, one, other, day) => {
    const file = `user_id;amount;title;cost_center_key;billing_date\nu1;${one}; ;P;01.11.2026\nu2;${other};B;P;${day}\n`;
    const at = workspaceWith({ 'a.csv': file });
    const flags = ['--decimal', 'comma', '--date-format', 'dmy', '--only', rule, '--dry-run', '--json'];
    await at.run(['payout', 'create', 'a.csv', ...flags, '--rejects', 'r.xlsx']);
    const again = await at.run(['payout', 'create', 'r.xlsx', ...flags, '--set', 'title=A']);
    expect(again).toMatchObject({ code: 0, summary: { records: { planned: 1 }, filtered: [] } });
  });
});

describe('a workbook of a workbook', () => {
  const HEAD = ['user_id', 'amount', 'title', 'cost_center_key', 'billing_date', 'currency'];
  const DAY = { v: 46327, format: 'dd.mm.yyyy' };

  it('keeps numbers with the decimals of their formats, dates, and texts', async () => {
    const rows: CellSpec[][] = [
      HEAD,
      ['00123', { v: 12.5, format: '#,##0.00' }, 'A', 'P', DAY, 'EUR'],
      ['u2', { v: 1234.5, format: '[$€-407]#,##0.000' }, 'B', 'P', { v: 46327.5, format: 22 }, 'EUR'],
      ['u3', { v: 0, format: '#,##0.00;-#,##0.00;"-"' }, 'C', 'P', '2026-11-01', 'EUR'],
      ['u4', 7.125, 'D', 'P', null, 'EUR'],
    ];
    const at = workspaceWith({ 'a.xlsx': sheet(rows) });
    const flags = ['--dry-run', '--allow-negative', '--date-format', 'ymd', '--json'];
    const result = await at.run(['payout', 'create', 'a.xlsx', ...flags, '--results', 'r.xlsx']);
    const [, ...written] = await rowsOf(at, 'r.xlsx');
    expect([result.code, written.map((cells) => cells.slice(0, 5))]).toEqual([
      0,
      [
        ['00123', '12.5 as 0.00', 'A', 'P', '46327 as yyyy-mm-dd'],
        ['u2', '1234.5 as [$€]0.000', 'B', 'P', '46327.5 as yyyy-mm-dd hh:mm:ss'],
        ['u3', '0 as 0', 'C', 'P', '46327 as yyyy-mm-dd'],
        ['u4', '7.125 as 0.000', 'D', 'P', 'EUR'],
      ],
    ]);
    const amounts = written.map((cells) => Number.parseFloat(cells[1]!));
    expect(recordsOf(result).map(({ amount }) => Number(amount))).toEqual(amounts);
  });

  it('does not let an amount of another currency pass because its sign is gone', async () => {
    const at = workspaceWith({
      'a.xlsx': sheet([HEAD, ['u1', { v: 12.5, format: '[$€-407]0.00' }, 'A', 'P', DAY, 'USD']]),
    });
    for (const name of ['r.csv', 'r.xlsx']) {
      expect((await at.run(['payout', 'create', 'a.xlsx', '--dry-run', '--rejects', name])).code).toBe(3);
      expect([name, (await at.run(['payout', 'create', name, '--dry-run'])).code]).toEqual([name, 3]);
    }
  });
});

describe('a report as a workbook', () => {
  it('has amounts and dates that add up and sort, and all else as text', async () => {
    const { work: at, sendFiles } = await openDeskAnswering({ u2: { status: 422, body: '{}' } });
    const common = {
      title: 'B',
      cost_center_key: '00123',
      billing_date: '2026-11-01',
      currency: 'EUR',
      reference_id: '007',
    };
    at.file(
      'in.csv',
      csv([
        { ...common, user_id: 'u1', amount: '1200.5' },
        { ...common, user_id: 'u2', amount: '7' },
      ]),
    );
    const { summary } = await sendFiles(['in.csv'], '--report', 'r.xlsx', '--report', 'r.ndjson');
    const [head = [], one, two] = await rowsOf(at, 'r.xlsx');
    expect(head).toEqual(Object.keys(jsonLines(at.read('r.ndjson'))[0]).slice(0, 20));
    expect(one).toEqual(
      expect.arrayContaining(['1', 'created', '201', '1200.5 as 0.00', '00123', '007', '46327 as yyyy-mm-dd']),
    );
    expect(two).toEqual(expect.arrayContaining(['rejected', '422', '7 as 0.00']));
    await at.run(`batch report ${summary.run} --report later.xlsx`);
    expect(await rowsOf(at, 'later.xlsx')).toEqual([head, one, two]);
  });

  it.each(['r.csv', 'r.xlsx', 'r.ndjson'])('is no input: %s', async (name) => {
    const { work: at, service, sendFiles } = await openDesk();
    at.file('in.csv', csv(payouts(2)));
    await at.run(`payout create in.csv --dry-run --report ${name}`);
    const refused = await sendFiles([name], '--ignore-other-columns', '--skip-invalid');
    expectRefused(refused, 'invalid_input', { 'results-file': 1 });
    expect([service.requestCount, recordsOf(refused)]).toEqual([0, []]);
    expect(refused.stdout).toContain('This is a report of gigwork');
    expect(refused.stdout).toContain('import the original file');
  });
});

it('keeps apostrophes as they were typed, but in rejects, from which import takes one off again', async () => {
  const at = await openDeskAnswering({ u2: { status: 422 } });
  const titles = ["'=Bonus", "''=Bonus"];
  at.work.file('p.csv', csv(payouts(2).map((row, i) => ({ ...row, title: titles[i]! }))));
  const { summary } = await at.sendFiles(['p.csv'], '--results', 'q.xlsx', '--rejects', 'r.xlsx', '--report', 's.xlsx');
  expect(summary.records).toMatchObject({ created: 1, rejected: 1 });
  const titlesOf = async (name: string): Promise<string[]> =>
    (await rowsOf(at.work, name)).flat().filter((cell) => cell.endsWith('=Bonus'));
  expect(await titlesOf('q.xlsx')).toEqual(titles);
  expect(await titlesOf('s.xlsx')).toEqual(titles);
  expect(await titlesOf('r.xlsx')).toEqual(["'''=Bonus"]);
});

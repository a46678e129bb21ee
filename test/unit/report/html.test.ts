import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import { startTotals } from '../../../src/money/totals.js';
import type { ReportHead, ReportRow } from '../../../src/report/formats.js';
import { htmlReport } from '../../../src/report/html.js';
import { all, type Element, parsePage, table, textOf } from './page.js';

const ROW: ReportRow = {
  file: 'bonus.csv',
  record: 1,
  line: 2,
  type: 'payout',
  key: 'key-1',
  status: 'created',
  httpStatus: 201,
  attempts: 1,
  response: '{"id":"id-1"}',
  request: null,
  userId: 'usr_1',
  title: 'Bonus',
  referenceId: null,
  date: null,
  at: Date.UTC(2026, 10, 1),
  id: 'id-1',
  amount: '100',
  currency: 'EUR',
  costCenter: 'PP-1',
  error: null,
};

/** A head whose figures are those of the rows. */
function headOf(rows: readonly ReportRow[], change: Partial<ReportHead> = {}): ReportHead {
  const totals = startTotals();
  const records: Record<string, number> = { read: rows.length, valid: 0, invalid: 0 };
  for (const { type, currency, costCenter, status, amount } of rows) {
    records[status] = (records[status] ?? 0) + 1;
    if (status === 'invalid') continue;
    records['valid'] = (records['valid'] ?? 0) + 1;
    totals.add({ type, currency, costCenter }, status, amount === null ? null : parseDecimal(amount));
  }
  return {
    command: 'payout create',
    run: '20261101-aa',
    target: 'https://gigs.example/base',
    batchId: '2026-11',
    digest: 'd1'.repeat(32),
    dryRun: false,
    refusal: [],
    files: [{ path: 'bonus.csv', sha256: 'f5'.repeat(32), records: rows.length }],
    records,
    totals: totals.rows(),
    startedAt: Date.UTC(2026, 10, 1, 8, 0),
    by: { user: 'clerk', host: '<payroll-1>' },
    approvedBy: null,
    version: '1.2.3',
    madeAt: Date.UTC(2026, 10, 1, 8, 5),
    journalFlags: '',
    resumeFlags: '',
    platform: 'linux',
    ...change,
  };
}

async function htmlOf(rows: readonly ReportRow[], change?: Partial<ReportHead>): Promise<string> {
  let html = '';
  for await (const piece of htmlReport(headOf(rows, change), () => Readable.from(rows))) html += piece;
  return html;
}

async function pageOf(rows: readonly ReportRow[], change?: Partial<ReportHead>): Promise<Element> {
  return parsePage(await htmlOf(rows, change));
}

const several = (n: number, change: (n: number) => Partial<ReportRow>): ReportRow[] =>
  Array.from({ length: n }, (_, i) => ({ ...ROW, record: i + 1, line: i + 2, key: `key-${i + 1}`, ...change(i) }));

const MIXED: ReportRow[] = [
  ROW,
  {
    ...ROW,
    line: 3,
    amount: '50.25',
    status: 'rejected',
    httpStatus: 422,
    id: null,
    key: 'key-2',
    error: 'HTTP 422: no bank details',
  },
  {
    ...ROW,
    line: 4,
    amount: '10',
    status: 'unknown',
    httpStatus: 500,
    id: null,
    key: 'key-3',
    error: 'HTTP 500',
    costCenter: 'PP-2',
  },
  { ...ROW, line: 5, amount: '7', status: 'created', currency: 'CHF', costCenter: null, key: 'key-4' },
  {
    ...ROW,
    line: 6,
    amount: null,
    status: 'invalid',
    httpStatus: null,
    id: null,
    key: null,
    currency: null,
    costCenter: null,
    error: 'title is missing',
  },
];

/** Commands and parts of them, but for what the head of the page has in code. */
function codesOf(page: Element): string[] {
  const section = all(page, 'section').find(({ attributes }) => attributes['aria-labelledby'] === 'failed');
  return section === undefined ? [] : all(section, 'code').map(textOf);
}

describe('the page', () => {
  it('says what was done with what, and how it ended', async () => {
    const page = await pageOf(MIXED);
    expect(textOf(all(page, 'h1')[0] as Element)).toBe('2 of 5 records are created');
    expect(textOf(all(page, 'title')[0] as Element)).toBe('gigwork payout create, 2026-11-01 08:05 UTC');
    const facts = Object.fromEntries(
      all(page, 'dl')[0]?.children.flatMap((pair) =>
        typeof pair === 'string' ? [] : [all(pair, 'dt').concat(all(pair, 'dd')).map(textOf)],
      ) ?? [],
    );
    expect(facts).toEqual({
      Target: 'https://gigs.example/base',
      Batch: '2026-11',
      Run: '20261101-aa',
      Started: '2026-11-01 08:00 UTC',
      'Run by': 'clerk on <payroll-1>, with gigwork 1.2.3',
      'Report made': '2026-11-01 08:05 UTC',
      Records: '5 read, 4 valid, 1 invalid',
      Digest: 'd1'.repeat(32),
    });
    expect(table(page, 'Input files')).toEqual([
      ['file and its SHA-256', 'records'],
      [`bonus.csv ${'f5'.repeat(32)}`, '5'],
    ]);
  });

  it.each<[string, ReportRow[], Partial<ReportHead>, string]>([
    ['all created', [ROW, { ...ROW, status: 'already_created' }], {}, 'All 2 records are created'],
    ['one record', [ROW], {}, 'The record is created'],
    ['refused', [{ ...ROW, status: 'not_sent' }], {}, 'Nothing was sent of 1 record'],
    ['unknown', [{ ...ROW, status: 'unknown' }], {}, '0 of 1 record are created'],
    ['nothing', [], {}, 'The input holds no record'],
    ['left out', [{ ...ROW, status: 'skipped' }, ROW], {}, 'Every record is created, or was left out as decided'],
    [
      'left out, and open',
      [
        { ...ROW, status: 'skipped' },
        { ...ROW, status: 'unknown' },
      ],
      {},
      '1 of 2 records is created or left out',
    ],
    [
      'a dry run',
      [
        { ...ROW, status: 'planned' },
        { ...ROW, status: 'invalid' },
      ],
      { dryRun: true },
      'Dry run: 1 record of 2 would be sent',
    ],
    [
      'a refused dry run',
      [{ ...ROW, status: 'not_sent' }],
      { dryRun: true },
      'Dry run: as it stands, nothing would be sent',
    ],
  ])('has its verdict: %s', async (_name, rows, change, verdict) => {
    expect(textOf(all(await pageOf(rows, change), 'h1')[0] as Element)).toBe(verdict);
  });

  it('counts each state', async () => {
    const tiles = all(await pageOf(MIXED), 'li').filter(({ attributes }) => attributes['class']?.startsWith('tile'));
    expect(tiles.map(textOf)).toEqual(['2 created', '1 invalid', '1 rejected', '1 unknown']);
  });

  it('adds up by currency and cost center, and draws a chart for each currency', async () => {
    const page = await pageOf(MIXED);
    expect(table(page, 'Totals of payouts')).toEqual([
      ['currency', 'cost center', 'state', 'records', 'amount, as given'],
      ['CHF', 'none', 'created', '1', '7.00'],
      ['EUR', 'PP-1', 'created', '1', '100.00'],
      ['EUR', 'PP-1', 'rejected', '1', '50.25'],
      ['EUR', 'PP-2', 'unknown', '1', '10.00'],
      ['CHF', 'all', '', '1', '7.00'],
      ['EUR', 'all', '', '3', '160.25'],
    ]);
    const charts = all(page, 'figure');
    expect(charts.map((chart) => textOf(all(chart, 'figcaption')[0] as Element))).toEqual([
      'Amounts by cost center and state: payouts in CHF, as given',
      'Amounts by cost center and state: payouts in EUR, as given',
    ]);
    const bars = all(charts[1] as Element, 'ul')[1] as Element;
    expect(all(bars, 'li').map(textOf)).toEqual(['PP-1 150.25 created 100.00, rejected 50.25', 'PP-2 10.00 unknown']);
    const widths = all(bars, 'rect').map(({ attributes }) => [
      attributes['class'],
      attributes['x'],
      attributes['width'],
    ]);
    expect(widths).toEqual([
      ['state-created', '0.000', '66.556'],
      ['state-rejected', '66.556', '33.444'],
      ['state-unknown', '0.000', '6.656'],
    ]);
  });

  it('names the failed records first, with place, key and reason', async () => {
    const page = await pageOf(MIXED);
    expect(all(page, 'h3').map(textOf).slice(1)).toEqual([
      'Invalid: 1 record',
      'Rejected: 1 record',
      'Unknown: 1 record',
    ]);
    expect(table(page, 'Records of bonus.csv (invalid)')[1]).toEqual(['line 6', 'title is missing']);
    expect(table(page, 'Records of bonus.csv (rejected)')[1]).toEqual([
      'line 3 key-2',
      '50.25 EUR',
      'HTTP 422: no bank details',
    ]);
    const headings = all(page, 'h2').map(textOf);
    expect(headings).toEqual([
      'The run',
      'Totals',
      'Records that need attention',
      'All records',
      'How amounts are computed',
    ]);
  });

  it('names each command on its own, as a shell takes it', async () => {
    const unknown = { ...ROW, status: 'unknown' };
    const page = await pageOf([unknown], {
      journalFlags: " --state-dir '/srv/pay roll'",
      resumeFlags: ' --state-dir x --sandbox',
    });
    expect(codesOf(page)).toEqual([
      'gigwork batch resume 20261101-aa --state-dir x --sandbox',
      "gigwork batch settle 20261101-aa --state-dir '/srv/pay roll' --line N --created --note TEXT",
      "gigwork batch settle 20261101-aa --state-dir '/srv/pay roll' --line N --not-created --note TEXT",
      '--line 2',
    ]);
    const gigs = await pageOf([{ ...unknown, type: 'gig' }]);
    expect(codesOf(gigs).slice(0, 2)).toEqual([
      'gigwork batch settle 20261101-aa --line N --created --note TEXT',
      'gigwork batch settle 20261101-aa --line N --not-created --note TEXT',
    ]);
    expect(textOf(gigs)).toContain('--created --note TEXT, or gigwork batch settle');
    const withoutLines = codesOf(await pageOf([{ ...unknown, line: null }]));
    expect(withoutLines.slice(1)).toEqual([
      'gigwork batch settle 20261101-aa --record N --created --note TEXT',
      'gigwork batch settle 20261101-aa --record N --not-created --note TEXT',
      '--record 1',
    ]);
  });

  it.each([
    ['linux', 'bonus.csv', '--line 2 --file bonus.csv'],
    ['linux', "pay; 'roll'.csv", "--line 2 --file 'pay; '\\''roll'\\''.csv'"],
    ['win32', 'pay roll.csv', '--line 2 --file "pay roll.csv"'],
  ] as const)('names a record among several files, as a shell of %s takes it: %s', async (platform, file, words) => {
    const files = [
      { path: file, sha256: '', records: 1 },
      { path: 'b', sha256: '', records: 0 },
    ];
    expect(codesOf(await pageOf([{ ...ROW, file, status: 'unknown' }], { files, platform }))).toContain(words);
  });

  it('lists every record', async () => {
    expect(table(await pageOf(MIXED), 'Records of bonus.csv, in input order')).toEqual([
      ['record', 'state', 'amount, as given', 'cost center', 'id and key'],
      ['line 2', 'created HTTP 201', '100.00 EUR', 'PP-1', 'id-1 key-1'],
      ['line 3', 'rejected HTTP 422', '50.25 EUR', 'PP-1', 'key-2'],
      ['line 4', 'unknown HTTP 500', '10.00 EUR', 'PP-2', 'key-3'],
      ['line 5', 'created HTTP 201', '7.00 CHF', '', 'id-1 key-4'],
      ['line 6', 'invalid', '', '', ''],
    ]);
  });

  it('says files, types and units where there are several', async () => {
    const rows = [
      ROW,
      { ...ROW, file: 'work.json', line: null, type: 'result', amount: '1874.953125' },
      { ...ROW, file: 'work.json', line: null, record: 2, type: 'result', amount: null },
    ];
    const files = [...headOf([]).files, { path: 'work.json', sha256: '', records: 2 }];
    const page = await pageOf(rows, { files });
    expect(
      table(page, 'Records of all files, in input order')
        .slice(1)
        .map((cells) => cells.slice(0, 4)),
    ).toEqual([
      ['bonus.csv, line 2', 'payout as given', 'created HTTP 201', '100.00 EUR'],
      ['work.json, record 1', 'result cents', 'created HTTP 201', '1,874.953125 EUR'],
      ['work.json, record 2', 'result cents', 'created HTTP 201', 'no known price'],
    ]);
    expect(table(page, 'Input files')[2]).toEqual(['work.json not read to its end', '2']);
    expect(table(page, 'Totals of gig results')[1]).toEqual(['EUR', 'PP-1', 'created', '2', '1,874.953125', '1']);
    const text = textOf(page);
    expect(text).toContain('quantity × base price × multiplier, in cents');
    expect(text).not.toContain('A gig’s amount');
  });

  it('stops at a number of records that a page can hold, and says what it left out', async () => {
    const page = await pageOf(
      several(2501, (i) => ({ status: i < 600 ? 'rejected' : 'created', error: i < 600 ? 'no' : null })),
    );
    expect(table(page, 'The first 2,000 records of bonus.csv')).toHaveLength(2001);
    expect(table(page, 'Records of bonus.csv (rejected)')).toHaveLength(501);
    const notes = all(page, 'p').filter(({ attributes }) => attributes['class'] === 'note');
    expect(notes.map(textOf)).toEqual([
      '100 more records are not shown here. The CSV report has them all: give --report a name that ends in .csv.',
      '501 more records are not shown here. The CSV report has them all: give --report a name that ends in .csv.',
    ]);
    expect(textOf(page)).toContain('Rejected: 600 records');
  });

  it('draws no bars for amounts of zero, and none at all where one is below, which no length shows', async () => {
    const page = await pageOf([
      { ...ROW, amount: '0' },
      { ...ROW, amount: '-5', currency: 'CHF' },
    ]);
    expect(all(page, 'figure')).toEqual([]);
    const mixed = await pageOf([ROW, { ...ROW, amount: '-5', costCenter: 'PP-9' }]);
    expect(all(mixed, 'figure')).toEqual([]);
    expect(textOf(mixed)).toContain('No bars for payouts in EUR: some of the amounts are below zero.');
  });
});

describe('what comes from elsewhere', () => {
  const EVIL = `<script>alert(1)</script>"'>&amp;\u202e\u0007\u0000\n`;

  it('is text, wherever it stands', async () => {
    const row = {
      ...ROW,
      file: EVIL,
      key: EVIL,
      id: EVIL,
      currency: EVIL,
      costCenter: EVIL,
      error: EVIL,
      status: 'rejected',
    };
    const files = [
      { path: EVIL, sha256: EVIL, records: 1 },
      { path: 'b', sha256: '', records: 0 },
    ];
    const change = { command: EVIL, target: EVIL, batchId: EVIL, digest: EVIL, run: EVIL, files };
    const html = await htmlOf([row, { ...row, status: 'unknown' }], change);
    const page = parsePage(html);
    expect(all(page, 'script')).toEqual([]);
    const shown = `<script>alert(1)</script>"'>&amp;\\u202e\\u0007\\u0000\\u000a`;
    expect(table(page, 'Records of all files (rejected)')[1]).toEqual([
      `${shown}, line 2 ${shown}`,
      `100 ${shown}`,
      shown,
    ]);
    expect(textOf(page)).toContain(`gigwork ${shown}`);
    expect(html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe('the page is whole in itself', async () => {
  const html = await htmlOf(MIXED);
  const page = parsePage(html);

  it('and refers to nothing outside', async () => {
    const markup = html.replaceAll(/>[^<]*</g, (text) => (text.includes('{') ? text : '><'));
    expect(markup).not.toMatch(/https?:|\/\/|url\(|@import|@font-face/i);
    const names = new Set<string>();
    const visit = (element: Element): void => {
      Object.keys(element.attributes).forEach((name) => names.add(name));
      element.children.forEach((child) => typeof child !== 'string' && visit(child));
    };
    visit(page);
    for (const name of ['src', 'href', 'srcset', 'action', 'data', 'style', 'onclick', 'onload'])
      expect(names).not.toContain(name);
    for (const name of ['script', 'link', 'img', 'iframe', 'object', 'base', 'form'])
      expect(all(page, name)).toEqual([]);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('and can be read by everyone: language, one main heading, scopes, names', async () => {
    expect(all(page, 'html')[0]?.attributes['lang']).toBe('en');
    expect(all(page, 'h1')).toHaveLength(1);
    for (const head of all(page, 'th')) expect(head.attributes['scope']).toMatch(/^(col|row)$/);
    for (const each of all(page, 'table')) expect(all(each, 'caption')).toHaveLength(1);
    const ids = ['section', 'h2'].map((name) =>
      all(page, name).map(({ attributes }) => attributes['aria-labelledby'] ?? attributes['id']),
    );
    expect(ids[0]).toEqual(ids[1]);
    for (const drawing of all(page, 'svg')) expect(drawing.attributes['aria-hidden']).toBe('true');
    expect(html).toMatch(/<meta name="viewport"[^>]*>/);
    expect(html).toContain('@media print');
    expect(html).toContain('prefers-color-scheme: dark');
  });
});

import { describe, expect, it } from 'vitest';
import type { Status } from '../../../src/batch/entries.js';
import type { RecordReport, ReportHead } from '../../../src/report/record-report.js';
import { all, type Element, parsePage, table, textOf } from './page.js';
import { headOf, htmlOf, pageOf, ROW, several } from './page-kit.js';

const MIXED: RecordReport[] = several(5, (n) => ({
  status: (['created', 'rejected', 'unknown', 'created', 'invalid'] as const)[n]!,
  amount: ['100', '50.25', '10', '7', null][n]!,
  currency: ['EUR', 'EUR', 'EUR', 'CHF', null][n]!,
  cost_center: ['PP-1', 'PP-1', 'PP-2', null, null][n]!,
  id: n === 0 || n === 3 ? 'id-1' : null,
  key: n === 4 ? null : `key-${n + 1}`,
  error: [null, 'HTTP 422: no bank details', 'HTTP 500', null, 'title is missing'][n]!,
}));

/** Commands and parts of them, but for what the head of the page has in code. */
function codesOf(page: Element): string[] {
  const section = all(page, 'section').find(({ attributes }) => attributes['aria-labelledby'] === 'failed');
  return section === undefined ? [] : all(section, 'code').map(textOf);
}

function classed(page: Element, name: string, element: string): string[] {
  return all(page, element)
    .filter(({ attributes }) => attributes['class'] === name)
    .map(textOf);
}

/** Terms and what stands under them. */
function factsOf(page: Element): Record<string, string> {
  const pairs = all(page, 'dl')[0]?.children.filter((pair) => typeof pair !== 'string') ?? [];
  return Object.fromEntries(pairs.map((pair) => all(pair, 'dt').concat(all(pair, 'dd')).map(textOf))) as Record<
    string,
    string
  >;
}

const first = (page: Element, name: string): string => textOf(all(page, name)[0] as Element);

describe('the first page', () => {
  it('says the money first, then what was done with what, where, when and by whom', async () => {
    const page = await pageOf(MIXED);
    expect(textOf(all(page, 'h1')[0] as Element)).toBe('7.00 CHF paid 100.00 EUR paid');
    expect(classed(page, 'verdict', 'p')).toEqual(['2 of 5 records are paid.']);
    expect(classed(page, 'kind', 'p')).toEqual(['Payouts, batch 2026-11']);
    expect(first(page, 'title')).toBe('gigwork payout create, batch 2026-11, run 20261101-aa');
    expect(factsOf(page)).toEqual({
      Target: 'https://gigs.example/base',
      Batch: '2026-11',
      Run: '20261101-aa',
      Program: 'gigwork 1.2.3 payout create',
      Records: '5 read, 4 valid, 1 with faults',
      'Run by': 'clerk on <payroll-1>',
      Started: '2026-11-01 09:00 +01:00',
      'Approved by': 'no approval on record',
      'Page made': '2026-11-01 09:05 +01:00',
      File: `bonus.csv, 5 records SHA-256 ${'f5'.repeat(32)}`,
      'Digest of the records': 'd1'.repeat(32),
    });
  });

  it.each([
    [-330, '2026-11-01 02:30 -05:30'],
    [0, '2026-11-01 08:00 +00:00'],
    [825, '2026-11-01 21:45 +13:45'],
  ])('has local times with their offset: %d minutes', async (offset, time) => {
    expect(factsOf(await pageOf([ROW], { utcOffset: () => offset })).Started).toBe(time);
  });

  it('says who approved it', async () => {
    const approvedBy = { at: Date.UTC(2026, 9, 31, 23, 30), by: { user: 'boss', host: 'desk' }, note: '' };
    const said = async (note: string): Promise<string | undefined> =>
      factsOf(await pageOf([ROW], { approvedBy: { ...approvedBy, note } }))['Approved by'];
    expect(await said('')).toBe('boss on desk, 2026-11-01 00:30 +01:00');
    expect(await said('as agreed')).toBe('boss on desk, 2026-11-01 00:30 +01:00: as agreed');
  });

  it('has lines for two signatures, below the grand totals', async () => {
    const page = await pageOf(MIXED);
    expect(classed(page, 'who', 'p')).toEqual(['Prepared by', 'Approved by']);
    expect(classed(page, 'line', 'p')).toEqual(Array.from({ length: 2 }, () => 'Name, date, signature'));
    const headings = all(page, 'h2').map(textOf);
    expect(headings.slice(0, 3)).toEqual(['Grand totals', 'What, where and by whom', 'Signatures']);
  });

  const of = (...states: Status[]): RecordReport[] => states.map((status) => ({ ...ROW, status }));
  const refused = { refusal: ['the total is another one'] };
  const inFour = ['EUR', 'CHF', 'JPY', 'USD'].map((currency) => ({ ...ROW, currency }));
  const unpriced: RecordReport = { ...ROW, type: 'result', amount: null };
  it.each<[RecordReport[], Partial<ReportHead>, headline: string, verdict: string]>([
    [of('created', 'already_created'), {}, '200.00 EUR paid', 'All 2 records are paid.'],
    [[ROW], {}, '100.00 EUR paid', 'The record is paid.'],
    [of('not_sent'), {}, 'Nothing was paid', 'Nothing was sent of 1 record.'],
    [of('unknown'), {}, 'Nothing is confirmed as paid', '0 of 1 record are paid.'],
    [[], {}, 'No records', 'The input holds no record.'],
    [of('skipped', 'created'), {}, '100.00 EUR paid', '1 of 2 records is paid, 1 left out as decided.'],
    [
      [...of('planned', 'already_created'), { ...ROW, status: 'invalid', amount: null }],
      { dryRun: true },
      '100.00 EUR would be sent',
      '1 record of 3 would be sent.',
    ],
    [of('not_sent'), { dryRun: true }, 'Nothing would be sent', 'As it stands, nothing would be sent.'],
    [of('not_sent'), refused, 'Nothing was paid', 'Refused: nothing was sent of 1 record.'],
    [[ROW], { target: 'sandbox' }, '100.00 EUR paid in the sandbox', 'The record is paid in the sandbox.'],
    [of('planned'), {}, '100.00 EUR would be sent', '1 record of 1 would be sent.'],
    [[{ ...ROW, type: 'gig' }], {}, '100 EUR cents per seat in gigs created', 'The record is created.'],
    [[unpriced], {}, '1 gig result without a known price created', 'The record is created.'],
    [inFour, {}, 'Paid, in 4 sums', 'All 4 records are paid.'],
  ])('has its headline %#', async (rows, change, headline, verdict) => {
    const page = await pageOf(rows, change);
    expect([first(page, 'h1'), ...classed(page, 'verdict', 'p')]).toEqual([headline, verdict]);
  });

  it.each<[string | undefined, Status, Partial<ReportHead>]>([
    [undefined, 'created', {}],
    [undefined, 'not_sent', { refusal: ['no'] }],
    ['REHEARSAL: nothing was sent', 'planned', { dryRun: true }],
    ['REHEARSAL, SANDBOX: nothing was sent', 'planned', { dryRun: true, target: 'sandbox' }],
    ['SANDBOX: a trial, nobody was paid', 'created', { target: 'sandbox' }],
    ['APPROVAL: nothing was sent', 'planned', {}],
  ])('has across its head, and on every sheet of paper: %s', async (band, status, change) => {
    const html = await htmlOf([{ ...ROW, status }], change);
    const bands = [...html.matchAll(/<p class="band">(.*)<\/p>/g)].map(([, words]) => words);
    expect(bands).toEqual(band === undefined ? [] : [band]);
    expect(/@top-center \{ content: "(.*?)"/.exec(html)?.[1]).toBe(band);
    for (const word of ['REHEARSAL', 'SANDBOX', 'APPROVAL'])
      expect(html.includes(word)).toBe(band?.includes(word) === true);
  });

  it('has the grand totals: of each type and currency a line for each state, and their sum', async () => {
    expect(table(await pageOf(MIXED), 'Grand totals')).toEqual([
      ['what', 'records', 'amount'],
      ['Payouts in CHF: paid', '1', '7.00'],
      ['Payouts in EUR', '3', '160.25'],
      ['Paid', '1', '100.00'],
      ['Refused by the service', '1', '50.25'],
      ['May have been paid', '1', '10.00'],
    ]);
  });

  it('says what the grand totals leave out', async () => {
    const page = await pageOf([ROW, ...several(2, () => ({ status: 'invalid', amount: null }))]);
    expect(classed(page, 'note', 'p')).toEqual(['2 records have faults, and their amounts do not count.']);
  });

  it('has the sums alone where the states would not fit, and the first of them', async () => {
    const currencies = 'AUD CAD CHF CZK DKK EUR GBP HUF INR JPY NOK PLN SEK SGD TRY USD ZAR'.split(' ');
    const states = ['created', 'already_created', 'rejected'] as const;
    const rows = several(51, (n) => ({
      currency: currencies[n % 17] ?? '',
      status: states[n % 3]!,
      amount: '10',
    }));
    const page = await pageOf(rows);
    const grand = table(page, 'Grand totals');
    expect(grand).toHaveLength(15);
    expect(grand.slice(0, 2)).toEqual([
      ['what', 'records', 'amount', 'of that paid'],
      ['Payouts in AUD', '3', '30.00', '20.00'],
    ]);
    expect(classed(page, 'note', 'p')[0]).toBe('3 more sums stand below.');
  });

  it('says why nothing was sent, and below all that it has no room for', async () => {
    const row: RecordReport = { ...ROW, status: 'not_sent' };
    const few = await pageOf([row], { refusal: ['one <reason>'] });
    expect(all(few, 'p').map(textOf)[2]).toBe('one <reason>');
    expect(all(few, 'h2').map(textOf)).not.toContain('Why nothing was sent');
    const many = await pageOf([row], { refusal: ['first', 'x'.repeat(400)] });
    expect(all(many, 'p').map(textOf)[2]).toBe('first (more below)');
    const below = all(many, 'section').find(({ attributes }) => attributes['aria-labelledby'] === 'refusal');
    expect(all(below as Element, 'p').map(textOf)).toEqual(['first', 'x'.repeat(400)]);
  });

  it('lists the files below where there are several', async () => {
    const files = ['a.csv', 'b.csv'].map((path) => ({
      path,
      sha256: path === 'a.csv' ? 'ab'.repeat(32) : '',
      records: 1,
    }));
    const page = await pageOf([ROW], { files });
    expect(factsOf(page)['Files']).toBe('2, listed below with their SHA-256');
    const list = all(page, 'section').find(({ attributes }) => attributes['aria-labelledby'] === 'files');
    expect(all(list as Element, 'li').map(textOf)).toEqual([
      `a.csv, 1 record SHA-256 ${'ab'.repeat(32)}`,
      'b.csv, 1 record not read to its end',
    ]);
  });
});

describe('the totals', () => {
  it('are added up by currency and cost center', async () => {
    const page = await pageOf(MIXED);
    expect(table(page, 'Totals of payouts')).toEqual([
      ['currency', 'cost center', 'state', 'records', 'amount'],
      ['CHF', 'none', 'paid', '1', '7.00'],
      ['EUR', 'PP-1', 'paid', '1', '100.00'],
      ['EUR', 'PP-1', 'refused by the service', '1', '50.25'],
      ['EUR', 'PP-2', 'may have been paid', '1', '10.00'],
      ['CHF', 'all', '', '1', '7.00'],
      ['EUR', 'all', '', '3', '160.25'],
    ]);
  });

  it('have the digits of their currency, and never fewer than an amount has', async () => {
    const rows = [
      ...['1', '2.5'].map((amount) => ({ ...ROW, amount, currency: 'JPY' })),
      ...['1', '2.5'].map((amount) => ({ ...ROW, amount, currency: 'KWD' })),
      ...['1', '2.125'].map((amount) => ({ ...ROW, amount })),
      ...['1', '2'].map((amount) => ({ ...ROW, amount, currency: null })),
    ].map((row, n) => ({ ...row, cost_center: `PP-${n}` }));
    const amounts = table(await pageOf(rows), 'Totals of payouts').map((cells) => [cells[0], cells.at(-1)]);
    expect(amounts.slice(1)).toEqual([
      ...[
        ['EUR', '1.00'],
        ['EUR', '2.125'],
        ['JPY', '1'],
        ['JPY', '2.5'],
        ['KWD', '1.000'],
        ['KWD', '2.500'],
      ],
      ...[
        ['none', '1'],
        ['none', '2'],
        ['EUR', '3.125'],
        ['JPY', '3.5'],
        ['KWD', '3.500'],
        ['none', '3'],
      ],
    ]);
    const cents = await pageOf([{ ...ROW, type: 'result', amount: '250' }]);
    expect(table(cents, 'Totals of gig results').slice(0, 2)).toEqual([
      ['currency', 'cost center', 'state', 'records', 'amount in cents'],
      ['EUR', 'PP-1', 'created', '1', '250'],
    ]);
  });
});

describe('the records that need attention', () => {
  it('stand before all others, with payee, amount, place and reason', async () => {
    const page = await pageOf(MIXED);
    expect(all(page, 'h3').map(textOf)).toEqual([
      'Refused by the service: 1 record',
      'May have been paid: 1 record',
      'With faults: 1 record',
    ]);
    expect(table(page, 'With faults: records of bonus.csv')).toEqual([
      ['payee', 'title', 'place', 'reason'],
      ['usr_1', 'Bonus', 'line 6', 'title is missing'],
    ]);
    expect(table(page, 'Refused by the service: records of bonus.csv')).toEqual([
      ['payee', 'title', 'amount, EUR', 'place', 'reason'],
      ['usr_1', 'Bonus', '50.25', 'line 3 key-2', 'HTTP 422: no bank details'],
    ]);
    const headings = all(page, 'h2').map(textOf);
    expect(headings.slice(3)).toEqual(['Totals by cost center', 'Records that need attention', 'All records']);
  });

  it('names each command on its own, as a shell takes it', async () => {
    const unknown: RecordReport = { ...ROW, status: 'unknown' };
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
});

describe('all records', () => {
  it('are listed with payee and amount', async () => {
    expect(table(await pageOf(MIXED), '5 records of bonus.csv, in input order')).toEqual([
      ['payee', 'title', 'amount', 'currency', 'cost center', 'state', 'place', 'id'],
      ['usr_1', 'Bonus', '100.00', 'EUR', 'PP-1', 'paid', 'line 2', 'id-1'],
      ['usr_1', 'Bonus', '50.25', 'EUR', 'PP-1', 'refused by the service', 'line 3', ''],
      ['usr_1', 'Bonus', '10.00', 'EUR', 'PP-2', 'may have been paid', 'line 4', ''],
      ['usr_1', 'Bonus', '7.00', 'CHF', '', 'paid', 'line 5', 'id-1'],
      ['usr_1', 'Bonus', '', 'none', '', 'with faults', 'line 6', ''],
    ]);
  });

  it('are named by line, and by row of a spreadsheet where that is another', async () => {
    const rows = [ROW, { ...ROW, line: 5, row: 3 }, { ...ROW, line: null, record: 3 }];
    const listed = table(await pageOf(rows), '3 records').slice(1);
    expect(listed.map((cells) => cells.at(-2))).toEqual(['line 2', 'line 5 (row 3 in a spreadsheet)', 'record 3']);
  });

  it('have files and types where there are several', async () => {
    const rows: RecordReport[] = [
      ROW,
      { ...ROW, file: 'work.json', line: null, type: 'result', amount: '1874.953125' },
      { ...ROW, file: 'work.json', line: null, record: 2, type: 'result', amount: null },
      { ...ROW, file: 'work.json', line: null, record: 3, type: 'gig', amount: '7', user_id: null, title: 'Night' },
    ];
    const files = [...headOf([]).files, { path: 'work.json', sha256: '', records: 2 }];
    const page = await pageOf(rows, { files });
    expect(table(page, '4 records of all files, in input order').map((cells) => cells.slice(0, 7))).toEqual([
      ['payee', 'title', 'amount, EUR', 'type', 'cost center', 'state', 'place'],
      ['usr_1', 'Bonus', '100.00', 'payouts', 'PP-1', 'paid', 'bonus.csv, line 2'],
      ['usr_1', 'Bonus', '1,874.953125', 'gig results, in cents', 'PP-1', 'created', 'work.json, record 1'],
      ['usr_1', 'Bonus', 'no known price', 'gig results, in cents', 'PP-1', 'created', 'work.json, record 2'],
      ['–', 'Night', '7', 'gigs, in cents per seat', 'PP-1', 'created', 'work.json, record 3'],
    ]);
    expect(table(page, 'Totals of gig results')[1]).toEqual(['EUR', 'PP-1', 'created', '2', '1,874.953125', '1']);
    // What nobody knows of payouts is said in the documents, and not beside the figures.
    expect(textOf(page)).not.toMatch(/unit/);
  });

  it('name those whose bodies were removed as not known', async () => {
    expect(table(await pageOf([{ ...ROW, user_id: null, title: null }]), '1 record')[1]?.slice(0, 2)).toEqual([
      'not known',
      'not known',
    ]);
  });

  it('stop at a number that a page can hold, and say how many more there are', async () => {
    const page = await pageOf(
      several(10_501, (i) => ({ status: i < 2100 ? 'rejected' : 'created', error: i < 2100 ? 'no' : null })),
    );
    expect(table(page, 'The first 10,000 records of bonus.csv')).toHaveLength(10_001);
    expect(table(page, 'Refused by the service: records of bonus.csv')).toHaveLength(2001);
    const more = (count: number): string =>
      `${count} more records are not shown here. The CSV report has them all: give --report a name that ends in .csv.`;
    expect(classed(page, 'note', 'p')).toEqual([more(100), more(501)]);
    expect(textOf(page)).toContain('Refused by the service: 2,100 records');
  });
});

describe('what comes from elsewhere', () => {
  const EVIL = `<script>alert(1)</script>"'>&amp;\u202e\u0007\u0000\n`;

  it('is text, wherever it stands', async () => {
    const row: RecordReport = {
      ...ROW,
      file: EVIL,
      user_id: EVIL,
      title: EVIL,
      key: EVIL,
      id: EVIL,
      currency: EVIL,
      cost_center: EVIL,
      error: EVIL,
      status: 'rejected',
    };
    const files = [
      { path: EVIL, sha256: EVIL, records: 1 },
      { path: 'b', sha256: '', records: 0 },
    ];
    const change = {
      ...{ command: EVIL, target: EVIL, batchId: EVIL, digest: EVIL, run: EVIL, files, version: EVIL },
      ...{ by: { user: EVIL, host: EVIL }, approvedBy: { at: 0, by: { user: EVIL, host: EVIL }, note: EVIL } },
    };
    const html = await htmlOf([row, { ...row, status: 'unknown' }], change);
    const page = parsePage(html);
    expect(all(page, 'script')).toEqual([]);
    const shown = `<script>alert(1)</script>"'>&amp;\\u202e\\u0007\\u0000\\u000a`;
    expect(table(page, 'Refused by the service: records of all files')[1]).toEqual([
      ...[shown, shown, '100', `${shown}, line 2 ${shown}`, shown],
    ]);
    expect(table(page, '2 records of all files')[1]).toEqual([
      ...[shown, shown, '100', shown, 'refused by the service', `${shown}, line 2`, shown],
    ]);
    expect(textOf(page)).toContain(`gigwork ${shown}`);
    // What stands on the edge of the paper is text in the style, which has no entities.
    const edge = /@bottom-left \{ content: "([^"]*)"; \}/.exec(html)?.[1];
    expect(edge?.startsWith('gigwork \\3c script\\3e alert\\28 1\\29 \\3c \\2f script\\3e \\22 ')).toBe(true);
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
    expect(html).toMatch(/<meta name="viewport"[^>]*>/);
    expect(html).toContain('@media print');
    expect(html).toContain('prefers-color-scheme: dark');
  });
});

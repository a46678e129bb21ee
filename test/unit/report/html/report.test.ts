import { describe, expect, it } from 'vitest';
import type { Status } from '../../../../src/prepare/record-table.js';
import type { RecordReport } from '../../../../src/report/record-report.js';
import { localTime } from '../../../../src/util/local-time.js';
import { all, type Element, parsePage, table, textOf } from './page.js';
import { type Change, FILE, htmlOf, pageOf, ROW, several } from './page-fixtures.js';

const MIXED: RecordReport[] = several(5, (n) => ({
  status: (['created', 'rejected', 'unknown', 'created', 'invalid'] as const)[n]!,
  amount: ['100', '50.25', '10', '7', null][n]!,
  currency: ['EUR', 'EUR', 'EUR', 'CHF', null][n]!,
  costCenter: ['PP-1', 'PP-1', 'PP-2', null, null][n]!,
  id: n === 0 || n === 3 ? 'id-1' : null,
  key: n === 4 ? null : `key-${n + 1}`,
  error: [null, 'HTTP 422: no bank details', 'HTTP 500', null, 'title is missing'][n]!,
}));

function classed(page: Element, name: string): string[] {
  const found = all(page, 'p').filter(({ attributes }) => attributes['class'] === name);
  return found.map(textOf);
}

function sectionOf(page: Element, id: string): Element | undefined {
  return all(page, 'section').find(({ attributes }) => attributes['id'] === id);
}

/** Terms and what stands under them. */
function factsOf(page: Element): Record<string, string> {
  const texts = (name: string): string[] => all(page, name).map(textOf);
  return Object.fromEntries(texts('dt').map((term, i) => [term, texts('dd')[i] ?? '']));
}

const headline = (page: Element): string => textOf(all(page, 'h1')[0] as Element);

describe('the first page', () => {
  it('says the money first, then what was done with what, where, when and by whom', async () => {
    const page = await pageOf(MIXED);
    expect(headline(page)).toBe(
      '1 payout, 7.00 CHF: paid 1 payout, 100.00 EUR: paid Needs attention: 1 refused, 1 may have been paid, 1 with faults',
    );
    expect(classed(page, 'verdict')).toEqual(['5 records: 2 paid, 1 refused, 1 may have been paid, 1 with faults']);
    expect(textOf(all(page, 'title')[0] as Element)).toBe('gigwork payout create, batch 2026-11, run 20261101-aa');
    expect(factsOf(page)).toEqual({
      Target: 'https://gigs.example/base',
      Batch: '2026-11',
      Run: '20261101-aa',
      Program: 'gigwork 1.2.3, payout create',
      'Run by': 'clerk on <payroll-1>',
      Started: localTime(Date.UTC(2026, 10, 1, 8, 0)),
      'Approved by': 'no approval on record',
      'Page made': localTime(Date.UTC(2026, 10, 1, 8, 5)),
      Files: 'bonus.csv',
      'Digest of the records': 'd1'.repeat(32),
    });
    expect(textOf(sectionOf(page, 'files') as Element)).toContain(`bonus.csv, 5 records, SHA-256 ${'f5'.repeat(32)}`);
  });

  it('of gigs says how many seats at which prices, and a section says when and for whom', async () => {
    const gig = {
      start_at: 1_796_472_000,
      filter_query: { city: '<Berlin>' },
      invitation_mode: 'auto',
      total_seats: 4,
    };
    const body = JSON.stringify({ title: 'Night', ...gig, tasks: [{ title: 'Photo', base_price: 450 }] });
    const of = { type: 'gig', amount: '450', currency: null, costCenter: null, body } as const;
    const rows = several(3, (n) => ({ ...of, status: n === 2 ? 'rejected' : 'created' }));
    const page = await pageOf(rows);
    expect(headline(page)).toMatch(/^2 gigs with 8 seats \(seats × prices: 3,600 cents\): created Needs attention: 1/);
    const facts = textOf(sectionOf(page, 'gigs') as Element);
    for (const words of ['2026-12-05 12:00 UTC', '{"city":"<Berlin>"}', '8: total_seats', '3,600 cents. An estimate'])
      expect(facts).toContain(words);
    expect(sectionOf(page, 'totals')).toBeUndefined();
    const pruned = await pageOf([...rows, ...several(1, () => ({ ...of, status: 'created', body: null }))]);
    expect(headline(pruned)).toMatch(/^3 gigs, 1,350 cents per seat: created/);
    expect(sectionOf(await pageOf(MIXED), 'gigs')).toBeUndefined();
  });

  it('tells what --only filters out below the totals, and of many rules their sum', async () => {
    const filtered = Array.from({ length: 6 }, (_, i) => ({
      rule: `Type!=<${i}>`,
      count: 1,
      totals: [],
      unreadable: 1,
    }));
    const notes = classed(await pageOf(MIXED, { filtered }), 'note').filter((note) => note.startsWith('Filtered'));
    expect(notes).toHaveLength(5);
    expect(notes[0]).toBe(
      'Filtered out by --only "Type!=<0>": 1 row, 1 without a readable amount. No sum counts them.',
    );
    expect(notes[4]).toBe(
      'Filtered out by 2 more rules of --only: 2 rows, 2 without a readable amount. No sum counts them.',
    );
  });

  it('says who approved it', async () => {
    const at = Date.UTC(2026, 9, 31, 23, 30);
    const approvedBy = { at, by: { user: 'boss', host: 'desk' }, note: 'as agreed' };
    expect(factsOf(await pageOf([ROW], { approvedBy }))['Approved by']).toBe(
      `boss on desk, ${localTime(at)}, as agreed`,
    );
  });

  const of = (...states: Status[]): RecordReport[] => states.map((status) => ({ ...ROW, status }));
  const inFour = ['EUR', 'CHF', 'JPY', 'USD'].map((currency) => ({ ...ROW, currency }));
  it.each<[RecordReport[], Change, words: string]>([
    [of('created', 'already_created'), {}, '2 payouts, 200.00 EUR: paid'],
    [of('skipped', 'created'), {}, '1 payout, 100.00 EUR: paid'],
    [of('not_sent', 'unknown'), {}, 'Nothing is confirmed as paid'],
    [of('planned', 'already_created'), { dryRun: true }, '1 payout, 100.00 EUR: would be sent'],
    [of('not_sent'), { dryRun: true }, 'Nothing would be sent'],
    [of('planned'), {}, '1 payout, 100.00 EUR: would be sent'],
    [[{ ...ROW, type: 'gig' }], {}, '1 gig, 100 EUR cents per seat: created'],
    [[{ ...ROW, type: 'result', amount: null }], {}, '1 gig result, 1 without a known price: paid'],
    [inFour, {}, 'Paid, in 4 sums'],
    [[...inFour, { ...ROW, status: 'rejected' }], {}, 'Paid, in 4 sums Needs attention: 1 refused'],
    [[], {}, 'Nothing is confirmed as paid'],
  ])('has its headline %#', async (rows, change, words) => {
    expect(headline(await pageOf(rows, change))).toBe(words);
  });

  it.each<[string | undefined, Status, Change]>([
    [undefined, 'created', {}],
    [undefined, 'not_sent', { refusal: ['no'] }],
    ['REHEARSAL: nothing was sent', 'planned', { dryRun: true }],
    ['REHEARSAL, SANDBOX: nothing was sent', 'planned', { dryRun: true, target: 'sandbox' }],
    ['SANDBOX: a trial, nobody was paid', 'created', { target: 'sandbox' }],
    ['REHEARSAL: nothing was sent', 'planned', {}],
  ])('has across its head, and on every sheet of paper: %s', async (band, status, change) => {
    const html = await htmlOf([{ ...ROW, status }], change);
    expect(classed(parsePage(html), 'band')).toEqual(band === undefined ? [] : [band]);
    expect(/@top-center \{ content: "(.*?)"/.exec(html)?.[1]).toBe(band);
    for (const word of ['REHEARSAL', 'SANDBOX']) expect(html.includes(word)).toBe(band?.includes(word) === true);
  });

  it('has the grand totals of each type and currency, how much of that was paid, and what they leave out', async () => {
    const page = await pageOf(MIXED);
    expect(table(page, 'Every payment')).toEqual([
      ['what', 'records', 'amount', 'paid', 'still open'],
      ['payouts in CHF', '1', '7.00', '7.00', '0.00'],
      ['payouts in EUR', '3', '160.25', '100.00', '60.25'],
    ]);
    expect(classed(page, 'note')).toEqual(['The amounts of 1 record with faults do not count.']);
  });

  it('has the first of the grand totals where all would not fit', async () => {
    const currencies = 'AUD CAD CHF CZK DKK EUR GBP HUF INR JPY NOK PLN SEK SGD TRY USD ZAR'.split(' ');
    const page = await pageOf(several(51, (n) => ({ currency: currencies[n % 17] ?? '' })));
    expect(table(page, 'Every payment')).toHaveLength(13);
    expect(classed(page, 'note')).toEqual(['5 more sums stand below.']);
    expect(table(page, 'By cost center').at(-1)).toEqual(['payouts in ZAR', 'all', '3', '300.00', '300.00']);
  });

  it('says why nothing was sent, and below all that it has no room for', async () => {
    const refusal = ['one <reason>', 'x'.repeat(400)];
    const page = await pageOf([{ ...ROW, status: 'not_sent' }], { refusal });
    expect(classed(page, 'reason')[0]).toMatch(/^Refused: one <reason>; x+…x+$/);
    expect(all(sectionOf(page, 'refusal') as Element, 'li').map(textOf)).toEqual(refusal);
    expect(sectionOf(await pageOf([ROW]), 'refusal')).toBeUndefined();
  });

  it('lists the files at the end where there are several', async () => {
    const files = ['ab'.repeat(32), ''].map((sha256, i) => ({ ...FILE, path: `${i}.csv`, sha256, records: 1 }));
    const page = await pageOf([ROW], { files });
    expect(factsOf(page)['Files']).toBe('2, listed at the end');
    expect(all(sectionOf(page, 'files') as Element, 'li').map(textOf)).toEqual([
      `0.csv, 1 record, SHA-256 ${'ab'.repeat(32)}`,
      '1.csv, 1 record, not read to its end',
    ]);
  });
});

describe('the totals', () => {
  it('are added up by type, currency and cost center, and never across them', async () => {
    const page = await pageOf([...MIXED, { ...ROW, type: 'result', amount: '250' }]);
    expect(table(page, 'By cost center')).toEqual([
      ['what', 'cost center', 'records', 'amount', 'paid', 'still open'],
      ['payouts in CHF', 'none', '1', '7.00', '7.00', '0.00'],
      ['payouts in EUR', 'PP-1', '2', '150.25', '100.00', '50.25'],
      ['payouts in EUR', 'PP-2', '1', '10.00', '0.00', '10.00'],
      ['gig results in EUR cents', 'PP-1', '1', '250', '250', '0'],
      ['payouts in CHF', 'all', '1', '7.00', '7.00', '0.00'],
      ['payouts in EUR', 'all', '3', '160.25', '100.00', '60.25'],
      ['gig results in EUR cents', 'all', '1', '250', '250', '0'],
    ]);
  });

  it('have a chart for each type and currency: bars as long as the amounts, the largest first, filled as far as paid', async () => {
    const page = await pageOf(MIXED);
    const [francs, euros, ...others] = all(page, 'figure');
    expect(others).toEqual([]);
    expect(textOf(all(francs as Element, 'figcaption')[0] as Element)).toMatch(/^payouts in CHF: .*; filled: paid$/);
    expect(all(euros as Element, 'text').map(textOf)).toEqual(['PP-1', 'PP-2']);
    const widths = all(euros as Element, 'rect').map(({ attributes }) => [attributes['class'], attributes['width']]);
    expect(widths).toEqual([
      ['done', '306.2'],
      ['due', '460.0'],
      ['done', '0.0'],
      ['due', '30.6'],
    ]);
  });

  it('have no chart where a length would mislead: below zero, and of nothing', async () => {
    for (const amount of ['-1', '0']) expect(all(await pageOf([{ ...ROW, amount }]), 'figure')).toEqual([]);
  });
});

describe('the records', () => {
  it('that need attention stand before all others, with payee, amount, place and reason', async () => {
    const page = await pageOf(MIXED);
    expect(classed(page, 'meaning').map((text) => text.split('. ')[0])).toEqual([
      'Refused: 1 payout, 50.25 EUR',
      'May have been paid: 1 payout, 10.00 EUR',
      'With faults: 1 record',
    ]);
    expect(table(page, '3 records')).toEqual([
      ['payee', 'title', 'amount', 'in', 'place', 'state'],
      ['usr_1', 'Bonus', '50.25', 'EUR', 'line 3', 'refused'],
      ['HTTP 422: no bank details Key key-2'],
      ['usr_1', 'Bonus', '10.00', 'EUR', 'line 4', 'may have been paid'],
      ['HTTP 500 Key key-3'],
      ['usr_1', 'Bonus', '', '', 'line 6', 'with faults'],
      ['title is missing'],
    ]);
    const headings = all(page, 'h2').map(textOf);
    expect(headings.slice(3)).toEqual(['Totals by cost center', 'Records that need attention', 'All records', 'Files']);
  });

  const CORRECTION = { run: 'r2', key: 'k', userId: 'usr_2', title: 'Bonus', amount: '50.30', currency: 'EUR' };
  it('that were corrected since stand in a list of their own with what replaced them, and count in no sum', async () => {
    const [ok, refused] = MIXED;
    const rows: RecordReport[] = [
      ok!,
      { ...refused!, status: 'skipped', correction: { ...CORRECTION, state: 'created' } },
      { ...refused!, correction: { ...CORRECTION, userId: null, title: null, state: 'rejected' } },
    ];
    const page = await pageOf(rows);
    expect(classed(page, 'verdict')).toEqual(['3 records: 1 paid, 2 corrected since']);
    expect(sectionOf(page, 'failed')).toBeUndefined();
    expect(table(page, '2 records').map((cells) => cells.at(-1))).toEqual([
      'state',
      'corrected since',
      'HTTP 422: no bank details Now 50.30 EUR to usr_2, Bonus: paid',
      'corrected since',
      'HTTP 422: no bank details Now 50.30 EUR: refused',
    ]);
    expect(table(page, 'Every payment')[1]).toEqual(['payouts in EUR', '1', '100.00', '100.00']);
    expect(classed(page, 'note')).toEqual(['Corrected since, and not counted here: 2 payouts, 100.50 EUR.']);
  });

  it('are all listed, with files where there are several', async () => {
    const rows: RecordReport[] = [
      ROW,
      { ...ROW, line: 5, row: 3, userId: null, title: null, status: 'skipped', id: null },
      { ...ROW, file: 'work.json', line: null, type: 'result', amount: '1874.953125' },
      { ...ROW, file: 'work.json', line: null, record: 2, type: 'result', amount: null },
      { ...ROW, file: 'work.json', line: null, record: 3, type: 'gig', amount: '7', userId: null, title: 'Night' },
    ];
    const page = await pageOf(rows, { files: [FILE, { ...FILE, path: 'work.json', sha256: '', records: 2 }] });
    const sheet = 'bonus.csv, line 5 (row 3 in a spreadsheet)';
    expect(table(page, '5 records, in input order')).toEqual([
      ['payee', 'title', 'amount', 'in', 'place', 'state', 'cost center', 'id'],
      ['usr_1', 'Bonus', '100.00', 'EUR', 'bonus.csv, line 2', 'paid', 'PP-1', 'id-1'],
      ['not known', 'not known', '100.00', 'EUR', sheet, 'left out (paid before)', 'PP-1', ''],
      ['usr_1', 'Bonus', '1,874.953125', 'EUR cents', 'work.json, record 1', 'paid', 'PP-1', 'id-1'],
      ['usr_1', 'Bonus', 'not known', 'EUR cents', 'work.json, record 2', 'paid', 'PP-1', 'id-1'],
      ['–', 'Night', '7', 'EUR cents per seat', 'work.json, record 3', 'created', 'PP-1', 'id-1'],
    ]);
  });

  it('stop at a number that a page can hold, and say how many more there are', async () => {
    const html = await htmlOf(several(10_501, () => ({ status: 'rejected', key: null })));
    const sections = html.split('<section id=').filter((section) => /^"(failed|records)"/.test(section));
    expect(sections.map((section) => section.split('<tr').length - 1)).toEqual([10_001, 10_001]);
    expect(sections.map((section) => /<p class="note">(\d+)/.exec(section)?.[1])).toEqual(['501', '501']);
  });
});

describe('what comes from elsewhere', () => {
  const EVIL = `<script>alert(1)</script>"'>&amp;\u202e\u0007\u0000\n`;

  it('is text, wherever it stands', async () => {
    const row: RecordReport = {
      ...ROW,
      status: 'rejected',
      file: EVIL,
      userId: EVIL,
      title: EVIL,
      key: EVIL,
      id: EVIL,
      currency: EVIL,
      costCenter: EVIL,
      error: EVIL,
    };
    const files = [EVIL, 'b'].map((path) => ({ ...FILE, path, sha256: path, records: 1 }));
    const change = {
      command: EVIL,
      target: EVIL,
      batchId: EVIL,
      digest: EVIL,
      name: EVIL,
      files,
      version: EVIL,
      refusal: [EVIL],
      by: {
        user: EVIL,
        host: EVIL,
      },
      approvedBy: {
        at: 0,
        by: {
          user: EVIL,
          host: EVIL,
        },
        note: EVIL,
      },
    };
    const html = await htmlOf([row, { ...row, status: 'unknown' }], change);
    const page = parsePage(html);
    expect(all(page, 'script')).toEqual([]);
    const shown = `<script>alert(1)</script>"'>&amp;\\u202e\\u0007\\u0000\\u000a`;
    const place = `${shown}, line 2`;
    const [, first, below] = all(sectionOf(page, 'failed') as Element, 'tr').map((line) =>
      ['th', 'td'].flatMap((name) => all(line, name).map(textOf)),
    );
    expect(first?.toSpliced(3, 1)).toEqual([shown, shown, '100', place, 'refused']);
    expect(below).toEqual([`${shown} Key ${shown}`]);
    // What stands on the edge of the paper is text in the style, which has no entities.
    const edge = /@bottom-left \{ content: "([^"]*)"; \}/.exec(html)?.[1];
    expect(edge?.startsWith('gigwork \\3c script\\3e alert\\28 1\\29 \\3c \\2f script\\3e \\22 ')).toBe(true);
    expect(html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

it('the page is whole in itself, and can be read by everyone', async () => {
  const html = await htmlOf(MIXED);
  const page = parsePage(html);
  const markup = html.replaceAll(/>[^<]*</g, (text) => (text.includes('{') ? text : '><'));
  expect(markup).not.toMatch(/https?:|\/\/|url\(|@import|@font-face| (src|href|srcset|action|data|style|on\w+)=/i);
  for (const name of ['script', 'link', 'img', 'iframe', 'object', 'base', 'form']) expect(all(page, name)).toEqual([]);
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(all(page, 'html')[0]?.attributes['lang']).toBe('en');
  expect(all(page, 'h1')).toHaveLength(1);
  for (const head of all(page, 'th')) expect(head.attributes['scope']).toMatch(/^(col|row)$/);
  for (const each of all(page, 'table')) expect(all(each, 'caption')).toHaveLength(1);
});

/** The HTML report as Chromium shows and prints it. CONTRACT: "Files it writes". */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordReport } from '../../../../src/report/record-report.js';
import { type Browser, chromiumPath, type OpenPage, startChromium } from '../../../support/chromium.js';
import { type Change, htmlOf, ROW, several } from './page-fixtures.js';

const path = chromiumPath();
if (path === null) console.warn('no Chromium is installed: the tests of the printed page are skipped');

/** Between the margins of an A4 page, in CSS pixels. */
const PAPER = Math.floor(((210 - 28) / 25.4) * 96);

const LONG = 'long '.repeat(90) + 'z'.repeat(300);
const STATES = ['created', 'rejected', 'unknown', 'not_sent'] as const;
const CURRENCIES = 'EUR CHF JPY USD GBP KWD SEK NOK DKK PLN CZK HUF RON TRY'.split(' ');
const HUGE = '98765432109876.54';

/** Whatever is told of a run is too long. */
const EXTREME: Change = {
  command: 'batch import',
  name: '20261101-aa',
  target: `https://gigs.example/${LONG}`,
  batchId: LONG,
  by: {
    user: LONG,
    host: LONG,
  },
  approvedBy: {
    at: 0,
    by: {
      user: LONG,
      host: LONG,
    },
    note: LONG,
  },
  files: several(12, () => ({})).map(({ record }) => ({
    path: `${LONG}${record}`,
    sha256: 'f5'.repeat(32),
    records: 9,
    sheetName: LONG,
    reference: null,
  })),
};
const faulty = several(9, () => ({ status: 'invalid', amount: null, currency: null, error: LONG }));
const names: Partial<RecordReport>[] = [
  { userId: 'x'.repeat(200), title: LONG, costCenter: 'y'.repeat(80), id: 'z'.repeat(120) },
  { userId: '山田太郎', title: '11月の賞与（東京本社・特別手当）'.repeat(9), amount: HUGE },
  { userId: 'محمد بن عبد الله', title: 'مكافأة نوفمبر', amount: '-1234.5' },
  { userId: null, title: null, amount: '0', status: 'unknown', error: 'a'.repeat(400), file: LONG },
  { amount: `${'9'.repeat(60)}.${'1'.repeat(40)}`, status: 'rejected', error: LONG },
];

const PAGES: Record<string, [rows: RecordReport[], change?: Change]> = {
  'one record': [[ROW]],
  'the sandbox, three currencies in four states, and all that is told too long': [
    [
      ...several(80, (n) => ({
        currency: CURRENCIES[n % 2] ?? '',
        status: STATES[(n >> 1) % 4]!,
        amount: n < 4 ? `-${HUGE}` : HUGE,
      })),
      ...several(9, () => ({ currency: 'JPY', amount: '1234567890123' })),
      ...several(9, () => ({ currency: 'KWD', amount: '1234567890123' })),
      ...faulty,
    ],
    { ...EXTREME, target: 'sandbox' },
  ],
  'a refused run of too many currencies, with too many reasons': [
    [
      ...several(60, (n) => ({ currency: CURRENCIES[n % 14] ?? '', status: 'not_sent', amount: n < 9 ? '-1' : HUGE })),
      ...faulty,
    ],
    { ...EXTREME, name: null, refusal: Array.from({ length: 9 }, () => LONG) },
  ],
  'names and amounts of every kind': [names.map((name, n) => ({ ...ROW, line: n + 2, ...name })), EXTREME],
  'a table of several pages': [
    several(120, (n) => ({ status: n % 40 === 3 ? 'rejected' : 'created', error: n % 40 === 3 ? 'no' : null })),
  ],
};

describe.skipIf(path === null)('the page in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium(path ?? '');
  });
  afterAll(() => browser.close());

  it.each(Object.entries(PAGES))('%s', async (_name, [rows, change]) => {
    const page = await browser.open(await htmlOf(rows, change));
    for (const [medium, width] of [
      ['print', PAPER],
      ['screen', 1200],
      ['screen', 700],
      ['screen', 380],
    ] as const) {
      await page.show(medium, width);
      // Nothing leaves the paper or the screen. Half a pixel is rounding.
      expect((await widest(page)) - width, `${medium}, ${width}`).toBeLessThan(1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    // Totals and signatures stand on the first sheet of paper.
    await page.show('print', PAPER);
    const ids = ['money', 'last-total', 'signatures', 'last-line'];
    await page.evaluate(`
      [...document.querySelectorAll('#money tr')].at(-1).id = 'last-total';
      [...document.querySelectorAll('.line')].at(-1).id = 'last-line';
    `);
    const paper = await page.print(ids);
    expect(ids.map((id) => paper.pageOf(id))).toEqual([1, 1, 1, 1]);
    if (rows.length < 2) expect(paper.pages).toBeLessThanOrEqual(2);
  });

  it('is black on white, on a screen and on paper', async () => {
    const page = await browser.open(await htmlOf([ROW]));
    const colors = `(() => { const { color, backgroundColor } = getComputedStyle(document.body); return [color, backgroundColor]; })()`;
    await page.show('print', PAPER);
    expect(await page.evaluate(colors)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  });
});

/** How far to the right anything reaches that is not within a frame of its own to be scrolled. */
function widest(page: OpenPage): Promise<number> {
  return page.evaluate(`Math.max(innerWidth, ...[...document.querySelectorAll('body *')]
    .filter((each) => getComputedStyle(each.closest('.wide') ?? each).overflowX !== 'auto' || each.matches('.wide'))
    .filter((each) => each.closest('caption') === null)
    .map((each) => each.getBoundingClientRect().right))`);
}

import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import { localTime } from '../../../src/util/local-time.js';
import type { GigOverview } from '../../../src/report/gig-overview.js';
import type { NamedRecord, UndecidedRepeats } from '../../../src/report/history-text.js';
import type { ReviewReport } from '../../../src/report/reporter.js';
import { reviewLines } from '../../../src/report/review-lines.js';
import { textWidth } from '../../../src/report/table.js';
import { extremes, notable, NOTHING, part, REVIEW, total, UNDECIDED } from './reviews.js';

function lines(change: Partial<ReviewReport> = {}, width = Infinity, warnings: readonly string[] = []): string[] {
  const mark = (sign: string) => (text: string) => `${sign}${text}${sign}`;
  return reviewLines({ ...REVIEW, ...change }, warnings, { width, bold: mark('*'), red: mark('!'), now: 0 });
}

/** The lines from one that starts with a text. */
function from(start: string, all: readonly string[]): string[] {
  return all.slice(all.findIndex((line) => line.startsWith(start)));
}

const GIGS: GigOverview = {
  gigs: 2,
  timeZone: null,
  titles: ['Audit Berlin', 'Audit Hamburg'],
  firstStart: 1_796_472_000,
  lastStart: 1_796_472_000,
  filters: [{ text: '{"city":"Berlin"}', gigs: 2 }],
  otherFilters: 0,
  gigsOfOthers: 0,
  modes: [{ text: 'manual', gigs: 2 }],
  seats: parseDecimal('5'),
  seatsFrom: { total_seats: 2, seats_max: 0, neither: 0 },
  lowestPrice: parseDecimal('450'),
  highestPrice: parseDecimal('450'),
  cost: parseDecimal('2250'),
};
const ONE = part(total('5'));
const named = (subject: string, line: number | null, file: string | null = null): NamedRecord => {
  return { subject, line, file, record: 7 };
};
const LAST = { run: 'r1', at: 0, file: 'p.csv' };
const NOTICE = { count: 3, records: [], totals: [total('30')], at: 0, paid: [], last: 0, file: null };

describe('the review', () => {
  it('says how much first; then where, what, and how it adds up', () => {
    expect(lines()).toEqual([
      '',
      '*To send  2 payouts, 30.00 EUR*',
      'Target   https://gigs.example/base',
      'Account  desk',
      'Batch    2026-11',
      `Before   newest payment here: ${localTime(REVIEW.lastPaymentAt as number)}`,
      '',
      'payouts',
      '  currency  cost center  records  amount',
      '  EUR       PP-1               2   30.00',
      '',
      'Largest payouts  20.50 EUR  line 4, u1',
      '                  9.50 EUR  line 12, u1',
      '',
      '                               records  amount',
      'In the input   payouts in EUR        3   40.00',
      'Known as paid  payouts in EUR        1   10.00',
      '*To send now    payouts in EUR        2   30.00*',
      '',
      'File     pay.csv, 3 records',
      `SHA-256  ${'a'.repeat(64)}`,
      `Digest   ${'d'.repeat(64)}`,
      '',
    ]);
  });

  it('says that nothing is known of earlier payments, in red behind the sums, where a person still sees it', () => {
    const all = lines({ lastPaymentAt: null });
    expect(all.some((line) => line.startsWith('Before'))).toBe(false);
    expect(
      all.indexOf(
        '!Careful: gigwork knows of no payments here. Were some made elsewhere? Then stop, or they are paid twice!',
      ),
    ).toBeGreaterThan(all.findIndex((line) => line.includes('To send now')));
  });

  it('of a call that approves says that instead', () => {
    const all = lines({ approves: true });
    expect(all).toContain('*Approve  2 payouts, 30.00 EUR*');
    expect(all).toContain('*To approve     payouts in EUR        2   30.00*');
  });

  it('has a row for each currency and type, lined up at the point, and no sum over them', () => {
    const several = part(
      total('5', { currency: 'JPY' }),
      total('7.1'),
      total('1.5', { currency: 'KWD' }),
      total('11', { type: 'result', currency: 'EUR' }),
    );
    expect(from('In the input', lines({ inFile: several, toSend: several, before: NOTHING })).slice(0, 5)).toEqual([
      'In the input   payouts in JPY                  1   5',
      '               payouts in EUR                  1   7.10',
      '               payouts in KWD                  1   1.500',
      '               gig results in EUR cents        1  11',
      'Known as paid                                  0',
    ]);
  });

  it.each<[string, Partial<ReviewReport>, string[]]>([
    [
      'records that are similar to earlier ones, and sent all the same',
      { sentSimilar: part(total('30', { count: 2 })) },
      ['*To send now 2 30.00*', '* of these similar to earlier ones 2 30.00*'],
    ],
    [
      'amounts of zero and below',
      { zero: part(total('0', { count: 2 })), negative: part(total('-3.5'), total('-1')) },
      ['*To send now 2 30.00*', '* of these zero 2 0.00*', '* of these negative 2 -4.50*'],
    ],
    [
      'what earlier calls left',
      { unknown: ONE, staysRejected: ONE, similar: ONE },
      [
        'May have been paid, not sent 1 5.00',
        'Refused before, not sent 1 5.00',
        'Similar ones, left out 1 5.00',
        '*To send now 2 30.00*',
      ],
    ],
    [
      'repeats that are asked about, and nothing else',
      { undecided: { ...UNDECIDED, similar: 1, blocked: 1 }, similar: ONE, open: ONE },
      ['Not sendable now 1 5.00', 'Similar to earlier ones 1 5.00', '*To send now 2 30.00*', ''],
    ],
  ])('counts apart %s', (_name, change, shown) => {
    const all = lines(change).map((line) => line.replace(/ +payouts in EUR +/, ' ').replaceAll(/(?<=\S) +/g, ' '));
    expect(from(shown[0] ?? '', all).slice(0, shown.length)).toEqual(shown);
    expect(all.some((line) => line.startsWith('Largest'))).toBe(change.undecided === undefined);
  });

  it('counts what a person has to know beside the money: a risk comes behind all of that, in red, and names what it is about', () => {
    const notices = [
      { ...NOTICE, code: 'paid-in-batch', batchId: 'b\u001b' },
      { ...NOTICE, code: 'already-created', batchId: '2026-11' },
    ] as const;
    const again = { protected: 1, expired: 2, gigs: 3, rejected: 4, named: [] };
    const warnings = ['1,234 warnings; the most important:', '- line 4: a doubt'];
    const all = lines({ invalid: 1, warnings: 1234, again, notices }, Infinity, warnings).slice(-14, -4);
    const starts = ['', '1 inv', '1,234 w', '- l', '1 rec', 'Refus', '!Careful: 2', '!Careful: 3', '!Careful: 3', ''];
    expect(all.map((line, i) => line.slice(0, starts[i]?.length))).toEqual(starts);
    expect(all.at(-2)).toMatch(/30\.00 EUR.*batch b\\u001b.*most recently today/);
  });

  it.each<[string, NamedRecord[], RegExp]>([
    [
      'one',
      [named('u17', 4)],
      /paid in batch b, most recently today: u17 on line 4\. Sending them pays them again\.!$/,
    ],
    [
      'two of several files',
      [named('u1', 4, 'a.csv'), named('u2', null, 'b.json')],
      /: u1 on line 4 of a\.csv, u2 as record 7 of b/,
    ],
  ])('names the people of a risk if they are few: %s', (_name, records, words) => {
    const notices = [{ ...NOTICE, records, code: 'paid-in-batch', batchId: 'b' }] as const;
    expect(lines({ notices }).at(-6)).toMatch(words);
    const again = { protected: 0, expired: 1, gigs: 0, rejected: 0, named: records };
    expect(lines({ again }).at(-6)).toMatch(/may pay twice: u/);
    const undecided = { ...UNDECIDED, similar: 1, records };
    expect(lines({ undecided }).at(-2)).toMatch(/looks like an earlier one: u/);
  });

  it.each<[string, Partial<UndecidedRepeats>, RegExp | null]>([
    [
      'when they were paid',
      { sent: 3, last: LAST },
      /^!Careful: 3 of .*\(5\.00 EUR\) were .*paid, .*today in run r1 \(p\.csv\)\.!$/,
    ],
    ['that some may have been', { sent: 3, inDoubt: 1 }, / were already paid or may have been paid\.!$/],
    ['that they look alike', { similar: 1 }, /^!Careful: 1 of .*\(5\.00 EUR\) looks like an earlier one/],
    ['nothing where something else comes first', { sent: 3, blocked: 1 }, null],
  ])('says of repeats, in red and last before the question, %s', (_name, undecided, words) => {
    const notices = [{ ...NOTICE, code: 'paid-in-batch', batchId: 'b' }] as const;
    const all = lines({ notices, undecided: { ...UNDECIDED, totals: ONE, ...undecided } });
    expect(all.at(words === null ? -2 : -3)).toMatch(/^!Careful: 3 .* in batch b/);
    if (words !== null) expect(all.at(-2)).toMatch(words);
  });

  it('names some files, so that the money stays on the screen', () => {
    const files = Array.from({ length: 15 }, (_, i) => ({ path: `${i}.csv`, sha256: 'a', records: 1 }));
    const all = lines({ files });
    expect(all.filter((line) => line.startsWith('File'))).toHaveLength(3);
    expect(all).toContainEqual(expect.stringMatching(/^and 12 more files/));
  });

  it('names the file of an amount where there are several, and the record where there is no line', () => {
    const files = [...REVIEW.files, { path: 'more.json', sha256: 'b'.repeat(64), records: 1 }];
    const results = { type: 'result', count: 9, smallest: notable('4', 3) };
    const largest = [notable('5', null, { file: 'more.json' })];
    const all = lines({ files, extremes: [extremes(largest, { ...results, currency: null })] });
    expect(from('Largest', all).slice(0, 2)).toEqual([
      'Largest gig results  5 cents  more.json, record 7, u1',
      'Smallest             4 cents  pay.csv, line 3, u1',
    ]);
  });

  it('of gigs has neither currencies nor cost centers, and no sum of prices for one seat', () => {
    const gig = { type: 'gig', currency: null, costCenter: null, count: 2 };
    const none = { inFile: part(total('900', gig)), before: NOTHING, toSend: part(total('900', gig)) };
    const all = lines({ ...none, gigs: GIGS, extremes: [extremes([notable('450', 2)], { ...gig })] });
    expect(all.slice(1, 2)).toEqual(['*To send  2 gigs with 5 seats (seats × prices: 2,250 cents)*']);
    // The last lines before the question.
    expect(from('Titles', all)).toEqual([
      'Titles          Audit Berlin, Audit Hamburg',
      expect.stringMatching(/^Start /),
      'Filter          {"city":"Berlin"}',
      'Invitation      manual',
      'Seats           5: total_seats',
      'Prices          450 cents per seat',
      'Seats × prices  2,250 cents. An estimate: it counts every seat as taken.',
      '',
    ]);
    expect(from('In the input', all).slice(0, 3)).toEqual([
      'In the input      gigs        2',
      'Known as created              0',
      '*To send now       gigs        2*',
    ]);
    expect(all.join('\n')).not.toMatch(/currency|cost center|Largest|paid/);
    const both = lines({ toSend: part(total('30', { count: 2 }), total('900', gig)), gigs: GIGS });
    expect(both.filter((line) => /^(\*?To send {2}|Largest|Titles|payouts$)/.test(line))).toHaveLength(4);
  });

  it('shows the largest and the smallest of each currency', () => {
    const five = ['9', '8'].map((amount, i) => notable(amount, i + 2));
    const each = ['EUR', 'JPY'].map((currency) => extremes(five, { currency, count: 7, smallest: notable('1', 8) }));
    expect(from('Largest', lines({ extremes: each })).slice(0, 4)).toEqual([
      'Largest payouts  9.00 EUR  line 2, u1',
      'Smallest         1.00 EUR  line 8, u1',
      'Largest payouts  9    JPY  line 2, u1',
      'Smallest         1    JPY  line 8, u1',
    ]);
  });

  it('shows nothing of a file that could move the cursor', () => {
    const all = lines({
      batchId: 'a\u001b[2Jb',
      target: 'https://x#\u202e',
      files: [{ path: '\r.csv', sha256: '', records: 0 }],
      toSend: part(total('5', { currency: 'E\u001b[2J' })),
    });
    expect(all.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it.each([80, 60, 40])('of a terminal of %i columns has no line that is wider', (width) => {
    const names = { subject: '利用者の名前'.repeat(3), file: '給与.csv' };
    const all = lines(
      {
        inFile: part(total('1234567.89', { count: 1000 }), total('7', { currency: 'CHF' })),
        toSend: part(total('1234567.89', { count: 1000, costCenter: '部門'.repeat(6) })),
        notices: [{ ...NOTICE, code: 'paid-in-batch', batchId: '2026-10', totals: [total('1234567.89')] }],
        extremes: [extremes([notable('1234567.89', 141, { row: 139, ...names })], { count: 9 })],
      },
      width,
    );
    const isText = (line: string): boolean => !/^(SHA-256|Digest)/.test(line);
    expect(all.filter((line) => isText(line) && textWidth(line.replaceAll(/[*!]/g, '')) > width)).toEqual([]);
  });

  it('tells what --only filters out, by rule, among what is not sent', () => {
    const filtered = [
      { rule: 'Type=Hourly', count: 2, totals: [total('330.95')], unreadable: 0 },
      { rule: 'Betrag>0', count: 1, totals: [], unreadable: 1 },
    ];
    expect(lines({ filtered, warnings: 1 }, Infinity, ['1 warning']).slice(-9, -4)).toEqual([
      '',
      'Filtered out by --only "Type=Hourly": 2 rows, 330.95 EUR',
      'Filtered out by --only "Betrag>0": 1 row, 1 without a readable amount',
      '1 warning',
      '',
    ]);
  });

  it('has what a tired person must know on the last 21 lines of 80 columns, above the question', () => {
    const rows = Array.from({ length: 40 }, (_, i) => total('5', { costCenter: `PP-${i}` }));
    const amounts = Array.from({ length: 5 }, (_, i) =>
      notable('300.5', 100 + i, { row: 90 + i, subject: 'usr_957184d454' }),
    );
    const all = lines(
      {
        toSend: part(...rows),
        zero: part(total('0')),
        negative: part(total('-1')),
        warnings: 3,
        extremes: [extremes(amounts, { count: 40, smallest: notable('-1', 7, { subject: 'usr_957184d454' }) })],
      },
      80,
      ['3 warnings:', '- line 4: a doubt', '- line 9: another one', '- line 10: a third one'],
    ).slice(-21);
    const wanted = [
      'Largest',
      'Smallest',
      'In the input',
      'Known as paid',
      '*To send now',
      '*  of these neg',
      '3 warnings',
      'Digest',
    ];
    for (const start of wanted) expect(all.filter((line) => line.startsWith(start))).toHaveLength(1);
  });
});

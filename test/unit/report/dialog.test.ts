import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { TotalRow } from '../../../src/money/totals.js';
import { isTotal, terminalDialog } from '../../../src/report/dialog.js';
import type { UndecidedRepeats } from '../../../src/report/history-text.js';
import type { ReviewReport } from '../../../src/report/reporter.js';
import { Output } from '../../../src/util/output.js';
import { part, REVIEW, total, UNDECIDED } from './reviews.js';

/** A terminal at which somebody answers each question with the next text; then the input ends. */
function answering(...answers: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  let said = '';
  const left = [...answers];
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (!/[:\]] $/.test(text)) return;
    const answer = left.shift();
    if (answer === undefined) stdin.end();
    else stdin.write(`${answer}\n`);
  });
  return {
    dialog: terminalDialog(stdin, new Output(stderr, () => 0)),
    stdin,
    stderr,
    signal: new AbortController().signal,
    said: () => said.replaceAll(/\n {4,}(?=\S)/g, ' '),
  };
}

describe('a person who is asked to confirm', () => {
  const review = (totals: readonly TotalRow[], change: Partial<ReviewReport> = {}): ReviewReport => {
    return { ...REVIEW, target: 'https://x', batchId: 'b', toSend: part(...totals), ...change };
  };
  const TWO = { count: 2 };

  it.each<[string, TotalRow[], string[], boolean]>([
    ['types the total', [total('19707.09')], ['19707.09'], true],
    ['types it at the second try', [total('19707.09')], ['19707.90', '19,707.09'], true],
    ['mistypes it three times', [total('5')], ['6', '7', '8', '5'], false],
    ['types blanks', [total('5')], ['  '], false],
    ['says yes instead', [total('5')], ['yes', ''], false],
    ['goes away', [total('5')], [], false],
    ['types each total', [total('5'), total('7', { currency: 'CHF' })], ['5', '7'], true],
    ['types the first total twice', [total('5'), total('7', { currency: 'CHF' })], ['5', '5', ''], false],
    ['types the number of gigs', [total('900', { type: 'gig', currency: null, count: 1200 })], ['1,200'], true],
    ['types what the gigs cost', [total('900', { type: 'gig', currency: null, count: 30 })], ['900', ''], false],
    ['says yes to one gig', [total('900', { type: 'gig', currency: null })], ['yes', ''], false],
    ['says yes to results without a price', [total('0', { type: 'result', unpriced: 1 })], ['y'], true],
    ['adds up cost centers', [total('5'), total('6', { costCenter: null })], ['11'], true],
    ['has nothing to confirm', [], [], false],
  ])('%s', async (_name, totals, answers, confirmed) => {
    const { dialog, signal } = answering(...answers);
    expect(await dialog.confirm(review(totals), signal)).toBe(confirmed);
  });

  it.each<[string, TotalRow[], Partial<ReviewReport>, RegExp]>([
    ['one', [total('75')], {}, /1 payout, 75.00 EUR, to https:\/\/x, batch b, type its amount/],
    ['an account', [total('75', TWO)], { target: 'https://x#desk' }, /2 payouts, 75.00 EUR in all, .*account desk/],
    ['an approval', [total('75', TWO)], { approves: true }, /^To approve .* for https:\/\/x/],
    ['cents', [total('7', { type: 'result' })], {}, /7 EUR cents, .* in cents/],
    [
      'amounts that are doubtful',
      [total('75', { count: 5 })],
      { zero: part(total('0', TWO)), negative: part(total('-3.5'), total('-9', { currency: 'CHF' })) },
      /\(2 of zero, 1 below zero: -3.50 EUR\)/,
    ],
    [
      'one gig',
      [total('9', { type: 'gig' })],
      {},
      /^To send 1 gig, .*batch b, type the number of gigs \(Enter stops\): $/m,
    ],
    ['gigs', [total('9', { type: 'gig', count: 30 })], {}, /^To send 30 gigs, .*batch b, type their number \(Enter/m],
    [
      'names that move the cursor',
      [total('1')],
      { target: 'https://x#\u001b[2J', batchId: '\u202e' },
      /^[^\u001b\u202e]*$/,
    ],
  ])('is told of %s what goes where, in the question itself', async (_name, totals, change, words) => {
    const { dialog, said, signal } = answering();
    await dialog.confirm(review(totals, change), signal);
    expect(said()).toMatch(words);
  });

  it('is not asked after a signal, and interrupted by one', async () => {
    const { dialog, said, stderr } = answering('5');
    expect(await dialog.confirm(review([total('5')]), AbortSignal.abort())).toBe(false);
    expect(said()).toBe('');
    const stop = new AbortController();
    stderr.removeAllListeners('data').once('data', () => stop.abort());
    expect(await dialog.confirm(review([total('5')]), stop.signal)).toBe(false);
  });

  it('has not answered where the input ends before Enter', async () => {
    const { dialog, stdin, stderr, signal } = answering();
    stderr.removeAllListeners('data').once('data', () => stdin.end('5'));
    expect(await dialog.confirm(review([total('5')]), signal)).toBe(false);
  });
});

it.each<[string, string, string | null, boolean]>([
  ['19,707.09', '19707.09', 'EUR', true],
  ['19.707,09', '19707.09', 'EUR', true],
  ["19'707.09", '19707.09', 'CHF', true],
  ['19’707.09', '19707.09', 'CHF', true],
  ['19\u202f707,09', '19707.09', 'EUR', true],
  ['19 707,09 EUR', '19707.09', 'EUR', true],
  ['eur 19,707.09', '19707.09', 'EUR', true],
  ['19707.090', '19707.09', 'EUR', true],
  ['5.00', '5', 'EUR', true],
  ['-1,234.5', '-1234.5', 'EUR', true],
  ['1234567', '1234567', null, true],
  ['1970709', '19707.09', 'EUR', false],
  ['19707.9', '19707.09', 'EUR', false],
  ['19707', '19707.09', 'EUR', false],
  ['19707.091', '19707.09', 'EUR', false],
  ['19707.09 CHF', '19707.09', 'EUR', false],
  ['50', '5', 'EUR', false],
  ['5.0.0', '5', 'EUR', false],
  ['', '0', 'EUR', false],
  ['.*', '5', 'EUR', false],
])('%j as the total %s %s: %s', (typed, amount, currency, same) => {
  expect(isTotal(typed, parseDecimal(amount), currency)).toBe(same);
});

const SENT = { sent: 3 };
const SIMILAR = { similar: 4 };

/** What the answers come to, and what was said on the way. */
async function asked(undecided: Partial<UndecidedRepeats>, answers: string[] = [], change: Partial<ReviewReport> = {}) {
  const { dialog, said, signal } = answering(...answers);
  const toSend = part(total('5', { count: 6 }));
  const review = { ...REVIEW, toSend, undecided: { ...UNDECIDED, ...undecided }, ...change };
  return { answer: await dialog.aboutRepeats(review, signal), said: said() };
}

describe('a person who is asked about repeats', () => {
  const DECIDED = { skipCreated: false, skipSimilar: false, sendSimilar: null };
  it.each<[string, Partial<UndecidedRepeats>, string[], object | null]>([
    ['leaves them out, in capitals', SENT, ['Skip'], { skipCreated: true }],
    ['stops', SENT, [''], null],
    ['goes away', SENT, [], null],
    ['says yes, and then stops', SENT, ['y', ''], null],
    ['types Enter as a word', SIMILAR, ['enter', 'Enter', 'ENTER'], null],
    ['mistypes it once', SENT, ['d', 'skip'], { skipCreated: true }],
    ['mistypes it three times', SENT, ['d', 'd', 'd', 'skip'], null],
    ['types their number, which pays nothing again', SENT, ['3', ''], null],
    ['decides first about those that were paid', { ...SENT, ...SIMILAR }, ['skip'], { skipCreated: true }],
    ['sends what is similar', SIMILAR, ['send'], { sendSimilar: 4 }],
    ['types their number, which stands on the screen', SIMILAR, ['4', ''], null],
    ['leaves out what is similar', SIMILAR, ['skip'], { skipSimilar: true }],
    ['is not offered to leave out several for one payment', { ...SIMILAR, taken: 1 }, ['skip', ''], null],
    ['is not asked about what needs something else first', { ...SENT, blocked: 1 }, ['skip'], null],
  ])('%s', async (_name, undecided, answers, decided) => {
    const { answer } = await asked(undecided, answers);
    expect(answer).toEqual(decided === null ? null : { ...DECIDED, ...decided });
  });

  it('is told what the answers do', async () => {
    const { said } = await asked({ ...SENT, similar: 2 });
    expect(said).toMatch(/^ *skip .*the other 6 records.*2 similar/m);
    expect(said).toMatch(/^ *Enter .*stop/m);
    const gigs = [total('0', { type: 'gig' })];
    expect((await asked({ ...SENT, totals: gigs })).said).toMatch(/skip +they were created already/);
    expect((await asked({ ...SIMILAR, totals: gigs })).said).toMatch(/send +they are separate gigs: /);
  });
});

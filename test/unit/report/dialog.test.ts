import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { TotalRow } from '../../../src/money/totals.js';
import { isTotal, terminalDialog } from '../../../src/report/dialog.js';
import type { ReviewReport } from '../../../src/report/reporter.js';

function total(amount: string, change: Partial<TotalRow> = {}): TotalRow {
  return {
    type: 'payout',
    currency: 'EUR',
    costCenter: 'PP-1',
    status: '',
    count: 2,
    amount: parseDecimal(amount),
    unpriced: 0,
    ...change,
  };
}

function review(totals: TotalRow[], repeats: ReviewReport['repeats'] = {}): ReviewReport {
  const toSend = { count: totals.reduce((sum, { count }) => sum + count, 0), totals };
  const nothing = { count: 0, totals: [] };
  return {
    target: 'x',
    batchId: 'default',
    digest: null,
    files: [],
    invalid: 0,
    warnings: 0,
    inDoubt: 0,
    rejected: 0,
    inFile: toSend,
    before: nothing,
    unknown: nothing,
    toSend,
    extremes: [],
    repeats,
  };
}

/** A terminal at which somebody answers each question with the next line; then the input ends. */
function answering(...answers: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let said = '';
  const left = [...answers];
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (!/[:\]] $/.test(text)) return;
    const answer = left.shift();
    if (answer === undefined) stdin.end();
    else stdin.write(`${answer}\n`);
  });
  return { dialog: terminalDialog(stdin, stderr), said: () => said, signal: new AbortController().signal };
}

describe('a person who is asked to confirm', () => {
  it.each<[string, TotalRow[], string[], boolean]>([
    ['types the total', [total('19707.09')], ['19707.09'], true],
    ['types it at the second try', [total('19707.09')], ['19707.90', '19,707.09'], true],
    ['mistypes it three times', [total('5')], ['6', '7', '8', '5'], false],
    ['types nothing', [total('5')], [''], false],
    ['says yes instead', [total('5')], ['yes', ''], false],
    ['goes away', [total('5')], [], false],
    ['types each total', [total('5'), total('7', { currency: 'CHF' })], ['5', '7'], true],
    ['types the first total twice', [total('5'), total('7', { currency: 'CHF' })], ['5', '5', ''], false],
    ['says yes to gigs', [total('0', { type: 'gig' })], ['y'], true],
    ['says YES to gigs', [total('0', { type: 'gig' })], ['YES'], true],
    ['says something else to gigs', [total('0', { type: 'gig' })], ['yeah'], false],
    ['says yes to results without a price', [total('0', { type: 'result', unpriced: 2 })], ['y'], true],
    ['adds up cost centers', [total('5'), total('6', { costCenter: null })], ['11'], true],
    ['has nothing to confirm', [], [], false],
  ])('%s', async (_name, totals, answers, confirmed) => {
    const { dialog, signal } = answering(...answers);
    expect(await dialog.confirm(review(totals), signal)).toBe(confirmed);
  });

  it('is told what the total is of, and in which unit', async () => {
    const { dialog, said, signal } = answering('7');
    await dialog.confirm(review([total('7', { type: 'result', count: 1234, unpriced: 4, currency: null })]), signal);
    expect(said()).toBe(
      'To send 1,234 gig results (4 of them without a known price, not in the total),\n    type their total in cents: ',
    );
  });

  it('is not asked any more after a signal', async () => {
    const { dialog, said } = answering('5');
    expect(await dialog.confirm(review([total('5')]), AbortSignal.abort())).toBe(false);
    expect(said()).toBe('');
  });

  it('is interrupted by a signal', async () => {
    const stop = new AbortController();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    stderr.once('data', () => stop.abort());
    expect(await terminalDialog(stdin, stderr).confirm(review([total('5')]), stop.signal)).toBe(false);
  });
});

describe('a person who is asked about repeats', () => {
  const created = { 'created-before': 2, 'same-content': 1 };
  it.each<[string, ReviewReport['repeats'], string[], unknown]>([
    ['skips', created, ['s'], { skipCreated: true, payAgain: null }],
    ['skips in capitals', created, ['S'], { skipCreated: true, payAgain: null }],
    ['pays again, with the number', created, ['p', '3'], { skipCreated: false, payAgain: 3 }],
    ['pays again, with another number', created, ['p', '2'], null],
    ['stops', created, [''], null],
    ['says yes', created, ['y'], null],
    ['goes away', created, [], null],
    [
      'skips, and sends what is similar',
      { ...created, 'similar-record': 4 },
      ['s', '4'],
      { skipCreated: true, payAgain: 4 },
    ],
    ['skips, and does not send what is similar', { ...created, 'similar-record': 4 }, ['s', ''], null],
    ['pays all again', { ...created, 'similar-record': 4 }, ['p', '7'], { skipCreated: false, payAgain: 7 }],
    ['sends what is similar', { 'similar-record': 1 }, ['1'], { skipCreated: false, payAgain: 1 }],
    ['does not send what is similar', { 'similar-record': 1 }, ['n'], null],
  ])('%s', async (_name, repeats, answers, wish) => {
    const { dialog, signal } = answering(...answers);
    expect(await dialog.aboutRepeats(review([total('5', { count: 9 })], repeats), signal)).toEqual(wish);
  });

  it('is told what Enter does with similar ones, and how the others are sent', async () => {
    const { dialog, said, signal } = answering('');
    await dialog.aboutRepeats(review([total('5', { count: 9 })], { 'similar-record': 2 }), signal);
    const words = said().replaceAll(/\s+/g, ' ');
    expect(words).toContain('Enter stops; to send the others, remove them from the file.');
    expect(words).toMatch(/To send them in addition, type the number 2: $/);
  });

  it('is told how many are left', async () => {
    const { dialog, said, signal } = answering('s');
    await dialog.aboutRepeats(review([total('5', { count: 9 })], created), signal);
    expect(said()).toContain('3 records were sent before.');
    // The review does not count them among what is to be sent.
    expect(said()).toContain('skip: leave them out, send the other 9');
  });
});

describe('a total that is typed', () => {
  it.each<[string, string, string | null, boolean]>([
    ['19707.09', '19707.09', 'EUR', true],
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
    ['CHF 19707.09', '19707.09', 'EUR', false],
    ['50', '5', 'EUR', false],
    ['5.0.0', '5', 'EUR', false],
    ['', '0', 'EUR', false],
    ['.*', '5', 'EUR', false],
  ])('%j for %s %s: %s', (typed, amount, currency, same) => {
    expect(isTotal(typed, parseDecimal(amount), currency)).toBe(same);
  });
});

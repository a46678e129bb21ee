import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { TotalRow } from '../../../src/money/totals.js';
import { terminalDialog } from '../../../src/report/dialog.js';
import type { ReviewReport } from '../../../src/report/reporter.js';
import { Output } from '../../../src/util/output.js';
import { part, REVIEW, total } from './reviews.js';
import { answering } from './typing.js';

function review(totals: readonly TotalRow[], change: Partial<ReviewReport> = {}): ReviewReport {
  return { ...REVIEW, target: 'https://x', batchId: 'b', toSend: part(...totals), ...change };
}

const TWO = { count: 2 };

describe('a person who is asked to confirm', () => {
  it.each<[string, TotalRow[], string[], boolean]>([
    ['types the total', [total('19707.09')], ['19707.09'], true],
    ['types it at the second try', [total('19707.09')], ['19707.90', '19,707.09'], true],
    ['mistypes it three times', [total('5')], ['6', '7', '8', '5'], false],
    ['types nothing', [total('5')], [''], false],
    ['types blanks', [total('5')], ['  '], false],
    ['says yes instead', [total('5')], ['yes', ''], false],
    ['goes away', [total('5')], [], false],
    ['types each total', [total('5'), total('7', { currency: 'CHF' })], ['5', '7'], true],
    ['types the first total twice', [total('5'), total('7', { currency: 'CHF' })], ['5', '5', ''], false],
    ['says yes to gigs', [total('0', { type: 'gig' })], ['y'], true],
    ['says YES to gigs', [total('0', { type: 'gig' })], ['YES'], true],
    ['says something else to gigs', [total('0', { type: 'gig' })], ['yeah'], false],
    ['says yes to results without a price', [total('0', { type: 'result', unpriced: 1 })], ['y'], true],
    ['adds up cost centers', [total('5'), total('6', { costCenter: null })], ['11'], true],
    ['has nothing to confirm', [], [], false],
  ])('%s', async (_name, totals, answers, confirmed) => {
    const { dialog, signal } = answering(...answers);
    expect(await dialog.confirm(review(totals), signal)).toBe(confirmed);
  });

  it.each<[string, TotalRow[], Partial<ReviewReport>, string]>([
    ['one', [total('75')], {}, 'To send 1 payout, 75.00 EUR, to https://x, batch b, type its amount (Enter stops): '],
    [
      'several, for an account',
      [total('75', TWO)],
      { target: 'https://x#desk' },
      'To send 2 payouts, 75.00 EUR in all, to https://x, account desk, batch b, type their total (Enter stops): ',
    ],
    [
      'an approval',
      [total('75', TWO)],
      { approves: true },
      'To approve 2 payouts, 75.00 EUR in all, for https://x, batch b, type their total (Enter stops): ',
    ],
    [
      'cents, some of them unknown',
      [total('7', { type: 'result', count: 1234, unpriced: 4, currency: null })],
      {},
      'To send 1,234 gig results, 7 cents, 4 without a known price in all, to https://x, batch b, type their total in cents (Enter stops): ',
    ],
    [
      'amounts that are doubtful',
      [total('75', { count: 5 })],
      { zero: part(total('0', TWO)), negative: part(total('-3.5'), total('-9', { currency: 'CHF' })) },
      'To send 5 payouts, 75.00 EUR in all (2 of zero, 1 below zero: -3.50 EUR), to https://x, batch b, type their total (Enter stops): ',
    ],
    [
      'gigs',
      [total('900', { type: 'gig', ...TWO })],
      {},
      'Send 2 gigs, 900 EUR cents per seat in all, to https://x, batch b? [y/N] ',
    ],
    [
      'what has no price',
      [total('0', { type: 'result', count: 2, unpriced: 2 })],
      {},
      'Send 2 gig results, 2 without a known price, to https://x, batch b? [y/N] ',
    ],
    [
      'names that could move the cursor',
      [total('1')],
      { target: 'https://x#\u001b[2J', batchId: '\u202e' },
      'To send 1 payout, 1.00 EUR, to https://x, account \\u001b[2J, batch \\u202e, type its amount (Enter stops): ',
    ],
  ])('is told of %s what goes where, in the question itself', async (_name, totals, change, question) => {
    const { dialog, said, signal } = answering();
    await dialog.confirm(review(totals, change), signal);
    // The end of the input ends the line of the question.
    expect(said()).toBe(`${question}\n`);
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
    expect(await terminalDialog(stdin, new Output(stderr, () => 0)).confirm(review([total('5')]), stop.signal)).toBe(
      false,
    );
  });

  it('has not answered where the input ends before Enter', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    stderr.once('data', () => stdin.end('5'));
    const dialog = terminalDialog(stdin, new Output(stderr, () => 0));
    expect(await dialog.confirm(review([total('5')]), new AbortController().signal)).toBe(false);
  });

  it.each([80, 60, 40])('has room for the answer on the last line of %i columns', async (columns) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
    let question = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      question += text;
      stdin.end();
    });
    const dialog = terminalDialog(stdin, new Output(stderr, () => 0));
    await dialog.confirm(review([total('1166.45', { count: 3 })]), new AbortController().signal);
    const lines = question.replace(/\n$/, '').split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.at(-1)?.length).toBeLessThanOrEqual(columns - Math.min(20, columns / 2));
  });
});

import { PassThrough } from 'node:stream';
import { Output } from '../../../src/util/output.js';
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
    staysRejected: nothing,
    toSend,
    extremes: [],
    repeats,
    goesOn: false,
    approves: false,
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
  return {
    dialog: terminalDialog(stdin, new Output(stderr, () => 0)),
    said: () => said,
    signal: new AbortController().signal,
  };
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
    expect(await terminalDialog(stdin, new Output(stderr, () => 0)).confirm(review([total('5')]), stop.signal)).toBe(
      false,
    );
  });
});

describe('a person who is asked about repeats', () => {
  const sent = { 'created-before': 2, 'same-content': 1 };
  const similar = { 'similar-record': 4 };
  const skip = { skipCreated: true, skipSimilar: false, sendSimilar: null };
  it.each<[string, ReviewReport['repeats'], string[], unknown]>([
    ['leaves them out', sent, ['s'], skip],
    ['leaves them out, in capitals', sent, ['S'], skip],
    ['leaves them out, in full', sent, ['skip'], skip],
    ['stops', sent, [''], null],
    ['says yes', sent, ['y'], null],
    ['types their number, which pays nothing again', sent, ['3'], null],
    ['goes away', sent, [], null],
    ['sends what is open in another run', { 'open-before': 2 }, ['s'], skip],
    ['leaves them out, and sends what is similar', { ...sent, ...similar }, ['s', '4'], { ...skip, sendSimilar: 4 }],
    ['leaves out both', { ...sent, ...similar }, ['s', 's'], { ...skip, skipSimilar: true }],
    ['leaves them out, and then stops', { ...sent, ...similar }, ['s', ''], null],
    ['stops before what is similar', { ...sent, ...similar }, ['', 's'], null],
    ['sends what is similar', similar, ['4'], { skipCreated: false, skipSimilar: false, sendSimilar: 4 }],
    ['types another number', similar, ['3'], null],
    ['leaves out what is similar', similar, ['s'], { skipCreated: false, skipSimilar: true, sendSimilar: null }],
    ['says no to what is similar', similar, ['n'], null],
    [
      'types the number as it is shown',
      { 'similar-record': 1234 },
      ['1,234'],
      { skipCreated: false, skipSimilar: false, sendSimilar: 1234 },
    ],
  ])('%s', async (_name, repeats, answers, decided) => {
    const { dialog, signal } = answering(...answers);
    expect(await dialog.aboutRepeats(review([total('5', { count: 9 })], repeats), signal)).toEqual(decided);
  });

  /** What is said on the way to the answers, without line breaks within a sentence. */
  async function told(report: ReviewReport, ...answers: string[]): Promise<string> {
    const { dialog, said, signal } = answering(...answers);
    await dialog.aboutRepeats(report, signal);
    return said().replaceAll(/\n {4,}(?=\S)/g, ' ');
  }

  it.each<[string, number, ReviewReport['repeats'], string]>([
    // The review does not count them among what is to be sent.
    [
      'all that was sent before',
      0,
      sent,
      's      they were paid already: leave them out; nothing else is to be sent\n',
    ],
    ['one of two', 1, { 'created-before': 1 }, 's      it was paid already: leave it out; send the other one\n'],
    ['some', 9, sent, 's      they were paid already: leave them out; send the other 9\n'],
    // These are sent, so the review counts them.
    [
      'what is open elsewhere',
      5,
      { 'open-before': 2 },
      's      send them with this run, each once; send the other 3\n',
    ],
    [
      'both',
      5,
      { 'created-before': 1, 'open-before': 1 },
      's      it was paid already: leave it out; send the 1 of the other run with this run, once; send the other 4\n',
    ],
    [
      'what is similar as well, which is asked about afterwards',
      5,
      { 'created-before': 1, 'similar-record': 2 },
      's      it was paid already: leave it out; send the other 3; 2 similar records are asked about next\n',
    ],
  ])('is told what the answer does with %s', async (_name, count, repeats, words) => {
    expect(await told(review(count === 0 ? [] : [total('5', { count })], repeats), '')).toContain(words);
  });

  it('is told what each answer does with similar ones', async () => {
    const text = await told(review([total('5', { count: 9 })], { 'similar-record': 2 }), '');
    expect(text).toContain('2 records are similar to earlier ones: same user and title');
    expect(text).toContain('What was paid before stays as it is.\n');
    expect(text).toContain('  s      they were paid already: leave them out; send the other 7\n');
    expect(text).toContain('  2      they are payments of their own: send them in addition\n');
    expect(text).toContain('  Enter  none of that, or not sure: stop, nothing is sent\n');
    expect(text).toMatch(/s, the number 2, or Enter: $/);
  });

  it('is told the way for another period once, which is a name; in a run that goes on, for these records alone', async () => {
    const words =
      'If they are for another period or purpose: stop, and run the same command with a name for that, --batch-id NAME (now it is default).';
    for (const repeats of [sent, similar, { ...sent, ...similar }])
      expect((await told(review([total('5', { count: 9 })], repeats), 's', '')).split(words)).toHaveLength(2);
    const goesOn = await told({ ...review([total('5', { count: 9 })], similar), goesOn: true }, '');
    expect(goesOn).not.toContain('the same command');
    expect(goesOn).toContain('put these records alone into a file of their own');
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

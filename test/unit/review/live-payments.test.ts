import { describe, expect, it } from 'vitest';
import { assessed, computed, DAY, type Over, own, type Past, type Row, START } from './review-fixtures.js';

const [K, P, Q] = ['k', 'p', 'q'].map((name) => ({ key: computed(name) })) as [Row, Row, Row];
const unknown = { state: 'unknown' } as const;
const rejected = { state: 'rejected' } as const;
const open = { state: 'not_sent' } as const;
/** The same person and title, and another amount or other details. */
const like: Row = { ...K, says: 'Y' };
const april = { ...P, batch: 'april' };
const MINE: Row = { key: 'mine', ...own };
const bad: Past = { key: 'bad', says: 'bad', ...rejected };
const goesOn: Over = { accepted: [1], now: START + 99 * DAY };
const started: Past = { ...K, ...open };
const live = { ...open, live: true } as const;
const corrects: Row = { ...K, source: 'replaces', corrects: 'bad' };

describe('what a live call has accepted', () => {
  it.each<[says: string, rows: readonly Row[], past: readonly Past[], live: number | undefined, over?: Over]>([
    ['the payment itself', [MINE], [{ ...MINE, ...live }], 1],
    ['in doubt, though it is not sent again', [{ type: 'gig', ...own }], [{ type: 'gig', ...unknown, live: true }], 1],
    ['rejected, to be sent again', [own], [{ ...rejected, live: true }], 1, { retryRejected: true }],
    ['rejected, to be corrected', [corrects], [{ ...bad, live: true }], 1],
    [
      'its correction',
      [corrects],
      [
        { ...bad, replacedBy: 2 },
        { ...Q, ...live },
      ],
      2,
    ],
    ['the same content', [K], [{ ...P, ...live }], 1],
    ['a similar one', [like], [{ ...P, ...live }], 1],
    ['a similar one of another batch', [like], [{ ...april, ...live }], 1],
    ['what has come since its run began', [K], [started, { ...P, ...live }], 2, goesOn],
    ['not one that stays rejected', [own], [{ ...rejected, live: true }], undefined],
    ['not one of another amount and batch', [{ ...like, amount: '7' }], [{ ...april, ...live }], undefined],
    ['not of another person', [{ ...like, like: 'M' }], [{ ...P, ...live }], undefined],
    ['not once it has ended', [MINE], [{ ...MINE, ...open }], undefined],
  ])('is waited for: %s', (_, rows, past, expected, over) => {
    const { live: found, undecided } = assessed(rows, past, over);
    expect(found?.id).toBe(expected);
    // What is not paid yet is no repeat by its content.
    expect(undecided.filter(({ code }) => code === 'similar-record' || code === 'created-before')).toEqual([]);
  });
});

describe('how much was paid in all', () => {
  it.each<[string, one: Past, other: Past, total: string | null]>([
    ['is exact', { amount: '0.1' }, { amount: '0.2' }, '0.3'],
    ['is no sum of two currencies', {}, { currency: 'CHF' }, null],
    ['is no sum of what is unknown', {}, { amount: null }, null],
  ])('%s', (_, one, other, total) => {
    const past = [
      { ...P, ...one },
      { ...Q, ...other },
    ];
    expect(assessed([K], past).undecided[0]?.total).toEqual(total);
  });
});

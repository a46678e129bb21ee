import { describe, expect, it } from 'vitest';
import { assessed, computed, DAY, type Over, own, type Past, type Row, START, TARGET } from './kit.js';

/** Repeats as `record code payment`, and then what is only told. */
type Case = readonly [says: string, rows: readonly Row[], past: readonly Past[], found: readonly string[], over?: Over];

function check(cases: readonly Case[]): void {
  it.each(cases.map((one) => ({ says: one[0], one })))('$says', ({ one: [, rows, past, found, over] }) => {
    const { repeats, reminders } = assessed(rows, past, over);
    expect([
      ...repeats.map(({ index, code, standsFor }) => `${index} ${code} ${standsFor.id}`),
      ...reminders.map(({ index, code, newest }) => `${index} ${code} ${newest.id}`),
    ]).toEqual(found);
  });
}

const [K, L, M, P, Q] = ['k', 'l', 'm', 'p', 'q'].map((name) => ({ key: computed(name) })) as [Row, Row, Row, Row, Row];
const before = ['0 created-before 1'];
const similar = ['0 similar-record 1'];
const unknown = { state: 'unknown' } as const;
const rejected = { state: 'rejected' } as const;
const open = { state: 'not_sent' } as const;
/** The same person and title, and another amount or other details. */
const like: Row = { ...K, says: 'Y' };

describe('created-before, by content', () => {
  check([
    ['created', [K], [P], before],
    ['in doubt', [K], [{ ...P, ...unknown }], before],
    [
      'as often as there are payments, created ones first',
      [K, L, M],
      [{ ...P, ...unknown }, Q],
      ['0 created-before 2', '1 created-before 1'],
    ],
    ['not where that payment is another record of the input', [K, L], [K], before],
    [
      'not what was rejected, nor what is open',
      [K],
      [
        { ...P, ...rejected },
        { ...Q, ...open },
      ],
      [],
    ],
    ['not another type', [K], [{ ...P, type: 'gig' }], []],
    ['similar under a key of its own', [K], [{ key: 'q' }], similar],
    ['similar to a record with one', [own], [P], similar],
    ['similar in another batch', [K], [{ ...P, batch: 'april' }], similar],
    [
      'also where it would be sent again',
      [{ ...K, source: 'columns' }],
      [{ ...K, ...unknown }, P],
      ['0 created-before 2'],
    ],
  ]);
});

describe('similar-record, in its batch', () => {
  check([
    ['created', [like], [P], similar],
    ['in doubt', [like], [{ ...P, ...unknown }], similar],
    ['at any time', [like], [P], similar, { now: START + 99 * DAY }],
    ['each that resembles it', [like, { ...L, says: 'Z' }], [P], [...similar, '1 similar-record 1']],
    ['not of another person or title', [{ ...like, like: 'M' }], [P], []],
    [
      'not what was rejected, nor what is open',
      [like],
      [
        { ...P, ...rejected },
        { ...Q, ...open },
      ],
      [],
    ],
    ['not with own keys and other content', [{ ...own, says: 'Y' }], [{ key: 'q' }], []],
    ['with own keys and the same content', [own], [{ key: 'q' }], similar],
    ['not what another record of the input is', [like, { key: 'q', ...own }], [{ key: 'q' }], []],
    ['not what another record repeats', [like, L], [P], ['1 created-before 1']],
    ['not with another reference', [{ ...like, reference: 1n }], [{ ...P, reference: 2n }], []],
    ['with a reference that only one has', [{ ...like, reference: 1n }], [P], similar],
    ['with a date that only one has', [{ ...like, date: 1 }], [P], similar],
    ['not with another date: it is told', [{ ...like, date: 1 }], [{ ...P, date: 2 }], ['0 other-date 1']],
    ['nor that, with another amount', [{ ...like, date: 1, amount: '7' }], [{ ...P, date: 2 }], []],
    ['nor with another reference', [{ ...like, date: 1, reference: 1n }], [{ ...P, date: 2 }], []],
  ]);
});

const april = { ...P, batch: 'april' };
const since = (days: number): Over => ({ now: START + days * DAY });
const result: Row = { ...like, type: 'result', reference: 1n, measure: 5n, amount: null };
const done = { ...april, type: 'result', reference: 1n, measure: 5n, amount: null } as const;

describe('similar-record, in another batch', () => {
  check([
    ['created less than 6 days ago', [like], [april], similar, since(5.9)],
    ['earlier it is told', [like], [april], ['0 paid-in-batch 1'], since(6)],
    ['in doubt, at any time', [like], [{ ...april, ...unknown }], similar, since(99)],
    ['at any time, where this batch is the default one', [like], [april], similar, { ...since(99), batch: 'default' }],
    ['where only that one is, it is told', [like], [{ ...P, batch: 'default' }], ['0 paid-in-batch 1'], since(9)],
    ['not of another amount', [{ ...like, amount: '100.5' }], [april], []],
    ['of the same, however it is written', [{ ...like, amount: '100.00' }], [april], similar],
    ['of one that nobody knows', [{ ...like, amount: null }], [april], similar],
    ['a gig, which has none', [{ ...like, type: 'gig' }], [{ ...april, type: 'gig', amount: '7' }], similar],
    ['a result of this task and quantity', [result], [done], similar],
    ['not of another quantity', [result], [{ ...done, measure: 6n }], []],
    ['not of another task', [result], [{ ...done, reference: 2n }], []],
    ['with own keys, whatever the content', [{ ...own, says: 'Y' }], [{ key: 'q', batch: 'april' }], similar],
  ]);
});

function mended(state: Past['state'], over: Past = {}): readonly Past[] {
  return [
    { ...P, ...rejected, replacedBy: 2, ...over },
    { ...Q, says: 'mended', like: 'M', ...(state && { state }), ...over },
  ];
}
const MINE: Row = { key: 'mine', ...own };
const beside: Past = { key: 'mine', target: `${TARGET}/v2` };
const correction: Row = { ...K, source: 'replaces', corrects: 'bad' };
const bad: Past = { key: 'bad', says: 'bad', ...rejected };

describe('similar-record, beyond that', () => {
  check([
    ['rejected with this content, corrected and created', [K], mended('created'), ['0 similar-record 2']],
    ['its correction is in doubt', [K], mended('unknown'), ['0 similar-record 2']],
    ['not where that was rejected, too', [K], mended('rejected'), []],
    ['not with other content', [like], mended('created'), []],
    ['in another batch, lately', [K], mended('created', { batch: 'april' }), ['0 similar-record 2']],
    ['and not earlier', [K], mended('created', { batch: 'april' }), [], since(7)],
    [
      'not where the correction is in the input',
      [K, { ...Q, ...own, says: 'mended', like: 'M' }],
      mended('created'),
      [],
    ],
    ['the same key and content beside it on the host', [MINE], [beside], similar],
    ['not with other content', [{ ...MINE, says: 'Y' }], [beside], []],
    ['not on another host', [MINE], [{ ...beside, target: 'https://other.example' }], []],
    ['not a payment of the run that the row corrects', [correction], [bad, P, { ...Q, says: 'Y' }], []],
  ]);
});

const goesOn: Over = { accepted: [1], ...since(99) };
const leftOut: Over = { accepted: [0], ...since(99) };
const started: Past = { ...K, ...open };
const [wrong, right] = mended('created') as [Past, Past];

describe('a run that goes on', () => {
  check([
    ['has decided about what was there', [K], [started, { ...P, moment: 10 }], [], goesOn],
    ['asks about what was created since', [K], [started, { ...P, moment: 11 }], ['0 created-before 2'], goesOn],
    ['in another batch, too', [K], [started, { ...april, moment: 11 }], ['0 similar-record 2'], goesOn],
    [
      'asks about corrections that were created since',
      [K],
      [started, { ...wrong, replacedBy: 3 }, { ...right, moment: 11 }],
      ['0 similar-record 3'],
      goesOn,
    ],
    ['asks again about what it left out', [K], [P], before, leftOut],
    ['as about what has come since', [K], [{ ...april, moment: 11 }], similar, leftOut],
    [
      'has decided about the host',
      [MINE],
      [
        { ...MINE, ...open },
        { ...beside, moment: 10 },
      ],
      [],
      goesOn,
    ],
    ['tells of nothing that it accepted', [K], [started, april], [], goesOn],
  ]);
});

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
    const { live: found, repeats } = assessed(rows, past, over);
    expect(found?.id).toBe(expected);
    // What is not paid yet is no repeat by its content.
    expect(repeats.filter(({ code }) => code === 'similar-record' || code === 'created-before')).toEqual([]);
  });
});

describe('what a person is shown', () => {
  it.each<[string, readonly Past[], newest: number, times: number, total: string | null]>([
    [
      'the newest',
      [
        { ...P, at: START + 9 },
        { ...Q, at: START },
      ],
      1,
      1,
      '200',
    ],
    ['in how many runs', [P, { ...Q, run: 2 }, { ...L, run: 2 }], 3, 2, '300'],
    [
      'how much in all, exactly',
      [
        { ...P, amount: '0.1' },
        { ...Q, amount: '0.2' },
      ],
      2,
      1,
      '0.3',
    ],
    ['no sum of two currencies', [P, { ...Q, currency: 'CHF' }], 2, 1, null],
    ['no sum of what is unknown', [P, { ...Q, amount: null }], 2, 1, null],
  ])('is %s', (_, past, newest, times, total) => {
    const [found] = assessed([K], past).repeats;
    expect([found?.newest.id, found?.times, found?.total]).toEqual([newest, times, total]);
  });
});

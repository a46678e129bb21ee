import { describe, expect, it } from 'vitest';
import type { KnownPayment } from '../../../src/ledger/payment.js';
import { type Repeat, type RepeatRules, type Sent, shown, startDuplicates } from '../../../src/preflight/repeats.js';
import { contentOf, similarityOf } from '../ledger/kit.js';
import { groupedBy, history, type Past, type Says } from './kit.js';

const RULES: RepeatRules = { batchId: null, since: 0, goesOn: false, isOwn: () => false };

function sent(index: number, { says = 'X', like = says, reference = null, date = null }: Partial<Says>): Sent {
  return { index, content: contentOf(says), similarity: similarityOf(like), reference, date, isInDoubt: false };
}

function found(records: readonly Partial<Says>[], past: readonly Past[], over: Partial<RepeatRules> = {}) {
  const known: readonly KnownPayment[] = history(...past);
  const duplicates = startDuplicates(
    groupedBy(known, ({ similarity }) => similarity),
    { ...RULES, ...over },
  );
  return records.map((record, index) => duplicates.of(sent(index, record)));
}

/** `same-content 1`, with `elsewhere` where it is of another batch only; `-` for none. */
function words(repeat: Repeat | null): string {
  if (repeat === null) return '-';
  return `${repeat.code} ${repeat.standsFor.id}${repeat.counts ? '' : ' elsewhere'}`;
}

interface Case {
  readonly says: string;
  readonly records: readonly Partial<Says>[];
  readonly past: readonly Past[];
  readonly over?: Partial<RepeatRules>;
  readonly repeats: readonly string[];
}

const like = 'user and title';
const similar = { says: 'Y', like };
const asked = { says: 'X', like };

const CASES: readonly Case[] = [
  {
    says: 'same-content: another key, created',
    records: [{}],
    past: [{ key: 'q' }],
    repeats: ['same-content 1'],
  },
  {
    says: 'same-content: or in doubt',
    records: [{}],
    past: [{ key: 'q', state: 'unknown' }],
    repeats: ['same-content 1'],
  },
  {
    says: 'the history holds at least as many payments of this content as the input does up to this one',
    records: [{}, {}, {}],
    past: [{ key: 'q' }, { key: 'r' }],
    repeats: ['same-content 1', 'same-content 2', '-'],
  },
  {
    says: 'other content between them does not count',
    records: [{}, { says: 'Z' }, {}],
    past: [{ key: 'q' }],
    repeats: ['same-content 1', '-', '-'],
  },
  {
    says: 'what is created is stood for first, then what is in doubt',
    records: [{}, {}],
    past: [
      { key: 'q', state: 'unknown' },
      { key: 'r', state: 'created' },
    ],
    repeats: ['same-content 2', 'same-content 1'],
  },
  {
    says: 'open payments of a run that nobody delivers do not bar others',
    records: [{}],
    past: [{ key: 'q', state: 'not_sent', ended: false }],
    repeats: ['-'],
  },
  {
    says: 'those of a live run do: it is about to send them',
    records: [{}],
    past: [{ key: 'q', state: 'not_sent', live: true }],
    repeats: ['same-content 1'],
  },
  {
    says: 'but not what was replaced in it',
    records: [{}],
    past: [{ key: 'q', state: 'not_sent', live: true, replacedBy: 2 }],
    repeats: ['-'],
  },
  {
    says: 'what was rejected was not paid',
    records: [{}],
    past: [{ key: 'q', state: 'rejected' }],
    repeats: ['-'],
  },
  {
    says: 'what the input itself stands for is no repeat',
    records: [{}],
    past: [{ key: 'own' }],
    over: { isOwn: ({ key }) => key === 'own' },
    repeats: ['-'],
  },
  {
    says: 'similar-record: other content, but the same type, user and title',
    records: [asked],
    past: [{ key: 'q', ...similar }],
    repeats: ['similar-record 1'],
  },
  {
    says: 'equal content comes before similar content',
    records: [asked, asked],
    past: [
      { key: 'q', ...similar },
      { key: 'r', ...asked },
    ],
    repeats: ['same-content 2', 'similar-record 1'],
  },
  {
    says: 'reference and date tell them apart where both have one and they differ: the reference',
    records: [{ ...asked, reference: 1n }],
    past: [{ key: 'q', ...similar, reference: 2n }],
    repeats: ['-'],
  },
  {
    says: 'the date',
    records: [{ ...asked, date: 20_000 }],
    past: [{ key: 'q', ...similar, date: 20_001 }],
    repeats: ['-'],
  },
  {
    says: 'not where only one has a reference, or a date',
    records: [{ ...asked, reference: 1n }, asked],
    past: [{ key: 'q', ...similar, date: 20_001 }],
    repeats: ['similar-record 1', 'similar-record 1'],
  },
  {
    says: 'not where they are equal',
    records: [{ ...asked, reference: 1n, date: 20_000 }],
    past: [{ key: 'q', ...similar, reference: 1n, date: 20_000 }],
    repeats: ['similar-record 1'],
  },
  {
    says: 'equal content is a repeat whatever the reference: it is part of the content',
    records: [{ reference: 1n }],
    past: [{ key: 'q', reference: 2n }],
    repeats: ['same-content 1'],
  },
  {
    says: 'in a batch that was named, only its payments are repeats; others are warnings',
    records: [{}, {}, {}],
    past: [
      { key: 'q', batchId: 'default' },
      { key: 'r', batchId: 'b' },
    ],
    over: { batchId: 'b' },
    repeats: ['same-content 2', 'same-content 1 elsewhere', '-'],
  },
  {
    says: 'similar ones of that batch come before equal ones of others',
    records: [asked],
    past: [
      { key: 'q', ...asked },
      { key: 'r', ...similar, batchId: 'b' },
    ],
    over: { batchId: 'b' },
    repeats: ['similar-record 2'],
  },
  {
    says: 'a run that goes on: what its gate knew was decided there',
    records: [{}],
    past: [{ key: 'q', moment: 5 }],
    over: { goesOn: true, since: 5 },
    repeats: ['-'],
  },
  {
    says: 'what has come since is checked as for a new run',
    records: [{}],
    past: [{ key: 'q', moment: 6 }],
    over: { goesOn: true, since: 5 },
    repeats: ['same-content 1'],
  },
];

describe('repeats by content', () => {
  it.each(CASES)('$says', ({ records, past, over, repeats }) => {
    expect(found(records, past, over).map(words)).toEqual(repeats);
  });
});

describe('what a person is shown', () => {
  const shows = (...past: readonly Past[]) => {
    const { newest, times, total } = shown(history(...past));
    return [newest.id, times, total];
  };

  it.each([
    [
      'the newest payment',
      [
        { key: 'a', at: 5 },
        { key: 'b', at: 9 },
        { key: 'c', at: 7 },
      ],
      [2, 1, '300'],
    ],
    ['in how many runs', [{ key: 'a' }, { key: 'b', run: 2 }, { key: 'c', run: 2 }], [3, 2, '300']],
    [
      'for how much in all, in exact decimals',
      [
        { key: 'a', amount: '0.1' },
        { key: 'b', amount: '0.2' },
      ],
      [2, 1, '0.3'],
    ],
    ['no sum across currencies', [{ key: 'a' }, { key: 'b', currency: 'CHF' }], [2, 1, null]],
    ['no sum with an unpriced one', [{ key: 'a' }, { key: 'b', amount: null }], [2, 1, null]],
  ] as const)('is %s', (_, past, expected) => {
    expect(shows(...past)).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { startDigest } from '../../../src/keys/key.js';
import { assess, type AssessRules, changesAnything, digestOf, listedAs } from '../../../src/preflight/assess.js';
import {
  assessed,
  assessRules,
  fatesOf,
  goesOn,
  history,
  input,
  type Lists,
  lookedUp,
  openOf,
  type Past,
  type Row,
  SKIP,
} from './kit.js';

interface Case {
  readonly says: string;
  readonly rows: readonly Row[];
  readonly past: readonly Past[];
  /** What the run that goes on lists; undefined for a new run. */
  readonly lists?: readonly Lists[];
  readonly over?: Partial<AssessRules>;
  readonly fates: readonly string[];
  readonly open?: readonly string[];
}

function look({ rows, past, lists, over = {} }: Case) {
  const prepared = input(...rows);
  const known = history(...past);
  const looked = lists === undefined ? lookedUp(prepared, known) : goesOn(prepared, known, lists);
  return { prepared, looked, assessment: assess(prepared, looked, assessRules(over)) };
}

const skip = { decisions: SKIP };

const NEW: readonly Case[] = [
  {
    says: 'an invalid record has no fate',
    rows: [{ key: 'a' }, { key: 'b', says: 'B', valid: false }],
    past: [],
    fates: ['send', 'invalid'],
  },
  {
    says: 'two identical rows of a file are two records: one was paid, the other is sent',
    rows: [{ key: 'k1' }, { key: 'k2' }],
    past: [{ key: 'k1' }],
    over: skip,
    fates: ['created 1 same', 'send'],
  },
  {
    says: 'a longer file of the same month: what was paid is left out, what is new is sent',
    rows: [{ key: 'a' }, { key: 'b', says: 'B' }, { key: 'c', says: 'C' }],
    past: [{ key: 'a' }, { key: 'b', says: 'B' }],
    over: skip,
    fates: ['created 1 same', 'created 2 same', 'send'],
  },
];

const GOING_ON: readonly Case[] = [
  {
    says: 'what is created is already_created, what is open is sent, what was rejected stays rejected',
    rows: [
      { key: 'a', says: 'A' },
      { key: 'b', says: 'B' },
      { key: 'c', says: 'C' },
    ],
    past: [
      { key: 'a', says: 'A' },
      { key: 'b', says: 'B', state: 'not_sent' },
      { key: 'c', says: 'C', state: 'rejected' },
    ],
    lists: [{ payment: 1 }, { payment: 2 }, { payment: 3 }],
    fates: ['created', 'send 2', 'rejected 3'],
  },
  {
    says: 'what it would still send is checked for repeats, itself aside',
    rows: [{ key: 'a' }, { key: 'b' }],
    past: [
      { key: 'a', moment: 11 },
      { key: 'b', state: 'not_sent' },
    ],
    lists: [{ payment: 1 }, { payment: 2 }],
    fates: ['created', 'send 2'],
  },
  {
    says: 'paid elsewhere since its gate, an open record is a repeat',
    rows: [{ key: 'a' }],
    past: [
      { key: 'a', state: 'not_sent' },
      { key: 'q', moment: 11 },
    ],
    lists: [{ payment: 1 }],
    fates: ['send 1'],
    open: ['0 same-content 2'],
  },
];

/** Which payments of the history the input itself stands for, and which it repeats. */
const OWN: readonly Case[] = [
  {
    says: 'an invalid record stands for no payment: a valid one of that content repeats it',
    rows: [
      { key: 'q', source: 'own', says: 'mistyped', valid: false },
      { key: 'k', says: 'X' },
    ],
    past: [{ key: 'q', says: 'X' }],
    over: skip,
    fates: ['invalid', 'created 1 same'],
  },
  {
    says: 'but one that says that it was paid stands for that payment: its equal is the second one',
    rows: [{ key: 'k1', valid: false }, { key: 'k2' }],
    past: [{ key: 'k1' }],
    over: skip,
    fates: ['invalid', 'send'],
  },
  {
    says: 'a payment that another record of the run is sent as is no repeat',
    rows: [{ key: 'a' }, { key: 'b' }],
    past: [
      { key: 'q', moment: 11 },
      { key: 'b', state: 'not_sent' },
    ],
    lists: [{ payment: 1 }, { payment: 2 }],
    over: skip,
    fates: ['created', 'send 2'],
  },
  {
    says: 'nor is one that another record is left out for, by what it corrects',
    rows: [{ key: 'a', corrects: 'old' }, { key: 'b' }],
    past: [{ key: 'old', says: 'old', state: 'rejected', replacedBy: 2 }, { key: 'q' }],
    over: skip,
    fates: ['created 2 same', 'send'],
  },
  {
    says: 'but it repeats one that the other only looks like',
    rows: [{ key: 'a', says: 'mended otherwise', corrects: 'old' }, { key: 'b' }],
    past: [{ key: 'old', says: 'old', state: 'rejected', replacedBy: 2 }, { key: 'q' }],
    over: skip,
    fates: ['created 2 similar', 'created 2 same'],
  },
];

/** What a row with a `gigwork_key` closes beside the payment that takes over from it. */
const CLOSING: readonly (Case & { readonly closed: readonly string[] })[] = [
  {
    says: 'a row that is sent as the payment that it was before closes what it corrects',
    rows: [{ key: 'm', source: 'own', says: 'mended', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected' },
      { key: 'm', says: 'mended', state: 'rejected' },
    ],
    fates: ['send 2 rejected'],
    closed: ['1 by 2'],
  },
  {
    says: 'so does one that is created',
    rows: [{ key: 'm', source: 'own', says: 'mended', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected' },
      { key: 'm', says: 'mended' },
    ],
    fates: ['created 2'],
    closed: ['1 by 2'],
  },
  {
    says: 'and one that is left out: its money was paid',
    rows: [{ key: 'm', says: 'mended', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected' },
      { key: 'q', says: 'mended' },
    ],
    over: skip,
    fates: ['created 2 same'],
    closed: ['1 by 2'],
  },
  {
    says: 'a run that goes on with the same records, which now name what they correct, closes it',
    rows: [{ key: 'm', says: 'mended', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected' },
      { key: 'm', says: 'mended' },
    ],
    lists: [{ payment: 2 }],
    fates: ['created'],
    closed: ['1 by 2'],
  },
  {
    says: 'nothing is closed twice',
    rows: [{ key: 'm', source: 'own', says: 'mended', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected', replacedBy: 2 },
      { key: 'm', says: 'mended' },
    ],
    fates: ['created 2'],
    closed: [],
  },
  {
    says: 'nor is what a live run may send at any moment',
    rows: [{ key: 'm', source: 'own', says: 'mended', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected', live: true },
      { key: 'm', says: 'mended' },
    ],
    fates: ['repeat created-before 1'],
    open: ['0 created-before 1'],
    closed: [],
  },
];

const TOGETHER: readonly Case[] = [
  {
    says: 'the row that names it may be the one that has its key',
    rows: [{ key: 'old', says: 'mended', source: 'own', corrects: 'old' }],
    past: [{ key: 'old', says: 'faulty', state: 'rejected' }],
    fates: ['send replacing 1'],
  },
  {
    says: 'a payment is corrected by one record: its key with other content is refused beside a row that names it',
    rows: [
      { key: 'm', says: 'mended', corrects: 'old' },
      { key: 'old', says: 'mended here too', source: 'own' },
    ],
    past: [{ key: 'old', says: 'faulty', state: 'rejected' }],
    fates: ['send replacing 1', 'conflict 1'],
  },
  {
    says: 'a payment that another row of the input replaces is not sent beside it',
    rows: [
      { key: 'old', says: 'faulty' },
      { key: 'm', says: 'mended', corrects: 'old' },
    ],
    past: [{ key: 'old', says: 'faulty', state: 'rejected' }],
    fates: ['rejected 1', 'send replacing 1'],
  },
  {
    says: 'one payment is sent for one record: the one that has its key',
    rows: [
      { key: 'k', says: 'mended', corrects: 'old' },
      { key: 'm', says: 'mended', source: 'own' },
    ],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected', replacedBy: 2 },
      { key: 'm', says: 'mended', state: 'not_sent' },
    ],
    over: skip,
    fates: ['not_sent 2 similar', 'send 2'],
  },
  {
    says: 'or the first of those that were left out beside it',
    rows: [{ key: 'a' }, { key: 'b' }],
    past: [{ key: 'q', state: 'not_sent' }],
    lists: [
      { payment: 1, leftOut: 'same' },
      { payment: 1, leftOut: 'same' },
    ],
    fates: ['send 1', 'not_sent 1 similar'],
  },
];

describe('the fates of the records of a run', () => {
  it.each([...NEW, ...GOING_ON, ...OWN, ...TOGETHER, ...CLOSING])('$says', (row) => {
    const { assessment } = look(row);
    expect(fatesOf(assessment)).toEqual(row.fates);
    expect(openOf(assessment)).toEqual(row.open ?? []);
  });

  it.each(CLOSING)('$says: what is closed', (row) => {
    const { assessment, looked } = look(row);
    expect(assessment.closed.map(({ payment, by }) => `${payment} by ${by}`)).toEqual(row.closed);
    if (row.closed.length > 0) expect(changesAnything(assessment, looked)).toBe(true);
  });

  it('a key that belongs to other content makes its record invalid, and names the payment', () => {
    const { assessment } = look({
      says: '',
      rows: [{ key: 'a' }, { key: 'k', source: 'own', says: 'mine' }],
      past: [{ key: 'k', says: 'theirs' }],
      fates: [],
    });
    expect(assessment.conflicts.map(({ index, payment }) => [index, payment?.id])).toEqual([[1, 1]]);
  });
});

describe('whether a call that passes the gate changes anything', () => {
  const changes = (row: Omit<Case, 'says' | 'fates'>): boolean => {
    const { assessment, looked } = look({ says: '', fates: [], ...row });
    return changesAnything(assessment, looked);
  };
  const rows: readonly Row[] = [{ key: 'a', source: 'own' }];

  it.each([
    ['what is sent does', { rows, past: [] }, true],
    ['a call that sends and decides nothing leaves no trace', { rows, past: [{ key: 'a' }] }, false],
    ['leaving out is a decision that is written down', { rows, past: [{ key: 'q' }], over: skip }, true],
    ['once', { rows, past: [{ key: 'q' }], lists: [{ payment: 1, leftOut: 'same' as const }], over: skip }, false],
    [
      'a run that goes on and has nothing left does not',
      { rows, past: [{ key: 'a' }], lists: [{ payment: 1 }] },
      false,
    ],
  ])('%s', (_, row, expected) => {
    expect(changes(row)).toBe(expected);
  });

  it('amounts that are known otherwise now do', () => {
    const { assessment, looked } = look({ says: '', rows, past: [{ key: 'a' }], lists: [{ payment: 1 }], fates: [] });
    expect(changesAnything(assessment, { ...looked, repriced: [{ payment: 1, amount: '2' }] })).toBe(true);
  });
});

describe('what is written down of a record', () => {
  it('is its own draft, the payment that is sent for it, or the one that it stands for', () => {
    const { fates } = assessed(
      [{ key: 'a' }, { key: 'b', says: 'B', source: 'own' }, { key: 'c', says: 'C' }],
      [
        { key: 'b', says: 'B', state: 'not_sent' },
        { key: 'q', says: 'C' },
      ],
      skip,
    );
    expect(fates.map((fate) => listedAs(fate!))).toEqual([
      { payment: null, leftOut: null },
      { payment: 1, leftOut: null },
      { payment: 2, leftOut: 'same' },
    ]);
  });

  it('is nothing before somebody has decided', () => {
    const { fates } = assessed([{ key: 'a' }], [{ key: 'a' }]);
    expect(() => listedAs(fates[0]!)).toThrow(/decided/);
  });
});

describe('the digest', () => {
  const target = 'https://gigs.example/base';
  it('is over the valid records in the order of the input', () => {
    const prepared = input({ key: 'a' }, { key: 'x', says: 'X', valid: false }, { key: 'b', says: 'B' });
    const { entries } = prepared;
    const digest = startDigest(target);
    digest.add('a', entries.bodyHash(0));
    digest.add('b', entries.bodyHash(2));
    expect(digestOf(target, prepared)).toBe(digest.finish());
    expect(digestOf(target, input({ key: 'b', says: 'B' }, { key: 'a' }))).not.toBe(digestOf(target, prepared));
  });
});

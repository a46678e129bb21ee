import { describe, expect, it } from 'vitest';
import type { Decisions } from '../../../src/ledger/payment.js';
import { assessed, DECISIONS, fatesOf, openOf, type Past, type Row, sending, SKIP, SKIP_SIMILAR } from './kit.js';

interface Case {
  readonly says: string;
  readonly rows: readonly Row[];
  readonly past: readonly Past[];
  readonly decisions: Decisions;
  readonly fates: readonly string[];
  readonly open?: readonly string[];
  readonly similar?: number;
}

const like = 'user and title';
const row: Row = { key: 'k' };
const SIMILAR: readonly Row[] = [
  { key: 'k1', says: 'A', like },
  { key: 'k2', says: 'B', like },
];
const PAID: Past = { key: 'q', says: 'C', like };

const CASES: readonly Case[] = [
  {
    says: 'repeats are errors until a person decides',
    rows: [row],
    past: [{ key: 'q' }],
    decisions: DECISIONS,
    fates: ['send'],
    open: ['0 same-content 1'],
  },
  {
    says: '--skip-created leaves out, as skipped, what was created before',
    rows: [row],
    past: [{ key: 'k' }],
    decisions: SKIP,
    fates: ['created 1 same'],
  },
  {
    says: 'or has the same content',
    rows: [row],
    past: [{ key: 'q' }],
    decisions: SKIP,
    fates: ['created 1 same'],
  },
  {
    says: 'not the similar ones',
    rows: SIMILAR,
    past: [PAID],
    decisions: SKIP,
    fates: ['send', 'send'],
    open: ['0 similar-record 1', '1 similar-record 1'],
  },
  {
    says: '--skip-similar the similar ones too',
    rows: [...SIMILAR, row],
    past: [PAID, { key: 'q2' }],
    decisions: SKIP_SIMILAR,
    fates: ['created 1 similar', 'created 1 similar', 'created 2 same'],
  },
  {
    says: 'one that stands for a payment in doubt is unknown',
    rows: [row],
    past: [{ key: 'q', state: 'unknown' }],
    decisions: SKIP,
    fates: ['unknown 1 same'],
  },
  {
    says: 'where its own key is in doubt and still protects it, it is sent again under that key',
    rows: [row],
    past: [{ key: 'k', state: 'unknown' }],
    decisions: SKIP,
    fates: ['send 1 unknown'],
  },
  {
    says: 'where nothing protects it, it is left out and unknown',
    rows: [{ ...row, type: 'gig' }],
    past: [{ key: 'k', type: 'gig', state: 'unknown' }],
    decisions: SKIP,
    fates: ['unknown 1 same'],
  },
  {
    says: 'one whose identifying key is in doubt is sent again, also beside a payment of the same content',
    rows: [{ ...row, source: 'own' }],
    past: [{ key: 'k', state: 'unknown' }, { key: 'q' }],
    decisions: SKIP,
    fates: ['send 1 unknown'],
  },
  {
    says: 'and it is one of the payments that the history holds: the second of its content is left out',
    rows: [{ ...row, source: 'own' }, { key: 'k2' }],
    past: [{ key: 'k', state: 'unknown' }, { key: 'q' }],
    decisions: SKIP,
    fates: ['send 1 unknown', 'created 2 same'],
  },
  {
    says: 'so is one that a live run is about to send: it is paid whatever is left out here',
    rows: [{ ...row, source: 'own' }, { key: 'k2' }],
    past: [{ key: 'k', ended: false, state: 'not_sent', live: true }, { key: 'q' }],
    decisions: SKIP,
    fates: ['send 1', 'created 2 same'],
  },
  {
    says: 'also where its key is computed from content',
    rows: [row, { key: 'k2' }],
    past: [{ key: 'k', ended: false, state: 'not_sent', live: true }, { key: 'q' }],
    decisions: SKIP,
    fates: ['send 1', 'created 2 same'],
  },
  {
    says: 'one that is open in another run is sent by this one',
    rows: [row],
    past: [{ key: 'k', state: 'not_sent', ended: false }],
    decisions: SKIP,
    fates: ['send 1'],
  },
  {
    says: 'unless its content was paid under another key since: then it stands for that payment',
    rows: [row],
    past: [{ key: 'k', state: 'not_sent', ended: false }, { key: 'q' }],
    decisions: SKIP,
    fates: ['created 2 same'],
  },
  {
    says: 'one that is open elsewhere and similar to what was paid is two questions, one after the other: the first',
    rows: [SIMILAR[0]!],
    past: [{ ...SIMILAR[0]!, state: 'not_sent', ended: false }, PAID],
    decisions: DECISIONS,
    fates: ['repeat open-before 1'],
    open: ['0 open-before 1'],
  },
  {
    says: 'the second',
    rows: [SIMILAR[0]!],
    past: [{ ...SIMILAR[0]!, state: 'not_sent', ended: false }, PAID],
    decisions: SKIP,
    fates: ['send 1'],
    open: ['0 similar-record 2'],
  },
  {
    says: 'and both answers',
    rows: [SIMILAR[0]!],
    past: [{ ...SIMILAR[0]!, state: 'not_sent', ended: false }, PAID],
    decisions: { ...SKIP, sendSimilar: 1 },
    fates: ['send 1'],
  },
  {
    says: 'and left out as similar',
    rows: [SIMILAR[0]!],
    past: [{ ...SIMILAR[0]!, state: 'not_sent', ended: false }, PAID],
    decisions: SKIP_SIMILAR,
    fates: ['created 2 similar'],
  },
  {
    says: 'so is one whose content a live run is about to send: the same payment, once',
    rows: [row],
    past: [{ key: 'q', state: 'not_sent', live: true }],
    decisions: SKIP,
    fates: ['send 1'],
  },
  {
    says: 'a similar one that a live run is about to send is not what was checked here',
    rows: [SIMILAR[0]!],
    past: [{ ...PAID, state: 'not_sent', live: true }],
    decisions: SKIP_SIMILAR,
    fates: ['not_sent 1 similar'],
  },
  {
    says: 'a row that corrects a payment that is open again is not sent as that payment: what was checked is what is sent',
    rows: [{ key: 'k', says: 'mended', corrects: 'old' }],
    past: [{ key: 'old', says: 'faulty', state: 'not_sent' }],
    decisions: SKIP,
    fates: ['not_sent 1 similar'],
  },
  {
    says: 'nor as one in doubt, whose key is not its own',
    rows: [{ key: 'k', says: 'mended', corrects: 'old' }],
    past: [{ key: 'old', says: 'faulty', state: 'unknown' }],
    decisions: SKIP,
    fates: ['unknown 1 similar'],
  },
  {
    says: 'nor as what was made in its place',
    rows: [{ key: 'k', says: 'mended otherwise', corrects: 'old' }],
    past: [
      { key: 'old', says: 'faulty', state: 'rejected', replacedBy: 2 },
      { key: 'm', says: 'mended', state: 'not_sent', ended: false },
    ],
    decisions: SKIP,
    fates: ['not_sent 2 similar'],
  },
  {
    says: '--send-similar N: similar ones are payments of their own',
    rows: SIMILAR,
    past: [PAID],
    decisions: sending(2),
    fates: ['send', 'send'],
  },
  {
    says: 'another number than there are refuses the run, and says how many there are: too few',
    rows: SIMILAR,
    past: [PAID],
    decisions: sending(1),
    fates: ['send', 'send'],
    open: ['0 similar-record 1', '1 similar-record 1'],
    similar: 2,
  },
  {
    says: 'too many, where there are none',
    rows: [row],
    past: [],
    decisions: sending(1),
    fates: ['send'],
    similar: 0,
  },
  {
    says: '--send-similar decides nothing about what was created before',
    rows: [...SIMILAR, row],
    past: [PAID, { key: 'k' }],
    decisions: sending(2),
    fates: ['send', 'send', 'repeat created-before 2'],
    open: ['2 created-before 2'],
  },
  {
    says: 'both flags together decide both',
    rows: [...SIMILAR, row],
    past: [PAID, { key: 'k' }],
    decisions: { ...SKIP, sendSimilar: 2 },
    fates: ['send', 'send', 'created 2 same'],
  },
];

describe('what a person decides about repeats', () => {
  it.each(CASES)('$says', ({ rows, past, decisions, fates, open = [], similar }) => {
    const assessment = assessed(rows, past, { decisions });
    expect(fatesOf(assessment)).toEqual(fates);
    expect(openOf(assessment)).toEqual(open);
    expect(assessment.undecided.similar).toBe(similar ?? null);
  });

  it('payments of other batches are warnings: no flag leaves them out, and none counts them', () => {
    const past: readonly Past[] = [{ key: 'q', batchId: 'default' }];
    const named = { batchId: 'b', batchNamed: true };
    for (const decisions of [DECISIONS, SKIP, SKIP_SIMILAR, sending(0)]) {
      const assessment = assessed([row], past, { ...named, decisions });
      expect([fatesOf(assessment), openOf(assessment), assessment.undecided.similar]).toEqual([['send'], [], null]);
      expect(assessment.repeats.map(({ counts }) => counts)).toEqual([false]);
    }
  });

  it('what nobody is asked about yet is not told', () => {
    const past: readonly Past[] = [{ ...SIMILAR[0]!, state: 'not_sent', ended: false }, PAID];
    const told = (decisions: Decisions) => assessed([SIMILAR[0]!], past, { decisions }).repeats.map(({ code }) => code);
    expect(told(DECISIONS)).toEqual(['open-before']);
    expect(told(SKIP)).toEqual(['open-before', 'similar-record']);
  });
});

import { describe, expect, it } from 'vitest';
import type { KeySource } from '../../../src/prepare/record-table.js';
import { doubtRules } from '../../../src/review/disposition.js';
import { DAY, dispositions, HOUR, type Over, own, type Past, type Row, START } from './review-fixtures.js';

function disposition(row: Row, past: readonly Past[], over: Over = {}): string | undefined {
  return dispositions([row], past, over)[0];
}

const IDENTIFYING: readonly KeySource[] = ['own', 'columns', 'replaces', 'rejected'];
const retried = { retryRejected: true };

/** CONTRACT: the table of "Which payment a record is". What replaced a payment is in a second place of the history. */
const TABLE: readonly (readonly [state: string, past: Partial<Past> | null, identified: string, content: string])[] = [
  ['none', null, 'send', 'send'],
  ['open', { state: 'not_sent' }, 'send 1', 'open-before 1'],
  ['open in a closed run, which counts as none', { state: 'not_sent', closed: true }, 'send 1', 'send 1'],
  ['created', { state: 'created' }, 'created 1', 'created-before 1'],
  ['unknown', { state: 'unknown' }, 'send 1 unknown', 'created-before 1'],
  ['unknown, of a gig', { state: 'unknown', type: 'gig' }, 'unknown 1', 'created-before 1'],
  ['rejected', { state: 'rejected' }, 'rejected 1', 'rejected 1'],
  ['rejected, in a closed run', { state: 'rejected', closed: true }, 'rejected 1', 'rejected 1'],
  ['replaced', { state: 'rejected', replacedBy: 2 }, 'left-out for 2', 'left-out for 2'],
];

describe('what becomes of a record', () => {
  it.each(TABLE)('whose payment is %s', (_, payment, identified, content) => {
    const { type = 'payout' } = payment ?? {};
    const past: readonly Past[] = payment === null ? [] : [payment, { key: 'other', says: 'Z', like: 'Z' }];
    for (const source of IDENTIFYING) expect(disposition({ source, type }, past)).toBe(identified);
    expect(disposition({ type }, past)).toBe(content);
    // In a run that goes on, a key from its content identifies it as well.
    if (payment === null) return;
    const expected = payment.state === 'created' ? 'created' : identified;
    expect(disposition({ type }, past, { accepted: [1] })).toBe(expected);
  });

  it.each<[with_: string, past: Past, disposition: string]>([
    ['open in a closed run', { state: 'not_sent', closed: true }, 'send replacing 1'],
    ['rejected', { state: 'rejected' }, 'send replacing 1'],
  ])('whose key has other content, which is %s', (_, past, expected) => {
    expect(disposition({ ...own, says: 'other' }, [past])).toBe(expected);
    expect(disposition({ source: 'columns', says: 'other' }, [past], retried)).toBe(expected);
  });

  it('is key-conflict also when a run goes on, which accepted the payment that lost the key', () => {
    const past: readonly Past[] = [{ state: 'rejected', replacedBy: 2 }, { says: 'other' }];
    expect(disposition(own, past, { accepted: [1] })).toBe('conflict 2');
  });
});

describe('a rejected payment', () => {
  const past: readonly Past[] = [{ state: 'rejected' }];
  it('is sent again with --retry-rejected alone, whatever its key comes from', () => {
    for (const source of [...IDENTIFYING, 'content'] as const)
      expect(disposition({ source }, past, retried)).toBe('send 1 rejected');
    expect(disposition({}, past, { ...retried, accepted: [1] })).toBe('send 1 rejected');
  });

  it('stays as it is beside the row that corrects it', () => {
    const bad: Past = { key: 'bad', says: 'bad', state: 'rejected' };
    const rows: readonly Row[] = [
      { ...own, key: 'bad', says: 'bad' },
      { source: 'replaces', corrects: 'bad' },
    ];
    expect(dispositions(rows, [bad], retried)).toEqual(['rejected 1', 'send replacing 1']);
  });

  it.each<[has: string, hasBody: boolean, pruned: boolean, disposition: string]>([
    ['in the journal', true, false, 'send 1 rejected'],
    ['in the input', false, false, 'send 1 rejected'],
    ['removed, and no input brings it', false, true, 'rejected 1 pruned'],
  ])('needs its body: %s', (_, hasBody, pruned, expected) => {
    expect(disposition(own, [{ state: 'rejected', hasBody }], { ...retried, pruned })).toBe(expected);
  });

  it.each<[last: string, past: readonly Past[], disposition: string]>([
    ['created', [{ key: 'c' }], 'left-out for 2'],
    ['rejected', [{ key: 'c', state: 'rejected' }], 'rejected 1 by 2'],
    ['in doubt', [{ key: 'c', state: 'unknown' }], 'rejected 1 by 2'],
    ['open', [{ key: 'c', state: 'not_sent' }], 'rejected 1 by 2'],
    ['itself corrected, and created', [{ key: 'c', state: 'rejected', replacedBy: 3 }, { key: 'd' }], 'left-out for 3'],
    ['missing from the history', [], 'rejected 1 by 1'],
  ])('is sent by nothing once it was corrected; its last correction is %s', (_, corrections, expected) => {
    const all: readonly Past[] = [{ state: 'rejected', replacedBy: 2 }, ...corrections];
    expect(disposition(own, all, retried)).toBe(expected);
    expect(disposition({}, all, { ...retried, accepted: [1] })).toBe(expected);
  });
});

/** A row of the rejects that was changed, so that it has a key of its own kind, and one that was not. */
const CHANGED: Row = { key: 'new', says: 'mended', source: 'replaces', corrects: 'k' };
const UNCHANGED: Row = { source: 'rejected', corrects: 'k' };

describe('a row that corrects a payment', () => {
  const rejected: readonly Past[] = [{ state: 'rejected' }];
  const givenUp = { state: 'not_sent', closed: true } as const;
  /** A payment whose correction came to this. */
  const by = (correction: Past): readonly Past[] => [
    { state: 'rejected', replacedBy: 2 },
    { key: 'c', ...correction },
  ];
  const named: Row = { ...own, says: 'mended', corrects: 'k' };
  it.each<[what: string, row: Row, past: readonly Past[], disposition: string]>([
    ['replaces a rejected one', CHANGED, rejected, 'send replacing 1'],
    ['is it, where it was not changed', UNCHANGED, rejected, 'send 1 rejected'],
    ['replaces it, where it keeps the key', named, rejected, 'send replacing 1'],
    ['replaces it under any key of its own', { ...named, key: 'n' }, rejected, 'send replacing 1'],
    ['that is created', CHANGED, [{}], 'created-before 1 corrects'],
    ['that is created, and was not changed', UNCHANGED, [{}], 'created-before 1 corrects'],
    ['that is open', CHANGED, [{ state: 'not_sent' }], 'not-rejected 1 corrects'],
    ['that is in doubt', CHANGED, [{ state: 'unknown' }], 'not-rejected 1 corrects'],
    ['that is in doubt, and was not changed', UNCHANGED, [{ state: 'unknown' }], 'not-rejected 1 corrects'],
    ['whose correction is created', CHANGED, by({}), 'created-before 2 corrects'],
    ['whose correction was rejected too', CHANGED, by({ state: 'rejected' }), 'not-rejected 2 corrects'],
    ['whose correction is in doubt', UNCHANGED, by({ state: 'unknown' }), 'not-rejected 2 corrects'],
    ['that a closed run left open', CHANGED, [givenUp], 'send replacing 1'],
    ['that a closed run left open, and was not changed', UNCHANGED, [givenUp], 'send 1'],
    ['whose correction a closed run left open', CHANGED, by(givenUp), 'send replacing 2'],
    ['of nobody: such a row is invalid, and has its own key', CHANGED, [], 'send'],
  ])('%s', (_, row, past, expected) => {
    expect(disposition(row, past)).toBe(expected);
  });

  const corrected = (state: Past['state'], over: Past = {}): readonly Past[] => [
    { state: 'rejected', replacedBy: 2 },
    { key: 'new', says: 'mended', state: state ?? 'created', run: 2, ...over },
  ];
  it.each<[state: string, past: readonly Past[], disposition: string, accepted?: readonly number[]]>([
    ['created', corrected('created'), 'created 2'],
    ['in doubt', corrected('unknown'), 'send 2 unknown'],
    ['open', corrected('not_sent'), 'send 2'],
    ['rejected', corrected('rejected'), 'rejected 2'],
    ['rejected, in a run that goes on', corrected('rejected'), 'rejected 2', [2]],
    ['corrected itself', [...corrected('rejected', { replacedBy: 3 }), { key: 'newer' }], 'left-out for 3'],
  ])('and did so before is that correction, which is %s', (_, past, expected, accepted) => {
    expect(disposition(CHANGED, past, accepted === undefined ? {} : { accepted })).toBe(expected);
  });

  it('replaces the payment again, where its run was closed and left the correction open', () => {
    const past: readonly Past[] = [
      { state: 'rejected' },
      { key: 'new', says: 'mended', state: 'not_sent', closed: true },
    ];
    expect(disposition(CHANGED, past)).toBe('send 2 replacing 1');
  });

  it('closes it also where it was imported before without its gigwork_key, and is sent again', () => {
    const row: Row = { ...own, key: 'new', corrects: 'k' };
    const past: readonly Past[] = [{ state: 'rejected' }, { key: 'new', state: 'rejected' }];
    expect(disposition(row, past, retried)).toBe('send 2 rejected replacing 1');
  });

  it('is the only one of its input that stands for the payment', () => {
    const original: Row = { source: 'own' };
    expect(dispositions([original, CHANGED], [{ state: 'rejected' }], retried)).toEqual([
      'rejected 1',
      'send replacing 1',
    ]);
    const edited: Row = { source: 'own', says: 'other' };
    expect(dispositions([edited, CHANGED], [{ state: 'rejected' }])).toEqual(['conflict 1', 'send replacing 1']);
  });
});

describe('a payment in doubt', () => {
  const SLACK = 5 * 60_000;
  const TIMEOUT = 30_000;
  const LAST = DAY - TIMEOUT - SLACK;
  it.each<[says: string, age: number, said: number | null, stored: number | null, isProtected: boolean, type?: 'gig']>([
    ['is protected for a day less a request and the slack where nothing was said', LAST - 1, null, null, true],
    ['and not when it is as old: a request at the last moment arrives later', LAST, null, null, false],
    ['for the shortest that was ever said of it', HOUR - TIMEOUT - SLACK, DAY, HOUR, false],
    ['and just before that', HOUR - TIMEOUT - SLACK - 1, DAY, HOUR, true],
    ['not at all for a lifetime that leaves nothing', 0, TIMEOUT + SLACK, null, false],
    ['not at all with --key-lifetime 0', 0, 0, null, false],
    ['not at all as a gig, which has no key', 0, null, null, false, 'gig'],
    ['also by a clock that is off by a little', 1 - SLACK, null, null, true],
    ['not by a clock that was set back, which tells nothing', -SLACK, null, null, false],
  ])('%s', (_, age, saidMs, lifetimeMs, isProtected, type) => {
    const row: Row = { ...own, ...(type && { type }) };
    const past: Past = { ...row, state: 'unknown', at: START, ...(lifetimeMs === null ? {} : { lifetimeMs }) };
    const sent = (resends: boolean): string | undefined =>
      disposition(row, [past], { doubt: doubtRules(saidMs, TIMEOUT, resends, () => START + age) });
    expect(sent(false)).toBe(isProtected ? 'send 1 unknown' : 'unknown 1');
    expect(sent(true)).toBe('send 1 unknown');
    expect(
      doubtRules(saidMs, TIMEOUT, true, () => START + age).isProtected({
        type: type ?? 'payout',
        doubtSince: START,
        lifetimeMs,
      }),
    ).toBe(isProtected);
  });
});

import { describe, expect, it } from 'vitest';
import { statusOfFate } from '../../../src/run/fate-states.js';
import { withAnswer } from '../../../src/preflight/decide.js';
import { assessed, computed, DECISIONS, own, type Past, type Row, words } from './kit.js';

const [K, L, P]: Row[] = ['k', 'l', 'p'].map((name) => ({ key: computed(name) }));
const skip = { skipCreated: true };
const skipSimilar = { skipSimilar: true };
const unknown = { state: 'unknown' } as const;
const like: Row = { ...L, says: 'Y' };
const corrects: Row = { ...L, source: 'replaces', corrects: 'bad' };

describe('what a person has decided about repeats', () => {
  it.each<
    [says: string, rows: readonly Row[], past: readonly Past[], decided: object, fates: string[], open?: string[]]
  >([
    ['nothing yet', [K!, like], [{ ...K }], {}, ['created-before 1', 'send'], ['created-before']],
    ['what was paid is skipped', [K!], [{ ...K }], skip, ['skipped 1']],
    ['by content, too', [K!], [{ ...P }], skip, ['skipped 1']],
    ['its correction, too', [corrects], [{ key: 'bad' }], skip, ['skipped 1']],
    [
      'in doubt under its own key, it is sent again while that protects it',
      [K!],
      [{ ...K, ...unknown }],
      skip,
      ['send 1 unknown'],
    ],
    ['a gig in doubt is unknown', [{ ...K, type: 'gig' }], [{ ...K, type: 'gig', ...unknown }], skip, ['unknown 1']],
    ['in doubt under another key, it is unknown', [K!], [{ ...P, ...unknown }], skip, ['unknown 1']],
    ['what was rejected is not touched', [K!], [{ ...K, state: 'rejected' }], skip, ['rejected 1']],
    [
      'no flag skips what is open',
      [K!],
      [{ ...K, state: 'not_sent' }],
      { ...skip, ...skipSimilar },
      ['open-before 1'],
      ['open-before'],
    ],
    [
      'nor what is not rejected',
      [corrects],
      [{ key: 'bad', ...unknown }],
      skip,
      ['not-rejected 1 corrects'],
      ['not-rejected'],
    ],
    ['what is similar is not skipped by that', [like], [{ ...P }], skip, ['send'], ['similar-record']],
    ['what is similar is skipped', [like], [{ ...P }], skipSimilar, ['skipped 1']],
    ['in doubt, it is unknown', [like], [{ ...P, ...unknown }], skipSimilar, ['unknown 1']],
    ['what is similar is sent', [like], [{ ...P }], { sendSimilar: 1 }, ['send']],
    [
      'of more, none is',
      [like, { ...K, says: 'Z' }],
      [{ ...P }],
      { sendSimilar: 1 },
      ['send', 'send'],
      ['similar-record', 'similar-record'],
    ],
    ['fewer are no fault', [own], [], { sendSimilar: 1 }, ['send']],
    [
      'those that were left out do not count',
      [K!, like],
      [{ ...K }],
      { ...skip, sendSimilar: 0 },
      ['skipped 1', 'send'],
    ],
  ])('%s', (_, rows, past, decided, fates, open = []) => {
    const { fateAt, undecided } = assessed(rows, past, { decisions: { ...DECISIONS, ...decided } });
    const told = rows.map((_row, index) => {
      const fate = fateAt(index);
      return fate?.what === 'left-out' ? `${statusOfFate(fate)} ${fate.standsFor.id}` : words(fate);
    });
    expect(told).toEqual(fates);
    expect(undecided.repeats.map(({ code }) => code)).toEqual(open);
    const isTooMany = 'sendSimilar' in decided && open.length > 0;
    expect(undecided.similar).toBe(isTooMany ? open.length : null);
  });

  it('has a row of its own where the record is not that payment', () => {
    const rowOf = (row: Row, past: Past): unknown =>
      assessed([row], [past], { decisions: { ...DECISIONS, ...skip } }).fateAt(0);
    expect(rowOf(K!, { ...K })).toMatchObject({ what: 'left-out', payment: 1 });
    expect(rowOf(K!, { ...P })).toMatchObject({ what: 'left-out', payment: null });
    // It keeps the key, and has another amount: it is told with that.
    expect(rowOf({ ...own, says: 'edited', corrects: 'k' }, {})).toMatchObject({ what: 'left-out', payment: null });
  });

  it('is what the flags say, and then what was answered', () => {
    const answered = withAnswer({ ...DECISIONS, skipCreated: true, sendSimilar: 2 }, { ...DECISIONS, sendSimilar: 3 });
    expect(answered).toEqual({ skipCreated: true, skipSimilar: false, sendSimilar: 3 });
    expect(withAnswer({ ...DECISIONS, sendSimilar: 2 }, DECISIONS).sendSimilar).toBe(2);
  });
});

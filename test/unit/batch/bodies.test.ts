import { describe, expect, test } from 'vitest';
import { Bodies } from '../../../src/batch/bodies.js';
import { type Around, splitCanonical } from '../../../src/keys/canonical.js';
import { KEY_FIELD } from '../../../src/keys/key.js';

function body(index: number): Around {
  return { before: `"amount":${index}`, after: `"title":"Bonus ${index}","user_id":"u${index % 7}"` };
}

/** The bodies of these entries, added in their order. */
function kept(indexes: readonly number[], of: (index: number) => Around = body): Bodies {
  const bodies = new Bodies();
  for (const index of indexes) bodies.add(index, of(index));
  return bodies;
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const plain = (around: Around | null): Around | null => around && { before: around.before, after: around.after };

describe('what was added comes back', () => {
  test.each([1, 127, 128, 129, 256, 1000])('of %i entries, in any order of asking', (count) => {
    const bodies = kept(range(count));
    const expected = range(count).map(body);
    expect(range(count).map((index) => bodies.at(index))).toEqual(expected);
    const backwards = range(count).toReversed();
    expect(backwards.map((index) => bodies.at(index))).toEqual(expected.toReversed());
  });

  test('while more is added', () => {
    const bodies = new Bodies();
    for (const index of range(500)) {
      bodies.add(index, body(index));
      for (const earlier of [index, 0, Math.floor(index / 2)]) expect(bodies.at(earlier)).toEqual(body(earlier));
    }
  });

  test('and nothing where nothing was added: within a page, whole pages, and behind the last', () => {
    const added = [3, 5, 127, 128, 700, 701, 1300];
    const bodies = kept(added);
    const found = range(1500).filter((index) => bodies.at(index) !== null);
    expect(found).toEqual(added);
    expect(found.map((index) => bodies.at(index))).toEqual(added.map(body));
    expect(new Bodies().at(0)).toBe(null);
  });

  test('of entries of which only a late page has any', () => {
    const bodies = kept([1000]);
    expect([bodies.at(0), bodies.at(999), bodies.at(1000)]).toEqual([null, null, body(1000)]);
  });
});

describe('texts', () => {
  /** Pages before and behind, so that each is also read from a full page. */
  function through(around: Around): (Around | null)[] {
    const indexes = range(300);
    const bodies = kept(indexes, () => around);
    return [0, 127, 128, 299].map((index) => plain(bodies.at(index)));
  }

  test.each([
    ['characters that JSON escapes', { title: 'a\0b\x01c\n\r\t"\\\u2028\u007f' }],
    ['other scripts and signs', { title: '給与 Ünïcödé 💶 e\u0301' }],
    ['a key that is not the first member', { amount: 1, user_id: 'u' }],
    ['a lone surrogate', { title: '\ud800' }],
  ])('with %s', (_what, members) => {
    const split = splitCanonical({ ...members, [KEY_FIELD]: 'k' }, KEY_FIELD);
    const { before, after } = split;
    expect(through(split)).toEqual(Array.from({ length: 4 }, () => ({ before, after })));
  });

  test.each([
    ['nothing before the key', { before: '', after: '"title":"x"' }],
    ['nothing behind it', { before: '"amount":1', after: '' }],
    ['nothing at all', { before: '', after: '' }],
  ])('with %s', (_what, around) => {
    expect(through(around)).toEqual(Array.from({ length: 4 }, () => around));
  });
});

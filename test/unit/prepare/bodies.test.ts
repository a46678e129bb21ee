import { describe, expect, test } from 'vitest';
import { BodyCache } from '../../../src/prepare/bodies.js';
import { type SplitJson, splitBodyAt } from '../../../src/keys/canonical.js';
import { KEY_FIELD } from '../../../src/keys/key.js';

function body(index: number): SplitJson {
  return { before: `"amount":${index}`, after: `"title":"Bonus ${index}","user_id":"u${index % 7}"` };
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('what was added comes back', () => {
  test('while more is added, in any order of asking', () => {
    const bodies = new BodyCache();
    for (const index of range(500)) {
      bodies.add(index, body(index));
      for (const earlier of [index, 0, Math.floor(index / 2)]) expect(bodies.at(earlier)).toEqual(body(earlier));
    }
  });

  test('and nothing where nothing was added: within a page, whole pages, and behind the last', () => {
    const bodies = new BodyCache();
    expect(bodies.at(0)).toBe(null);
    const added = [3, 5, 127, 128, 700, 701, 1300];
    for (const index of added) bodies.add(index, body(index));
    const found = range(1500).filter((index) => bodies.at(index) !== null);
    expect(found).toEqual(added);
    expect(found.map((index) => bodies.at(index))).toEqual(added.map(body));
  });

  test.each([
    ['characters that JSON escapes', { title: 'a\0b\x01c\n\r\t"\\\u2028\u007f', amount: 1, user_id: 'u' }],
    ['other scripts and signs', { title: '給与 Ünïcödé 💶 e\u0301' }],
    ['a lone surrogate', { title: '\ud800' }],
    ['nothing before the key', { title: 'x' }],
    ['nothing behind it', { amount: 1 }],
    ['nothing at all', {}],
  ])('with %s', (_what, members) => {
    const { before, after } = splitBodyAt({ ...members, [KEY_FIELD]: 'k' }, KEY_FIELD);
    const bodies = new BodyCache();
    for (const index of range(300)) bodies.add(index, { before, after });
    // Also of full pages.
    for (const index of [0, 127, 128, 299]) expect(bodies.at(index)).toEqual({ before, after });
  });
});

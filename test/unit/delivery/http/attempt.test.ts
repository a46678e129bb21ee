import { describe, expect, it } from 'vitest';
import { objectIn, valueAt } from '../../../../src/delivery/http/attempt.js';

describe('an answer as an object', () => {
  it('is its fields', () => {
    expect(objectIn('{"id":"p1","lines":[1]}')).toEqual({ id: 'p1', lines: [1] });
    expect(objectIn(' {} \n')).toEqual({});
  });

  it.each([[null], [''], ['['.repeat(200_000)], ['[]'], ['1'], ['"{}"'], ['{"a":1}x'], ['{a:1}'], ['undefined']])(
    'is nothing for %j',
    (body) => {
      expect(objectIn(body)).toBeNull();
    },
  );
});

describe('the value at a dot path', () => {
  const answer = { id: 'p1', none: null, data: { items: [{ id: 7 }, 'x'], '0': 'zero', length: 3 }, 'a.b': 1 };

  it.each([
    ['id', 'p1'],
    ['none', null],
    ['data.items.0.id', 7],
    ['data.items.1', 'x'],
    ['data.0', 'zero'],
    ['data.length', 3],
  ])('%s', (path, value) => {
    expect(valueAt(answer, path)).toEqual(value);
  });

  it.each([
    'no',
    'id.length',
    'id.0',
    'none.id',
    'data.items.2',
    'data.items.length',
    'data.items.-1',
    'a.b',
    'toString',
  ])('is nothing at %s', (path) => {
    expect(valueAt(answer, path)).toBeUndefined();
  });
});

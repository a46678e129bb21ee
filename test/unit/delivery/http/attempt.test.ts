import { describe, expect, it } from 'vitest';
import { valueAtPath } from '../../../../src/delivery/http/attempt.js';

describe('the value at a dot path', () => {
  const OBJECT = { id: 'p1', none: null, data: { items: [{ id: 7 }, 'x'], '0': 'zero', length: 3 }, 'a.b': 1 };

  it.each([
    ['none', null],
    ['data.items.0.id', 7],
    ['data.0', 'zero'],
    ['data.length', 3],
  ])('%s', (path, value) => {
    expect(valueAtPath(OBJECT, path)).toEqual(value);
  });

  it.each(['no', 'id.length', 'none.id', 'data.items.length', 'data.items.-1', 'a.b', 'toString'])(
    'is nothing at %s',
    (path) => {
      expect(valueAtPath(OBJECT, path)).toBeUndefined();
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinAroundMember, canonicalJson, splitBodyAt } from '../../../src/keys/canonical.js';
import { VECTORS } from './vectors.js';

/** JSON values as parsing gives them: no lone surrogates, finite numbers, any member name. */
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1e21, 1e-7),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));
const objects = fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), values, { noNullPrototype: true });

/** The same by other means: from the inside out, all members sorted by the default sort, which compares code units. */
function expected(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(expected).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${expected(members[name])}`).join(',')}}`;
}

describe('canonical JSON', () => {
  it.each(VECTORS.bodies)('$name', ({ input, canonical }) => {
    expect(canonicalJson(JSON.parse(input))).toBe(canonical);
  });

  it('escapes what JSON escapes, and nothing else', () => {
    for (let code = 0; code < 0x100; code++) {
      const text = `a${String.fromCharCode(code)}b`;
      expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
    }
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ b: undefined, a: 1, c: { d: undefined } })).toBe('{"a":1,"c":{}}');
  });

  it('has its members sorted at every depth, and says the same', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(value)).toBe(expected(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('an object with and without one member', () => {
  it('is the canonical JSON of both', () => {
    fc.assert(
      fc.property(
        objects,
        fc.string({ unit: 'binary', maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        (object, name, text) => {
          const others = Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
          const split = splitBodyAt(object, name);
          expect(split.without).toBe(canonicalJson(others));
          expect(joinAroundMember(split, name, text)).toBe(
            canonicalJson(Object.fromEntries([...Object.entries(others), [name, text]])),
          );
        },
      ),
    );
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['no other member', {}, '{}', '{"k":"v"}'],
    ['only the member', { k: 'old' }, '{}', '{"k":"v"}'],
    ['members around', { z: 1, k: 'old', a: 2 }, '{"a":2,"z":1}', '{"a":2,"k":"v","z":1}'],
    ['undefined members', { a: undefined, z: undefined }, '{}', '{"k":"v"}'],
  ])('%s', (_name, object, without, withMember) => {
    const split = splitBodyAt(object, 'k');
    expect([split.without, joinAroundMember(split, 'k', 'v')]).toEqual([without, withMember]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aroundMember, canonicalJson, splitCanonical } from '../../../src/keys/canonical.js';
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

/** The member names of every object in a JSON text, in the order in which they stand there. */
function namesInOrder(text: string): string[][] {
  const lists: string[][] = [];
  // A reviver would see integer-like names first; the text itself keeps the order.
  const open: { names: string[] | null }[] = [];
  const token = /"(?:[^"\\]|\\.)*"(:)?|[[\]{}]/g;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '{') open.push({ names: [] });
    else if (found[0] === '[') open.push({ names: null });
    else if (found[0] === '}' || found[0] === ']') {
      const names = open.pop()?.names;
      if (names) lists.push(names);
    } else if (found[1] === ':') open.at(-1)?.names?.push(JSON.parse(found[0].slice(0, -1)) as string);
  }
  return lists;
}

/** By UTF-16 code units, unit by unit. */
function isAscending(names: readonly string[]): boolean {
  const units = (name: string): number[] => Array.from({ length: name.length }, (_, i) => name.charCodeAt(i));
  const isBefore = (a: number[], b: number[]): boolean => {
    const at = a.findIndex((unit, i) => unit !== b[i]);
    return at === -1 ? a.length < b.length : at < b.length && (a[at] ?? 0) < (b[at] ?? 0);
  };
  return names.every((name, i) => i === 0 || isBefore(units(names[i - 1] ?? ''), units(name)));
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

  it('keeps the value', () => {
    fc.assert(
      fc.property(values, (value) => {
        // -0 is written 0, as the RFC says.
        const expected: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(expected);
      }),
    );
  });

  it('does not depend on the order of members', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    fc.assert(fc.property(values, (value) => canonicalJson(reversed(value)) === canonicalJson(value)));
  });

  it('sorts members by UTF-16 code units, at every depth', () => {
    fc.assert(fc.property(values, (value) => namesInOrder(canonicalJson(value)).every(isAscending)));
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
          const split = splitCanonical(object, name);
          expect(split.without).toBe(canonicalJson(others));
          expect(aroundMember(split, name, text)).toBe(
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
    const split = splitCanonical(object, 'k');
    expect([split.without, aroundMember(split, 'k', 'v')]).toEqual([without, withMember]);
  });
});

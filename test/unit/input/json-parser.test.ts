import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJson } from '../../../src/input/json-parser.js';

/** `code field` of each finding. */
const found = (text: string, prefix?: string): string[] =>
  parseJson(text, prefix).findings.map(({ code, field }) => `${code} ${field}`);

describe('JSON that is read', () => {
  it.each([
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1.5',
    '1e2',
    '1E+2',
    '1e-2',
    '""',
    '"a"',
    '[]',
    '{}',
    '[[],{}]',
    ' {"a" : 1 , "b":[ 1,2 ] } ',
    '{"a":{"b":{"c":[{"d":null}]}}}',
    '\r\n	[1]\n',
    '{"":1}',
    '{"a.b":1}',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"',
    '"Ü„“–€😀\u2028"',
    '{"\\u0061":1}',
  ])('%j', (text) => {
    const parsed = parseJson(text);
    expect(parsed.findings).toEqual([]);
    expect(parsed.value).toEqual(JSON.parse(text));
  });

  it('is what JSON.parse says of any value', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseJson(spaced).value).toEqual(JSON.parse(spaced));
        expect(parseJson(spaced).findings).toEqual([]);
      }),
    );
  });
});

it('__proto__ is a member like any other', () => {
  const { value } = parseJson('{"__proto__":{"a":1}}');
  expect([Object.keys(value as object), (value as { a?: number }).a]).toEqual([['__proto__'], undefined]);
});

describe('JSON that is refused, with the place', () => {
  it.each<[string, number, string]>([
    ['', 0, 'the end'],
    ['{', 1, 'the end'],
    ['{"a" 1}', 5, '"1"'],
    ['{"a":1}{}', 7, '"{"'],
    ['+1', 0, '"+"'],
    ['"abc', 4, 'the end'],
    ['"a\nb"', 2, '"\\n"'],
    ['"\\x"', 1, '"\\\\"'],
    ['"\\', 1, '"\\\\"'],
    ['\ufeff1', 0, '"\ufeff"'],
  ])('%j at %d', (text, offset, what) => {
    const parse = (): unknown => parseJson(text);
    expect(parse).toThrow(JsonSyntaxError);
    expect(parse).toThrow(expect.objectContaining({ offset }) as Error);
    expect(parse).toThrow(`found ${what}, expected`);
  });

  it('is refused just when JSON.parse refuses it', () => {
    const marks = '{ } [ ] , : " "a" 1 - 0 .5 e3 true null \\ \\n'.split(' ');
    const noise = fc.array(fc.constantFrom(...marks, ' ', '\n'), { maxLength: 10 }).map((parts) => parts.join(''));
    const parses = (parse: () => unknown): boolean => {
      try {
        parse();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(noise, (text) => {
        expect(parses(() => parseJson(text))).toBe(parses(() => JSON.parse(text)));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, (depth: number) => string]>([
    ['lists', (depth) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
    ['both', (depth) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`],
  ])('%s nested deeper than 64', (_name, nested) => {
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(66))).toThrow(/nesting of at most 64 levels/);
    expect(() => parseJson(nested(1_000_000))).toThrow(JsonSyntaxError);
  });
});

describe('numbers', () => {
  it.each(['9007199254740993', '0.10000000000000000001', '1e400', '1e-400', '1.0000000000000001'])(
    '%s is inexact',
    (text) => {
      const { findings } = parseJson(`{"a":[{"b":${text}}]}`);
      expect(findings).toMatchObject([{ severity: 'error', code: 'inexact-number', field: 'a.0.b', value: text }]);
    },
  );

  it('are kept as they were typed where they print otherwise', () => {
    const { typed } = parseJson('{"a":1.50,"b":1.5,"c":[1e2,100],"d":-0,"e":0.10}');
    expect([...(typed ?? [])]).toEqual([
      ['a', '1.50'],
      ['c.0', '1e2'],
      ['d', '-0'],
      ['e', '0.10'],
    ]);
    expect(parseJson('{"a":1.5,"b":"1.50"}').typed).toBeUndefined();
  });
});

describe('fields given twice', () => {
  it.each<[string, string[]]>([
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"a":{"b":1,"b":2}}', ['a.b']],
    ['{"a":[{"b":1},{"b":2,"b":3}]}', ['a.1.b']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"toString":1}', []],
    ['{"a":1,"A":2}', []],
  ])('%s', (text, fields) => {
    expect(found(text)).toEqual(fields.map((field) => `duplicate-field ${field}`));
  });
});

describe('half of a character', () => {
  it.each(['"\\ud800"', '"\\udc00"', '"\\ud800x"', '"\\ude00\\ud83d"', '"a\\ud83d\\ud83d\\ude00"'])(
    '%s is bad-encoding',
    (text) => {
      expect(parseJson(`{"title":${text}}`).findings).toMatchObject([
        { code: 'bad-encoding', field: 'title', fault: true },
      ]);
    },
  );

  it('in a member’s name too', () => {
    expect(parseJson('{"a":{"\\ud800":1}}').findings).toMatchObject([
      { code: 'bad-encoding', field: 'a', fault: true },
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withProfile } from '../../../src/config/profiles.js';

const PROFILE = { map: { Betrag: 'amount' }, decimal: 'comma' } as const;

describe('a profile in the text of a config file', () => {
  it('makes a file where there is none', () => {
    expect(withProfile(null, 'bank', { decimal: 'comma' })).toBe(
      '{\n  "profiles": {\n    "bank": {\n      "decimal": "comma"\n    }\n  }\n}\n',
    );
  });

  it.each<[string, string, string]>([
    ['an empty object', '{}', '{\n  "profiles": {\n    "bank": {\n      "negate": true\n    }\n  }\n}'],
    [
      'an object on one line, which is opened up',
      '{"base_url": "https://gigs.example", "profiles": {"x": {"decimal": "point"}}}',
      '{"base_url": "https://gigs.example", "profiles": {"x": {"decimal": "point"},\n  "bank": {\n    "negate": true\n  }}}',
    ],
    [
      'other profiles, however they are written',
      '{\n\t"profiles": {\n\t\t"x":   {"decimal":"point"}\n\t},\n\t"retries": 3\n}\n',
      '{\n\t"profiles": {\n\t\t"x":   {"decimal":"point"},\n\t\t"bank": {\n\t\t\t"negate": true\n\t\t}\n\t},\n\t"retries": 3\n}\n',
    ],
    [
      'lines that end as on Windows',
      '{\r\n  "retries": 3\r\n}\r\n',
      '{\r\n  "retries": 3,\r\n  "profiles": {\r\n    "bank": {\r\n      "negate": true\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'a profile of that name, which is replaced',
      '{\n  "profiles": {\n    "bank": { "map": {"a}": "amount"}, "decimal": "point" },\n    "x": {}\n  }\n}\n',
      '{\n  "profiles": {\n    "bank": {\n      "negate": true\n    },\n    "x": {}\n  }\n}\n',
    ],
  ])('goes into %s', (_name, text, expected) => {
    expect(withProfile(text, 'bank', { negate: true })).toBe(expected);
  });

  it('changes nothing else, whatever stands there', () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== '__proto__');
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.dictionary(name, fc.string(), { maxKeys: 3 }));
    const profiles = fc.dictionary(name, fc.dictionary(name, value, { maxKeys: 3 }), { maxKeys: 3 });
    const others = fc.dictionary(
      name.filter((text) => text !== 'profiles'),
      value,
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(others, fc.option(profiles), name, fc.constantFrom(0, 2, '\t'), (rest, known, own, indent) => {
        const config = known === null ? rest : { ...rest, profiles: known };
        const edited = withProfile(JSON.stringify(config, null, indent), own, PROFILE);
        expect(JSON.parse(edited)).toEqual({ ...config, profiles: { ...known, [own]: PROFILE } });
        // Writing it once more changes nothing.
        expect(withProfile(edited, own, PROFILE)).toBe(edited);
      }),
      { numRuns: 500 },
    );
  });
});

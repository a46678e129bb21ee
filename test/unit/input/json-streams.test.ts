import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparable, read } from './reading.js';

const json = { format: 'json', encoding: 'utf-8' } as const;
const ndjson = { format: 'ndjson', encoding: 'utf-8' } as const;

describe('any records', () => {
  const values = fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }),
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  );
  const records = fc.array(values, { maxLength: 6 });
  // A list of objects, or of nothing, within the first object holds the records: that is a fault.
  const known = (value: Record<string, unknown>): boolean =>
    !Object.keys(value).some((name) => name.startsWith('gigwork_')) && !/\[[{\]]/.test(JSON.stringify(value));

  it('come out of a list as they went in, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 1, max: 9 }),
        async (list, indent, size) => {
          fc.pre(list.every(known));
          const text = JSON.stringify(list, null, indent);
          const reading = await read(text, json, size);
          expect(reading.fault).toBeNull();
          expect(reading.inputs).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('come out of lines as they went in, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        async (list, end, size) => {
          fc.pre(list.every(known));
          const text = list.map((value) => JSON.stringify(value) + end).join('');
          const reading = await read(text, ndjson, size);
          expect(reading.fault).toBeNull();
          expect(reading.inputs).toEqual(list.map((value): unknown => JSON.parse(JSON.stringify(value))));
          expect(reading.records.map(({ line }) => line)).toEqual(list.map((_, i) => i + 1));
        },
      ),
    );
  });

  it('and any fault is found in the same place, wherever the stream is cut', async () => {
    const marks = '{ } [ ] , : "a" " 1 true \\ {"a":1} {"a":1}, {} ü'.split(' ');
    const parts = fc.constantFrom(...marks, ' ', '\n', '\r\n', '\r');
    const text = fc
      .tuple(fc.constantFrom('', '['), fc.array(parts, { maxLength: 12 }))
      .map(([open, found]) => open + found.join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom('json', 'ndjson'),
        fc.integer({ min: 1, max: 5 }),
        async (content, format, size) => {
          expect(comparable(await read(content, { format }, size))).toEqual(
            comparable(await read(content, { format })),
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../../src/input/rows.js';
import {
  csvLine,
  jsonWithResults,
  oneLine,
  type ResultCells,
  type TypedTable,
  createTypedTable,
} from '../../../src/report/row-tables.js';
import type { WrittenCell } from '../../../src/report/written-cell.js';

const layout = { columns: ['gigwork_key', 'gigwork_error'], delimiter: ';', lineEnd: '\r\n', padShortRows: false };

/** A table as lines of CSV. */
function csvTyped(header: readonly string[], { delimiter, lineEnd, ...rest }: typeof layout) {
  const table = createTypedTable(header, rest.columns, rest.padShortRows);
  const line = (cells: readonly WrittenCell[]): string => csvLine(cells, delimiter, lineEnd);
  return { header: line(table.header), row: (...given: Parameters<TypedTable['row']>) => line(table.row(...given)) };
}

/** What rejects tell of a record. @param key null for an invalid one */
function why(reason: string, key: string | null = null): ResultCells {
  return { gigwork_key: key, gigwork_error: oneLine(reason) };
}

/** What the reader makes of a rejects file's text: its rows, the header first. */
async function readBack(text: string, delimiter = ';'): Promise<(readonly string[])[]> {
  const texts = (async function* () {
    yield await Promise.resolve(text);
  })();
  const rows: (readonly string[])[] = [];
  for await (const batch of readRows(texts, { delimiter, preamble: '', headerLine: 1 })) {
    rows.push(...batch.map(({ cells }) => cells));
  }
  return rows;
}

describe('a rejected row', () => {
  it.each<[string, string]>([
    ['\r=1', '"\'\r=1"'],
    ["''@x", "'''@x"],
    ["'tis", "'tis"],
    ["'-5", "''-5"],
    ['a;b', '"a;b"'],
    ['two\nlines', '"two\nlines"'],
    ['  spaced  ', '  spaced  '],
    ['=HYPERLINK("http://x";"y")', '"\'=HYPERLINK(""http://x"";""y"")"'],
  ])('writes the cell %j as %j, which reads back as it was typed', async (typed, written) => {
    const { header, row } = csvTyped(['title', 'amount'], layout);
    const text = header + row([typed, '1'], why('no good', typed));
    expect(text).toBe(`title;amount;gigwork_key;gigwork_error\r\n${written};1;${written};no good\r\n`);
    expect((await readBack(text))[1]).toEqual([typed, '1', typed, 'no good']);
  });

  it('gives back any cell, also when it goes round twice, header and all', async () => {
    const cell = fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '1', '.', ';', '"', ' ', 'é'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 2, maxLength: 4 }), cell, cell, async (cells, name, key) => {
        const typed = ['u1', ...cells];
        const names = typed.map((_, i) => `${name}${i}`);
        const first = csvTyped(names, layout);
        const once = await readBack(first.header + first.row(typed, why('why', key)));
        expect(once).toEqual([
          [...names, 'gigwork_key', 'gigwork_error'],
          [...typed, key, 'why'],
        ]);
        const second = csvTyped(once[0] ?? [], layout);
        expect(second.header + second.row(once[1] ?? [], why('why'))).toBe(
          first.header + first.row(typed, why('why', key)),
        );
      }),
    );
  });

  it('has its reason on one line, defused, without control characters', () => {
    const { row } = csvTyped(['a'], layout);
    expect(row(['x'], why('one\r\n  two\u202e\u0007'))).toBe('x;;one two\\u202e\\u0007\r\n');
    expect(row(['x'], why('=1; 2'))).toBe('x;;"\'=1; 2"\r\n');
    expect(row(['x'], why('cut \ud83d'))).toBe('x;;cut \ufffd\r\n');
  });

  it('replaces the reasons that its file has, wherever their column stands', () => {
    const { header, row } = csvTyped(['a', 'gigwork_error', 'b'], layout);
    expect(header).toBe('a;b;gigwork_key;gigwork_error\r\n');
    expect(row(['1', 'old', '2'], why('new'))).toBe('1;2;;new\r\n');
  });

  it('has the key of its own payment, or keeps the one that it replaces', () => {
    for (const names of [
      ['a', 'b', 'gigwork_key', 'gigwork_error'],
      ['gigwork_error', ' gigwork_key ', 'a', 'b'],
    ]) {
      const { header, row } = csvTyped(names, layout);
      const cells = names.map((name) => ({ a: '1', b: '2', gigwork_error: 'old' })[name] ?? 'old-key');
      expect(header).toBe('a;b;gigwork_key;gigwork_error\r\n');
      expect(row(cells, why('new', 'new-key'))).toBe('1;2;new-key;new\r\n');
      expect(row(cells, why('new'))).toBe('1;2;old-key;new\r\n');
      expect(row(cells, why('new', ''))).toBe('1;2;;new\r\n');
    }
  });

  const CORRECT = 'correct this row and delete this cell';
  it.each<[string, string[], boolean, string[]]>([
    ['too long', ['1', '2', '3', '4'], false, ['1', '2', '3', '4', '', 'why', CORRECT]],
    ['too short', ['1'], false, ['1', '', '', '', 'why', CORRECT]],
    ['too short, and read as ending in empty cells', ['1'], true, ['1', '', '', '', 'why']],
  ])('of the wrong length (%s) keeps every cell', async (_name, cells, padShortRows, written) => {
    const { header, row } = csvTyped(['a', 'b', 'c'], { ...layout, padShortRows });
    const rows = await readBack(header + row(cells, why('why')));
    expect(rows[1]).toEqual(written);
    // A row that nobody has corrected must not come to fit.
    expect(rows[1]?.length === rows[0]?.length).toBe(padShortRows);
  });

  it.each([
    [
      ['a', 'b', 'gigwork_error'],
      ['1', '2', '3', 'old'],
    ],
    [
      ['a', 'b', 'gigwork_key', 'gigwork_error'],
      ['1', '2', '3', 'key', 'old'],
    ],
    [
      ['a', 'b', 'gigwork_key', 'gigwork_error'],
      ['1', 'key', 'old'],
    ],
  ])('of the wrong length loses nothing where its file has reasons already: %j', async (names, cells) => {
    const { header, row } = csvTyped(names, layout);
    const rows = await readBack(header + row(cells, why('new')));
    expect(rows[1]).toEqual([...cells, '', 'new', CORRECT]);
    expect(rows[1]?.length).not.toBe(rows[0]?.length);
  });
});

describe('a rejected JSON record', () => {
  it.each<[string, string, string]>([
    ['as typed', '{"amount": 1.50,"n":1e2}', '{"amount": 1.50,"n":1e2,"gigwork_error":"no"}'],
    ['over lines', '{\n  "a": 1,\n  "b": [1,\n 2]\n}', '{ "a": 1, "b": [1, 2],"gigwork_error":"no"}'],
    ['empty', '{}', '{"gigwork_error":"no"}'],
    ['with an old reason', '{"a":1,"gigwork_error":"old","b":2}', '{"a":1,"b":2,"gigwork_error":"no"}'],
    ['with an old reason last', '{"a":1, "gigwork\\u005ferror": "old" }', '{"a":1,"gigwork_error":"no"}'],
    [
      'with brackets in text',
      '{"a":"},{\\"","b":{"gigwork_error":1}}',
      '{"a":"},{\\"","b":{"gigwork_error":1},"gigwork_error":"no"}',
    ],
    ['that is no object', '[1,\n2]', '{"value":[1, 2],"gigwork_error":"no"}'],
  ])('%s', (_name, typed, written) => {
    expect(jsonWithResults(typed, why('no'))).toBe(`${written}\n`);
  });

  it.each<[string, string, string | null, string]>([
    ['has the key of its payment', '{"a":1}', 'k', '{"a":1,"gigwork_key":"k","gigwork_error":"no"}'],
    [
      'has it instead of the one before',
      '{"gigwork_key":"old","a":1}',
      'k',
      '{"a":1,"gigwork_key":"k","gigwork_error":"no"}',
    ],
    [
      'keeps the one that it replaces',
      '{"gigwork_key":"old","a":1}',
      null,
      '{"gigwork_key":"old","a":1,"gigwork_error":"no"}',
    ],
    ['has none, which null says', '{"a":1,"gigwork_key":"old"}', '', '{"a":1,"gigwork_key":null,"gigwork_error":"no"}'],
    ['keeps one that is no key', '{"a":1,"gigwork_key":7}', null, '{"a":1,"gigwork_key":7,"gigwork_error":"no"}'],
    ['has a key with any letters', '{}', '"\n\u202e', '{"gigwork_key":"\\"\\n\u202e","gigwork_error":"no"}'],
  ])('%s', (_name, typed, key, written) => {
    expect(jsonWithResults(typed, why('no', key))).toBe(`${written}\n`);
  });

  it('is the record and its reason, for any object', () => {
    const text = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'));
    fc.assert(
      fc.property(text, fc.string(), fc.option(fc.string()), ([value, indent], reason, key) => {
        const line = jsonWithResults(JSON.stringify(value, null, indent), why(reason, key));
        expect(line.endsWith('}\n') && !line.slice(0, -1).includes('\n')).toBe(true);
        const parsed = JSON.parse(line) as Record<string, unknown>;
        expect(Object.keys(parsed).at(-1)).toBe('gigwork_error');
        expect(Object.keys(parsed).at(-2) === 'gigwork_key').toBe(key !== null);
        expect(parsed['gigwork_key'] ?? '').toBe(key ?? '');
        delete parsed['gigwork_key'];
        delete parsed['gigwork_error'];
        expect(parsed).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

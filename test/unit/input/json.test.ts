import { describe, expect, it } from 'vitest';
import { type Change, read } from './reading.js';

const json = { format: 'json' } as const;
const ndjson = { format: 'ndjson' } as const;
const A = { title: 'a', amount: 1 };
const B = { title: 'b', amount: 2.5 };

describe('a JSON document', () => {
  it.each<[string, string, unknown[], (number | null)[]]>([
    ['one object', JSON.stringify(A), [A], [1]],
    ['one object over several lines', `\n\n${JSON.stringify(A, null, 2)}\n`, [A], [3]],
    ['a list', JSON.stringify([A, B]), [A, B], [null, null]],
    ['an empty list', ' [ ] ', [], []],
    ['nothing', '', [], []],
    ['a mark', `\ufeff${JSON.stringify([A])}`, [A], [null]],
    [
      'brackets and quotes',
      '[{"title":"]}[{\\"\\\\"},{"title":"b"}]',
      [{ title: ']}[{"\\' }, { title: 'b' }],
      [null, null],
    ],
  ])('of %s', async (_name, text, inputs, lines) => {
    for (const size of [1, 2, 1 << 16]) {
      const reading = await read(text, json, size);
      expect(reading.fault).toBeNull();
      expect(reading.inputs).toEqual(inputs);
      expect(reading.records.map(({ line }) => line)).toEqual(lines);
      expect(reading.records.map(({ record }) => record)).toEqual(inputs.map((_, i) => i + 1));
    }
  });

  it.each<[string, string, number, number]>([
    ['a list that is not closed', '[{"a":1}\n', 2, 1],
    ['a comma at the end', '[{"a":1},\n]', 2, 1],
    ['no comma', '[{}\r\n {}]', 2, 2],
    ['a second value', '{"a":1}\n{"a":2}', 2, 1],
    ['a bracket alone', ']', 1, 1],
    ['the end after the bracket', '[ ', 1, 3],
    ['a fault in the second record', '[\r\n  {"a":1},\r\n  {"a":1,\r\n   "b" 2}\r\n]', 4, 8],
    ['a fault in the second record, lines ended by CR', '[\r  {"a":1},\r  {"a":1,\r   "b" 2}\r]', 4, 8],
    ['an unclosed quote', '[{"a":"x}\n]', 1, 10],
  ])('%s is a fault of the file, with its place', async (_name, text, line, column) => {
    for (const size of [1, 2, 3, 1 << 16]) {
      const { fault } = await read(text, json, size);
      expect(fault).toMatchObject({ code: 'bad-json', line });
      expect(fault?.message).toMatch(new RegExp(`^column ${column}: found`));
    }
  });

  it('a fault is shown with the rest of its line, wherever the stream is cut', async () => {
    for (const size of [1, 3, 1 << 16])
      expect((await read('[{"a":1},\n {"a":1 "b":2},\n {}]', json, size)).fault?.value).toBe('"b":2},');
  });

  it('with a bracket that is never closed is refused with bounded memory', async () => {
    const text = `[{"title":"${'x'.repeat(17 * 1024 * 1024)}`;
    const { fault } = await read(text, json, 1 << 20);
    expect(fault?.message).toContain('never closed');
  });
});

describe('NDJSON', () => {
  it.each<[string, string, unknown[], number[]]>([
    ['CRLF', `${JSON.stringify(A)}\r\n${JSON.stringify(B)}\r\n`, [A, B], [1, 2]],
    ['no line end at the end', `${JSON.stringify(A)}\n${JSON.stringify(B)}`, [A, B], [1, 2]],
    [
      'blank lines',
      `\n\r\n${JSON.stringify(A)}\n  \t\n${' '.repeat(2_000)}\n\r${JSON.stringify(B)}\n\n`,
      [A, B],
      [3, 7],
    ],
    ['a mark', `\ufeff${JSON.stringify(A)}`, [A], [1]],
    ['nothing', '', [], []],
    ['blank lines alone', '\n\r\n \n', [], []],
  ])('with %s', async (_name, text, inputs, lines) => {
    for (const size of [1, 2, 1 << 16]) {
      const reading = await read(text, ndjson, size);
      expect(reading.fault).toBeNull();
      expect(reading.inputs).toEqual(inputs);
      expect(reading.records.map(({ line }) => line)).toEqual(lines);
    }
  });

  it.each<[string, string, number, number]>([
    ['a line that is no JSON', '{"a":1}\n\nhello\n', 3, 1],
    ['two values on a line', '{"a":1}\n{"a":2} {"a":3}\n', 2, 9],
    ['an object over two lines', '{"a":1,\n"b":2}\n', 1, 8],
    ['the last line, cut off', '{"a":1}\r\n{"a":', 2, 6],
  ])('%s is a fault of the file, with its place', async (_name, text, line, column) => {
    for (const size of [1, 1 << 16]) {
      const { fault } = await read(text, ndjson, size);
      expect(fault).toMatchObject({ code: 'bad-json', line });
      expect(fault?.message).toMatch(new RegExp(`^column ${column}: found`));
    }
  });
});

describe('records', () => {
  const INTERN = { Intern: 'cost_center_data.inhouse' };
  const TWICE = ['duplicate-field cost_center_data.inhouse'];
  const TITLE = { path: 'title', text: 'x' };

  it.each(['5', '"x"', 'null', 'true', '[]', '[{}]'])('%s is no record', async (value) => {
    const listed = await read(`[${value},{"title":"b"}]`, json);
    expect(listed.found).toEqual(['null wrong-type null']);
    expect(listed.inputs).toEqual([null, { title: 'b' }]);
    const lines = await read(`${value}\n{"title":"b"}\n`, ndjson);
    expect(lines.found).toEqual(['1 wrong-type null']);
    expect(lines.inputs).toEqual([null, { title: 'b' }]);
  });

  it.each<[string, string, string[], Change]>([
    ['a field twice', '{"title":"a","title":"b"}', ['duplicate-field title'], {}],
    ['an inexact number', '{"amount":9007199254740993}', ['inexact-number amount'], {}],
    ['half a character', '{"title":"\\ud800"}', ['bad-encoding title'], {}],
    ['half a character in an ignored field', '{"note":"\\ud800"}', ['bad-encoding null'], { ignore: ['note'] }],
    ['in a renamed field', '{"Betrag":9007199254740993}', ['inexact-number amount'], { map: { Betrag: 'amount' } }],
    ['under --set', '{"amount":9007199254740993}', [], { assignments: [{ path: 'amount', text: '1' }] }],
    ['half a character under --set', '{"title":"\\ud800"}', ['bad-encoding title'], { assignments: [TITLE] }],
    ['two names for one field', '{"amount":1,"Betrag":1}', ['duplicate-field amount'], { map: { Betrag: 'amount' } }],
    ['two names for one nested field', '{"cost_center_data":{"inhouse":"No"},"Intern":"Yes"}', TWICE, { map: INTERN }],
    ['a name under what is no object', '{"cost_center_data":"x","Intern":"Yes"}', TWICE, { map: INTERN }],
  ])('%s', async (_name, text, codes, change) => {
    const { found } = await read(text, { ...ndjson, ...change });
    expect(found).toEqual(codes.map((code) => `1 ${code}`));
  });

  it('are renamed, dropped and set', async () => {
    const text = '{"Betrag":1.50,"note":"x","Intern":"Yes","cost_center_data":null,"gigwork_error":"why","title":"t"}';
    const { inputs, records, found } = await read(text, {
      ...ndjson,
      map: { Betrag: 'amount', Intern: 'cost_center_data.inhouse' },
      ignore: ['note', 'cost_center_data'],
      assignments: [
        { path: 'title', text: 'set' },
        { path: 'cost_center_data.legal_entity', text: 'A' },
      ],
    });
    expect(found).toEqual([]);
    expect(inputs).toEqual([{ amount: 1.5, cost_center_data: { inhouse: 'Yes', legal_entity: 'A' }, title: 'set' }]);
    expect([...(records[0]?.typed ?? [])]).toEqual([['amount', '1.50']]);
  });

  it('pass over unknown fields and what is wrong in them, where that is asked for', async () => {
    const { inputs, found } = await read('{"x":9007199254740993,"amount":1}', { ...ndjson, ignoreOthers: true });
    expect(found).toEqual([]);
    expect(inputs).toEqual([{ amount: 1 }]);
  });
});

describe('records that are not where they are read', () => {
  const RECORD = '{"user_id":"u1","amount":5}';
  const faultOf = async (text: string, how: Parameters<typeof read>[1]) => (await read(text, how)).fault;

  it.each<[string, string, string]>([
    ['{"data":[{"a":1},{"a":2}]}', '"data"', '.data[]'],
    [`{"meta":{"page":1},"total":2,"result":{"rows":[${RECORD}]}}`, '"result.rows"', '.result.rows[]'],
    ['\n{"payouts":[\n{"a":1}\n]}', '"payouts"', '.payouts[]'],
    ['{"my list":[{"a":1}]}', '"my list"', ''],
    ['{"a":[{"x":1}],"b":[{"x":1}]}', '"a" or "b"', ''],
    ['{"total":0,"data":[]}', '"data"', '.data[]'],
    ['{"tags":[],"data":[{"a":1}]}', '"data"', '.data[]'],
  ])('%j: the fault names the list', async (text, named, filter) => {
    const fault = await faultOf(text, json);
    expect(fault).toMatchObject({ code: 'bad-json', line: text.startsWith('\n') ? 2 : 1 });
    expect(fault?.message).toContain(`under ${named}. Save the list`);
    expect(/jq -c "([^"]*)"/.exec(fault?.message ?? '')?.[1] ?? '').toBe(filter);
  });

  it.each([
    ['a field', '{"title":"a","data":[{"a":1}]}'],
    ['a list that is a field', '{"tasks":[{"a":1}]}'],
    ['an object with fields within', '{"payout":{"user_id":"u1","list":[{"a":1}]}}'],
    ['a list of texts', '{"data":["a"]}'],
    ['an empty list that is a field', '{"tasks":[]}'],
    ['a record in a list', '[{"data":[{"a":1}]}]'],
  ])('%s is read as a record', async (_what, text) => {
    expect(await faultOf(text, json)).toBeNull();
  });

  it.each([
    ['one object', '{\n"a":1\n}\n', /^column 2: found the end of the line.*one object, add --format json/],
    ['a list', '[\n{"a":1}\n]\n', /one list, add --format json$/],
  ])('%s over several lines is no NDJSON', async (_what, text, words) => {
    for (const size of [1, 1 << 16]) {
      const { fault } = await read(text, ndjson, size);
      expect(fault).toMatchObject({ code: 'bad-json', line: 1 });
      expect(fault?.message).toMatch(words);
    }
  });

  it('several objects over several lines are no list', async () => {
    for (const size of [1, 1 << 16]) {
      const { fault, inputs } = await read('{\n"a":1\n}\n{\n"a":2\n}\n', json, size);
      expect(inputs).toEqual([{ a: 1 }]);
      expect(fault).toMatchObject({ code: 'bad-json', line: 4 });
      expect(fault?.message).toMatch(/several objects are not a list: put each object on one line/);
    }
    expect((await faultOf('{"a":1}\n{"a":2}\n', json))?.message).toMatch(/add --format ndjson$/);
  });
});

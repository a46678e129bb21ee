import { describe, expect, it } from 'vitest';
import { type Change, read } from './reading.js';

const OTHERS: Change = { ignoreOthers: true };
const doubted = ({ facts }: Awaited<ReturnType<typeof read>>): string[] =>
  [...facts.dropped].flatMap(([name, doubt]) =>
    doubt === null ? [] : [`${name} ${/Did you mean "(.*?)"/.exec(doubt.message)?.[1]}`],
  );

describe('columns that are no field', () => {
  it('are dropped, in CSV and in JSON', async () => {
    const csv = await read('user_id;Notiz;amount;IBAN;gigwork_error\nu1;x;5;DE1;wrong\n', OTHERS);
    expect(csv.inputs).toEqual([{ user_id: 'u1', amount: 5 }]);
    expect(csv.records[0]?.findings).toEqual([]);
    expect([...csv.facts.dropped.keys()]).toEqual(['Notiz', 'IBAN']);
    const text =
      '[{"user_id":"u1","amount":5,"Notiz":{"a":1e400},"gigwork_error":"x"},{"user_id":"u2","amount":6,"b.c":1}]';
    const json = await read(text, OTHERS);
    expect(json.inputs).toEqual([
      { user_id: 'u1', amount: 5 },
      { user_id: 'u2', amount: 6 },
    ]);
    expect(json.records.flatMap(({ findings }) => findings)).toEqual([]);
    expect([...json.facts.dropped.keys()]).toEqual(['Notiz', 'b.c']);
  });

  it('but not what is mapped, and not what tells of an earlier run', async () => {
    const map = { Betrag: 'amount' };
    const { inputs, records, facts } = await read('Betrag;x;gigwork_key\n5;y;k1\n', { ...OTHERS, map });
    expect([inputs, records[0]?.replaces, [...facts.dropped.keys()]]).toEqual([[{ amount: 5 }], 'k1', ['x']]);
    expect((await read('{"Betrag":5,"x":1}', { ...OTHERS, map })).inputs).toEqual([{ amount: 5 }]);
  });

  it('all of them: then the header is none', async () => {
    const { fault } = await read('Report;November\nuser_id;amount\nu1;5\n', OTHERS);
    expect(fault).toMatchObject({ code: 'header-like-data', line: 1 });
    expect(fault?.message).toContain('--header-line 2');
    expect((await read('Wer;Was\nx;y\n', OTHERS)).fault).toMatchObject({ code: 'unknown-field', line: 1 });
    expect((await read('u1;5\nu2;6\n', OTHERS)).fault?.message).toContain('--header-line 0');
  });
});

describe('a dropped column that may be a field', () => {
  it.each<[string, string[], Change]>([
    ['user_id;amount;curency', ['curency currency'], {}],
    ['user_id;amount;Currency', ['Currency currency'], {}],
    ['user_id;amount;Währung', ['Währung currency'], {}],
    ['user_id;amount;Idempotency-Key', ['Idempotency-Key idempotency_key'], {}],
    ['user_id;Supplier', [], {}],
    ['amount;Supplier', ['Supplier user_id'], {}],
    // Something else gives the field.
    ['user_id;amount;currency;curency', [], {}],
    ['user_id;amount;curency', [], { assignments: [{ path: 'currency', text: 'EUR' }] }],
    ['user_id;amount;curency;Whg', [], { map: { Whg: 'currency' } }],
    ['user_id;amount;curency', [], { ignore: ['curency'] }],
    ['user_id;amount;Notiz;BIC;Buchungstag;Verwendungszweck zwei', [], { map: {} }],
  ])('%s: %j', async (header, expected, change) => {
    const row = header.replace(/[^;]+/g, '5');
    expect(doubted(await read(`${header}\n${row}\n`, { ...OTHERS, ...change }))).toEqual(expected);
    const names = header.split(';').map((name) => [name, name === 'amount' ? 5 : '5']);
    expect(doubted(await read(JSON.stringify(Object.fromEntries(names)), { ...OTHERS, ...change }))).toEqual(expected);
  });
});

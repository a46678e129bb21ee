/** A template and the rows that fill it in. CONTRACT: "Templates". */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTemplate, type RecordTemplate } from '../../../src/input/template.js';
import type { RecordType } from '../../../src/records/types.js';
import { ndjson } from '../../support/builders.js';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { type CellSpec, sheet } from '../../support/workbook.js';
import { type Change, read, type Reading } from './reading.js';

const compile = (record: unknown, type: RecordType | null = null): RecordTemplate =>
  compileTemplate({ path: 't.json', text: typeof record === 'string' ? record : JSON.stringify(record) }, type, []);

/** Reads rows as a payout, or as another type. */
function fill(record: object, content: string | Uint8Array, change: Change & { type?: RecordType } = {}) {
  return read(content, { ...change, template: compile(record, change.type ?? 'payout') });
}

const shown = ({ inputs, found, fault }: Reading) => ({ inputs, found, fault: fault?.code ?? null });
const clean = (...inputs: object[]) => ({ inputs, found: [], fault: null });
const gig = { type: 'gig' } as const;

describe('a text that is nothing but one variable', () => {
  it('takes the type of its field, in every place', async () => {
    const template = {
      title: '${t}',
      amount: '${n}',
      billing_date: '${d}',
      cost_center_data: { legal_entity: '${t}', inhouse: '${yes}' },
    };
    const rows = 't;n;d;yes\n007;1.234,50;05.12.2026;no\n';
    const style = { ...PLAIN_STYLE, decimal: 'comma', dateOrder: 'dmy' } as const;
    expect(shown(await fill(template, rows, { style }))).toEqual(
      clean({
        title: '007',
        amount: 1234.5,
        billing_date: '2026-12-05',
        cost_center_data: { legal_entity: '007', inhouse: 'no' },
      }),
    );
  });

  it('is a number in a list of tasks, true or false, a time, and JSON for an object', async () => {
    const template = {
      start_at: '${s}',
      total_seats: '${n}',
      partner_options: { extra_mile: '${b}' },
      filter_query: '${q}',
      tasks: [{ title: 'a', base_price: '${p}' }],
    };
    const rows = 's;n;b;q;p\n2026-12-05T08:00:00Z;4;TRUE;"{""a"":[1]}";12.5\n';
    expect(shown(await fill(template, rows, gig))).toEqual(
      clean({
        start_at: 1796457600,
        total_seats: 4,
        partner_options: { extra_mile: true },
        filter_query: { a: [1] },
        tasks: [{ title: 'a', base_price: 12.5 }],
      }),
    );
  });

  it('is text in queries and payloads, unless it says otherwise', async () => {
    const template = {
      filter_query: { zip: '${n}', $or: [{ 'a.b': '${n:number}' }, { c: '${x:json}' }], d: 4 },
      notification_payload: { deep: ['${n}', { x: '${x:json}' }] },
    };
    expect(shown(await fill(template, 'n;x\n04;"[1,{""a"":null}]"\n', gig)).found).toEqual([
      '2 bad-number filter_query.$or.0.a.b',
    ]);
    expect(shown(await fill(template, 'n;x\n4;"[1,{""a"":null}]"\n', gig))).toEqual(
      clean({
        filter_query: { zip: '4', $or: [{ 'a.b': 4 }, { c: [1, { a: null }] }], d: 4 },
        notification_payload: { deep: ['4', { x: [1, { a: null }] }] },
      }),
    );
  });

  it('never adds a member, whatever it holds', async () => {
    const template = { title: '${t}', filter_query: { city: '${t}' }, description: 'In ${t}' };
    const evil = 'x","$where":"1"}, ${t} $& \\';
    const { inputs } = await fill(template, `t\n"${evil.replaceAll('"', '""')}"\n`, gig);
    expect(inputs).toEqual([{ title: evil, filter_query: { city: evil }, description: `In ${evil}` }]);
  });
});

it('a value of any letters is one text in the record, or an error: it never changes anything else', async () => {
  const template = { title: '${x}', filter_query: { $or: [{ city: '${x}' }, { note: 'in ${x}, ${x}' }] } };
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('$', '{', '}', '"', '\\', ':', '?', ',', 'x', ' ', "'", '.') }),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { inputs, found } = await fill(template, ndjson([{ x: text }]), gig);
      const whole = { title: text, filter_query: { $or: [{ city: text }, { note: `in ${text}, ${text}` }] } };
      if (found.every((finding) => finding.includes(' surrounding-space '))) expect(inputs).toEqual([whole]);
      // What is in doubt is left out.
      else expect(Object.keys(inputs[0] as object).every((name) => name === 'title')).toBe(true);
    }),
    { numRuns: 200 },
  );
});

describe('an empty cell', () => {
  it('drops the member of an optional variable: in objects, lists and other text', async () => {
    const template = {
      total_seats: '${x:number?}',
      description: 'With ${x?} and ${y}',
      filter_query: { a: '${x?}', $or: ['${x?}', '${y}'], n: '${x:number?}', j: '${x:json?}' },
    };
    expect(shown(await fill(template, 'x;y\n;1\n', gig))).toEqual(clean({ filter_query: { $or: ['1'] } }));
  });

  it.each(['', '  '])('is missing otherwise (%j), with column and place', async (cell) => {
    const template = { title: 'Audit ${x}', filter_query: { a: '${x}', b: 1 } };
    const { records, found, inputs } = await fill(template, `x;y\n"${cell}";1\n`, gig);
    expect(found).toEqual(['2 missing-field title', '2 missing-field filter_query.a']);
    expect(records[0]?.findings[0]?.message).toContain('"x" is empty');
    // Without its part, the query would be sent to other people.
    expect(inputs).toEqual([{}]);
    expect(records[0]?.unreadable).toEqual(new Set(['title', 'filter_query.a', 'filter_query']));
  });

  it.each<[object, boolean]>([
    [{ description: '${x}' }, true],
    [{ description: 'In ${x}' }, true],
    [{ title: '${x}' }, false],
  ])('may be allowed only where a record may lack it: %j, %j', async (template, isAdvised) => {
    const { records } = await fill({ amount: 1, ...template }, 'x;y\n;1\n');
    expect(records[0]?.findings[0]?.message.includes('write ${x?}')).toBe(isAdvised);
  });

  it('is never advised for a part of a query: it would be for other people', async () => {
    const { records } = await fill(
      { filter_query: { a: '${x}' }, notification_payload: { a: '${x}' } },
      'x;y\n;1\n',
      gig,
    );
    expect(records[0]?.findings.map(({ message }) => message.includes('${x?}'))).toEqual([false, true]);
  });

  it('is a dash in a column of amounts', async () => {
    const amount = { amount: '${x}', title: '${y}' };
    expect(shown(await fill(amount, 'x;y\n-;a\n')).found).toEqual(['2 missing-field amount']);
  });
});

describe('other text', () => {
  it('has a variable as it was typed, and a plain ${ for $${', async () => {
    const template = { title: '$${x} ${x}${y} $${', description: '$$${x}' };
    expect(shown(await fill(template, 'x;y\n 0045 ;1E5\n'))).toEqual(
      clean({ title: '${x}  0045 1E5 ${', description: '$${x}' }),
    );
  });

  it('is read as a text of its field after it is filled in', async () => {
    const template = { start_at: '${d}T08:00:00+01:00', tasks: [{ base_price: '${euro}00' }] };
    expect(shown(await fill(template, 'd;euro\n2026-12-05;12\n', gig))).toEqual(
      clean({ start_at: 1796454000, tasks: [{ base_price: 1200 }] }),
    );
    expect(shown(await fill(template, 'd;euro\n2026-13-05;12\n', gig)).found).toEqual(['2 bad-date start_at']);
  });

  it('is a time without an offset under --time-zone, also where it has no variable', async () => {
    const template = { title: '${d}', start_at: '${d} 08:00', end_at: '2026-12-05 16:00', archive_at: '1796457600' };
    const style = { ...PLAIN_STYLE, dateOrder: 'dmy', timeZone: 'Europe/Berlin' } as const;
    const { inputs, found } = await fill(template, 'd;x\n05.12.2026;1\n', { ...gig, style });
    expect(inputs).toEqual([
      { title: '05.12.2026', start_at: 1796454000, end_at: 1796482800, archive_at: '1796457600' },
    ]);
    expect(found).toEqual([]);
    const without = await fill(template, 'd;x\n2026-12-05;1\n', gig);
    expect(without.found).toEqual(['2 bad-date start_at', '2 bad-date end_at']);
  });

  it.each<[string, string | CellSpec]>([
    ['a text', '2026-12-05 09:30'],
    ['a text with midnight', '2026-12-05 00:00:00'],
    ['a cell', { v: 46361 + 9.5 / 24, format: 22 }],
  ])('is no moment with a time of its own and the one of a date, %s', async (_, date) => {
    const style = { ...PLAIN_STYLE, timeZone: 'Europe/Berlin' } as const;
    const rows =
      typeof date === 'string'
        ? `d;x\n${date};1\n`
        : sheet([
            ['d', 'x'],
            [date, 1],
          ]);
    for (const dateOrder of [null, 'ymd', 'dmy', 'mdy'] as const)
      expect(shown(await fill({ start_at: '${d} 08:00' }, rows, { ...gig, style: { ...style, dateOrder } }))).toEqual({
        inputs: [{}],
        found: ['2 bad-date start_at'],
        fault: null,
      });
  });

  it.each(['1.234', '12,50', '-3', ' 4', '1E3'])('makes no other number of %s', async (cell) => {
    const template = { amount: '${x}0', title: 'a' };
    expect(shown(await fill(template, `x;y\n"${cell}";1\n`)).found).toEqual(['2 bad-number amount']);
  });
});

describe('a template is no way round a check', () => {
  it.each<[string, object, string]>([
    ['#N/A', { title: 'Audit ${x}' }, 'spreadsheet-error title'],
    ['Err:502', { filter_query: { a: ['${x}'] } }, 'spreadsheet-error filter_query.a.0'],
    ['Summe', { title: 'Audit ${x}' }, 'total-row title'],
    ['Gesamt:', { filter_query: { a: '${x}' } }, 'total-row filter_query.a'],
    ['4.00123E+15', { user_id: 'W-${x}' }, 'mangled-id user_id'],
    ['NULL', { user_id: 'W-${x}' }, 'doubtful-id user_id'],
    ['1.234', { amount: '${x}' }, 'ambiguous-number amount'],
    ['€5', { amount: '${x}' }, 'bad-number amount'],
    ['0x10', { filter_query: { a: '${x:number}' } }, 'bad-number filter_query.a'],
    ['{"a":1,"a":2}', { filter_query: { q: '${x:json}' } }, 'duplicate-field filter_query.q.a'],
    ['{', { filter_query: { q: '${x:json}' } }, 'bad-json filter_query.q'],
    ['Berlin ', { filter_query: { q: '${x}' } }, 'surrounding-space filter_query.q'],
  ])('%s in %j', async (cell, template, finding) => {
    const type = 'filter_query' in template ? 'gig' : 'payout';
    const { found } = await fill(template, `x;y\n"${cell.replaceAll('"', '""')}";1\n`, { type });
    expect(found).toEqual([`2 ${finding}`]);
  });

  it('a total is told once a row, and not with --allow-total-row', async () => {
    const template = { title: 'Audit ${x}', description: 'In ${x}' };
    expect((await fill(template, 'x;y\nTotal;1\n')).found).toHaveLength(1);
    expect((await fill(template, 'x;y\nTotal;1\n', { allowTotalRow: true })).found).toEqual([]);
  });

  it('a formula in a cell that goes into a text ends the reading', async () => {
    expect((await fill({ title: 'No. ${x}' }, 'x,y\n="0045",1\n')).fault?.code).toBe('bad-csv');
    expect((await fill({ title: '${y}' }, 'x,y\n="0045",1\n')).fault).toBeNull();
  });

  it('an amount has the sign and the currency of its record', async () => {
    const style = { ...PLAIN_STYLE, currencySigns: true, negate: true };
    const rows = 'a;c\n-£5.00;GBP\n-£5.00;EUR\n';
    const { inputs, found } = await fill({ amount: '${a}', currency: '${c}' }, rows, { style });
    expect(inputs[0]).toEqual({ amount: 5, currency: 'GBP' });
    expect(found).toEqual(['3 bad-number amount']);
    expect(shown(await fill({ amount: '${a}', currency: 'GBP' }, 'a;c\n-£5.00;\n', { style }))).toEqual(
      clean({ amount: 5, currency: 'GBP' }),
    );
  });
});

describe('columns', () => {
  it('that are not used are no fields, and are told', async () => {
    const { inputs, facts, detected } = await fill({ title: '${x}' }, 'x;amount;note\na;5;b\n');
    expect(inputs).toEqual([{ title: 'a' }]);
    expect([...facts.dropped.keys()]).toEqual(['amount', 'note']);
    expect(detected).toBe('t.json does not use 2 columns: "amount", "note"');
  });

  it('of gigwork, and for the own key, keep their meaning', async () => {
    const rows = 'x;idempotency_key;gigwork_key;gigwork_error\na;k1;old;no\nb;;;\n';
    const { records, facts } = await fill({ title: '${x}' }, rows);
    expect(records.map(({ input, replaces }) => [input, replaces])).toEqual([
      [{ title: 'a', idempotency_key: 'k1' }, 'old'],
      [{ title: 'b' }, undefined],
    ]);
    expect(facts.dropped.size).toBe(0);
    const used = { title: '${x}', idempotency_key: 'P-${idempotency_key?}' };
    expect((await fill(used, rows)).inputs[0]).toEqual({ title: 'a', idempotency_key: 'P-k1' });
    await expect(fill({ title: '${x}', idempotency_key: 'P-${x}' }, rows)).rejects.toThrow(/both give the key/);
  });

  it.each([
    ['${ciyt}', /\$\{ciyt\} has no column in -. Found: "city", "Start date". Did you mean \$\{city\}\?/],
    ['${start_date?}', /Did you mean \$\{Start date\}/],
    ['${gigwork_error}', /has no column/],
    ['${zzzzzz}', /--header-line/],
    ['${city:text}', /After a colon, only number and json are known/],
  ])('%s without one is wrong usage', async (title, message) => {
    await expect(fill({ title }, 'city;Start date;gigwork_error\na;b;c\n')).rejects.toThrow(message);
  });

  it('are named by their position too; one of two with the same name only so', async () => {
    expect((await fill({ title: '${#1}' }, 'a;b\n', { headerLine: 0 })).inputs).toEqual([{ title: 'a' }]);
    const twins = 'x;x;y\na;b;c\n';
    expect((await fill({ title: '${#2}' }, twins)).inputs).toEqual([{ title: 'b' }]);
    expect((await fill({ title: '${y}' }, twins)).inputs).toEqual([{ title: 'c' }]);
    expect((await fill({ title: '${x}' }, twins)).fault?.code).toBe('duplicate-column');
  });

  it('without a name may have no content, unless it is ignored', async () => {
    expect((await fill({ title: '${x}' }, 'x;\na;CR\n')).found).toEqual(['2 bad-csv null']);
    expect((await fill({ title: '${x}' }, 'x;\na;CR\n', { ignoreOthers: true })).found).toEqual([]);
  });
});

describe('spaces around a value within an ID, a code or a choice', () => {
  const template = { user_id: 'emp-${u}', currency: 'E${c}', title: 'Tour ${u}', amount: '${a}' };
  const rows = 'u;c;a\n007 ; UR;€5\n';

  it('are no part of it under --trim, and stay in texts', async () => {
    const style = { ...PLAIN_STYLE, trim: true, currencySigns: true };
    for (const text of [rows, '{"u":"007 ","c":" UR","a":"€5"}'])
      expect(shown(await fill(template, text, { style }))).toEqual(
        clean({ user_id: 'emp-007', currency: 'EUR', title: 'Tour 007 ', amount: 5 }),
      );
  });

  it('are sent and told otherwise', async () => {
    const { inputs, found } = await fill({ user_id: 'emp-${u}' }, rows);
    expect([inputs, found]).toEqual([[{ user_id: 'emp-007 ' }], ['2 surrounding-space user_id']]);
  });
});

describe('values that are set on every record', () => {
  it('count each filled value that they replace, also one that could not be read', async () => {
    const template = { title: 'Fixed', filter_query: { n: '${n:number}' } };
    const rows = 'a;n\n12.5;1\n1,200.50;x\n99;1\n;1\n';
    const assignments = [
      { path: 'title', text: 'Set' },
      { path: 'filter_query', text: '{"n":1}' },
    ];
    const told = ({ facts }: Reading) =>
      [...(facts.overrides?.list(true) ?? []), ...(facts.overrides?.list(false) ?? [])].map(
        ({ path, count, typed, column }) => [path, count, typed, column],
      );
    const payout = { amount: '${a}' };
    const set = { assignments: [{ path: 'amount', text: '99' }] };
    expect(told(await fill(payout, rows, set))).toEqual([['amount', 2, '12.5', 'amount']]);
    const objects = ndjson([{ a: '1,200.50' }, { a: 12.5 }, { a: '99' }, { a: null }]);
    expect(told(await fill(payout, objects, set))).toEqual([['amount', 2, '1,200.50', 'amount']]);
    expect(told(await fill(template, rows, { ...gig, assignments }))).toEqual([
      ['title', 4, 'Fixed', 'title'],
      ['filter_query', 1, 'x', 'filter_query.n'],
    ]);
  });

  it('hold for the record that comes out', async () => {
    const assignments = [
      { path: 'title', text: 'Set' },
      { path: 'tasks.0.base_price', text: '7' },
    ];
    const template = { title: '${x}', tasks: [{ title: 'a', base_price: '${y}' }] };
    const { inputs, found, facts } = await fill(template, 'x;y\n;2\nb;2\n', { ...gig, assignments });
    const [first, second] = inputs;
    expect(second).toEqual({ title: 'Set', tasks: [{ title: 'a', base_price: 7 }] });
    expect(first).toEqual(second);
    expect(found).toEqual([]);
    const overrides = facts.overrides?.list(false) ?? [];
    expect(new Map(overrides.map(({ path, count }) => [path, count]))).toEqual(
      new Map([
        ['title', 1],
        ['tasks.0.base_price', 2],
      ]),
    );
  });
});

describe('rows of JSON', () => {
  it('give a topic its name or its id, as they write it; a cell of digits is an id', async () => {
    const template = { invitation_notification_topic: '${x}' };
    const topics = ({ inputs }: Reading): unknown[] =>
      (inputs as Record<string, unknown>[]).map((input) => input['invitation_notification_topic']);
    const objects = ndjson([{ x: '7' }, { x: '007' }, { x: 7 }]);
    expect(topics(await fill(template, objects, gig))).toEqual(['7', '007', 7]);
    expect(topics(await fill(template, 'x;y\n7;1\n', gig))).toEqual([7]);
    const number = { invitation_notification_topic: '${x:number}' };
    expect(topics(await fill(number, ndjson([{ x: '7' }]), gig))).toEqual([7]);
  });

  const template = { title: '${t}', amount: '${n}', description: '${n} of ${t}, ${b?}' };

  it('fill a template in as cells do; numbers stay numbers', async () => {
    const rows = [
      { t: 'a', n: 5, b: true, unused: { x: 1 } },
      { t: 'b', n: '6.5', b: null },
    ];
    const wanted = [
      { title: 'a', amount: 5, description: '5 of a, true' },
      { title: 'b', amount: 6.5 },
    ];
    for (const text of [JSON.stringify(rows), rows.map((row) => JSON.stringify(row)).join('\n')]) {
      const { inputs, found, facts } = await fill(template, text);
      expect({ inputs, found }).toEqual({ inputs: wanted, found: [] });
      expect([...facts.dropped.keys()]).toEqual(['unused']);
    }
  });

  it('have numbers as they were typed within text', async () => {
    const { inputs, records } = await fill(template, '{"t":"a","n":1.50,"b":0}');
    expect(inputs).toEqual([{ title: 'a', amount: 1.5, description: '1.50 of a, 0' }]);
    expect(records[0]?.typed?.get('amount')).toBe('1.50');
  });

  it.each<[object, string, string[]]>([
    [{ title: '${x}' }, '5', []],
    [{ title: 'A ${x}' }, '{"a":1}', ['1 wrong-type title']],
    [{ filter_query: { a: '${x}' } }, '[1]', ['1 wrong-type filter_query.a']],
    [{ filter_query: { a: '${x:number}' } }, 'true', ['1 wrong-type filter_query.a']],
    [{ filter_query: { a: '${x:json}' } }, '{"a":1}', []],
    [{ filter_query: '${x}' }, '{"a":1}', []],
    [{ title: 'a', total_seats: '${x}' }, '9007199254740993', ['1 inexact-number x']],
    [{ title: 'a', total_seats: '${x}' }, '"1.234"', ['1 ambiguous-number total_seats']],
    [{ title: '${x}' }, '""', ['1 missing-field title']],
    [{ title: '${x?}' }, 'null', []],
  ])('%j with %s', async (record, value, expected) => {
    expect((await fill(record, `{"x":${value}}`, gig)).found).toEqual(expected);
  });

  it('keep the meaning of the columns of gigwork', async () => {
    const rows = '{"t":"a","n":1,"idempotency_key":"k","gigwork_key":"old","gigwork_error":"no"}';
    const { records } = await fill({ title: '${t}' }, rows);
    expect(records[0]).toMatchObject({ replaces: 'old', input: { title: 'a', idempotency_key: 'k' } });
    expect((await fill({ title: '${t}' }, '{"t":"a","gigwork_status":"created"}')).fault?.code).toBe('results-file');
  });

  it('may each lack a member, but not all of them', async () => {
    expect((await fill({ title: '${x?}', description: '${y}' }, '{"y":"a"}\n{"x":"b","y":"c"}')).found).toEqual([]);
    await expect(fill({ title: '${nme?}' }, '{"name":"a"}')).rejects.toThrow(/Did you mean \$\{name\}/);
  });
});

describe('a workbook', () => {
  const HEAD = ['city', 'date', 'time', 'n', 'yes'];
  const DAY = { v: 46361, format: 'dd.mm.yyyy' };
  const TIME = { v: 0.25, format: 'hh:mm' };
  const rows = (...cells: CellSpec[]): Buffer => sheet([HEAD, cells]);
  const template = {
    title: '${city} on ${date}, ${time}, ${n}, ${yes}',
    start_at: '${date}T${time}Z',
    total_seats: '${n}',
    filter_query: { from: '${date}', n: '${n}' },
  };

  it('gives dates as 2026-12-05, and numbers as they are shown', async () => {
    const { inputs, found } = await fill(template, rows('Berlin', DAY, TIME, 4, true), gig);
    expect({ inputs, found }).toEqual({
      inputs: [
        {
          title: 'Berlin on 2026-12-05, 06:00:00, 4, TRUE',
          start_at: 1796450400,
          total_seats: 4,
          filter_query: { from: '2026-12-05', n: '4' },
        },
      ],
      found: [],
    });
  });

  it('refuses what is not what a person sees, wherever it goes', async () => {
    const bad = { v: 4.4, format: '0' };
    const { found } = await fill({ title: '${n} of ${city}' }, rows('a', DAY, TIME, bad, null), gig);
    expect(found).toEqual(['2 wrong-type title']);
    const inexact = await fill({ filter_query: { n: '${n:number}' } }, rows('a', DAY, TIME, bad, null), gig);
    expect(inexact.found).toEqual(['2 inexact-number filter_query.n']);
    expect(inexact.inputs).toEqual([{}]);
    expect((await fill({ title: '${date}' }, rows('a', DAY, TIME, 1, null), gig)).found).toEqual([
      '2 wrong-type title',
    ]);
  });

  it('tells real dates from texts in a column that goes into times', async () => {
    const mixed = sheet([HEAD, ['a', DAY, '06:00:00', 1], ['b', '2026-12-06', '06:00:00', 1]]);
    const { facts } = await fill(template, mixed, gig);
    expect(facts.sheet?.seen.mixedDates).toMatchObject([{ path: 'start_at', realDates: 1, texts: 1 }]);
  });

  it('may have hidden columns that the template does not use', async () => {
    const hidden = (record: object) =>
      fill(
        record,
        sheet([HEAD, ['a', DAY, TIME, 4, true]], { before: '<cols><col min="4" max="4" hidden="1"/></cols>' }),
        gig,
      );
    expect((await hidden({ title: '${city}' })).fault).toBeNull();
    expect((await hidden({ title: 'In ${n}' })).fault?.code).toBe('bad-csv');
  });
});

describe('a template that is wrong', () => {
  it.each<[unknown, RegExp]>([
    ['', /^--template t\.json: this is not JSON: found the end, .* at line 1, character 1$/],
    ['{\n "title": }', /at line 2, character 11/],
    ['[{}]', /a template is one record as a JSON object/],
    ['"x"', /a template is one record/],
    ['{"title": "a", "title": "b"}', /"title" is given twice/],
    ['{"start_at": 1, "total_seats": 9007199254740993}', /cannot be sent exactly/],
    [{ titel: 'a' }, /titel: there is no such field in a gig. Did you mean "title"\?/],
    [{ tasks: [{ titel: 'a' }] }, /tasks\.0\.titel: there is no such field/],
    [{ partner_options: { extra: true } }, /partner_options\.extra: there is no such field/],
    [{ title: '${a' }, /title: a variable begins with \$\{ and ends with \}/],
    [{ title: '${}' }, /names no column/],
    [{ title: '${ ? }' }, /names no column/],
    [{ title: 'A ${a:number}' }, /must be the whole text/],
    [{ title: '${a:json}' }, /title: a variable takes the type of its field here: write \$\{a\}/],
    [{ total_seats: '${a:json}' }, /a variable takes the type of its field/],
    [{ filter_query: '{"a": "${a}"}' }, /filter_query: an object or a list belongs here/],
    [{ tasks: ['${a}'] }, /tasks\.0: an object or a list belongs here/],
    [{ filter_query: { '${a}': 1 } }, /the name of a member cannot have a variable/],
  ])('%j', (record, message) => {
    expect(() => compile(record, 'gig')).toThrow(message);
  });

  it('does not show the type of its records', () => {
    expect(() => compile({ title: '${a}' })).toThrow(/no member shows the type/);
    expect(() => compile({ amount: 1, start_at: 1 })).toThrow(/do not agree/);
    expect(compile({ amount: '${a}' }).type).toBe('payout');
    expect(compileTemplate({ path: 't', text: '{}' }, null, ['start_at']).type).toBe('gig');
  });

  it.each(['number', 'timestamp'])('but a type that says the same is none (%s)', (kind) => {
    const record = kind === 'number' ? { total_seats: '${a:number?}' } : { start_at: '${a:number}' };
    expect(compile(record, 'gig').blanks).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/records/kinds.js';
import { type Change, comparable, read } from './reading.js';

const HEADER = 'user_id,amount,title,cost_center_key';
const GOOD = { user_id: 'u1', amount: 5, title: 'Bonus', cost_center_key: 'PP-7' };
const ROW = 'u1,5,Bonus,PP-7';
const csv = { format: 'csv' } as const;

async function expectFault(text: string, code: string, line: number | null, change: Change = {}): Promise<string> {
  const { fault } = await read(text, { ...csv, ...change });
  expect(fault).toMatchObject({ code, line });
  return fault?.message ?? '';
}

describe('rows and cells', () => {
  it.each<[string, string]>([
    ['LF', `${HEADER}\n${ROW}\n`],
    ['CRLF', `${HEADER}\r\n${ROW}\r\n`],
    ['CR', `${HEADER}\r${ROW}\r`],
    ['no line end at the end', `${HEADER}\n${ROW}`],
    ['mixed line ends', `${HEADER}\r${ROW}\n\r\n`],
    ['a mark', `\ufeff${HEADER}\n${ROW}`],
    ['quotes around everything', '"user_id","amount","title","cost_center_key"\n"u1","5","Bonus","PP-7"\n'],
    ['spaces around names', ' user_id , amount ,title,cost_center_key\nu1,5,Bonus,PP-7\n'],
    ['another order', 'amount,title,cost_center_key,user_id\n5,Bonus,PP-7,u1\n'],
    ['semicolons', `${HEADER.replaceAll(',', ';')}\n${ROW.replaceAll(',', ';')}`],
    ['tabs', `${HEADER.replaceAll(',', '\t')}\n${ROW.replaceAll(',', '\t')}`],
    ['pipes', `${HEADER.replaceAll(',', '|')}\n${ROW.replaceAll(',', '|')}`],
    ['a sep= line', `sep=;\r\n${HEADER.replaceAll(',', ';')}\r\n${ROW.replaceAll(',', ';')}\r\n`],
  ])('%s', async (_name, text) => {
    const { inputs, found, fault } = await read(text, csv);
    expect(fault).toBeNull();
    expect(found).toEqual([]);
    expect(inputs).toEqual([GOOD]);
  });

  it.each<[string, string]>([
    ['a delimiter', '"a,b"'],
    ['a quote', '"say ""hi"""'],
    ['a line feed', '"a\nb"'],
    ['a CRLF', '"a\r\nb"'],
    ['a carriage return', '"a\rb"'],
    ['quotes alone', '""""""'],
    ['spaces', ' a  '],
    ['quoted spaces', '" a "'],
    ['a quoted formula', '"=1+1"'],
    ['leading zeros', '00123'],
    ['what looks like a number', '1E5'],
    ['apostrophes', "'=1"],
    ['any characters', 'Ü„“–€😀 \u2028\u0085\u00a0'],
  ])('text with %s stays what was typed', async (_name, cell) => {
    const { inputs } = await read(`title,user_id\n${cell},x\n`, csv);
    const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    expect(inputs).toEqual([{ title: text, user_id: 'x' }]);
  });

  it('an empty cell is an absent field, quoted or not', async () => {
    const { inputs } = await read('title,user_id,amount\n,u1,\n"",u2,""\n', csv);
    expect(inputs).toEqual([{ user_id: 'u1' }, { user_id: 'u2' }]);
  });

  it('dot paths give nested fields, lists by number', async () => {
    const text = [
      'title,tasks.0.title,tasks.0.base_price,tasks.1.title,tasks.1.base_price,partner_options.extra_mile',
      'a,Count,450,Report,12.5,true',
      'b,,,,,',
      'c,,,Report,7,',
      'd,Count,,,,FALSE',
    ].join('\n');
    const { inputs } = await read(text, { ...csv, shape: KINDS.gig });
    expect(inputs).toEqual([
      {
        title: 'a',
        tasks: [
          { title: 'Count', base_price: 450 },
          { title: 'Report', base_price: 12.5 },
        ],
        partner_options: { extra_mile: true },
      },
      { title: 'b' },
      { title: 'c', tasks: [{}, { title: 'Report', base_price: 7 }] },
      { title: 'd', tasks: [{ title: 'Count' }], partner_options: { extra_mile: false } },
    ]);
  });

  it('object and list fields take JSON text', async () => {
    const text =
      'title,filter_query,tasks\na,"{""city"":{""$in"":[""Bonn""]}}","[{""title"":""x"",""base_price"":1}]"\n';
    const { inputs } = await read(text, { ...csv, shape: KINDS.gig });
    expect(inputs).toEqual([
      { title: 'a', filter_query: { city: { $in: ['Bonn'] } }, tasks: [{ title: 'x', base_price: 1 }] },
    ]);
  });

  it('findings of cells stand with their record, and do not stop the next', async () => {
    const { records, found } = await read('amount,title\n"1,5",a\n1.234,b\n9007199254740993,c\n7,d\n', csv);
    expect(found).toEqual(['2 bad-number amount', '3 ambiguous-number amount', '4 inexact-number amount']);
    expect(records.map(({ unreadable }) => [...(unreadable ?? [])])).toEqual([['amount'], ['amount'], ['amount'], []]);
    expect(records[3]?.input).toEqual({ amount: 7, title: 'd' });
  });

  it('keeps what was typed where it prints otherwise', async () => {
    const { records } = await read('amount,billing_date\n"1.200,00",01.11.2026\n5,2026-11-01\n', {
      ...csv,
      style: { decimal: 'comma', dateOrder: 'dmy' },
    });
    expect(records[0]?.input).toEqual({ amount: 1200, billing_date: '2026-11-01' });
    expect([...(records[0]?.typed ?? [])]).toEqual([
      ['amount', '1.200,00'],
      ['billing_date', '01.11.2026'],
    ]);
    expect(records[1]?.typed).toBeUndefined();
  });
});

describe('what is skipped', () => {
  it.each<[string, string]>([
    ['blank lines', `\n\n${HEADER}\n\n${ROW}\n\n\n`],
    ['lines of spaces', `  \n${HEADER}\n   \n${ROW}\n \t \n`],
    ['all-empty rows', `,,,\n${HEADER}\n,,,\n${ROW}\n,,,`],
    ['all-empty rows of any length', `${HEADER}\n,\n${ROW}\n,,,,,,,,\n`],
    ['rows of empty quotes', `${HEADER}\n"","","",""\n${ROW}\n""\n`],
    ['columns without a name and without content', `${HEADER},,\n${ROW},,\n`],
    ['a nameless column in front', `,${HEADER}\n,${ROW}\n`],
    ['a nameless column of spaces', `${HEADER},  \n${ROW},\n`],
  ])('%s', async (_name, text) => {
    const { inputs, found, fault } = await read(text, csv);
    expect(fault).toBeNull();
    expect(found).toEqual([]);
    expect(inputs).toEqual([GOOD]);
  });

  it.each(['', '\n', '\r\n\r\n', '   ', HEADER, `${HEADER}\n`, `${HEADER}\n\n,,,\n`, 'sep=;\n', '\ufeff'])(
    '%j has no records',
    async (text) => {
      const { records, fault } = await read(text, csv);
      expect(records).toEqual([]);
      expect(fault).toBeNull();
    },
  );
});

describe('the header', () => {
  it.each<[string, string]>([
    ['numbers', '1,2.5,-3'],
    ['a number in any writing', '1.234;56%;+7;1E5'],
    ['dates', '2026-11-01,01.11.2026,11/1/26'],
    ['a date and time', '2026-11-01T08:00:00Z,5'],
    ['numbers and blanks', '5,,7'],
    ['one number', '5'],
  ])('of nothing but %s is none', async (_name, header) => {
    const message = await expectFault(`\n${header}\nx,y,z\n`, 'header-like-data', 2);
    expect(message).toContain('--header-line');
  });

  it('with one real name is one', async () => {
    expect((await read('1,title\nx,y\n', { ...csv, ignore: ['1'] })).inputs).toEqual([{ title: 'y' }]);
  });

  it.each<[string, string, Change]>([
    ['a name twice', 'title,amount,title', {}],
    ['a name twice but for spaces', 'title,amount, title ', {}],
    ['an unknown name twice', 'note,note', {}],
    ['two names for one field', 'Titel,title', { map: { Titel: 'title' } }],
    ['a field and its member', 'cost_center_data,cost_center_data.inhouse', {}],
    ['a price twice', 'base_price,Preis,quantity', { map: { Preis: 'base_price' }, shape: KINDS.result }],
  ])('%s is a duplicate column', async (_name, header, change) => {
    await expectFault(`${header}\n`, 'duplicate-column', 1, change);
  });

  it('two columns that are dropped are no duplicates', async () => {
    const { inputs } = await read('note,title,note\na,b,c\n', { ...csv, ignore: ['note'] });
    expect(inputs).toEqual([{ title: 'b' }]);
  });

  it('stands on the line that is declared', async () => {
    const text = `Payroll;November\n"unfinished, ${HEADER}\n${HEADER}\n${ROW}\n`;
    const { inputs, records, detected } = await read(text, { ...csv, headerLine: 3 });
    expect(inputs).toEqual([GOOD]);
    expect(records[0]?.line).toBe(4);
    expect(detected).toBe('csv, utf-8, comma, header on line 3');
  });

  it('behind the end of the file is a fault', async () => {
    await expectFault(`${HEADER}\n${ROW}`, 'bad-csv', null, { headerLine: 9 });
  });

  it('tells its fields', async () => {
    const { facts } = await read('Betrag,note,title,,gigwork_error\n1,,x,,\n', {
      ...csv,
      map: { Betrag: 'amount' },
      ignore: ['note'],
    });
    expect(facts.fields).toEqual(['amount', 'title']);
    expect(facts.hasErrorColumn).toBe(true);
  });
});

describe('columns that are renamed, dropped or unknown', () => {
  it('--map renames, also into nested fields', async () => {
    const { inputs, found } = await read('Betrag,Intern\n5,Yes\n', {
      ...csv,
      map: { Betrag: 'amount', Intern: 'cost_center_data.inhouse' },
    });
    expect(found).toEqual([]);
    expect(inputs).toEqual([{ amount: 5, cost_center_data: { inhouse: 'Yes' } }]);
  });

  it('--ignore-column drops', async () => {
    const { inputs, found } = await read('note,amount\nx,5\n', { ...csv, ignore: ['note'] });
    expect(found).toEqual([]);
    expect(inputs).toEqual([{ amount: 5 }]);
  });

  it('unknown ones are errors of each record, with what was most likely meant', async () => {
    const { records, found } = await read('amuont,__proto__,cost_center_data.inhous\n5,{},Yes\n,x,\n', csv);
    expect(found).toEqual([
      ...['2 unknown-field amuont', '2 unknown-field __proto__', '2 unknown-field cost_center_data.inhous'],
      ...['3 unknown-field amuont', '3 unknown-field __proto__', '3 unknown-field cost_center_data.inhous'],
    ]);
    const findings = records[0]?.findings ?? [];
    expect(findings[0]?.message).toContain('Did you mean "amount"?');
    expect(findings[2]?.message).toContain('Did you mean "cost_center_data.inhouse"?');
    expect(records[0]?.input).toEqual({});
  });

  it('may be passed over', async () => {
    expect((await read('note,amount\nx,5\n', { ...csv, ignoreUnknown: true })).found).toEqual([]);
  });

  it('--set stands over what the file says, and its faults do not count', async () => {
    const { inputs, found } = await read('amount,cost_center_data.inhouse,title\n€ 5,x,a\n,,b\n', {
      ...csv,
      assignments: [
        { path: 'amount', text: '7' },
        { path: 'cost_center_data.inhouse', text: 'No' },
      ],
    });
    expect(found).toEqual([]);
    expect(inputs).toEqual([
      { amount: 7, cost_center_data: { inhouse: 'No' }, title: 'a' },
      { amount: 7, cost_center_data: { inhouse: 'No' }, title: 'b' },
    ]);
  });

  it('a --set that cannot be read is found in every record', async () => {
    const { found, records } = await read('title\na\nb\n', { ...csv, assignments: [{ path: 'amount', text: '1,5' }] });
    expect(found).toEqual(['2 bad-number amount', '3 bad-number amount']);
    expect([...(records[1]?.unreadable ?? [])]).toEqual(['amount']);
  });
});

describe('prices of results', () => {
  const result = { ...csv, shape: KINDS.result };

  it('are read from their own column, and never part of the record', async () => {
    const { records } = await read('gig_task_id,base_price\nt1,450\nt2,187.50\nt3,\nt4, \n', result);
    expect(records.map(({ price }) => price)).toEqual(['450', '187.5', undefined, undefined]);
    expect(records[0]?.input).toEqual({ gig_task_id: 't1' });
  });

  it('may be renamed', async () => {
    expect(
      (await read('gig_task_id,Preis\nt1,450\n', { ...result, map: { Preis: 'base_price' } })).records[0]?.price,
    ).toBe('450');
  });

  it('are checked like any number', async () => {
    const { found } = await read('gig_task_id,base_price\na,1.250\nb,"1,5"\nc,9007199254740993\n', result);
    expect(found).toEqual(['2 ambiguous-number base_price', '3 bad-number base_price', '4 inexact-number base_price']);
  });

  it('belong to no other record', async () => {
    expect((await read('amount,base_price\n1,2\n', csv)).found).toEqual(['2 unknown-field base_price']);
  });
});

describe('faults of rows, which no flag skips', () => {
  it('too few and too many cells', async () => {
    const { records, found, fault } = await read('a,title,amount\nx,y\n1,2,3,4\nx,y,5\n', { ...csv, ignore: ['a'] });
    expect(fault).toBeNull();
    expect(found).toEqual(['2 bad-csv null', '3 bad-csv null']);
    expect(records.map(({ input }) => input)).toEqual([null, null, { title: 'y', amount: 5 }]);
    expect(records[0]?.findings[0]).toMatchObject({ fault: true, value: 'x,y' });
    expect(records[0]?.findings[0]?.message).toContain('--pad-short-rows');
    expect(records[1]?.findings[0]?.message).not.toContain('--pad-short-rows');
  });

  it('--pad-short-rows reads short rows as ending in empty cells, long ones stay errors', async () => {
    const { inputs, found } = await read('title,user_id,amount\na\nb,u\nc,u,1,\n', { ...csv, padShortRows: true });
    expect(found).toEqual(['4 bad-csv null']);
    expect(inputs).toEqual([{ title: 'a' }, { title: 'b', user_id: 'u' }, null]);
  });

  it('content under a column without a name', async () => {
    const { found, records } = await read('title,,amount\na,x,1\nb,,2\nc, ,3\n', csv);
    expect(found).toEqual(['2 bad-csv null', '4 bad-csv null']);
    expect(records[0]?.findings[0]).toMatchObject({ fault: true, value: 'x' });
  });
});

describe('faults of quotes', () => {
  it.each<[string, string, number]>([
    ['a quote inside an unquoted cell', 'title,amount\na"b,1\n', 2],
    ['a doubled quote inside an unquoted cell', 'title,amount\na""b,1\n', 2],
    ['a quote after a space', 'title,amount\n "a",1\n', 2],
    ['text after a closing quote', 'title,amount\n"a"b,1\n', 2],
    ['a space after a closing quote', 'title,amount\n"a" ,1\n', 2],
    ['in a later row', 'title,amount\na,1\nb,2\n\nc"d,3\n', 5],
    ['after a cell with line breaks', 'title,amount,user_id\n"a\r\nb\nc",1,x"y\n', 4],
    ['text after a quote that closes further down', 'title,amount\n"a\n\nb"c,1\n', 4],
    ['in the header', 'ti"tle,amount\n', 1],
    ['an unclosed quote', 'title,amount\na,1\n"b,2\nc,3\n', 3],
    ['an unclosed quote after line breaks', 'title,amount\n"a\nb","c\n', 3],
    ['an unclosed quote at the very end', 'title,amount\na,1\nb,"', 3],
    ['a quote that a doubled one leaves open', 'title,amount\n"a"",1\n', 2],
  ])('%s', async (_name, text, line) => {
    for (const size of [1, 2, 1 << 16]) {
      const { fault } = await read(text, csv, size);
      expect(fault).toMatchObject({ code: 'bad-csv', line });
    }
  });

  it('records before the fault are read', async () => {
    for (const size of [1, 1 << 16]) {
      const { inputs, fault } = await read('title,amount\na,1\nb,2\nc"d,3\ne,4\n', csv, size);
      expect(fault?.line).toBe(4);
      expect(inputs).toEqual([
        { title: 'a', amount: 1 },
        { title: 'b', amount: 2 },
      ]);
    }
  });

  it('a quote that swallows the rest of a long file is found with bounded memory', async () => {
    const text = `title,amount\na,1\n"b,2\n${'row after row,5\n'.repeat(400_000)}`;
    const message = await expectFault(text, 'bad-csv', 3);
    expect(message).toContain('never closed');
  });
});

describe('apostrophes before formulas', () => {
  const cells = ["'=1+1", "''=1", "'-5", "'@x", "'+49", "'\t1", "'t Hooft", '-5', '=1', "'", '5'];

  it('are taken off in a file with a gigwork_error column, one of them', async () => {
    const text = `title,gigwork_error\n${cells.map((cell) => `${cell},"why, not"`).join('\n')}\n`;
    const { records, found } = await read(text, csv);
    expect(found).toEqual([]);
    expect(records.map(({ input }) => input?.['title'])).toEqual([
      ...['=1+1', "'=1", '-5', '@x', '+49', '\t1', "'t Hooft", '-5', '=1', "'", '5'],
    ]);
  });

  it('stay in any other file', async () => {
    const { records } = await read(`title,user_id\n${cells.map((cell) => `${cell},u`).join('\n')}\n`, csv);
    expect(records.map(({ input }) => input?.['title'])).toEqual(cells);
  });
});

it('the same records come out wherever the stream is cut', async () => {
  const text = [
    '\ufeffsep=;',
    'title;amount;"user_id";cost_center_data.inhouse;gigwork_error',
    '"Über\r\nzwei;Zeilen ""x""";1.5;u1;Yes;',
    ';;;;',
    '\'=1;1,5;😀;no;"a\nb"',
    '"a\rb";1.234;u;;',
    'short;row',
    'c;7;u3;No;x',
    '',
  ].join('\r\n');
  const whole = comparable(await read(text));
  for (const size of [1, 2, 3, 4, 7, 16]) expect(comparable(await read(text, {}, size))).toEqual(whole);
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.slice(1), 'utf16le')]);
  for (const size of [1, 2, 3, 5]) {
    const { facts: _facts, ...same } = comparable(await read(wide, {}, size)) as Record<string, unknown>;
    expect(whole).toMatchObject(same);
  }
});

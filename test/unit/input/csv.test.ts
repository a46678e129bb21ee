import { describe, expect, it } from 'vitest';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { comparable, read } from './reading.js';

const HEADER = 'user_id,amount,title,cost_center_key';
const GOOD = { user_id: 'u1', amount: 5, title: 'Bonus', cost_center_key: 'PP-7' };
const ROW = 'u1,5,Bonus,PP-7';
const csv = { format: 'csv' } as const;

describe('rows and cells', () => {
  it.each<[string, string]>([
    ['mixed line ends', `${HEADER}\r${ROW}\n\r\n`],
    ['a mark', `\ufeff${HEADER}\n${ROW}`],
    ['quotes around everything', '"user_id","amount","title","cost_center_key"\n"u1","5","Bonus","PP-7"\n'],
    ['spaces around names', ' user_id , amount ,title,cost_center_key\nu1,5,Bonus,PP-7\n'],
    ['another order', 'amount,title,cost_center_key,user_id\n5,Bonus,PP-7,u1\n'],
    ['a sep= line', `sep=;\r\n${HEADER.replaceAll(',', ';')}\r\n${ROW.replaceAll(',', ';')}\r\n`],
  ])('%s', async (_name, text) => {
    const { inputs, found, fault } = await read(text, csv);
    expect(fault).toBeNull();
    expect(found).toEqual([]);
    expect(inputs).toEqual([GOOD]);
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
    const { inputs } = await read(text, { ...csv, shape: RECORD_SCHEMAS.gig });
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
});

describe('what is skipped', () => {
  it.each<[string, string]>([
    ['blank lines', `\n\n${HEADER}\n\n${ROW}\n\n\n`],
    ['all-empty rows of any length', `${HEADER}\n,\n${ROW}\n,,,,,,,,\n`],
    ['rows of empty quotes', `${HEADER}\n"","","",""\n${ROW}\n""\n`],
    ['columns without a name and without content', `${HEADER},,\n${ROW},,\n`],
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

describe('prices of results', () => {
  const result = { ...csv, shape: RECORD_SCHEMAS.result };

  it('are read from their own column, like any field', async () => {
    const { inputs } = await read('gig_task_id,base_price\nt1,450\nt2,187.50\nt3,\n', result);
    expect(inputs).toMatchObject([{ base_price: 450 }, { base_price: 187.5 }, { gig_task_id: 't3' }]);
  });

  it('belong to no other record', async () => {
    expect((await read('amount,base_price\n1,2\n', csv)).found).toEqual(['2 unknown-field base_price']);
  });
});

describe('apostrophes before formulas', () => {
  const cells = ["'=1+1", "''=1", "'-5", "'@x", "'+49", "'\t1", "'t Hooft", '-5', '=1', "'", '5'];

  it('are taken off in a file with a gigwork_error column, one of them', async () => {
    const text = `title,gigwork_error\n${cells.map((cell) => `${cell},"why, not"`).join('\n')}\n`;
    const { records, found } = await read(text, csv);
    expect(found).toEqual([]);
    expect(records.map(({ input }) => input?.['title'])).toEqual([
      '=1+1',
      "'=1",
      '-5',
      '@x',
      '+49',
      '\t1',
      "'t Hooft",
      '-5',
      '=1',
      "'",
      '5',
    ]);
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
    expect(comparable(await read(wide, {}, size))).toEqual(whole);
  }
});

import { describe, expect, it } from 'vitest';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { type Change, read } from './reading.js';

const csv = { format: 'csv' } as const;

async function expectFault(text: string, code: string, line: number | null, change: Change = {}): Promise<string> {
  const { fault } = await read(text, { ...csv, ...change });
  expect(fault).toMatchObject({ code, line });
  return fault?.message ?? '';
}

const TITLE = { path: 'title', text: 'Bonus' };

describe('the header', () => {
  it.each<[string, string]>([
    ['numbers', '1,2.5,-3'],
    ['a number in any writing', '1.234;56%;+7;1E5'],
    ['dates', '2026-11-01,01.11.2026,11/1/26'],
    ['numbers and blanks', '5,,7'],
  ])('of nothing but %s is none', async (_name, header) => {
    const message = await expectFault(`\n${header}\nx,y,z\n`, 'header-like-data', 2);
    expect(message).toContain('--header-line');
  });

  it.each<[string, string, Change]>([
    ['a name twice', 'title,amount,title', {}],
    ['a name twice but for spaces', 'title,amount, title ', {}],
    ['two names for one field', 'Titel,title', { map: { Titel: 'title' } }],
    ['a field and its member', 'cost_center_data,cost_center_data.inhouse', {}],
    ['a price twice', 'base_price,Preis,quantity', { map: { Preis: 'base_price' }, shape: RECORD_SCHEMAS.result }],
  ])('%s is a duplicate column', async (_name, header, change) => {
    await expectFault(`${header}\n`, 'duplicate-column', 1, change);
  });

  it('tells its fields', async () => {
    const { facts } = await read('Betrag,note,title,,gigwork_error\n1,,x,,\n', {
      ...csv,
      map: { Betrag: 'amount' },
      ignore: ['note'],
    });
    expect(facts.fields).toEqual(['amount', 'title']);
  });
});

describe('columns that are renamed, dropped or unknown', () => {
  it('unknown ones are errors of each record, with what was most likely meant', async () => {
    const { records, found } = await read('amuont,__proto__,cost_center_data.inhous\n5,{},Yes\n,x,\n', csv);
    expect(found).toEqual([
      '2 unknown-field amuont',
      '2 unknown-field __proto__',
      '2 unknown-field cost_center_data.inhous',
      '3 unknown-field amuont',
      '3 unknown-field __proto__',
      '3 unknown-field cost_center_data.inhous',
    ]);
    const findings = records[0]?.findings ?? [];
    expect(findings[0]?.message).toContain('Did you mean "amount"?');
    expect(findings[2]?.message).toContain('Did you mean "cost_center_data.inhouse"?');
    expect(records[0]?.input).toEqual({});
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

  it.each([
    ['stands for its record where its columns are all there is', 'amount,title', {}, true],
    ['does not where --set stands over one of its cells', 'amount,title', { assignments: [TITLE] }, false],
    ['does not where --set gives a field that the file lacks', 'amount', { assignments: [TITLE] }, false],
    ['does not where a column is no field', 'amount,note', {}, false],
    ['does where that column is passed over', 'amount,note', { ignoreOthers: true }, true],
  ] as const)('a row of cells %s', async (_what, header, change, isWhole) => {
    const row = header.replace(/[^,]+/g, '5');
    const { records } = await read(`${header}\n${row}\n`, { ...csv, ...change });
    expect(records.map((record) => record.isWhole)).toEqual([isWhole]);
  });

  it('a --set that cannot be read is found in every record', async () => {
    const { found, records } = await read('title\na\nb\n', { ...csv, assignments: [{ path: 'amount', text: '1,5' }] });
    expect(found).toEqual(['2 bad-number amount', '3 bad-number amount']);
    expect([...(records[1]?.unreadable ?? [])]).toEqual(['amount']);
  });
});

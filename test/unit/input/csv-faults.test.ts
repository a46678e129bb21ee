import { describe, expect, it } from 'vitest';
import { read } from './reading.js';

const csv = { format: 'csv' } as const;

describe('faults of rows, which no flag skips', () => {
  it('too few and too many cells', async () => {
    const { records, found, fault } = await read('a,title,amount\nx,y\n1,2,3,4\nx,y,5\n', { ...csv, ignore: ['a'] });
    expect(fault).toBeNull();
    expect(found).toEqual(['2 bad-csv null', '3 bad-csv null']);
    expect(records.map(({ input }) => input)).toEqual([null, null, { title: 'y', amount: 5 }]);
    expect(records[0]?.findings[0]).toMatchObject({ fault: true, value: 'x,y' });
    expect(records[0]?.findings[0]?.message).toContain('--pad-short-rows');
  });

  it('--pad-short-rows reads what rows lack or have at their end as empty cells, but more content stays an error', async () => {
    const text = 'title,user_id,amount\na\nb,u\nc,u,1,,\nd,u,1,,x\ne,u,1, \n';
    const { inputs, found } = await read(text, { ...csv, padShortRows: true });
    expect(found).toEqual(['5 bad-csv null', '6 bad-csv null']);
    const padded = { title: 'b', user_id: 'u' };
    const cut = { title: 'c', user_id: 'u', amount: 1 };
    expect(inputs).toEqual([{ title: 'a' }, padded, cut, null, null]);
  });

  it('names the flag where the cells at the end are empty, and only there', async () => {
    const { records } = await read('title,amount\na,1,,\nb,1,x\n', csv);
    const [empty, filled] = records.map(({ findings }) => findings[0]?.message);
    expect(empty).toContain('remove the 2 trailing commas, or add --pad-short-rows');
    expect(filled).not.toContain('--pad-short-rows');
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
    ['text after a closing quote', 'title,amount\n"a"b,1\n', 2],
    ['after a cell with line breaks', 'title,amount,user_id\n"a\r\nb\nc",1,x"y\n', 4],
    ['text after a quote that closes further down', 'title,amount\n"a\n\nb"c,1\n', 4],
    ['in the header', 'ti"tle,amount\n', 1],
    ['an unclosed quote', 'title,amount\na,1\n"b,2\nc,3\n', 3],
    ['an unclosed quote after line breaks', 'title,amount\n"a\nb","c\n', 3],
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
    const { fault } = await read(text, csv);
    expect(fault).toMatchObject({ code: 'bad-csv', line: 3 });
    expect(fault?.message).toContain('never closed');
  });
});

describe('a formula that keeps a text, ="0045"', () => {
  it('is read in an ID, where the check says what it means, and in a column that is not read', async () => {
    for (const size of [1, 3, 1 << 16]) {
      const text = 'user_id,amount,x,title\n="0045",1,="a",A\nu2,2,="b","=""c"""\n';
      const { inputs, fault } = await read(text, { ...csv, ignore: ['x'] }, size);
      expect(fault).toBeNull();
      expect(inputs).toEqual([
        { user_id: '="0045"', amount: 1, title: 'A' },
        { user_id: 'u2', amount: 2, title: '="c"' },
      ]);
    }
  });

  it.each<[string, string, string]>([
    [
      'in a text',
      'title,amount\na,1\n="01.11.2026",1\n',
      'cell 1 is a formula, and means 01.11.2026. Write 01.11.2026',
    ],
    ['in an amount', 'title,amount\na,1\na,="12.50"\n', 'cell 2 is a formula, and means 12.50'],
    ['that goes on behind its text', 'user_id,amount\na,1\n="00"7,1\n', 'a quote stands within the unquoted cell 1'],
    ['with the delimiter in it', 'user_id,amount\na,1\n="0,7",1\n', 'a quote stands within the unquoted cell 2'],
    ['with a third quote', 'user_id,amount\na,1\n="0""7",1\n', 'a quote stands within the unquoted cell 1'],
  ])('is a fault %s', async (_what, text, words) => {
    const { inputs, fault } = await read(text, csv);
    expect(inputs).toHaveLength(1);
    expect(fault).toMatchObject({ code: 'bad-csv', line: 3 });
    expect(fault?.message).toContain(words);
  });

  it('is a fault in the header', async () => {
    const { fault } = await read('="title",amount\na,1\n', csv);
    expect(fault).toMatchObject({ code: 'bad-csv', line: 1 });
  });
});

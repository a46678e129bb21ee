import { describe, expect, it } from 'vitest';
import { delimiterName, delimiterNamed, readDialect } from '../../../src/input/csv-dialect.js';
import { FileFault } from '../../../src/input/raw.js';

describe('the delimiter', () => {
  it.each<[string, string]>([
    ['a,b,c\n1,2,3', ','],
    ['a;b;c\n1,5;2;3', ';'],
    ['a\tb\tc\n', '\t'],
    ['a|b|c\n', '|'],
    ['a;b,x;c\n', ';'],
    ['"a,b,c";d;e\n', ';'],
    ['"a;b;c;d",e,f\n', ','],
    ['"a""b;c",d\n', ','],
    ['"a\nb;c;d",e\n1;2;3', ','],
    ['amount\n1,5', ','],
    ['\n\r\n  \n\na;b\n', ';'],
    ['\ta\tb\n', '\t'],
    [';;;\na;b;c;d\n', ';'],
    ['a;b\r1,2,3,4', ';'],
    ['a;b\r\n1,2,3,4', ';'],
  ])('of %j is %j', (text, delimiter) => {
    expect(readDialect(text, null, null)).toEqual({ delimiter, preamble: '', headerLine: 1 });
  });

  it('that is declared is not looked for', () => {
    expect(readDialect('a;b;c\n', ',', null).delimiter).toBe(',');
  });

  it('is looked for in any amount of text', () => {
    expect(readDialect(`"${'a;'.repeat(200_000)}`, null, null).delimiter).toBe(';');
    expect(readDialect('""'.repeat(150_000), null, null).delimiter).toBe(',');
    expect(readDialect(' '.repeat(300_000), null, null).delimiter).toBe(',');
    expect(readDialect(`${'\n'.repeat(300_000)}a|b`, null, null).delimiter).toBe('|');
  });

  it.each<[string, string]>([
    [',', ','],
    [';', ';'],
    ['|', '|'],
    ['\t', '\t'],
    ['\\t', '\t'],
    ['tab', '\t'],
    ['TAB', '\t'],
    ['semicolon', ';'],
    ['comma', ','],
    ['pipe', '|'],
  ])('is named by %j', (text, delimiter) => {
    expect(delimiterNamed(text)).toBe(delimiter);
  });

  it.each(['', ':', ';;', 'x', 'semi'])('is not named by %j', (text) => {
    expect(() => delimiterNamed(text)).toThrow(/, ; \| and tab/);
  });

  it('has a name for people', () => {
    expect([',', ';', '\t', '|'].map(delimiterName)).toEqual(['comma', 'semicolon', 'tab', 'pipe']);
  });
});

describe('Excel’s sep= line', () => {
  it.each<[string, string, string]>([
    ['sep=;\na,b,c,d;e', ';', 'sep=;\n'],
    ['sep=,\r\na;b;c', ',', 'sep=,\r\n'],
    ['SEP=|\ra;b;c', '|', 'SEP=|\r'],
    ['sep=\t\na;b', '\t', 'sep=\t\n'],
  ])('%j', (text, delimiter, preamble) => {
    expect(readDialect(text, null, null)).toEqual({ delimiter, preamble, headerLine: 2 });
  });

  it('is above a header line that is declared', () => {
    expect(readDialect('sep=;\nTitle\na;b', null, 3)).toEqual({
      delimiter: ';',
      preamble: 'sep=;\nTitle\n',
      headerLine: 3,
    });
  });

  it.each(['x', ' ', '.', '1', '^'])('that names %j is a fault, unless a delimiter is declared', (found) => {
    const text = `sep=${found}\na,b`;
    expect(() => readDialect(text, null, null)).toThrow(
      expect.objectContaining({
        name: 'FileFault',
        code: 'bad-csv',
        line: 1,
        message: expect.stringContaining(`"${found}"`),
      }),
    );
    expect(readDialect(text, ',', null)).toMatchObject({ delimiter: ',', headerLine: 2 });
  });

  it('gives way to a declared delimiter', () => {
    expect(readDialect('sep=;\na,b', ',', null)).toMatchObject({ delimiter: ',', headerLine: 2 });
  });

  it.each(['sep=\na', 'sep=;;\na', 'sep\na', ' sep=;\na', 'sep="\na'])('is not %j', (text) => {
    expect(readDialect(text, null, null)).toMatchObject({ preamble: '', headerLine: 1 });
  });
});

describe('the header line', () => {
  it.each<[string, number, string, string]>([
    ['a;b', 1, '', ';'],
    ['Payroll, November\n\na;b', 3, 'Payroll, November\n\n', ';'],
    ['one\r\ntwo\rthree\na|b', 4, 'one\r\ntwo\rthree\n', '|'],
  ])('of %j is %d', (text, line, preamble, delimiter) => {
    expect(readDialect(text, null, line)).toEqual({ delimiter, preamble, headerLine: line });
  });

  it('behind the end of the file is a fault', () => {
    expect(() => readDialect('a\nb', null, 3)).toThrow(FileFault);
    expect(() => readDialect('a\nb', null, 3)).toThrow(/line 3/);
  });

  it('of nothing is no fault: an empty file has no records', () => {
    for (const text of ['', '\n', ' \r\n']) expect(() => readDialect(text, null, 5)).not.toThrow();
  });
});

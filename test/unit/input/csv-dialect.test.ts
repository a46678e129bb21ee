import { describe, expect, it } from 'vitest';
import { detectDelimiter } from '../../../src/input/detect-delimiter.js';
import { readDialect } from '../../../src/input/csv-layout.js';
import { delimiterName, delimiterNamed } from '../../../src/input/delimiters.js';
import { FileFault } from '../../../src/input/raw-record.js';

describe('the delimiter', () => {
  it.each<[string, string, string | null]>([
    ['the only one in the header', 'a;b\n1,5;2\n', ';'],
    ['the one that cuts the header into more columns', 'a;b,x;c\n', ';'],
    ['the one under which the rows fit, not the one with more columns', 'a, b, c, d;e\n1;2\n3;4\n', ';'],
    ['with quotes around the others', '"a;b;c";d,e\n"1;2",3\n', ','],
    ['where a cell has a line break', 'a;b;c, d, e\n1;"x\ny, z";3\n', ';'],
    ['where blank rows and blank tails follow', 'a,b,c;d\n1;2\n\n;\n;;;\n', ';'],
    ['the first by preference where rows fit both', 'a;b,c\n1;2,3\n', ';'],
    ['the one with more columns where rows fit neither', 'a,b,c;d\n1\n', ','],
    ['none in one column', 'amount\n10\n', null],
    ['not one under which a quote stands within a cell', 'a;b,c\n"1;2",3\n', ','],
    ['the one under which most rows fit, where one is ragged', 'a;b;c, d, e\n1;2,5;3\n1;2\n1;2,7;x, y\n', ';'],
    ['not one with more columns under which fewer rows fit', 'a,b,c;d\n1,2,3\n4;5\n6;7\n', ';'],
    ['the one under which most rows do, where fewer than half fit any', 'a,b,c;d\n1;2\n3\n4\n5\n', ';'],
    ['none that the dashes of a frame show', '-----\n|a|b;c|\n|-|---|\n|1|2;3|\n', '|'],
    ['told by a last row without a line end', 'a,b,c;d\n1;2', ';'],
    ['where the sample ends within a quote', `a,b,c;d\n1;"${'x'.repeat(70_000)}`, ','],
  ])('is %s', (_name, text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter);
  });

  it('is looked for in any amount of text', () => {
    expect(readDialect(`"${'a;'.repeat(200_000)}`, null, null).delimiter).toBe(';');
    expect(readDialect('""'.repeat(150_000), null, null).delimiter).toBe(',');
    expect(readDialect(' '.repeat(300_000), null, null).delimiter).toBe(',');
    expect(readDialect(`${'\n'.repeat(300_000)}a|b`, null, null).delimiter).toBe('|');
  });

  it('is named by itself or by its name, and has a name for people', () => {
    expect([',', ';', '|', '\t', '\\t', 'TAB', 'semicolon'].map((text) => delimiterNamed('--delimiter', text))).toEqual(
      [',', ';', '|', '\t', '\t', '\t', ';'],
    );
    for (const text of ['', ':', ';;', 'x', 'semi'])
      expect(() => delimiterNamed('--delimiter', text)).toThrow(/, ; \| and tab/);
    expect([',', ';', '\t', '|'].map(delimiterName)).toEqual(['comma', 'semicolon', 'tab', 'pipe']);
  });
});

describe('Excel’s sep= line', () => {
  it.each<[string, string, string]>([
    ['sep=;\na,b,c,d;e', ';', 'sep=;\n'],
    ['sep=,\r\na;b;c', ',', 'sep=,\r\n'],
    ['SEP=|\ra;b;c', '|', 'SEP=|\r'],
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

  it.each(['sep=\na', 'sep=;;\na', 'sep\na', ' sep=;\na', 'sep="\na'])('is not %j', (text) => {
    expect(readDialect(text, null, null)).toMatchObject({ preamble: '', headerLine: 1 });
  });
});

describe('the header line', () => {
  it.each<[string, number, string, string]>([
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

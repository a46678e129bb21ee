import { describe, expect, it } from 'vitest';
import { detectDelimiter } from '../../../src/input/csv-dialect.js';

describe('the delimiter of a file', () => {
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
    ['none in nothing', '', null],
    ['a pipe, which is nothing special', 'a|b,c,d\n1|2\n', '|'],
    ['not one under which a quote stands within a cell', 'a;b,c\n"1;2",3\n', ','],
    ['told by a last row without a line end', 'a,b,c;d\n1;2', ';'],
    ['a tab', 'a\tb, c, d\n1\t2\n', '\t'],
    ['where the sample ends within a quote', `a,b,c;d\n1;"${'x'.repeat(70_000)}`, ','],
  ])('is %s', (_name, text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter);
  });
});

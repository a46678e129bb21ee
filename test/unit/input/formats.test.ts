import { describe, expect, it } from 'vitest';
import { type Format, formatByContent, formatByName } from '../../../src/input/formats.js';

describe('formats', () => {
  it.each<[string, Format | null]>([
    ['payouts.CSV', 'csv'],
    ['payouts.tsv', 'csv'],
    ['payouts.jsonl', 'ndjson'],
    ['a.json/payouts.csv', 'csv'],
    ['payouts.txt', null],
    ['C:\\a.json\\payouts', null],
  ])('%s is %s by its name', (path, format) => {
    expect(formatByName(path)).toBe(format);
  });

  it.each<[string, Format]>([
    ['[{"a":1}]', 'json'],
    ['\n [', 'json'],
    ['{"a":1}\n{"a":2}\n', 'ndjson'],
    ['{"a":1}\r{"a":2}', 'ndjson'],
    ['{"a":1}', 'ndjson'],
    ['{\n"a":1}', 'json'],
    ['a,b\n1,2', 'csv'],
    ['', 'csv'],
  ])('%j is %s by its content', (head, format) => {
    expect(formatByContent(head)).toBe(format);
  });
});

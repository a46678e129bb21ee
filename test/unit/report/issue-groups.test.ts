import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/records/issue.js';
import { IssueGroups } from '../../../src/report/issue-groups.js';

function issue(line: number | null, change: Partial<Issue> = {}): Issue {
  return {
    severity: 'error',
    code: 'missing-field',
    field: 'title',
    message: 'title is missing',
    value: null,
    file: 'pay.csv',
    record: 1,
    line,
    ...change,
  };
}

function texts(...issues: Issue[]): string[] {
  const groups = new IssueGroups();
  for (const each of issues) groups.add(each);
  const lines = groups.take().map(({ text }) => text);
  expect(groups.take()).toEqual([]);
  return lines;
}

const bad = (line: number): Issue =>
  issue(line, { code: 'bad-number', field: 'amount', message: `"x${line}" is no number`, value: `x${line}` });
const open = issue(null, { severity: 'warning', code: 'open-unknown', field: null, record: null, value: '9cd4' });
const REST = 'Add --json to see every issue of every record';

describe('issues for people', () => {
  it.each<[string, Issue[], string[]]>([
    [
      'that say the same are one line with their places',
      Array.from({ length: 37 }, (_, i) => issue(4 + 5 * i)),
      [
        'error: 37 records: title is missing (pay.csv, lines 4, 9, 14, 19, 24, 29, 34, 39, 44, 49, …) [missing-field]',
        REST,
      ],
    ],
    [
      'that say different things are shown',
      [2, 3].map(bad),
      [2, 3].map((n) => `error: pay.csv, line ${n}: "x${n}" is no number [bad-number]`),
    ],
    [
      'that say many different things are shown, the first few',
      [2, 3, 4, 5].map(bad),
      [
        'error: 4 records: amount [bad-number] (pay.csv, lines 2 to 5), such as',
        ...[2, 3, 4].map((n) => `    pay.csv, line ${n}: "x${n}" is no number`),
        REST,
      ],
    ],
    [
      'are in the order of the file, also those that were found late',
      [5, 9, 3, 2, 4].map(bad),
      [
        'error: 5 records: amount [bad-number] (pay.csv, lines 2 to 5, 9), such as',
        ...[2, 3, 4].map((n) => `    pay.csv, line ${n}: "x${n}" is no number`),
        REST,
      ],
    ],
    [
      'are kinds in the order of their first lines, and those of earlier records last',
      [open, { ...bad(7), severity: 'warning' }, { ...issue(3), severity: 'warning' }],
      [
        'warning: pay.csv, line 3: title is missing [missing-field]',
        'warning: pay.csv, line 7: "x7" is no number [bad-number]',
        'warning: pay.csv: title is missing ("9cd4") [open-unknown]',
      ],
    ],
    [
      'name the first places, however late they were found',
      Array.from({ length: 12 }, (_, i) => issue(40 - 3 * i)),
      [
        'error: 12 records: title is missing (pay.csv, lines 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, …) [missing-field]',
        REST,
      ],
    ],
    [
      'show the value that their message does not',
      [issue(2, { value: 'EURO' })],
      ['error: pay.csv, line 2: title is missing ("EURO") [missing-field]'],
    ],
    [
      'name the row of a spreadsheet where it is another number',
      [issue(9, { row: 7 })],
      ['error: pay.csv, line 9 (row 7 in a spreadsheet): title is missing [missing-field]'],
    ],
    [
      'name the record where there is no line',
      [issue(null, { record: 12 }), issue(null, { record: 14 })],
      ['error: 2 records: title is missing (pay.csv, records 12, 14) [missing-field]'],
    ],
    [
      'of earlier records name their file and key, and no place in the input',
      [open],
      ['warning: pay.csv: title is missing ("9cd4") [open-unknown]'],
    ],
    [
      'of two files stand apart',
      [issue(2), issue(2, { file: 'more.csv' })],
      ['pay', 'more'].map((file) => `error: ${file}.csv, line 2: title is missing [missing-field]`),
    ],
  ])('%s', (_name, issues, lines) => {
    expect(texts(...issues)).toEqual(lines);
  });

  it('come in the order of their weight: faults of the file, errors, warnings', () => {
    const fault = issue(4, { code: 'bad-csv', fault: true });
    const lines = texts(issue(2, { severity: 'warning', code: 'distant-date' }), issue(3), fault);
    expect(lines.map((text) => /\[(.*)\]$/.exec(text)?.[1])).toEqual(['bad-csv', 'missing-field', 'distant-date']);
  });

  it('of too many kinds are counted', () => {
    const lines = texts(...Array.from({ length: 50 }, (_, i) => issue(2, { field: `f${i}` })));
    expect(lines.slice(40)).toEqual(['… and 10 more kinds of problems', REST]);
  });

  it('show no control characters', () => {
    const [line] = texts(issue(2, { message: 'a\u001b[2Jb', value: '\u202e', file: '\r.csv' }));
    expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

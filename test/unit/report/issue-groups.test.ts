import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/records/issue.js';
import { startIssueGroups } from '../../../src/report/issue-groups.js';

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
  const groups = startIssueGroups();
  issues.forEach(groups.add);
  const lines = groups.take().map(({ text }) => text);
  expect(groups.take()).toEqual([]);
  return lines;
}

describe('issues for people', () => {
  it('that say the same are one line with their places', () => {
    const many = Array.from({ length: 37 }, (_, i) => issue(4 + 5 * i));
    expect(texts(...many)).toEqual([
      'error: 37 records: title is missing (pay.csv, lines 4, 9, 14, 19, 24, 29, 34, 39, 44, 49, …) [missing-field]',
      'Every record with what is wrong with it: in the file that --rejects FILE names, and in --json',
    ]);
  });

  it('that say different things are shown, the first few', () => {
    const bad = (line: number): Issue =>
      issue(line, { code: 'bad-number', field: 'amount', message: `"x${line}" is no number`, value: `x${line}` });
    expect(texts(bad(2), bad(3))).toEqual([
      'error: pay.csv, line 2: "x2" is no number [bad-number]',
      'error: pay.csv, line 3: "x3" is no number [bad-number]',
    ]);
    expect(texts(...[2, 3, 4, 5].map(bad))).toEqual([
      'error: 4 records: amount [bad-number] (pay.csv, lines 2, 3, 4, 5), such as',
      '    pay.csv, line 2: "x2" is no number',
      '    pay.csv, line 3: "x3" is no number',
      '    pay.csv, line 4: "x4" is no number',
      'Every record with what is wrong with it: in the file that --rejects FILE names, and in --json',
    ]);
  });

  it('show the value that their message does not', () => {
    expect(texts(issue(2, { value: 'EURO' }))).toEqual([
      'error: pay.csv, line 2: title is missing; found "EURO" [missing-field]',
    ]);
  });

  it('name the row of a spreadsheet where it is another number, and the record where there is no line', () => {
    expect(texts(issue(9, { row: 7 }))).toEqual([
      'error: pay.csv, line 9 (row 7 in a spreadsheet): title is missing [missing-field]',
    ]);
    expect(texts(issue(7, { row: 7 }))).toEqual(['error: pay.csv, line 7: title is missing [missing-field]']);
    expect(texts(issue(null, { record: 12 }))).toEqual(['error: pay.csv, record 12: title is missing [missing-field]']);
    expect(texts(issue(null, { record: null }))).toEqual(['error: pay.csv: title is missing [missing-field]']);
    expect(texts(issue(null, { record: 12 }), issue(null, { record: 14 }))).toEqual([
      'error: 2 records: title is missing (pay.csv, records 12, 14) [missing-field]',
    ]);
  });

  it('that say the same name the rows of a spreadsheet beside their lines', () => {
    expect(texts(issue(3), issue(9, { row: 7 }))).toEqual([
      'error: 2 records: title is missing (pay.csv, lines 3, 9; in a spreadsheet rows 3, 7) [missing-field]',
    ]);
  });

  it('of earlier records name their file and key, and no place in the input', () => {
    const open = (n: number): Issue =>
      issue(null, {
        severity: 'warning',
        code: 'open-unknown',
        field: null,
        record: null,
        message: `the outcome of record ${n} is unknown`,
        value: `9cd4-${n}`,
      });
    expect(texts(open(1))).toEqual([
      'warning: pay.csv: the outcome of record 1 is unknown; key "9cd4-1" [open-unknown]',
    ]);
    expect(texts(...[1, 2, 3, 4].map(open)).slice(0, 2)).toEqual([
      'warning: 4 records [open-unknown] (pay.csv), such as',
      '    pay.csv: the outcome of record 1 is unknown; key "9cd4-1"',
    ]);
  });

  it('come in the order of their weight: faults of the file, errors, warnings', () => {
    const groups = startIssueGroups();
    groups.add(issue(2, { severity: 'warning', code: 'distant-date' }));
    groups.add(issue(3));
    groups.add(issue(4, { code: 'bad-csv', fault: true }));
    expect(groups.take().map(({ severity, text }) => [severity, text.slice(-15)])).toEqual([
      ['error', 'missing [bad-csv]'.slice(-15)],
      ['error', '[missing-field]'],
      ['warning', 'ng [distant-date]'.slice(-15)],
    ]);
  });

  it('that repeat earlier records are in no rejects file', () => {
    for (const code of ['created-before', 'open-before', 'not-rejected', 'similar-record'] as const) {
      const repeats = Array.from({ length: 4 }, (_, i) => issue(i + 2, { code, message: `run ${i}` }));
      expect(texts(...repeats).at(-1)).toMatch(/^Every record with what is said of it: .*--json$/);
    }
  });

  it('that people are told in one sentence of their own are not shown', () => {
    const summed = issue(2, { severity: 'warning', code: 'similar-record', summed: true });
    expect(texts(summed, issue(3))).toEqual(['error: pay.csv, line 3: title is missing [missing-field]']);
  });

  it('of two files stand apart', () => {
    expect(texts(issue(2), issue(2, { file: 'more.csv' }))).toHaveLength(2);
  });

  it('of too many kinds are counted', () => {
    const kinds = Array.from({ length: 50 }, (_, i) => issue(2, { field: `f${i}` }));
    const lines = texts(...kinds);
    expect(lines.at(-2)).toBe('… and 10 further kinds of issues');
    expect(lines).toHaveLength(42);
  });

  it('show no control characters', () => {
    expect(texts(issue(2, { message: 'a\u001b[2Jb', value: '\u202e', file: '\r.csv' })).join('')).not.toMatch(
      /[\u0000-\u001f\u202e]/,
    );
  });
});

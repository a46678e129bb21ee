import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/records/issue.js';
import { IssueGroups } from '../../../src/report/issue-groups.js';
import { WarningsAgain } from '../../../src/report/warnings-again.js';

function issue(change: Partial<Issue>): Issue {
  const line = change.line ?? 2;
  const place = { file: 'pay.csv', record: 1, line, field: null, value: null };
  return { severity: 'warning', code: 'sub-cent', message: 'a doubt', ...place, ...change };
}

/** The lines at the question, after these warnings were told together. */
function again(told: readonly (readonly Partial<Issue>[])[], width = 80): string[] {
  const warnings = new WarningsAgain();
  const groups = new IssueGroups();
  for (const issues of told) {
    for (const each of issues) groups.add(issue(each));
    warnings.keep(groups.take());
  }
  const count = told.flat().filter(({ severity }) => severity !== 'error').length;
  return warnings.lines(count, width);
}

describe('warnings at the question', () => {
  it('are none without any', () => {
    expect(again([[{ severity: 'error' }]])).toEqual([]);
  });

  it('have their place and their words, and one line for many of a kind', () => {
    const many = [4, 5, 6, 9].map((line) => ({ line, message: 'another doubt', code: 'no-currency' }) as const);
    expect(again([[{ line: 3, value: 'x' }], many])).toEqual([
      '5 warnings:',
      '- 4 records (pay.csv, lines 4 to 6, 9): another doubt',
      '- pay.csv, line 3: a doubt ("x")',
    ]);
  });

  it('begin with those that may be a wrong payment, and are three at most, with two lines each', () => {
    const codes = ['sub-cent', 'seats-order', 'identical-rows', 'open-unknown', 'placeholder'] as const;
    const long = 'word '.repeat(60).trim();
    const lines = again(
      codes.map((code) => [{ code, message: `${code} ${long}` }]),
      80,
    );
    expect(lines.map((line) => line.slice(0, 34))).toEqual(
      [
        '5 warnings; the most important:',
        '- pay.csv, line 2: open-unknown wor',
        expect.stringMatching(/^ {4}word/),
        '- pay.csv, line 2: identical-rows w',
        expect.stringMatching(/^ {4}word/),
        '- pay.csv, line 2: placeholder word',
        expect.stringMatching(/^ {4}word/),
      ].map((line) => (typeof line === 'string' ? line.slice(0, 34) : line)),
    );
    for (const line of lines.slice(2).filter((_, i) => i % 2 === 0)) expect(line).toMatch(/…$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});

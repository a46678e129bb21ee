import { describe, expect, test } from 'vitest';
import { shellQuote } from '../../../src/util/shell-quote.js';

describe('a word of a command, as a shell takes it', () => {
  test.each([
    ['payroll.csv', 'payroll.csv'],
    ['EUR=19707.09', 'EUR=19707.09'],
    ['my payroll.csv', "'my payroll.csv'"],
    ["it's", "'it'\\''s'"],
    ['C:\\pay', "'C:\\pay'"],
    ['$HOME', "'$HOME'"],
    ['#Nr=amount', "'#Nr=amount'"],
    ['=Betrag', "'=Betrag'"],
    ['', "''"],
  ])('%j on Linux and macOS', (word, written) => {
    expect([shellQuote(word, 'linux'), shellQuote(word, 'darwin')]).toEqual([written, written]);
  });

  test.each([
    ['payroll.csv', 'payroll.csv'],
    ['C:\\pay\\state', 'C:\\pay\\state'],
    ['my payroll.csv', '"my payroll.csv"'],
    ["it's", '"it\'s"'],
    // PowerShell makes a list of it.
    ['user_id,title', '"user_id,title"'],
    ['C:\\my pay\\', '"C:\\my pay\\\\"'],
    ['say "so"', '"say \\"so\\""'],
    ['a\\"b', '"a\\\\\\"b"'],
    ['', '""'],
  ])('%j on Windows', (word, written) => {
    expect(shellQuote(word, 'win32')).toBe(written);
  });
});

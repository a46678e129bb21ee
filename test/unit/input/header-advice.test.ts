import { describe, expect, it } from 'vitest';
import { readDialect } from '../../../src/input/csv-layout.js';
import { headerAdvice, isLikeData } from '../../../src/input/header-place.js';
import { read, readOptions } from './reading.js';

/** The line that is said to have the column names, or null. */
function search(text: string, map: Record<string, string> = {}): number | null {
  const dialect = readDialect(text, null, null);
  const [first = ''] = text.split('\n');
  const cells = first.split(dialect.delimiter);
  const advice = headerAdvice(cells, { ...dialect, head: text }, readOptions({ map })) ?? '';
  const [, line] = /--header-line (\d+)/.exec(advice) ?? [];
  return line === undefined ? null : Number(line);
}

describe('a cell that no column name is', () => {
  it.each(['5', '1.234,56', '-5', '05.12.25', '01-Jul-10', '2026-11-01T08:00', '£5', '1.200,00 EUR', '-$5'])(
    '%j',
    (cell) => {
      expect(isLikeData(cell)).toBe(true);
    },
  );

  it.each(['', 'Betrag', 'Amount (EUR)', 'Q1', 'EUR', 'May', '#1', 'Jul-10'])('but %j', (cell) => {
    expect(isLikeData(cell)).toBe(false);
  });
});

describe('a title with quotes that CSV does not allow', () => {
  const TITLE = 'Konto;="DE1";;\nStand;="01.11.2026";;\n';

  it('is no header, and the fault says on which line the column names are', async () => {
    const { fault } = await read(`${TITLE}user_id;amount;title;currency\nu1;5;a;EUR\n`, { format: 'csv' });
    expect(fault).toMatchObject({ code: 'header-like-data', line: 1 });
    expect(fault?.message).toContain('add --header-line 3');
  });

  it('is no fault above the header', async () => {
    const text = `${TITLE}user_id;amount;title;currency\nu1;5;a;EUR\n`;
    const { fault, inputs } = await read(text, { format: 'csv', headerLine: 3 });
    expect(fault).toBeNull();
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'a', currency: 'EUR' }]);
  });
});

describe('a better line for the column names', () => {
  it.each<[string, string, number | null]>([
    ['below a title', 'Payroll November\nuser_id;amount;title\nu1;5;a\n', 2],
    ['with names that are usual', 'Umsätze\nKonto:;DE1\n\nBuchungstag;Empfänger;Betrag (EUR)\n1;2;3\n', 4],
    ['in quotes', '"Report"\n"user_id","amount","a, b"\n1,2,3\n', 2],
    ['and with most of them', 'Report;Name\nDate;Name\nuser_id;amount;title\n1;2;3\n', 3],
    ['is none where the first line names as many', 'user_id;amount\n1;2\ntitle;description\n', null],
    ['is none that has data in it', 'Report\nAmount;Date;5\n', null],
    ['is none with one name', 'Report\nAmount;x;y\n', null],
    ['is none far below', `Report\n${'\n'.repeat(70)}user_id;amount;title\n`, null],
    ['is none where quotes are wrong', 'Report\n"user_id;amount;title\n', null],
  ])('%s', (_name, text, line) => {
    expect(search(text)).toBe(line);
  });

  it('has names that are mapped', () => {
    const text = 'Report\nWer;Wieviel;Wofür\nu1;5;a\n';
    expect(search(text)).toBeNull();
    expect(search(text, { Wer: 'user_id', Wieviel: 'amount' })).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { isNumbered } from '../../../src/input/column-places.js';
import { type Change, read } from './reading.js';

const MAP = { '#1': 'user_id', '#2': 'amount', '#3': 'title', '#4': 'cost_center_key' };
const none: Change = { format: 'csv', headerLine: 0, map: MAP };
const U1 = { user_id: 'u1', amount: 5, title: 'Bonus', cost_center_key: 'PP' };
const U2 = { user_id: 'u2', amount: 6, title: 'Bonus', cost_center_key: 'PP' };

const found = (records: readonly { findings: readonly { code: string; message: string }[] }[]): string[] =>
  records.flatMap(({ findings }) => findings.map(({ code, message }) => `${code}: ${message}`));

describe('a file without column names', () => {
  it.each<[string, string, number[]]>([
    ['as it stands', 'u1;5;Bonus;PP\nu2;6;Bonus;PP\n', [1, 2]],
    ['below blank lines', '\n;;;\nu1;5;Bonus;PP\n\nu2;6;Bonus;PP\n', [3, 5]],
    ['below a sep= line', 'sep=;\r\nu1;5;Bonus;PP\r\nu2;6;Bonus;PP\r\n', [2, 3]],
  ])('%s', async (_name, text, lines) => {
    const { inputs, records, detected } = await read(text, none);
    expect(inputs).toEqual([U1, U2]);
    expect(records.map(({ line }) => line)).toEqual(lines);
    expect(records.map(({ record }) => record)).toEqual([1, 2]);
    expect(detected).toBe('csv, utf-8, semicolon, no header line');
  });

  it('has no columns but those that hold something', async () => {
    const { inputs, records } = await read('u1;5;Bonus;PP;;\nu2;6;Bonus;PP;;x\n', none);
    expect(inputs).toEqual([U1, U2]);
    expect(found(records)).toEqual([
      "unknown-field: The column #6 is not mapped to a field. Map it with --map '#6=FIELD', or ignore it with --ignore-column '#6'",
    ]);
  });
});

describe('the numbers of columns as a header', () => {
  const REJECTS = '#1;#2;#3;#4;gigwork_key;gigwork_error\nu1;5;Bonus;PP;k1;wrong\n';

  it.each<[string, Change]>([
    ['is one where none was expected', none],
    ['is one like any other', { format: 'csv', map: MAP }],
  ])('%s', async (_name, change) => {
    const { inputs, records } = await read(REJECTS, change);
    expect(inputs).toEqual([U1]);
    expect([records[0]?.line, records[0]?.replaces]).toEqual([2, 'k1']);
  });

  it.each([
    [['#1', '#2', 'gigwork_error'], true],
    // A person's own first row is a record, whatever it holds.
    [['#1', '#2'], false],
    [['#0', 'gigwork_error'], false],
    [['#1', 'u1', 'gigwork_error'], false],
  ])('%j: %s', (cells, is) => {
    expect(isNumbered(cells)).toBe(is);
  });
});

import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { sheetsLike } from '../../../../src/input/xlsx/alike-sheets.js';
import { type SheetSpec, workbook } from '../../../support/workbook.js';

const HEAD = ['user_id', 'amount', 'title'];
const ROW = ['u1', 5, 'Bonus'];

const likeFirst = (sheets: readonly Omit<SheetSpec, 'name'>[], headerLine: number | null = null): Promise<string[]> => {
  const named = sheets.map((each, i) => ({ name: `S${i + 1}`, ...each }));
  return sheetsLike(Readable.from([workbook({ sheets: named })]), 'a.xlsx', 'S1', headerLine);
};

describe('other sheets with the same header', () => {
  it('are found whatever their title, the case and the order of their names', async () => {
    const others = [
      { rows: [HEAD, ROW] },
      { rows: [['December'], [], HEAD, ROW] },
      { rows: [['Title ', 'AMOUNT', null, 'User_ID'], ROW] },
      { rows: [HEAD] },
    ];
    expect(await likeFirst([{ rows: [HEAD, ROW] }, ...others])).toEqual(['S2', 'S3', 'S4', 'S5']);
    expect(await likeFirst([{ rows: [['November'], HEAD, ROW] }, { rows: [HEAD, ROW] }], 2)).toEqual(['S2']);
  });

  it('are not hidden, empty, charts, lists of other things, or sheets that cannot be read', async () => {
    const others: Omit<SheetSpec, 'name'>[] = [
      { rows: [HEAD, ROW], state: 'hidden' },
      { rows: [] },
      { rows: [], isChart: true },
      { rows: [[...HEAD, 'note'], ROW] },
      { rows: [HEAD.slice(0, 2), ROW] },
      { rows: '<row r="3"/><row r="2"/>' },
    ];
    expect(await likeFirst([{ rows: [HEAD, ROW] }, ...others])).toEqual([]);
    expect(await likeFirst([{ rows: [] }, { rows: [HEAD] }])).toEqual([]);
  });

  it('have as many columns where there are no names', async () => {
    expect(await likeFirst([{ rows: [ROW] }, { rows: [ROW] }, { rows: [['x', 1]] }], 0)).toEqual(['S2']);
  });
});

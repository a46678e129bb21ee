import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { WrittenCell } from '../../../src/report/written-cell.js';
import { type SheetLayout, writeXlsx } from '../../../src/report/xlsx-writer.js';
import { writtenRows, writtenXml } from '../../support/written-sheet.js';

const LAYOUT: SheetLayout = { name: 'Sheet', frozenRows: 0, columns: [] };

/** The cells of the only row, as a spreadsheet reads them. */
async function cellsOf(...cells: readonly WrittenCell[]): Promise<string[]> {
  const xml = await writtenXml(await packed(LAYOUT, cells));
  return [...xml.matchAll(/<c r="[A-Z]+1" (.*?)<\/c>/g)].map(([, cell = '']) =>
    cell.replace(/<is><t[^>]*>|<\/t><\/is>/g, ' ').trim(),
  );
}

function packed(layout: SheetLayout, cells: readonly WrittenCell[]): Promise<Buffer> {
  const row = (async function* () {
    yield await Promise.resolve(cells);
  })();
  return buffer(Readable.from(writeXlsx(layout, row)));
}

test('texts stay texts, also such as look like numbers', async () => {
  expect(await cellsOf('00123', '=1+1')).toEqual(['s="1" t="inlineStr"> 00123', 's="1" t="inlineStr"> =1+1']);
});

test('numbers are numbers as long as a spreadsheet keeps their digits', async () => {
  const number = (digits: string): WrittenCell => ({ kind: 'number', text: digits, sign: null });
  const cells = ['187.5', '-450', '123456789012345', '1234567890.123456'].map(number);
  expect(await writtenRows(await packed(LAYOUT, cells))).toEqual([
    ['187.5 as 0.0', '-450 as 0', '123456789012345 as 0', '1234567890.123456'],
  ]);
});

test('a number shows the sign of its currency where people write it', async () => {
  const money = (sign: string): WrittenCell => ({ kind: 'number', text: '5.50', sign });
  expect(await writtenRows(await packed(LAYOUT, ['£', 'EUR', 'Fr.'].map(money)))).toEqual([
    ['5.5 as [$£]0.00', '5.5 as 0.00 [$EUR]', '5.5 as 0.00 [$Fr.]'],
  ]);
});

test('numbers show the decimals that they have, and are stored in their shortest form', async () => {
  const number = (digits: string): WrittenCell => ({ kind: 'number', text: digits, sign: null });
  const date = (text: string): WrittenCell => ({ kind: 'date', text });
  const cells = ['12.50', '-0.10', '1200.00', '7', '0.00000000000001', '1.000'].map(number);
  const days = ['2026-11-01', '2026-11-03T14:22:00', '1899-12-31'].map(date);
  expect(await writtenRows(await packed(LAYOUT, [...cells, ...days]))).toEqual([
    [
      '12.5 as 0.00',
      '-0.1 as 0.00',
      '1200 as 0.00',
      '7 as 0',
      '0.00000000000001 as 0.00000000000000',
      '1 as 0.000',
      '46327 as yyyy-mm-dd',
      `${46329 + 862 / 1440} as yyyy-mm-dd hh:mm:ss`,
      '1899-12-31',
    ],
  ]);
});

test('what a person types into an empty cell becomes what its column is, and the header stays in sight', async () => {
  const xml = await writtenXml(
    await packed({ name: 'Sheet', frozenRows: 2, columns: ['text', 'number', 'date'] }, ['a', 'b', 'c']),
  );
  const styles = [...xml.matchAll(/<col min="(\d+)" max="(\d+)" width="20" style="(\d)"/g)].map((found) =>
    found.slice(1),
  );
  expect(styles).toEqual([
    ['1', '1', '1'],
    ['2', '2', '0'],
    ['3', '3', '2'],
    ['4', '16384', '1'],
  ]);
  expect(xml).toContain('<pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/>');
});

test('dates with a time are days, and text where a sheet has no day for them', async () => {
  const time = (text: string): WrittenCell => ({ kind: 'date', text });
  expect(await cellsOf(time('2026-12-05T06:00:00'), time('1900-01-01T00:00:00'), time('no date'))).toEqual([
    's="3"><v>46361.25</v>',
    's="1" t="inlineStr"> 1900-01-01T00:00:00',
    's="1" t="inlineStr"> no date',
  ]);
});

import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { expect, test } from 'vitest';
import type { WrittenCell } from '../../../src/report/written-cell.js';
import { writeXlsx } from '../../../src/report/xlsx-writer.js';

/** The cells of the only row, as a spreadsheet reads them. */
async function cellsOf(...cells: readonly WrittenCell[]): Promise<string[]> {
  const row = (async function* () {
    yield await Promise.resolve(cells);
  })();
  const archive = await fromBufferPromise(await buffer(Readable.from(writeXlsx('Sheet', row))));
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue;
    const xml = await text(await archive.openReadStreamPromise(entry));
    return [...xml.matchAll(/<c r="[A-Z]+1" (.*?)<\/c>/g)].map(([, cell = '']) =>
      cell.replace(/<is><t[^>]*>|<\/t><\/is>/g, ' ').trim(),
    );
  }
  return [];
}

test('texts stay texts, also such as look like numbers', async () => {
  expect(await cellsOf('00123', '=1+1')).toEqual(['s="1" t="inlineStr"> 00123', 's="1" t="inlineStr"> =1+1']);
});

test('numbers are numbers as long as a spreadsheet keeps their digits', async () => {
  const number = (digits: string): WrittenCell => ({ kind: 'number', text: digits });
  expect(
    await cellsOf(number('187.5'), number('-450'), number('123456789012345'), number('1234567890.123456')),
  ).toEqual([
    's="2"><v>187.5</v>',
    's="2"><v>-450</v>',
    's="2"><v>123456789012345</v>',
    's="1" t="inlineStr"> 1234567890.123456',
  ]);
});

test('times are days in UTC, and text where a sheet has no day for them', async () => {
  const time = (seconds: number): WrittenCell => ({ kind: 'time', seconds });
  expect(await cellsOf(time(Date.UTC(2026, 11, 5, 6) / 1000), time(Date.UTC(1900, 0) / 1000), time(1e20))).toEqual([
    's="3"><v>46361.25</v>',
    's="1" t="inlineStr"> 1900-01-01T00:00:00Z',
    's="1" t="inlineStr"> 100000000000000000000',
  ]);
});

import { describe, expect, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { sheet, type SheetSpec, workbook } from '../support/workbook.js';

const MANY = 25_000;

const HEAD =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>user_id</t></is></c><c r="B1" t="inlineStr"><is><t>amount</t></is></c></row>';
const rows = (count: number, row: (number: number) => string): string =>
  HEAD + Array.from({ length: count }, (_, i) => row(i + 2)).join('');
const strings = (text: string): Buffer =>
  workbook({
    sheets: [{ name: 'S', rows: [['user_id', 'amount', 'title']] }],
    change: (parts) => {
      const part = 'xl/sharedStrings.xml';
      parts.set(part, (parts.get(part) ?? '').replace('</sst>', `${text}</sst>`));
    },
  });
const inCell = (xml: string, spec: Partial<SheetSpec> = {}): Buffer =>
  sheet(`${HEAD}<row r="2"><c r="A2"${xml}</row>`, spec);

const inFormat = (format: string): Buffer =>
  sheet([
    ['user_id', 'amount'],
    ['u1', { v: 1, format }],
  ]);

/** What a workbook must not be able to do to the program: keep it busy, or fill the memory. */
const SHAPES: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  [
    'cells in the last column',
    () => sheet(rows(MANY / 25, (number) => `<row r="${number}"><c r="XFD${number}"><v>1</v></c></row>`)),
  ],
  [
    'columns',
    () =>
      sheet(
        `<row r="1">${Array.from({ length: 16_384 }, (_, i) => `<c t="str"><v>c${i}</v></c>`).join('')}</row>${'<row><c><v>1</v></c></row>'.repeat(MANY / 1000)}`,
      ),
  ],
  ['merged cells', () => sheet(HEAD, { merges: Array.from({ length: MANY }, (_, i) => `A${i + 1}:B${i + 1}`) })],
  [
    'hidden rows',
    () => sheet(rows(MANY / 10, (number) => `<row r="${number}" hidden="1"><c r="A${number}"><v>1</v></c></row>`)),
  ],
  [
    'hidden columns',
    () => sheet(HEAD, { before: `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(MANY / 10)}</cols>` }),
  ],
  ['empty texts', () => strings('<si/>'.repeat(MANY * 10))],
  ['attributes', () => inCell(` ${Array.from({ length: MANY }, (_, i) => `a${i}=""`).join(' ')}/>`)],
  ['elements in each other', () => inCell(`>${'<x>'.repeat(MANY)}`)],
  ['spaces in a text', () => inCell(` t="inlineStr"><is><t>${' '.repeat(MANY * 4)}x</t></is></c>`)],
  ['ampersands', () => inCell(` t="inlineStr"><is><t>${'&amp;'.repeat(MANY)}</t></is></c>`)],
  ['escapes', () => inCell(` t="inlineStr"><is><t>${'_x'.repeat(MANY * 2)}</t></is></c>`)],
  ['digits', () => inCell(`><v>${'1'.repeat(MANY * 4)}</v></c>`)],
  ['comments', () => inCell(`/>${'<!-- -->'.repeat(MANY)}`)],
  ['quotes in a format', () => inFormat('"'.repeat(MANY))],
  ['sections of a format', () => inFormat(';'.repeat(MANY))],
];

describe('a workbook with a great many', () => {
  test.each(SHAPES.map(([name, bytes]) => ({ name, bytes })))(
    '$name is refused in bounded time and memory',
    async ({ bytes }) => {
      const input = bytes();
      const words = ['payout', 'create', '-', '--dry-run', '--json', '--rejects', 'r.csv'];
      const { code, stderr, summary } = await workspace().run(words, { input });
      expect([code, summary.records.valid], stderr.slice(0, 1000)).toEqual([3, 0]);
    },
  );
});

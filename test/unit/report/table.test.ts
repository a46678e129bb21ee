import { describe, expect, it } from 'vitest';
import { pluralize, ellipsize, type TableColumn, tableLines, textWidth, wrapText } from '../../../src/report/table.js';

const COLUMNS: TableColumn<string[]>[] = [
  { title: 'name', cell: ([name = '']) => name },
  { title: 'note', cell: ([, note = '']) => note },
  { title: 'sum', align: 'right', cell: ([, , sum = '']) => sum },
];
const ROWS = [
  ['Müller', '', '5'],
  ['東京', 'far', '1,234'],
];

describe('a table', () => {
  it('has columns as wide as their cells, by what a terminal shows', () => {
    expect(tableLines(COLUMNS, ROWS)).toEqual(['name    note    sum', 'Müller            5', '東京    far   1,234']);
  });

  it('fits exactly, or gives each row a sentence', () => {
    expect(tableLines(COLUMNS, ROWS, 19)).toHaveLength(3);
    expect(tableLines(COLUMNS, ROWS, 18)).toEqual(['name Müller, sum 5', 'name 東京, note', '    far, sum 1,234']);
  });

  it.each<[string, number, string[]]>([
    ['fits as it is', 13, ['fits as it is']],
    ['does not fit', 8, ['does not', '    fit']],
    ['    set in already', 12, ['    set in', '        already']],
    ['東京 東京', 8, ['東京', '    東京']],
    ['01.11.2026-is-never-broken here', 10, ['01.11.2026-is-never-broken', '    here']],
  ])('%j on %i columns', (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });

  it.each<[string, string[]]>([
    [
      "settle it with: gigwork batch settle 2026 --state-dir 'my; state' --record 1 …; look it up [open-unknown]",
      [
        'settle it with:',
        '    gigwork \\',
        '    batch \\',
        '    settle 2026 \\',
        '    --state-dir \\',
        "    'my; state' \\",
        '    --record 1 …;',
        '    look it up',
        '    [open-unknown]',
      ],
    ],
    ['see: gigwork batch list [x]', ['see: gigwork \\', '    batch list', '    [x]']],
    [
      `Rename with --map 'Preis "netto" it'\\''s so=FIELD', or drop it`,
      ['Rename with', `    --map 'Preis "netto" it'\\''s so=FIELD',`, '    or drop it'],
    ],
    ['another gigwork process has held it', ['another gigwork', '    process has', '    held it']],
  ])('%j breaks only where a shell goes on reading', (text, lines) => {
    expect(wrapText(text, 17)).toEqual(lines);
  });

  it.each<[string, number]>([
    ['abc', 3],
    ['Zürich', 6],
    ['Zu\u0308rich', 6],
    ['東京', 4],
    ['😀', 2],
    ['✅ \u{20000}', 5],
  ])('%j takes %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it.each<[string, number, string]>([
    ['PP-1042-BERLIN', 14, 'PP-1042-BERLIN'],
    ['PP-1042-BERLIN', 9, 'PP-1…RLIN'],
    ['😀😀😀😀', 3, '😀…😀'],
  ])('%j cut to %i characters is %j', (text, most, cut) => {
    expect(ellipsize(text, most)).toBe(cut);
  });

  it('counts one thing and many', () => {
    expect([0, 1, 2, 1234].map((n) => pluralize(n, 'row', 'rows'))).toEqual([
      '0 rows',
      '1 row',
      '2 rows',
      '1,234 rows',
    ]);
  });
});

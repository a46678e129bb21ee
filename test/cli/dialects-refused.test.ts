import { describe, expect, it } from 'vitest';
import { utf8, windows1252, zip } from '../support/bytes.js';
import { bodiesOf, dry } from '../support/dry.js';

const GOOD = 'user_id,amount,title,cost_center_key\n';

describe('what cannot be read is refused, with the place', () => {
  const rows = (n: number): string => Array.from({ length: n }, (_, i) => `u${i},10,title ${i},K\n`).join('');
  const damaged = Buffer.concat([utf8(`${GOOD}u1,10,M`), Buffer.from([0xc3]), utf8('ller,K\nu2,10,Zürich,K\n')]);
  const cases: readonly (readonly [
    file: string,
    content: Uint8Array | string,
    code: string,
    line: number | null,
    message: RegExp,
  ])[] = [
    ['workbook.xlsx', zip('xl/workbook.xml'), 'bad-encoding', null, /zip archive and no workbook/],
    ['renamed-workbook.csv', zip('[Content_Types].xml'), 'bad-encoding', 1, /\.xlsx/],
    ['old-workbook.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'bad-encoding', null, /\.xls/],
    ['portal.xls', '<html><table><tr><td>user_id</td></tr></table></html>', 'bad-encoding', 1, /web page/],
    [
      'utf32.csv',
      Buffer.concat(
        Array.from(`\ufeff${GOOD}`, (char) => Buffer.from([char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8, 0, 0])),
      ),
      'bad-encoding',
      1,
      /zero byte/,
    ],
    ['damaged-first.csv', damaged, 'bad-encoding', 3, /"ü" stands here in UTF-8/],
    [
      'pasted.csv',
      Buffer.concat([windows1252(`${GOOD}u1,10,Müller,K\n`), utf8('u2,10,5 €,K\n')]),
      'bad-encoding',
      3,
      /"€" stands here in UTF-8/,
    ],
    ['dos.csv', Buffer.from(`${GOOD}u1,10,K\x84se,K\n`, 'latin1'), 'bad-encoding', 2, /DOS/],
    [
      'late.csv',
      Buffer.concat([utf8(`${GOOD}${rows(60_000)}u,1,M`), Buffer.from([0x81]), utf8('ller,K\n')]),
      'bad-encoding',
      60_002,
      /0x81/,
    ],
    [
      'unclosed.csv',
      `${GOOD}u1,10,ok,K\nu2,10,"open,K\nu3,10,x,K\n`,
      'bad-csv',
      3,
      /quote opens in cell 3 and is never closed/,
    ],
    ['closed-elsewhere.csv', `${GOOD}u1,10,"open,K\nu2,10,"x",K\n`, 'bad-csv', 3, /opens on line 2/],
    ['too-many.csv', `${GOOD}u1,10,a,b,K\n`, 'bad-csv', 2, /5 cells, the header 4.*quotes/],
    ['unnamed.csv', 'user_id,amount,title,cost_center_key,\nu1,10,t,K,x\n', 'bad-csv', 2, /cell 5.*no name/],
    ['letter.csv', 'sep=x\nuser_idxamount\nu1x10\n', 'bad-csv', 1, /"x".*comma, semicolon, tab or pipe.*--delimiter/],
    [
      'twice.csv',
      'user_id,amount,title,amount,cost_center_key\nu1,10,t,11,K\n',
      'duplicate-column',
      1,
      /two columns give amount/,
    ],
    ['data.csv', '4711;12,50;01.11.2026\n4712;13,50;02.11.2026\n', 'header-like-data', 1, /--header-line/],
  ];

  it('and nothing of the run is sent', async () => {
    const { events, summary, code } = await dry(Object.fromEntries(cases.map(([file, content]) => [file, content])));
    expect(code).toBe(3);
    expect(summary.stop_reason).toBe('invalid_input');
    for (const [file, , issue, line, message] of cases) {
      const found = events.filter((event) => event.event === 'issue' && event.file === file);
      expect(found, file).toMatchObject([
        { severity: 'error', code: issue, line, message: expect.stringMatching(message) },
      ]);
    }
  });

  it.each<[string, string, RegExp]>([
    ['nothing at all', '', /holds no record/],
    ['a header alone', GOOD, /column names, but no rows/],
    ['a header and blank rows', `${GOOD},,,\n,,,\n\n`, /column names, but no rows/],
  ])('%s has no records', async (_name, text, message) => {
    const { events, code } = await dry({ 'in.csv': text });
    expect(code).toBe(3);
    expect(events.filter(({ event }) => event === 'issue')).toMatchObject([
      { code: 'no-records', message: expect.stringMatching(message) },
    ]);
  });

  it('a title above the header is named as what it is', async () => {
    const { events } = await dry({ 'in.csv': `Payroll November\n${GOOD}u1,10,t,K\n` });
    expect(events.filter(({ event }) => event === 'issue')).toMatchObject([
      {
        code: 'header-like-data',
        line: 1,
        message: expect.stringMatching(/not one of these is a field's.*--header-line 2/),
      },
    ]);
  });

  it('what was read before the declared encoding was doubted counts when it is declared', async () => {
    const { events, code } = await dry({ 'in.csv': windows1252(`${GOOD}u1,10,Ã¼,K\n`) }, '--encoding', 'windows-1252');
    expect(code).toBe(0);
    expect(bodiesOf(events, 'in.csv')).toMatchObject([{ title: 'Ã¼' }]);
  });
});

import { describe, expect, it } from 'vitest';
import { utf8, windows1252 } from '../support/bytes.js';
import { bodiesOf, dry } from '../support/dry.js';

const GOOD = 'user_id,amount,title,cost_center_key\n';

describe('what cannot be read is refused, with the place', () => {
  const damaged = Buffer.concat([utf8(`${GOOD}u1,10,M`), Buffer.from([0xc3]), utf8('ller,K\nu2,10,Zürich,K\n')]);
  const cases: readonly (readonly [
    file: string,
    content: Uint8Array | string,
    code: string,
    line: number | null,
    message: RegExp,
  ])[] = [
    ['old-workbook.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'bad-encoding', null, /\.xls/],
    ['damaged-first.csv', damaged, 'bad-encoding', 3, /"ü" stands here in UTF-8/],
    [
      'unclosed.csv',
      `${GOOD}u1,10,ok,K\nu2,10,"open,K\nu3,10,x,K\n`,
      'bad-csv',
      3,
      /quote opens in cell 3 and is never closed/,
    ],
    ['unnamed.csv', 'user_id,amount,title,cost_center_key,\nu1,10,t,K,x\n', 'bad-csv', 2, /cell 5.*no name/],
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

  it('what was read before the declared encoding was doubted counts when it is declared', async () => {
    const { events, code } = await dry({ 'in.csv': windows1252(`${GOOD}u1,10,Ã¼,K\n`) }, '--encoding', 'windows-1252');
    expect(code).toBe(0);
    expect(bodiesOf(events, 'in.csv')).toMatchObject([{ title: 'Ã¼' }]);
  });
});

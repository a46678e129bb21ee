/** Files as spreadsheets and programs write them, read or refused. CONTRACT: "Input flags". */
import { describe, expect, it } from 'vitest';
import { utf16, utf8, windows1252 } from '../support/bytes.js';
import { issuesOf } from '../support/desk.js';
import { bodiesOf, dry } from '../support/dry.js';

const HEADER = 'user_id;amount;title;cost_center_key;billing_date';
/** A German sheet; the user tells one file from another, since equal records in two files are refused. */
function german(user: string, lineEnd = '\r\n', delimiter = ';'): string {
  const rows = [
    `${user};1.234,56;Prämie „November“ – 5 €;PP-7;01.11.2026`,
    `${user};12,5;Straße;00123;30.11.2026`,
    `${user};12,5;"Café; ""doppelt""";00123;2026-11-30`,
  ];
  const text = [HEADER, ...rows].map((line) => `${line}${lineEnd}`).join('');
  return delimiter === ';' ? text : text.replaceAll(';', delimiter);
}

function germanBodies(user: string, delimiter = ';'): unknown[] {
  const common = { user_id: user, amount: 12.5, cost_center_key: '00123', billing_date: '2026-11-30' };
  const first = { title: 'Prämie „November“ – 5 €', amount: 1234.56, cost_center_key: 'PP-7' };
  return [
    { ...common, ...first, billing_date: '2026-11-01' },
    { ...common, title: 'Straße' },
    { ...common, title: `Café${delimiter} "doppelt"` },
  ].map((body) => expect.objectContaining(body));
}

describe('a sheet in German settings', () => {
  const tail = ';;;;\r\n'.repeat(30);
  const files: readonly (readonly [name: string, content: Uint8Array, detected: string, delimiter?: string])[] = [
    ['windows.csv', windows1252(german('windows')), 'windows-1252, semicolon'],
    ['utf8-bom.csv', utf8(`\ufeff${german('utf8-bom')}`), 'utf-8 with a byte order mark, semicolon'],
    ['utf16le.csv', utf16(german('utf16le'), 'le'), 'utf-16le with a byte order mark, semicolon'],
    ['utf16be.csv', utf16(german('utf16be'), 'be'), 'utf-16be with a byte order mark, semicolon'],
    ['utf16-no-bom.csv', utf16(german('utf16-no-bom'), 'le', false), 'utf-16le, semicolon'],
    ['tab.txt', utf16(german('tab', '\r\n', '\t'), 'le'), 'utf-16le with a byte order mark, tab', '\t'],
    ['pipes.csv', windows1252(german('pipes', '\n', '|')), 'windows-1252, pipe', '|'],
    ['old-mac-lines.csv', windows1252(german('old-mac-lines', '\r')), 'windows-1252, semicolon'],
    ['sep.csv', windows1252(`sep=;\r\n${german('sep')}`), 'windows-1252, semicolon, header on line 2'],
    ['tail.csv', windows1252(`${german('tail')}${tail}\r\n\r\n`), 'windows-1252, semicolon'],
    ['blank-lines.csv', windows1252(`\r\n  \r\n${german('blank-lines')}`), 'windows-1252, semicolon'],
    ['no-end.csv', windows1252(german('no-end').trimEnd()), 'windows-1252, semicolon'],
  ];

  it('is read exactly in every way that it is saved, and a line says what was found out', async () => {
    const { events, stderr, code } = await dry(
      Object.fromEntries(files.map(([name, content]) => [name, content])),
      '--decimal',
      'comma',
      '--date-format',
      'dmy',
    );
    expect(code).toBe(0);
    for (const [name, , detected, delimiter] of files) {
      const user = name.replace(/\.\w+$/, '');
      expect(bodiesOf(events, name), name).toEqual(germanBodies(user, delimiter));
      expect(stderr).toContain(`${name}: csv, ${detected}`);
    }
  });
});

describe('a column name of two lines, as in a narrow spreadsheet', () => {
  const FILE = '"Person\r\nID";"Betrag\n (EUR)";title;cost_center_key\r\nu1;12,50;Bonus;PP-7\r\n';

  it.each(['Betrag (EUR)=amount', 'Betrag\n (EUR)=amount'])('is mapped as one line, or as it is: %j', async (map) => {
    const flags = ['--decimal', 'comma', '--map', 'Person ID=user_id', '--map', map];
    const { code, events } = await dry({ 'p.csv': FILE }, ...flags);
    expect([code, bodiesOf(events, 'p.csv')]).toEqual([0, [expect.objectContaining({ user_id: 'u1', amount: 12.5 })]]);
  });

  it('is told as one line, so that it can be copied', async () => {
    const { code, events } = await dry({ 'p.csv': FILE }, '--decimal', 'comma');
    expect([code, JSON.stringify(events)]).toEqual([3, expect.stringContaining("--map 'Betrag (EUR)=")]);
  });
});

describe('what cannot be read is refused, with the place', () => {
  const GOOD = 'user_id,amount,title,cost_center_key\n';
  const FAULTS: readonly (readonly [file: string, content: string, code: string, line: number])[] = [
    ['unclosed.csv', `${GOOD}u1,10,ok,K\nu2,10,"open,K\nu3,10,x,K\n`, 'bad-csv', 3],
    ['unnamed.csv', 'user_id,amount,title,cost_center_key,\nu1,10,t,K,x\n', 'bad-csv', 2],
    ['twice.csv', 'user_id,amount,title,amount,cost_center_key\nu1,10,t,11,K\n', 'duplicate-column', 1],
    ['data.csv', '4711;12,50;01.11.2026\n4712;13,50;02.11.2026\n', 'header-like-data', 1],
  ];

  it('and nothing of the run is sent', async () => {
    const result = await dry(Object.fromEntries(FAULTS));
    expect(result.summary).toMatchObject({ exit_code: 3, stop_reason: 'invalid_input' });
    for (const [name, , code, line] of FAULTS)
      expect(issuesOf(result).filter(({ file }) => file === name)).toMatchObject([{ severity: 'error', code, line }]);
  });

  it.each<[string, string, RegExp]>([
    ['nothing at all', '', /has no records/],
    ['a header alone', GOOD, /column names, but no rows/],
    ['a header and blank rows', `${GOOD},,,\n,,,\n\n`, /column names, but no rows/],
  ])('%s has no records', async (_name, text, message) => {
    const result = await dry({ 'in.csv': text });
    const found = { code: 'no-records', message: expect.stringMatching(message) };
    expect([result.code, issuesOf(result)]).toMatchObject([3, [found]]);
  });
});

describe('a file of an old Mac', () => {
  // Mac Roman has ü at 0x9F, where Windows-1252 has Ÿ.
  const FILE = Buffer.from('user_id;amount;title;cost_center_key\nm\x9fller;5;Bonus;PP-7\n', 'latin1');

  it('is refused where its encoding was guessed, and read where it is named', async () => {
    const guessed = await dry({ 'mac.csv': FILE });
    expect([guessed.code, issuesOf(guessed).map(({ code }) => code)]).toEqual([3, ['doubtful-encoding']]);
    expect(guessed.stdout).toContain('save it as CSV UTF-8, or name --encoding');
    const { code, events } = await dry({ 'mac.csv': FILE }, '--encoding', 'macintosh');
    expect([code, bodiesOf(events, 'mac.csv')]).toEqual([0, [expect.objectContaining({ user_id: 'müller' })]]);
  });
});

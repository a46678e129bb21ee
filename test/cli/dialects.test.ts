import { describe, expect, it } from 'vitest';
import { utf16, utf8, windows1252, zip } from '../support/bytes.js';
import { type CliResult, workspace } from '../support/cli.js';

type Events = CliResult['events'];

/** Runs the files dry, all in one run, and gives its events. */
async function dry(files: Readonly<Record<string, Uint8Array | string>>, ...flags: string[]): Promise<CliResult> {
  const ws = workspace();
  const paths = Object.entries(files).map(([name, content]) => ws.file(name, content) && name);
  return ws.run(['payout', 'create', ...paths, '--dry-run', '--json', ...flags]);
}

function bodiesOf(events: Events, file: string): unknown[] {
  return events.filter((event) => event.event === 'record' && event.file === file).map(({ request }) => request);
}

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
  return [
    { user_id: user, amount: 1234.56, title: 'Prämie „November“ – 5 €', cost_center_key: 'PP-7', billing_date: '2026-11-01' },
    { user_id: user, amount: 12.5, title: 'Straße', cost_center_key: '00123', billing_date: '2026-11-30' },
    { user_id: user, amount: 12.5, title: `Café${delimiter} "doppelt"`, cost_center_key: '00123', billing_date: '2026-11-30' },
  ].map((body) => expect.objectContaining(body));
}

describe('a sheet in German settings', () => {
  const tail = ';;;;\r\n'.repeat(30);
  const files: readonly (readonly [name: string, content: Uint8Array, detected: string, delimiter?: string])[] = [
    ['windows.csv', windows1252(german('windows')), 'windows-1252, semicolon'],
    ['utf8.csv', utf8(german('utf8')), 'utf-8, semicolon'],
    ['utf8-bom.csv', utf8(`\ufeff${german('utf8-bom')}`), 'utf-8 with a byte order mark, semicolon'],
    ['utf16le.csv', utf16(german('utf16le'), 'le'), 'utf-16le with a byte order mark, semicolon'],
    ['utf16be.csv', utf16(german('utf16be'), 'be'), 'utf-16be with a byte order mark, semicolon'],
    ['utf16-no-bom.csv', utf16(german('utf16-no-bom'), 'le', false), 'utf-16le, semicolon'],
    ['unicode-text.txt', utf16(german('unicode-text', '\r\n', '\t'), 'le'), 'utf-16le with a byte order mark, tab', '\t'],
    ['pipes.csv', windows1252(german('pipes', '\n', '|')), 'windows-1252, pipe', '|'],
    ['lf.csv', windows1252(german('lf', '\n')), 'windows-1252, semicolon'],
    ['old-mac-lines.csv', windows1252(german('old-mac-lines', '\r')), 'windows-1252, semicolon'],
    ['sep.csv', windows1252(`sep=;\r\n${german('sep')}`), 'windows-1252, semicolon, header on line 2'],
    ['sep-quoted.csv', windows1252(`"sep=;"\r\n${german('sep-quoted')}`), 'windows-1252, semicolon, header on line 2'],
    ['tail.csv', windows1252(`${german('tail')}${tail}\r\n\r\n`), 'windows-1252, semicolon'],
    ['wide.csv', windows1252(german('wide').replaceAll('\r\n', ';;;\r\n')), 'windows-1252, semicolon'],
    ['blank-lines.csv', windows1252(`\r\n  \r\n${german('blank-lines')}`), 'windows-1252, semicolon'],
    ['no-end.csv', windows1252(german('no-end').trimEnd()), 'windows-1252, semicolon'],
  ];

  it('is read exactly in every way that it is saved, and a line says what was found out', async () => {
    const { events, stderr, code } = await dry(
      Object.fromEntries(files.map(([name, content]) => [name, content])),
      ...['--decimal', 'comma', '--date-format', 'dmy'],
    );
    expect(code).toBe(0);
    for (const [name, , detected, delimiter] of files) {
      const user = name.replace(/\.\w+$/, '');
      expect(bodiesOf(events, name), name).toEqual(germanBodies(user, delimiter));
      expect(stderr).toContain(`${name}: csv, ${detected}\n`);
    }
  });

  it('is refused where neither numbers nor dates are declared, with what would read them', async () => {
    const { events, code } = await dry({ 'de.csv': windows1252(german('u')) });
    const found = events.filter(({ event }) => event === 'issue').map(({ line, field, code: issue, message }) => ({ line, field, issue, message }));
    expect(code).toBe(3);
    expect(found).toEqual([
      { line: 2, field: 'amount', issue: 'bad-number', message: expect.stringContaining('--decimal comma reads it as 1234.56') },
      { line: 2, field: 'billing_date', issue: 'bad-date', message: expect.stringContaining('--date-format dmy reads it as 2026-11-01; --date-format mdy reads it as 2026-01-11') },
      { line: 3, field: 'amount', issue: 'bad-number', message: expect.stringContaining('--decimal comma reads it as 12.5') },
      { line: 3, field: 'billing_date', issue: 'bad-date', message: expect.stringMatching(/--date-format dmy reads it as 2026-11-30$/) },
      { line: 4, field: 'amount', issue: 'bad-number', message: expect.stringContaining('--decimal comma') },
    ]);
  });
});

describe('sheets of other countries', () => {
  it('French: narrow and plain no-break spaces between thousands, guillemets', async () => {
    const header = 'user_id;amount;title;cost_center_key\r\n';
    const { events, code } = await dry(
      {
        'fr.csv': utf8(`${header}u1;1\u202f234,50;Été;K\r\nu2;1\u00a0234\u00a0567,05;«\u00a0café\u00a0»;K\r\n`),
        'fr-1252.csv': windows1252(`${header}u3;1\u00a0234,50;«\u00a0café\u00a0»;K\r\n`),
      },
      ...['--decimal', 'comma'],
    );
    expect(code).toBe(0);
    const read = ['fr.csv', 'fr-1252.csv'].flatMap((file) => bodiesOf(events, file));
    expect(read).toEqual([
      { user_id: 'u1', amount: 1234.5, title: 'Été', cost_center_key: 'K', idempotency_key: expect.anything() },
      { user_id: 'u2', amount: 1234567.05, title: '«\u00a0café\u00a0»', cost_center_key: 'K', idempotency_key: expect.anything() },
      { user_id: 'u3', amount: 1234.5, title: '«\u00a0café\u00a0»', cost_center_key: 'K', idempotency_key: expect.anything() },
    ]);
  });

  it('Swiss: apostrophes of both kinds', async () => {
    const { events, code } = await dry(
      { 'ch.csv': windows1252("user_id;amount;title;cost_center_key\r\nu1;1'234.50;Zürich;K\r\nu2;1’234’567.05;Genève;K\r\n") },
      ...['--decimal', 'point'],
    );
    expect(code).toBe(0);
    expect(bodiesOf(events, 'ch.csv')).toMatchObject([{ amount: 1234.5 }, { amount: 1234567.05 }]);
  });
});

describe('the delimiter', () => {
  it.each<[string, string, string[], unknown[]]>([
    ['is not found in quoted names', '"Name, first, last, more";amount;user_id;title;cost_center_key\nx;10;u;t;K\n', ['--ignore-column', 'Name, first, last, more'], [{ amount: 10, title: 't' }]],
    ['is not that of the names when the rows say otherwise', 'user_id;amount;title;cost_center_key;a, b, c, d, e, f\nu;10,5;t;K;x\nv;7,25;t;K;y\n', ['--decimal', 'comma', '--ignore-column', 'a, b, c, d, e, f'], [{ amount: 10.5 }, { amount: 7.25 }]],
    ['is not a comma where both would do', 'user_id;amount,net\nu;5,25\n', ['--decimal', 'comma', '--map', 'amount,net=amount', '--set', 'title=t', '--set', 'cost_center_key=K'], [{ user_id: 'u', amount: 5.25 }]],
    ['is that of the header, not of a title above it', 'Payroll, November, 2026, all\n\nuser_id;amount;title;cost_center_key\nu;10;t;K\n', ['--header-line', '3'], [{ amount: 10 }]],
    ['is not needed in one column', 'amount\n10\n20.5\n', ['--set', 'user_id=u', '--set', 'title=t', '--set', 'cost_center_key=K'], [{ amount: 10 }, { amount: 20.5 }]],
    ['is not a comma in one column when that is said', 'amount\n10,5\n', ['--delimiter', 'tab', '--decimal', 'comma', '--set', 'user_id=u', '--set', 'title=t', '--set', 'cost_center_key=K'], [{ amount: 10.5 }]],
  ])('%s', async (_name, text, flags, bodies) => {
    const { events, stderr, code } = await dry({ 'in.csv': text }, ...flags);
    expect(code, stderr).toBe(0);
    expect(bodiesOf(events, 'in.csv')).toMatchObject(bodies);
  });
});

const GOOD = 'user_id,amount,title,cost_center_key\n';

describe('what cannot be read is refused, with the place', () => {
  const rows = (n: number): string => Array.from({ length: n }, (_, i) => `u${i},10,title ${i},K\n`).join('');
  const damaged = Buffer.concat([utf8(`${GOOD}u1,10,M`), Buffer.from([0xc3]), utf8('ller,K\nu2,10,Zürich,K\n')]);
  const cases: readonly (readonly [file: string, content: Uint8Array | string, code: string, line: number | null, message: RegExp])[] = [
    ['workbook.xlsx', zip('xl/workbook.xml'), 'bad-encoding', 1, /\.xlsx.*Save As, "CSV UTF-8"/],
    ['renamed-workbook.csv', zip('[Content_Types].xml'), 'bad-encoding', 1, /\.xlsx/],
    ['old-workbook.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'bad-encoding', 1, /\.xls/],
    ['portal.xls', '<html><table><tr><td>user_id</td></tr></table></html>', 'bad-encoding', 1, /web page/],
    ['utf32.csv', Buffer.concat([...`\ufeff${GOOD}`].map((char) => Buffer.from([char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8, 0, 0]))), 'bad-encoding', 1, /zero byte/],
    ['half-utf8.csv', Buffer.concat([utf8(`${GOOD}u1,10,Zürich,K\nu2,10,M`), Buffer.from([0xfc]), utf8('ller,K\n')]), 'bad-encoding', 3, /0xFC/],
    ['damaged-first.csv', damaged, 'bad-encoding', 3, /"ü" stands here in UTF-8/],
    ['pasted.csv', Buffer.concat([windows1252(`${GOOD}u1,10,Müller,K\n`), utf8('u2,10,5 €,K\n')]), 'bad-encoding', 3, /"€" stands here in UTF-8/],
    ['dos.csv', Buffer.from(`${GOOD}u1,10,K\x84se,K\n`, 'latin1'), 'bad-encoding', 2, /DOS/],
    ['mac.csv', Buffer.from(`${GOOD}u1,10,M\x9fller,K\n`, 'latin1'), 'bad-encoding', 2, /Mac/],
    ['cyrillic.csv', Buffer.from(`${GOOD}u1,10,\xcf\xf0\xe5\xec\xe8\xff,K\n`, 'latin1'), 'bad-encoding', 2, /alphabet/],
    ['late.csv', Buffer.concat([utf8(`${GOOD}${rows(60_000)}u,1,M`), Buffer.from([0x81]), utf8('ller,K\n')]), 'bad-encoding', 60_002, /0x81/],
    ['unclosed.csv', `${GOOD}u1,10,ok,K\nu2,10,"open,K\nu3,10,x,K\n`, 'bad-csv', 3, /quote opens in cell 3 and is never closed/],
    ['closed-elsewhere.csv', `${GOOD}u1,10,"open,K\nu2,10,"x",K\n`, 'bad-csv', 3, /opens on line 2/],
    ['inch.csv', `${GOOD}u1,10,5" pipe,K\n`, 'bad-csv', 2, /unquoted cell 3/],
    ['too-many.csv', `${GOOD}u1,10,a,b,K\n`, 'bad-csv', 2, /5 cells, the header 4.*quotes/],
    ['too-few.csv', `${GOOD}u1,10\n`, 'bad-csv', 2, /2 cells, the header 4.*--pad-short-rows/],
    ['footer.csv', `${GOOD}u1,10,t,K\n(1 row)\n`, 'bad-csv', 3, /1 cell,/],
    ['unnamed.csv', 'user_id,amount,title,cost_center_key,\nu1,10,t,K,x\n', 'bad-csv', 2, /cell 5.*no name/],
    ['one-column.csv', 'amount\n10,5\n', 'bad-csv', 2, /--delimiter/],
    ['twice.csv', 'user_id,amount,title,amount,cost_center_key\nu1,10,t,11,K\n', 'duplicate-column', 1, /two columns give amount/],
    ['data.csv', '4711;12,50;01.11.2026\n4712;13,50;02.11.2026\n', 'header-like-data', 1, /--header-line/],
  ];

  it('and nothing of the run is sent', async () => {
    const { events, summary, code } = await dry(Object.fromEntries(cases.map(([file, content]) => [file, content])));
    expect(code).toBe(3);
    expect(summary.stop_reason).toBe('invalid_input');
    for (const [file, , issue, line, message] of cases) {
      const found = events.filter((event) => event.event === 'issue' && event.file === file);
      expect(found, file).toMatchObject([{ severity: 'error', code: issue, line, message: expect.stringMatching(message) }]);
    }
  });

  it.each<[string, string, RegExp]>([
    ['nothing at all', '', /holds no record/],
    ['a header alone', GOOD, /column names, but no rows/],
    ['a header and blank rows', `${GOOD},,,\n,,,\n\n`, /column names, but no rows/],
  ])('%s has no records', async (_name, text, message) => {
    const { events, code } = await dry({ 'in.csv': text });
    expect(code).toBe(3);
    expect(events.filter(({ event }) => event === 'issue')).toMatchObject([{ code: 'no-records', message: expect.stringMatching(message) }]);
  });

  it('a title above the header is named as what it is', async () => {
    const { events } = await dry({ 'in.csv': `Payroll November\n${GOOD}u1,10,t,K\n` });
    const [ragged] = events.filter(({ code }) => code === 'bad-csv');
    expect(ragged).toMatchObject({ line: 2, message: expect.stringMatching(/not one name on line 1 is a field's.*--header-line/) });
  });

  it('what was read before the declared encoding was doubted counts when it is declared', async () => {
    const { events, code } = await dry({ 'in.csv': windows1252(`${GOOD}u1,10,Ã¼,K\n`) }, '--encoding', 'windows-1252');
    expect(code).toBe(0);
    expect(bodiesOf(events, 'in.csv')).toMatchObject([{ title: 'Ã¼' }]);
  });
});

describe('for people', () => {
  it('an error names the line of an editor and the row of a spreadsheet', async () => {
    const ws = workspace();
    ws.file('in.csv', 'sep=,\nuser_id,amount,title,cost_center_key\nu1,10,"a\nb\nc",K\nu2,x,t,K\n');
    const { stderr } = await ws.run(['payout', 'create', 'in.csv', '--dry-run']);
    expect(stderr).toContain('error: in.csv, line 6 (row 3 in a spreadsheet): "x" is not a plain number');
  });

  it('an unknown column names the nearest field, and a foreign one those that are still to be given', async () => {
    const ws = workspace();
    ws.file('in.csv', 'user_id,amuont,Zweck,Kostenstelle\nu1,10,t,K\n');
    const { stderr } = await ws.run(['payout', 'create', 'in.csv', '--dry-run']);
    expect(stderr).toContain('there is no field "amuont". Did you mean "amount"? Rename the column with --map "amuont=amount"');
    expect(stderr).toContain('no column gives amount, title, cost_center_key or cost_center_data');
    expect(stderr).toContain('there is no field "Zweck". Rename the column with --map "Zweck=FIELD", or drop it with --ignore-column "Zweck"');
  });

  it('a file whose columns tell no type is told what it has', async () => {
    const ws = workspace();
    ws.file('in.csv', 'Betrag;Name\n5;x\n');
    const { stderr, code } = await ws.run(['batch', 'import', 'in.csv', '--dry-run']);
    expect(code).toBe(2);
    expect(stderr).toContain('found "Betrag", "Name". Say it with --type, rename a column with --map');
  });

  it('many rows with one fault are one line', async () => {
    const ws = workspace();
    ws.file('in.csv', `user_id,amount,title\n${'u1,10,t\n'.repeat(37)}`);
    const { stderr } = await ws.run(['payout', 'create', 'in.csv', '--dry-run']);
    expect(stderr).toContain('error: 37 records: neither cost_center_key nor cost_center_data is given');
    expect(stderr).toContain('(in.csv, lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …) [missing-one-of]');
  });
});

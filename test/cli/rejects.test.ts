import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv, ndjson, payouts } from '../support/builders.js';
import { gigwork, type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

const HEADER = 'user_id,amount,title,cost_center_key';
/** The columns of a rejects file. */
const COLUMNS = `${HEADER},gigwork_key,gigwork_error`;
const NO_TITLE = 'title is missing; it is required: title of the payout';

function dry(at: Workspace, ...args: string[]): ReturnType<Workspace['run']> {
  return at.run(['payout', 'create', ...args, '--dry-run', '--json']);
}

/** What a dry run says of each record, less its place. */
async function recordsOf(at: Workspace, ...args: string[]): Promise<unknown[]> {
  const { events } = await dry(at, ...args);
  return events
    .filter(({ event }) => event === 'record')
    .map(({ status, error, request }) => ({ status, error, request }));
}

/** The key of the one record that ended so. */
function keyOf(events: readonly { [name: string]: unknown }[], status: string): string {
  return String(events.find((event) => event['event'] === 'record' && event['status'] === status)?.['key']);
}

describe('--rejects', () => {
  it('holds the invalid records of a refused run, which then can be corrected and imported', async () => {
    const at = workspace();
    at.file('bad.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,,PP-1\nu3,"1,5",Three,PP-1\nu4,30,Four,PP-1\n`);
    const refused = await dry(at, 'bad.csv', '--rejects', 'r.csv');
    expect(refused).toMatchObject({ code: 3, summary: { stop_reason: 'invalid_input' } });
    const lines = at.read('r.csv').split('\n');
    expect(lines).toHaveLength(4);
    expect(lines.slice(0, 2)).toEqual([COLUMNS, `u2,20,,PP-1,,${NO_TITLE}`]);
    expect(lines[2]).toMatch(/^u3,"1,5",Three,PP-1,,"amount: ""1,5"" is not a plain number; /);
    expect(await recordsOf(at, 'r.csv')).toEqual(
      (await recordsOf(at, 'bad.csv')).filter((record) => JSON.stringify(record).includes('invalid')),
    );
    at.file('r.csv', at.read('r.csv').replace('u2,20,,', 'u2,20,Two,').replace('"1,5"', '1.5'));
    expect(await dry(at, 'r.csv')).toMatchObject({ code: 0, summary: { records: { read: 2, planned: 2 } } });
  });

  it('holds the invalid and the rejected records of a run that went on, and nothing of what may have been created', async () => {
    const at = workspace();
    const service = await testService({
      respond: ({ json }) => {
        const { user_id: user } = json as { user_id: string };
        if (user === 'u2') return { status: 422, body: '{"error":"=no bank\\naccount"}' };
        return user === 'u3' ? { status: 200, body: 'ok' } : undefined;
      },
    });
    at.file('in.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,Two,PP-1\nu3,30,Three,PP-1\nu4,40,,PP-1\n`);
    const args = [
      'payout',
      'create',
      'in.csv',
      '--base-url',
      service.url,
      '--yes',
      '--skip-invalid',
      '--rejects',
      'r.csv',
      '--json',
    ];
    const first = await at.run(args);
    expect(first.code).toBe(6);
    const key = keyOf(first.events, 'rejected');
    expect(at.read('r.csv')).toBe(
      `${COLUMNS}\nu2,20,Two,PP-1,${key},HTTP 422: =no bank account\nu4,40,,PP-1,,${NO_TITLE}\n`,
    );
    service.responder(undefined);
    at.file('r.csv', at.read('r.csv').replace('u4,40,,', 'u4,40,Four,'));
    const second = await at.run([
      'payout',
      'create',
      'r.csv',
      '--base-url',
      service.url,
      '--yes',
      '--rejects',
      'r2.csv',
      '--json',
    ]);
    expect(second).toMatchObject({ code: 0, summary: { records: { created: 2 } } });
    expect(at.read('r2.csv')).toBe(`${COLUMNS}\n`);
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1]);
  });

  it('is written without rejects too, so that an old one does not mislead', async () => {
    const at = workspace();
    at.file('good.csv', csv(payouts(3)));
    at.file('good.json', JSON.stringify(payouts(3)));
    at.file('empty.csv', '');
    for (const name of ['r.csv', 'r.ndjson', 'e.csv']) at.file(name, 'old');
    expect((await dry(at, 'good.csv', '--rejects', 'r.csv')).code).toBe(0);
    expect((await dry(at, 'good.json', '--rejects', 'r.ndjson')).code).toBe(0);
    expect((await dry(at, 'empty.csv', '--allow-empty', '--rejects', 'e.csv')).code).toBe(0);
    expect(at.read('r.csv')).toBe(`${COLUMNS}\n`);
    expect(at.read('r.ndjson')).toBe('');
    expect(at.read('e.csv')).toBe('');
  });
});

describe('the keys of rejected payments', () => {
  const refuse = (...users: string[]) =>
    testService({
      respond: ({ json }) =>
        users.includes((json as { user_id: string }).user_id) ? { status: 422, body: '{}' } : undefined,
    });
  const create = (at: Workspace, url: string, name: string, rejects: string, ...args: string[]) =>
    at.run([
      'payout',
      'create',
      name,
      '--base-url',
      url,
      '--yes',
      '--skip-invalid',
      '--json',
      '--rejects',
      rejects,
      ...args,
    ]);

  it('are theirs alone, and a corrected row that is rejected again gets its new one', async () => {
    const at = workspace();
    const { url } = await refuse('u1', 'u2');
    at.file('in.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,Two,PP-1\nu3,30,,PP-1\n`);
    const first = await create(at, url, 'in.csv', 'r1.csv');
    const records = first.events.filter(({ status }) => status === 'rejected').sort((a, b) => a.record - b.record);
    const keys = records.map(({ key }) => key as string);
    const cells = (name: string): string[] =>
      at
        .read(name)
        .split('\n')
        .slice(1, -1)
        .map((row) => row.split(',')[4] ?? '');
    expect(cells('r1.csv')).toEqual([...keys, '']);
    // One is corrected, one is made worse, one stays as it was.
    at.file('r1.csv', at.read('r1.csv').replace('u1,10', 'u1,11').replace('u2,20,Two', 'u2,20,'));
    const second = await create(at, url, 'r1.csv', 'r2.csv');
    const newKey = keyOf(second.events, 'rejected');
    expect(newKey).not.toBe(keys[0]);
    expect(cells('r2.csv')).toEqual([newKey, keys[1], '']);
    expect(at.read('r2.csv').split('\n')[0]).toBe(COLUMNS);
  });

  it('stand in JSON rejects too', async () => {
    const at = workspace();
    const { url } = await refuse('u1');
    const good = { user_id: 'u1', amount: 1, title: 'T', cost_center_key: 'PP-1' };
    const bad = { user_id: 'u2', gigwork_key: 'old', amount: 1 };
    at.file('in.ndjson', `${JSON.stringify(good)}\n${JSON.stringify(bad)}\n`);
    const { events } = await create(at, url, 'in.ndjson', 'r.ndjson');
    const key = keyOf(events, 'rejected');
    const [first, second] = at
      .read('r.ndjson')
      .split('\n')
      .map((line) => (line === '' ? {} : (JSON.parse(line) as object)));
    expect(Object.entries(first ?? {}).slice(-2)).toEqual([
      ['gigwork_key', key],
      ['gigwork_error', 'HTTP 422: {}'],
    ]);
    expect(second).toMatchObject({ ...bad, gigwork_error: expect.stringContaining('title is missing') });
  });

  it('that a person gave come back as they were given, formulas and all', async () => {
    const at = workspace();
    const { url } = await refuse('u1');
    at.file('in.csv', `idempotency_key,${HEADER}\n=k,u1,10,One,PP-1\n`);
    await create(at, url, 'in.csv', 'r1.csv');
    expect(at.read('r1.csv')).toMatch(/^'=k,u1,10,One,PP-1,'=k,HTTP 422/m);
    at.file('r2.csv', `${at.read('r1.csv')}'=other,u2,10,One,PP-1,'=k,\n`);
    const { events, code } = await dry(at, 'r2.csv');
    expect(code).toBe(3);
    const issues = events.filter(({ event }) => event === 'issue');
    expect(issues.map(({ line, code: what, field, value }) => [line, what, field, value])).toEqual([
      [2, 'duplicate-key', 'gigwork_key', '=k'],
      [3, 'duplicate-key', 'gigwork_key', '=k'],
    ]);
  });
});

describe('the form of the input', () => {
  const text = (lineEnd: string): string =>
    [
      'Boni für „Müller“',
      'user_id;title;cost_center_key;amount',
      'u1;=1+1 für 5 €;PP-1;',
      `u2;"a;b\n""c""";PP-1;10`,
      '',
    ].join(lineEnd);
  const rejected = (lineEnd: string): string =>
    [
      'Boni für „Müller“',
      'user_id;title;cost_center_key;amount;gigwork_key;gigwork_error',
      "u1;'=1+1 für 5 €;PP-1;;;",
      '',
    ].join(lineEnd);
  const windows1252 = (content: string): Buffer =>
    Buffer.from(content.replaceAll('€', '\x80').replaceAll('„', '\x84').replaceAll('“', '\x93'), 'latin1');
  const utf16le = (content: string): Buffer => Buffer.from(`\ufeff${content}`, 'utf16le');
  const utf16be = (content: string): Buffer => utf16le(content).swap16();

  it.each<[string, string, (content: string) => Buffer]>([
    ['UTF-8', '\n', (content) => Buffer.from(content)],
    ['UTF-8 with a byte order mark', '\r\n', (content) => Buffer.from(`\ufeff${content}`)],
    ['Windows-1252', '\r\n', windows1252],
    ['UTF-16 LE', '\r\n', utf16le],
    ['UTF-16 BE', '\r', utf16be],
  ])('is kept: %s', async (_name, lineEnd, encode) => {
    const at = workspace();
    at.file('in.csv', encode(text(lineEnd)));
    const { code, events } = await dry(at, 'in.csv', '--header-line', '2', '--rejects', 'r.csv');
    expect(code).toBe(3);
    const reason = events.find(({ status }) => status === 'invalid').error as string;
    const expected = rejected(lineEnd).replace(/;(?=[\r\n]*$)/, `;"${reason}"`);
    expect(readFileSync(at.path('r.csv')).toString('hex')).toBe(encode(expected).toString('hex'));
    expect(await recordsOf(at, 'r.csv', '--header-line', '2')).toEqual(
      (await recordsOf(at, 'in.csv', '--header-line', '2')).slice(0, 1),
    );
  });

  it('is kept: a sep= line, a tab, blank rows left out', async () => {
    const at = workspace();
    at.file('in.csv', 'sep=\t\r\nuser_id\tamount\ttitle\tcost_center_key\r\n\r\nu1\t1\t\tPP-1\r\n\t\t\t\r\n');
    await dry(at, 'in.csv', '--rejects', 'r.csv');
    expect(at.read('r.csv')).toBe(
      `sep=\t\r\nuser_id\tamount\ttitle\tcost_center_key\tgigwork_key\tgigwork_error\r\nu1\t1\t\tPP-1\t\t${NO_TITLE}\r\n`,
    );
  });

  it('is one file: each naughty cell comes back as it was typed, twice', async () => {
    const at = workspace();
    const naughty = [
      '=1+1',
      '+49 30',
      '-a',
      '@x',
      '\tt',
      '\rr',
      "'=1",
      "''=1",
      "'a",
      '-5',
      '"q"',
      'a,b',
      'two\r\nlines',
      '  ',
      '00123',
      '1E5',
    ];
    const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
    const rows = naughty.map((cell, i) => `u${i},,${quoted(`x${cell}`)},PP-1,${quoted(cell)}`);
    at.file('in.csv', `${HEADER},description\n${rows.join('\n')}\n`);
    expect((await dry(at, 'in.csv', '--rejects', 'r1.csv')).summary.records.invalid).toBe(naughty.length);
    await dry(at, 'r1.csv', '--rejects', 'r2.csv');
    expect(at.read('r2.csv')).toBe(at.read('r1.csv'));
    const spreadsheetRuns = at
      .read('r1.csv')
      .split('\n')
      .filter((line) => /(^|,)"?[=@\t\r]|(^|,)"?[+-](?!5,)/.test(line));
    expect(spreadsheetRuns).toEqual([]);
    // Mended, they are what the input's own rows would have been.
    const mend = (name: string): string => at.file(`mended-${name}`, at.read(name).replaceAll(/^(u\d+),,/gm, '$1,10,'));
    const [own, once, twice] = await Promise.all(
      ['in.csv', 'r1.csv', 'r2.csv'].map((name) => recordsOf(at, mend(name))),
    );
    expect(own).toHaveLength(naughty.length);
    expect(own?.map((record) => (record as { request: { description?: string } }).request.description)).toEqual(
      naughty,
    );
    expect(once).toEqual(own);
    expect(twice).toEqual(own);
  });

  it('is NDJSON for JSON, each record as it was typed', async () => {
    const at = workspace();
    const bad = '{\n    "user_id": "u1", "amount": 1.50,\n    "title": "a\\u2028→"\n  }';
    at.file('in.json', `[${JSON.stringify(payouts(1)[0])}, ${bad}, 7]`);
    await dry(at, 'in.json', '--rejects', 'r.ndjson');
    const [first, second, ...rest] = at.read('r.ndjson').split('\n');
    expect(first).toMatch(
      /^\{ "user_id": "u1", "amount": 1\.50, "title": "a\\u2028→","gigwork_error":"neither cost_center_key nor .*"\}$/,
    );
    expect(second).toBe('{"value":7,"gigwork_error":"a record must be an object: {…}"}');
    expect(rest).toEqual(['']);
    at.file('in.ndjson', `${ndjson(payouts(2))}{"user_id":"u9","gigwork_error":"old"}\n`);
    await dry(at, 'in.ndjson', '--rejects', 'r.ndjson');
    expect(at.read('r.ndjson')).toMatch(/^\{"user_id":"u9","gigwork_error":"amount is missing[^\n]*\}\n$/);
  });
});

describe('standard input', () => {
  it('is read once and still rejected from', async () => {
    const at = workspace();
    const input = `${HEADER}\nu1,10,One,PP-1\nu2,20,,PP-1\n`;
    const { code } = await at.run(['payout', 'create', '-', '--dry-run', '--rejects', 'r.csv'], { input });
    expect(code).toBe(3);
    expect(at.read('r.csv')).toBe(`${COLUMNS}\nu2,20,,PP-1,,${NO_TITLE}\n`);
  });

  it('from a file is an input file like any other', async () => {
    const at = workspace();
    const input = at.file('in.csv', `${HEADER}\nu2,20,,PP-1\n`);
    const { code, stderr } = await shell(at, `payout create - --dry-run --rejects in.csv < in.csv`);
    expect(code).toBe(2);
    expect(stderr).toContain('input file');
    expect(readFileSync(input, 'utf8')).toBe(`${HEADER}\nu2,20,,PP-1\n`);
  });

  it.skipIf(process.platform === 'win32')('of standard input by its path, a file or a pipe', async () => {
    const at = workspace();
    at.file('in.csv', `${HEADER}\nu2,20,,PP-1\n`);
    for (const line of ['< in.csv', '--format csv < in.csv']) {
      const { code } = await shell(at, `payout create /dev/stdin --dry-run --rejects out.csv ${line}`);
      expect([code, at.read('out.csv')]).toEqual([3, expect.stringMatching(/^user_id.*\nu2,20,,PP-1,,title/)]);
    }
  });
});

/** Through a shell, for what only a shell does. */
async function shell(at: Workspace, line: string): Promise<{ code: number | null; stderr: string }> {
  const { spawnSync } = await import('node:child_process');
  const { fileURLToPath } = await import('node:url');
  const entry = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));
  const env = { ...process.env, GIGWORK_STATE_DIR: at.stateDir };
  const { status, stderr } = spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${entry}" ${line}`], {
    cwd: at.dir,
    encoding: 'utf8',
    env,
  });
  return { code: status, stderr };
}

describe('several inputs', () => {
  it('have a folder, a file for each, named like the input', async () => {
    const at = workspace();
    const bad = (user: string): string => `${HEADER}\n${user},1,,PP-1\n`;
    at.file('a.csv', bad('u1'));
    at.file('b/a.csv', bad('u2'));
    at.file('c/A.CSV', bad('u3'));
    at.file('a.json', '[{"user_id":"u4","amount":1}]');
    at.file('a.ndjson', '{"user_id":"u5","amount":1}\n');
    const files = ['a.csv', 'b/a.csv', 'c/A.CSV', 'a.json', 'a.ndjson', '-'];
    const args = ['payout', 'create', ...files, '--dry-run', '--rejects', 'out/re'];
    expect((await at.run(args, { input: '{"user_id":"u6","amount":1}' })).code).toBe(3);
    const users = readdirSync(at.path('out/re')).map((name) => [name, /u\d/.exec(at.read(`out/re/${name}`))?.[0]]);
    expect(Object.fromEntries(users)).toEqual({
      'a.csv': 'u1',
      'a-2.csv': 'u2',
      'A-3.CSV': 'u3',
      'a-4.ndjson': 'u4',
      'a-5.ndjson': 'u5',
      'stdin.ndjson': 'u6',
    });
  });
});

describe('a file with a fault', () => {
  it('gives the rows up to it', async () => {
    const at = workspace();
    at.file('in.csv', `${HEADER}\nu1,1,,PP-1\nu2,2,Two,PP-1\nu3,3,Th"ree,PP-1\nu4,4,,PP-1\n`);
    expect((await dry(at, 'in.csv', '--rejects', 'r.csv')).code).toBe(3);
    expect(at.read('r.csv')).toBe(`${COLUMNS}\nu1,1,,PP-1,,${NO_TITLE}\n`);
  });

  it('of a row with the wrong number of cells stays one until it is mended', async () => {
    const at = workspace();
    at.file('in.csv', `${HEADER},description\nu1,1,One,PP-1\nu2,2,Two,PP-1,b,c\n`);
    await dry(at, 'in.csv', '--rejects', 'r.csv');
    const again = await dry(at, 'r.csv');
    expect(again.events.filter(({ code }) => code === 'bad-csv')).toHaveLength(2);
    const [header, short, long] = at.read('r.csv').split('\n');
    expect(short).toMatch(/^u1,1,One,PP-1,,,"the row has 4 cells, .*",correct this row and delete this cell$/);
    expect(long).toMatch(/^u2,2,Two,PP-1,b,c,,"the row has 6 cells, .*",correct this row and delete this cell$/);
    at.file(
      'r.csv',
      [header, short, long?.replace(',b,c,', ',"b,c",'), ''].join('\n').replaceAll(/,correct this.*/g, ''),
    );
    const mended = await dry(at, 'r.csv');
    expect(mended.events.filter(({ event }) => event === 'issue')).toEqual([]);
    expect(mended).toMatchObject({ code: 0, summary: { records: { planned: 2 } } });
  });

  it.each<[string, Uint8Array | string]>([
    ['that is no text', Buffer.from('PK\x03\x04xxxx')],
    ['whose header is not where it should be', 'a\n'],
  ])('%s empties an old file', async (_name, content) => {
    const at = workspace();
    at.file('in.csv', content);
    at.file('r.csv', 'old');
    expect((await dry(at, 'in.csv', '--header-line', '9', '--rejects', 'r.csv')).code).toBe(3);
    expect(at.read('r.csv')).toBe('');
  });
});

describe('what is refused before anything is sent', () => {
  it.each<[string, string[]]>([
    ['the input file', ['in.csv', '--rejects', 'in.csv']],
    ['the input file by another path', ['in.csv', '--rejects', 'sub/../in.csv']],
    ['the list of prices', ['in.csv', '--prices', 'prices.csv', '--rejects', 'prices.csv']],
    ['a folder, for one input', ['in.csv', '--rejects', 'sub']],
    ['a folder that is not there', ['in.csv', '--rejects', 'no/r.csv']],
    ['a file, for two inputs', ['in.csv', 'in2.csv', '--rejects', 'old.csv']],
    ['the folder of an input, which would be written over', ['in.csv', 'in2.csv', '--rejects', '.']],
    ['the name of a report', ['in.csv', '--rejects', 'x.csv', '--report', './x.csv']],
    ['the name of a report, in a folder', ['in.csv', 'in2.csv', '--rejects', 'sub', '--report', 'sub/in2.csv']],
    ['a device', ['in.csv', '--rejects', '/dev/null']],
    [
      'a record from flags',
      ['--user-id', 'u1', '--amount', '1', '--title', 'T', '--cost-center-key', 'PP-1', '--rejects', 'x.csv'],
    ],
  ])('%s', async (_name, args) => {
    const at = workspace();
    const service = await testService();
    const before = {
      'in.csv': csv(payouts(2)),
      'in2.csv': csv(payouts(2, 2)),
      'prices.csv': 'gig_task_id,base_price\n',
      'old.csv': 'old',
    };
    for (const [name, content] of Object.entries(before)) at.file(name, content);
    at.file('sub/keep', '');
    const { code, summary } = await at.run(['payout', 'create', ...args, '--base-url', service.url, '--yes', '--json']);
    expect(code).toBe(2);
    expect(summary).toMatchObject({ stop_reason: 'usage' });
    expect(service.requestCount).toBe(0);
    for (const [name, content] of Object.entries(before)) expect(at.read(name)).toBe(content);
    expect(existsSync(at.path('x.csv'))).toBe(false);
  });
});

describe('an input that changes during the run', () => {
  it('gives no rejects, and the run says why', async () => {
    const at = workspace();
    at.file('in.csv', `${HEADER}\nu1,1,,PP-1\nu2,2,Two,PP-1\n`);
    at.file('r.csv', 'old');
    const service = await testService({
      respond: () => {
        writeFileSync(at.path('in.csv'), `${HEADER}\nu2,2,Two,PP-1\nu1,1,,PP-1\n`);
        return undefined;
      },
    });
    const args = [
      'payout',
      'create',
      'in.csv',
      '--base-url',
      service.url,
      '--yes',
      '--skip-invalid',
      '--rejects',
      'r.csv',
    ];
    const { code, stderr } = await at.run(args);
    expect(code).toBe(4);
    expect(stderr).toContain('r.csv could not be written: in.csv has changed since it was checked');
    expect(at.read('r.csv')).toBe('old');
    expect(readdirSync(at.dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('batch resume', () => {
  it('has no input to reject from', async () => {
    const at = workspace();
    const service = await testService({ respond: () => ({ status: 401 }) });
    at.file('in.csv', csv(payouts(1)));
    const { summary } = await at.run(['payout', 'create', 'in.csv', '--base-url', service.url, '--yes', '--json']);
    const resumed = await at.run(['batch', 'resume', summary.run as string, '--rejects', 'r.csv']);
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toContain('--rejects needs the input');
  });

  it('help names the option', async () => {
    expect((await gigwork(['payout', 'create', '--help-all'])).stdout).toContain('--rejects <file>');
  });
});

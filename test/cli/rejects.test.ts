/** `--rejects`: the records to be mended, as they were typed. CONTRACT: "Files it writes". */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv, ndjson, payouts } from '../support/builders.js';
import { type Workspace, workspace, workspaceWith } from '../support/cli.js';
import { openDeskAnswering, issuesOf, recordsOf, remedyOf } from '../support/desk.js';
import { testService } from '../support/fixtures.js';
import { shellIn } from '../support/shell.js';

const HEADER = 'user_id,amount,title,cost_center_key';
/** The columns of a rejects file. */
const COLUMNS = `${HEADER},gigwork_key,gigwork_error`;
const NO_TITLE = '"The cell under ""title"" is empty. Every payment needs a title"';
const REJECTS = ['--rejects', 'r.csv'];

function dry(at: Workspace, ...args: string[]): ReturnType<Workspace['run']> {
  return at.run(['payout', 'create', ...args, '--dry-run', '--json']);
}

/** The rejects of one file, in a workspace of their own; and what the run said. */
async function rejected(name: string, content: string | Uint8Array, ...flags: string[]) {
  const at = workspaceWith({ [name]: content, 'r.csv': 'old' });
  const result = await dry(at, name, ...REJECTS, '--overwrite', ...flags);
  return { at, result, text: at.read('r.csv') };
}

describe('--rejects', () => {
  it('holds the invalid records of a refused run, which then can be corrected and imported', async () => {
    const { at, result, text } = await rejected(
      'bad.csv',
      `${HEADER}\nu1,10,One,PP-1\nu2,20,,PP-1\nu3,"1,5",Three,PP-1\nu4,30,Four,PP-1\n`,
    );
    expect(result).toMatchObject({ code: 3, summary: { stop_reason: 'invalid_input' } });
    expect(text.split('\n')).toEqual([
      COLUMNS,
      `u2,20,,PP-1,,${NO_TITLE}`,
      expect.stringMatching(/^u3,"1,5",Three,PP-1,,"""amount"": ""1,5"" is not a plain number; /),
      '',
    ]);
    expect((await dry(at, 'r.csv')).summary.records).toMatchObject({ invalid: 2 });
    at.file('r.csv', text.replace('u2,20,,', 'u2,20,Two,').replace('"1,5"', '1.5'));
    expect(await dry(at, 'r.csv')).toMatchObject({ code: 0, summary: { records: { read: 2, planned: 2 } } });
  });

  it('of a refused run say that the valid records were not sent either', async () => {
    const { work, sendFiles } = await openDeskAnswering({});
    work.file('in.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,,PP-1\nu3,30,Three,PP-1\n`);
    const { code, stderr } = await sendFiles(['in.csv'], ...REJECTS);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^Rejects written: r\.csv, 1 record\. 2 valid records were not sent either$/m),
    ]);
  });

  it('holds the invalid and the rejected records of a run that went on, and nothing of what may have been created', async () => {
    const { work, service, sendFiles, runPrinted } = await openDeskAnswering({
      u2: { status: 422, body: '{"error":"=no bank\\naccount"}' },
      u3: { status: 200, body: 'ok' },
    });
    work.file('in.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,Two,PP-1\nu3,30,Three,PP-1\nu4,40,,PP-1\n`);
    const first = await sendFiles(['in.csv'], '--skip-invalid', '--batch-id', 'may', ...REJECTS);
    expect(first.code).toBe(6);
    const { key } = recordsOf(first)[1];
    expect(work.read('r.csv')).toBe(
      `${COLUMNS}\nu2,20,Two,PP-1,${key},HTTP 422: =no bank account\nu4,40,,PP-1,,${NO_TITLE}\n`,
    );
    service.responder(undefined);
    work.file('r.csv', work.read('r.csv').replace('u4,40,,', 'u4,40,Four,'));
    // A mended row without a key belongs to the batch of its run: the command says so.
    const command = remedyOf(first, 'may');
    const second = await runPrinted(command, '--rejects', 'r2.csv');
    expect(second).toMatchObject({ code: 0, summary: { batch_id: 'may', records: { created: 2 } } });
    expect(work.read('r2.csv')).toBe(`${COLUMNS}\n`);
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1]);
  });

  it('is not needed: the same input, corrected, is sent in its batch without what was paid', async () => {
    const at = await openDeskAnswering({});
    at.work.file('in.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,,PP-1\n`);
    const first = await at.sendFiles(['in.csv'], '--skip-invalid', '--expect-count', '1', '--batch-id', 'may');
    at.work.file('in.csv', `${HEADER}\nu1,10,One,PP-1\nu2,20,Two,PP-1\n`);
    const second = await at.runPrinted(remedyOf(first, 'may'));
    expect(second).toMatchObject({ code: 0, summary: { batch_id: 'may', records: { created: 1, skipped: 1 } } });
    expect([...at.service.executions.values()]).toEqual([1, 1]);
  });

  it.each<[string, string, string | Uint8Array, string, string[]]>([
    ['without rejects', 'good.csv', csv(payouts(3)), `${COLUMNS}\n`, []],
    ['without rejects, of JSON', 'good.json', JSON.stringify(payouts(3)), '', []],
    ['without records', 'empty.csv', '', '', ['--allow-empty']],
    ['of what is no text', 'in.csv', Buffer.from('PK\x03\x04xxxx'), '', []],
    ['where the header is not where it should be', 'in.csv', 'a\n', '', ['--header-line', '9']],
    ['up to a fault', 'in.csv', `${HEADER}\nu1,1,,P\nu2,2,T"wo,P\n`, `${COLUMNS}\nu1,1,,P,,${NO_TITLE}\n`, []],
  ])('is written %s too, so that an old one does not mislead', async (_what, name, content, expected, flags) => {
    expect((await rejected(name, content, ...flags)).text).toBe(expected);
  });

  it('has the keys that a person gave as they were given, formulas and all', async () => {
    const { work, sendFiles } = await openDeskAnswering({ u1: { status: 422, body: '{}' } });
    work.file('in.csv', `idempotency_key,${HEADER}\n=k,u1,10,One,PP-1\n`);
    await sendFiles(['in.csv'], ...REJECTS);
    expect(work.read('r.csv')).toMatch(/^'=k,u1,10,One,PP-1,'=k,HTTP 422/m);
    work.file('r2.csv', `${work.read('r.csv')}'=other,u2,10,One,PP-1,'=k,\n`);
    const again = await dry(work, 'r2.csv');
    const twice = { code: 'duplicate-key', field: 'gigwork_key', value: '=k' };
    expect([again.code, issuesOf(again)]).toMatchObject([3, [2, 3].map((line) => ({ ...twice, line }))]);
  });

  it('of a row with the wrong number of cells stays one until it is mended', async () => {
    const { at, text } = await rejected('in.csv', `${HEADER},description\nu1,1,One,PP-1\nu2,2,Two,PP-1,b,c\n`);
    expect(issuesOf(await dry(at, 'r.csv'), 'bad-csv')).toHaveLength(2);
    const [header, short, long] = text.split('\n');
    expect(short).toMatch(/^u1,1,One,PP-1,,,"the row has 4 cells, .*",correct this row and delete this cell$/);
    expect(long).toMatch(/^u2,2,Two,PP-1,b,c,,"the row has 6 cells, .*",correct this row and delete this cell$/);
    const quoted = [header, short, long?.replace(',b,c,', ',"b,c",'), ''].join('\n');
    at.file('r.csv', quoted.replaceAll(/,correct this.*/g, ''));
    const mended = await dry(at, 'r.csv');
    expect(issuesOf(mended)).toEqual([]);
    expect(mended).toMatchObject({ code: 0, summary: { records: { planned: 2 } } });
  });
});

describe('the form of the input', () => {
  const TITLE = 'Boni für „Müller“';
  const lines = (columns: string, ...rows: string[]): string[] => [
    TITLE,
    `user_id;title;cost_center_key;amount${columns}`,
    ...rows,
    '',
  ];
  const windows1252 = (content: string): Buffer =>
    Buffer.from(content.replaceAll('€', '\x80').replaceAll('„', '\x84').replaceAll('“', '\x93'), 'latin1');
  const utf16le = (content: string): Buffer => Buffer.from(`\ufeff${content}`, 'utf16le');

  it.each<[string, string, (content: string) => Buffer]>([
    ['UTF-8', '\n', (content) => Buffer.from(content)],
    ['UTF-8 with a byte order mark', '\r\n', (content) => Buffer.from(`\ufeff${content}`)],
    ['Windows-1252', '\r\n', windows1252],
    ['UTF-16 LE', '\r\n', utf16le],
    ['UTF-16 BE', '\r', (content) => utf16le(content).swap16()],
  ])('is kept: %s', async (_name, lineEnd, encode) => {
    const input = lines('', 'u1;=1+1 für 5 €;PP-1;', `u2;"a;b\n""c""";PP-1;10`).join(lineEnd);
    const { at, result } = await rejected('in.csv', encode(input), '--header-line', '2');
    const [{ error }] = recordsOf(result);
    const expected = lines(
      ';gigwork_key;gigwork_error',
      `u1;'=1+1 für 5 €;PP-1;;;"${String(error).replaceAll(`"`, `""`)}"`,
    ).join(lineEnd);
    expect(readFileSync(at.path('r.csv')).toString('hex')).toBe(encode(expected).toString('hex'));
    expect(recordsOf(await dry(at, 'r.csv', '--header-line', '2'))).toMatchObject([{ status: 'invalid', error }]);
  });

  it('is kept: a sep= line, a tab, blank rows left out', async () => {
    const head = 'user_id\tamount\ttitle\tcost_center_key';
    const { text } = await rejected('in.csv', `sep=\t\r\n${head}\r\n\r\nu1\t1\t\tPP-1\r\n\t\t\t\r\n`);
    expect(text).toBe(`sep=\t\r\n${head}\tgigwork_key\tgigwork_error\r\nu1\t1\t\tPP-1\t\t${NO_TITLE}\r\n`);
  });

  it('is NDJSON for JSON, each record as it was typed', async () => {
    const bad = '{\n    "user_id": "u1", "amount": 1.50,\n    "title": "a\\u2028→"\n  }';
    const { text } = await rejected('in.json', `[${JSON.stringify(payouts(1)[0])}, ${bad}, 7]`);
    const typed = '{ "user_id": "u1", "amount": 1.50, "title": "a\\u2028→","gigwork_error":"cost_center_key is missing';
    expect(text.split('\n')).toEqual([
      expect.stringContaining(typed),
      '{"value":7,"gigwork_error":"a record must be an object: {…}"}',
      '',
    ]);
    const again = await rejected('in.ndjson', `${ndjson(payouts(2))}{"user_id":"u9","gigwork_error":"old"}\n`);
    expect(again.text).toMatch(/^\{"user_id":"u9","gigwork_error":"amount is missing[^\n]*\}\n$/);
    const { work, sendFiles } = await openDeskAnswering({ u1: { status: 422, body: '{}' } });
    work.file('in.ndjson', ndjson(payouts(1)));
    const [{ key }] = recordsOf(await sendFiles(['in.ndjson'], '--rejects', 'r.ndjson'));
    const own = { gigwork_key: key, gigwork_error: 'HTTP 422: {}' };
    expect(JSON.parse(work.read('r.ndjson'))).toEqual({ ...payouts(1)[0], ...own });
  });

  it('have a folder where there are several, a file for each, named like the input', async () => {
    const at = workspace();
    for (const [i, name] of ['a.csv', 'b/a.csv', 'c/A.CSV'].entries()) at.file(name, `${HEADER}\nu${i + 1},1,,PP-1\n`);
    at.file('a.json', '[{"user_id":"u4","amount":1}]');
    at.file('a.ndjson', '{"user_id":"u5","amount":1}\n');
    const call = 'payout create a.csv b/a.csv c/A.CSV a.json a.ndjson - --dry-run --rejects out/re';
    expect((await at.run(call, { input: '{"user_id":"u6","amount":1}' })).code).toBe(3);
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

  it.skipIf(process.platform === 'win32')(
    'may come from standard input: it is read once, and never written over',
    async () => {
      const at = workspace();
      at.file('in.csv', `${HEADER}\nu2,20,,PP-1\n`);
      const shell = shellIn(at);
      for (const [input, code] of [
        ['cat in.csv | gigwork payout create - --overwrite --rejects out.csv', 3],
        ['gigwork payout create /dev/stdin --overwrite --rejects out.csv < in.csv', 3],
        ['gigwork payout create - --overwrite --rejects in.csv < in.csv', 2],
      ] as const)
        expect(await shell(`${input} --dry-run`)).toMatchObject({ code });
      expect(at.read('out.csv')).toBe(`${COLUMNS}\nu2,20,,PP-1,,${NO_TITLE}\n`);
      expect(at.read('in.csv')).toBe(`${HEADER}\nu2,20,,PP-1\n`);
    },
  );
});

// What else is never written over: test/faults/output-files.test.ts.
describe.each(['--rejects', '--results'])('%s is refused before anything is sent', (flag) => {
  it.each([
    ['a folder, for one input', `in.csv ${flag} sub`],
    ['a file, for two inputs', `in.csv in2.csv ${flag} old.csv`],
    ['the folder of an input, which would be written over', `in.csv in2.csv ${flag} .`],
    ['the name of a report, in a folder', `in.csv in2.csv ${flag} sub --report sub/in2.csv`],
    ['the name of the other', 'in.csv --results x.csv --rejects ./x.csv'],
    ['the folder of the other', 'in.csv in2.csv --results sub/new/.. --rejects sub'],
    ['a pipe', `in.csv ${flag} pipe`],
    ['of a record from flags', `--user-id u1 --amount 1 --title T ${flag} x.csv`],
  ])('%s', async (_name, words) => {
    const service = await testService();
    const before = { 'in.csv': csv(payouts(2)), 'in2.csv': csv(payouts(2, 2)), 'old.csv': 'old' };
    const at = workspaceWith({ ...before, 'sub/keep': '' });
    if (process.platform !== 'win32') execFileSync('mkfifo', [at.path('pipe')]);
    const { code, summary } = await at.run(`payout create ${words} --base-url ${service.url} --yes --json`);
    expect([code, summary.stop_reason, service.requestCount]).toEqual([2, 'usage', 0]);
    for (const [name, content] of Object.entries(before)) expect(at.read(name)).toBe(content);
    expect([existsSync(at.path('x.csv')), readdirSync(at.path('sub'))]).toEqual([false, ['keep']]);
  });
});

/** `--results`: every record as it was typed, and what became of it. CONTRACT: "Files it writes". */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspaceWith } from '../support/cli.js';
import { openDesk, openDeskAnswering, expectRefused, recordsOf, ROWS } from '../support/desk.js';
import { jsonLines } from '../support/result.js';
import { sheet } from '../support/workbook.js';

const HEADER = 'user_id,amount,title,cost_center_key';
const OWN = 'gigwork_status,gigwork_id,gigwork_key,gigwork_at,gigwork_error';
const COLUMNS = `${HEADER},${OWN}`;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.source;

describe('--results', () => {
  it('has every record as it was typed, in its order, and what became of it', async () => {
    const { work, sendFiles } = await openDeskAnswering({
      u2: { status: 422, body: '{"error":"=no\\naccount"}' },
      u3: { status: 200, body: 'ok' },
      u5: { status: 201, body: '{"id":"=id,5"}' },
    });
    const rows = ['u1,10.00,=1+1,PP-1', 'u2,0020,Two,PP-1', 'u3,30,Three,PP-1', 'u4,40,,PP-1', 'u5,5,"Fi,ve",PP-1'];
    work.file('in.csv', [HEADER, ...rows.toSpliced(1, 0, 'u2,20,Two,PP-1'), ''].join('\n'));
    const files = ['--results', 'r.csv', '--rejects', 'rejects.csv'];
    const done = await sendFiles(['in.csv'], '--skip-invalid', ...files);
    expect(done.summary.records).toMatchObject({ created: 2, rejected: 1, unknown: 1, invalid: 2 });
    const told = recordsOf(done);
    const expected = (n: number): string => [told[n].status, told[n].id, told[n].key].map((text) => text ?? '').join();
    const lines = work.read('r.csv').split('\n');
    expect(lines).toEqual([
      COLUMNS,
      expect.stringMatching(`^u1,10\\.00,'=1\\+1,PP-1,${expected(0)},${TIME},$`),
      expect.stringMatching(`^u2,20,Two,PP-1,rejected,,${told[1].key},${TIME},HTTP 422: =no account$`),
      expect.stringMatching(/^u2,0020,Two,PP-1,invalid,,,,"""amount"": /),
      expect.stringMatching(`^u3,30,Three,PP-1,${expected(3)},${TIME},"?HTTP 200`),
      expect.stringMatching(/^u4,40,,PP-1,invalid,,,,"The cell under ""title"" is empty/),
      expect.stringMatching(`^u5,5,"Fi,ve",PP-1,created,"'=id,5",${told[5].key},${TIME},$`),
      '',
    ]);
    // Both files are written, each with its own columns.
    expect(work.read('rejects.csv').split('\n')).toHaveLength(5);
  });

  it('of a dry run says what is planned or already created, of a refused run that nothing was sent', async () => {
    const { work: at, service, send, sendFiles } = await openDesk();
    const rows = (): string[] => at.read('r.csv').trimEnd().split('\n').slice(1);
    expect((await send(ROWS, '--expect-count', '9', '--results', 'r.csv')).code).toBe(3);
    expect(rows()).toEqual(ROWS.map(() => expect.stringMatching(/,not_sent,,[^,]+,,$/)));
    expect(service.requestCount).toBe(0);
    await at.run('payout create p.csv --dry-run --overwrite --results r.csv');
    expect(rows()).toEqual(ROWS.map(() => expect.stringMatching(/planned,,[0-9a-f-]{36},,$/)));
    await send(ROWS);
    await sendFiles(['p.csv'], '--dry-run', '--overwrite', '--results', 'r.csv');
    expect(rows()).toEqual(ROWS.map(() => expect.stringMatching(/,already_created,[^,]+,[0-9a-f-]{36},[^,]+Z,$/)));
  });

  it('of the same input tells what it has created as created, also when its run is closed', async () => {
    const { work: at, send } = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
    const rows = payouts(2);
    const { summary } = await send(rows);
    expect((await at.run(`batch close ${summary.run} --note x`)).code).toBe(0);
    for (const other of ['not_sent', 'created']) {
      const flags = other === 'created' ? ['--skip-created'] : [];
      expect((await send(rows, '--results', 'r.csv', ...flags)).code).toBe(other === 'created' ? 0 : 3);
      const [, first, second] = at.read('r.csv').split('\n');
      expect(first).toMatch(/,created,[^,]*,[0-9a-f-]{36},[^,]+Z,$/);
      expect(second).toContain(`,${other},`);
    }
  });
});

describe('the form of the input', () => {
  it('is kept: title, delimiter, line ends and encoding', async () => {
    const header = 'user_id;title;cost_center_key;amount';
    const lines = ['\ufeffLöhne;', header, 'u1;"a;ö";PP-1;1', 'u2;b;PP-1;2', ''];
    const at = workspaceWith({ 'in.csv': Buffer.from(lines.join('\r\n'), 'utf16le') });
    await at.run('payout create in.csv --dry-run --header-line 2 --results r.csv --json');
    expect(readFileSync(at.path('r.csv')).toString('utf16le').split('\r\n')).toEqual([
      '\ufeffLöhne;',
      `${header};${OWN.replaceAll(',', ';')}`,
      expect.stringMatching(/^u1;"a;ö";PP-1;1;planned;;[^;]{36};;$/),
      expect.stringMatching(/^u2;b;PP-1;2;planned;/),
      '',
    ]);
  });

  it('is NDJSON for JSON, each record as it was typed', async () => {
    const typed = '{\n "user_id": "u1",\n "gigwork_id": "old", "amount": 1.50}';
    const at = workspaceWith({ 'in.json': `[${JSON.stringify(payouts(1)[0])}, ${typed}, 7]` });
    await at.run('payout create in.json --dry-run --results r.ndjson');
    const lines = at.read('r.ndjson').split('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ...payouts(1)[0],
      gigwork_status: 'not_sent',
      gigwork_id: null,
      gigwork_key: expect.any(String),
      gigwork_at: null,
      gigwork_error: null,
    });
    const own = '"gigwork_status":"invalid","gigwork_id":null,"gigwork_at":null,"gigwork_error":"title is missing';
    expect(lines[1]).toContain(`{ "user_id": "u1", "amount": 1.50,${own}`);
    expect(lines[2]).toMatch(/^\{"value":7,"gigwork_status":"invalid",/);
    expect(lines.slice(3)).toEqual(['']);
  });

  it('has nothing below its header where the input has nothing', async () => {
    const at = workspaceWith({ 'in.csv': `${HEADER}\n`, 'r.csv': 'old' });
    await at.run('payout create in.csv --dry-run --allow-empty --overwrite --results r.csv');
    expect(at.read('r.csv')).toBe(`${COLUMNS}\n`);
  });
});

describe('the command that goes on', () => {
  /** Two are created, then the token is not taken any more. */
  async function stopped(content: string, flags: string, input?: string) {
    const at = await openDesk((n) => ({ status: n < 3 ? 201 : 401 }));
    at.work.file('sub/in.csv', content);
    const outputs = '--results r.csv --rejects x.csv --report p.html --report p.csv';
    const target = `--base-url ${at.service.url} --yes --json --concurrency 1`;
    const file = input === undefined ? 'sub/in.csv' : '-';
    const first = await at.work.run(`payout create ${file} ${flags} ${outputs} ${target}`, { input: input ?? '' });
    expect(first).toMatchObject({ code: 6, summary: { records: { created: 2, not_sent: 1 } } });
    at.service.responder(undefined);
    return { ...at, first, cwd: dirname(at.work.file('elsewhere/x', '')) };
  }
  const states = (text: string): (string | undefined)[] =>
    text.split('\n').flatMap((line) => /,(created|already_created|rejected|invalid|not_sent),/.exec(line)?.[1] ?? []);
  // A title, cells that are numbers in the manner of the country, columns with names of their own.
  const CONTENT =
    'Lohn;;;\nWer;amount;title;cost_center_key\nu1;1,50;One;P\nu2;x;Two;P\nu3;3,00;Three;P\nu4;4,00;Four;P\n';
  const FLAGS = '--header-line 2 --decimal comma --map Wer=user_id --skip-invalid';

  it.each(['the summary', 'batch show'])('of %s brings all files up to date, from another folder', async (from) => {
    const { work: at, first, cwd, batch } = await stopped(CONTENT, FLAGS);
    const shown = (await batch('show', first.summary.run)).next;
    const [, ...words] = from === 'batch show' ? shown : first.summary.next;
    const done = await at.run([...words, '--json'], { cwd });
    expect(done).toMatchObject({ code: 4, summary: { records: { already_created: 2, created: 1, invalid: 1 } } });
    const [title, header, ...rows] = at.read('r.csv').trimEnd().split('\n');
    expect([title, header]).toEqual(['Lohn;;;', `Wer;amount;title;cost_center_key;${OWN.replaceAll(',', ';')}`]);
    const kept = [/^u1;1,50;One;P;created;/, /^u2;x;Two;P;invalid;/, /^u3;3,00;.*;created;/, /^u4;4,00;.*;created;/];
    for (const [i, pattern] of kept.entries()) expect(rows[i]).toMatch(pattern);
    expect(rows).toHaveLength(4);
    expect(at.read('x.csv')).toMatch(/^Lohn;;;\nWer;.*;gigwork_key;gigwork_error\nu2;x;Two;P;;"+amount[^\n]*\n$/);
    expect(states(at.read('p.csv'))).toEqual(['already_created', 'invalid', 'already_created', 'created']);
    expect(readdirSync(cwd)).toEqual(['x']);
  });

  it.each<[string, (at: Workspace) => void, RegExp]>([
    ['is gone', (at) => rmSync(at.path('sub/in.csv')), /sub\/in\.csv: there is no such file/],
    ['has changed', (at) => at.file('sub/in.csv', csv(ROWS)), /sub\/in\.csv has changed/],
  ])('pays also where the input %s, and says what is told without it', async (_what, change, words) => {
    const { work: at, first, cwd } = await stopped(csv(payouts(3)), '');
    const before = at.read('r.csv');
    change(at);
    const { code, summary } = await at.run([...first.summary.next.slice(1), '--json'], { cwd });
    expect([code, summary.records.created, summary.next]).toEqual([1, 1, null]);
    expect(at.read('r.csv')).toBe(before);
    expect(summary.reasons.join()).toMatch(words);
    expect(commandsOf(summary)).toContain(`batch report ${summary.run} `);
    expect(states(at.read('p.csv'))).toEqual(['already_created', 'already_created', 'created']);
  });

  it('has no results of standard input, which cannot be read again', async () => {
    const { work: at, first } = await stopped('', '--format csv', csv(payouts(3)));
    const { next, run } = first.summary;
    expect(next).not.toContain('--results');
    expect(next).not.toContain('--format');
    expect((await at.run([...next.slice(1), '--json', '--results', 'again.csv'])).code).toBe(2);
    expect(existsSync(at.path('again.csv'))).toBe(false);
    expect((await at.run(`batch resume ${run} --negate`)).code).toBe(2);
    expect((await at.run([...next.slice(1), '--json'])).code).toBe(0);
  });
});

it('of an input that changes during the run nothing is written, and the run says where the same is told', async () => {
  const { work, service, send } = await openDesk();
  for (const name of ['r.csv', 'x.csv']) work.file(name, 'old');
  service.responder(() => {
    work.file('p.csv', csv(payouts(4, 9)));
    return undefined;
  });
  const { code, summary } = await send(ROWS, '--overwrite', '--results', 'r.csv', '--rejects', 'x.csv');
  expect([code, work.read('r.csv'), work.read('x.csv')]).toEqual([1, 'old', 'old']);
  expect(readdirSync(work.dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(summary.reasons).toEqual([
    expect.stringMatching(/^All 4 records are paid\. Only output is missing: x\.csv and r\.csv could not be written/),
  ]);
  expect(commandsOf(summary)).toContain(`batch report ${summary.run}`);
});

describe('results that are imported by mistake', () => {
  const REFUSED = { 'results-file': 1 };

  it('pay nobody, whatever became of their rows, in any form, batch and journal', async () => {
    const replies = [{ status: 201 }, { status: 422 }, { status: 200, body: 'ok' }];
    const { work: at, service, send, sendFiles } = await openDesk((n) => replies[n - 1] ?? { status: 201 });
    await send(ROWS, '--results', 'r.csv');
    const before = [service.ledgerTotal(), service.requestCount];
    at.file('renamed.csv', at.read('r.csv').replace('gigwork_status', 'Gigwork Status'));
    for (const words of [
      'r.csv',
      'r.csv --skip-invalid --batch-id other --state-dir other',
      'r.csv --ignore-column gigwork_status --allow-empty',
      'renamed.csv',
    ]) {
      const [name = '', ...flags] = words.split(' ');
      const refused = await sendFiles([name], ...flags);
      expectRefused(refused, 'invalid_input', REFUSED);
      expect(refused.summary.records.read).toBe(0);
    }
    expect([service.ledgerTotal(), service.requestCount]).toEqual(before);
  });

  it('are refused as NDJSON and as a workbook, too, beside a file that is none', async () => {
    const { work: at, service, sendFiles } = await openDesk();
    at.file('p.csv', csv(ROWS));
    at.file('p.ndjson', `${JSON.stringify(payouts(1, 7)[0])}\n`);
    at.file('r.xlsx', sheet([COLUMNS.split(','), ['u9', 9, 'Nine', 'PP-1', 'created']]));
    // Their column is below a title, and the call does not name its line.
    at.file('titled.csv', csv(ROWS, { delimiter: ';', before: ['Wages of November;;', ''] }));
    const titled = 'titled.csv --header-line 3 --results';
    for (const words of ['p.ndjson --results r.ndjson', `${titled} t.csv`, `${titled} t.xlsx`])
      await at.run(`payout create ${words} --dry-run`);
    expect(jsonLines(at.read('r.ndjson'))).toMatchObject([{ gigwork_status: 'planned' }]);
    for (const name of ['r.ndjson', 'r.xlsx', 't.csv', 't.xlsx'])
      expectRefused(await sendFiles(['p.csv', name], '--skip-invalid'), 'invalid_input', REFUSED);
    expect(service.requestCount).toBe(0);
  });
});

/** The commands of the remedies, a line each. */
function commandsOf({ remedies }: { remedies: { command: string[] }[] }): string {
  return remedies.map(({ command }) => command.join(' ')).join('\n');
}

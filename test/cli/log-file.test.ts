/** `--log-file`: a line for each attempt, without bodies and secrets. CONTRACT: "`--json`". */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, type Workspace } from '../support/cli.js';
import { NO_WAITS } from '../support/crash.js';
import { recordsOf } from '../support/desk.js';
import { paying, testService } from '../support/fixtures.js';
import { jsonLines } from '../support/result.js';
import { shellIn } from '../support/shell.js';
import type { Reply, Service } from '../support/service.js';

interface Desk {
  readonly work: Workspace;
  readonly service: Service;
  send(flags?: string): Promise<CliResult>;
}

async function desk(rows: number, respond: (n: number) => Reply | undefined = () => undefined): Promise<Desk> {
  const service = await testService({ respond: ({ n }) => respond(n) });
  const work = paying(rows);
  const call = `payout create p.csv --base-url ${service.url} --yes --json --concurrency 1`;
  return { work, service, send: (flags = '') => work.run(`${call} ${flags}`, { env: NO_WAITS }) };
}

const LOG = '--log-file log.ndjson';
const lines = (work: Workspace, name = 'log.ndjson') => jsonLines(work.read(name));

describe('--log-file', () => {
  test('has a line for each attempt, in order, with what the answer calls it', async () => {
    const replies: Reply[] = [
      { status: 503, headers: { 'x-request-id': 'first' } },
      { status: 201, headers: { 'x-request-id': 'second' } },
      { fault: 'reset-before' },
      { status: 201 },
    ];
    const { work, service, send } = await desk(2, (n) => replies[n - 1]);
    const result = await send(LOG);
    expect(result.code).toBe(0);
    const [one, two, three, four, ...more] = lines(work);
    expect(more).toEqual([]);
    const [first, second] = recordsOf(result);
    const { run } = result.summary;
    const common = { run, file: 'p.csv', method: 'POST', url: `${service.url}/api/v2/payouts` };
    const at = { time: expect.stringMatching(/^\d{4}-.*Z$/), ms: expect.any(Number) };
    const of = (record: number, { key }: { key: string }, attempt: number) => ({
      ...common,
      ...at,
      record,
      key,
      attempt,
    });
    expect(one).toEqual({ ...of(1, first, 1), status: 503, error: null, request_id: 'first' });
    expect(two).toEqual({ ...of(1, first, 2), status: 201, error: null, request_id: 'second' });
    expect(three).toEqual({ ...of(2, second, 1), status: null, error: expect.stringMatching(/./), request_id: null });
    expect(four).toEqual({ ...of(2, second, 2), status: 201, error: null, request_id: null });
    expect(Object.keys(one).join()).toBe('time,run,file,record,key,attempt,method,url,status,ms,error,request_id');
  });

  test('has neither bodies nor secrets', async () => {
    const token = 'very-secret-token';
    const body = JSON.stringify({ error: `no bank details for usr_1, said ${token}` });
    const { work, send } = await desk(1, () => ({ status: 422, body, headers: { 'x-request-id': `id of ${token}` } }));
    await send(`${LOG} --header 'Authorization: Bearer ${token}'`);
    expect(lines(work)).toMatchObject([{ status: 422, error: null, request_id: 'id of [hidden]' }]);
    expect(work.read('log.ndjson')).not.toMatch(/very-secret|bank|usr_/);
  });

  test('is appended to, also by a run that goes on, whose printed command names it', async () => {
    const { work, send } = await desk(2, (n) => (n === 2 ? { status: 401 } : undefined));
    work.file('log.ndjson', '{"mine":1}\n');
    const { summary, stderr } = await send(LOG);
    expect(summary.exit_code).toBe(6);
    expect(lines(work)).toMatchObject([{ mine: 1 }, { status: 201 }, { status: 401, attempt: 1 }]);
    expect(stderr).toMatch(/(?:To|Then) continue: .*--log-file \/\S+\/log\.ndjson/m);
    await work.run(`batch resume ${summary.run} --yes ${LOG}`, { env: NO_WAITS });
    expect(lines(work)).toHaveLength(4);
    expect(lines(work)[3]).toMatchObject({ run: summary.run, record: 2, attempt: 2, status: 201 });
  });

  test('gets whole lines from several processes at once', async () => {
    const { work, service } = await desk(1);
    const call = (batch: string) =>
      work.process(`payout create ${batch}.csv --base-url ${service.url} --yes --batch-id ${batch} --quiet ${LOG}`);
    // Different people, so that nobody waits for another.
    const rowsOf = (batch: string) => payouts(60).map((row) => ({ ...row, user_id: `${batch}-${row.user_id}` }));
    for (const batch of ['a', 'b']) work.file(`${batch}.csv`, csv(rowsOf(batch)));
    await Promise.all(['a', 'b'].map(call));
    expect(lines(work)).toHaveLength(120);
    expect(new Set(lines(work).map(({ run }) => run)).size).toBe(2);
  });

  test.each([
    ['p.csv', /input/],
    ['state/journal.db', /belongs to the state of gigwork/],
    ['no/log.ndjson', /the folder .*no is not there/],
    ['r.csv --report r.csv', /two output files/],
    ['config.json --config config.json', /settings/],
  ])('%s is refused before anything is sent', async (words, said) => {
    const { work, service, send } = await desk(1);
    work.file('config.json', '{}');
    const { code, stderr } = await send(`--log-file ${words}`);
    expect([code, service.requestCount, work.read('config.json')]).toEqual([2, 0, '{}']);
    expect(stderr).toMatch(said);
  });

  test.runIf(process.platform === 'linux')('that fails later stops nothing, and is told once', async () => {
    const { service, send } = await desk(30);
    const { code, stderr } = await send('--log-file /dev/full --quiet');
    expect([code, service.requestCount]).toEqual([0, 30]);
    expect(stderr.replace(/\s+/g, ' ').match(/log file \/dev\/full is incomplete: .*no space/g)).toHaveLength(1);
  });
});

test.skipIf(process.platform === 'win32')(
  '-, /dev/stderr and /proc/self/fd/2 are standard error, be it a pipe, a file or a socket',
  async () => {
    const { work, service } = await desk(1);
    const call = (name: string, batch: string): string =>
      `gigwork payout create p.csv --base-url ${service.url} --yes --quiet --batch-id ${batch} --send-similar 1 --log-file ${name}`;
    const script = [`${call('-', 'a')} 2> file`, `${call('/dev/stderr', 'b')} 2>> file`];
    const piped = [`( ${call('/dev/stderr', 'c')} 3>&1 1>&2 2>&3 ) | cat > piped`, call('/dev/stderr', 'd')];
    const byNumber = ['/dev/fd/2', '/proc/self/fd/2'].map((name, i) => call(name, `e${i}`));
    // The script's own standard error is a socket.
    const { code, output } = await shellIn(work)([...script, ...piped, ...byNumber].join('\n'));
    expect([code, output.match(/^\{"time":.*"status":201.*\}$/gm)]).toEqual([0, Array(3).fill(expect.anything())]);
    expect(lines(work, 'file').map(({ status }) => status)).toEqual([201, 201]);
    expect(lines(work, 'piped')).toMatchObject([{ status: 201, attempt: 1 }]);
  },
);

describe('the name that an answer gives its request', () => {
  test.each([
    [{ 'x-request-id': 'a', 'request-id': 'b', 'x-correlation-id': 'c', traceparent: 'd' }, 'a'],
    [{ 'x-request-id': '', 'request-id': 'b', 'x-correlation-id': 'c' }, 'b'],
    [{ 'x-correlation-id': 'c', traceparent: 'd' }, 'c'],
    [{ traceparent: 'd' }, 'd'],
    [{ 'x-request-id': 'long'.repeat(100) }, 'long'.repeat(50)],
    [{ 'x-trace': 'e' }, null],
  ])('%j is %j', async (headers, name) => {
    const { work, send } = await desk(1, () => ({ status: 201, headers }));
    await send(LOG);
    expect(lines(work)[0].request_id).toBe(name);
  });
});

test('the journal keeps the name of the last attempt, and batch show tells it', async () => {
  const headers = (n: number) => ({ 'x-request-id': `try-${n}` });
  const { work, send } = await desk(1, (n) => ({ status: n === 1 ? 503 : 422, headers: headers(n) }));
  const { summary } = await send();
  const { stdout } = await work.run(`batch show ${summary.run}`);
  expect(stdout).toMatch(/HTTP 422.*\(request try-2\)/);
  expect(stdout).not.toContain('try-1');
});

describe('requests say which program sends them', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  test.each([
    ['by itself', '', {}, `gigwork/${version}`],
    ['unless a flag says something else', "--header 'User-Agent: desk'", {}, 'desk'],
    ['unless a setting does', '', { headers: { 'user-agent': 'office' } }, 'office'],
  ])('%s', async (_what, flags, config, agent) => {
    const { work, service, send } = await desk(1);
    work.file('c.json', JSON.stringify(config));
    await send(`--config c.json ${flags}`);
    expect(service.requests[0]?.headers['user-agent']).toBe(agent);
  });
});

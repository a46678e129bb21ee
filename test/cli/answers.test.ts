/** What the service answered is told as it was said, number by number; and what confirms is a setting. */
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { CONFIG, type Workspace, workspaceWith } from '../support/cli.js';
import { recordsOf } from '../support/desk.js';
import { testService } from '../support/fixtures.js';
import { jsonLines } from '../support/result.js';
import type { Reply } from '../support/service.js';

/** Sends one record to a service that answers so, and shows the run; with three reports, and another made later. */
async function answered(reply: Reply, response: object = {}, command = 'payout create', flags = '') {
  const rows = command === 'gig create' ? gigs(1) : payouts(1);
  const work = workspaceWith({ [CONFIG]: { response }, 'input.ndjson': ndjson(rows) });
  const service = await testService({ respond: () => reply });
  const reports = ['r.csv', 'r.ndjson', 'r.html'].map((name) => `--report ${name}`).join(' ');
  const call = `${command} input.ndjson --base-url ${service.url} --yes --json ${reports} ${flags}`;
  const first = await work.run(call);
  const { run } = first.summary;
  const show = await work.run(`batch show ${run} --json`);
  expect((await work.run(`batch report ${run} --report again.csv`)).code).toBe(0);
  return { work, first, show, summary: first.summary, record: recordsOf(first)[0] };
}

/** The id in the reports. */
function ids({ read }: Workspace): (string | undefined)[] {
  const inTable = (name: string): string | undefined => {
    const [header, row] = read(name).split('\r\n');
    return row?.split(',')[header?.split(',').indexOf('id') ?? -1];
  };
  const [, section = ''] = read('r.html').split('<section id="records">');
  const shown = /<tr>.*<td[^>]*>(.*)<\/td><\/tr>/.exec(section)?.[1]?.replace(/<[^>]+>/g, '');
  return [inTable('r.csv'), inTable('again.csv'), shown, jsonLines(read('r.ndjson'))[0].id];
}

test.each([
  ['beyond what a double holds', '9007199254740993'],
  ['with a zero at its end', '17.50'],
])('numbers keep their digits: an id %s', async (_what, id) => {
  const body = `{"id":${id},"amount":0.1000000000000000055}`;
  const { work, first, show } = await answered({ status: 201, body });
  expect(ids(work)).toEqual([id, id, id, id]);
  for (const { stdout } of [first, show]) expect(stdout).toContain(body);
});

test('an answer stays JSON when a secret of digits is part of its numbers', async () => {
  const body = '{"id":9202620269,"year":"in 20262026","n":1}';
  const reply = { status: 201, body };
  const { record, work } = await answered(reply, {}, 'payout create', "--header 'X-Team: 20262026'");
  expect(record.response).toEqual({ id: '[hidden]', year: 'in [hidden]', n: 1 });
  expect(ids(work)).toEqual(Array(4).fill('[hidden]'));
});

describe('what confirms is a setting', () => {
  const ANSWER = '{"data":{"payouts":[{"uuid":9007199254740993}]},"id":"request-1"}';
  const UNDER = { require: ['data.payouts.0.uuid'], id: 'data.payouts.0.uuid' };

  test('an answer with what is required creates, and the id is where the setting says', async () => {
    const { work, record } = await answered({ status: 201, body: ANSWER }, UNDER);
    expect([record.status, ...ids(work)]).toEqual(['created', ...Array<string>(4).fill('9007199254740993')]);
  });

  test.each(['payout create', 'gig create'])('%s: an answer without it is no confirmation', async (command) => {
    const { summary, record } = await answered({ status: 200, body: '{"data":{"payouts":[]}}' }, UNDER, command);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'wrong_target', records: { unknown: 1 } });
    expect(record).toMatchObject({ attempts: 1, http_status: 200, response: { data: { payouts: [] } } });
    expect(record.error).toContain('HTTP 200 without the field "data.payouts.0.uuid" that response.require asks for');
  });

  test.each(['payout create', 'gig create'])('%s: 204 creates, and its place names the id', async (command) => {
    const reply = { status: 204, body: '', headers: { location: '/api/v2/things/p%2017?x=/y' } };
    const { work, record, show } = await answered(reply, { ...UNDER, empty: true }, command);
    expect(record).toMatchObject({ status: 'created', http_status: 204, response: { id: 'p 17' } });
    expect(ids(work)).toEqual(Array(4).fill('p 17'));
    expect(show.events[0].outcomes[0].response).toEqual({ id: 'p 17' });
  });

  test('an answer with one of the values creates, and no other does', async () => {
    const STATUS = { require: ['status=paid|pending'] };
    const ACCEPTING = { accepted: true };
    const paid = await answered({ status: 200, body: '{"id":1,"status":"pending"}' }, STATUS);
    expect(paid.summary.records).toMatchObject({ created: 1 });
    const other = await answered({ status: 200, body: '{"id":1,"status":"new"}' }, STATUS);
    expect(other.record.error).toContain('without "paid" or "pending" in the field "status"');
    expect(other.summary).toMatchObject({ exit_code: 6, stop_reason: 'wrong_target', records: { unknown: 1 } });
    expect((await answered({ status: 202 }, ACCEPTING)).summary.records).toMatchObject({ created: 1 });
    const bare = { status: 201, body: '{}', headers: { location: '/payouts/p9' } };
    expect((await answered(bare, { empty: true })).record).toMatchObject({ status: 'created', id: 'p9' });
    const shown = await paid.work.run('config show --json');
    expect(JSON.parse(shown.stdout).settings['response.accepted']).toMatchObject({ value: false, from: 'default' });
  });
});

/** What the service says of a record that it has not created, each with a status of success. */
const NO_CONFIRMATIONS: readonly [what: string, reply: Reply][] = [
  ['an error as its status', { status: 200, body: '{"id":"p1","status":"error"}' }],
  ['an error as its status, as a number', { status: 200, body: '{"id":"p1","status":422}' }],
  ['no success, as a text', { status: 200, body: '{"id":"p1","success":"false"}' }],
  ['an error in its data', { status: 200, body: '{"id":"p1","data":{"error":"no such user"}}' }],
  ['nothing', { status: 200, body: '{}' }],
  ['202', { status: 202, body: '{"id":"p1"}' }],
  ['207', { status: 207, body: '{"id":"p1"}' }],
  ['a login page in JSON', { status: 200, body: '{"login":"https://sso.example/","message":"Please log in"}' }],
];

describe('an answer 2xx that confirms nothing is in doubt, and stops a run that has created nothing', () => {
  test.each(
    ['payout create', 'gig create'].flatMap((command) => NO_CONFIRMATIONS.map((each) => [command, ...each] as const)),
  )('%s: %s', async (command, _what, reply) => {
    const { summary, record } = await answered({ ...reply, execute: false }, {}, command);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'wrong_target', retry: false, held: 1 });
    expect(record).toMatchObject({ status: 'unknown', attempts: 1 });
  });

  test.each<[what: string, other: object]>([
    ['key', { idempotency_key: 'k-other' }],
    ['payee', { user_id: 'u-other' }],
  ])('the record of another %s', async (_what, other) => {
    const work = workspaceWith({ 'p.ndjson': ndjson(payouts(1)) });
    const service = await testService();
    service.responder(({ json }) => ({
      status: 201,
      execute: false,
      body: JSON.stringify({
        ...(json as object),
        id: 'p1',
        ...other,
      }),
    }));
    const result = await work.run(`payout create p.ndjson --base-url ${service.url} --yes --json`);
    const { summary } = result;
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'wrong_target', records: { unknown: 1 } });
    const [{ error }] = recordsOf(result);
    expect(error).toContain(`another ${Object.keys(other)[0]} than was sent`);
  });
});

describe('what the answers that confirm show together is told in one line', () => {
  /** Three payouts, answered with the record and these members over it. */
  async function told(over: (n: number) => object, isNested = false, response: object = {}) {
    const work = workspaceWith({ [CONFIG]: { response }, 'p.csv': csv(payouts(3)) });
    const service = await testService();
    service.responder(({ json, n }) => {
      const record = { ...(json as object), ...over(n) };
      return { status: 201, body: JSON.stringify(isNested ? { data: record } : record) };
    });
    const { summary, stderr } = await work.run(`payout create p.csv --base-url ${service.url} --yes --json`);
    expect(summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
    return { reasons: summary.reasons as string[], stderr };
  }

  test('another amount or currency than was sent: how many, and the first', async () => {
    const [, second] = payouts(3);
    const { reasons, stderr } = await told((n) => (n === 1 ? { id: n } : { id: n, amount: 7, currency: 'CHF' }));
    const { amount, currency } = second as { amount: number; currency?: string };
    const words = `2 records with another amount or currency than was sent. First, line 3: sent ${[amount, currency ?? []].flat().join(' ')}, answered 7 CHF`;
    expect(reasons).toEqual([expect.stringContaining(words)]);
    expect(stderr).toContain(words);
    const long = await told((n) => ({ id: n, amount: '9'.repeat(5000) }));
    expect(long.reasons).toEqual([expect.stringMatching(/answered 9+…\. Check/)]);
    expect(long.reasons[0]?.length).toBeLessThan(300);
  });

  test('no ids where the settings expect them: where there are some', async () => {
    expect((await told((n) => ({ id: n }), true)).reasons).toEqual([
      expect.stringMatching(/^No answer .*\(3\) has an id at "id".*one at "data\.id"/),
    ]);
    expect((await told(() => ({}))).reasons).toEqual([
      'No answer that confirmed (3) has an id at "id", so reports show none',
    ]);
    expect((await told((n) => ({ id: n }), true, { id: 'data.id' })).reasons).toEqual([]);
    // One is enough to show that the settings are right.
    expect((await told((n) => (n === 2 ? { id: n } : {}))).reasons).toEqual([]);
  });
});

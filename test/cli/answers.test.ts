/** What the service answered is told as it was said, number by number; and what confirms is a setting. */
import { describe, expect, test } from 'vitest';
import { gigs, ndjson, payouts } from '../support/builders.js';
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
});

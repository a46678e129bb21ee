import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import type { Reply } from '../support/service.js';

// What the service answered is told as it was said, number by number.

const REPORTS = ['r.csv', 'r.ndjson', 'r.html'] as const;

/** Sends one payout, answered so, and gives every text that tells of it. */
async function answered(body: string, ...flags: string[]) {
  const work = workspace();
  const service = await testService({ respond: () => ({ status: 201, body }) });
  work.file('p.csv', csv(payouts(1)));
  const reports = REPORTS.flatMap((name) => ['--report', name]);
  const first = await work.run([
    ...['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json', ...reports, ...flags],
  ]);
  expect(first.code).toBe(0);
  const [record] = first.events.filter(({ event }) => event === 'record');
  const show = await work.run(['batch', 'show', first.summary.run, '--json']);
  expect(show.code).toBe(0);
  return { work, record, first, show, run: first.summary.run as string };
}

/** The id in the three reports. */
function ids(read: (name: string) => string): string[] {
  const table = read('r.csv').split('\r\n');
  const at = table[0]?.split(',').indexOf('id') ?? -1;
  const section = read('r.html').split('<section id="records">')[1];
  return [
    table[1]?.split(',')[at] ?? '',
    (JSON.parse(read('r.ndjson')) as { id: string }).id,
    /<tr>.*<td[^>]*>(.*)<\/td><\/tr>/.exec(section ?? '')?.[1]?.replace(/<[^>]+>/g, '') ?? '',
  ];
}

describe('numbers keep their digits', () => {
  test.each([
    ['beyond what a double holds', '9007199254740993'],
    ['with a zero at its end', '17.50'],
  ])('an id %s', async (_what, id) => {
    const { work, first, show, run } = await answered(`{"id":${id},"amount":0.1000000000000000055}`);
    expect(ids(work.read)).toEqual([id, id, id]);
    for (const { stdout } of [first, show]) expect(stdout).toContain(`{"id":${id},"amount":0.1000000000000000055}`);
    const again = await work.run(['batch', 'report', run, '--report', 'r.csv']);
    expect([again.code, work.read('r.csv').includes(`,${id},`)]).toEqual([0, true]);
  });
});

test('an answer stays JSON when a secret of digits is part of its numbers', async () => {
  const { record, work, run } = await answered(
    '{"id":9202620269,"year":"in 20262026","n":1}',
    '--header',
    'X-Team: 20262026',
  );
  expect(record.response).toEqual({ id: '[hidden]', year: 'in [hidden]', n: 1 });
  const [row] = work.read('r.ndjson').split('\n');
  expect(JSON.parse(row ?? '')).toMatchObject({ id: '[hidden]' });
  expect((await work.run(['batch', 'report', run, '--report', 'again.html'])).code).toBe(0);
});

describe('what confirms is a setting', () => {
  /** Sends one record to a service that answers so, under these rules. */
  async function sentUnder(response: object, reply: Reply, command = 'payout create') {
    const work = workspace();
    const service = await testService({ respond: () => reply });
    work.file('config/gigwork/config.json', JSON.stringify({ response }));
    work.file('input.ndjson', ndjson(command === 'gig create' ? gigs(1) : payouts(1)));
    const reports = REPORTS.flatMap((name) => ['--report', name]);
    const target = ['--base-url', service.url, '--yes', '--json', ...reports];
    const { summary, events } = await work.run([...command.split(' '), 'input.ndjson', ...target]);
    const [record] = events.filter(({ event }) => event === 'record');
    return { work, summary, record };
  }

  const ANSWER = '{"data":{"payouts":[{"uuid":9007199254740993}]},"id":"request-1"}';
  const UNDER = { require: ['data.payouts.0.uuid'], id: 'data.payouts.0.uuid' };

  test('an answer with what is required creates, and the id is where the setting says', async () => {
    const { work, summary, record } = await sentUnder(UNDER, { status: 201, body: ANSWER });
    expect([summary.exit_code, record.status]).toEqual([0, 'created']);
    expect(ids(work.read)).toEqual(Array(3).fill('9007199254740993'));
    const again = await work.run(['batch', 'report', summary.run, '--report', 'again.csv']);
    expect([again.code, work.read('again.csv').includes(',9007199254740993,')]).toEqual([0, true]);
  });

  test.each(['payout create', 'gig create'])('%s: an answer without it is no confirmation', async (command) => {
    const reply = { status: 200, body: '{"data":{"payouts":[]}}' };
    const { summary, record } = await sentUnder(UNDER, reply, command);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'wrong_target', records: { unknown: 1 } });
    expect(record).toMatchObject({ attempts: 1, http_status: 200, response: { data: { payouts: [] } } });
    expect(record.error).toContain('HTTP 200 without the field "data.payouts.0.uuid" that response.require asks for');
  });

  test.each(['payout create', 'gig create'])('%s: 204 creates, and its place names the id', async (command) => {
    const reply = { status: 204, body: '', headers: { location: '/api/v2/things/p%2017?x=/y' } };
    const { work, summary, record } = await sentUnder({ ...UNDER, empty: true }, reply, command);
    expect(summary).toMatchObject({ exit_code: 0, records: { created: 1 } });
    expect(record).toMatchObject({ status: 'created', http_status: 204, response: { id: 'p 17' } });
    expect(ids(work.read)).toEqual(['p 17', 'p 17', 'p 17']);
    const show = await work.run(['batch', 'show', summary.run, '--json']);
    expect(show.events[0].outcomes[0].response).toEqual({ id: 'p 17' });
    const again = await work.run(['batch', 'report', summary.run, '--report', 'again.csv']);
    expect([again.code, work.read('again.csv').includes(',p 17,')]).toEqual([0, true]);
  });
});

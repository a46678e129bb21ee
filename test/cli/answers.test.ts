import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

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
  return [
    table[1]?.split(',')[at] ?? '',
    (JSON.parse(read('r.ndjson')) as { id: string }).id,
    /<span class="key">([^<]*)</.exec(read('r.html').split('<h2 id="records">')[1] ?? '')?.[1] ?? '',
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

  test('in an answer of several lines, which becomes one', async () => {
    const { work, first } = await answered('{\r\n  "id": 9007199254740993,\n\t"note": "two\\nlines"\n}\n');
    expect(ids(work.read)).toEqual(Array(3).fill('9007199254740993'));
    expect(first.stdout).toContain('"response":{ "id": 9007199254740993, "note": "two\\nlines" }');
  });

  test('of an id that is given twice, the last one counts', async () => {
    const { work } = await answered('{"id":9007199254740995,"id":17.50}');
    expect(ids(work.read)).toEqual(['17.50', '17.50', '17.50']);
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

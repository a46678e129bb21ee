import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// A record that was created before is told with the answer that it got then, whatever becomes of this call.

interface Told {
  readonly status: string;
  readonly http_status: number | null;
  readonly response: { readonly id: string } | null;
}

async function sent(rejected = 0): Promise<{ work: Workspace; send: (...flags: string[]) => Promise<CliResult> }> {
  const work = workspace();
  const service = await testService({ respond: ({ n }) => (n === rejected ? { status: 422 } : undefined) });
  const send = (...flags: string[]): Promise<CliResult> =>
    work.run([
      ...['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json', '--concurrency', '1'],
      ...['--report', 'r.ndjson', ...flags],
    ]);
  work.file('p.csv', csv(payouts(3)));
  await send();
  return { work, send };
}

function told({ events }: CliResult): Told[] {
  return events
    .filter(({ event }) => event === 'record')
    .toSorted((a, b) => a.record - b.record)
    .map(({ status, http_status, response }) => ({ status, http_status, response }));
}

function reported(work: Workspace): object[] {
  const lines = work.read('r.ndjson').trimEnd().split('\n');
  return lines.map((line) => {
    const { status, http_status, id } = JSON.parse(line) as Record<string, unknown>;
    return { status, http_status, id };
  });
}

/** All three, told and reported with an answer each, but for those that were not created. */
function expectAnswers(result: CliResult, work: Workspace, states: readonly string[]): void {
  const records = told(result);
  expect(records.map(({ status }) => status)).toEqual(states);
  const answered = records.filter(({ status }) => status === 'already_created');
  expect(answered.map(({ http_status, response }) => [http_status, typeof response?.id])).toEqual(
    answered.map(() => [201, 'string']),
  );
  expect(new Set(answered.map(({ response }) => response?.id)).size).toBe(answered.length);
  expect(reported(work)).toEqual(
    records.map(({ status, http_status, response }) => ({ status, http_status, id: response?.id ?? null })),
  );
  for (const { status, response } of records) if (status !== 'already_created') expect(response).toBe(null);
}

const DONE = ['already_created', 'already_created', 'already_created'];

describe('the earlier answer is repeated', () => {
  test('in a dry run of the same file', async () => {
    const { work, send } = await sent();
    const dry = await send('--dry-run');
    expect(dry.code).toBe(0);
    expectAnswers(dry, work, DONE);
  });

  test('in a dry run of another file that leaves out what was created', async () => {
    const { work, send } = await sent();
    work.file('p.csv', csv(payouts(4).toReversed().slice(0, 3)));
    const dry = await send('--dry-run', '--skip-created');
    expect(dry.code).toBe(0);
    expectAnswers(dry, work, ['planned', 'already_created', 'already_created']);
  });

  test('in a run that is refused for its repeats', async () => {
    const { work, send } = await sent();
    work.file('p.csv', csv(payouts(4).slice(1)));
    const refused = await send();
    expect([refused.code, refused.summary.stop_reason]).toEqual([3, 'repeats']);
    expectAnswers(refused, work, ['already_created', 'already_created', 'not_sent']);
  });

  test('in a run that goes on and is refused for its control total', async () => {
    const { work, send } = await sent(2);
    const refused = await send('--expect-count', '7');
    expect([refused.code, refused.summary.stop_reason]).toEqual([3, 'control_total']);
    expectAnswers(refused, work, ['already_created', 'not_sent', 'already_created']);
  });

  test('in a dry run of a run that would go on', async () => {
    const { work, send } = await sent(2);
    const dry = await send('--dry-run');
    expect(dry.summary.records).toMatchObject({ already_created: 2, planned: 1 });
    expectAnswers(dry, work, ['already_created', 'planned', 'already_created']);
  });
});

import { describe, expect, test } from 'vitest';
import { csv, payouts, type PayoutRow } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// A record that was created before is told with the answer that it got then, whatever becomes of this call.

interface Told {
  readonly status: string;
  readonly http_status: number | null;
  readonly response: { readonly id: string } | null;
}

const KEYED = payouts(4).map((row) => ({ ...row, idempotency_key: `key-${row.user_id}` }));

async function sent(
  rejected = 0,
  rows: readonly object[] = payouts(3),
): Promise<{ work: Workspace; send: (...flags: string[]) => Promise<CliResult> }> {
  const work = workspace();
  const service = await testService({ respond: ({ n }) => (n === rejected ? { status: 422 } : undefined) });
  const send = (...flags: string[]): Promise<CliResult> =>
    work.run([
      ...['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json', '--concurrency', '1'],
      ...['--report', 'r.ndjson', ...flags],
    ]);
  work.file('p.csv', csv(rows.slice(0, 3) as PayoutRow[]));
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

const ANSWERED = ['already_created', 'skipped'];

/** All three, told and reported with an answer each, but for those that were not created. */
function expectAnswers(result: CliResult, work: Workspace, states: readonly string[]): void {
  const records = told(result);
  expect(records.map(({ status }) => status)).toEqual(states);
  const answered = records.filter(({ status }) => ANSWERED.includes(status));
  expect(answered.map(({ http_status, response }) => [http_status, typeof response?.id])).toEqual(
    answered.map(() => [201, 'string']),
  );
  expect(new Set(answered.map(({ response }) => response?.id)).size).toBe(answered.length);
  expect(reported(work)).toEqual(
    records.map(({ status, http_status, response }) => ({ status, http_status, id: response?.id ?? null })),
  );
  for (const { status, response } of records) if (!ANSWERED.includes(status)) expect(response).toBe(null);
}

const DONE = ['already_created', 'already_created', 'already_created'];

describe('the earlier answer is repeated', () => {
  test('in a dry run of the same file', async () => {
    const { work, send } = await sent();
    const dry = await send('--dry-run');
    expect(dry.code).toBe(0);
    expectAnswers(dry, work, DONE);
  });

  test('in a dry run of another file whose records identify themselves', async () => {
    const { work, send } = await sent(0, KEYED);
    work.file('p.csv', csv(KEYED.toReversed().slice(0, 3)));
    const dry = await send('--dry-run');
    expect(dry.code).toBe(0);
    expectAnswers(dry, work, ['planned', 'already_created', 'already_created']);
  });

  test('for what stands for another payment, in a dry run of another file that leaves it out', async () => {
    const { work, send } = await sent();
    work.file('p.csv', csv(payouts(4).toReversed().slice(0, 3)));
    const dry = await send('--dry-run', '--skip-created');
    expect(dry.code).toBe(0);
    expectAnswers(dry, work, ['planned', 'skipped', 'skipped']);
    expect(told(dry).map(({ response }) => response?.id)).toEqual([undefined, 'payout-3', 'payout-2']);
  });

  test('by no run that is refused for its repeats: it says what they repeat', async () => {
    const { work, send } = await sent();
    work.file('p.csv', csv(payouts(4).slice(1)));
    const refused = await send();
    expect([refused.code, refused.summary.stop_reason]).toEqual([3, 'repeats']);
    expectAnswers(refused, work, ['not_sent', 'not_sent', 'not_sent']);
    const issues = refused.events.filter(({ event }) => event === 'issue');
    expect(issues.map(({ earlier }) => [earlier?.status, earlier?.line])).toEqual([
      ['created', 3],
      ['created', 4],
    ]);
  });

  test('in a run that goes on and is refused for its control total', async () => {
    const { work, send } = await sent(2);
    const refused = await send('--expect-count', '7');
    expect([refused.code, refused.summary.stop_reason]).toEqual([3, 'control_total']);
    expectAnswers(refused, work, ['already_created', 'not_sent', 'already_created']);
  });

  test('in a dry run of a run that would go on', async () => {
    const { work, send } = await sent(2);
    const dry = await send('--dry-run', '--retry-rejected');
    expect(dry.summary.records).toMatchObject({ already_created: 2, planned: 1 });
    expectAnswers(dry, work, ['already_created', 'planned', 'already_created']);
  });
});

import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { hoursAhead, NO_WAITS, send, states } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import type { Reply, Service } from '../support/service.js';

const PAYOUTS = ['payout create', 'p.csv'] as const;
const GIGS = ['gig create', 'g.ndjson'] as const;
type Files = typeof PAYOUTS | typeof GIGS;

/** Three records, and a first run in which the second one was carried out without an answer. */
async function inDoubt([command, file]: Files): Promise<{ work: Workspace; service: Service; first: CliResult }> {
  const work = workspace();
  work.file('p.csv', csv(payouts(3)));
  work.file('g.ndjson', ndjson(gigs(3)));
  const service = await testService({ respond: ({ n }) => (n === 2 ? { fault: 'reset-after' } : { default: true }) });
  const first = await send(work, command, file, service, ['--concurrency', '1', '--retries', '0']);
  expect(states(first)).toEqual({ created: 2, unknown: 1 });
  service.responder(undefined);
  return { work, service, first };
}

function again(
  work: Workspace,
  service: Service,
  [command, file]: Files,
  flags: string[] = [],
  hours = 0,
): Promise<CliResult> {
  return send(work, command, file, service, ['--retries', '1', ...flags], {
    env: { ...NO_WAITS, ...hoursAhead(hours) },
  });
}

/** What was written down of people's decisions. */
function decisions({ stateDir }: Workspace): { what: string; note: string }[] {
  const db = new DatabaseSync(join(stateDir, 'journal.db'), { readOnly: true });
  const rows = db
    .prepare(
      "SELECT facts ->> 'status' AS what, coalesce(note, '') AS note FROM event WHERE what = 'settled' ORDER BY id",
    )
    .all() as { what: string; note: string }[];
  db.close();
  return rows.map(({ what, note }) => ({ what, note }));
}

/** The run goes on by its name, however old it is. */
function resume(
  work: Workspace,
  service: Service,
  { summary }: CliResult,
  flags: readonly string[],
  hours: number,
): Promise<CliResult> {
  const words = ['batch', 'resume', summary.run, '--base-url', service.url, '--yes', '--json', '--no-progress'];
  return work.run([...words, '--retries', '1', ...flags], { env: { ...NO_WAITS, ...hoursAhead(hours) } });
}

function settle(work: Workspace, { summary }: CliResult, ...flags: string[]): Promise<CliResult> {
  return work.run(['batch', 'settle', summary.run, '--record', '2', ...flags]);
}

describe('a keyed record in doubt', () => {
  test.each([
    { hours: 23, flags: [] },
    { hours: 47, flags: ['--key-lifetime', '48'] },
  ])('is sent again with the same key and bytes while its key lives ($hours h, $flags)', async ({ hours, flags }) => {
    const { work, service, first } = await inDoubt(PAYOUTS);
    const result = await resume(work, service, first, flags, hours);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { already_created: 2, created: 1 } });
    const [, lost, , resent] = service.requests;
    expect(resent?.body).toBe(lost?.body);
    expect(service.ledgerTotal()).toBe(3);
    expect(decisions(work)).toEqual([]);
  });

  test.each([
    { hours: 25, flags: [] },
    { hours: 0, flags: ['--key-lifetime', '0'] },
    { hours: 3, flags: ['--key-lifetime', '2'] },
    // A clock that was set back says nothing about the age.
    { hours: -1, flags: [] },
    { hours: -1 / 60, flags: ['--key-lifetime', '0'] },
  ])('stays unknown when its key is forgotten ($hours h, $flags)', async ({ hours, flags }) => {
    const { work, service, first } = await inDoubt(PAYOUTS);
    const result = await resume(work, service, first, flags, hours);
    expect(result.summary).toMatchObject({ exit_code: 6, records: { already_created: 2, unknown: 1 } });
    expect(service.requestCount).toBe(3);
  });

  test.each([
    [['--key-lifetime', '0'], 'unknown'],
    [[], 'planned'],
    [['--key-lifetime', '0', '--resend-unknown'], 'planned'],
  ])('is %2$s in a dry run with %1$s, as the run would have it', async (flags, status) => {
    const { work, service } = await inDoubt(PAYOUTS);
    const { summary } = await send(work, 'payout create', 'p.csv', service, ['--dry-run', ...flags]);
    const code = status === 'unknown' ? 6 : 0;
    expect(summary).toMatchObject({ exit_code: code, records: { already_created: 2, [status]: 1 } });
    expect(service.requestCount).toBe(3);
  });

  test.each([
    ['a refusal', 422, { unknown: 1 }],
    ['the end of the run', 401, { unknown: 1 }],
  ])('is in doubt from a 409 on, whatever comes after it: %s', async (_what, status, records) => {
    const work = workspace();
    work.file('p.csv', csv(payouts(1)));
    const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 409 : status }) });
    const result = await send(work, 'payout create', 'p.csv', service, [], { env: NO_WAITS });
    expect(result.summary).toMatchObject({ exit_code: 6, records });
    expect(service.requestCount).toBe(2);
  });

  test('whose key once was said to live for no time at all is sent once for each word of a person', async () => {
    const work = workspace();
    work.file('p.csv', csv(payouts(1)));
    const service = await testService({ respond: () => ({ fault: 'reset-after' }) });
    for (const [i, flags] of [['--key-lifetime', '0'], ['--key-lifetime', '0'], []].entries()) {
      const result = await again(work, service, PAYOUTS, ['--resend-unknown', '--retries', '5', ...flags]);
      expect(result.summary).toMatchObject({ exit_code: 6, records: { unknown: 1 } });
      expect(service.requestCount).toBe(i + 1);
    }
  });

  test('is not sent again when the wait for the next attempt outlasts the key', async () => {
    const work = workspace();
    work.file('p.csv', csv(payouts(1)));
    const busy: Reply = { status: 429, headers: { 'retry-after': '240' } };
    const service = await testService({
      respond: ({ n }) => (n === 1 ? { fault: 'reset-after' } : n < 20 ? busy : { default: true }),
    });
    const flags = ['--key-lifetime', '0.1', '--timeout', '3600'];
    const result = await send(work, 'payout create', 'p.csv', service, flags, { env: NO_WAITS });
    expect(result.summary).toMatchObject({ exit_code: 6, records: { unknown: 1 } });
    // 0.1 hours are 6 minutes: the attempts at 0, 4 minutes, and none at 8.
    expect(service.requestCount).toBe(3);
  });

  test('is not sent again by a later call either, whose wait outlasts the key: a word that was not needed covers no retry', async () => {
    const work = workspace();
    work.file('p.csv', csv(payouts(1)));
    const busy: Reply = { status: 429, headers: { 'retry-after': '240' } };
    const service = await testService({ respond: ({ n }) => (n === 1 ? { fault: 'reset-after' } : busy) });
    const flags = ['--key-lifetime', '0.1', '--timeout', '3600', '--retries', '0'];
    await send(work, 'payout create', 'p.csv', service, flags, { env: NO_WAITS });
    const later = { env: { ...NO_WAITS, ...hoursAhead(0.05) } };
    const result = await send(work, 'payout create', 'p.csv', service, [...flags, '--resend-unknown'], later);
    expect(result.summary).toMatchObject({ exit_code: 6, records: { unknown: 1 } });
    expect(service.requestCount).toBe(2);
  });

  test('is sent again on a person’s word', async () => {
    const { work, service, first } = await inDoubt(PAYOUTS);
    const result = await resume(work, service, first, ['--resend-unknown'], 25);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { already_created: 2, created: 1 } });
    expect(service.ledgerTotal()).toBe(3);
  });

  test('stays unknown whatever is answered later but success, also in later runs, and is no reject', async () => {
    const { work, service, first } = await inDoubt(PAYOUTS);
    for (const reply of [
      { status: 422 },
      { status: 404 },
      { status: 409 },
      { status: 401 },
      { status: 302 },
    ] as Reply[]) {
      service.responder(() => reply);
      const result = await again(work, service, PAYOUTS, ['--rejects', 'rejects.csv']);
      expect(states(result)).toEqual({ already_created: 2, unknown: 1 });
      expect(result.code).toBe(6);
      expect(work.read('rejects.csv').trimEnd().split('\n')).toHaveLength(1);
    }
    service.responder(undefined);
    const last = await again(work, service, PAYOUTS);
    expect(last.summary).toMatchObject({
      exit_code: 0,
      run: first.summary.run,
      records: { already_created: 2, created: 1 },
    });
    expect(service.ledgerTotal()).toBe(3);
  });
});

describe('a gig in doubt', () => {
  test('is never sent again of itself', async () => {
    const { work, service, first } = await inDoubt(GIGS);
    for (const hours of [0, 100]) {
      const result = await resume(work, service, first, [], hours);
      expect(result.summary).toMatchObject({ exit_code: 6, records: { already_created: 2, unknown: 1 } });
    }
    expect(service.requestCount).toBe(3);
  });

  test('is sent again on a person’s word', async () => {
    const { work, service } = await inDoubt(GIGS);
    const result = await again(work, service, GIGS, ['--resend-unknown']);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { already_created: 2, created: 1 } });
    // The person was wrong, and that is the person's risk: nobody else could know.
    expect(service.ledgerTotal()).toBe(4);
  });

  test('stays in doubt when the one more attempt comes to nothing', async () => {
    const { work, service } = await inDoubt(GIGS);
    service.responder(() => ({ status: 422 }));
    const result = await again(work, service, GIGS, ['--resend-unknown']);
    expect(result.summary).toMatchObject({ exit_code: 6, records: { already_created: 2, unknown: 1 } });
  });
});

describe.each([
  { type: 'payout', files: PAYOUTS },
  { type: 'gig', files: GIGS },
])('batch settle of a $type', ({ files }) => {
  test('--created: it is not sent any more, and its id is told', async () => {
    const { work, service, first } = await inDoubt(files);
    expect((await settle(work, first, '--created', '--id', 'x-77', '--note', 'seen')).code).toBe(0);
    const result = await resume(work, service, first, [], 100);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { already_created: 3 } });
    const [, second] = result.events.filter(({ event }) => event === 'record').sort((a, b) => a.record - b.record);
    expect(second.response).toEqual({ id: 'x-77' });
    expect(service.requestCount).toBe(3);
    expect(decisions(work)).toEqual([{ what: 'created', note: 'seen' }]);
  });

  test('--not-created: it is sent once more', async () => {
    const { work, service, first } = await inDoubt(files);
    expect((await settle(work, first, '--not-created')).code).toBe(2);
    expect((await settle(work, first, '--not-created', '--note', 'asked the service desk')).code).toBe(0);
    const result = await resume(work, service, first, [], 100);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { already_created: 2, created: 1 } });
    expect(service.requestCount).toBe(4);
    expect(decisions(work)).toEqual([{ what: 'not_sent', note: 'asked the service desk' }]);
  });
});

test('batch settle of a record that was left out, since an earlier one may have been created', async () => {
  const { work, service } = await inDoubt(PAYOUTS);
  const other = payouts(3).map((payout, i) => ({ ...payout, idempotency_key: `own-${i}` }));
  work.file('q.csv', csv(other));
  const second = await send(work, 'payout create', 'q.csv', service, ['--skip-similar']);
  expect(states(second)).toEqual({ skipped: 2, unknown: 1 });
  expect((await settle(work, second, '--created', '--note', 'seen')).code).toBe(0);
  const shown = await work.run(['batch', 'show', second.summary.run, '--json']);
  expect(JSON.parse(shown.stdout).records).toMatchObject({ created: 0, skipped: 3, unknown: 0 });
});

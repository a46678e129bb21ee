import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import type { Workspace } from '../support/cli.js';
import { hoursAhead, NO_WAITS, states } from '../support/crash.js';
import type { Reply } from '../support/service.js';
import { startClerk, expectEnded, type Type, TYPES } from './clerk.js';

/** Three records, and a first run in which the second one was carried out without an answer. */
async function inDoubt(type: Type) {
  const at = await startClerk(3, { respond: ({ n }) => (n === 2 ? { fault: 'reset-after' } : { default: true }) });
  const first = await at.send(type, ['--concurrency', '1', '--retries', '0']);
  expect(states(first)).toEqual({ created: 2, unknown: 1 });
  at.service.responder(undefined);
  const run: string = first.summary.run;
  const settle = (of: string, ...flags: string[]) =>
    at.work.run(['batch', 'settle', of, '--record', '2', ...flags], { env: hoursAhead(1) });
  return {
    ...at,
    run,
    settle,
    again: (...flags: string[]) => at.send(type, ['--retries', '1', ...flags], { env: NO_WAITS }),
    resume: (flags: readonly string[], hours: number) => {
      const words = ['batch', 'resume', run, '--base-url', at.service.url, '--yes', '--json', '--no-progress'];
      return at.work.run([...words, '--retries', '1', ...flags], {
        env: {
          ...NO_WAITS,
          ...hoursAhead(hours),
        },
      });
    },
  };
}

/** What was written down of people's decisions. */
function decisions({ stateDir }: Workspace): { what: string; note: string }[] {
  const db = new DatabaseSync(join(stateDir, 'journal.db'), { readOnly: true });
  const sql = `SELECT facts ->> 'status' AS what, coalesce(note, '') AS note FROM event WHERE what = 'settled' ORDER BY id`;
  const rows = db.prepare(sql).all() as { what: string; note: string }[];
  db.close();
  return rows.map(({ what, note }) => ({ what, note }));
}

describe('a keyed record in doubt', () => {
  test.each([
    ['while its key lives', 23, []],
    // 24 hours less 30 seconds and 5 minutes.
    ['until a request at the last moment could come too late', 23.9, []],
    ['while its key lives', 47, ['--key-lifetime', '48']],
    ['on a person’s word', 25, ['--resend-unknown']],
  ])('is sent again with the same key and bytes %s (%i h, %j)', async (_when, hours, flags) => {
    const { work, service, resume } = await inDoubt('payout');
    expectEnded(await resume(flags, hours), 0, { already_created: 2, created: 1 });
    const [, lost, , resent] = service.requests;
    expect(resent?.body).toBe(lost?.body);
    expect(service.ledgerTotal()).toBe(3);
    expect(decisions(work)).toEqual([]);
  });

  test.each([
    [25, []],
    [23.92, []],
    [23.5, ['--timeout', '1800']],
    [0, ['--key-lifetime', '0']],
    [3, ['--key-lifetime', '2']],
    // A clock that was set back says nothing about the age.
    [-1, []],
    [-1 / 60, ['--key-lifetime', '0']],
  ])('stays unknown when its key is forgotten (%f h, %j)', async (hours, flags) => {
    const { service, resume } = await inDoubt('payout');
    expectEnded(await resume(flags, hours), 6, { already_created: 2, unknown: 1 });
    expect(service.requestCount).toBe(3);
  });

  test.each([
    [['--key-lifetime', '0'], 'unknown', 6],
    [[], 'planned', 0],
    [['--key-lifetime', '0', '--resend-unknown'], 'planned', 0],
  ])('in a dry run with %j is %s, as the run would have it', async (flags, status, code) => {
    const { service, send } = await inDoubt('payout');
    expectEnded(await send('payout', ['--dry-run', ...flags]), code, { already_created: 2, [status]: 1 });
    expect(service.requestCount).toBe(3);
  });

  test.each([
    ['a refusal', 422],
    ['the end of the run', 401],
  ])('is in doubt from a 409 on, whatever comes after it: %s', async (_what, status) => {
    const { service, send } = await startClerk(1, { respond: ({ n }) => ({ status: n === 1 ? 409 : status }) });
    expectEnded(await send('payout', [], { env: NO_WAITS }), 6, { unknown: 1 });
    expect(service.requestCount).toBe(2);
  });

  test('whose key once was said to live for no time at all is sent once for each word of a person', async () => {
    const { service, send } = await startClerk(1, { respond: () => ({ fault: 'reset-after' }) });
    for (const [i, flags] of [['--key-lifetime', '0'], ['--key-lifetime', '0'], []].entries()) {
      const result = await send('payout', ['--resend-unknown', '--retries', '5', ...flags], { env: NO_WAITS });
      expectEnded(result, 6, { unknown: 1 });
      expect(service.requestCount).toBe(i + 1);
    }
  });

  test('is not sent again when the wait for the next attempt outlasts the key', async () => {
    const busy: Reply = { status: 429, headers: { 'retry-after': '240' } };
    const { service, send } = await startClerk(1, {
      respond: ({ n }) => {
        if (n === 1) return { fault: 'reset-after' };
        return n < 20 ? busy : { default: true };
      },
    });
    const flags = ['--key-lifetime', '1.18', '--timeout', '3600'];
    const result = await send('payout', flags, { env: NO_WAITS });
    expectEnded(result, 6, { unknown: 1 });
    // 70.8 minutes less the time-out and 5 minutes are 5.8: the attempts at 0, 4 minutes, and none at 8.
    expect(service.requestCount).toBe(3);
  });

  test('is not sent again by a later call either, whose wait outlasts the key: a word that was not needed covers no retry', async () => {
    const busy: Reply = { status: 429, headers: { 'retry-after': '240' } };
    const { service, send } = await startClerk(1, { respond: ({ n }) => (n === 1 ? { fault: 'reset-after' } : busy) });
    const flags = ['--key-lifetime', '1.18', '--timeout', '3600', '--retries', '0'];
    await send('payout', flags, { env: NO_WAITS });
    const later = { env: { ...NO_WAITS, ...hoursAhead(0.05) } };
    const result = await send('payout', [...flags, '--resend-unknown'], later);
    expectEnded(result, 6, { unknown: 1 });
    expect(service.requestCount).toBe(2);
  });

  test.each([
    ['0.1 h', ['--key-lifetime', '0.1', '--timeout', '60']],
    ['24 h', ['--timeout', '86400']],
  ])(
    'has a key that protects nothing where its life leaves no time, which is said before: %s',
    async (hours, flags) => {
      const { service, send } = await startClerk(2, { respond: () => ({ status: 503 }) });
      const result = await send('payout', ['--retries', '5', '--concurrency', '1', ...flags], { env: NO_WAITS });
      expectEnded(result, 6, { unknown: 2 });
      expect(service.requestCount).toBe(2);
      const said = result.stderr.split('\n').filter((line) => line.includes('Keys do not protect these records'));
      expect(said).toEqual([expect.stringContaining(`remembers them for ${hours}`)]);
      expect((await send('gig', flags)).stderr).not.toContain('Keys do not');
    },
  );

  test('stays unknown whatever is answered later but success, also in later runs, and is no reject', async () => {
    const { work, service, run, again } = await inDoubt('payout');
    for (const status of [422, 404, 409, 401, 302]) {
      service.responder(() => ({ status }));
      const result = await again('--rejects', 'rejects.csv');
      expect(states(result)).toEqual({ already_created: 2, unknown: 1 });
      expect(result.code).toBe(6);
      expect(work.read('rejects.csv').trimEnd().split('\n')).toHaveLength(1);
    }
    service.responder(undefined);
    expectEnded(await again(), 0, { already_created: 2, created: 1 }, { run });
    expect(service.ledgerTotal()).toBe(3);
  });
});

describe('a gig in doubt', () => {
  test('is never sent again of itself', async () => {
    const { service, resume } = await inDoubt('gig');
    for (const hours of [0, 100]) expectEnded(await resume([], hours), 6, { already_created: 2, unknown: 1 });
    expect(service.requestCount).toBe(3);
  });

  test('is sent again on a person’s word', async () => {
    const { service, again } = await inDoubt('gig');
    expectEnded(await again('--resend-unknown'), 0, { already_created: 2, created: 1 });
    // The person was wrong, and that is the person's risk: nobody else could know.
    expect(service.ledgerTotal()).toBe(4);
  });

  test('stays in doubt when the one more attempt comes to nothing', async () => {
    const { service, again } = await inDoubt('gig');
    service.responder(() => ({ status: 422 }));
    expectEnded(await again('--resend-unknown'), 6, { already_created: 2, unknown: 1 });
  });
});

describe.each(TYPES)('batch settle of a %s', (type) => {
  test('--created: it is not sent any more, and its id is told', async () => {
    const { work, service, run, settle, resume } = await inDoubt(type);
    expect((await settle(run, '--created', '--id', 'x-77', '--note', 'seen')).code).toBe(0);
    const result = await resume([], 100);
    expectEnded(result, 0, { already_created: 3 });
    const [, second] = result.events.filter(({ event }) => event === 'record').sort((a, b) => a.record - b.record);
    expect(second.response).toEqual({ id: 'x-77' });
    expect(service.requestCount).toBe(3);
    expect(decisions(work)).toEqual([{ what: 'created', note: 'seen' }]);
  });

  test('--not-created: it is sent once more', async () => {
    const { work, service, run, settle, resume } = await inDoubt(type);
    expect((await settle(run, '--not-created')).code).toBe(2);
    expect((await settle(run, '--not-created', '--note', 'asked the service desk')).code).toBe(0);
    expectEnded(await resume([], 100), 0, { already_created: 2, created: 1 });
    expect(service.requestCount).toBe(4);
    expect(decisions(work)).toEqual([{ what: 'not_sent', note: 'asked the service desk' }]);
  });
});

test('batch settle of a record that was left out is refused: the earlier one is settled', async () => {
  const { work, send, settle, run: first } = await inDoubt('payout');
  const other = payouts(3).map((payout, i) => ({ ...payout, idempotency_key: `own-${i}` }));
  work.file('q.csv', csv(other));
  const second = await send('payout', ['--skip-similar'], { file: 'q.csv' });
  expect(states(second)).toEqual({ skipped: 2, unknown: 1 });
  const { run } = second.summary;
  expect((await settle(run, '--created', '--note', 'seen')).code).toBe(2);
  expect((await settle(first, '--created', '--note', 'seen')).code).toBe(0);
  const shown = await work.run(['batch', 'show', run, '--json']);
  expect(JSON.parse(shown.stdout).records).toMatchObject({ created: 0, skipped: 3, unknown: 0 });
});

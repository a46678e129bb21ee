import { describe, expect, test } from 'vitest';
import { gigs, payouts, type Row } from '../support/builders.js';
import { NO_WAITS, TELL, waitsOf } from '../support/crash.js';
import { businessRow, type Reply, type SeenRequest, type Service } from '../support/service.js';
import { startClerk, expectEnded, type Type, TYPES } from './clerk.js';
import { gate } from './together.js';

// The contract's table under "Sending", row by row, over real HTTP. Every record has a script of its own, so that one
// run goes through many rows at once.

const RETRIES = 3;

type Case = readonly [
  name: string,
  /** The answers to this record's attempts, in order; afterwards it is carried out and answered as usual. */
  answers: readonly Reply[],
  attempts: number,
  ends: 'created' | 'rejected' | 'unknown' | 'not_sent',
  httpStatus: number | null,
  /** How often it is carried out. */
  times: number,
];

const always = (reply: Reply): Reply[] => Array.from({ length: 20 }, () => reply);
const HTML: Reply = {
  status: 200,
  body: '<html><body>Welcome</body></html>',
  headers: { 'content-type': 'text/html' },
};
const ODD_TYPE: Reply = { status: 201, headers: { 'content-type': 'text/html' } };
const answer = (status: number, body: string, execute = true): Reply => ({ status, body, execute });
const CREATED = ['created', 201, 1] as const;

/** The same for both kinds of record. */
const PLAIN: Case = ['a plain answer', [], 1, ...CREATED];
const COMMON: Case[] = [
  PLAIN,
  ['429 again and again', always({ status: 429 }).slice(0, 6), 7, ...CREATED],
  ['425 again and again', always({ status: 425 }).slice(0, 6), 7, ...CREATED],
  ['an object of a wrong content type', [ODD_TYPE], 1, ...CREATED],
  ['200 with HTML', [HTML], 1, 'unknown', 200, 1],
  ['200 without a body', [answer(200, '')], 1, 'unknown', 200, 1],
  ['204', [answer(204, '')], 1, 'unknown', 204, 1],
  ['202', [answer(202, '{"id":1}')], 1, 'unknown', 202, 1],
  ['207', [answer(207, '{"id":1}')], 1, 'unknown', 207, 1],
  ['200 with a login page in JSON', [answer(200, '{"login":"/login"}', false)], 1, 'unknown', 200, 0],
  ['200 with an error', [answer(200, '{"error":"no such user"}', false)], 1, 'unknown', 200, 0],
  ['201 without success', [answer(201, '{"success":false}', false)], 1, 'unknown', 201, 0],
  ['201 without an error', [answer(201, '{"id":1,"success":true,"error":null,"errors":[]}')], 1, ...CREATED],
  ['200 with a list', [answer(200, '[{"id":1}]')], 1, 'unknown', 200, 1],
  ['201 with half an object', [answer(201, '{"id":')], 1, 'unknown', 201, 1],
  ['an answer without end', [{ fault: 'huge' }], 1, 'unknown', 201, 1],
  ['400', [{ status: 400 }], 1, 'rejected', 400, 0],
  ['404', [{ status: 404 }], 1, 'rejected', 404, 0],
  ['422', [{ status: 422 }], 1, 'rejected', 422, 0],
];

/** What may have been carried out, and answers to it: retried with a key, not without. */
const BROKEN: [name: string, reply: Reply, httpStatus: number | null, times: number][] = [
  ['reset before it is carried out', { fault: 'reset-before' }, null, 0],
  ['reset after it is carried out', { fault: 'reset-after' }, null, 1],
  ['a truncated answer', { fault: 'truncate' }, null, 1],
  ['a chunk without size', { fault: 'bad-chunk' }, null, 1],
  ['bytes that are no HTTP', { fault: 'garbage' }, null, 1],
  ['headers without end', { fault: 'endless-headers' }, null, 1],
  ['408', { status: 408 }, 408, 0],
  ['500', { status: 500 }, 500, 0],
  ['502 after it was carried out', { status: 502, execute: true }, 502, 1],
  ['503', { status: 503 }, 503, 0],
  ['a status that HTTP does not know', { status: 700 }, 700, 0],
];

const KEYED: Case[] = [
  ...COMMON,
  ...BROKEN.map(([name, reply]): Case => [`${name}, once`, [reply], 2, ...CREATED]),
  ['503 for ever', always({ status: 503 }), 1 + RETRIES, 'unknown', 503, 0],
  ['reset for ever', always({ fault: 'reset-before' }), 1 + RETRIES, 'unknown', null, 0],
  ['409, once', [{ status: 409 }], 2, ...CREATED],
  ['409 for ever', always({ status: 409 }), 4, 'unknown', 409, 0],
  ['503, then 422', [{ status: 503, execute: true }, { status: 422 }], 2, 'unknown', 422, 1],
  ['408, then 404', [{ status: 408 }, { status: 404 }], 2, 'unknown', 404, 0],
  ['reset, then 429, then an answer', [{ fault: 'reset-after' }, { status: 429 }], 3, ...CREATED],
];

const UNKEYED: Case[] = [
  ...COMMON,
  ...BROKEN.map(([name, reply, httpStatus, times]): Case => [name, [reply], 1, 'unknown', httpStatus, times]),
  ['409', [{ status: 409 }], 1, 'rejected', 409, 0],
  ['429, then 500', [{ status: 429 }, { status: 500 }], 2, 'unknown', 500, 0],
];

/** The record's number stands at the end of its title. */
function numberOf({ json }: SeenRequest): number {
  return Number(/\d+$/.exec((json as { title: string }).title)?.[0]);
}

/** Answers each record's attempts by its own script. */
function answersOf(cases: readonly Case[]): (seen: SeenRequest) => Reply {
  const attempts = new Map<number, number>();
  return (seen) => {
    const number = numberOf(seen);
    const attempt = attempts.get(number) ?? 0;
    attempts.set(number, attempt + 1);
    return cases[number - 1]?.[1][attempt] ?? { default: true };
  };
}

/** Sends one record for each case, and compares what is told of it with the case. */
async function playCases(type: Type, cases: readonly Case[]): Promise<Service> {
  const { service, send } = await startClerk(cases.length, { respond: answersOf(cases) });
  const result = await send(type, ['--timeout', '3600', '--retries', String(RETRIES), ...ONE], { env: NO_WAITS });
  const rows: readonly Row[] = type === 'payout' ? payouts(cases.length) : gigs(cases.length);
  const told = result.events.filter(({ event }) => event === 'record').sort((a, b) => a.record - b.record);
  const found = told.map(({ record, status, attempts, http_status: httpStatus }) => {
    const times = service.executions.get(businessRow(type, rows[record - 1]!)) ?? 0;
    return [cases[record - 1]?.[0], attempts, status, httpStatus, times];
  });
  expect(found).toEqual(cases.map(([name, , ...ends]) => [name, ...ends]));
  const counts = { created: 0, rejected: 0, unknown: 0, not_sent: 0 };
  for (const [, , , ends] of cases) counts[ends]++;
  const again = result.summary.records.unknown > result.summary.held || counts.not_sent > 0;
  const records = { read: cases.length, valid: cases.length, ...counts };
  expectEnded(result, again ? 5 : 6, records, { stop_reason: null });
  return service;
}

const ONE = ['--concurrency', '1'];

describe('what happens to one record', () => {
  test('with a key: the same key and the very same bytes on every attempt', async () => {
    const service = await playCases('payout', KEYED);
    const bodies = new Map<number, Set<string>>();
    for (const seen of service.requests) {
      bodies.set(numberOf(seen), (bodies.get(numberOf(seen)) ?? new Set()).add(seen.body));
      expect(seen.json).toHaveProperty('idempotency_key');
    }
    expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true);
    expect(new Set([...bodies.values()].flatMap((texts) => [...texts])).size).toBe(KEYED.length);
  });

  test('without a key: never asked again once it may have been carried out', async () => {
    // Three gigs in doubt in a row stop a run.
    const apart = UNKEYED.flatMap((each) => [each, PLAIN]);
    const service = await playCases('gig', apart);
    for (const { json } of service.requests) expect(json).not.toHaveProperty('idempotency_key');
  });

  test.each(TYPES)('%s: a service that is not there is asked again until it is', async (type) => {
    const { service, begin } = await startClerk(3);
    await service.refuse();
    const running = begin(type, ['--retries', '30'], { env: TELL });
    await running.said(/^wait /m);
    await service.accept();
    expectEnded(await running.result, 0, { created: 3 });
    expect(service.ledgerTotal()).toBe(3);
  });

  test.each([
    ['payout', 'dribble', 5, 2],
    ['payout', 'hang', 5, 2],
    ['gig', 'dribble', 6, 1],
    ['gig', 'hang', 6, 1],
  ] as const)(
    '%s against a service that would %s for an hour: bounded by --timeout as a whole',
    async (type, fault, code, requests) => {
      const { service, send } = await startClerk(1, { respond: () => ({ fault }) });
      const result = await send(type, ['--timeout', '1.5', '--retries', '1']);
      expectEnded(result, code, { unknown: 1 });
      expect(service.requestCount).toBe(requests);
      const [record] = result.events.filter(({ event }) => event === 'record');
      expect(record.error).toContain('1.5 s');
    },
  );
});

describe('what stops the run at one record', () => {
  async function stoppedBy(type: Type, status: number) {
    // A service that answers 303 has created first; 307 and 308 ask for it elsewhere, but may have created a gig.
    const execute = status < 307 || (type === 'gig' && status < 400);
    const reason = status === 401 ? 'unauthorized' : 'redirected';
    const reply: Reply = { status, headers: { location: '/api/v2/elsewhere/1' }, body: '', execute };
    const { service, send } = await startClerk(3, { respond: ({ n }) => (n === 2 ? reply : { default: true }) });
    const again = () => send(type, ONE);
    const { summary, events } = await again();
    expect([summary.exit_code, summary.stop_reason, service.requestCount]).toEqual([6, reason, 2]);
    return { service, again, records: summary.records, record: events.find(({ record }) => record === 2) };
  }

  const each = (type: Type, ...statuses: number[]) => statuses.map((status) => [type, status] as const);

  test.each([...each('payout', 300, 302, 303, 304), ...each('gig', 300, 302, 303, 304, 307, 308)])(
    '%s, %i: never followed, and that record may have been created',
    async (type, status) => {
      const { service, again, records, record } = await stoppedBy(type, status);
      expect(records).toMatchObject({ created: 1, unknown: 1, not_sent: 1 });
      const isKeyed = type === 'payout';
      const words = `HTTP ${status} to /api/v2/elsewhere/1; this may have been ${isKeyed ? 'paid' : 'created'}`;
      expect(record.error).toBe(words);
      const { summary } = await again();
      expect(summary.records).toMatchObject({ created: isKeyed ? 2 : 1, already_created: 1, unknown: isKeyed ? 0 : 1 });
      expect([...service.executions.values()]).toEqual([1, 1, 1]);
    },
  );

  test.each([...each('payout', 307, 308, 401), ...each('gig', 401)])(
    '%s, %i: that record was not created',
    async (type, status) => {
      const { service, again, records } = await stoppedBy(type, status);
      expect(records).toMatchObject({ created: 1, unknown: 0, not_sent: 2 });
      expectEnded(await again(), 0, { created: 2, already_created: 1 });
      expect([...service.executions.values()]).toEqual([1, 1, 1]);
    },
  );

  test.each(TYPES)('%s: a service that stays away; nothing has left', async (type) => {
    const { service, send } = await startClerk(3);
    await service.refuse();
    const result = await send(type, [...ONE, '--retries', '1'], { env: NO_WAITS });
    expectEnded(result, 5, { not_sent: 3, unknown: 0 }, { stop_reason: 'unreachable' });
    expect(result.events.find(({ record }) => record === 1)).toMatchObject({ attempts: 2, http_status: null });
  });
});

describe('Retry-After', () => {
  const now = Date.now();
  const cases: [what: string, header: string, least: number, most: number][] = [
    ['seconds', '120', 119_000, 120_000],
    // The program's clock has moved on by the waits before.
    ['a date', new Date(now + 300_000).toUTCString(), 100_000, 181_000],
    ['an absurd number', '99999999999', 299_000, 300_000],
    ['a negative number', '-7', 0, 30_000],
    ['no time at all', 'soon', 0, 30_000],
  ];

  test('is honoured as seconds or date, capped, and ignored where it says nothing', async () => {
    let asked = 0;
    const { send } = await startClerk(cases.length, {
      respond: () => {
        const header = asked % 2 === 0 ? cases[asked / 2]?.[1] : undefined;
        asked++;
        return header === undefined ? { default: true } : { status: 429, headers: { 'retry-after': header } };
      },
    });
    const result = await send('payout', [...ONE, '--timeout', '3600'], { env: { ...TELL, ...NO_WAITS } });
    expectEnded(result, 0, { created: cases.length });
    const waits = waitsOf(result);
    expect(waits).toHaveLength(cases.length);
    cases.forEach(([what, , least, most], index) => {
      expect(waits[index], what).toBeGreaterThanOrEqual(least);
      expect(waits[index], what).toBeLessThanOrEqual(most);
    });
  });

  test('of one answer holds back all workers', async () => {
    const HELD_MS = 1000;
    const arrivals: number[] = [];
    let answeredAt = 0;
    const wait = gate();
    const { begin } = await startClerk(30, {
      respond: async () => {
        arrivals.push(performance.now());
        if (arrivals.length === 4) {
          answeredAt = performance.now();
          return { status: 429, headers: { 'retry-after': String(HELD_MS / 1000) } };
        }
        // The others that are under way are answered when the wait has begun, and set their workers free within it.
        if (answeredAt === 0) await wait.opened;
        return { default: true };
      },
    });
    const running = begin('payout', ['--concurrency', '4'], { env: TELL });
    await running.said(/^wait /m);
    wait.open();
    expectEnded(await running.result, 0, { created: 30 });
    const tooEarly = arrivals.slice(4).filter((at) => at < answeredAt + HELD_MS);
    expect(tooEarly).toEqual([]);
    expect(arrivals).toHaveLength(31);
  });
});

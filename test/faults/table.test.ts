import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts, type Row } from '../support/builders.js';
import { type CliResult, workspace } from '../support/cli.js';
import { NO_WAITS, send, beginSending, TELL, waitsOf } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { businessRow, type Reply, type SeenRequest, type Service } from '../support/service.js';

// The contract's table under "Sending", row by row, over real HTTP. Every record has a script of its own, so that one
// run goes through many rows at once.

const RETRIES = 3;

interface Case {
  readonly name: string;
  /** The answers to this record's attempts, in order; afterwards it is carried out and answered as usual. */
  readonly answers: readonly Reply[];
  readonly ends: 'created' | 'rejected' | 'unknown' | 'not_sent';
  readonly attempts: number;
  readonly httpStatus: number | null;
  /** How often it is carried out. */
  readonly times: number;
}

const always = (reply: Reply): Reply[] => Array.from({ length: 20 }, () => reply);
const HTML: Reply = {
  status: 200,
  body: '<html><body>Welcome</body></html>',
  headers: { 'content-type': 'text/html' },
};
const ODD_TYPE: Reply = { status: 201, headers: { 'content-type': 'text/html' } };
const answer = (status: number, body: string, execute?: boolean): Reply =>
  execute === undefined ? { status, body } : { status, body, execute };

type Told = [
  name: string,
  answers: Reply[],
  attempts: number,
  ends: Case['ends'],
  httpStatus: number | null,
  times: number,
];
const CREATED = ['created', 201, 1] as const;

/** The same for both kinds of record. */
const COMMON: Told[] = [
  ['a plain answer', [], 1, ...CREATED],
  ['429 again and again', always({ status: 429 }).slice(0, 6), 7, ...CREATED],
  ['425 again and again', always({ status: 425 }).slice(0, 6), 7, ...CREATED],
  ['an object of a wrong content type', [ODD_TYPE], 1, ...CREATED],
  ['200 with HTML', [HTML], 1, 'unknown', 200, 1],
  ['200 without a body', [answer(200, '')], 1, 'unknown', 200, 1],
  ['204', [answer(204, '')], 1, 'unknown', 204, 1],
  ['207', [answer(207, '{"id":1}')], 1, 'unknown', 207, 1],
  ['200 with an error', [answer(200, '{"error":"no such user"}', false)], 1, 'unknown', 200, 0],
  ['201 without success', [answer(201, '{"success":false}', false)], 1, 'unknown', 201, 0],
  ['201 without an error', [answer(201, '{"success":true,"error":null,"errors":[]}')], 1, ...CREATED],
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

const caseOf = ([name, answers, attempts, ends, httpStatus, times]: Told): Case => {
  return { name, answers, attempts, ends, httpStatus, times };
};

const KEYED: Case[] = [
  ...COMMON,
  ...BROKEN.map(([name, reply]): Told => [`${name}, once`, [reply], 2, ...CREATED]),
  ['503 for ever', always({ status: 503 }), 1 + RETRIES, 'unknown', 503, 0] as Told,
  ['reset for ever', always({ fault: 'reset-before' }), 1 + RETRIES, 'unknown', null, 0] as Told,
  ['409, once', [{ status: 409 }], 2, ...CREATED] as Told,
  ['409 for ever', always({ status: 409 }), 4, 'unknown', 409, 0] as Told,
  ['503, then 422', [{ status: 503, execute: true }, { status: 422 }], 2, 'unknown', 422, 1] as Told,
  ['408, then 404', [{ status: 408 }, { status: 404 }], 2, 'unknown', 404, 0] as Told,
  ['reset, then 429, then an answer', [{ fault: 'reset-after' }, { status: 429 }], 3, ...CREATED] as Told,
].map(caseOf);

const UNKEYED: Case[] = [
  ...COMMON,
  ...BROKEN.map(([name, reply, httpStatus, times]): Told => [name, [reply], 1, 'unknown', httpStatus, times]),
  ['409', [{ status: 409 }], 1, 'rejected', 409, 0] as Told,
  ['429, then 500', [{ status: 429 }, { status: 500 }], 2, 'unknown', 500, 0] as Told,
].map(caseOf);

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
    return cases[number - 1]?.answers[attempt] ?? { default: true };
  };
}

function checkCases(cases: readonly Case[], result: CliResult, service: Service, rows: readonly string[]): void {
  const told = result.events.filter(({ event }) => event === 'record');
  const found = told
    .sort((a, b) => a.record - b.record)
    .map(({ record, status, attempts, http_status: httpStatus }) => ({
      name: cases[record - 1]?.name,
      ends: status,
      attempts,
      httpStatus,
      times: service.executions.get(rows[record - 1]!) ?? 0,
    }));
  expect(found).toEqual(
    cases.map(({ name, ends, attempts, httpStatus, times }) => ({ name, ends, attempts, httpStatus, times })),
  );
  const counts = { created: 0, rejected: 0, unknown: 0, not_sent: 0 };
  for (const { ends } of cases) counts[ends]++;
  expect(result.summary.records).toMatchObject({ read: cases.length, valid: cases.length, ...counts });
  const again = result.summary.records.unknown > result.summary.held || counts.not_sent > 0;
  expect(result.summary).toMatchObject({ exit_code: again ? 5 : 6, stop_reason: null });
  expect(result.code).toBe(result.summary.exit_code);
}

const PATIENT = ['--timeout', '3600', '--retries', String(RETRIES)];

describe('what happens to one record', () => {
  test('with a key: the same key and the very same bytes on every attempt', async () => {
    const work = workspace();
    const service = await testService({ respond: answersOf(KEYED) });
    const paid = payouts(KEYED.length);
    work.file('p.csv', csv(paid));
    const flags = [...PATIENT, '--concurrency', '1'];
    const result = await send(work, 'payout create', 'p.csv', service, flags, { env: NO_WAITS });
    checkCases(
      KEYED,
      result,
      service,
      paid.map((row) => businessRow('payout', row)),
    );
    const bodies = new Map<number, Set<string>>();
    for (const seen of service.requests) {
      bodies.set(numberOf(seen), (bodies.get(numberOf(seen)) ?? new Set()).add(seen.body));
      expect(seen.json).toHaveProperty('idempotency_key');
    }
    expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true);
    expect(new Set([...bodies.values()].flatMap((texts) => [...texts])).size).toBe(KEYED.length);
  });

  test('without a key: never asked again once it may have been carried out', async () => {
    const work = workspace();
    const service = await testService({ respond: answersOf(UNKEYED) });
    const offered = gigs(UNKEYED.length);
    work.file('g.ndjson', ndjson(offered));
    const flags = [...PATIENT, '--concurrency', '1'];
    const result = await send(work, 'gig create', 'g.ndjson', service, flags, { env: NO_WAITS });
    checkCases(
      UNKEYED,
      result,
      service,
      offered.map((row) => businessRow('gig', row)),
    );
    for (const { json } of service.requests) expect(json).not.toHaveProperty('idempotency_key');
  });

  test.each([
    { command: 'payout create', rows: payouts(3) as Row[] },
    { command: 'gig create', rows: gigs(3) as Row[] },
  ])('$command: a service that is not there is asked again until it is', async ({ command, rows }) => {
    const work = workspace();
    const service = await testService();
    work.file('r.ndjson', ndjson(rows));
    await service.refuse();
    const running = beginSending(work, command, 'r.ndjson', service, ['--retries', '30'], { env: TELL });
    await running.said(/^wait /m);
    await service.accept();
    const { summary } = await running.result;
    expect(summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
    expect(service.ledgerTotal()).toBe(3);
  });

  test.each([
    { fault: 'dribble', command: 'payout create', row: payouts(1)[0] as Row, requests: 2 },
    { fault: 'hang', command: 'payout create', row: payouts(1)[0] as Row, requests: 2 },
    { fault: 'dribble', command: 'gig create', row: gigs(1)[0] as Row, requests: 1 },
    { fault: 'hang', command: 'gig create', row: gigs(1)[0] as Row, requests: 1 },
  ] as const)(
    '$command against a service that would $fault for an hour: bounded by --timeout as a whole',
    async (each) => {
      const work = workspace();
      const service = await testService({ respond: () => ({ fault: each.fault }) });
      work.file('r.ndjson', ndjson([each.row]));
      const result = await send(work, each.command, 'r.ndjson', service, ['--timeout', '1.5', '--retries', '1']);
      expect(result.summary).toMatchObject({
        exit_code: each.command === 'payout create' ? 5 : 6,
        records: { unknown: 1 },
      });
      expect(service.requestCount).toBe(each.requests);
      const [record] = result.events.filter(({ event }) => event === 'record');
      expect(record.error).toContain('1.5 s');
    },
  );
});

describe('what stops the run at one record', () => {
  const KINDS = [
    { command: 'payout create', rows: payouts(3) as Row[] },
    { command: 'gig create', rows: gigs(3) as Row[] },
  ];

  async function stoppedBy(command: string, rows: Row[], status: number) {
    const work = workspace();
    // A service that answers 303 has created first; 307 and 308 ask for it elsewhere, but may have created a gig.
    const execute = status < 307 || (command === 'gig create' && status < 400);
    const reason = status === 401 ? 'unauthorized' : 'redirected';
    const reply: Reply = { status, headers: { location: '/api/v2/elsewhere/1' }, body: '', execute };
    const service = await testService({ respond: ({ n }) => (n === 2 ? reply : { default: true }) });
    work.file('r.ndjson', ndjson(rows));
    const again = () => send(work, command, 'r.ndjson', service, ['--concurrency', '1']);
    const { summary, events } = await again();
    expect([summary.exit_code, summary.stop_reason, service.requestCount]).toEqual([6, reason, 2]);
    return { service, again, records: summary.records, record: events.find(({ record }) => record === 2) };
  }

  const redirects = ({ command }: { command: string }) => [
    ...[300, 302, 303, 304],
    ...(command === 'gig create' ? [307, 308] : []),
  ];
  const harmless = ({ command }: { command: string }) => (command === 'gig create' ? [401] : [307, 308, 401]);

  test.each(KINDS.flatMap((kind) => redirects(kind).map((status) => ({ ...kind, status }))))(
    '$command, $status: never followed, and that record may have been created',
    async ({ command, rows, status }) => {
      const { service, again, records, record } = await stoppedBy(command, rows, status);
      expect(records).toMatchObject({ created: 1, unknown: 1, not_sent: 1 });
      expect(record.error).toBe(
        `HTTP ${status} to /api/v2/elsewhere/1; this may have been ${command === 'gig create' ? 'created' : 'paid'}`,
      );
      const { summary } = await again();
      const isKeyed = command === 'payout create';
      expect(summary.records).toMatchObject({ created: isKeyed ? 2 : 1, already_created: 1, unknown: isKeyed ? 0 : 1 });
      expect([...service.executions.values()]).toEqual([1, 1, 1]);
    },
  );

  test.each(KINDS.flatMap((kind) => harmless(kind).map((status) => ({ ...kind, status }))))(
    '$command, $status: that record was not created',
    async ({ command, rows, status }) => {
      const { service, again, records } = await stoppedBy(command, rows, status);
      expect(records).toMatchObject({ created: 1, unknown: 0, not_sent: 2 });
      const { summary } = await again();
      expect(summary).toMatchObject({ exit_code: 0, records: { created: 2, already_created: 1 } });
      expect([...service.executions.values()]).toEqual([1, 1, 1]);
    },
  );

  test.each(KINDS)('$command: a service that stays away; nothing has left', async ({ command, rows }) => {
    const work = workspace();
    const service = await testService();
    work.file('r.ndjson', ndjson(rows));
    await service.refuse();
    const flags = ['--concurrency', '1', '--retries', '1'];
    const { summary, events } = await send(work, command, 'r.ndjson', service, flags, { env: NO_WAITS });
    expect(summary).toMatchObject({ exit_code: 5, stop_reason: 'unreachable', records: { not_sent: 3, unknown: 0 } });
    expect(events.find(({ record }) => record === 1)).toMatchObject({ attempts: 2, http_status: null });
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
    const work = workspace();
    let asked = 0;
    const service = await testService({
      respond: () => {
        const header = asked % 2 === 0 ? cases[asked / 2]?.[1] : undefined;
        asked++;
        return header === undefined ? { default: true } : { status: 429, headers: { 'retry-after': header } };
      },
    });
    work.file('p.csv', csv(payouts(cases.length)));
    const env = { ...TELL, ...NO_WAITS };
    const result = await send(work, 'payout create', 'p.csv', service, ['--concurrency', '1', '--timeout', '3600'], {
      env,
    });
    expect(result.summary).toMatchObject({ exit_code: 0, records: { created: cases.length } });
    const waits = waitsOf(result);
    expect(waits).toHaveLength(cases.length);
    cases.forEach(([what, , least, most], index) => {
      expect(waits[index], what).toBeGreaterThanOrEqual(least);
      expect(waits[index], what).toBeLessThanOrEqual(most);
    });
  });

  test('of one answer holds back all workers', async () => {
    const HELD_MS = 1000;
    const work = workspace();
    const arrivals: number[] = [];
    let isHeld = false;
    let answeredAt = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const service = await testService({
      respond: async () => {
        arrivals.push(performance.now());
        if (arrivals.length === 4) {
          answeredAt = performance.now();
          isHeld = true;
          return { status: 429, headers: { 'retry-after': String(HELD_MS / 1000) } };
        }
        // The others that are under way are answered when the wait has begun, and set their workers free within it.
        if (!isHeld) await held;
        return { default: true };
      },
    });
    work.file('p.csv', csv(payouts(30)));
    const running = beginSending(work, 'payout create', 'p.csv', service, ['--concurrency', '4'], { env: TELL });
    await running.said(/^wait /m);
    release();
    const { summary } = await running.result;
    expect(summary).toMatchObject({ exit_code: 0, records: { created: 30 } });
    const tooEarly = arrivals.slice(4).filter((at) => at < answeredAt + HELD_MS);
    expect(tooEarly).toEqual([]);
    expect(arrivals).toHaveLength(31);
  });
});

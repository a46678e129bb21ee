import { describe, expect, test } from 'vitest';
import type { CliResult } from '../support/cli.js';
import { hoursAhead, NO_WAITS, states } from '../support/crash.js';
import type { Reply } from '../support/service.js';
import { type Clerk, startClerk, expectEnded } from './clerk.js';
import { expectOnce, gate } from './together.js';

// Gigs have no key: each one in doubt costs a person's time. CONTRACT.md, "Sending".

const GIGS = 300;
const WINDOW: [what: string, reply: Reply][] = [
  ['HTTP 503', { status: 503 }],
  ['connections that are cut', { fault: 'reset-before' }],
];

/** A schedule: the command, and then what it prints to go on, for as long as that may help without anybody. */
async function schedule({ work }: Clerk, first: CliResult): Promise<CliResult[]> {
  const calls = [first];
  for (let last = first; last.code === 5 && calls.length < 20; calls.push(last)) {
    expect(last.summary.retry).toBe(true);
    const [, ...words] = last.summary.next as string[];
    last = await work.run([...words, '--json'], { env: NO_WAITS });
  }
  return calls;
}

describe('a maintenance window', () => {
  test.each(WINDOW)('leaves at most three gigs in doubt: %s', async (_what, reply) => {
    const at = await startClerk(GIGS, { respond: () => reply });
    const calls = await schedule(at, await at.send('gig', [], { env: NO_WAITS }));
    const last = calls.at(-1) as CliResult;
    expect(calls).toHaveLength(1);
    expectEnded(last, 6, { unknown: 3, not_sent: GIGS - 3 }, { stop_reason: 'in_doubt', held: 3, retry: false });
    expect(at.service.requestCount).toBe(3);
    expect(last.stderr).toMatch(/Three gigs in a row got no clear answer/);
    // First the doubts, then the command.
    const said = last.stderr.replaceAll('\n', ' ');
    expect(said).toMatch(/batch settle .*batch resume/);
  });

  test('that begins after some were created: those under way may come into doubt, and no more', async () => {
    const at = await startClerk(GIGS, { respond: ({ n }) => (n <= 20 ? { default: true } : { status: 503 }) });
    const result = await at.send('gig', ['--concurrency', '4'], { env: NO_WAITS });
    expect(result.summary).toMatchObject({ exit_code: 6, stop_reason: 'in_doubt' });
    expect(result.summary.records.unknown).toBeLessThanOrEqual(4);
  });

  test('once a person has settled the three, what is left is sent, each once', async () => {
    const at = await startClerk(10, { respond: () => ({ status: 503 }) });
    const { summary } = await at.send('gig', [], { env: NO_WAITS });
    const record = ['--record', '1-3', '--not-created', '--note', 'asked'];
    const settle = ['batch', 'settle', summary.run, ...record];
    // Once the service cannot be at it any more.
    const later = { env: hoursAhead(1) };
    expect((await at.work.run(settle, later)).code).toBe(0);
    at.service.responder(undefined);
    const [, ...next] = summary.next as string[];
    const again = await at.work.run([...next, '--json'], later);
    expectEnded(again, 0, { created: 10, unknown: 0 });
    expectOnce(at.service, 10);
  });

  test('payouts beside them go out, and three in doubt in a row are counted among gigs alone', async () => {
    let asked = 0;
    const at = await startClerk(5, {
      respond: ({ path }) => (path.endsWith('gigs') && ++asked % 2 === 1 ? { status: 503 } : { default: true }),
    });
    const words = ['batch', 'import', 'p.csv', 'g.ndjson', '--base-url', at.service.url, '--yes', '--json'];
    const result = await at.work.run([...words, '--concurrency', '1'], { env: NO_WAITS });
    expect(states(result)).toMatchObject({ created: 7, unknown: 3 });
  });
});

describe('a gig is alone', () => {
  /** How many requests are under way; the most at one time is written down for each answer. */
  function counting(answer: (n: number) => Reply | Promise<Reply>) {
    const seen: number[] = [];
    let underWay = 0;
    const respond = async ({ n }: { n: number }): Promise<Reply> => {
      seen[n - 1] = ++underWay;
      const reply = await answer(n);
      underWay--;
      return reply;
    };
    return { seen, respond };
  }

  test('while it is the first, and after one in doubt; then as many are under way as may be', async () => {
    const four = gate();
    let waiting = 0;
    // The first is refused, as definite an answer as any; then four wait for each other; one of them comes into doubt.
    const { seen, respond } = counting(async (n) => {
      if (n === 1) return { status: 422 };
      if (n > 5) return { default: true };
      if (++waiting === 4) four.open();
      await four.opened;
      return n === 5 ? { status: 503 } : { default: true };
    });
    const at = await startClerk(12, { respond });
    const result = await at.send('gig', ['--concurrency', '4']);
    expectEnded(result, 6, { rejected: 1, unknown: 1, created: 10 }, { stop_reason: null });
    expect([seen[0], Math.max(...seen)]).toEqual([1, 4]);
  });

  test('as long as no answer is definite', async () => {
    const { seen, respond } = counting((n) => (n < 3 ? { status: 503 } : { default: true }));
    const at = await startClerk(3, { respond });
    expectEnded(await at.send('gig', ['--concurrency', '8']), 6, { unknown: 2, created: 1 });
    expect(seen).toEqual([1, 1, 1]);
  });
});

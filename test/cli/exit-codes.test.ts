/** The exit codes, from the first to the last that fits. CONTRACT: "Exit codes". Signals: test/faults/signals.test.ts. */
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, type Row } from '../support/builders.js';
import { type Desk, openDesk, FIRST, paid, ROWS, SECOND, THIRD } from '../support/desk.js';
import type { Reply } from '../support/service.js';

const INVALID = { ...THIRD, title: '' };

/** What is sent, with which flags; `before` by an earlier call. `gigs` sends a gig first. */
interface Calls {
  readonly before?: readonly Row[];
  readonly rows?: readonly Row[];
  readonly flags?: string;
  /** How the requests are answered, in order; those after the last with 201. */
  readonly answers?: readonly Reply[];
  readonly url?: string;
  readonly gigs?: number;
}

const [CREATED, REJECTED, DENIED, BUSY] = [201, 422, 401, 503].map((status) => ({ status })) as [
  Reply,
  Reply,
  Reply,
  Reply,
];
const LOST: Reply = { fault: 'reset-after' };
const BOTH = [FIRST, SECOND];
const AGAIN = { before: [FIRST], rows: BOTH };
const SOME = { rows: [FIRST, INVALID] };
const SKIPPING = { flags: '--skip-invalid' };
const STOPPING = { flags: '--stop-after 1' };
const SIMILAR = [1, 2].map((amount) => ({ ...FIRST, amount }));
const protectedAfter = (answer: Reply): Case => [
  `an outcome is unknown, and its key protects it, after ${JSON.stringify(answer)}`,
  ...([5, null, { answers: [answer] }] as const),
];

type Case = [what: string, code: number, reason: string | null, calls: Calls];

const CASES: readonly Case[] = [
  ['every record is created', 0, null, {}],
  ['every record was created already', 0, null, { before: [FIRST] }],
  ['every record is created, or was left out as decided', 0, null, { ...AGAIN, flags: '--skip-created' }],
  ['a dry run that finds no fault', 0, null, { flags: '--dry-run' }],
  ['a flag that is none', 2, 'usage', { flags: '--pay-again 1' }],
  ['invalid input', 3, 'invalid_input', SOME],
  ['a control total that is missed', 3, 'control_total', { flags: '--expect-count 2' }],
  ['what repeats', 3, 'repeats', AGAIN],
  ['more similar ones than were said', 3, 'repeats', { before: [FIRST], rows: SIMILAR, flags: '--send-similar 1' }],
  ['invalid input before the others', 3, 'invalid_input', { ...SOME, before: [FIRST], flags: '--expect-count 9' }],
  ['repeats before control totals', 3, 'repeats', { ...AGAIN, flags: '--expect-count 9' }],
  ['some are rejected', 4, null, { rows: BOTH, answers: [CREATED, REJECTED] }],
  ['some stay rejected, when the run goes on', 4, null, { before: BOTH, rows: BOTH, answers: [CREATED, REJECTED] }],
  ['some are skipped as invalid', 4, null, { ...SOME, flags: '--skip-invalid' }],
  ['the same in a dry run', 4, null, { ...SOME, flags: '--skip-invalid --dry-run' }],
  ...[LOST, { status: 408 }, BUSY].map(protectedAfter),
  ['an outcome is unknown after 409', 6, null, { answers: [{ status: 409 }] }],
  ['an outcome is unknown, and its key protects it no longer', 6, null, { answers: [BUSY], flags: '--key-lifetime 0' }],
  ['a gig is of unknown outcome', 6, null, { gigs: 1, rows: [], answers: [BUSY] }],
  ['a gig and a payout are of unknown outcome: 5 before 6', 5, null, { gigs: 1, answers: [BUSY, BUSY] }],
  ['three gigs in a row are of unknown outcome', 6, 'in_doubt', { gigs: 4, rows: [], answers: [BUSY, BUSY, BUSY] }],
  ['the credentials are wrong', 6, 'unauthorized', { answers: [DENIED] }],
  ['and one in doubt clears up: 5 before 6', 5, 'unauthorized', { rows: BOTH, answers: [LOST, DENIED] }],
  ['the answer is a redirect', 6, 'redirected', { answers: [{ status: 302 }] }],
  ['the answer does not confirm', 6, 'wrong_target', { answers: [{ status: 200, body: 'hello' }] }],
  ['too many are rejected', 6, 'too_many_rejected', { rows: BOTH, answers: [REJECTED], ...STOPPING }],
  // The person comes first, who wanted to look.
  ['and one in doubt would clear up', 6, 'too_many_rejected', { rows: ROWS, answers: [LOST, REJECTED], ...STOPPING }],
  ['the service cannot be reached', 5, 'unreachable', { url: 'http://127.0.0.1:9' }],
  ['the host does not exist', 6, 'unreachable', { url: 'https://no-such-host.invalid' }],
  [
    'one is rejected, one unknown: 5 before 4',
    5,
    null,
    { rows: [...BOTH, INVALID], answers: [REJECTED, LOST], ...SKIPPING },
  ],
  [
    'one is left out for one in doubt',
    6,
    null,
    { ...AGAIN, answers: [LOST], flags: '--skip-created --key-lifetime 0' },
  ],
];

function call({ work, service }: Desk, rows: readonly Row[], { flags = '', url = service.url, gigs: n = 0 }: Calls) {
  const files = { 'g.ndjson': gigs(n), 'p.ndjson': rows };
  for (const [name, content] of Object.entries(files)) work.file(name, ndjson(content));
  const inputs = Object.entries(files).flatMap(([name, { length }]) => (length === 0 ? [] : [name]));
  const target = `--base-url ${url} --yes --json --concurrency 1 --retries 0`;
  return work.run(`batch import ${inputs.join(' ')} ${target} ${flags}`);
}

describe('the exit code of a call whose end is this', () => {
  test.each(CASES)('%s: %i', async (_what, code, reason, calls) => {
    const at = await openDesk((n) => calls.answers?.[n - 1] ?? CREATED);
    if (calls.before !== undefined) await call(at, calls.before, {});
    const result = await call(at, calls.rows ?? [FIRST], calls);
    expect([result.code, result.summary.exit_code, result.summary.stop_reason]).toEqual([code, code, reason]);
    expect(result.summary.retry).toBe(code === 5);
    // There is something to continue with 5 and 6, and nowhere else.
    expect(result.summary.next !== null).toBe(code === 5 || code === 6);
    const { read, valid, invalid, ...states } = result.summary.records as Record<string, number>;
    expect(read).toBe(valid! + invalid!);
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(valid);
  });
});

describe('records that no key protects', () => {
  test.each([
    ['gigs', { gigs: 3, rows: [] }, 6],
    ['payouts whose keys are not remembered', { rows: ROWS, flags: '--key-lifetime 0' }, 6],
    ['not payouts whose keys are', { rows: ROWS }, 5],
  ])('one came into doubt, and others are left, while the service is gone: %s', async (_what, calls, code) => {
    const at = await openDesk();
    at.service.responder(async ({ n }) => {
      if (n === 1) await at.service.refuse();
      return BUSY;
    });
    const { summary } = await call(at, calls.rows, calls);
    expect(summary).toMatchObject({ exit_code: code, stop_reason: 'unreachable', retry: code === 5 });
    expect(summary.records).toMatchObject({ unknown: 1, not_sent: summary.records.valid - 1 });
  });
});

test('a dry run with a record that only a person can settle: 6, and nothing to continue', async () => {
  const at = await openDesk((n) => (n === 1 ? { status: 503 } : { status: 201 }));
  await at.send([FIRST], '--retries', '0', '--key-lifetime', '0');
  const { code, summary } = await at.send([FIRST], '--dry-run');
  expect([code, summary]).toMatchObject([6, { held: 1, retry: false, next: null, records: { unknown: 1 } }]);
});

test('a loop on next comes to an end: what stays 409 is for a person, and all else is sent', async () => {
  const at = await openDesk();
  at.service.responder(({ n, json }) => {
    if ((json as Row)['user_id'] === FIRST['user_id']) return { status: 409 };
    return n % 2 === 0 ? { status: 503 } : undefined;
  });
  const codes = [];
  let result = await at.send(ROWS, '--retries', '0');
  for (; result.code === 5 && codes.length < 9; result = await at.runPrinted(result.summary.next))
    codes.push(result.code);
  expect(codes.length).toBeGreaterThan(0);
  expect([result.code, result.summary]).toMatchObject([6, { held: 1, records: { unknown: 1, not_sent: 0 } }]);
  expect(paid(at, ...ROWS)).toEqual([0, 1, 1, 1]);
});

describe('a refusal gives its ways out as commands', () => {
  test.each<[reason: string, rows: readonly object[], flags: string[]]>([
    ['invalid_input', [FIRST, INVALID], []],
    ['not_confirmed', [FIRST, SECOND], []],
    ['control_total', [FIRST, SECOND], ['--expect-count', '3', '--expect-total=1']],
  ])('%s: run as it stands, it is done', async (reason, rows, flags) => {
    const at = await openDesk();
    const words = ['payout', 'create', 'p.csv', '--base-url', at.service.url, '--json', ...flags];
    at.work.file('p.csv', csv(rows as Row[]));
    const { summary } = await at.work.run(reason === 'not_confirmed' ? words : [...words, '--yes']);
    expect(summary).toMatchObject({ stop_reason: reason, remedies: [{ when: expect.any(String) }] });
    const { code, summary: then } = await at.runPrinted(summary.remedies[0].command);
    expect([code, then.stop_reason]).toEqual([reason === 'invalid_input' ? 4 : 0, null]);
    expect(at.service.requestCount).toBe({ invalid_input: 1, not_confirmed: 2, control_total: 0 }[reason]);
  });
});

test('beside --json, a log on standard error has one line of the end', async () => {
  const at = await openDesk(() => DENIED);
  const { stderr, summary } = await at.send([FIRST, INVALID], '--skip-invalid');
  const lines = stderr.trim().split('\n');
  expect(lines.filter((line) => /HTTP 401|title|continue/.test(line))).toEqual([
    expect.stringMatching(/^exit code 6 \(unauthorized\): .*HTTP 401.*To continue: gigwork batch resume /),
  ]);
  expect(lines.at(-1)).toContain(summary.run);
  expect((await at.send([FIRST], '--dry-run', '--quiet')).stderr).toBe('');
  // What the line leads to stands in `remedies` and `reasons`.
  const rejecting = await openDesk((n) => ({ status: 422, body: `{"error":"no ${n}"}` }));
  const ended = (await rejecting.send([FIRST, SECOND])).stderr.trim().split('\n').at(-1);
  expect(ended).toMatch(/^exit code 4: .*2 refused\. .*no 1 \(line 2\)\. .*no 2 \(line 3\)$/);
});

/** The exit codes, from the first to the last that fits. CONTRACT: "Exit codes". Signals: test/faults/signals.test.ts. */
import { describe, expect, test } from 'vitest';
import { type Desk, desk, FIRST, paid, ROWS, SECOND } from '../support/desk.js';
import type { CliResult } from '../support/cli.js';
import { csv, gigs, ndjson, type Row } from '../support/builders.js';
import type { Reply } from '../support/service.js';

const [, , THIRD] = ROWS as [typeof FIRST, typeof FIRST, typeof FIRST];
const INVALID = { ...THIRD, title: '' };

type Calls = (at: Desk) => Promise<CliResult>;

/** Requests are answered in order; those after the last with 201. */
/** A gig, and what comes behind it. */
function sendGigs({ work, service }: Desk, ...more: readonly Row[]): Promise<CliResult> {
  work.file('g.ndjson', ndjson(gigs(1)));
  work.file('p.ndjson', ndjson(more));
  const files = more.length === 0 ? ['g.ndjson'] : ['g.ndjson', 'p.ndjson'];
  const flags = ['--base-url', service.url, '--yes', '--json', '--concurrency', '1', '--retries', '0'];
  return work.run(['batch', 'import', ...files, ...flags]);
}

function sendTo(url: string, { work }: Desk): Promise<CliResult> {
  work.file('p.ndjson', ndjson([FIRST]));
  return work.run(['payout', 'create', 'p.ndjson', '--base-url', url, '--yes', '--json', '--retries', '0']);
}

type Case = [what: string, code: number, reason: string | null, answers: readonly Reply[], calls: Calls];

const CASES: readonly Case[] = [
  ['every record is created', 0, null, [], ({ send }) => send([FIRST])],
  [
    'every record was created already',
    0,
    null,
    [],
    async ({ send }) => {
      await send([FIRST]);
      return send([FIRST]);
    },
  ],
  [
    'every record is created, or was left out as decided',
    0,
    null,
    [],
    async ({ send }) => {
      await send([FIRST]);
      return send([FIRST, SECOND], '--skip-created');
    },
  ],
  ['a dry run that finds no fault', 0, null, [], ({ send }) => send([FIRST], '--dry-run')],
  ['a flag that is none', 2, 'usage', [], ({ send }) => send([FIRST], '--pay-again', '1')],
  [
    'nobody has confirmed',
    2,
    'not_confirmed',
    [],
    async ({ work, service, send }) => {
      await send([FIRST], '--dry-run');
      return work.run(['payout', 'create', 'p.csv', '--base-url', service.url, '--json']);
    },
  ],
  ['invalid input', 3, 'invalid_input', [], ({ send }) => send([FIRST, INVALID])],
  ['a control total that is missed', 3, 'control_total', [], ({ send }) => send([FIRST], '--expect-count', '2')],
  [
    'what repeats',
    3,
    'repeats',
    [],
    async ({ send }) => {
      await send([FIRST]);
      return send([FIRST, SECOND]);
    },
  ],
  [
    'more similar records than were said',
    3,
    'repeats',
    [],
    async ({ send }) => {
      await send([FIRST]);
      return send(
        [
          { ...FIRST, amount: 1 },
          { ...FIRST, amount: 2 },
        ],
        '--send-similar',
        '1',
      );
    },
  ],
  [
    'invalid input before repeats, and these before control totals',
    3,
    'invalid_input',
    [],
    async ({ send }) => {
      await send([FIRST]);
      return send([FIRST, INVALID], '--expect-count', '9');
    },
  ],
  ['some are rejected', 4, null, [{ status: 201 }, { status: 422 }], ({ send }) => send([FIRST, SECOND])],
  [
    'some stay rejected, when the run goes on',
    4,
    null,
    [{ status: 201 }, { status: 422 }],
    async ({ send }) => {
      await send([FIRST, SECOND]);
      return send([FIRST, SECOND]);
    },
  ],
  ['some are skipped as invalid', 4, null, [], ({ send }) => send([FIRST, INVALID], '--skip-invalid')],
  ['the same in a dry run', 4, null, [], ({ send }) => send([FIRST, INVALID], '--skip-invalid', '--dry-run')],
  ...([{ fault: 'reset-after' }, { status: 408 }, { status: 503 }] as const).map((answer): Case => {
    const what = `an outcome is unknown, and its key protects it, after ${JSON.stringify(answer)}`;
    return [what, 5, null, [answer], ({ send }) => send([FIRST], '--retries', '0')];
  }),
  ['an outcome is unknown after 409', 6, null, [{ status: 409 }], ({ send }) => send([FIRST], '--retries', '0')],
  [
    'an outcome is unknown, and its key protects it no longer',
    6,
    null,
    [{ status: 503 }],
    ({ send }) => send([FIRST], '--retries', '0', '--key-lifetime', '0'),
  ],
  ['a gig is of unknown outcome', 6, null, [{ status: 503 }], sendGigs],
  [
    'a gig and a payout are of unknown outcome: 5 comes before 6',
    5,
    null,
    [{ status: 503 }, { status: 503 }],
    (at) => sendGigs(at, FIRST),
  ],
  ['the credentials are wrong', 6, 'unauthorized', [{ status: 401 }], ({ send }) => send([FIRST])],
  [
    'the credentials are wrong, and one in doubt clears up by calling again: 5 comes before 6',
    5,
    'unauthorized',
    [{ fault: 'reset-after' }, { status: 401 }],
    ({ send }) => send([FIRST, SECOND], '--retries', '0'),
  ],
  ['the answer is a redirect', 6, 'redirected', [{ status: 302 }], ({ send }) => send([FIRST])],
  ['the answer does not confirm', 6, 'wrong_target', [{ status: 200, body: 'hello' }], ({ send }) => send([FIRST])],
  [
    'as many are rejected as may be',
    6,
    'too_many_rejected',
    [{ status: 422 }],
    ({ send }) => send([FIRST, SECOND], '--stop-after', '1'),
  ],
  [
    'as many are rejected as may be, and one in doubt would clear up: the person comes first, who wanted to look',
    6,
    'too_many_rejected',
    [{ fault: 'reset-after' }, { status: 422 }],
    ({ send }) => send(ROWS, '--stop-after', '1', '--retries', '0'),
  ],
  ['the service cannot be reached', 5, 'unreachable', [], (at) => sendTo('http://127.0.0.1:9', at)],
  ['the host does not exist', 6, 'unreachable', [], (at) => sendTo('https://no-such-host.invalid', at)],
  [
    'one is rejected and one is unknown: 5 comes before 4',
    5,
    null,
    [{ status: 422 }, { fault: 'reset-after' }],
    ({ send }) => send([FIRST, SECOND, INVALID], '--skip-invalid', '--retries', '0'),
  ],
  [
    'one that is left out stands for a payment in doubt',
    6,
    null,
    [{ fault: 'reset-after' }],
    async ({ send }) => {
      await send([FIRST], '--retries', '0');
      return send([FIRST, SECOND], '--skip-created', '--key-lifetime', '0');
    },
  ],
];

describe('the exit code of a call whose end is this', () => {
  test.each(CASES)('%s: %i', async (_what, code, reason, answers, calls) => {
    const at = await desk((n) => answers[n - 1] ?? { status: 201 });
    const result = await calls(at);
    expect([result.code, result.summary.exit_code, result.summary.stop_reason]).toEqual([code, code, reason]);
    expect(result.summary.retry).toBe(code === 5);
    // There is something to continue with 5 and 6, and nowhere else.
    expect(result.summary.next !== null).toBe(code === 5 || code === 6);
    const { read, valid, invalid, ...states } = result.summary.records as Record<string, number>;
    expect(read).toBe(valid! + invalid!);
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(valid);
  });
});

test('a dry run with a record that only a person can settle: 6, and nothing to continue', async () => {
  const at = await desk((n) => (n === 1 ? { status: 503 } : { status: 201 }));
  await at.send([FIRST], '--retries', '0', '--key-lifetime', '0');
  const { code, summary } = await at.send([FIRST], '--dry-run');
  expect([code, summary]).toMatchObject([6, { held: 1, retry: false, next: null, records: { unknown: 1 } }]);
});

test('a loop on next comes to an end: what stays 409 is for a person, and all else is sent', async () => {
  const at = await desk();
  at.service.responder(({ n, json }) => {
    if ((json as Row)['user_id'] === FIRST['user_id']) return { status: 409 };
    return n % 2 === 0 ? { status: 503 } : undefined;
  });
  const codes = [];
  let result = await at.send(ROWS, '--retries', '0');
  for (; result.code === 5 && codes.length < 9; result = await at.play(result.summary.next)) codes.push(result.code);
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
    const at = await desk();
    const words = ['payout', 'create', 'p.csv', '--base-url', at.service.url, '--json', ...flags];
    at.work.file('p.csv', csv(rows as Row[]));
    const { summary } = await at.work.run(reason === 'not_confirmed' ? words : [...words, '--yes']);
    expect(summary).toMatchObject({ stop_reason: reason, remedies: [{ when: expect.any(String) }] });
    const { code, summary: then } = await at.play(summary.remedies[0].command);
    expect([code, then.stop_reason]).toEqual([reason === 'invalid_input' ? 4 : 0, null]);
    expect(at.service.requestCount).toBe({ invalid_input: 1, not_confirmed: 2, control_total: 0 }[reason]);
  });
});

test('beside --json, a log on standard error has one line of the end', async () => {
  const at = await desk(() => ({ status: 401 }));
  const { stderr, summary } = await at.send([FIRST, INVALID], '--skip-invalid');
  const lines = stderr.trim().split('\n');
  expect(lines.filter((line) => /HTTP 401|title|continue/.test(line))).toEqual([
    expect.stringMatching(/^exit code 6 \(unauthorized\): .*HTTP 401.*To continue: gigwork batch resume /),
  ]);
  expect(lines.at(-1)).toContain(summary.run);
  expect((await at.send([FIRST], '--dry-run', '--quiet')).stderr).toBe('');
  // What the line leads to stands in `remedies` and `reasons`.
  const rejecting = await desk((n) => ({ status: 422, body: `{"error":"no ${n}"}` }));
  const ended = (await rejecting.send([FIRST, SECOND])).stderr.trim().split('\n').at(-1);
  expect(ended).toMatch(/^exit code 4: .*2 .*refused[^:]*$/);
});

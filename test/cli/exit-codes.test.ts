/** The exit codes, from the first to the last that fits. CONTRACT: "Exit codes". Signals: test/faults/signals.test.ts. */
import { describe, expect, test } from 'vitest';
import { type Desk, desk, FIRST, ROWS, SECOND } from '../support/desk.js';
import type { CliResult } from '../support/cli.js';
import type { Reply } from '../support/service.js';

const [, , THIRD] = ROWS as [typeof FIRST, typeof FIRST, typeof FIRST];
const INVALID = { ...THIRD, title: '' };

type Calls = (at: Desk) => Promise<CliResult>;

/** Requests are answered in order; those after the last with 201. */
const CASES: readonly [what: string, code: number, reason: string | null, answers: readonly Reply[], calls: Calls][] = [
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
    'another number of similar records than was said',
    3,
    'repeats',
    [],
    async ({ send }) => {
      await send([FIRST]);
      return send([{ ...FIRST, amount: 1 }], '--send-similar', '2');
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
  ['an outcome is unknown', 5, null, [{ fault: 'reset-after' }], ({ send }) => send([FIRST], '--retries', '0')],
  ['records are not sent', 5, 'unauthorized', [{ status: 401 }], ({ send }) => send([FIRST])],
  [
    'one is rejected and one is unknown: 5 comes before 4',
    5,
    null,
    [{ status: 422 }, { fault: 'reset-after' }],
    ({ send }) => send([FIRST, SECOND, INVALID], '--skip-invalid', '--retries', '0'),
  ],
  [
    'one that is left out stands for a payment in doubt',
    5,
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
    // Something goes on where 5 says so, and nowhere else.
    expect(/^(To|Then) go on: gigwork batch resume /m.test(result.stderr)).toBe(code === 5);
    const { read, valid, invalid, ...states } = result.summary.records as Record<string, number>;
    expect(read).toBe(valid! + invalid!);
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(valid);
  });
});

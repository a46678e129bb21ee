import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.js';
import type { RunOptions } from '../../../src/options.js';
import type { StopCause } from '../../../src/delivery/circuit-breaker.js';
import { NO_RECORDS, type RecordCounts } from '../../../src/report/summary.js';
import { exitStatusOf, nextCommand } from '../../../src/run/exit-status.js';

const rerun = ['gigwork', 'payout', 'create', 'p.csv'];
const options = {
  onward: { program: 'gigwork', resume: ['--profile', 'p', '--yes'], rerun, isRepeatable: true },
  target: null,
  redactor: { redact: (text: string) => text },
} as unknown as RunOptions;
const RUN = '20261120-a1b2c3';

describe('a call that something has stopped ends by what became of its records', () => {
  const passing: StopCause = { reason: 'journal', detail: 'shut out', isPassing: true };
  const lasting: StopCause = { reason: 'journal', detail: 'moved away', isPassing: false };
  const down: StopCause = { reason: 'unreachable', detail: 'refused' };
  const three: StopCause = { reason: 'in_doubt', detail: 'HTTP 503' };
  test.each<[what: string, counts: Partial<RecordCounts>, held: number, StopCause, expected: number, atRisk?: boolean]>(
    [
      ['another process has sent the rest: all are created', { created: 5, already_created: 4 }, 0, passing, EXIT.ok],
      ['all are created, although a person has to see to the journal', { created: 9 }, 0, lasting, EXIT.ok],
      ['and some rejected', { created: 5, rejected: 1 }, 0, passing, EXIT.partly],
      ['some not sent', { created: 5, not_sent: 4 }, 0, passing, EXIT.again],
      ['some not sent, and a person has to see to the journal', { created: 5, not_sent: 4 }, 0, lasting, EXIT.person],
      ['a gig in doubt', { created: 5, unknown: 1 }, 1, lasting, EXIT.person],
      ['a gig in doubt, and nothing left to send', { created: 5, unknown: 1 }, 1, down, EXIT.person],
      ['a gig from before in doubt, and others not sent', { unknown: 1, not_sent: 1 }, 1, down, EXIT.again],
      ['a gig that came into doubt, and others not sent', { unknown: 1, not_sent: 1 }, 1, down, EXIT.person, true],
      ['the same, and a payment that another call clears up', { unknown: 2, not_sent: 1 }, 1, down, EXIT.person, true],
      ['three gigs in doubt, and a payment that another call clears up', { unknown: 4 }, 3, three, EXIT.person],
    ],
  )('%s', (_what, counts, held, stopped, expected, leavesUnprotected = false) => {
    const sent = { held, leavesUnprotected, stopped, signalExit: null };
    const { exitCode, stopReason, reasons } = exitStatusOf({ ...NO_RECORDS, ...counts }, sent, options);
    expect([exitCode, stopReason]).toEqual([expected, stopped?.reason]);
    expect(reasons).toEqual([expect.stringContaining(stopped?.detail ?? '')]);
  });
});

describe('the command that goes on', () => {
  test.each([EXIT.again, EXIT.person, EXIT.internal, 130, 143])('names the run, at exit code %i', (exitCode) => {
    expect(nextCommand({ exitCode, stopReason: null, run: RUN, options })).toEqual([
      'gigwork',
      'batch',
      'resume',
      RUN,
      '--profile',
      'p',
      '--yes',
    ]);
  });

  test.each(['interrupted', 'journal', 'busy'] as const)('is the same call where no run began: %s', (stopReason) => {
    expect(nextCommand({ exitCode: EXIT.again, stopReason, run: null, options })).toEqual(rerun);
  });

  test.each([EXIT.ok, EXIT.partly, EXIT.refused, EXIT.usage])('is none at exit code %i', (exitCode) => {
    expect(nextCommand({ exitCode, stopReason: 'interrupted', run: RUN, options })).toBe(null);
  });

  test('is none where no run began and nothing was cut off', () => {
    expect(nextCommand({ exitCode: EXIT.internal, stopReason: 'internal', run: null, options })).toBe(null);
  });
});

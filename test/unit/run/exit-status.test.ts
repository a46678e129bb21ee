/** The exit codes of the contract, as a table: how a call ended, what became of its records, and the signal that came. */
import { describe, expect, test } from 'vitest';
import type { DeliveryStop, StopCause } from '../../../src/delivery/circuit-breaker.js';
import { EXIT } from '../../../src/errors.js';
import { NO_SETTINGS } from '../../../src/config/resolve.js';
import { parseCommandLine } from '../../../src/follow-up/command-line.js';
import type { TotalRow } from '../../../src/money/totals.js';
import type { RunOptions } from '../../../src/options.js';
import { NO_RECORDS } from '../../../src/report/reporter.js';
import { type EndCounts, type Ending, exitStatusOf } from '../../../src/run/exit-status.js';
import { nextCommand } from '../../../src/run/finish.js';
import { stopReasons } from '../../../src/run/stop-text.js';
import { VALUED_FLAGS } from '../../support/valued-flags.js';

const NONE: EndCounts = { ...NO_RECORDS, held: 0, leavesUnprotected: false };
const SIGNALS = [null, 129, 130, 143];
const STOPS: readonly DeliveryStop[] = [
  'unauthorized',
  'wrong_target',
  'redirected',
  'tls',
  'unreachable',
  'throttled',
  'in_doubt',
  'too_many_rejected',
  'journal',
  'interrupted',
  'internal',
];

function codeOf(ending: Ending, counts: Partial<EndCounts>, signal: number | null = null) {
  const { exitCode, stopReason } = exitStatusOf(ending, { ...NONE, ...counts }, signal);
  return [exitCode, stopReason];
}

/** @param isPassing only a failure of the journal says so */
function delivered(reason: DeliveryStop | null, isPassing = false): Ending {
  if (reason === null) return { kind: 'delivered', stop: null };
  const stop = reason === 'journal' ? { reason, detail: 'x', isPassing } : { reason, detail: 'x' };
  return { kind: 'delivered', stop };
}

describe('a call that sends nothing', () => {
  test.each([
    ['invalid_input', EXIT.refused],
    ['repeats', EXIT.refused],
    ['control_total', EXIT.refused],
    ['not_approved', EXIT.usage],
    ['not_confirmed', EXIT.usage],
    ['busy', EXIT.again],
  ] as const)('refused as %s ends with %i, whatever its records are', (reason, expected) => {
    const ending: Ending = { kind: 'refused', refusal: { reason } };
    for (const signal of SIGNALS)
      for (const counts of [{}, { not_sent: 2 }, { unknown: 1, invalid: 1, rejected: 1 }])
        expect(codeOf(ending, counts, signal)).toEqual([expected, reason]);
  });

  test('that was interrupted ends with the code of the signal, and with 5 where it has none', () => {
    for (const signal of SIGNALS)
      expect(codeOf({ kind: 'interrupted' }, { not_sent: 1 }, signal)).toEqual([signal ?? EXIT.again, 'interrupted']);
  });

  test.each<[what: string, counts: Partial<EndCounts>, isApproved: boolean, expected: number]>([
    ['all to be sent', { planned: 3 }, false, EXIT.ok],
    ['no record at all', {}, false, EXIT.ok],
    ['an invalid record that is skipped', { planned: 3, invalid: 1 }, false, EXIT.partly],
    ['one that was refused before', { planned: 3, rejected: 1 }, false, EXIT.partly],
    ['one in doubt: 6 before 4', { unknown: 1, rejected: 1 }, false, EXIT.person],
    ['one in doubt in a run that a person has approved', { planned: 1, unknown: 1 }, true, EXIT.ok],
    ['the same with an invalid one', { planned: 1, unknown: 1, invalid: 1 }, true, EXIT.partly],
  ])('a plan: %s', (_what, counts, isApproved, expected) => {
    expect(codeOf({ kind: 'planned', approved: isApproved ? {} : null }, counts)).toEqual([expected, null]);
  });
});

describe('a call with nothing left to send never ends with 5', () => {
  test.each<[what: string, counts: Partial<EndCounts>, expected: number]>([
    ['all created', { already_created: 3 }, EXIT.ok],
    ['some refused', { already_created: 3, rejected: 1 }, EXIT.partly],
    ['some in doubt that only a person can settle', { already_created: 3, unknown: 1, held: 1 }, EXIT.person],
  ])('%s', (_what, counts, expected) => {
    expect(codeOf({ kind: 'nothing-left' }, counts)).toEqual([expected, null]);
  });
});

describe('a call that has sent', () => {
  test.each(STOPS)('all that it had, ends by what became of that, although it was stopped: %s', (reason) => {
    for (const isPassing of [true, false])
      for (const signal of SIGNALS) {
        const [ok, told] = codeOf(delivered(reason, isPassing), { created: 3 }, signal);
        const [partly] = codeOf(delivered(reason, isPassing), { created: 2, rejected: 1 }, signal);
        if (reason === 'internal') expect([ok, told, partly]).toEqual([EXIT.internal, 'internal', EXIT.internal]);
        else expect([ok, told, partly]).toEqual([EXIT.ok, reason === 'interrupted' ? null : reason, EXIT.partly]);
      }
  });

  const again = [EXIT.again, EXIT.again];
  const person = [EXIT.person, EXIT.person];
  /** Records that are left; the code if the stop passes by itself, and if it does not. */
  const LEFT: readonly (readonly [what: string, counts: Partial<EndCounts>, codes: Record<string, number[]>])[] = [
    [
      'unsent ones',
      { created: 1, not_sent: 2 },
      { journal: [EXIT.again, EXIT.person], throttled: again, unreachable: again, none: again },
    ],
    [
      'one in doubt that another call clears up',
      { unknown: 1 },
      { journal: [EXIT.again, EXIT.person], throttled: again, unreachable: again, none: again, unauthorized: again },
    ],
    ['one in doubt that only a person can settle', { unknown: 1, held: 1 }, {}],
    [
      'such a one, and unsent ones',
      { unknown: 1, held: 1, not_sent: 1 },
      { journal: [EXIT.again, EXIT.person], throttled: again, unreachable: again, none: again },
    ],
    [
      'one in doubt that no key protects, and unsent ones',
      { unknown: 1, held: 1, not_sent: 1, leavesUnprotected: true },
      {},
    ],
    [
      'the same, and one that another call clears up',
      { unknown: 2, held: 1, not_sent: 1, leavesUnprotected: true },
      {},
    ],
  ];
  /** What a person has to see to first, even if another call would clear up a doubt. */
  const NEEDS_PERSON = new Set(['tls', 'too_many_rejected', 'in_doubt']);
  test.each(LEFT)('and leaves %s', (_what, counts, codes) => {
    for (const reason of [null, ...STOPS]) {
      if (reason === 'interrupted' || reason === 'internal') continue;
      const clearsUp = (counts.unknown ?? 0) > (counts.held ?? 0) && counts.leavesUnprotected !== true;
      const usual = clearsUp && !NEEDS_PERSON.has(reason ?? '') ? again : person;
      const [passing, lasting] = codes[reason ?? 'none'] ?? usual;
      expect([reason, ...codeOf(delivered(reason, true), counts)]).toEqual([reason, passing, reason]);
      expect([reason, ...codeOf(delivered(reason, false), counts)]).toEqual([reason, lasting, reason]);
    }
    for (const signal of SIGNALS) {
      expect(codeOf(delivered('interrupted'), counts, signal)).toEqual([signal ?? EXIT.again, 'interrupted']);
      expect(codeOf(delivered('internal'), counts, signal)).toEqual([EXIT.internal, 'internal']);
    }
  });

  test.each(['getaddrinfo ENOTFOUND pay.example', 'Proxy response (407) !== 200 when HTTP Tunneling'])(
    'needs a person for a wrong address, and for a proxy that refuses the user: %s',
    (detail) => {
      const ending: Ending = { kind: 'delivered', stop: { reason: 'unreachable', detail } };
      for (const counts of [{ not_sent: 1 }, { unknown: 1 }, { unknown: 1, not_sent: 1 }])
        expect(codeOf(ending, counts)).toEqual([EXIT.person, 'unreachable']);
    },
  );
});

const rerun = ['gigwork', 'payout', 'create', '/p.csv', '--yes', '--profile', 'p'];
const options = {
  commandLine: parseCommandLine(['payout', 'create', 'p.csv', '--yes'], {
    program: 'gigwork',
    command: 'payout create',
    files: ['p.csv'],
    valued: VALUED_FLAGS,
  }),
  settings: { ...NO_SETTINGS, cwd: '/', flags: { yes: true }, env: { GIGWORK_PROFILE: 'p' } },
  platform: 'linux',
  input: { files: ['p.csv'] },
  resume: null,
  target: null,
  redactor: { redact: (text: string) => text },
} as unknown as RunOptions;
const RUN = '20261120-a1b2c3';

describe('the sentence on why a call stopped', () => {
  const stop: StopCause = { reason: 'unreachable', detail: 'refused' };
  test('has the detail, and says so where nobody was paid', () => {
    expect(stopReasons(stop, { ...NONE, created: 1, not_sent: 1 }, [], options)).toEqual([
      'The service cannot be reached. Check the network, or wait (refused)',
    ]);
    expect(stopReasons(stop, { ...NONE, not_sent: 1 }, [], options)[0]).toMatch(/^This call paid nobody\. /);
    const gigs = [{ type: 'gig' }] as TotalRow[];
    expect(stopReasons(stop, { ...NONE, not_sent: 1 }, gigs, options)[0]).toMatch(/^This call created nothing\. /);
  });

  test('is not there for a signal that has stopped nothing', () => {
    const signal: StopCause = { reason: 'interrupted', detail: null };
    expect(stopReasons(signal, { ...NONE, created: 1 }, [], options)).toEqual([]);
    expect(stopReasons(signal, { ...NONE, not_sent: 1 }, [], options)).toHaveLength(1);
  });
});

describe('the command that goes on', () => {
  test.each([EXIT.again, EXIT.person, EXIT.internal, 130, 143])('names the run, at exit code %i', (exitCode) => {
    const words = ['gigwork', 'batch', 'resume', RUN, '--profile', 'p', '--yes'];
    expect(nextCommand({ exitCode, stopReason: null }, RUN, options)).toEqual(words);
  });

  test.each(['interrupted', 'journal', 'busy'] as const)('is the same call where no run began: %s', (stopReason) => {
    expect(nextCommand({ exitCode: EXIT.again, stopReason }, null, options)).toEqual(rerun);
  });

  test.each([EXIT.ok, EXIT.partly, EXIT.refused, EXIT.usage])('is none at exit code %i', (exitCode) => {
    expect(nextCommand({ exitCode, stopReason: 'interrupted' }, RUN, options)).toBe(null);
  });

  test('is none where no run began and nothing was cut off', () => {
    expect(nextCommand({ exitCode: EXIT.internal, stopReason: 'internal' }, null, options)).toBe(null);
  });
});

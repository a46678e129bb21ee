import { describe, expect, it } from 'vitest';
import { NO_SETTINGS } from '../../../src/config/resolve.js';
import { createRedactor } from '../../../src/config/secrets.js';
import { parseCommandLine } from '../../../src/follow-up/command-line.js';
import { refusalChoices, repeatRemedies } from '../../../src/follow-up/remedies.js';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { RunOptions, SafetyOptions } from '../../../src/options.js';
import { runDigest } from '../../../src/review/assessment.js';
import { IssueLog } from '../../../src/review/issue-log.js';
import { refusalOf } from '../../../src/review/refusal.js';
import type { Reporter } from '../../../src/report/reporter.js';
import {
  assessed,
  computed,
  DECISIONS,
  input,
  own,
  type Past,
  type Row,
  RUN,
  START,
  TARGET,
} from './review-fixtures.js';
import { VALUED_FLAGS } from '../../support/valued-flags.js';

const SAFETY = {
  keyLifetimeMs: null,
  decisions: DECISIONS,
  skipInvalid: false,
  strict: false,
  expectCount: null,
  expectTotal: [],
  expectDigest: null,
  approval: null,
};

interface Case {
  readonly rows?: readonly Row[];
  readonly past?: readonly Past[];
  readonly safety?: Partial<SafetyOptions>;
  readonly faulty?: boolean;
  readonly doubts?: number;
  /** Words of the call after `gigwork payout create pay.csv`. */
  readonly again?: readonly string[];
  readonly batch?: string;
  readonly resume?: boolean;
}

function setUp({ rows = [{ key: K }], past = [], safety = {}, again = [], batch = 'may', ...how }: Case) {
  const options = {
    safety: {
      ...SAFETY,
      ...safety,
    },
    platform: 'linux',
    output: { json: false },
    send: { timeoutMs: 1e3 },
    resume: how.resume === true ? RUN : null,
    now: () => START + 36e5,
    redactor: createRedactor([]),
    input: { files: ['pay.csv'] },
    headerNames: [],
    commandLine: parseCommandLine(['payout', 'create', 'pay.csv', '--state-dir', '/s', ...again], {
      program: 'gigwork',
      command: 'payout create',
      files: ['pay.csv', 'b.csv'],
      valued: VALUED_FLAGS,
    }),
    settings: { ...NO_SETTINGS, cwd: '/', flags: { state_dir: '/s' } },
  } as unknown as RunOptions;
  const issues = new IssueLog(options, {} as unknown as Reporter);
  issues.historyDoubts = how.doubts ?? 0;
  const assessment = assessed(rows, past, { decisions: options.safety.decisions, batch });
  return {
    looked: { ...assessment, prepared: { ...assessment.prepared, faulty: how.faulty ?? false } },
    issues,
    options,
  };
}

function refused(of: Case) {
  const { looked, issues, options } = setUp(of);
  return refusalOf(looked, issues, options);
}

const K = computed('k');
const DIGEST = runDigest(TARGET, input([{ key: K }]));
const INVALID: Row = { key: 'x', valid: false };
const paid: readonly Past[] = [{ key: K }];
const amount = (text: string, currency?: string) => [{ type: null, currency, amount: parseDecimal(text), typed: text }];
const TWO_SUMS: readonly Row[] = [{ key: K }, { key: 'b', like: 'M', says: 'M', currency: 'CHF' }];

describe('what refuses a run', () => {
  it.each<[says: string, of: Case, reason: string | null]>([
    ['nothing', {}, null],
    ['not control totals that agree', { safety: { expectCount: 1, expectTotal: amount('100') } }, null],
    ['not the digest that was approved', { safety: { expectDigest: DIGEST.toUpperCase() } }, null],
    ['an invalid record', { rows: [{}, INVALID] }, 'invalid_input'],
    ['a faulty file, which no flag skips', { faulty: true, safety: { skipInvalid: true } }, 'invalid_input'],
    ['a repeat', { past: paid }, 'repeats'],
    ['more similar ones', { past: [{}], safety: { decisions: { ...DECISIONS, sendSimilar: 0 } } }, 'repeats'],
    ['a doubt about the history under --strict', { doubts: 2 }, 'repeats'],
    ['another count', { safety: { expectCount: 7 } }, 'control_total'],
    ['another total', { safety: { expectTotal: amount('99') } }, 'control_total'],
    [
      'a total of what has no known price',
      { rows: [{ amount: null }], safety: { expectTotal: amount('0') } },
      'control_total',
    ],
    ['a total that fits two currencies', { rows: TWO_SUMS, safety: { expectTotal: amount('100') } }, 'control_total'],
    ['a total that fits none', { safety: { expectTotal: amount('100', 'USD') } }, 'control_total'],
    ['another digest', { safety: { expectDigest: 'd0' } }, 'control_total'],
    ['the first of all', { rows: [{ key: K }, INVALID], past: paid, safety: { expectCount: 7 } }, 'invalid_input'],
  ])('is %s', (_, of, reason) => {
    const refusal = refused(of);
    expect(refusal?.reason ?? null).toBe(reason);
    if (refusal !== null) expect(refusal.reasons.length).toBeGreaterThan(0);
  });

  it('is told in whole', () => {
    const of: Case = { rows: [{ key: K }, INVALID], past: paid, safety: { expectCount: 7 } };
    const { looked, issues, options } = setUp(of);
    const refusal = refusalOf(looked, issues, options);
    expect(refusal?.reasons.join('\n')).toMatch(/invalid[^]*paid before[^]*--expect-count/);
    expect(refusal?.reasons.join('\n')).not.toContain('gigwork ');
    const choices = refusalChoices('invalid_input', looked, issues, options);
    expect(choices.map(({ code }) => code)).toEqual(['skip-created', 'new-batch']);
  });
});

/** The commands of the remedies, without what all of them have. */
function commands(of: Case): string[] {
  const { looked, options } = setUp(of);
  const remedies = repeatRemedies(looked, options);
  for (const { when, command, placeholders } of remedies) {
    expect(when).not.toBe('');
    expect(placeholders).toEqual(['FILE', 'NAME', 'TEXT'].filter((word) => command.includes(word)));
  }
  return remedies.map(({ command }) =>
    command
      .join(' ')
      .replace('gigwork payout create /pay.csv --state-dir /s', '…')
      .replace('gigwork batch ', '')
      .replace(/[0-9a-f]{64}/, 'D'),
  );
}

describe('what can be done about repeats', () => {
  const open: Past = { key: K, state: 'not_sent', run: 3 };
  const like: Row = { key: computed('l'), says: 'Y' };
  const corrects: Row = { key: 'c', ...own, corrects: 'old' };
  const run3 = ['resume run-9 --state-dir /s', 'close run-3 --state-dir /s --note TEXT'];
  const other = '… --batch-id NAME';
  const send = (looks: string): string => `${looks} --send-similar 1 --expect-digest D`;
  it.each<[what: string, of: Case, commands: readonly string[]]>([
    ['paid in this batch', { past: paid }, ['… --skip-created', other]],
    ['similar', { rows: [like], past: [{ key: 'q' }] }, ['… --skip-similar', send('…'), other]],
    [
      'similar, in one other batch: that may have been forgotten',
      { rows: [like], past: [{ key: 'q', batch: 'april' }] },
      ['… --batch-id april', '… --skip-similar', send('…'), other],
    ],
    [
      'similar, and in the batch that the person has named: that is the other period already',
      { rows: [like], past: [{ key: 'q', batch: 'april' }], safety: { batchNamed: true } },
      ['… --batch-id april', '… --skip-similar', send('…')],
    ],
    [
      'paid, and similar to another',
      { rows: [{ key: K, like: 'M' }, like], past: [{ key: K, like: 'M' }, { key: 'q' }] },
      ['… --skip-created --skip-similar', send('… --skip-created'), other],
    ],
    ['open in an unfinished run, which comes first', { past: [open] }, run3],
    ['open, and others are paid', { rows: [{ key: K }, like], past: [open, like] }, run3],
    [
      'a correction of what was paid: another batch only for a file that corrects nothing',
      { rows: [corrects], past: [{ key: 'old' }] },
      ['… --skip-created', 'gigwork payout create FILE --state-dir /s --batch-id NAME'],
    ],
    ['a correction of what is open', { rows: [corrects], past: [{ key: 'old', state: 'not_sent', run: 3 }] }, run3],
    [
      'a correction of what is in doubt: closing settles nothing',
      { rows: [corrects], past: [{ key: 'old', state: 'unknown', run: 3 }] },
      [
        run3[0]!,
        'settle run-3 --state-dir /s --key old --created --note TEXT',
        'settle run-3 --state-dir /s --key old --not-created --note TEXT',
      ],
    ],
    ['a run that is resumed has its batch', { past: paid, resume: true }, ['… --skip-created']],
  ])('%s', (_, of, expected) => {
    expect(commands(of)).toEqual(expected);
  });

  it.each<[says: string, again: readonly string[], expected: string]>([
    ['the digest', ['--expect-digest', 'd0'], send('…')],
    ['the number of similar ones', ['--send-similar', '3'], send('…')],
    ['no flag, and keep what looks like its value', ['--retries', '1'], send('… --retries 1')],
    ['nothing behind a double dash', ['--', 'b.csv'], `${send('…')} -- /b.csv`],
  ])('its commands do not repeat %s', (_, again, expected) => {
    const decisions = { ...DECISIONS, sendSimilar: 0 };
    expect(commands({ rows: [like], past: [{ key: 'q' }], again, safety: { decisions } })[1]).toBe(expected);
  });

  it('names a batch once', () => {
    expect(commands({ past: paid, again: ['--batch-id', 'may'] }).at(-1)).toBe(other);
    expect(commands({ past: paid, again: ['--batch-id=may'] }).at(-1)).toBe(other);
  });
});

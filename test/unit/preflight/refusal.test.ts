import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/config/secrets.js';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { RunOptions, SafetyOptions } from '../../../src/options.js';
import { countEntries } from '../../../src/outcome/summary.js';
import { assess, digestOf } from '../../../src/preflight/assess.js';
import { Issues } from '../../../src/preflight/issues.js';
import { refusalOf } from '../../../src/preflight/refusal.js';
import type { Reporter } from '../../../src/report/reporter.js';
import { TARGET } from '../ledger/kit.js';
import { assessRules, DECISIONS, history, input, lookedUp, type Past, type Row, RUN, sending, START } from './kit.js';

const SAFETY = {
  ...{ decisions: DECISIONS, skipInvalid: false, strict: false, batchId: 'default' },
  ...{ expectCount: null, expectTotals: [], expectDigest: null, approval: null },
} as unknown as SafetyOptions;

interface Case {
  readonly rows?: readonly Row[];
  readonly past?: readonly Past[];
  readonly safety?: Partial<SafetyOptions>;
  readonly faulty?: boolean;
  readonly doubts?: number;
  readonly goesOn?: boolean;
  readonly unfinished?: boolean;
}

function refused({ rows = [{ key: 'a' }], past = [], safety = {}, ...how }: Case) {
  const options = {
    ...{ safety: { ...SAFETY, ...safety }, place: [], platform: 'linux', resume: null, now: () => START },
    ...{ platform: 'linux', onward: { resume: ['--state-dir', 's'] }, secrets: secretsOf([]) },
  } as unknown as RunOptions;
  const issues = new Issues(options, { issue: () => undefined } as unknown as Reporter);
  issues.historyDoubts = how.doubts ?? 0;
  const prepared = { ...input(...rows), faulty: how.faulty ?? false };
  const known = {
    ...lookedUp(prepared, history(...past)),
    run: how.goesOn === true ? RUN : null,
    unfinished: how.unfinished === true ? [{ ...RUN, name: 'run-7' }] : [],
  };
  const assessment = assess(prepared, known, assessRules({ decisions: options.safety.decisions }));
  const digest = digestOf(TARGET, prepared);
  const { decisions } = options.safety;
  return refusalOf(
    { prepared, known, assessment, digest, decisions, ...countEntries(prepared.entries) },
    issues,
    options,
  );
}

const INVALID: Row = { key: 'x', says: 'no', valid: false };
const REPEAT: Past = { key: 'q' };
const wrongCount = { expectCount: 7 };
const typed = { type: null, currency: undefined };

describe('what refuses a run', () => {
  const none: readonly (readonly [says: string, of: Case])[] = [
    ['nothing is wrong', {}],
    ['invalid records are skipped', { rows: [{ key: 'a' }, INVALID], safety: { skipInvalid: true } }],
    ['the repeats are decided about', { past: [REPEAT], safety: { decisions: { ...DECISIONS, skipCreated: true } } }],
    ['the similar ones are as many as was said', { safety: { decisions: sending(0) } }],
    [
      'the control totals agree',
      { safety: { expectCount: 1, expectTotals: [{ ...typed, amount: parseDecimal('100'), typed: '100' }] } },
    ],
    [
      'the digest is the one that was approved',
      { safety: { expectDigest: digestOf(TARGET, input({ key: 'a' })).toUpperCase() } },
    ],
  ];
  it.each(none)('is nothing where %s', (_, of) => {
    expect(refused(of)).toBe(null);
  });

  const some: readonly (readonly [says: string, of: Case, reason: string, words: RegExp])[] = [
    [
      'an invalid record',
      { rows: [{ key: 'a' }, INVALID] },
      'invalid_input',
      /^1 of 2 records is invalid; .*--skip-invalid/,
    ],
    [
      'a fault of a file, which no flag skips',
      { faulty: true, safety: { skipInvalid: true } },
      'invalid_input',
      /^the file itself has faults/,
    ],
    ['a repeat', { past: [REPEAT] }, 'repeats', /^1 record was sent before/],
    [
      'another number of similar records than --send-similar says',
      { safety: { decisions: sending(2) } },
      'repeats',
      /^--send-similar says 2, but 0 records are/,
    ],
    [
      'a warning about the history under --strict',
      { doubts: 2 },
      'repeats',
      /^--strict: 2 warnings about earlier payments/,
    ],
    ['another count', { safety: wrongCount }, 'control_total', /says 7 valid records, the input has 1/],
    [
      'another total',
      { safety: { expectTotals: [{ ...typed, amount: parseDecimal('99'), typed: '99' }] } },
      'control_total',
      /--expect-total 99, but .* is 100/,
    ],
    ['another digest', { safety: { expectDigest: 'd0' } }, 'control_total', /not the run that was approved/],
    [
      'an unpriced record under a total',
      {
        rows: [{ key: 'a', amount: null }],
        safety: { expectTotals: [{ ...typed, amount: parseDecimal('0'), typed: '0' }] },
      },
      'control_total',
      /no known price/,
    ],
  ];
  it.each(some)('is %s', (_, of, reason, words) => {
    const refusal = refused(of);
    expect(refusal?.reason).toBe(reason);
    expect(refusal?.words[0]).toMatch(words);
  });

  it('is named by the first reason: invalid input, repeats, control totals; and all are told', () => {
    const all: Case = { rows: [{ key: 'a' }, INVALID], past: [REPEAT], safety: wrongCount };
    expect(refused(all)?.reason).toBe('invalid_input');
    expect(refused({ ...all, safety: { ...wrongCount, skipInvalid: true } })?.reason).toBe('repeats');
    const said = refused(all)?.words.join('\n');
    for (const words of [/invalid/, /sent before/, /--expect-count/]) expect(said).toMatch(words);
  });
});

describe('the remedies of a refusal', () => {
  const words = (of: Case): string[] => [...(refused(of)?.words ?? [])];
  /** What each line begins with, or the flags in it. */
  const flags = (of: Case): string[] =>
    words(of)
      .slice(1)
      .map(
        (line) =>
          /(batch resume \S+|--skip-\S+.*?--skip-similar|--skip-created|--skip-similar|--batch-id|--send-similar \d+)/.exec(
            line,
          )?.[0] ?? line,
      );
  const open: Past = { key: 'a', state: 'not_sent', ended: false, run: 3 };
  const similar: readonly Row[] = [{ key: 'a', says: 'A', like: 'L' }];
  const paidSimilar: Past = { key: 'q', says: 'B', like: 'L' };

  it('are first batch resume, where an unfinished run has open records of the input; then the two cases', () => {
    expect(flags({ past: [open] })).toEqual(['batch resume run-3', '--skip-created', '--batch-id']);
    expect(words({ past: [open] })[1]).toBe(
      '- run run-3 of 2026-11-01 has 1 of these records open. Go on with it first, then run this again: gigwork batch resume run-3 --state-dir s',
    );
  });

  it('count as open there what that run would still send, and not what it has created', () => {
    const rows = ['a', 'b', 'c'].map((key) => ({ key, says: key }));
    const past: readonly Past[] = [
      { ...open, key: 'a', says: 'a', state: 'created' },
      { ...open, key: 'b', says: 'b', state: 'unknown' },
      { ...open, key: 'c', says: 'c' },
    ];
    expect(words({ rows, past })[1]).toContain('run-3 of 2026-11-01 has 2 of these records open');
  });

  it('name the older run of the same records', () => {
    expect(flags({ past: [{ key: 'a' }], unfinished: true })[0]).toBe('batch resume run-7');
  });

  it.each([
    ['what was created', { past: [{ key: 'a' }] }, ['--skip-created', '--batch-id']],
    ['what is similar', { rows: similar, past: [paidSimilar] }, ['--skip-similar', '--batch-id', '--send-similar 1']],
    [
      'both',
      { rows: [...similar, { key: 'b' }], past: [paidSimilar, { key: 'b' }] },
      ['--skip-created --skip-similar', '--batch-id', '--skip-created'],
    ],
    ['a finished run', { past: [{ key: 'a', run: 3 }] }, ['--skip-created', '--batch-id']],
  ] as const)('are for %s', (_, of, expected) => {
    expect(flags(of)).toEqual(expected);
  });

  it('name a month as a batch, and not the one of this call', () => {
    const batch = (batchId: string): string | undefined =>
      words({ past: [{ key: 'a' }], safety: { batchId } }).find((line) => line.includes('--batch-id'));
    expect(batch('default')).toMatch(/--batch-id 2026-11$/);
    expect(batch('2026-11')).toMatch(/--batch-id 2026-11-b$/);
  });
});

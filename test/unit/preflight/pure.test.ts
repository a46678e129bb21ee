import { serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeySource } from '../../../src/batch/entries.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import { idOf } from '../../../src/ledger/payment.js';
import type { Preparation } from '../../../src/ledger/plan.js';
import { assess } from '../../../src/preflight/assess.js';
import { decide } from '../../../src/preflight/assess.js';
import { doubtRules } from '../../../src/preflight/fate.js';
import { planOf } from '../../../src/preflight/make-plan.js';
import { findRepeats } from '../../../src/preflight/repeats.js';
import { AT } from '../ledger/kit.js';
import { computed, DAY, history, input, lookedUp, type Past, type Row, rulesOf, START, TARGET, words } from './kit.js';

const NAMES = ['a', 'b', 'c', 'd'];
const said = {
  says: fc.constantFrom('X', 'Y'),
  like: fc.constantFrom('L', 'M'),
  type: fc.constantFrom('payout' as const, 'gig' as const),
  amount: fc.constantFrom('100', '200', null),
  date: fc.constantFrom(null, 1, 2),
};
const keys = fc.subarray(NAMES);

/** Payments with different keys; some rejected ones were replaced by later ones. */
const pasts: fc.Arbitrary<Past[]> = keys.chain((names) =>
  fc.tuple(
    ...names.map((name, i) =>
      fc
        .record({
          ...said,
          key: fc.constantFrom(name, computed(name)),
          state: fc.constantFrom('created' as const, 'rejected' as const, 'unknown' as const, 'not_sent' as const),
          closed: fc.boolean(),
          batch: fc.constantFrom('may', 'april'),
          isReplaced: fc.boolean(),
          at: fc.constantFrom(START, START - 9 * DAY),
          run: fc.constantFrom(1, 2),
        })
        .map(({ isReplaced, ...past }): Past =>
          isReplaced && past.state === 'rejected' && i + 1 < names.length ? { ...past, replacedBy: i + 2 } : past,
        ),
    ),
  ),
);

const rows: fc.Arbitrary<Row[]> = fc.tuple(keys, fc.shuffledSubarray(NAMES)).chain(([names, corrects]) =>
  fc.tuple(
    ...names.map((name, i) =>
      fc
        .record({
          ...said,
          key: fc.constantFrom(name, computed(name)),
          source: fc.constantFrom<KeySource>('own', 'content', 'columns', 'replaces'),
          valid: fc.constantFrom(true, true, false),
          corrects: fc.constantFrom(undefined, corrects[i], corrects[i] && computed(corrects[i])),
        })
        .map(({ corrects: key, ...row }): Row => (key === undefined ? row : { ...row, corrects: key })),
    ),
  ),
);

const calls = fc.record({
  rows,
  pasts,
  retryRejected: fc.boolean(),
  resendUnknown: fc.boolean(),
  isProtected: fc.boolean(),
  skipCreated: fc.boolean(),
  skipSimilar: fc.boolean(),
  sendSimilar: fc.constantFrom(null, 1, 9),
});
type Call = typeof calls extends fc.Arbitrary<infer One> ? One : never;

function look({ rows: of, pasts: past, isProtected, resendUnknown, retryRejected, ...decisions }: Call) {
  const prepared = input(of);
  for (const index of of.keys()) prepared.entries.setPayment(index, idOf(5, index));
  const payments = history(past);
  const known = lookedUp(prepared, payments);
  const doubt = doubtRules(isProtected ? 99 * DAY : 0, resendUnknown, () => START + DAY);
  const rules = rulesOf({ retryRejected, doubt, decisions, now: START + DAY });
  return { prepared, payments, known, rules, assessment: assess(prepared, known, rules) };
}

function fatesIn({ prepared: { entries }, assessment: { fateAt } }: ReturnType<typeof look>) {
  return Array.from({ length: entries.length }, (_, index) => fateAt(index));
}

describe('whatever the history, the input and the decisions', () => {
  it('every valid record has one fate, no payment has two records, and nothing that may be paid is sent unprotected', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const looked = look(call);
        const { prepared, payments, assessment } = looked;
        const seen = new Set<number>();
        for (const [index, fate] of fatesIn(looked).entries()) {
          expect(fate !== null).toBe(prepared.entries.isValid(index));
          if (fate?.what !== 'send') continue;
          for (const id of [...fate.replaces, ...(fate.payment === null ? [] : [fate.payment])]) {
            expect(seen).not.toContain(id);
            seen.add(id);
            const { state, replacedBy, run } = payments[id - 1]!;
            expect(replacedBy).toBe(null);
            expect(state).not.toBe('created');
            if (state === 'unknown') expect(fate.again).toBe('unknown');
            if (fate.replaces.includes(id)) expect(state === 'rejected' || run.isClosed).toBe(true);
          }
          const { type } = prepared.entries.groupOf(index);
          if (fate.again === 'unknown') expect(call.resendUnknown || (call.isProtected && type !== 'gig')).toBe(true);
        }
        // What nobody has decided about is not sent in addition: its run is refused.
        for (const { index, code, newest } of assessment.repeats)
          if (code !== 'similar-record' && assessment.fateAt(index)?.what === 'send')
            expect(
              newest.state === 'unknown' || assessment.undecided.repeats.some((open) => open.index === index),
            ).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  it('the same is decided twice, and nothing that was given is changed', async () => {
    const ledger = { bodies: (ids: readonly number[]) => Promise.resolve(ids.map(() => '{}')) } as unknown as Ledger;
    const preparation = { number: 5, name: 'p', store: () => Promise.resolve() } as unknown as Preparation;
    await fc.assert(
      fc.asyncProperty(calls, async (call) => {
        const looked = look(call);
        const { prepared, known, rules, assessment } = looked;
        const { entries, replaces, files } = prepared;
        const snapshot = (): string => {
          const { fateAt: _, ...found } = assessment;
          const decided = fatesIn(looked);
          return serialize({ entries, replaces, files, known, found, decided }).toString('base64');
        };
        const before = snapshot();
        const again = { ...looked, assessment: assess(prepared, known, rules) };
        expect(fatesIn(again).map(words)).toEqual(fatesIn(looked).map(words));
        expect(again.assessment.repeats).toEqual(assessment.repeats);
        findRepeats({ prepared, known, fateAt: assessment.fateAt, target: TARGET, now: rules.now });
        decide(assessment.repeats, rules.decisions, known, rules.doubt);
        const { repeats } = assessment.undecided;
        const given = { target: AT, digest: 'd', decisions: rules.decisions, lifetimeMs: null, approval: null };
        if (repeats.length === 0 && assessment.conflicts.length === 0) {
          const plan = await planOf({ ...given, prepared, known, assessment, preparation, ledger });
          const listed = [...plan.list!.records]
            .filter(({ standsFor }) => standsFor === null)
            .map(({ payment }) => payment);
          expect(new Set(listed).size).toBe(listed.length);
        }
        expect(snapshot()).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});

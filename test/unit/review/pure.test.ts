import { serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeySource } from '../../../src/prepare/record-table.js';
import type { Journal } from '../../../src/journal/journal.js';
import { idOf } from '../../../src/journal/payment.js';
import type { DraftRun } from '../../../src/journal/plan.js';
import { assess } from '../../../src/review/assess.js';
import { doubtRules } from '../../../src/review/disposition.js';
import type { Assessment } from '../../../src/review/assessment.js';
import { buildPlan, completeDrafts } from '../../../src/review/build-plan.js';
import { AT } from '../journal/journal-fixtures.js';
import {
  assessed,
  computed,
  DAY,
  history,
  type Over,
  type Past,
  type Row,
  rulesOf,
  RUN,
  START,
  TARGET,
} from './review-fixtures.js';

const NAMES = ['a', 'b', 'c', 'd'];
const said = {
  says: fc.constantFrom('X', 'Y'),
  like: fc.constantFrom('L', 'M'),
  type: fc.constantFrom('payout' as const, 'gig' as const),
  amount: fc.constantFrom('100', '200', null),
  date: fc.constantFrom(null, 1, 2),
  title: fc.constantFrom('bonus', 'travel'),
  reference: fc.constantFrom(null, 7, 8),
  isOfFile: fc.constantFrom(true, true, false),
};
const keys = fc.subarray(NAMES);
/** Another one on the same host. */
const NEIGHBOUR = 'https://gigs.example/other';

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
          target: fc.constantFrom(TARGET, TARGET, NEIGHBOUR),
          shared: fc.constantFrom([], [7]),
          line: fc.constantFrom(2, 3),
          samePlaceAs: fc.constantFrom(-1, -1, 0, 1),
          live: fc.constantFrom(false, false, true),
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
  namedBatch: fc.constantFrom(null, 'may'),
  isDryRun: fc.boolean(),
});
type Call = typeof calls extends fc.Arbitrary<infer One> ? One : never;

function overOf({ isProtected, resendUnknown, skipCreated, skipSimilar, sendSimilar, ...call }: Call): Over {
  const { retryRejected, namedBatch, isDryRun } = call;
  const doubt = doubtRules(isProtected ? 99 * DAY : 0, 0, resendUnknown, () => START + DAY);
  const decisions = { skipCreated, skipSimilar, sendSimilar };
  return { retryRejected, namedBatch, isDryRun, doubt, decisions, now: START + DAY };
}

function look(call: Call): Assessment {
  const assessment = assessed(call.rows, call.pasts, overOf(call));
  for (const index of call.rows.keys()) assessment.prepared.entries.setPayment(index, idOf(5, index));
  return assessment;
}

function dispositionsIn({ prepared: { entries }, dispositionAt }: Assessment) {
  return Array.from({ length: entries.length }, (_, index) => dispositionAt(index));
}

describe('whatever the history, the input and the decisions', () => {
  it('every valid record has one disposition, no payment has two records, and nothing that may be paid is sent unprotected', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const assessment = look(call);
        const { prepared } = assessment;
        const payments = history(call.pasts);
        const seen = new Set<number>();
        for (const [index, disposition] of dispositionsIn(assessment).entries()) {
          expect(disposition !== null).toBe(prepared.entries.isValid(index));
          if (disposition?.kind !== 'send') continue;
          for (const id of [...disposition.replaces, ...(disposition.payment === null ? [] : [disposition.payment])]) {
            expect(seen).not.toContain(id);
            seen.add(id);
            const { state, replacedBy, run } = payments[id - 1]!;
            expect(replacedBy).toBe(null);
            expect(state).not.toBe('created');
            if (state === 'unknown') expect(disposition.again).toBe('unknown');
            if (disposition.replaces.includes(id)) expect(state === 'rejected' || run.isClosed).toBe(true);
          }
          const { type } = prepared.entries.groupOf(index);
          if (disposition.again === 'unknown')
            expect(call.resendUnknown || (call.isProtected && type !== 'gig')).toBe(true);
        }
        // A payment that is left out for another one is left out for nobody else.
        const stands = dispositionsIn(assessment).flatMap((disposition) =>
          disposition?.kind === 'left-out' ? [disposition.standsFor.id] : [],
        );
        if (!call.skipCreated) expect(new Set(stands).size).toBe(stands.length);
        // What nobody has decided about is not sent.
        for (const repeat of assessment.undecided) expect(assessment.dispositionAt(repeat.index)).toBe(repeat);
      }),
      { numRuns: 300 },
    );
  });

  it('the same is decided twice, and nothing that was given is changed', async () => {
    const journal = { bodies: (ids: readonly number[]) => Promise.resolve(ids.map(() => '{}')) } as unknown as Journal;
    const preparation = { number: 5, name: 'p', store: () => Promise.resolve() } as unknown as DraftRun;
    await fc.assert(
      fc.asyncProperty(calls, async (call) => {
        const assessment = look(call);
        const snapshot = (): string => {
          const { dispositionAt: _dispositionAt, placeOf: _placeOf, ...found } = assessment;
          return serialize({ found, decided: dispositionsIn(assessment) }).toString('base64');
        };
        const before = snapshot();
        const again = { ...assessment, ...assess(assessment.prepared, assessment.history, rulesOf(overOf(call))) };
        expect(dispositionsIn(again)).toEqual(dispositionsIn(assessment));
        const hasConflict = dispositionsIn(assessment).some((disposition) => disposition?.kind === 'conflict');
        if (assessment.undecided.length === 0 && !hasConflict) {
          const given = {
            target: AT,
            digest: 'd',
            lifetimeMs: null,
            approval: null,
            journal,
            inputCall: RUN.inputCall,
          };
          const stored = { ...assessment, prepared: { ...assessment.prepared, drafts: preparation } };
          await completeDrafts(stored, preparation, journal);
          const plan = await buildPlan(stored, given);
          const listed = [...plan.list.records]
            .filter(({ standsFor }) => standsFor === null)
            .map(({ payment }) => payment);
          expect(new Set(listed).size).toBe(listed.length);
        }
        expect(snapshot()).toBe(before);
      }),
      { numRuns: 60 },
    );
  });
});

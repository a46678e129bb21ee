import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Prepared } from '../../../src/batch/prepare.js';
import type { Decisions, KnownPayment } from '../../../src/ledger/payment.js';
import { assess, type Assessment } from '../../../src/preflight/assess.js';
import type { Fate } from '../../../src/preflight/fate.js';
import { contentOf } from '../ledger/kit.js';
import {
  assessRules,
  DECISIONS,
  groupedBy,
  history,
  input,
  lookedUp,
  openOf,
  type Past,
  type Row,
  SKIP,
} from './kit.js';

/** Few contents, few likenesses and few keys, so that most of them meet. */
const CONTENTS = ['A', 'B', 'C'] as const;
const LIKE: Readonly<Record<string, string>> = { A: 'one', B: 'one', C: 'other' };
const OWN = ['own1', 'own2', 'own3'] as const;

type Draw = readonly [content: (typeof CONTENTS)[number], own: (typeof OWN)[number] | null];
const CONTENT = fc.constantFrom(...CONTENTS);
const KEY = fc.option(fc.constantFrom(...OWN));

/** Keys as records have them: their own, once each, or computed from content and ordinal. */
function keyed<Drawn>(draws: readonly (readonly [...Draw, Drawn])[], from: number): [Row, Drawn][] {
  const ordinals = new Map<string, number>();
  const taken = new Set<string>();
  return draws.flatMap(([says, own, more]): [Row, Drawn][] => {
    const like = LIKE[says] ?? says;
    if (own !== null) {
      if (taken.has(own)) return [];
      taken.add(own);
      return [[{ key: own, says, like, source: 'own' }, more]];
    }
    const ordinal = (ordinals.get(says) ?? from - 1) + 1;
    ordinals.set(says, ordinal);
    return [[{ key: `${says}:${ordinal}`, says, like }, more]];
  });
}

/** What becomes of a payment: a closed or a stopped run, and a live one. */
const standing = fc.constantFrom<Partial<Past>>(
  { state: 'created' },
  { state: 'unknown' },
  { state: 'rejected' },
  { state: 'not_sent', ended: true },
  { state: 'not_sent', ended: false },
  { state: 'not_sent', ended: false, live: true },
);
/** A history may begin with any ordinal: the first of two equal rows was not necessarily in it. */
const pasts = fc
  .tuple(fc.array(fc.tuple(CONTENT, KEY, standing), { maxLength: 6 }), fc.integer({ min: 1, max: 2 }))
  .map(([draws, from]) => keyed(draws, from).map(([row, how]): Past => ({ ...row, ...how })));
const rows = fc
  .array(fc.tuple(CONTENT, KEY, fc.boolean()), { maxLength: 6 })
  .map((draws) => keyed(draws, 1).map(([row]) => row));
/** Some rows say that they correct a payment, each another one. */
const correcting = fc
  .tuple(rows, fc.uniqueArray(fc.constantFrom(...OWN, 'A:1', 'B:1'), { maxLength: 3 }))
  .map(([all, keys]) => all.map((row, i): Row => (keys[i] === undefined ? row : { ...row, corrects: keys[i] })));

interface World {
  readonly prepared: Prepared;
  readonly past: readonly KnownPayment[];
  readonly assess: (decisions: Decisions) => Assessment;
}

/** Records whose keys belong to other content are invalid, as the pipeline has it. */
function world(of: readonly Row[], pastOf: readonly Past[]): World {
  const prepared = input(...of);
  const past = history(...pastOf);
  const first = assess(prepared, lookedUp(prepared, past), assessRules());
  for (const { index } of first.conflicts) prepared.entries.invalidate(index, 'key-conflict');
  const known = lookedUp(prepared, past);
  return { prepared, past, assess: (decisions) => assess(prepared, known, assessRules({ decisions })) };
}

/** Everything that was paid already is left out, and all that is only similar is sent. */
function decided(of: World): Assessment {
  const similar = of.assess(SKIP).undecided.repeats.length;
  return of.assess({ ...SKIP, sendSimilar: similar });
}

function sentAs(fates: readonly (Fate | null)[]): (number | null)[] {
  return fates.flatMap((fate) => (fate?.what === 'send' ? [fate.payment] : []));
}

const RUNS = { numRuns: 500, seed: 20_261_101 };

describe('whatever the history and the input', () => {
  it('assessing is pure: twice the same, and nothing of what it was computed from has changed', () => {
    fc.assert(
      fc.property(correcting, pasts, fc.boolean(), (of, pastOf, skips) => {
        const prepared = input(...of);
        const known = lookedUp(prepared, history(...pastOf));
        const shape = (): unknown => [
          known,
          of.map((_, i) => [prepared.entries.status(i), prepared.entries.payment(i)]),
        ];
        const before = structuredClone(shape());
        const rules = assessRules({ decisions: skips ? SKIP : DECISIONS });
        const once = assess(prepared, known, rules);
        expect(assess(prepared, known, rules)).toEqual(once);
        expect(shape()).toEqual(before);
      }),
      RUNS,
    );
  });

  it('--send-similar N is exact', () => {
    fc.assert(
      fc.property(rows, pasts, fc.integer({ min: 0, max: 4 }), (of, pastOf, said) => {
        const { assess: by } = world(of, pastOf);
        const there = by(SKIP).undecided.repeats;
        expect(there.every(({ code }) => code === 'similar-record')).toBe(true);
        const { undecided } = by({ ...SKIP, sendSimilar: said });
        expect(undecided.similar).toBe(said === there.length ? null : there.length);
        expect(undecided.repeats.length).toBe(said === there.length ? 0 : there.length);
      }),
      RUNS,
    );
  });

  it('nothing passes the gate before somebody has decided, and everything does afterwards', () => {
    fc.assert(
      fc.property(correcting, pasts, (of, pastOf) => {
        const { assess: by } = world(of, pastOf);
        for (const decisions of [DECISIONS, SKIP]) {
          const { fates, ...assessment } = by(decisions);
          const stuck = fates.flatMap((fate, index) => (fate?.what === 'repeat' ? [index] : []));
          const open = new Set(openOf({ fates, ...assessment }).map((words) => Number(words.split(' ')[0])));
          expect(stuck.filter((index) => !open.has(index))).toEqual([]);
        }
        const { fates, undecided } = decided(world(of, pastOf));
        expect([undecided.repeats, fates.some((fate) => fate?.what === 'repeat')]).toEqual([[], false]);
      }),
      RUNS,
    );
  });

  it('a payment is sent for one record at most, and never where another one takes its place', () => {
    fc.assert(
      fc.property(correcting, pasts, (of, pastOf) => {
        const { fates, closed } = decided(world(of, pastOf));
        const sent = sentAs(fates).filter((payment) => payment !== null);
        expect(new Set(sent).size).toBe(sent.length);
        const replaced = [
          ...closed.map(({ payment }) => payment),
          ...fates.flatMap((fate) => (fate?.what === 'send' ? fate.replaced : [])),
        ];
        expect(replaced.filter((payment) => sent.includes(payment))).toEqual([]);
        expect(new Set(replaced).size).toBe(replaced.length);
      }),
      RUNS,
    );
  });

  it('what is left out stands for a payment of its own: no two records for one payment of their content', () => {
    fc.assert(
      fc.property(rows, pasts, (of, pastOf) => {
        const { fates } = decided(world(of, pastOf));
        const stands = fates.flatMap((fate) => {
          if (fate === null || fate.what === 'conflict' || fate.what === 'repeat') return [];
          if (fate.what !== 'send' && fate.leftOut === 'similar') return [];
          return fate.payment ?? [];
        });
        expect(new Set(stands).size).toBe(stands.length);
      }),
      RUNS,
    );
  });

  it('nothing is paid twice, nor silently not paid: of each content, as many payments as the history or the input has', () => {
    fc.assert(
      fc.property(rows, pasts, (of, pastOf) => {
        const { prepared, past, ...rest } = world(of, pastOf);
        const { fates } = decided({ prepared, past, ...rest });
        const paid = ({ state, isLive }: KnownPayment): boolean => state === 'created' || state === 'unknown' || isLive;
        const byContent = groupedBy(past.filter(paid), ({ content }) => content);
        for (const says of CONTENTS) {
          const content = contentOf(says);
          const before = byContent.get(content) ?? [];
          const indexes = of.flatMap((row, index) =>
            row.says === says && prepared.entries.isValid(index) ? [index] : [],
          );
          const isNew = (id: number | null): boolean => id === null || before.every((payment) => payment.id !== id);
          const added = sentAs(indexes.map((index) => fates[index] ?? null)).filter(isNew).length;
          expect(before.length + added).toBe(Math.max(before.length, indexes.length));
        }
      }),
      RUNS,
    );
  });
});

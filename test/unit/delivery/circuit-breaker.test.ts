import { describe, expect, it } from 'vitest';
import { type BreakerOptions, CircuitBreaker } from '../../../src/delivery/circuit-breaker.js';
import type { AttemptResult } from '../../../src/delivery/http/attempt.js';
import type { AttemptVerdict } from '../../../src/delivery/http/classify.js';
import type { Claimed } from '../../../src/journal/plan.js';
import type { Outcome } from '../../../src/journal/payment.js';
import { outcome } from '../journal/journal-fixtures.js';

const MINUTE = 60_000;
const RETRY = { next: 'retry', cost: 'nothing', doubt: false } as const;
const RECORD: Claimed = {
  id: 1,
  claim: 1,
  type: 'payout',
  key: 'k1',
  body: '{}',
  lifetimeMs: null,
  earlier: null,
};
const DOUBTED: Claimed = { ...RECORD, earlier: outcome('unknown', { doubtSince: 1 }) };

const answer = (status: number): AttemptResult => ({ kind: 'answer', status, body: null, retryAfter: null });

/** A breaker with a clock that a test moves. @param hasCreated something was ever created at the target */
function started(over: Partial<BreakerOptions> = {}, hasCreated = false) {
  const clock = { now: 0, stops: 0 };
  const breaker = new CircuitBreaker({
    stopAfter: null,
    createdBefore: false,
    inDoubtBefore: false,
    hasCreated: () => Promise.resolve(hasCreated),
    monotonic: () => clock.now,
    onStop: () => clock.stops++,
    ...over,
  });
  /** An answer, after which the record is tried again. */
  const seen = (status: number): void => breaker.recordAttempt(answer(status), RETRY, 0, String);
  const refused = (status: number): Outcome => outcome('rejected', { httpStatus: status });
  const reason = (): string | null => breaker.stopped?.reason ?? null;
  return { breaker, clock, seen, refused, reason };
}

function times(count: number, ...statuses: number[]): number[] {
  return Array.from({ length: count }, (_, i) => statuses[i % statuses.length] as number);
}

it.each<[what: string, answers: number[], stops: boolean]>([
  ['425 after another answer', [201, ...times(16, 425)], true],
  ['not before', times(15, 425, 429), false],
  ['not with another answer in between', [...times(8, 425), 503, ...times(15, 429)], false],
])('stops after 15 minutes of nothing but answers that ask to wait: %s', (_what, answers, stops) => {
  const { clock, seen, reason } = started();
  for (const status of answers) {
    seen(status);
    clock.now += MINUTE;
  }
  expect([reason(), clock.stops]).toEqual(stops ? ['throttled', 1] : [null, 0]);
});

it.each<[what: string, answers: number[], stops: boolean]>([
  ['several', [...times(9, 404, 405), 403], true],
  ['not counting what asks to wait', [...times(9, 404, 429, 425), ...times(7, 404)], true],
  ['not at nine', times(9, 404), false],
  ['not with another answer in between', [...times(9, 404), 422, ...times(20, 404)], false],
])('stops when the first ten answers say that there is nothing here: %s', (_what, answers, stops) => {
  // Whatever was created before.
  const { clock, seen, reason } = started({ createdBefore: true });
  for (const status of answers) seen(status);
  expect([reason(), clock.stops]).toEqual(stops ? ['wrong_target', 1] : [null, 0]);
});

describe('when all answers, fewer than ten, say that there is nothing here', () => {
  it.each<[what: string, answers: number[], hasCreated: boolean, isWrong: boolean]>([
    ['stops at one', [404], false, true],
    ['stops at some', times(9, 405, 404), false, true],
    ['goes on with a 403 among them, which may be about the record', [404, 403], false, false],
    ['goes on with another answer', [404, 422], false, false],
    ['goes on where something was created at this path', [404, 404], true, false],
  ])('%s', async (_what, answers, hasCreated, isWrong) => {
    const { breaker, seen, refused, reason } = started({}, hasCreated);
    const stored = answers.flatMap((status) => {
      seen(status);
      return breaker.settled(RECORD, refused(status));
    });
    expect(reason()).toBeNull();
    stored.push(...(await breaker.ended()));
    expect(reason()).toBe(isWrong ? 'wrong_target' : null);
    expect(stored.map((each) => each.outcome.state)).toEqual(answers.map(() => (isWrong ? 'not_sent' : 'rejected')));
  });

  it.each([
    [false, 'wrong_target', 'not_sent'],
    [true, 'too_many_rejected', 'rejected'],
  ])('that comes before --stop-after; something was created there: %s', async (hasCreated, why, state) => {
    const { breaker, seen, refused, reason } = started({ stopAfter: 1 }, hasCreated);
    seen(404);
    expect([breaker.settled(RECORD, refused(404)), reason()]).toEqual([[], 'too_many_rejected']);
    const [stored] = await breaker.ended();
    expect([reason(), stored?.outcome.state]).toEqual([why, state]);
  });

  it.each([
    ['in an earlier call', true],
    ['in this call', false],
  ])('advises to settle first where a record came into doubt %s', async (_what, inDoubtBefore) => {
    const { breaker, seen, refused } = started({ inDoubtBefore });
    seen(404);
    breaker.settled(RECORD, refused(404));
    await breaker.ended();
    if (!inDoubtBefore) breaker.settled(RECORD, outcome('unknown'));
    expect(breaker.stopped?.mayHavePaid).toBe(true);
  });

  it('stops where what was in doubt is answered so, and leaves it in doubt', async () => {
    const { breaker, seen, reason } = started();
    seen(404);
    const [stored] = breaker.settled(DOUBTED, outcome('unknown', { httpStatus: 404 }));
    await breaker.ended();
    expect([stored?.outcome.state, reason()]).toEqual(['unknown', 'wrong_target']);
  });
});

it('stops at the number of rejected records that --stop-after gives, and says so once', () => {
  const { breaker, clock, reason } = started({ stopAfter: 2 });
  for (const state of ['rejected', 'created', 'unknown'] as const) breaker.settled(RECORD, outcome(state));
  expect(reason()).toBeNull();
  for (const state of ['rejected', 'rejected'] as const) breaker.settled(RECORD, outcome(state));
  expect([reason(), clock.stops]).toEqual(['too_many_rejected', 1]);
});

const STRANGE: AttemptVerdict = { next: 'settle', state: 'unknown', isStrange: true };

it('stops at an answer 2xx that confirms nothing, unless something was created: that shows that the target is right', () => {
  const one = started();
  const other = started();
  one.breaker.recordAttempt(answer(201), { next: 'settle', state: 'created' }, 0, String);
  for (const { breaker } of [one, other]) breaker.recordAttempt(answer(200), STRANGE, 0, () => 'HTTP 200');
  expect([one.breaker.stopped, other.breaker.stopped]).toEqual([null, { reason: 'wrong_target', detail: 'HTTP 200' }]);
});

it.each<[what: string, between: number[], stops: boolean]>([
  ['in a row', [], true],
  ['not with another answer in between', [422], false],
  ['not with one that asks to wait in between', [429], false],
])('stops at ten such answers, whatever was created before: %s', (_what, between, stops) => {
  const { breaker, seen, reason } = started({ createdBefore: true });
  const strange = (): void => breaker.recordAttempt(answer(200), STRANGE, 0, String);
  for (let i = 0; i < 9; i++) strange();
  expect(reason()).toBeNull();
  for (const status of between) seen(status);
  strange();
  expect(reason()).toBe(stops ? 'wrong_target' : null);
});

describe('gigs', () => {
  const GIG: Claimed = { ...RECORD, type: 'gig' };
  const ended = (state: 'created' | 'rejected' | 'unknown', over: Partial<Outcome> = {}): Outcome =>
    outcome(state, { httpStatus: null, ...over });

  it.each(['created', 'rejected'] as const)('are sent alone until one is %s, and again after one in doubt', (state) => {
    const { breaker } = started();
    expect(breaker.sendsGigsAlone).toBe(true);
    breaker.settled(GIG, ended(state));
    expect(breaker.sendsGigsAlone).toBe(false);
    breaker.settled(GIG, ended('unknown'));
    expect(breaker.sendsGigsAlone).toBe(true);
    breaker.settled(GIG, ended(state));
    expect(breaker.sendsGigsAlone).toBe(false);
  });

  it.each<[what: string, outcomes: [record: Claimed, outcome: Outcome][], stops: boolean]>([
    ['three in a row', Array.from({ length: 3 }, () => [GIG, ended('unknown')]), true],
    ['not two', Array.from({ length: 2 }, () => [GIG, ended('unknown')]), false],
    [
      'with payouts in between',
      [GIG, GIG, RECORD, GIG].map((each) => [each, ended(each === RECORD ? 'created' : 'unknown')]),
      true,
    ],
    ['not payouts', Array.from({ length: 9 }, () => [RECORD, ended('unknown')]), false],
    [
      'not with one created in between',
      (['unknown', 'unknown', 'created', 'unknown', 'unknown'] as const).map((state) => [GIG, ended(state)]),
      false,
    ],
    [
      'not with a refusal of one that stays in doubt in between',
      [null, null, 422, null, null].map((httpStatus) => [
        { ...DOUBTED, type: 'gig' },
        ended('unknown', { httpStatus, attempts: 2 }),
      ]),
      false,
    ],
  ])('that come into doubt stop the run: %s', (_what, outcomes, stops) => {
    const { breaker, reason } = started();
    for (const [record, ending] of outcomes) breaker.settled(record, ending);
    expect(reason()).toBe(stops ? 'in_doubt' : null);
  });
});

it('stops when no connection can be made, unless an answer has come since the record began', () => {
  const { breaker, clock, seen, reason } = started();
  const gone = { kind: 'not-connected', reason: 'refused' } as const;
  clock.now = 10;
  seen(503);
  breaker.recordAttempt(gone, { next: 'settle', state: 'not_sent' }, 5, String);
  expect(reason()).toBeNull();
  breaker.recordAttempt(gone, { next: 'settle', state: 'not_sent' }, 11, String);
  expect(breaker.stopped).toEqual({ reason: 'unreachable', detail: 'refused' });
});

describe('it stops when 100 records in a row end as unknown', () => {
  type Event = number | 'unknown' | 'doubted' | 'created';
  const unknown = (count: number, ...before: number[]) =>
    Array.from({ length: count }, () => [...before, 'unknown' as const]).flat();

  it.each<[what: string, events: Event[], stops: boolean]>([
    ['by 5xx, 408 and 2xx that do not confirm', unknown(100, 502, 408, 200), true],
    ['not before', unknown(99, 503), false],
    ['not with one created in between', [...unknown(60, 200), 'created', ...unknown(99, 200)], false],
    ['not with a definite answer in between', [...unknown(60, 503), 422, ...unknown(99, 503)], false],
    ['not by records that were in doubt before', Array.from({ length: 200 }, () => 'doubted' as const), false],
  ])('%s', (_what, events, stops) => {
    const { breaker, seen, reason } = started();
    for (const event of events)
      if (typeof event === 'number') seen(event);
      else if (event === 'doubted') breaker.settled(DOUBTED, outcome('unknown'));
      else breaker.settled(RECORD, outcome(event));
    expect(reason()).toBe(stops ? 'unreachable' : null);
  });
});

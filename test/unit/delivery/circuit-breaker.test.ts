import { describe, expect, it } from 'vitest';
import { startWatch, type WatchOptions } from '../../../src/delivery/circuit-breaker.js';
import { outcome } from '../ledger/kit.js';

const MINUTE = 60_000;

/** What a watch makes of answers, each so many milliseconds after the one before. */
function watched(answers: readonly number[], apart = 0, over: Partial<WatchOptions> = {}) {
  let now = 0;
  let stops = 0;
  const watch = startWatch({
    ...{ stopAfter: null, createdBefore: false, inDoubtBefore: false, onWaiting: () => undefined },
    monotonic: () => now,
    stop: () => stops++,
    ...over,
  });
  for (const status of answers) {
    watch.seen({ kind: 'answer', status, body: null, retryAfter: null });
    now += apart;
  }
  return { stopped: watch.stopped, stops, watch };
}

function times(count: number, ...statuses: number[]): number[] {
  return Array.from({ length: count }, (_, i) => statuses[i % statuses.length] as number);
}

describe('the run stops after 15 minutes of nothing but answers that ask to wait', () => {
  const STOPPED = { stopped: { reason: 'throttled', detail: null }, stops: 1 };

  it.each<[what: string, answers: number[], stops: boolean]>([
    ['429', times(16, 429), true],
    ['425', times(16, 425), true],
    ['either of them', times(16, 425, 429), true],
    ['425 after another answer', [201, ...times(16, 425)], true],
    ['not before', times(15, 425, 429), false],
    ['not with another answer in between', [...times(8, 425), 503, ...times(15, 429)], false],
    ['but with one before that', [...times(8, 425), 503, ...times(16, 429)], true],
  ])('%s', (_what, answers, stops) => {
    expect(watched(answers, MINUTE)).toMatchObject(stops ? STOPPED : { stopped: null, stops: 0 });
  });
});

const MAY_NOT = '; 403 may also mean that the token or the account may not do this';

describe('the run stops when the first ten answers say that there is nothing here', () => {
  it.each<[what: string, answers: number[], detail: string | null]>([
    ['403', times(10, 403), `the first 10 answers were HTTP 403${MAY_NOT}`],
    ['404', times(10, 404), 'the first 10 answers were HTTP 404'],
    ['405', times(10, 405), 'the first 10 answers were HTTP 405'],
    ['several of them', times(10, 405, 403), `the first 10 answers were HTTP 403, 405${MAY_NOT}`],
    ['all of them', times(10, 404, 405, 403), `the first 10 answers were HTTP 403, 404, 405${MAY_NOT}`],
    ['one of them only at last', [...times(9, 404), 403], `the first 10 answers were HTTP 403, 404${MAY_NOT}`],
    [
      'what asks to wait not counted',
      [...times(9, 404, 429, 425), ...times(7, 404)],
      'the first 10 answers were HTTP 404',
    ],
    ['not at nine', times(9, 404), null],
    ['not after another answer', [422, ...times(20, 404)], null],
    ['not with another answer in between', [...times(9, 404), 422, ...times(20, 404)], null],
    ['not after ten others', [...times(10, 201), ...times(20, 404)], null],
  ])('%s', (_what, answers, detail) => {
    const stopped = detail === null ? null : { reason: 'wrong_target', detail };
    expect(watched(answers)).toMatchObject({ stopped, stops: detail === null ? 0 : 1 });
  });

  it('also when the run has created something before', () => {
    expect(watched(times(10, 404), 0, { createdBefore: true }).stopped).toMatchObject({ reason: 'wrong_target' });
  });
});

describe('the run stops when all answers, fewer than ten, say that there is nothing here', () => {
  it.each<[what: string, answers: number[], hasCreated: boolean, detail: string | null]>([
    ['one 404', [404], false, 'the only answer was HTTP 404'],
    ['404 and 405', times(9, 405, 404), false, 'all 9 answers were HTTP 404, 405'],
    ['what asks to wait not counted', [429, 404, 425, 404], false, 'all 2 answers were HTTP 404'],
    ['not with a 403 among them, which may be about the record', [404, 403], false, null],
    ['not with another answer', [404, 422], false, null],
    ['not where something was created at this path', [404, 404], true, null],
    ['not without any answer', [], false, null],
  ])('%s', (_what, answers, hasCreated, detail) => {
    const { watch } = watched(answers);
    expect(watch.stopped).toBeNull();
    watch.lastAnswer(hasCreated);
    expect(watch.stopped).toEqual(detail === null ? null : { reason: 'wrong_target', detail });
  });

  it.each([
    [false, { reason: 'wrong_target' }, true],
    [true, { reason: 'too_many_rejected' }, false],
  ])('before --stop-after counts; something was created there: %s', (hasCreated, stopped, isTarget) => {
    const { watch } = watched([404], 0, { stopAfter: 1 });
    watch.settled('rejected', false);
    const refusal = outcome('rejected', { httpStatus: 404 });
    expect([watch.stopped?.reason, watch.blamesTarget(refusal)]).toEqual(['too_many_rejected', null]);
    watch.lastAnswer(hasCreated);
    expect([watch.stopped, watch.blamesTarget(refusal)]).toMatchObject([stopped, isTarget]);
  });

  it.each([
    ['in an earlier call', true, false],
    ['in this call', false, true],
  ])('and advises to settle first where a record came into doubt %s', (_what, inDoubtBefore, during) => {
    const { watch } = watched([404], 0, { inDoubtBefore });
    watch.lastAnswer(false);
    if (during) watch.settled('unknown', false);
    expect(watch.stopped?.remedy).toMatch(/gigwork batch settle/);
  });
});

describe('the run stops for other reasons', () => {
  it('at the number of rejected records that --stop-after gives, and says so once', () => {
    let stops = 0;
    const watch = startWatch({
      ...{ stopAfter: 2, createdBefore: false, inDoubtBefore: false, onWaiting: () => undefined, monotonic: () => 0 },
      stop: () => stops++,
    });
    for (const state of ['rejected', 'created', 'unknown'] as const) watch.settled(state, false);
    expect([watch.stopped, watch.hasCreated]).toEqual([null, true]);
    for (const state of ['rejected', 'rejected'] as const) watch.settled(state, false);
    expect([watch.stopped, stops]).toEqual([{ reason: 'too_many_rejected', detail: null }, 1]);
  });

  it('unreachable, unless an answer has come meanwhile', () => {
    let now = 0;
    const watch = startWatch({
      ...{
        stopAfter: null,
        createdBefore: false,
        inDoubtBefore: false,
        onWaiting: () => undefined,
        stop: () => undefined,
      },
      monotonic: () => now,
    });
    now = 10;
    watch.seen({ kind: 'answer', status: 503, body: null, retryAfter: null });
    watch.unreachable(5, 'refused');
    expect(watch.stopped).toBeNull();
    watch.unreachable(11, 'refused');
    expect(watch.stopped).toEqual({ reason: 'unreachable', detail: 'refused' });
  });
});

describe('the run stops when 100 records in a row end as unknown', () => {
  const DOWN = {
    reason: 'unreachable',
    detail: '100 records in a row got no definite answer',
    remedy: 'the service is down, or fails with these records: ask those who run it, then go on',
  };

  /** The statuses of answers, and the ends of records, as they come. */
  function seen(events: readonly (number | 'unknown' | 'doubted' | 'created')[]) {
    const watch = startWatch({
      ...{ stopAfter: null, createdBefore: false, inDoubtBefore: false, onWaiting: () => undefined },
      monotonic: () => 0,
      stop: () => undefined,
    });
    for (const event of events) {
      if (typeof event !== 'number') watch.settled(event === 'doubted' ? 'unknown' : event, event === 'doubted');
      else watch.seen({ kind: 'answer', status: event, body: null, retryAfter: null });
    }
    return watch.stopped;
  }

  const unknown = (count: number, ...before: number[]) =>
    Array.from({ length: count }, () => [...before, 'unknown' as const]).flat();

  it.each<[what: string, events: (number | 'unknown' | 'doubted' | 'created')[], stops: boolean]>([
    ['by time-outs and resets', unknown(100), true],
    ['by 5xx and 408', unknown(100, 502, 408), true],
    ['by 2xx that do not confirm', unknown(100, 200), true],
    ['not before', unknown(99, 503), false],
    ['not with one created in between', [...unknown(60, 200), 'created', ...unknown(99, 200)], false],
    ['not with a definite answer in between', [...unknown(60, 503), 422, ...unknown(99, 503)], false],
    ['not by records that were in doubt before', Array.from({ length: 200 }, () => 'doubted' as const), false],
    ['but with one before that', [...unknown(60, 503), 201, 'created', ...unknown(100, 503)], true],
  ])('%s', (_what, events, stops) => {
    expect(seen(events)).toEqual(stops ? DOWN : null);
  });
});

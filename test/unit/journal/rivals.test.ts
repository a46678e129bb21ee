import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/journal/journal.js';
import type { StoredState } from '../../../src/journal/record.js';
import { ALWAYS, NEVER, START, benchOn, deliverAll, keysOf, outcome, record, records, room } from './kit.js';
import { MINE, THEIRS, meeting, settle, waitingIn } from './meeting.js';
import { STORES } from './stores.js';

describe.each(STORES)('a key in two runs, in $name', (store) => {
  it.each(['gig', 'payout'] as const)('a %s that a live process has not come to yet is waited for', (type) => {
    const { first, second, earlier, later } = meeting(benchOn(store), type);
    const claim = later.outbox.exchange([], room(5));
    expect(keysOf(claim)).toEqual(['b']);
    const waiting = waitingIn(claim);
    expect(waiting).toHaveLength(1);
    expect(waitingIn(later.outbox.revisit(waiting, room(5)))).toEqual(waiting);

    const [x] = earlier.outbox.exchange([], room(1)).claimed;
    expect(waitingIn(later.outbox.revisit(waiting, room(5)))).toEqual(waiting);
    settle(earlier.outbox, x!, outcome('created', { response: '{"id":"p7"}' }));
    const { claimed, unclaimed } = later.outbox.revisit(waiting, room(5));
    expect(claimed).toEqual([]);
    expect(unclaimed).toMatchObject([
      { index: 1, why: 'settled', outcome: { state: 'already_created', response: '{"id":"p7"}' } },
    ]);
    expect([first.states(earlier.run), second.states(later.run)]).toEqual([
      ['created', null],
      ['unknown', 'already_created'],
    ]);
  });

  it.each(['rejected', 'unknown'] as const)('its outcome there is taken: %s', (state) => {
    const { second, earlier, later } = meeting(benchOn(store));
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    const [x] = earlier.outbox.exchange([], room(1)).claimed;
    settle(earlier.outbox, x!, outcome(state, { httpStatus: 418 }));
    const { claimed, unclaimed } = later.outbox.revisit(waiting, room(5, 5, ALWAYS));
    expect(claimed).toEqual([]);
    expect(unclaimed).toMatchObject([{ why: 'settled', outcome: { state, httpStatus: 418 } }]);
    expect(second.outcomes(later.run)[1]).toMatchObject({
      state,
      httpStatus: 418,
      doubtSince: state === 'unknown' ? START : null,
    });
  });

  it('what could not be sent there is tried here, when the other has gone', () => {
    const { earlier, later } = meeting(benchOn(store));
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    const [x] = earlier.outbox.exchange([], room(1)).claimed;
    settle(earlier.outbox, x!, 'not_sent');
    // Another process on that run might try it still.
    expect(waitingIn(later.outbox.revisit(waiting, room(5)))).toEqual(waiting);
    earlier.outbox.leave();
    expect(keysOf(later.outbox.revisit(waiting, room(5)))).toEqual(['x']);
  });

  it('what the other never came to is sent here, when it has gone', () => {
    const { earlier, later } = meeting(benchOn(store));
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    earlier.outbox.leave();
    expect(keysOf(later.outbox.revisit(waiting, room(5)))).toEqual(['x']);
  });

  it('what the other never came to is sent here, when it has died', () => {
    const { first, earlier, later } = meeting(benchOn(store));
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    earlier.outbox.exchange([], room(0));
    first.die();
    expect(keysOf(later.outbox.revisit(waiting, room(5)))).toEqual(['x']);
  });

  it.each([
    ['gig', 'is in doubt here too'],
    ['payout', 'is sent again here, and the answer settles it there as well'],
  ] as const)('a %s that was under way in a process that died %s', (type, _what) => {
    const { first, second, earlier, later } = meeting(benchOn(store), type);
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    earlier.outbox.exchange([], room(1));
    first.die();
    const { claimed, unclaimed } = later.outbox.revisit(waiting, room(5));
    if (type === 'gig') {
      expect(claimed).toEqual([]);
      expect(unclaimed).toMatchObject([{ outcome: { state: 'unknown', doubtSince: START } }]);
    } else {
      expect(claimed).toMatchObject([{ key: 'x', earlier: { state: 'unknown', doubtSince: START } }]);
      settle(later.outbox, claimed[0]!, 'created', true);
      expect([second.states(earlier.run)[0], second.states(later.run)[1]]).toEqual(['created', 'created']);
    }
  });

  it('is left to a process on the earlier run, where another one of them died with it', () => {
    const bench = benchOn(store);
    const [gone, beside, other] = [bench.process(), bench.process(), bench.process()];
    const earlier = gone.pass(MINE(), { digest: 'mine' });
    const heir = beside.join(earlier.run);
    earlier.outbox.exchange([], room(1));
    const inherited = waitingIn(heir.exchange([], room(5)));
    const later = other.pass(THEIRS(), { digest: 'theirs' });
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    gone.die();
    expect(waitingIn(later.outbox.revisit(waiting, room(5)))).toEqual(waiting);
    expect(keysOf(heir.revisit(inherited, room(5)))).toEqual(['x']);
  });

  it('is waited for where a process died with it that nobody has taken over yet', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const earlier = gone.pass(MINE(), { digest: 'mine' });
    earlier.outbox.exchange([], room(1));
    gone.die();
    const later = other.pass(THEIRS(), { digest: 'theirs' });
    const claim = later.outbox.exchange([], room(5));
    expect(keysOf(claim)).toEqual(['b']);
    expect(later.outbox.revisit(waitingIn(claim), room(5)).claimed).toMatchObject([
      { key: 'x', earlier: { state: 'unknown' } },
    ]);
  });

  it('is sent by nobody else while it is under way, though an old doubt is known of it', () => {
    const bench = benchOn(store);
    const [first, second] = [bench.process(), bench.process()];
    const earlier = first.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'unknown');
    earlier.outbox.leave();
    const again = first.join(earlier.run);
    const [x] = again.exchange([], room(1)).claimed;
    const later = second.pass(THEIRS(), { digest: 'theirs' });
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    // The old doubt is not the outcome that is waited for.
    expect(waitingIn(later.outbox.revisit(waiting, room(5)))).toEqual(waiting);
    settle(again, x!, 'created', true);
    expect(later.outbox.revisit(waiting, room(5)).unclaimed).toMatchObject([
      { why: 'settled', outcome: { state: 'already_created' } },
    ]);
  });

  it.each<StoredState>(['rejected', 'not_sent', 'unknown'])(
    'is waited for where a live process is about to send it once more: %s',
    (state) => {
      const bench = benchOn(store);
      const [first, second] = [bench.process(), bench.process()];
      const earlier = first.pass(MINE(), { digest: 'mine' });
      deliverAll(earlier.outbox, state);
      earlier.outbox.leave();
      const again = first.join(earlier.run);
      const later = second.pass(THEIRS(), { digest: 'theirs' });
      const waiting = waitingIn(later.outbox.exchange([], room(5)));
      expect(waiting).toHaveLength(1);
      const [x] = again.exchange([], room(1)).claimed;
      expect(x?.key).toBe('x');
      settle(again, x!, 'created', state === 'unknown');
      expect(later.outbox.revisit(waiting, room(5)).unclaimed).toMatchObject([
        { outcome: { state: 'already_created' } },
      ]);
    },
  );

  it('is not sent where a live process has been refused with it, and may be once that one has ended', () => {
    const bench = benchOn(store);
    const [first, second] = [bench.process(), bench.process()];
    const earlier = first.pass(MINE(), { digest: 'mine' });
    const [x] = earlier.outbox.exchange([], room(1)).claimed;
    settle(earlier.outbox, x!, 'rejected');
    const later = second.pass(THEIRS(), { digest: 'theirs' });
    const claim = later.outbox.exchange([], room(5));
    expect([keysOf(claim), claim.unclaimed]).toMatchObject([
      ['b'],
      [{ why: 'settled', outcome: { state: 'rejected' } }],
    ]);
    earlier.outbox.leave();
    later.outbox.leave();
    expect(keysOf(bench.process().join(later.run).exchange([], room(5)))).toContain('x');
  });

  it('that was created since the check is taken as already created', () => {
    const bench = benchOn(store);
    const [first, second] = [bench.process(), bench.process()];
    const earlier = first.pass(MINE(), { digest: 'mine' });
    const preparing = second.prepare(THEIRS());
    const { version } = second.history();
    deliverAll(earlier.outbox, 'created');
    const outbox = preparing.pass({ digest: 'theirs', payAgain: null, files: [], decisions: [], version });
    const { claimed, unclaimed } = outbox!.exchange([], room(5));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([
      { index: 1, why: 'settled', outcome: { state: 'already_created', httpStatus: 201 } },
    ]);
  });

  it('in doubt there is in doubt here, from the earliest moment, and the answer settles it everywhere', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const runs = [START + 50, START + 10, START + 90].map((doubtSince, i) => {
      const { run, outbox } = process.pass(records('x', `own-${i}`), { digest: `d${i}` });
      deliverAll(outbox, ({ key }) =>
        key === 'x' ? outcome('unknown', { doubtSince: START + [50, 10, 90][i]! }) : outcome('created'),
      );
      outbox.leave();
      return { run, doubtSince };
    });
    const { run, outbox } = process.pass(THEIRS(), { digest: 'theirs' });
    const { claimed } = outbox.exchange([], room(5));
    expect(claimed).toMatchObject([{ key: 'b' }, { key: 'x', earlier: { state: 'unknown', doubtSince: START + 10 } }]);
    settle(outbox, claimed[1]!, outcome('created', { response: '{"id":"p3"}' }), true);
    for (const each of runs)
      expect(process.outcomes(each.run)[0]).toMatchObject({
        state: 'created',
        response: '{"id":"p3"}',
        doubtSince: null,
      });
    expect(process.states(run)[1]).toBe('created');
    expect(
      process
        .history()
        .unknown('default')
        .map(({ key }) => key),
    ).toEqual(['b']);
  });

  it.each<StoredState>(['rejected', 'not_sent', 'already_created', 'left_unknown'])(
    'the answer that settles it settles doubt only: what is %s there stays so',
    (state) => {
      const process = benchOn(store).process();
      const earlier = process.pass(MINE(), { digest: 'mine' });
      deliverAll(earlier.outbox, state);
      earlier.outbox.leave();
      const later = process.pass(THEIRS(), { digest: 'theirs' });
      const [, x] = later.outbox.exchange([], room(5)).claimed;
      settle(later.outbox, x!, 'created', true);
      expect(process.states(later.run)[1]).toBe('created');
      expect(process.states(earlier.run)[0]).toBe(state);
    },
  );

  it.each<StoredState>(['already_created', 'left_unknown'])(
    'in doubt there does not open again what was left out here at the gate, and told as %s',
    (state) => {
      const process = benchOn(store).process();
      const earlier = process.pass(MINE(), { digest: 'mine' });
      deliverAll(earlier.outbox, 'unknown');
      earlier.outbox.leave();
      const leftOut: Decision = { index: 1, what: 'left-out', outcome: outcome(state) };
      const later = process.pass(THEIRS(), { digest: 'theirs', decisions: [leftOut] });
      expect(keysOf(later.outbox.exchange([], room(5, 5, ALWAYS)))).toEqual(['b']);
      expect(process.states(later.run)[1]).toBe(state);
    },
  );

  it('in doubt there and not to be sent again stays in doubt here', () => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'unknown');
    earlier.outbox.leave();
    const later = process.pass(THEIRS(), { digest: 'theirs' });
    const { claimed, unclaimed } = later.outbox.exchange([], room(5, 5, NEVER));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([{ index: 1, why: 'doubt', outcome: { state: 'unknown', doubtSince: START } }]);
  });

  it('in doubt here keeps what is known of it here, where nothing older is known there', () => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'unknown');
    earlier.outbox.leave();
    const later = process.pass(THEIRS(), { digest: 'theirs' });
    const own = outcome('unknown', { attempts: 5, httpStatus: 503, error: 'HTTP 503' });
    deliverAll(later.outbox, () => own);
    later.outbox.leave();
    process.join(later.run).leave();
    expect(process.outcomes(later.run)[1]).toEqual(own);
  });

  it.each(['gig', 'payout'] as const)(
    'in doubt here, and once more there meanwhile: no word covers another request for the %s, and the doubt keeps its age',
    (type) => {
      const bench = benchOn(store);
      const [one, other] = [bench.process(), bench.process()];
      const earlier = one.pass([record(0, { key: 'x', type })], { digest: 'mine' });
      deliverAll(earlier.outbox, 'not_sent');
      earlier.outbox.leave();
      const later = other.pass([record(0, { key: 'b' }), record(1, { key: 'x', type })], { digest: 'theirs' });
      deliverAll(later.outbox, ({ key }) => outcome(key === 'x' ? 'unknown' : 'created'));
      later.outbox.leave();
      const again = one.join(earlier.run);
      const beside = other.join(later.run);
      const waiting = waitingIn(beside.exchange([], room(5, 5, ALWAYS)));
      const [x] = again.exchange([], room(5, 5, ALWAYS)).claimed;
      settle(again, x!, outcome('unknown', { doubtSince: START + 50 }));
      const { claimed, unclaimed } = beside.revisit(waiting, room(5, 5, ALWAYS));
      expect(claimed).toEqual([]);
      expect(unclaimed).toMatchObject([{ index: 1, why: 'settled', outcome: { state: 'unknown', doubtSince: START } }]);
    },
  );

  it('refused there before says nothing of it here, until it is sent', () => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'rejected');
    earlier.outbox.leave();
    const later = process.pass(THEIRS(), { digest: 'theirs' });
    expect(process.states(later.run)).toEqual([null, null]);
    expect(later.outbox.exchange([], room(5)).claimed).toMatchObject([{ key: 'b' }, { key: 'x', earlier: null }]);
  });

  it('in doubt here is not settled by a refusal there', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const earlier = one.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'unknown');
    earlier.outbox.leave();
    const later = other.pass(THEIRS(), { digest: 'theirs' });
    later.outbox.leave();
    const again = one.join(earlier.run);
    const beside = other.join(later.run);
    const waiting = waitingIn(beside.exchange([], room(5)));
    // No sender says so of a record in doubt; if one does, it is not believed here.
    const [x] = again.exchange([], room(1)).claimed;
    settle(again, x!, 'rejected');
    beside.revisit(waiting, room(5, 5, NEVER));
    expect(other.states(later.run)[1]).toBe('unknown');
  });

  it('that is only told of as already created does not hide that it was created', () => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'created');
    earlier.outbox.leave();
    const later = process.pass(THEIRS(), { digest: 'theirs' });
    deliverAll(later.outbox, 'created');
    later.outbox.leave();
    process.join(earlier.run).leave();
    process.join(later.run).leave();
    expect([process.states(earlier.run)[0], process.states(later.run)[1]]).toEqual(['created', 'already_created']);
    expect(process.history().byKey('x')).toMatchObject({ run: earlier.run.run, state: 'created' });
  });

  it.each([
    ['another target', { target: 'https://other.example' }],
    ['another sandbox', { scope: 'file-2' }],
  ])('at %s is another payment', (_what, over) => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine', ...over });
    deliverAll(earlier.outbox, 'unknown');
    const later = process.pass(THEIRS(), { digest: 'theirs' });
    const sent = deliverAll(later.outbox, 'created');
    expect(sent).toMatchObject([{ key: 'b' }, { key: 'x', earlier: null }]);
    settle(later.outbox, sent[1]!, 'created', true);
    expect(process.states(earlier.run)[0]).toBe('unknown');
  });
});

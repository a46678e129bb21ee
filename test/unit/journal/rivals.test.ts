import { describe, expect, it } from 'vitest';
import type { Claim, ClaimedRecord, Outbox, StoredState } from '../../../src/journal/journal.js';
import {
  ALWAYS,
  type Bench,
  benchOn,
  deliverAll,
  keyed,
  keysOf,
  NEVER,
  outcome,
  record,
  records,
  room,
  settled,
  START,
} from './kit.js';
import { STORES } from './stores.js';

// One key is one payment, in whichever runs it stands. Runs with different records have different digests, so they
// are not one run that goes on; each test lets them meet at the record `x`.

const MINE = () => records('x', 'a');
const THEIRS = () => records('b', 'x');

function waitingIn({ passed }: Claim): number[] {
  return passed.filter(({ why }) => why === 'elsewhere').map(({ id }) => id);
}

function settle(outbox: Outbox, claimed: ClaimedRecord, state: Parameters<typeof settled>[1], twins = false): void {
  outbox.exchange([settled(claimed, state, twins)], null);
}

/** A run that is delivered, and a later one that meets it at `x`, each by a process of its own. */
function meeting(bench: Bench, type: 'gig' | 'payout' = 'payout') {
  const [first, second] = [bench.process(), bench.process()];
  const earlier = first.pass([record(0, { key: 'x', type }), record(1, { key: 'a' })], { digest: 'mine' });
  const later = second.pass([record(0, { key: 'b' }), record(1, { key: 'x', type })], { digest: 'theirs' });
  return { first, second, earlier, later };
}

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
    const { claimed, passed } = later.outbox.revisit(waiting, room(5));
    expect(claimed).toEqual([]);
    expect(passed).toMatchObject([
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
    const { claimed, passed } = later.outbox.revisit(waiting, room(5, 5, ALWAYS));
    expect(claimed).toEqual([]);
    expect(passed).toMatchObject([{ why: 'settled', outcome: { state, httpStatus: 418 } }]);
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
    const { claimed, passed } = later.outbox.revisit(waiting, room(5));
    if (type === 'gig') {
      expect(claimed).toEqual([]);
      expect(passed).toMatchObject([{ outcome: { state: 'unknown', doubtSince: START } }]);
    } else {
      expect(claimed).toMatchObject([{ key: 'x', earlier: { state: 'unknown', doubtSince: START } }]);
      settle(later.outbox, claimed[0]!, 'created', true);
      expect([second.states(earlier.run)[0], second.states(later.run)[1]]).toEqual(['created', 'created']);
    }
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
    expect(later.outbox.revisit(waiting, room(5)).passed).toMatchObject([
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
      expect(later.outbox.revisit(waiting, room(5)).passed).toMatchObject([{ outcome: { state: 'already_created' } }]);
    },
  );

  it('may be sent at once where a live process has been refused with it and will not send it again', () => {
    const bench = benchOn(store);
    const [first, second] = [bench.process(), bench.process()];
    const earlier = first.pass(MINE(), { digest: 'mine' });
    const [x] = earlier.outbox.exchange([], room(1)).claimed;
    settle(earlier.outbox, x!, 'rejected');
    const later = second.pass(THEIRS(), { digest: 'theirs' });
    expect(keysOf(later.outbox.exchange([], room(5)))).toEqual(['b', 'x']);
  });

  it('that was created since the check is taken as already created', () => {
    const bench = benchOn(store);
    const [first, second] = [bench.process(), bench.process()];
    const earlier = first.pass(MINE(), { digest: 'mine' });
    const preparing = second.prepare(THEIRS());
    const { version } = second.history();
    deliverAll(earlier.outbox, 'created');
    const outbox = preparing.pass({ digest: 'theirs', payAgain: null, files: [], decisions: [], version });
    const { claimed, passed } = outbox!.exchange([], room(5));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(passed).toMatchObject([
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

  it('in doubt there and not to be sent again stays in doubt here', () => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'unknown');
    earlier.outbox.leave();
    const later = process.pass(THEIRS(), { digest: 'theirs' });
    const { claimed, passed } = later.outbox.exchange([], room(5, 5, NEVER));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(passed).toMatchObject([{ index: 1, why: 'doubt', outcome: { state: 'unknown', doubtSince: START } }]);
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

describe.each(STORES)('a key with two contents, in $name', (store) => {
  const theirs = () => [record(0, { key: 'b' }), record(1, { key: 'x', says: 'something else' })];

  it.each<StoredState>(['created', 'unknown'])('is not sent where the other was %s, and says why', (state) => {
    const process = benchOn(store).process();
    const later = process.pass(theirs(), { digest: 'theirs' });
    later.outbox.leave();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, state);
    earlier.outbox.leave();
    const { claimed, passed } = process.join(later.run).exchange([], room(5, 5, ALWAYS));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(passed).toMatchObject([
      { index: 1, why: 'settled', outcome: { state: 'not_sent', error: expect.stringContaining('other content') } },
    ]);
    expect(process.outcomes(later.run)[1]).toMatchObject({
      state: 'not_sent',
      error: expect.stringContaining('other content'),
    });
  });

  it('is never taken for the payment that was made', () => {
    const { first, second, earlier, later } = (() => {
      const bench = benchOn(store);
      const [one, other] = [bench.process(), bench.process()];
      return {
        first: one,
        second: other,
        earlier: one.pass(MINE(), { digest: 'mine' }),
        later: other.pass(theirs(), { digest: 'theirs' }),
      };
    })();
    const waiting = waitingIn(later.outbox.exchange([], room(5)));
    const [x] = earlier.outbox.exchange([], room(1)).claimed;
    settle(earlier.outbox, x!, 'created');
    expect(later.outbox.revisit(waiting, room(5)).passed).toMatchObject([
      { why: 'settled', outcome: { state: 'not_sent' } },
    ]);
    expect(first.states(earlier.run)[0]).toBe('created');
    expect(second.history(later.run).byKey('x')).toMatchObject({ state: 'created' });
  });

  it('may be sent where the other was rejected', () => {
    const process = benchOn(store).process();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'rejected');
    earlier.outbox.leave();
    const later = process.pass(theirs(), { digest: 'theirs' });
    expect(keysOf(later.outbox.exchange([], room(5)))).toEqual(['b', 'x']);
  });

  it('a refused record keeps what the service said about it', () => {
    const process = benchOn(store).process();
    const later = process.pass(theirs(), { digest: 'theirs' });
    deliverAll(later.outbox, 'rejected');
    later.outbox.leave();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, 'created');
    earlier.outbox.leave();
    const { claimed, passed } = process.join(later.run).exchange([], room(5));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(passed).toMatchObject([{ why: 'settled', outcome: { state: 'rejected', httpStatus: 422 } }]);
  });
});

describe.each(STORES)('a key in three runs and more, in $name', (store) => {
  it('each waits for all that came before, so that the key is never sent twice at once', () => {
    const bench = benchOn(store);
    const outboxes = [0, 1, 2].map(
      (i) => bench.process().pass([record(0, { key: 'x', type: 'gig' })], { digest: `d${i}` }).outbox,
    );
    const [first, second, third] = outboxes as [Outbox, Outbox, Outbox];
    const [x] = first.exchange([], room(1)).claimed;
    const waiting = [second, third].map((outbox) => waitingIn(outbox.exchange([], room(1)))[0]!);
    settle(first, x!, 'not_sent');
    first.leave();
    // Whoever looks first, the third waits for the second.
    expect(third.revisit([waiting[1]!], room(1)).claimed).toEqual([]);
    const [again] = second.revisit([waiting[0]!], room(1)).claimed;
    expect(again?.key).toBe('x');
    expect(third.revisit([waiting[1]!], room(1)).claimed).toEqual([]);
    settle(second, again!, 'created');
    expect(third.revisit([waiting[1]!], room(1)).passed).toMatchObject([{ outcome: { state: 'already_created' } }]);
  });

  it('nobody waits in a circle when a process joins the earlier run after the later one has begun', () => {
    const bench = benchOn(store);
    const { first, earlier, later } = meeting(bench);
    const third = bench.process();
    const beside = third.join(earlier.run);
    const waitingLater = waitingIn(later.outbox.exchange([], room(5)));
    const waitingBeside = waitingIn(beside.exchange([], room(0)));
    expect([waitingLater.length, waitingBeside.length]).toEqual([1, 1]);
    first.die();
    // Both look: the later run began before the third process did, so it goes first.
    expect(beside.revisit(waitingBeside, room(1)).claimed).toEqual([]);
    const [x] = later.outbox.revisit(waitingLater, room(1)).claimed;
    expect(x?.key).toBe('x');
    settle(later.outbox, x!, 'created');
    expect(beside.revisit(waitingBeside, room(1)).passed).toMatchObject([{ outcome: { state: 'already_created' } }]);
  });

  it('what a process beside us has created meanwhile, is not overwritten with what other runs say', () => {
    const bench = benchOn(store);
    const [one, other, third] = [bench.process(), bench.process(), bench.process()];
    const mine = one.pass(MINE(), { digest: 'mine' });
    const theirs = other.pass(THEIRS(), { digest: 'theirs' });
    const beside = third.join(mine.run);
    const waiting = waitingIn(beside.exchange([], room(1)));
    const [x] = mine.outbox.exchange([], room(1)).claimed;
    settle(mine.outbox, x!, 'created');
    const also = waitingIn(theirs.outbox.exchange([], room(5)));
    theirs.outbox.revisit(also, room(5));
    beside.revisit(waiting, room(5));
    expect([one.states(mine.run)[0], one.states(theirs.run)[1]]).toEqual(['created', 'already_created']);
    expect(one.history().byKey('x')?.state).toBe('created');
  });

  it('a run goes on with what others know by then, not with what was known when it began', () => {
    const process = benchOn(store).process();
    const mine = process.pass(MINE(), { digest: 'mine' });
    deliverAll(mine.outbox, 'unknown');
    mine.outbox.leave();
    const theirs = process.pass(THEIRS(), { digest: 'theirs' });
    const [b, x] = theirs.outbox.exchange([], room(5)).claimed;
    // Told without the word that it settles a doubt, as an older program might.
    theirs.outbox.exchange([settled(b!, 'created'), settled(x!, 'created', false)], null);
    theirs.outbox.leave();
    expect(process.states(mine.run)[0]).toBe('unknown');
    const { claimed, passed } = process.join(mine.run).exchange([], room(5, 5, keyed));
    expect(claimed.map(({ key }) => key)).toEqual(['a']);
    expect(passed).toMatchObject([{ index: 0, outcome: { state: 'already_created' } }]);
  });
});

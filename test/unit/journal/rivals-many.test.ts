import { describe, expect, it } from 'vitest';
import type { Outbox } from '../../../src/journal/delivery.js';
import type { StoredState } from '../../../src/journal/record.js';
import { ALWAYS, benchOn, deliverAll, keyed, keysOf, record, room, settled } from './kit.js';
import { MINE, THEIRS, meeting, settle, waitingIn } from './meeting.js';
import { STORES } from './stores.js';

describe.each(STORES)('a key with two contents, in $name', (store) => {
  const theirs = () => [record(0, { key: 'b' }), record(1, { key: 'x', says: 'something else' })];

  it.each<StoredState>(['created', 'unknown'])('is not sent where the other was %s, and says why', (state) => {
    const process = benchOn(store).process();
    const later = process.pass(theirs(), { digest: 'theirs' });
    later.outbox.leave();
    const earlier = process.pass(MINE(), { digest: 'mine' });
    deliverAll(earlier.outbox, state);
    earlier.outbox.leave();
    const { claimed, unclaimed } = process.join(later.run).exchange([], room(5, 5, ALWAYS));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([
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
    expect(later.outbox.revisit(waiting, room(5)).unclaimed).toMatchObject([
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
    const { claimed, unclaimed } = process.join(later.run).exchange([], room(5));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([{ why: 'settled', outcome: { state: 'rejected', httpStatus: 422 } }]);
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
    expect(third.revisit([waiting[1]!], room(1)).unclaimed).toMatchObject([{ outcome: { state: 'already_created' } }]);
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
    expect(beside.revisit(waitingBeside, room(1)).unclaimed).toMatchObject([{ outcome: { state: 'already_created' } }]);
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
    const { claimed, unclaimed } = process.join(mine.run).exchange([], room(5, 5, keyed));
    expect(claimed.map(({ key }) => key)).toEqual(['a']);
    expect(unclaimed).toMatchObject([{ index: 0, outcome: { state: 'already_created' } }]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Outbox } from '../../../src/journal/delivery.js';
import { ALWAYS, benchOn, deliverAll, indexesOf, keysOf, manyPayouts, room, settled } from './kit.js';
import { STORES } from './stores.js';

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

describe.each(STORES)('two processes on one run, in $name', (store) => {
  function two(count: number) {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(manyPayouts(count));
    return { bench, run, one, other, outboxes: [outbox, other.join(run)] as [Outbox, Outbox] };
  }

  it('never claim the same record', () => {
    const { run, one, outboxes } = two(2500);
    const sent: number[] = [];
    const open = outboxes.map((outbox) => ({
      outbox,
      done: [] as ReturnType<typeof settled>[],
      elsewhere: new Set<number>(),
      end: false,
    }));
    for (let turn = 0; open.some(({ end, done }) => !end || done.length > 0); turn++) {
      const mine = open[turn % 2]!;
      const { claimed, unclaimed, end } = mine.outbox.exchange(mine.done, room(1 + (turn % 7), turn % 5));
      sent.push(...claimed.map(({ index }) => index));
      for (const { why, id } of unclaimed) if (why === 'elsewhere') mine.elsewhere.add(id);
      mine.done = claimed.map((each) => settled(each, 'created'));
      mine.end = end;
    }
    expect(sent.sort((a, b) => a - b)).toEqual(range(0, 2499));
    for (const { outbox, elsewhere } of open) {
      const { claimed, unclaimed } = outbox.revisit([...elsewhere], room(10));
      expect(claimed).toEqual([]);
      expect(unclaimed.every(({ why }) => why === 'settled')).toBe(true);
    }
    expect(new Set(one.states(run))).toEqual(new Set(['created']));
  });

  it.each(['created', 'rejected', 'unknown'] as const)('the one takes the outcome of the other: %s', (state) => {
    const { outboxes } = two(2);
    const [first, second] = outboxes;
    const { claimed } = first.exchange([], room(1));
    const claim = second.exchange([], room(1, 0, ALWAYS));
    expect(indexesOf(claim)).toEqual([1]);
    const [waiting] = claim.unclaimed;
    expect(waiting).toMatchObject({ index: 0, why: 'elsewhere' });
    expect(second.revisit([waiting!.id], room(1, 0, ALWAYS)).unclaimed).toMatchObject([{ index: 0, why: 'elsewhere' }]);
    first.exchange(
      claimed.map((each) => settled(each, state)),
      null,
    );
    const { unclaimed, claimed: more } = second.revisit([waiting!.id], room(1, 0, ALWAYS));
    expect(more).toEqual([]);
    expect(unclaimed).toMatchObject([{ index: 0, why: 'settled', outcome: { state } }]);
  });

  it.each(['rejected', 'unknown'] as const)('the one takes it too where the other began before: %s', (state) => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(manyPayouts(2));
    const { claimed } = outbox.exchange([], room(2));
    const joined = other.join(run);
    outbox.exchange([settled(claimed[0]!, state)], null);
    const { unclaimed } = joined.exchange([], room(2, 0, ALWAYS));
    expect(unclaimed).toMatchObject([{ why: 'settled', outcome: { state } }, { why: 'elsewhere' }]);
    outbox.exchange([settled(claimed[1]!, state)], null);
    const { claimed: more, unclaimed: then } = joined.revisit([unclaimed[1]!.id], room(2, 0, ALWAYS));
    expect(more).toEqual([]);
    expect(then).toMatchObject([{ why: 'settled', outcome: { state } }]);
  });

  it('what the one comes to when the other has settled it, is not sent again', () => {
    const { outboxes } = two(3);
    const [first, second] = outboxes;
    const { claimed } = first.exchange([], room(3));
    first.exchange(
      claimed.map((each, i) => settled(each, (['created', 'rejected', 'unknown'] as const)[i]!)),
      null,
    );
    const { claimed: more, unclaimed } = second.exchange([], room(3, 0, ALWAYS));
    expect(more).toEqual([]);
    expect(unclaimed.map((each) => each.why === 'settled' && each.outcome.state)).toEqual([
      'created',
      'rejected',
      'unknown',
    ]);
  });

  it('what the one could not send, the other tries', () => {
    const { outboxes } = two(1);
    const [first, second] = outboxes;
    const { claimed } = first.exchange([], room(1));
    const [waiting] = second.exchange([], room(1)).unclaimed;
    first.exchange(
      claimed.map((each) => settled(each, 'not_sent')),
      null,
    );
    expect(keysOf(second.revisit([waiting!.id], room(1)))).toEqual(['k0']);
    expect(first.exchange([], room(1)).claimed).toEqual([]);
  });

  it('what the one sends again after a refusal, the other does not', () => {
    const { bench, run, outboxes } = two(1);
    const [first] = outboxes;
    const { claimed } = first.exchange([], room(1));
    first.exchange(
      claimed.map((each) => settled(each, 'rejected')),
      null,
    );
    for (const outbox of outboxes) outbox.leave();
    const [third, fourth] = [bench.process().join(run), bench.process().join(run)];
    expect(keysOf(third.exchange([], room(1)))).toEqual(['k0']);
    expect(fourth.exchange([], room(1)).unclaimed).toMatchObject([{ why: 'elsewhere' }]);
  });

  it('what the one has refused, the other does not send again while that one is at work: it is in its rejects', () => {
    const { bench, run, outboxes } = two(2);
    const [first] = outboxes;
    const { claimed } = first.exchange([], room(1));
    first.exchange([settled(claimed[0]!, 'rejected')], null);
    const late = bench.process().join(run).exchange([], room(2));
    expect([keysOf(late), late.unclaimed]).toMatchObject([
      ['k1'],
      [{ why: 'settled', outcome: { state: 'rejected' } }],
    ]);
    // Another run with the same record, too.
    const other = bench.process().pass(manyPayouts(1), { digest: 'other' }).outbox.exchange([], room(2));
    expect([keysOf(other), other.unclaimed]).toMatchObject([[], [{ why: 'settled', outcome: { state: 'rejected' } }]]);
    // Nor does it look to anybody as if it were to send the record still.
    outboxes.forEach((outbox) => outbox.leave());
    expect(bench.process().history().byKey('k0')).toBeNull();
  });

  it('gives back what it has no room for', () => {
    const { outboxes } = two(3);
    const [first, second] = outboxes;
    const { claimed } = first.exchange([], room(3));
    const waiting = second.exchange([], room(3)).unclaimed.map(({ id }) => id);
    first.exchange(
      claimed.map((each) => settled(each, 'not_sent')),
      null,
    );
    const { claimed: one, unclaimed } = second.revisit(waiting, room(1));
    expect(one.map(({ index }) => index)).toEqual([0]);
    expect(unclaimed).toMatchObject([
      { index: 1, why: 'elsewhere' },
      { index: 2, why: 'elsewhere' },
    ]);
  });

  it('an intent covers nothing but what was claimed under it', () => {
    const { run, one, outboxes } = two(5);
    const [first, second] = outboxes;
    const { claimed } = first.exchange([], room(5));
    // 1 and 3 are done; 0, 2 and 4 are free again.
    first.exchange(
      claimed.map((each, i) => settled(each, i % 2 === 1 ? 'created' : 'not_sent')),
      null,
    );
    const again = second.exchange([], room(5));
    expect(indexesOf(again)).toEqual([0, 2, 4]);
    expect(one.states(run)).toEqual(['unknown', 'created', 'unknown', 'created', 'unknown']);
  });
});

describe.each(STORES)('a run that has the keys of another one, in $name', (store) => {
  it('takes what the other has created, however many records there are', () => {
    const process = benchOn(store).process();
    deliverAll(process.pass(manyPayouts(2500), { digest: 'one' }).outbox, 'created');
    const { run, outbox } = process.pass(manyPayouts(2501), { digest: 'other' });
    expect(deliverAll(outbox, 'created').map(({ index }) => index)).toEqual([2500]);
    expect(
      process
        .states(run)
        .slice(0, 2500)
        .every((state) => state === 'already_created'),
    ).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/journal/delivery.js';
import {
  ALWAYS,
  NEVER,
  START,
  benchOn,
  deliverAll,
  indexesOf,
  keysOf,
  manyPayouts,
  outcome,
  record,
  records,
  room,
  settled,
} from './kit.js';
import { STORES } from './stores.js';

function gigAt(index: number) {
  return record(index, { type: 'gig', key: `g${index}` });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

describe.each(STORES)('claiming, in $name', (store) => {
  it('gives the records in input order, as they were planned, each once', () => {
    const planned = manyPayouts(5);
    const { outbox } = benchOn(store).process().pass(planned);
    const first = outbox.exchange([], room(2));
    expect(first.claimed.map(({ key, body, type, earlier }) => ({ key, body, type, earlier }))).toEqual(
      planned.slice(0, 2).map(({ key, body, type }) => ({ key, body, type, earlier: null })),
    );
    expect(first.end).toBe(false);
    expect(indexesOf(outbox.exchange([], room(2)))).toEqual([2, 3]);
    const last = outbox.exchange([], room(2));
    expect([indexesOf(last), last.end]).toEqual([[4], true]);
    expect(outbox.exchange([], room(2))).toEqual({ claimed: [], unclaimed: [], end: true });
  });

  it('claims nothing where nothing is asked for, and settles all the same', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a'));
    const { claimed } = outbox.exchange([], room(1));
    expect(
      outbox.exchange(
        claimed.map((each) => settled(each, 'created')),
        null,
      ),
    ).toEqual({ claimed: [], unclaimed: [], end: false });
    expect(process.states(run)).toEqual(['created']);
  });

  it('skips invalid records without a word', () => {
    const { outbox } = benchOn(store)
      .process()
      .pass(records({ key: null }, 'b', { key: null }));
    const { claimed, unclaimed, end } = outbox.exchange([], room(5));
    expect([claimed.map(({ index }) => index), unclaimed, end]).toEqual([[1], [], true]);
  });

  it('claims keyed records ahead, and gigs only where they can be sent at once', () => {
    const planned = [record(0), record(1), gigAt(2), gigAt(3), record(4), record(5), gigAt(6)];
    const { outbox } = benchOn(store).process().pass(planned);
    // Two payouts fill the room that a gig could have.
    expect(indexesOf(outbox.exchange([], room(2, 2)))).toEqual([0, 1]);
    expect(indexesOf(outbox.exchange([], room(0, 5)))).toEqual([]);
    expect(indexesOf(outbox.exchange([], room(1, 5)))).toEqual([2]);
    expect(indexesOf(outbox.exchange([], room(2, 0)))).toEqual([3, 4]);
    expect(indexesOf(outbox.exchange([], room(0, 5)))).toEqual([5]);
    expect(indexesOf(outbox.exchange([], room(1, 0)))).toEqual([6]);
  });

  it('lets payouts follow a gig as far as free and ahead go', () => {
    const planned = [gigAt(0), ...range(1, 6).map((index) => record(index))];
    const { outbox } = benchOn(store).process().pass(planned);
    expect(indexesOf(outbox.exchange([], room(1, 3)))).toEqual([0, 1, 2, 3]);
  });

  it('claims nothing without room', () => {
    const { outbox } = benchOn(store).process().pass(records('a'));
    const { claimed, end } = outbox.exchange([], room(0));
    expect([claimed, end]).toEqual([[], false]);
  });

  it('writes the intent down before it gives the record: everybody sees it as unknown, and the history as under way', () => {
    const bench = benchOn(store);
    const process = bench.process();
    bench.clock.now = START + 5000;
    const { run, outbox } = process.pass(records('a', 'b'));
    outbox.exchange([], room(1));
    const reader = bench.reader();
    expect(reader?.states(run)).toEqual(['unknown', null]);
    expect(reader?.outcomes(run)).toMatchObject([{ state: 'unknown', doubtSince: START + 5000 }]);
    expect(reader?.journal.recordAt(run, 0)?.outcome).toMatchObject({ state: 'unknown', doubtSince: START + 5000 });
    expect(reader?.history().byKey('a')?.state).toBe('under_way');
    expect(reader?.history().byKey('b')?.state).toBe('waiting');
  });

  it('stores every kind of outcome as it is told', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(manyPayouts(4));
    const told = [
      outcome('created', { attempts: 3, response: '{"id":"ü"}' }),
      outcome('rejected', { httpStatus: 404 }),
      outcome('unknown', { doubtSince: START + 7, httpStatus: 503 }),
      outcome('not_sent', { error: 'connect ECONNREFUSED' }),
    ];
    const { claimed } = outbox.exchange([], room(4));
    outbox.exchange(
      claimed.map((each, i) => settled(each, told[i] ?? 'created')),
      null,
    );
    expect(process.outcomes(run)).toEqual(told);
  });

  it('settles a claim in parts and in any order, and what is left is still under way', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(manyPayouts(4));
    const { claimed } = outbox.exchange([], room(4));
    const [a, b, c, d] = claimed;
    outbox.exchange([settled(c!, 'created'), settled(a!, 'not_sent')], null);
    expect(process.states(run)).toEqual(['not_sent', 'unknown', 'created', 'unknown']);
    outbox.exchange([settled(d!, 'rejected')], null);
    outbox.exchange([settled(b!, 'created')], null);
    expect(process.states(run)).toEqual(['not_sent', 'created', 'created', 'rejected']);
  });

  it('never forgets that a record was created', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a'));
    const [claimed] = outbox.exchange([], room(1)).claimed;
    outbox.exchange([settled(claimed!, 'created')], null);
    for (const state of ['unknown', 'rejected', 'not_sent'] as const) outbox.exchange([settled(claimed!, state)], null);
    expect(process.states(run)).toEqual(['created']);
  });
});

describe.each(STORES)('going on with a run, in $name', (store) => {
  function goneOn(state: Parameters<typeof settled>[1], mayResend = ALWAYS, type: 'gig' | 'payout' = 'payout'): Claim {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass([record(0, { type })]);
    const { claimed } = outbox.exchange([], room(1));
    outbox.exchange(
      claimed.map((each) => settled(each, state)),
      null,
    );
    outbox.leave();
    return process.join(run).exchange([], room(5, 5, mayResend));
  }

  it.each(['rejected', 'not_sent'] as const)('sends again what was %s, with what is known of it', (state) => {
    const { claimed, unclaimed } = goneOn(state, NEVER);
    expect(unclaimed).toEqual([]);
    expect(claimed).toMatchObject([{ key: 'k0', earlier: { state, attempts: 1 } }]);
  });

  it('tells what was created, and does not send it', () => {
    const { claimed, unclaimed, end } = goneOn('created');
    expect([claimed, end]).toEqual([[], true]);
    expect(unclaimed).toMatchObject([
      { index: 0, why: 'settled', outcome: { state: 'created', response: '{"id":"p1"}' } },
    ]);
  });

  it('asks about what is in doubt, by type and by its first attempt', () => {
    const asked: unknown[] = [];
    const unknown = outcome('unknown', { doubtSince: START + 99 });
    const claim = goneOn(unknown, (...question) => asked.push(question) > 0);
    expect(asked).toEqual([[{ type: 'payout', doubtSince: START + 99 }]]);
    expect(claim.claimed).toMatchObject([{ key: 'k0', earlier: { state: 'unknown', doubtSince: START + 99 } }]);
  });

  it.each(['payout', 'gig'] as const)('leaves a %s in doubt that may not be sent again', (type) => {
    const { claimed, unclaimed } = goneOn('unknown', NEVER, type);
    expect(claimed).toEqual([]);
    expect(unclaimed).toMatchObject([{ why: 'doubt', outcome: { state: 'unknown' } }]);
  });

  it('sends a gig in doubt again where a person has said so', () => {
    expect(keysOf(goneOn('unknown', ALWAYS, 'gig'))).toEqual(['k0']);
  });

  it('sends what was claimed and given back', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a', 'b'));
    const { claimed } = outbox.exchange([], room(2));
    outbox.exchange(
      claimed.map((each) => settled(each, outcome('not_sent', { attempts: 0 }))),
      null,
    );
    expect(keysOf(process.join(run).exchange([], room(5)))).toEqual(['a', 'b']);
  });

  it('clears how it ended', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a'));
    deliverAll(outbox, 'not_sent');
    process.journal.end(run.number, { finishedAt: START, exitCode: 5, stopReason: 'unreachable' });
    expect(process.run(run.run).end).toEqual({ finishedAt: START, exitCode: 5, stopReason: 'unreachable' });
    process.join(run);
    expect(process.run(run.run).end).toBeNull();
  });
});

describe.each(STORES)('a long run, in $name', (store) => {
  it('is claimed to its end, over every bound of the rows that are looked at together', () => {
    for (const length of [999, 1000, 1001, 2000]) {
      const process = benchOn(store).process();
      const { run, outbox } = process.pass(manyPayouts(length));
      expect(deliverAll(outbox, 'created').map(({ index }) => index)).toEqual(range(0, length - 1));
      expect(new Set(process.states(run))).toEqual(new Set(['created']));
    }
  });

  it('is found again behind thousands of records that are settled', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(manyPayouts(3500));
    deliverAll(outbox, ({ index }) => outcome(index < 3300 && index !== 1500 ? 'created' : 'not_sent'));
    outbox.leave();
    const again = process.join(run);
    const found: number[] = [];
    let told = 0;
    let end = false;
    while (!end) {
      const claim = again.exchange([], room(50));
      found.push(...indexesOf(claim));
      told += claim.unclaimed.length;
      end = claim.end;
    }
    expect(found).toEqual([1500, ...range(3300, 3499)]);
    expect(told).toBe(3299);
  });

  it('of invalid records alone comes to its end', () => {
    const { outbox } = benchOn(store)
      .process()
      .pass(range(0, 1999).map((index) => record(index, { key: null })));
    expect(deliverAll(outbox, 'created')).toEqual([]);
  });
});

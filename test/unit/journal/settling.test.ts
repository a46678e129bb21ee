import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import type { StoredRun } from '../../../src/journal/journal.js';
import { NOT_CREATED as SAID_NOT_CREATED } from '../../../src/journal/settling.js';
import {
  ALWAYS,
  benchOn,
  deliverAll,
  gate,
  keysOf,
  outcome,
  type Process,
  record,
  records,
  room,
  settled,
  START,
} from './kit.js';
import { STORES } from './stores.js';

const CREATED = outcome('created', { httpStatus: null, response: '{"id":"by-hand"}' });
const NOT_CREATED = outcome('not_sent', { error: 'settled as not created' });

function word(process: Process, run: StoredRun, index: number, told = CREATED): void {
  const stored = process.journal.recordAt(run, index);
  process.journal.settle([stored!], told, 'asked the service', START + 1);
}

describe.each(STORES)('settling by a word of a person, in $name', (store) => {
  it('settles a record in doubt as created: it is history, and not sent again', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a', 'b'));
    deliverAll(outbox, 'unknown');
    word(process, run, 0);
    expect(process.outcomes(run)).toMatchObject([CREATED, { state: 'unknown' }]);
    expect(process.history().byKey('a')?.state).toBe('created');
    expect(
      process
        .history()
        .unknown('default')
        .map(({ key }) => key),
    ).toEqual(['b']);
    const { claimed, unclaimed } = process.join(run).exchange([], room(9));
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([{ index: 0, why: 'settled', outcome: { state: 'created' } }]);
  });

  it('is noticed by whoever compares with the history at that moment', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(records('a'));
    deliverAll(outbox, 'unknown');
    const preparing = other.prepare(records('b'));
    const { version } = other.history();
    word(one, run, 0);
    expect(preparing.pass({ ...gate(records('b')), version })).toBeNull();
  });

  it.each(['gig', 'payout'] as const)('settles a %s as not created: it may be sent again', (type) => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass([record(0, { type })]);
    deliverAll(outbox, 'unknown');
    outbox.leave();
    word(process, run, 0, NOT_CREATED);
    expect(process.history().byKey('k0')).toBeNull();
    expect(process.join(run).exchange([], room(9)).claimed).toMatchObject([
      { earlier: { state: 'not_sent', doubtSince: null } },
    ]);
  });

  it.each([
    ['created', CREATED],
    ['not_sent', NOT_CREATED],
  ] as const)('settles the same key in doubt in other runs too, which is the same payment: %s', (state, told) => {
    const process = benchOn(store).process();
    const runs = ['first', 'second', 'third'].map((own) => {
      const { run, outbox } = process.pass(records('x', own), { digest: own });
      deliverAll(outbox, ({ key }) => outcome(key === 'x' ? 'unknown' : 'created'));
      outbox.leave();
      return run;
    });
    word(process, runs[1]!, 0, told);
    expect(runs.map((run) => process.states(run)[0])).toEqual([state, state, state]);
    expect(process.history().unknown('default')).toEqual([]);
    const { claimed } = process.join(runs[0]!).exchange([], room(9, 9, ALWAYS));
    expect(claimed.map(({ key }) => key)).toEqual(state === 'created' ? [] : ['x']);
  });

  it.each([
    ['at another target', { target: 'https://other.example' }],
    ['in another sandbox', { scope: 'file-2' }],
  ])('settles nothing of the same key %s, which is another payment', (_where, over) => {
    const process = benchOn(store).process();
    const [here, there] = [{}, over].map((place) => {
      const { run, outbox } = process.pass(records('x'), place);
      deliverAll(outbox, 'unknown');
      outbox.leave();
      return run;
    });
    word(process, here!, 0);
    expect([here!, there!].flatMap((run) => process.states(run))).toEqual(['created', 'unknown']);
    expect(keysOf(process.join(there!).exchange([], room(9)))).toEqual(['x']);
  });

  it('settles nothing of the same key with other content, which was settled as not created before', () => {
    const process = benchOn(store).process();
    const [earlier, later] = ['one', 'another'].map((says) => {
      const { run, outbox } = process.pass(records({ key: 'x', says }), { digest: says });
      deliverAll(outbox, 'unknown');
      outbox.leave();
      if (says === 'one') word(process, run, 0, outcome('not_sent', { error: `${SAID_NOT_CREATED}asked` }));
      return run;
    });
    word(process, later!, 0);
    expect([earlier!, later!].flatMap((run) => process.states(run))).toEqual(['not_sent', 'created']);
  });

  it.each(['rejected', 'not_sent', 'already_created'] as const)(
    'settles nothing of the same key that is not in doubt in another run: %s',
    (state) => {
      const process = benchOn(store).process();
      const other = process.pass(records('x', 'other'), { digest: 'other' });
      deliverAll(other.outbox, state);
      other.outbox.leave();
      const { run, outbox } = process.pass(records('x'));
      deliverAll(outbox, 'unknown');
      outbox.leave();
      for (const told of [NOT_CREATED, CREATED]) {
        word(process, run, 0, { ...told, error: told === CREATED ? null : `${SAID_NOT_CREATED}asked` });
        expect(process.states(other.run)).toEqual([state, state]);
      }
      expect(process.states(run)).toEqual(['created']);
    },
  );

  it('settles what a process that died had under way', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(records('a', 'b'));
    outbox.exchange([], room(2));
    gone.die();
    word(other, run, 0);
    other.journal.recover();
    expect(other.states(run)).toEqual(['created', 'unknown']);
  });

  it('refuses a record that is under way at this moment', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(records('a'));
    const { claimed } = outbox.exchange([], room(1));
    expect(other.states(run)).toEqual(['unknown']);
    for (const told of [CREATED, NOT_CREATED])
      expect(() => word(other, run, 0, told)).toThrow(/under way in another process/);
    outbox.exchange(
      claimed.map((each) => settled(each, 'unknown')),
      null,
    );
    word(other, run, 0);
    expect(other.states(run)).toEqual(['created']);
  });

  it('refuses a record whose key is under way at this moment in another run', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const first = one.pass(records('x', 'a'), { digest: 'mine' });
    deliverAll(first.outbox, 'unknown');
    first.outbox.leave();
    const second = other.pass(records('x', 'b'), { digest: 'theirs' });
    expect(keysOf(second.outbox.exchange([], room(1)))).toEqual(['x']);
    expect(() => word(one, first.run, 0, NOT_CREATED)).toThrow(UsageError);
  });

  it.each(['created', 'rejected', 'not_sent'] as const)('refuses a record that is not in doubt: %s', (state) => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a'));
    deliverAll(outbox, state);
    for (const told of [CREATED, NOT_CREATED])
      expect(() => word(process, run, 0, told)).toThrow(/only an unknown outcome can be settled/);
    expect(process.states(run)).toEqual([state]);
  });

  it('refuses a record that was never sent', () => {
    const process = benchOn(store).process();
    const { run } = process.pass(records('a', { key: null }));
    expect(() => word(process, run, 0)).toThrow(/was not sent/);
    expect(() => word(process, run, 1)).toThrow(/only an unknown outcome can be settled/);
  });

  it('does not undo what became of a record between the look and the word', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(records('a'));
    deliverAll(outbox, 'unknown');
    outbox.leave();
    const seen = other.journal.recordAt(run, 0);
    deliverAll(one.join(run), 'created');
    expect(() => other.journal.settle([seen!], NOT_CREATED, '', START)).toThrow(
      /^record 1 \(line 2, [^)]+\) is created/,
    );
    expect(one.states(run)).toEqual(['created']);
  });

  it('settles a record that was left out in doubt, as often as the word changes, and never what has its key elsewhere', () => {
    const process = benchOn(store).process();
    const other = process.pass(records('a'), { digest: 'other' });
    deliverAll(other.outbox, 'unknown');
    other.outbox.leave();
    const { run } = process.pass(records('a', 'b'), {
      decisions: [{ index: 0, what: 'left-out', outcome: outcome('left_unknown') }],
    });
    for (const [told, state] of [
      [outcome('not_sent', { error: `${SAID_NOT_CREATED}asked` }), 'not_sent'],
      // What was created is the record that it was left out for.
      [CREATED, 'already_created'],
    ] as const) {
      word(process, run, 0, told);
      expect(process.states(run)).toEqual([state, null]);
      expect(process.states(other.run)).toEqual(['unknown']);
    }
  });

  it('settles a record that was left out in doubt', () => {
    const process = benchOn(store).process();
    const { run } = process.pass(records('a'), {
      decisions: [{ index: 0, what: 'left-out', outcome: outcome('left_unknown') }],
    });
    word(process, run, 0, outcome('already_created'));
    expect(process.states(run)).toEqual(['already_created']);
  });
});

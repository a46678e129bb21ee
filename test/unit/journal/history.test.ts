import { describe, expect, it } from 'vitest';
import type { HistoryMatch } from '../../../src/journal/history.js';
import type { Outcome } from '../../../src/journal/record.js';
import { benchOn, deliverAll, outcome, type Process, record, records, room, settled, START } from './kit.js';
import { STORES } from './stores.js';

const CONTENT = record(0, { says: 'the same' }).content as Uint8Array;
const LIKENESS = record(0, { likeness: 'alike' }).likeness as Uint8Array;

/** A finished run of one record. */
function once(process: Process, draft: Parameters<typeof record>[1], told: Outcome, over = {}) {
  const { run, outbox } = process.pass([record(0, draft)], { digest: `d-${draft?.key}`, ...over });
  deliverAll(outbox, () => told);
  outbox.leave();
  return run;
}

describe.each(STORES)('the history of a target, in $name', (store) => {
  it('is empty where nothing was sent, and without the run that is checked', () => {
    const process = benchOn(store).process();
    expect(process.history()).toMatchObject({ isEmpty: true, version: 0 });
    const run = once(process, { key: 'a' }, outcome('created'));
    expect(process.history().isEmpty).toBe(false);
    const without = process.history(run);
    expect([without.isEmpty, without.byKey('a'), without.version]).toEqual([true, null, process.history().version]);
  });

  it('leaves out the run that is checked, and no other', () => {
    const process = benchOn(store).process();
    const mine = once(process, { key: 'a', says: 'the same', likeness: 'alike' }, outcome('created'));
    const theirs = once(process, { key: 'b', says: 'the same', likeness: 'alike' }, outcome('unknown'));
    const history = process.history(mine);
    expect([history.byKey('a'), history.byKey('b')?.run]).toEqual([null, theirs.run]);
    expect(history.byContent(CONTENT).map(({ key }) => key)).toEqual(['b']);
    expect(history.unknown('default').map(({ key }) => key)).toEqual(['b']);
  });

  it('tells where an earlier record stands, when it was sent, and what became of it', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const told = outcome('created', { attempts: 2 });
    const { run, outbox } = process.pass(records({ key: null }, 'a'), {
      batchId: '2026-11',
      files: [{ path: 'november/payouts.csv', sha256: 'f', records: 2, hasErrorColumn: false }],
    });
    bench.clock.now = START + 9000;
    deliverAll(outbox, () => told);
    const match = process.history().byKey('a');
    expect(match).toEqual<HistoryMatch>({
      run: run.run,
      type: 'payout',
      batchId: '2026-11',
      file: 'november/payouts.csv',
      files: 1,
      record: 2,
      line: 3,
      at: START + 9000,
      moment: match?.moment ?? 0,
      key: 'a',
      bodyHash: records({ key: null }, 'a')[1]?.bodyHash ?? '',
      amount: records({ key: null }, 'a')[1]?.amount ?? '',
      currency: records({ key: null }, 'a')[1]?.currency ?? '',
      state: 'created',
      outcome: told,
    });
    // After the moment at which its run passed its gate.
    expect(match?.moment).toBeGreaterThan(run.gate);
  });

  it.each([
    ['created', 'created'],
    ['unknown', 'unknown'],
    ['rejected', null],
    ['not_sent', null],
  ] as const)('knows by its key, its content and its likeness what was %s as %s', (state, known) => {
    const process = benchOn(store).process();
    once(process, { key: 'a', says: 'the same', likeness: 'alike' }, outcome(state));
    const history = process.history();
    const other = record(0, { says: 'other' }).content as Uint8Array;
    expect(history.byKey('a')?.state ?? null).toBe(known);
    expect(history.byContent(CONTENT).map((match) => match.state)).toEqual(known === null ? [] : [known]);
    expect(history.byLikeness(LIKENESS, other).map((match) => match.state)).toEqual(known === null ? [] : [known]);
    expect(history.unknown('default').map(({ key }) => key)).toEqual(known === 'unknown' ? ['a'] : []);
  });

  it('knows what a live process has under way, or is about to send', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { outbox } = one.pass([record(0, { key: 'a', says: 'the same' }), record(1, { key: 'b', says: 'the same' })]);
    const { claimed } = outbox.exchange([], room(1));
    const history = () => other.history();
    const states = () => [history().byKey('a')?.state, history().byKey('b')?.state];
    expect(states()).toEqual(['under_way', 'waiting']);
    expect(history().byKey('b')).toMatchObject({ at: START, outcome: null });
    expect(
      history()
        .byContent(CONTENT)
        .map((match) => match.state),
    ).toEqual(['under_way', 'waiting']);
    expect(
      history()
        .unknown('default')
        .map(({ key }) => key),
    ).toEqual(['a']);
    outbox.exchange(
      claimed.map((each) => settled(each, 'created')),
      null,
    );
    expect(states()).toEqual(['created', 'waiting']);
    outbox.leave();
    expect(states()).toEqual(['created', undefined]);
  });

  it('dates what may still become of a record after every gate, also after one that came later', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { outbox } = one.pass(records('a', 'b'), { digest: 'one' });
    const [a] = outbox.exchange([], room(1)).claimed;
    const { run: later } = other.pass(records('c'), { digest: 'other' });
    const moments = () => ['a', 'b'].map((key) => (other.history().byKey(key)?.moment ?? 0) > later.gate);
    expect(moments()).toEqual([true, true]);
    outbox.exchange([settled(a!, 'created')], null);
    expect(moments()).toEqual([true, true]);
  });

  it.each(['rejected', 'not_sent'] as const)(
    'knows what a live process is about to send once more after %s',
    (state) => {
      const bench = benchOn(store);
      const [one, other] = [bench.process(), bench.process()];
      const run = once(one, { key: 'a', says: 'the same' }, outcome(state));
      const outbox = one.join(run);
      expect(other.history().byKey('a')?.state).toBe('waiting');
      const [claimed] = outbox.exchange([], room(1)).claimed;
      expect(other.history().byKey('a')?.state).toBe('under_way');
      expect(other.history().unknown('default')).toHaveLength(1);
      outbox.exchange([settled(claimed!, 'rejected')], null);
      expect(other.history().byKey('a')).toBeNull();
    },
  );

  it('has no records that are invalid or were left out: those that they repeat are there', () => {
    const process = benchOn(store).process();
    const planned = [
      record(0, { key: 'a', says: 'the same' }),
      record(1, { key: 'b', says: 'the same' }),
      record(2, { key: null }),
    ];
    const { outbox } = process.pass(planned, {
      decisions: [
        { index: 0, what: 'left-out', outcome: outcome('already_created') },
        { index: 1, what: 'left-out', outcome: outcome('left_unknown') },
      ],
    });
    outbox.leave();
    const history = process.history();
    expect([history.byKey('a'), history.byKey('b')]).toEqual([null, null]);
    expect(history.byContent(CONTENT)).toEqual([]);
    expect(history.unknown('default')).toEqual([]);
  });

  it('says of a key in several runs what says most', () => {
    const process = benchOn(store).process();
    once(process, { key: 'a' }, outcome('rejected'));
    const run = once(process, { key: 'a' }, outcome('unknown'));
    expect(process.history().byKey('a')).toMatchObject({ state: 'unknown', run: run.run });
    const created = once(process, { key: 'a' }, outcome('created'));
    once(process, { key: 'a' }, outcome('created'));
    expect(process.history().byKey('a')).toMatchObject({ state: 'created', run: created.run });
  });

  it('counts a content once for each key', () => {
    const process = benchOn(store).process();
    once(process, { key: 'a', says: 'the same' }, outcome('unknown'));
    once(process, { key: 'a', says: 'the same' }, outcome('created'));
    once(process, { key: 'b', says: 'the same' }, outcome('created'));
    once(process, { key: 'c', says: 'the same' }, outcome('rejected'));
    once(process, { key: 'd', says: 'the same' }, outcome('unknown'));
    const found = process.history().byContent(CONTENT);
    expect(found.map(({ key, state }) => `${key} ${state}`)).toEqual(['a created', 'b created', 'd unknown']);
  });

  it('finds what looks alike but says something else, in every batch', () => {
    const process = benchOn(store).process();
    once(process, { key: 'a', says: 'the same', likeness: 'alike' }, outcome('created'));
    once(process, { key: 'b', says: 'one', likeness: 'alike' }, outcome('created'), { batchId: 'october' });
    once(process, { key: 'c', says: 'two', likeness: 'alike' }, outcome('created'), { batchId: 'november' });
    const history = process.history();
    expect(history.byLikeness(LIKENESS, CONTENT).map(({ key }) => key)).toEqual(['b', 'c']);
    expect(history.byLikeness(record(0).likeness as Uint8Array, CONTENT)).toEqual([]);
  });

  it('names the open records of a batch, each key once, and none that was created since', () => {
    const process = benchOn(store).process();
    once(process, { key: 'a' }, outcome('unknown'), { batchId: 'november' });
    once(process, { key: 'b' }, outcome('unknown'), { batchId: 'october' });
    once(process, { key: 'c' }, outcome('unknown'), { batchId: 'november' });
    once(process, { key: 'c' }, outcome('unknown'), { batchId: 'november' });
    const keys = (batch: string) =>
      process
        .history()
        .unknown(batch)
        .map(({ key }) => key);
    expect([keys('november'), keys('october'), keys('default')]).toEqual([['a', 'c'], ['b'], []]);
    once(process, { key: 'a' }, outcome('created'), { batchId: 'october' });
    expect(keys('november')).toEqual(['c']);
  });

  it('is another one for each target and each sandbox', () => {
    const process = benchOn(store).process();
    once(process, { key: 'a', says: 'the same' }, outcome('created'));
    for (const [target, scope] of [
      ['sandbox', ''],
      ['sandbox', 'file-1'],
      [undefined, 'file-1'],
    ] as const) {
      const history = process.history(null, target, scope);
      expect([history.isEmpty, history.byKey('a')]).toEqual([true, null]);
    }
    once(process, { key: 'a' }, outcome('unknown'), { target: 'sandbox', scope: 'file-1' });
    expect(process.history(null, 'sandbox', 'file-1').byKey('a')?.state).toBe('unknown');
    expect(process.history(null, 'sandbox', 'file-2').byKey('a')).toBeNull();
  });
});

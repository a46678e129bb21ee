import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/journal/journal.js';
import { sha256 } from '../../../src/keys/key.js';
import { NEVER, START, benchOn, deliverAll, keysOf, outcome, records, room, settled } from './kit.js';
import { STORES } from './stores.js';

const PAID_AGAIN = '{"idempotency_key":"b2"}';

describe.each(STORES)('what is decided at the gate, in $name', (store) => {
  const leftOut: Decision = {
    index: 1,
    what: 'left-out',
    outcome: outcome('already_created', { attempts: 7, response: '{"id":"p9"}' }),
  };
  const leftInDoubt: Decision = { index: 1, what: 'left-out', outcome: outcome('left_unknown') };
  const paidAgain: Decision = {
    index: 1,
    what: 'paid-again',
    key: 'b2',
    body: PAID_AGAIN,
    bodyHash: sha256(PAID_AGAIN),
  };
  const invalid: Decision = { index: 1, what: 'invalid', error: 'key-conflict' };

  it('a record that is left out is never sent, and has the outcome of the earlier one', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a', 'b', 'c'), { decisions: [leftOut] });
    const { claimed, unclaimed } = outbox.exchange([], room(10));
    expect(claimed.map(({ key }) => key)).toEqual(['a', 'c']);
    expect(unclaimed).toMatchObject([
      { index: 1, why: 'settled', outcome: { state: 'already_created', attempts: 0, response: '{"id":"p9"}' } },
    ]);
    expect(process.outcomes(run)[1]).toMatchObject({ state: 'already_created' });
  });

  it('a record that is left out because of one in doubt is never sent, whatever may be sent again', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a', 'b'), { decisions: [leftInDoubt] });
    const { claimed, unclaimed } = outbox.exchange(
      [],
      room(10, 0, () => true),
    );
    expect(claimed.map(({ key }) => key)).toEqual(['a']);
    expect(unclaimed).toMatchObject([{ index: 1, why: 'doubt', outcome: { state: 'left_unknown' } }]);
    expect(
      keysOf(
        process.join(run).exchange(
          [],
          room(10, 0, () => true),
        ),
      ),
    ).toEqual([]);
  });

  it('a record that is left out when the run goes on is told apart from one that was at its gate', () => {
    const process = benchOn(store).process();
    const { run } = process.pass(records('a', 'b', 'c'), { decisions: [leftOut] });
    expect(process.journal.leftOutSince(run)).toEqual(new Set());
    process.join(run, [{ ...leftOut, index: 2 }]);
    expect(process.journal.leftOutSince(run)).toEqual(new Set([2]));
  });

  it('a record that was left out in doubt may be settled when the run goes on', () => {
    const process = benchOn(store).process();
    const { run } = process.pass(records('a', 'b'), { decisions: [leftInDoubt] });
    process.join(run, [leftOut]);
    expect(process.outcomes(run)[1]).toMatchObject({ state: 'already_created', doubtSince: null });
  });

  it('a record that was left out in doubt is sent after all once it is released', () => {
    const process = benchOn(store).process();
    const { run } = process.pass(records('a', 'b'), { decisions: [leftInDoubt] });
    expect(keysOf(process.join(run, [{ index: 1, what: 'released' }]).exchange([], room(10)))).toEqual(['a', 'b']);
    const known = process.pass(records('c', 'd'), { decisions: [{ ...leftOut, index: 0 }] });
    expect(keysOf(process.join(known.run, [{ index: 0, what: 'released' }]).exchange([], room(10)))).toEqual(['d']);
  });

  it('a record that was released is dated by its run until it is sent', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run } = one.pass(records('a', 'b'), { decisions: [leftInDoubt] });
    one.join(run, [{ index: 1, what: 'released' }]).exchange([], room(10));
    expect(other.history().byKey('b')).toMatchObject({ state: 'under_way', at: run.startedAt });
  });

  it('a record that is withheld is not sent by this delivery, also once what it waited for is over', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox: stopped } = one.pass(records('a', 'b'));
    stopped.leave();
    const rival = other.pass(records({ key: 'b', says: 'other' }));
    const [claimed] = rival.outbox.exchange([], room(1)).claimed;
    const outbox = one.join(run, [{ index: 1, what: 'withheld' }]);
    const found = outbox.exchange([], room(10));
    expect([keysOf(found), found.unclaimed]).toEqual([['a'], []]);
    rival.outbox.exchange([settled(claimed!, 'rejected')], null);
    expect(one.states(run)).toEqual(['unknown', null]);
    outbox.leave();
    expect(keysOf(one.join(run).exchange([], room(10)))).toEqual(['b']);
  });

  it('a body is restored that is the one that was checked, and no other', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const planned = records('a', 'b');
    const { run, outbox } = process.pass(planned);
    deliverAll(outbox, 'rejected');
    outbox.leave();
    process.journal.end(run.number, { finishedAt: START, exitCode: 4, stopReason: null });
    expect(process.journal.prune(START + 1)).toBe(2);
    const decisions: Decision[] = [
      { index: 0, what: 'restored', body: planned[0]?.body ?? '' },
      { index: 1, what: 'restored', body: planned[0]?.body ?? '' },
    ];
    expect(keysOf(process.join(run, decisions).exchange([], room(10)))).toEqual(['a']);
  });

  it('a record that is paid again is sent under its other key', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a', 'b'), { decisions: [paidAgain], payAgain: 1 });
    expect(outbox.exchange([], room(10)).claimed[1]).toMatchObject({ key: 'b2', body: '{"idempotency_key":"b2"}' });
    expect(process.journal.recordAt(run, 1)).toMatchObject({ key: 'b2', bodyHash: sha256(PAID_AGAIN) });
    const history = process.history();
    expect(history.byKey('b')).toBeNull();
    expect(history.byKey('b2')?.bodyHash).toBe(sha256(PAID_AGAIN));
  });

  it('a record that turned out to be invalid has no key and no content any more', () => {
    const process = benchOn(store).process();
    const planned = records('a', 'b');
    const { run, outbox } = process.pass(planned, { decisions: [invalid] });
    expect(deliverAll(outbox, 'created').map(({ key }) => key)).toEqual(['a']);
    expect(process.journal.recordAt(run, 1)).toMatchObject({
      key: null,
      body: null,
      error: 'key-conflict',
      outcome: { state: 'invalid', error: 'key-conflict' },
    });
    expect(process.history().byKey('b')).toBeNull();
    expect(process.history().byContent(planned[1]?.content as Uint8Array)).toEqual([]);
    expect([...process.journal.keys(run)]).toEqual([{ index: 0, key: 'a' }]);
  });

  it('is nothing where the history has changed', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run } = one.pass(records('a', 'b'));
    const { version } = one.history(run);
    other.pass(records('z'));
    for (const decision of [leftOut, paidAgain, invalid])
      expect(one.journal.join(run, { version, decisions: [decision], placing: null })).toBeNull();
    expect(one.journal.recordAt(run, 1)).toMatchObject({ key: 'b', outcome: null });
  });

  describe('for a record that may have been carried out', () => {
    it.each([leftOut, leftInDoubt, invalid])(
      'leaves it its key and its doubt, and does not send it: $what $outcome.state',
      (decision) => {
        const process = benchOn(store).process();
        const { run, outbox } = process.pass(records('a', 'b'));
        deliverAll(outbox, 'unknown');
        const { claimed, unclaimed } = process.join(run, [decision]).exchange([], room(10));
        expect(claimed.map(({ key }) => key)).toEqual(['a']);
        expect(unclaimed).toMatchObject([{ index: 1, why: 'doubt', outcome: { state: 'unknown', doubtSince: START } }]);
        expect(process.journal.recordAt(run, 1)).toMatchObject({ key: 'b', outcome: { state: 'unknown' } });
        expect(process.history().byKey('b')?.state).toBe('unknown');
      },
    );

    it('means that it is sent again as it was, where it is to be paid again', () => {
      const process = benchOn(store).process();
      const planned = records('a', 'b');
      const { run, outbox } = process.pass(planned);
      deliverAll(outbox, 'unknown');
      expect(process.join(run, [paidAgain]).exchange([], room(10)).claimed[1]).toMatchObject({
        key: 'b',
        body: planned[1]?.body,
      });
    });

    it.each([leftOut, paidAgain, invalid])('changes nothing while it is under way elsewhere: $what', (decision) => {
      const bench = benchOn(store);
      const [one, other] = [bench.process(), bench.process()];
      const planned = records('a', 'b');
      const { run, outbox } = one.pass(planned);
      const { claimed } = outbox.exchange([], room(2));
      const joined = other.join(run, [decision]);
      expect(joined.exchange([], room(2)).unclaimed.map(({ why }) => why)).toEqual(['elsewhere', 'elsewhere']);
      outbox.exchange(
        claimed.map((each) => settled(each, 'created')),
        null,
      );
      expect(other.journal.recordAt(run, 1)).toMatchObject({
        key: 'b',
        body: planned[1]?.body,
        outcome: { state: 'created' },
      });
    });

    it('changes nothing where it was created', () => {
      const process = benchOn(store).process();
      const { run, outbox } = process.pass(records('a', 'b'));
      deliverAll(outbox, 'created');
      for (const decision of [leftOut, leftInDoubt, paidAgain, invalid]) process.join(run, [decision]).leave();
      expect(process.journal.recordAt(run, 1)).toMatchObject({ key: 'b', outcome: { state: 'created' } });
      expect(process.history().byKey('b')?.state).toBe('created');
    });
  });

  it('a rejected record may be left out, or paid again under another key', () => {
    const process = benchOn(store).process();
    const { run, outbox } = process.pass(records('a', 'b'));
    deliverAll(outbox, 'rejected');
    const again = process.join(run, [{ ...leftOut, index: 0 }, paidAgain]);
    expect(keysOf(again.exchange([], room(10, 0, NEVER)))).toEqual(['b2']);
    expect(process.states(run)[0]).toBe('already_created');
  });
});

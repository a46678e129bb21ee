import { describe, expect, it } from 'vitest';
import type { Claims } from '../../../src/ledger/ledger.js';
import {
  ALWAYS,
  AT,
  benchOn,
  claim,
  deliver,
  draft,
  drafts,
  keysOf,
  manyDrafts,
  NEVER,
  outcome,
  rules,
  settle,
  settled,
  START,
} from './kit.js';
import { STORES } from './stores.js';

function whyNot({ unclaimed }: Claims): string[] {
  return unclaimed.map(({ why }) => why);
}

describe.each(STORES)('a claim, in $name', (store) => {
  it('gives what was stored, in the order in which it is wanted', async () => {
    const process = await benchOn(store).process();
    const planned = [draft(0, { key: 'g', type: 'gig' }), draft(1, { key: 'r', type: 'result' }), draft(2)];
    const { delivery, ids } = await process.pass(planned);
    const { claimed } = await claim(delivery, [ids[2]!, ids[0]!, ids[1]!]);
    const told = claimed.map(({ id, type, key, body, earlier }) => ({ id, type, key, body, earlier }));
    expect(told).toEqual(
      [2, 0, 1].map((i) => {
        const { type, key, body } = planned[i]!;
        return { id: ids[i], type, key, body, earlier: null };
      }),
    );
  });

  it.each([
    ['a key that is a UUID', '4e353669-d28d-8c9e-99b3-1e2c9de495dd'],
    ['a UUID in capitals', '4E353669-D28D-8C9E-99B3-1E2C9DE495DD'],
    ['digits alone', '4e353669d28d8c9e99b31e2c9de495dd'],
    ['a key with quotes and letters beyond ASCII', 'ü "1" \\ \u{1f600}'],
    ['a key that looks like a mark of the store', '#=1'],
    ['an empty key', ''],
  ])('keeps %s, and the body around it, as they were', async (_what, key) => {
    const process = await benchOn(store).process();
    // The same letters in another case are another key.
    const keys = [...new Set([key, key.toUpperCase(), key.toLowerCase()])];
    const planned = keys.map((each, index) => draft(index, { key: each, says: `${key} ${index}` }));
    const { delivery, ids, run } = await process.pass(planned);
    const { claimed } = await claim(delivery, ids);
    expect(claimed.map(({ body }) => body)).toEqual(planned.map(({ body }) => body));
    expect(claimed.map((each) => each.key)).toEqual(keys);
    expect((await process.records(run)).map((each) => [each.key, each.body])).toEqual(
      planned.map((each) => [each.key, each.body]),
    );
    for (const [i, each] of keys.entries()) expect(await process.find(each)).toMatchObject({ id: ids[i], key: each });
  });

  it('is of one process: for another, its payments are elsewhere until they are settled', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const { run, delivery, ids } = await one.pass(drafts('a', 'b', 'c'));
    const joined = await other.join(run);
    const { claimed } = await claim(delivery, ids.slice(0, 2));
    const looked = await claim(joined.delivery, ids);
    expect([keysOf(looked), looked.unclaimed]).toMatchObject([
      ['c'],
      [
        { id: ids[0], why: 'elsewhere' },
        { id: ids[1], why: 'elsewhere' },
      ],
    ]);
    await settle(delivery, settled(claimed[0]!, 'created'));
    const [a, b] = (await claim(joined.delivery, ids.slice(0, 2))).unclaimed;
    const known = { ...outcome('created'), run: run.number, at: expect.any(Number) as number };
    expect(a).toEqual({ id: ids[0], why: 'settled', outcome: known });
    expect(b).toMatchObject({ id: ids[1], why: 'elsewhere' });
    // Put back, it is free again.
    await settle(delivery, settled(claimed[1]!, outcome('not_sent', { attempts: 0 })));
    expect(keysOf(await claim(joined.delivery, [ids[1]!]))).toEqual(['b']);
  });

  it('is not given twice to one process either', async () => {
    const process = await benchOn(store).process();
    const { delivery, ids } = await process.pass(drafts('a'));
    await claim(delivery, ids);
    expect(whyNot(await claim(delivery, ids))).toEqual(['elsewhere']);
  });

  it('of one run holds for every other run that lists the payment', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a', 'b'), { digest: 'one' });
    const records = first.ids.map((payment, index) => {
      return { index, file: 0, record: index + 1, line: null, payment, leftOut: null };
    });
    const second = await other.commit(await other.plan(await other.prepare([]), [], { records, digest: 'two' }));
    const { claimed } = await claim(second.delivery, second.ids.slice(1));
    expect(keysOf(await claim(first.delivery, first.ids))).toEqual(['a']);
    await settle(second.delivery, settled(claimed[0]!, 'rejected'));
    const { unclaimed } = await claim(first.delivery, first.ids.slice(1), { retryRejected: true });
    expect(unclaimed).toMatchObject([{ why: 'settled', outcome: { state: 'rejected', run: second.run.number } }]);
  });

  it('tells what was known before, also after a payment was put back', async () => {
    const process = await benchOn(store).process();
    const { run, delivery, ids } = await process.pass(drafts('a', 'b'));
    const known = [outcome('unknown', { attempts: 2 }), outcome('not_sent', { attempts: 3, error: 'no connection' })];
    const { claimed } = await claim(delivery, ids);
    await settle(delivery, ...claimed.map((each, i) => settled(each, known[i]!)));
    const again = await process.join(run);
    expect((await claim(again.delivery, ids)).claimed.map(({ earlier }) => earlier)).toEqual(known);
  });

  it('is made of what is wanted, and nothing else', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const { run, delivery, ids } = await one.pass(manyDrafts(20));
    const wanted = [3, 4, 5, 9, 8, 7, 15].map((i) => ids[i]!);
    expect((await claim(delivery, wanted)).claimed.map(({ id }) => id)).toEqual(wanted);
    const free = ids.filter((id) => !wanted.includes(id));
    const joined = await other.join(run);
    expect((await claim(joined.delivery, ids)).claimed.map(({ id }) => id)).toEqual(free);
    await one.die();
    await other.ledger.recover();
    const states = await other.states(run);
    expect(ids.filter((_, i) => states[i] === 'unknown')).toEqual(wanted.toSorted((a, b) => a - b));
  });

  it('is made of the first that are free, and of no more than asked for', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const { run, delivery, ids } = await one.pass(manyDrafts(8));
    await deliver({ delivery, ids: ids.slice(0, 2) });
    await claim(delivery, ids.slice(3, 4));
    const joined = await other.join(run);
    const { claimed, unclaimed } = await joined.delivery.exchange([], ids, rules(), 2);
    expect(claimed.map(({ id }) => id)).toEqual([ids[2], ids[4]]);
    const found = new Map(unclaimed.map(({ id, why }) => [id, why]));
    expect(ids.map((id) => found.get(id))).toEqual([
      'settled',
      'settled',
      undefined,
      'elsewhere',
      undefined,
      'free',
      'free',
      'free',
    ]);
    expect(keysOf(await claim(delivery, ids.slice(5)))).toEqual(['k5', 'k6', 'k7']);
  });

  it('of nothing, with nothing to settle, gives nothing', async () => {
    const { delivery } = await (await benchOn(store).process()).pass(drafts('a'));
    expect(await delivery.exchange([], [], rules())).toEqual({ claimed: [], unclaimed: [] });
  });

  it('ends when all of it is settled, and not before', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const { run, delivery, ids } = await one.pass(manyDrafts(3));
    const { claimed } = await claim(delivery, ids);
    // Settling one payment twice does not stand for another one.
    const first = settled(claimed[0]!, 'created');
    await settle(delivery, first, first);
    await settle(delivery, first);
    await settle(delivery, settled(claimed[1]!, 'rejected'));
    const joined = await other.join(run);
    expect(whyNot(await claim(joined.delivery, [ids[2]!]))).toEqual(['elsewhere']);
    await one.die();
    await other.ledger.recover();
    expect(await other.states(run)).toEqual(['created', 'rejected', 'unknown']);
  });
});

describe.each(STORES)('a payment in doubt, in $name', (store) => {
  it('is claimed where the rules allow it', async () => {
    const process = await benchOn(store).process();
    const planned = [draft(0, { type: 'gig', key: 'g' }), draft(1, { key: 'p' })];
    const first = await process.pass(planned);
    await deliver(first, 'unknown');
    await first.delivery.leave();
    const { delivery, ids } = await process.join(first.run);
    const asked: unknown[] = [];
    const mayResend = (payment: object) => {
      asked.push(payment);
      return false;
    };
    const { claimed, unclaimed } = await claim(delivery, ids, { mayResend });
    expect(claimed).toEqual([]);
    expect(unclaimed).toMatchObject([
      { why: 'settled', outcome: { state: 'unknown' } },
      { why: 'settled', outcome: { state: 'unknown' } },
    ]);
    expect(asked).toEqual([
      { type: 'gig', doubtSince: START },
      { type: 'payout', doubtSince: START },
    ]);
    expect(keysOf(await claim(delivery, ids))).toEqual(['p']);
  });

  it('that a live process has brought about meanwhile is taken as it is', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a'));
    const joined = await other.join(first.run);
    await deliver(first, 'unknown');
    expect(whyNot(await claim(joined.delivery, first.ids, { mayResend: ALWAYS }))).toEqual(['settled']);
    // A call that begins after that tries it again.
    await joined.delivery.leave();
    const later = await other.join(first.run);
    expect(keysOf(await claim(later.delivery, first.ids))).toEqual(['a']);
  });

  it('that a dead process has left meanwhile is sent again while its key protects it', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const planned = [draft(0, { type: 'gig', key: 'g' }), draft(1, { key: 'p' }), draft(2, { key: 'q' })];
    const first = await one.pass(planned);
    const joined = await other.join(first.run);
    await claim(first.delivery, first.ids);
    expect(whyNot(await claim(joined.delivery, first.ids))).toEqual(['elsewhere', 'elsewhere', 'elsewhere']);
    await one.die();
    // An earlier word of a person (`--resend-unknown`) does not cover it.
    const looked = await claim(joined.delivery, first.ids.slice(0, 2), { mayResend: ALWAYS });
    expect(looked.claimed).toMatchObject([{ key: 'p', earlier: { state: 'unknown', doubtSince: START, attempts: 1 } }]);
    expect(looked.unclaimed).toMatchObject([{ id: first.ids[0], why: 'settled', outcome: { state: 'unknown' } }]);
    const forgotten = { isProtected: NEVER, mayResend: ALWAYS };
    expect(whyNot(await claim(joined.delivery, first.ids.slice(2), forgotten))).toEqual(['settled']);
    // A word that is given afterwards covers it.
    const later = await other.join(first.run);
    expect(keysOf(await claim(later.delivery, first.ids, forgotten))).toEqual(['g', 'q']);
  });
});

describe.each(STORES)('a rejected payment, in $name', (store) => {
  it('is sent again only where that is said', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'));
    await deliver(first, 'rejected');
    await first.delivery.leave();
    const { delivery, ids } = await process.join(first.run);
    expect(whyNot(await claim(delivery, ids))).toEqual(['settled']);
    const { claimed } = await claim(delivery, ids, { retryRejected: true });
    expect(claimed).toMatchObject([{ key: 'a', earlier: { state: 'rejected', httpStatus: 422 } }]);
    await settle(delivery, settled(claimed[0]!, 'created'));
    expect(await process.states(first.run)).toEqual(['created']);
  });

  it('stays so where it was rejected since the delivery began, also under a claim from before', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a', 'b'));
    const { claimed } = await claim(first.delivery, [first.ids[0]!]);
    const joined = await other.join(first.run);
    await settle(first.delivery, settled(claimed[0]!, 'rejected'));
    await deliver({ ...first, ids: [first.ids[1]!] }, 'rejected');
    expect(whyNot(await claim(joined.delivery, first.ids, { retryRejected: true }))).toEqual(['settled', 'settled']);
  });

  it('stays so while the process that had it rejected goes on, and may write it into its rejects', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a', 'b'));
    await deliver({ ...first, ids: [first.ids[0]!] }, 'rejected');
    const joined = await other.join(first.run);
    expect(whyNot(await claim(joined.delivery, [first.ids[0]!], { retryRejected: true }))).toEqual(['settled']);
    await first.delivery.leave();
    // It has written them by now.
    expect(whyNot(await claim(joined.delivery, [first.ids[0]!], { retryRejected: true }))).toEqual(['settled']);
    await joined.delivery.leave();
    const later = await other.join(first.run);
    expect(keysOf(await claim(later.delivery, [first.ids[0]!], { retryRejected: true }))).toEqual(['a']);
  });

  it('without a body is not sent', async () => {
    const process = await benchOn(store).process();
    const { run, delivery, ids } = await process.pass(drafts('a'));
    await deliver({ delivery, ids }, 'rejected');
    await delivery.leave();
    await process.ledger.end(run, { finishedAt: START, exitCode: 4, stopReason: null });
    await process.ledger.prune(START + 1);
    const again = await process.join(run);
    expect(whyNot(await claim(again.delivery, ids, { retryRejected: true }))).toEqual(['settled']);
  });
});

describe.each(STORES)('an outcome, in $name', (store) => {
  it('is stored as it is told, with its run and its time', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const { run, delivery, ids } = await process.pass(manyDrafts(4));
    const told = [
      outcome('created', { attempts: 3 }),
      outcome('rejected', { response: null }),
      outcome('unknown', { doubtSince: START - 5 }),
      outcome('not_sent', { attempts: 0, error: 'interrupted' }),
    ];
    const { claimed } = await claim(delivery, ids);
    bench.clock.now = START + 77;
    await settle(delivery, ...claimed.map((each, i) => settled(each, told[i]!)));
    expect(await process.outcomes(run)).toEqual(told.map((each) => ({ ...each, run: run.number, at: START + 77 })));
  });

  it.each(['rejected', 'created'] as const)('has the name of its last attempt: %s', async (state) => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('a'));
    await deliver(passed, () => outcome('rejected', { requestId: 'first' }));
    expect(await process.outcomes(passed.run)).toMatchObject([{ requestId: 'first' }]);
    const again = await process.join(passed.run);
    const claimed = await deliver(again, () => outcome(state, { requestId: 'second' }), { retryRejected: true });
    expect(claimed).toMatchObject([{ earlier: { requestId: 'first' } }]);
    expect(await process.outcomes(passed.run)).toMatchObject([{ state, requestId: 'second' }]);
  });

  it('that was created is final', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a'));
    const { claimed } = await claim(first.delivery, first.ids);
    await settle(first.delivery, settled(claimed[0]!, outcome('created', { response: '{"id":"first"}' })));
    const late = (state: Parameters<typeof outcome>[0]) =>
      settle(first.delivery, settled(claimed[0]!, outcome(state, { response: '{"id":"second"}' })));
    for (const state of ['rejected', 'unknown', 'not_sent', 'created'] as const) await late(state);
    await one.die();
    await other.ledger.recover();
    expect(await other.outcomes(first.run)).toMatchObject([{ state: 'created', response: '{"id":"first"}' }]);
  });

  it.each(['rejected', 'not_sent'] as const)('in doubt stays so, whatever a later refusal says: %s', async (state) => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'));
    await deliver(first, outcomeOf('unknown', START - 9));
    await first.delivery.leave();
    const again = await process.join(first.run);
    await deliver(again, state);
    expect(await process.outcomes(first.run)).toMatchObject([{ state: 'unknown', doubtSince: START - 9 }]);
    await process.ledger.recover();
    const later = await process.join(first.run);
    await deliver(later, 'created');
    expect(await process.outcomes(first.run)).toMatchObject([{ state: 'created', doubtSince: null }]);
  });

  it('never moves the beginning of a doubt forward', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'));
    await deliver(first, outcomeOf('unknown', START - 9));
    await first.delivery.leave();
    await deliver(await process.join(first.run), outcomeOf('unknown', START + 9));
    expect(await process.outcomes(first.run)).toMatchObject([{ state: 'unknown', doubtSince: START - 9 }]);
  });

  it('has the moment of its first doubt, or of what it is; later than the gate that came before', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a', 'b'), { digest: 'one' });
    await deliver(first, ({ key }) => (key === 'a' ? 'unknown' : 'rejected'));
    await first.delivery.leave();
    const momentOf = async (key: string) => (await process.find(key))!.moment;
    const before = [await momentOf('a'), await momentOf('b')];
    const gate = (await process.pass(drafts('x'), { digest: 'two' })).run.moment;
    expect(first.run.moment).toBeLessThan(before[0]!);
    expect(Math.max(...before)).toBeLessThanOrEqual(gate);
    await deliver(await process.join(first.run), 'created', { retryRejected: true });
    expect(await momentOf('a')).toBe(before[0]);
    expect(await momentOf('b')).toBeGreaterThan(gate);
    expect((await process.ledger.find(AT, ['a', 'b'])).map(({ state }) => state)).toEqual(['created', 'created']);
  });

  it('under a claim from before a gate, and after it, is news', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), { digest: 'one' });
    const { claimed } = await claim(first.delivery, first.ids);
    const { run } = await process.pass(drafts('x'), { digest: 'two' });
    await settle(first.delivery, settled(claimed[0]!, 'created'));
    expect((await process.find('a'))!.moment).toBeGreaterThan(run.moment);
  });
});

function outcomeOf(state: Parameters<typeof outcome>[0], doubtSince: number) {
  return () => outcome(state, { doubtSince });
}

import { describe, expect, it } from 'vitest';
import {
  AT,
  benchOn,
  claim,
  deliver,
  draft,
  drafts,
  keysOf,
  manyDrafts,
  outcome,
  processes,
  storeOutcomes,
  settled,
  START,
  replacing,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

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

  it('keeps keys of every form, and the bodies around them, as they were', async () => {
    const process = await benchOn(store).process();
    const uuid = '4e353669-d28d-8c9e-99b3-1e2c9de495dd';
    const forms = [uuid, uuid.replaceAll('-', ''), 'ü "1" \\ \u{1f600}', '#=1', ''];
    // The same letters in another case are another key.
    const keys = [...new Set(forms.flatMap((key) => [key, key.toUpperCase(), key.toLowerCase()]))];
    const planned = keys.map((each, index) => draft(index, { key: each, says: `${each} ${index}` }));
    const { delivery, ids, run } = await process.pass(planned);
    const { claimed } = await claim(delivery, ids);
    expect(claimed.map(({ body }) => body)).toEqual(planned.map(({ body }) => body));
    expect(claimed.map((each) => each.key)).toEqual(keys);
    expect((await process.records(run)).map((each) => [each.key, each.body])).toEqual(
      planned.map((each) => [each.key, each.body]),
    );
    for (const [i, each] of keys.entries()) expect(await process.find(each)).toMatchObject({ id: ids[i], key: each });
  });

  it('of what another process has under way is a fault of the program: nothing is claimed, and nothing stored', async () => {
    const [one, other] = await processes(store);
    const { run, delivery, ids } = await one.pass(drafts('a', 'b', 'c'));
    const [a, b] = (await claim(delivery, ids.slice(0, 2))).claimed;
    const joined = await other.join(run);
    const [c] = (await claim(joined.delivery, [ids[2]!])).claimed;
    const refused = joined.delivery.storeAndClaim([settled(c!, 'created')], ids.slice(0, 1));
    await expect(refused).rejects.toThrow(/another call is sending/);
    expect(await other.states(run)).toEqual([null, null, null]);
    await storeOutcomes(joined.delivery, settled(c!, 'created'));
    // Created meanwhile, or put back, it is no fault.
    await storeOutcomes(delivery, settled(a!, 'created'), settled(b!, outcome('not_sent', { attempts: 0 })));
    const { claimed, unclaimed } = await claim(joined.delivery, ids.slice(0, 2));
    const known = { ...outcome('created'), run: run.number, at: expect.any(Number) as number };
    expect(unclaimed).toEqual([{ id: ids[0], why: 'settled', outcome: known }]);
    expect(claimed).toMatchObject([{ key: 'b', earlier: { state: 'not_sent' } }]);
  });

  it('is made of what is wanted, and nothing else', async () => {
    const [one, other] = await processes(store);
    const { run, delivery, ids } = await one.pass(manyDrafts(20));
    const wanted = [3, 4, 5, 9, 8, 7, 15].map((i) => ids[i]!);
    expect((await claim(delivery, wanted)).claimed.map(({ id }) => id)).toEqual(wanted);
    const others = ids.filter((id) => !wanted.includes(id));
    const joined = await other.join(run);
    expect((await claim(joined.delivery, others)).claimed.map(({ id }) => id)).toEqual(others);
    await one.die();
    await other.journal.recover();
    const states = await other.states(run);
    expect(ids.filter((_, i) => states[i] === 'unknown')).toEqual(wanted.toSorted((a, b) => a - b));
  });

  it('ends when all of it is settled, and not before', async () => {
    const [one, other] = await processes(store);
    const { run, delivery, ids } = await one.pass(manyDrafts(3));
    const { claimed } = await claim(delivery, ids);
    // Settling one payment twice does not stand for another one.
    const first = settled(claimed[0]!, 'created');
    await storeOutcomes(delivery, first, first);
    await storeOutcomes(delivery, first);
    await storeOutcomes(delivery, settled(claimed[1]!, 'rejected'));
    expect((await other.records(run)).map(({ isClaimed }) => isClaimed)).toEqual([false, false, true]);
    await one.die();
    await other.journal.recover();
    expect(await other.states(run)).toEqual(['created', 'rejected', 'unknown']);
  });
});

describe.each(STORES)('a payment that was tried before, in $name', (store) => {
  it('and left in doubt by a process that died since the others were recovered is taken over at the gate', async () => {
    const [one, other] = await processes(store);
    const first = await one.pass(drafts('a'));
    await claim(first.delivery, first.ids);
    await one.die();
    const { delivery, ids } = await other.join(first.run);
    const { claimed } = await claim(delivery, ids);
    expect(claimed).toMatchObject([{ key: 'a', earlier: { state: 'unknown', doubtSince: START, attempts: 1 } }]);
  });

  it.each(['unknown', 'rejected'] as const)('is not sent without its body, and told as it was: %s', async (state) => {
    const process = await benchOn(store).process();
    const { run, delivery, ids } = await process.pass(drafts('a', 'b'));
    await deliver({ delivery, ids: ids.slice(0, 1) }, state);
    const replaced = replacing(ids[1]!);
    await process.pass(drafts({ key: 'b', says: 'corrected' }), { digest: 'other', replaced });
    await delivery.leave();
    await process.journal.end(run, { finishedAt: START, exitCode: 4, stopReason: null });
    await process.journal.prune(START + 1);
    const again = await process.join(run);
    const claims = await claim(again.delivery, ids);
    const { unclaimed } = claims;
    // What is in doubt keeps its body.
    expect(keysOf(claims)).toEqual(state === 'unknown' ? ['a'] : []);
    expect(unclaimed).toMatchObject([
      ...(state === 'unknown' ? [] : [{ id: ids[0], why: 'settled', outcome: { state } }]),
      { id: ids[1], why: 'replaced' },
    ]);
  });
});

describe.each(STORES)('whether anything was ever created, in $name', (store) => {
  it('is told of each type at each target', async () => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('p', { type: 'gig', key: 'g' }));
    await deliver(passed, ({ type }) => (type === 'gig' ? 'rejected' : 'created'));
    const other = await process.pass(drafts('x'), { target: 'https://other.example' });
    const answers = [passed, other].flatMap(({ delivery }) =>
      (['payout', 'gig'] as const).map((type) => delivery.hasCreated(type)),
    );
    expect(await Promise.all(answers)).toEqual([true, false, false, false]);
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
    await storeOutcomes(delivery, ...claimed.map((each, i) => settled(each, told[i]!)));
    const stored = told.map((each) => ({ ...each, run: run.number, at: START + 77 }));
    expect(await process.outcomes(run)).toEqual(stored);
    expect(await process.journal.outcomes(ids)).toEqual(stored);
  });

  it('that was created is final', async () => {
    const [one, other] = await processes(store);
    const first = await one.pass(drafts('a'));
    const { claimed } = await claim(first.delivery, first.ids);
    await storeOutcomes(first.delivery, settled(claimed[0]!, outcome('created', { response: '{"id":"first"}' })));
    const late = (state: Parameters<typeof outcome>[0]) =>
      storeOutcomes(first.delivery, settled(claimed[0]!, outcome(state, { response: '{"id":"second"}' })));
    for (const state of ['rejected', 'unknown', 'not_sent', 'created'] as const) await late(state);
    await one.die();
    await other.journal.recover();
    expect(await other.outcomes(first.run)).toMatchObject([{ state: 'created', response: '{"id":"first"}' }]);
  });

  it.each(['rejected', 'not_sent', 'unknown'] as const)('in doubt stays so, since its beginning: %s', async (state) => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'));
    await deliver(first, outcomeOf('unknown', START - 9));
    await first.delivery.leave();
    await deliver(await process.join(first.run), outcomeOf(state, START + 9));
    expect(await process.outcomes(first.run)).toMatchObject([{ state: 'unknown', doubtSince: START - 9 }]);
    await process.journal.recover();
    const later = await process.join(first.run);
    await deliver(later, 'created');
    expect(await process.outcomes(first.run)).toMatchObject([{ state: 'created', doubtSince: null }]);
  });

  it('has the moment of its first doubt, or of what it is; later than the gate that came before', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a', 'b'), { digest: 'one' });
    await deliver(first, ({ key }) => (key === 'a' ? 'unknown' : 'rejected'));
    await first.delivery.leave();
    const momentOf = async (key: string) => (await process.find(key))!.claimWatermark;
    const before = [await momentOf('a'), await momentOf('b')];
    const gate = (await process.pass(drafts('x'), { digest: 'two' })).run.claimWatermark;
    expect(first.run.claimWatermark).toBeLessThan(before[0]!);
    expect(Math.max(...before)).toBeLessThanOrEqual(gate);
    await deliver(await process.join(first.run), 'created');
    expect(await momentOf('a')).toBe(before[0]);
    expect(await momentOf('b')).toBeGreaterThan(gate);
    expect((await process.journal.find(AT, ['a', 'b'])).map(({ state }) => state)).toEqual(['created', 'created']);
  });

  it('under a claim from before a gate, and after it, is news', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), { digest: 'one' });
    const { claimed } = await claim(first.delivery, first.ids);
    const { run } = await process.pass(drafts('x'), { digest: 'two' });
    await storeOutcomes(first.delivery, settled(claimed[0]!, 'created'));
    expect((await process.find('a'))!.claimWatermark).toBeGreaterThan(run.claimWatermark);
  });
});

function outcomeOf(state: Parameters<typeof outcome>[0], doubtSince: number) {
  return () => outcome(state, { doubtSince });
}

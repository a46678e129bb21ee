import { describe, expect, it } from 'vitest';
import { type Draft, idOf, type RunRecord } from '../../../src/journal/payment.js';
import {
  AT,
  benchOn,
  claim,
  deliver,
  draft,
  drafts,
  keysOf,
  manyDrafts,
  pointers,
  processes,
  type Process,
  START,
  settled,
  storeOutcomes,
  replacing,
  runFile,
  invalidRecord,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

describe.each(STORES)('the gate, in $name', (store) => {
  it('makes drafts history: before it, nobody sees them', async () => {
    const process = await benchOn(store).process();
    expect(await process.journal.version(AT)).toBe(0);
    const planned = drafts('a', 'b');
    const preparation = await process.prepare(planned);
    expect(await process.find('a')).toBeNull();
    expect(await process.byPayee('says a')).toEqual([]);
    expect(await process.journal.runs()).toEqual([]);
    expect(await process.journal.version(AT)).toBe(0);
    const { run, ids } = await process.commit(await process.plan(preparation, planned));
    expect(run).toMatchObject({ number: preparation.number, name: preparation.name, digest: 'digest', end: null });
    expect(ids).toEqual([idOf(run.number, 0), idOf(run.number, 1)]);
    expect(await process.find('a')).toMatchObject({ id: ids[0], state: 'not_sent', claimWatermark: 0, at: START });
    expect(await process.byPayee('says a')).toHaveLength(1);
    expect(await process.journal.version(AT)).toBe(1);
  });

  it('is refused, and changes nothing, when another run has passed since the version was read', async () => {
    const [one, other] = await processes(store);
    const planned = drafts('a', 'b');
    const preparation = await one.prepare(planned);
    const plan = await one.plan(preparation, planned);
    await other.pass(drafts('x'), { digest: 'other' });
    expect(await one.journal.commit(plan)).toBeNull();
    expect(await one.find('a')).toBeNull();
    expect(await one.journal.runs()).toHaveLength(1);
    expect(await one.journal.bodies([idOf(preparation.number, 1)])).toEqual([planned[1]!.body]);
    // Computed again, with the history as it is now, it passes.
    await one.commit(await one.plan(preparation, planned));
    expect(await one.find('a')).not.toBeNull();
  });

  it.each([
    ['another target', { target: 'https://other.example' }],
    ['another sandbox', { scope: 'file-2' }],
  ])('counts each target for itself: %s is another', async (_which, place) => {
    const process = await benchOn(store).process();
    const planned = drafts('a');
    const plan = await process.plan(await process.prepare(planned), planned);
    const there = { ...AT, ...place };
    await process.pass(drafts('a'), place);
    expect(await process.journal.commit(plan)).not.toBeNull();
    const found = [await process.find('a'), await process.find('a', there)];
    expect(found.map((each) => each?.run.number)).toEqual([1, 2]);
    expect([await process.journal.version(AT), await process.journal.version(there)]).toEqual([1, 1]);
  });

  it('deletes the drafts that no record points at, wherever they are', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(7);
    const preparation = await process.prepare(planned);
    const records = pointers(
      preparation.number,
      [1, 2, 4].map((index) => ({ index })),
    );
    const { run, ids } = await process.commit(await process.plan(preparation, planned, { records }));
    const all = planned.map(({ index }) => idOf(run.number, index));
    expect(ids).toEqual([all[1], all[2], all[4]]);
    const bodies = (await process.journal.bodies(all)).map((body) => body !== null);
    expect(bodies).toEqual([false, true, true, false, true, false, false]);
    const known = await process.journal.find(
      AT,
      planned.map(({ key }) => key),
    );
    expect(known.map(({ key }) => key).sort()).toEqual(['k1', 'k2', 'k4']);
  });

  it('refuses a record that points at a draft that was not stored: it would never be paid', async () => {
    const process = await benchOn(store).process();
    const preparation = await process.prepare(manyDrafts(2));
    const plan = await process.plan(preparation, manyDrafts(3));
    await expect(process.journal.commit(plan)).rejects.toThrow(/was not stored/);
    expect([await process.journal.runs(), await process.journal.version(AT)]).toEqual([[], 0]);
  });

  it('passes a run once', async () => {
    const process = await benchOn(store).process();
    const planned = drafts('a');
    const preparation = await process.prepare(planned);
    const { run } = await process.commit(await process.plan(preparation, planned));
    await expect(process.commit(await process.plan(preparation, planned))).rejects.toThrow(
      /has passed its gate already/,
    );
    // What was given up afterwards is history all the same.
    await preparation.abandon();
    expect(await process.states(run)).toEqual([null]);
  });

  it('finds drafts that stand far from each other, as in a long file', async () => {
    const process = await benchOn(store).process();
    const places = [0, 199_999, 200_000, 200_001, 650_000];
    const planned = places.map((index) => draft(index));
    const { run } = await process.pass(planned);
    const known = await process.journal.find(
      AT,
      planned.map(({ key }) => key),
    );
    expect(new Set(known.map(({ id }) => id))).toEqual(new Set(places.map((index) => idOf(run.number, index))));
    expect(known).toHaveLength(places.length);
    const payees = planned.map(({ payee }) => payee);
    expect(await process.journal.byPayee(AT, 'default', payees)).toHaveLength(5);
    expect((await process.journal.records(run, 200_001, 10)).map(({ index }) => index)).toEqual([200_001, 650_000]);
  });
});

/** A run with the keys `a` to `c`, of which `b` was rejected, that nobody delivers any more. */
async function rejectedB(process: Process) {
  const first = await process.pass(drafts('a', 'b', 'c'), { digest: 'one' });
  await deliver({ ...first, ids: first.ids.slice(0, 2) }, ({ key }) => (key === 'b' ? 'rejected' : 'created'));
  await first.delivery.leave();
  return first;
}

describe.each(STORES)('a payment that is replaced, in $name', (store) => {
  const other = (): Draft[] => [draft(0, { key: 'b', says: 'mended' })];

  it('passes its key on, keeps its own state, and is never sent again', async () => {
    const process = await benchOn(store).process();
    const first = await rejectedB(process);
    const [, b] = first.ids;
    const second = await process.pass(other(), {
      digest: 'two',
      replaced: replacing(b!),
    });
    expect(await process.find('b')).toMatchObject({ id: second.ids[0], state: 'not_sent', replacedBy: null });
    const [, told] = await process.records(first.run);
    expect(told).toMatchObject({ key: 'b', outcome: { state: 'rejected' } });
    const again = await process.join(first.run);
    const { claimed, unclaimed } = await claim(again.delivery, first.ids);
    expect(claimed.map(({ key }) => key)).toEqual(['c']);
    expect(unclaimed).toMatchObject([
      { why: 'settled', outcome: { state: 'created' } },
      { why: 'settled', outcome: { state: 'rejected' } },
    ]);
    expect(keysOf(await claim(second.delivery, second.ids))).toEqual(['b']);
    expect(await process.byPayee('says b')).toMatchObject([
      { id: b, state: 'rejected', replacedBy: second.ids[0], isLive: false },
    ]);
  });

  it.each(['created', 'unknown'] as const)(
    'is refused where it is %s by now: the plan is of yesterday',
    async (state) => {
      const bench = benchOn(store);
      const process = await bench.process();
      const another = await bench.process();
      const first = await rejectedB(process);
      const again = await another.join(first.run);
      const preparation = await process.prepare(other());
      const replaced = () => [{ payment: first.ids[1]!, by: idOf(preparation.number, 0) }];
      const plan = await process.plan(preparation, other(), { digest: 'two', replaced });
      await deliver({ ...again, ids: [first.ids[1]!] }, state);
      expect(await process.journal.commit(plan)).toBeNull();
      expect(await process.find('b')).toMatchObject({ id: first.ids[1], state, replacedBy: null });
    },
  );

  it('is refused while it is under way, and where it was replaced already', async () => {
    const [process, another] = await processes(store);
    const first = await rejectedB(process);
    const again = await another.join(first.run);
    const one = await process.prepare(other());
    const two = await process.prepare(other());
    const planOf = (preparation: typeof one) =>
      process.plan(preparation, other(), {
        digest: 'two',
        replaced: () => [{ payment: first.ids[1]!, by: idOf(preparation.number, 0) }],
      });
    const { claimed } = await claim(again.delivery, [first.ids[1]!]);
    expect(claimed).toHaveLength(1);
    expect(await process.journal.commit(await planOf(one))).toBeNull();
    await again.delivery.storeAndClaim([{ ...claimed[0]!, outcome: claimed[0]!.earlier! }], []);
    expect(await process.journal.commit(await planOf(one))).not.toBeNull();
    expect(await process.journal.commit(await planOf(two))).toBeNull();
  });

  it('must be named: a plan that takes the key of another payment is refused', async () => {
    const process = await benchOn(store).process();
    const first = await rejectedB(process);
    const preparation = await process.prepare(other());
    const plan = await process.plan(preparation, other(), { digest: 'two' });
    await expect(process.journal.commit(plan)).rejects.toThrow(
      'a plan takes the key of a payment that it does not replace',
    );
    expect(await process.find('b')).toMatchObject({ id: first.ids[1], replacedBy: null });
    expect(await process.journal.runs()).toHaveLength(1);
  });
});

describe.each(STORES)('a record that is left out, in $name', (store) => {
  /** A run of `a`, which is created, and one of `k0`, which is sent, and `k1` and `k2`, which were left out for it. */
  async function leftOut(process: Process) {
    const first = await process.pass(drafts('a'), { digest: 'one' });
    await deliver(first);
    await first.delivery.leave();
    const planned = manyDrafts(3);
    const preparation = await process.prepare(planned);
    const records = pointers(preparation.number, planned).map((each) => {
      return each.index === 0 ? each : { ...each, standsFor: first.ids[0]! };
    });
    const second = await process.commit(await process.plan(preparation, planned, { records, digest: 'two' }));
    await second.delivery.leave();
    const list = (of: readonly RunRecord[]) => ({ files: [], records: of, invalid: [] });
    return { ...second, records, list, a: first.ids[0]! };
  }

  it('keeps a row of its own, which is no payment', async () => {
    const process = await benchOn(store).process();
    const { ids, run } = await leftOut(process);
    expect(ids).toEqual([0, 1, 2].map((index) => idOf(run.number, index)));
    expect((await process.journal.find(AT, ['k0', 'k1', 'k2'])).map(({ key }) => key)).toEqual(['k0']);
    const payees = manyDrafts(3).map(({ payee }) => payee);
    expect(await process.journal.byPayee(AT, 'default', payees)).toHaveLength(1);
    const keyed = manyDrafts(3).map(({ key, bodyHash }) => ({ key, bodyHash }));
    expect(await process.journal.stored(AT, keyed)).toEqual([ids[0], 0, 0]);
    // Somebody else's record may have the key.
    const other = await process.pass(drafts('k1'), { digest: 'three' });
    expect(await process.find('k1')).toMatchObject({ id: other.ids[0] });
  });

  it('is gone where the run does not list its row any more', async () => {
    const process = await benchOn(store).process();
    const { ids, run, records, list } = await leftOut(process);
    const preparation = await process.prepare([draft(1)]);
    const by = idOf(preparation.number, 1);
    const listed = [records[0]!, { ...records[1]!, payment: by }, records[2]!];
    const again = await process.join(run, { preparation, list: list(listed) });
    expect(again.ids).toEqual([ids[0], by, ids[2]]);
    expect((await process.journal.bodies(ids)).map((body) => body !== null)).toEqual([true, false, true]);
    // Then of all that is left.
    await process.join(run, { list: list(records.slice(0, 1)) });
    const bodies = await process.journal.bodies([...ids, by]);
    expect(bodies.map((body) => body !== null)).toEqual([true, false, false, false]);
  });
});

describe.each(STORES)('a payment that another run accepts, in $name', (store) => {
  it('is that run’s until it is closed, and keeps the batch of the first one', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a', 'b'), { digest: 'one', batchId: 'x' });
    await first.delivery.leave();
    const records = pointers(0, [{ index: 0 }]).map((each) => ({ ...each, payment: first.ids[1]!, line: 7 }));
    const wish = { records, sends: [first.ids[1]!], digest: 'two', batchId: 'y', files: ['again.csv'] };
    const preparation = await process.prepare([], wish);
    const second = await process.commit(await process.plan(preparation, [], wish));
    const [a, b] = await Promise.all(['a', 'b'].map((key) => process.find(key)));
    expect(a).toMatchObject({ isLive: false, batchId: 'x', run: { number: first.run.number, batchId: 'x' } });
    expect(b).toMatchObject({ isLive: true, batchId: 'x', run: { number: second.run.number, batchId: 'y' } });
    expect(await process.journal.places(first.ids)).toEqual([
      { index: 0, file: 'payouts.csv', record: 1, line: 2 },
      { index: 0, file: 'again.csv', record: 1, line: 7 },
    ]);
    await second.delivery.leave();
    await process.journal.close(second.run, '');
    expect((await process.find('b'))!.run).toMatchObject({ number: first.run.number, isClosed: false });
    await process.journal.close(first.run, '');
    expect((await process.find('b'))!.run).toMatchObject({ number: first.run.number, isClosed: true });
  });

  it('has the shortest lifetime of its key that was ever said', async () => {
    const process = await benchOn(store).process();
    const { run, delivery } = await process.pass(drafts('a'), { digest: 'one' });
    await delivery.leave();
    const lifetimeAfter = async (lifetimeMs: number | null) => {
      await (await process.join(run, { lifetimeMs })).delivery.leave();
      return (await process.find('a'))!.lifetimeMs;
    };
    expect((await process.find('a'))!.lifetimeMs).toBeNull();
    const said = [null, 2000, 3000, null, 1000];
    const told: (number | null)[] = [];
    for (const each of said) told.push(await lifetimeAfter(each));
    expect(told).toEqual([null, 2000, 2000, 2000, 1000]);
    await process.pass(drafts('b'), { digest: 'two', lifetimeMs: 86_400_000_000 });
    expect((await process.find('b'))!.lifetimeMs).toBe(86_400_000_000);
  });
});

describe.each(STORES)('a run that goes on, in $name', (store) => {
  it('keeps its name, its moment and its beginning; its end is taken back', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const first = await process.pass(drafts('a', 'b'));
    await deliver({ ...first, ids: [first.ids[0]!] });
    await first.delivery.leave();
    bench.clock.now = START + 5;
    await process.journal.end(first.run, { finishedAt: START + 5, exitCode: 5, stopReason: 'interrupted' });
    const [stopped] = await process.journal.runs();
    expect(stopped!.end).toEqual({ finishedAt: START + 5, exitCode: 5, stopReason: 'interrupted' });
    bench.clock.now += 1000;
    const again = await process.join(stopped!);
    expect(again.run).toEqual(first.run);
    expect(keysOf(await claim(again.delivery, again.ids))).toEqual(['b']);
    expect(await process.journal.runs()).toHaveLength(1);
  });

  it('points at its new list, and what was prepared for it is dropped', async () => {
    const process = await benchOn(store).process();
    const planned = drafts('a', 'b');
    const first = await process.pass(planned, {
      invalid: [invalidRecord(2, 'no title', { type: 'gig' })],
    });
    await first.delivery.leave();
    // An invalid row now stands in front, and the file has another name.
    const preparation = await process.prepare(planned.map((each) => ({ ...each, index: each.index + 1 })));
    const records = first.ids.map((payment, i) => {
      return { index: i + 1, file: 0, record: i + 2, line: 2 * i + 9, payment, standsFor: null };
    });
    const invalid = [invalidRecord(0, 'no amount')];
    const files = [runFile('second.csv', { sha256: 'f2', records: 3, sheetName: 'May', reference: -7 })];
    const again = await process.join(first.run, { preparation, list: { files, records, invalid } });
    expect(again.ids).toEqual(first.ids);
    expect(again.run.files).toEqual(files);
    expect(await process.records(again.run)).toMatchObject([
      { index: 0, payment: null, type: 'payout', error: 'no amount', line: 2 },
      { index: 1, key: 'a', record: 2, line: 9 },
      { index: 2, key: 'b', record: 3, line: 11 },
    ]);
    expect(await process.journal.bodies([idOf(preparation.number, 1)])).toEqual([null]);
    expect(await process.journal.places(first.ids)).toEqual([
      { index: 1, file: 'second.csv', record: 2, line: 9 },
      { index: 2, file: 'second.csv', record: 3, line: 11 },
    ]);
  });

  it('may take a payment of a later preparation, which is gone then', async () => {
    const process = await benchOn(store).process();
    const first = await rejectedB(process);
    const planned = [draft(1, { key: 'b', says: 'other' })];
    const preparation = await process.prepare(planned);
    const by = idOf(preparation.number, 1);
    const records = pointers(
      0,
      [0, 1, 2].map((index) => ({ index })),
    ).map((each, i) => {
      return { ...each, payment: i === 1 ? by : first.ids[i]! };
    });
    const files = [runFile('new.csv', { sha256: 'f2', records: 3 })];
    const again = await process.join(first.run, {
      preparation,
      list: { files, records, invalid: [] },
      replaced: [{ payment: first.ids[1]!, by }],
    });
    expect(again.ids).toEqual([first.ids[0], by, first.ids[2]]);
    expect(await process.find('b')).toMatchObject({ id: by, run: { number: first.run.number, name: first.run.name } });
    expect(await process.journal.places([by])).toEqual([{ index: 1, file: 'new.csv', record: 2, line: 3 }]);
    await again.delivery.leave();
    // It is history now, whatever becomes of the preparation.
    await preparation.abandon();
    await process.journal.recover();
    expect(await process.journal.runs()).toHaveLength(1);
    expect(await process.journal.runs({ name: preparation.name })).toEqual([]);
    expect(keysOf(await claim((await process.join(first.run)).delivery, again.ids))).toEqual(['b', 'c']);
  });

  it('gets bodies back that were pruned, and no others', async () => {
    const process = await benchOn(store).process();
    const planned = drafts('a', 'b');
    const { run, ids, delivery } = await process.pass(planned);
    await deliver({ delivery, ids }, 'rejected');
    await delivery.leave();
    await process.journal.end(run, { finishedAt: START, exitCode: 4, stopReason: null });
    expect(await process.journal.prune(START + 1)).toBe(2);
    expect(await process.find('a')).toMatchObject({ hasBody: false });
    const bodies = ids.map((payment, i) => ({ payment, body: i === 0 ? planned[0]!.body : '{"forged":true}' }));
    const again = await process.join(run, { bodies });
    expect((await process.records(run)).map(({ body }) => body)).toEqual([planned[0]!.body, null]);
    const { claimed, unclaimed } = await claim(again.delivery, ids);
    expect(claimed).toMatchObject([{ key: 'a', body: planned[0]!.body }]);
    expect(unclaimed).toMatchObject([{ id: ids[1], why: 'settled', outcome: { state: 'rejected' } }]);
  });

  it('is not delivered where nothing is to be sent', async () => {
    const process = await benchOn(store).process();
    const { run, delivery, ids } = await process.pass(drafts('a'), { delivers: false });
    expect(await process.journal.liveCalls()).toEqual([]);
    expect(await process.find('a')).toMatchObject({ isLive: false });
    await expect(claim(delivery, ids)).rejects.toThrow('nothing of this run is to be sent');
    expect(await process.states(run)).toEqual([null]);
  });

  it('is refused for payments of a process that seemed dead to the review, and lives', async () => {
    const bench = benchOn(store);
    const sender = await bench.process();
    const { run, delivery, ids } = await sender.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, ids.slice(0, 1));
    await store.takeForDead(bench.place);
    const other = await bench.process();
    // So the review does not wait for it, and plans to send what it has claimed again under its key.
    expect(await other.find('a')).toMatchObject({ state: 'unknown', isLive: false });
    const plan = await other.goingOn(run, { sends: ids });
    await store.takeForAlive(bench.place);
    expect(await other.journal.commit(plan)).toBeNull();
    expect(await other.find('a')).toMatchObject({ state: 'not_sent', isLive: true });
    await storeOutcomes(delivery, settled(claimed[0]!, 'created'));
    expect(keysOf(await claim(delivery, ids))).toEqual(['b']);
    // Another run may list them, if it sends none of them.
    await other.pass(drafts('c'), { digest: 'other' });
    expect(await other.journal.commit(await other.goingOn(run, { sends: ids }))).toBeNull();
    await sender.die();
    await deliver(await other.join(run, { sends: ids.slice(1) }));
    expect(await other.states(run)).toEqual(['created', 'created']);
  });

  it('shuts out a process whose lease has run out, so that it claims nothing any more', async () => {
    const bench = benchOn(store);
    const sender = await bench.process();
    const { run, delivery, ids } = await sender.pass(drafts('a', 'b'));
    await claim(delivery, ids.slice(0, 1));
    const other = await bench.process();
    const plan = await other.goingOn(run, { sends: ids });
    await store.takeForDead(bench.place);
    const passed = await other.commit(plan);
    await store.takeForAlive(bench.place);
    await expect(claim(delivery, ids.slice(1))).rejects.toThrow(/took this one for dead/);
    expect(keysOf(await claim(passed.delivery, ids))).toEqual(['a', 'b']);
  });
});

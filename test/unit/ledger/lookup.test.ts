import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/ledger/ledger.js';
import type { RunRecord } from '../../../src/ledger/payment.js';
import {
  AT,
  benchOn,
  claim,
  contentOf,
  deliver,
  draft,
  drafts,
  manyDrafts,
  outcome,
  pointers,
  type Process,
  settle,
  settled,
  similarityOf,
  START,
  TARGET,
} from './kit.js';
import { STORES } from './stores.js';

describe.each(STORES)('what look-ups tell, in $name', (store) => {
  it('is the payment as it was stored, and its home run', async () => {
    const process = await benchOn(store).process();
    const sketch = { type: 'result' as const, key: 'a', says: 'work', like: 'u1 work', reference: 'r-1', date: 20_758 };
    const planned = { ...draft(0, sketch), amount: '12.50', currency: 'CHF' };
    const { run, ids } = await process.pass([planned], { batchId: '2026-11' });
    const { reference, bodyHash } = planned;
    expect(await process.find('a')).toEqual({
      ...{ id: ids[0], type: 'result', key: 'a', bodyHash, reference, date: 20_758 },
      ...{ content: contentOf('work', 'result'), similarity: similarityOf('u1 work', 'result') },
      ...{ amount: '12.50', currency: 'CHF', state: 'not_sent', doubtSince: null, isLive: true, moment: 0, at: START },
      ...{ replacedBy: null, hasBody: true },
      run: {
        ...{ number: run.number, name: run.name, batchId: '2026-11', target: TARGET, startedAt: START },
        isEnded: false,
      },
    });
  });

  it('keeps hashes of every size and sign', async () => {
    const process = await benchOn(store).process();
    const hashes = [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
    const planned = hashes.map((each, i) => ({ ...draft(i), content: each, similarity: each, reference: each }));
    await process.pass(planned);
    for (const [i, each] of hashes.entries()) {
      expect(await process.ledger.bySimilarity(AT, [each])).toMatchObject([
        { key: `k${i}`, content: each, similarity: each, reference: each },
      ]);
    }
  });

  it('finds thousands at once, the known ones among unknown ones', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(3000);
    await process.pass(planned);
    const keys = Array.from({ length: 6000 }, (_, i) => `k${i}`);
    expect((await process.ledger.find(AT, keys)).map(({ key }) => key).sort()).toEqual(keys.slice(0, 3000).sort());
    const similar = planned.map(({ similarity }) => similarity);
    expect(await process.ledger.bySimilarity(AT, [...similar, 7n])).toHaveLength(3000);
    expect(await process.ledger.find(AT, [])).toEqual([]);
    expect(await process.ledger.bySimilarity(AT, [])).toEqual([]);
  });

  it('finds all payments that are similar, of this target alone, also those that were replaced', async () => {
    const process = await benchOn(store).process();
    const like = (key: string, says: string) => draft(0, { key, says, like: 'u1 bonus' });
    const first = await process.pass([like('a', 'one')], { digest: '1' });
    await deliver(first, 'rejected');
    await process.pass([like('b', 'two')], { digest: '2' });
    await process.pass([like('c', 'three')], { digest: '3', target: 'https://other.example' });
    await process.pass([like('a', 'four')], {
      digest: '4',
      replaced: ({ number }) => [{ payment: first.ids[0]!, by: idOf(number, 0) }],
    });
    const found = await process.ledger.bySimilarity(AT, [similarityOf('u1 bonus')]);
    expect(found.map(({ key, content, replacedBy }) => [key, content, replacedBy !== null])).toEqual([
      ['a', contentOf('one'), true],
      ['b', contentOf('two'), false],
      ['a', contentOf('four'), false],
    ]);
  });

  it('names the payments in doubt at the target, and no others', async () => {
    const process = await benchOn(store).process();
    const states = { a: 'unknown', b: 'created', c: 'rejected', d: 'not_sent' } as const;
    const passed = await process.pass(drafts('a', 'b', 'c', 'd', 'e'));
    await deliver({ ...passed, ids: passed.ids.slice(0, 4) }, ({ key }) => states[key as keyof typeof states]);
    const there = { target: 'https://other.example', scope: '' };
    await deliver(await process.pass(drafts('a'), there), 'unknown');
    expect(await process.ledger.inDoubt(AT)).toMatchObject([{ key: 'a', doubtSince: START, run: { target: TARGET } }]);
    expect(await process.ledger.inDoubt(there)).toHaveLength(1);
    expect(await process.ledger.inDoubt({ target: 'https://unknown.example', scope: '' })).toEqual([]);
  });

  it('names a payment once that was in doubt when it was claimed again', async () => {
    const bench = benchOn(store);
    const [gone, other] = [await bench.process(), await bench.process()];
    const first = await gone.pass(drafts('a', 'b'));
    await deliver({ ...first, ids: [first.ids[0]!] }, 'unknown');
    await first.delivery.leave();
    await claim((await gone.join(first.run)).delivery, first.ids);
    expect((await other.ledger.inDoubt(AT)).map(({ key }) => key)).toEqual(['a']);
    await gone.die();
    expect((await other.ledger.inDoubt(AT)).map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('knows whether there are other targets at all: those with a gate that was passed, sandboxes aside', async () => {
    const process = await benchOn(store).process();
    const other = { target: 'https://other.example', scope: '' };
    await process.pass(drafts('a'));
    await process.pass(drafts('b'), { target: 'sandbox', scope: 'file-1' });
    await process.prepare(drafts('c'), other);
    expect(await process.ledger.hasElsewhere(AT)).toBe(false);
    expect(await process.ledger.hasElsewhere(other)).toBe(true);
    await process.pass(drafts('c'), other);
    expect(await process.ledger.hasElsewhere(AT)).toBe(true);
  });

  it('tells what was created under a key at other targets, sandboxes aside', async () => {
    const process = await benchOn(store).process();
    const places = [
      [{ target: 'https://old.example', scope: '' }, 'created'],
      [{ target: 'https://trial.example', scope: '' }, 'rejected'],
      [{ target: 'sandbox', scope: 'file-1' }, 'created'],
      [AT, 'created'],
    ] as const;
    for (const [place, state] of places) await deliver(await process.pass(drafts('a', 'b'), place), state);
    const found = await process.ledger.createdElsewhere(AT, ['a', 'x']);
    expect(found).toMatchObject([{ key: 'a', state: 'created', run: { target: 'https://old.example' } }]);
    expect(await process.ledger.createdElsewhere({ target: 'https://new.example', scope: '' }, ['a'])).toHaveLength(2);
  });

  it('knows when a run is at its end', async () => {
    const process = await benchOn(store).process();
    const { run, delivery, ids } = await process.pass(drafts('a'));
    await deliver({ delivery, ids }, 'rejected');
    await delivery.leave();
    const isEnded = async () => (await process.find('a'))!.run.isEnded;
    for (const [exitCode, ended] of [
      [5, false],
      [130, false],
      [2, false],
      [4, true],
      [0, true],
    ] as const) {
      await process.ledger.end(run, { finishedAt: START, exitCode, stopReason: null });
      expect([exitCode, await isEnded()]).toEqual([exitCode, ended]);
    }
    await (await process.join(run)).delivery.leave();
    expect(await isEnded()).toBe(false);
    await process.ledger.close(run, 'mended by hand');
    expect(await isEnded()).toBe(true);
  });
});

describe.each(STORES)('a payment is live, in $name', (store) => {
  const isLive = async (process: Process, key: string) => (await process.find(key))!.isLive;

  it('while a live process has it under way, or will still come to it', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const { delivery, ids } = await one.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, [ids[0]!]);
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([true, true]);
    await settle(delivery, settled(claimed[0]!, 'created'));
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([false, true]);
    await delivery.leave();
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([false, false]);
  });

  it('no longer when its process has died', async () => {
    const bench = benchOn(store);
    const [gone, other] = [await bench.process(), await bench.process()];
    const { delivery, ids } = await gone.pass(drafts('a', 'b'));
    await claim(delivery, [ids[0]!]);
    await gone.die();
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([false, false]);
  });

  it('while any run that lists it is delivered, unless that run leaves it out', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a', 'b', 'c'), { digest: 'one' });
    await first.delivery.leave();
    expect(await isLive(other, 'a')).toBe(false);
    const [a, b] = first.ids;
    const pointer = pointers(0, [{ index: 0 }])[0]!;
    const records: RunRecord[] = [
      { ...pointer, payment: a! },
      { ...pointer, index: 1, payment: b!, leftOut: 'same' },
    ];
    const second = await one.commit(await one.plan(await one.prepare([]), [], { records, digest: 'two' }));
    const live = [await isLive(other, 'a'), await isLive(other, 'b'), await isLive(other, 'c')];
    expect(live).toEqual([true, false, false]);
    await second.delivery.leave();
    expect(await isLive(other, 'a')).toBe(false);
  });

  it('where it was rejected or in doubt before the delivery began, and not where that happened in it', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a', 'b', 'c', 'd'));
    const of = (from: number) => ({ delivery: first.delivery, ids: first.ids.slice(from, from + 2) });
    const state = ({ key }: { key: string }) => (key === 'a' || key === 'c' ? 'rejected' : 'unknown');
    await deliver(of(0), state);
    await first.delivery.leave();
    const again = await one.join(first.run);
    await deliver({ ...of(2), delivery: again.delivery }, state);
    const live = await Promise.all(['a', 'b', 'c', 'd'].map((key) => isLive(other, key)));
    expect(live).toEqual([true, true, false, false]);
  });

  it('no longer when a live process has had it rejected, also where another delivery began since', async () => {
    const bench = benchOn(store);
    const [one, other, third] = [await bench.process(), await bench.process(), await bench.process()];
    const first = await one.pass(drafts('a', 'b'));
    await deliver({ ...first, ids: [first.ids[0]!] }, 'rejected');
    await other.join(first.run);
    expect([await isLive(third, 'a'), await isLive(third, 'b')]).toEqual([false, true]);
  });

  it('where a dead process left it in doubt while another delivers it', async () => {
    const bench = benchOn(store);
    const [gone, heir, other] = [await bench.process(), await bench.process(), await bench.process()];
    const first = await gone.pass(drafts('a'));
    await heir.join(first.run);
    await claim(first.delivery, first.ids);
    await gone.die();
    await other.ledger.recover();
    expect(await other.find('a')).toMatchObject({ state: 'unknown', isLive: true });
  });
});

describe.each(STORES)('places in home runs, in $name', (store) => {
  it('are told in the order asked for, with file, record and line', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(4);
    const preparation = await process.prepare(planned);
    const records = pointers(preparation.number, planned).map((each, i) => {
      return i < 2 ? each : { ...each, file: 1, record: i - 1, line: i === 2 ? 40 : null };
    });
    const files = ['a.csv', 'b.json'];
    const { ids } = await process.commit(await process.plan(preparation, planned, { records, files }));
    const order = [3, 0, 2, 1];
    expect(await process.ledger.places(order.map((i) => ids[i]!))).toEqual([
      { file: 'b.json', record: 2, line: null },
      { file: 'a.csv', record: 1, line: 2 },
      { file: 'b.json', record: 1, line: 40 },
      { file: 'a.csv', record: 2, line: 3 },
    ]);
    expect(await process.ledger.places([ids[3]! + 1, idOf(99, 0)])).toEqual([null, null]);
  });
});

describe.each(STORES)('bodies, in $name', (store) => {
  it('are given in the order asked for, of drafts and of history', async () => {
    const process = await benchOn(store).process();
    const { ids } = await process.pass(drafts('a', 'b'));
    const preparation = await process.prepare(drafts('c'));
    const draftOf = idOf(preparation.number, 0);
    const asked = [ids[1]!, draftOf, idOf(preparation.number, 1), ids[0]!, ids[1]!];
    const [a, b, c] = drafts('a', 'b', 'c').map(({ body }) => body);
    expect(await process.ledger.bodies(asked)).toEqual([b, c, null, a, b]);
    expect(await process.ledger.bodies([])).toEqual([]);
  });

  it('whose numbers are too large for 32 bits are told apart', async () => {
    const process = await benchOn(store).process();
    const passed = [];
    for (let i = 0; i < 5; i++) passed.push(await process.pass(drafts(`x${i}`), { digest: `${i}` }));
    for (const { delivery, ids } of passed) {
      const { claimed } = await claim(delivery, ids);
      await settle(delivery, ...claimed.map((each) => settled(each, outcome('created'))));
    }
    expect(passed.at(-1)!.ids[0]).toBe(5 * 2 ** 31);
    expect((await Promise.all(passed.map(({ run }) => process.states(run)))).flat()).toEqual(Array(5).fill('created'));
  });
});

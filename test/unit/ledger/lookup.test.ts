import { describe, expect, it } from 'vitest';
import {
  AT,
  benchOn,
  claim,
  contentOf,
  deliver,
  draft,
  drafts,
  processes,
  type Process,
  settle,
  settled,
  similarityOf,
  START,
  TARGET,
  replacing,
} from './kit.js';
import { STORES } from './stores.js';

describe.each(STORES)('what look-ups tell, in $name', (store) => {
  it('is the payment as it was stored, and its home run', async () => {
    const process = await benchOn(store).process();
    const sketch = {
      type: 'result' as const,
      key: 'a',
      says: 'work',
      like: 'u1 work',
      reference: 'r-1',
      date: 20_758,
      measure: -5n,
    };
    const planned = { ...draft(0, sketch), amount: '12.50', currency: 'CHF' };
    const { run, ids } = await process.pass([planned], { batchId: '2026-11' });
    const { reference, bodyHash } = planned;
    expect(await process.find('a')).toEqual({
      ...{ id: ids[0], type: 'result', key: 'a', bodyHash, reference, measure: null, date: 20_758 },
      ...{ content: contentOf('work', 'result'), similarity: similarityOf('u1 work', 'result') },
      ...{ amount: '12.50', currency: 'CHF', state: 'not_sent', doubtSince: null, isLive: true, moment: 0, at: START },
      ...{ replacedBy: null, hasBody: true, measure: -5n, lifetimeMs: null, batchId: '2026-11' },
      run: {
        ...{ number: run.number, name: run.name, batchId: '2026-11', target: TARGET, startedAt: START },
        isClosed: false,
      },
    });
  });

  it('keeps hashes of every size and sign', async () => {
    const process = await benchOn(store).process();
    const hashes = [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
    const planned = hashes.map((each, i) => {
      return { ...draft(i), content: each, similarity: each, reference: each, measure: each };
    });
    await process.pass(planned);
    for (const [i, each] of hashes.entries()) {
      expect(await process.ledger.bySimilarity(AT, [each])).toMatchObject([
        { key: `k${i}`, content: each, similarity: each, reference: each, measure: each },
      ]);
    }
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
      replaced: replacing(first.ids[0]!),
    });
    const found = await process.ledger.bySimilarity(AT, [similarityOf('u1 bonus')]);
    expect(found.map(({ key, content, replacedBy }) => [key, content, replacedBy !== null])).toEqual([
      ['a', contentOf('one'), true],
      ['b', contentOf('two'), false],
      ['a', contentOf('four'), false],
    ]);
  });

  it('names the payments at the target that are in doubt, or rejected and not replaced', async () => {
    const process = await benchOn(store).process();
    const states = { a: 'unknown', b: 'created', c: 'rejected', d: 'not_sent' } as const;
    const passed = await process.pass(drafts('a', 'b', 'c', 'd', 'e'));
    await deliver({ ...passed, ids: passed.ids.slice(0, 4) }, ({ key }) => states[key as keyof typeof states]);
    const there = { target: 'https://other.example', scope: '' };
    await deliver(await process.pass(drafts('a'), there), 'unknown');
    const a = { key: 'a', state: 'unknown', doubtSince: START, run: { target: TARGET } };
    expect(await process.ledger.unsettled(AT)).toMatchObject([a, { key: 'c', state: 'rejected' }]);
    await process.pass([draft(0, { key: 'c', says: 'mended' })], {
      digest: 'two',
      replaced: replacing(passed.ids[2]!),
    });
    expect(await process.ledger.unsettled(AT)).toMatchObject([a]);
    expect(await process.ledger.unsettled(there)).toHaveLength(1);
    expect(await process.ledger.unsettled({ target: 'https://unknown.example', scope: '' })).toEqual([]);
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

  it('tells what is under a key at other targets, sandboxes aside', async () => {
    const process = await benchOn(store).process();
    const places = [
      [{ target: 'https://old.example', scope: '' }, 'created'],
      [{ target: 'https://trial.example', scope: '' }, 'rejected'],
      [{ target: 'https://slow.example', scope: '' }, 'unknown'],
      [{ target: 'sandbox', scope: 'file-1' }, 'created'],
      [AT, 'created'],
    ] as const;
    for (const [place, state] of places) await deliver(await process.pass(drafts('a', 'b'), place), state);
    const found = await process.ledger.elsewhere(AT, ['a', 'x']);
    expect(found.map(({ key, state, run }) => `${key} ${state} ${run.target}`).sort()).toEqual([
      'a created https://old.example',
      'a rejected https://trial.example',
      'a unknown https://slow.example',
    ]);
    expect(await process.ledger.elsewhere({ target: 'https://new.example', scope: '' }, ['a'])).toHaveLength(4);
  });
});

describe.each(STORES)('a payment is live, in $name', (store) => {
  const isLive = async (process: Process, key: string) => (await process.find(key))!.isLive;

  it('while a live call has accepted it, until it is created', async () => {
    const [one, other] = await processes(store);
    const { delivery, ids } = await one.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, [ids[0]!]);
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([true, true]);
    await settle(delivery, settled(claimed[0]!, 'created'));
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([false, true]);
    await delivery.leave();
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([false, false]);
  });

  it.each(['rejected', 'unknown', 'not_sent'] as const)('also where that call has had it %s', async (state) => {
    const [one, other] = await processes(store);
    const first = await one.pass(drafts('a'));
    await deliver(first, state);
    expect(await isLive(other, 'a')).toBe(true);
    await first.delivery.leave();
    expect(await isLive(other, 'a')).toBe(false);
    await one.join(first.run);
    expect(await isLive(other, 'a')).toBe(true);
  });

  it('not where another run only lists it, and not where it was replaced', async () => {
    const [one, other] = await processes(store);
    const first = await one.pass(drafts('a', 'b'), { digest: 'one' });
    await first.delivery.leave();
    await one.list([first.ids[0]!], 'two');
    expect(await isLive(other, 'a')).toBe(false);
    await one.join(first.run);
    await one.pass(drafts('b-mended'), {
      digest: 'three',
      replaced: replacing(first.ids[1]!),
    });
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([true, false]);
  });
});

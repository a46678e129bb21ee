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
  payeeOf,
  runFile,
  START,
  TARGET,
  titleOf,
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
      ...{ like: 'u1', title: 'work' },
      reference: 'r-1',
      date: 20_758,
      measure: -5,
    };
    const files = [null, titleOf('r-2'), -9].map((reference) => runFile('p.csv', { reference }));
    const planned = { ...draft(0, sketch), amount: '12.50', currency: 'CHF' };
    const { run, ids } = await process.pass([planned], { batchId: '2026-11', files });
    const { reference, bodyHash } = planned;
    expect(await process.find('a')).toEqual({
      ...{ id: ids[0], type: 'result', key: 'a', bodyHash, reference, date: 20_758, isOfFile: true },
      ...{ content: contentOf('work', 'result'), payee: payeeOf('u1', 'result'), title: titleOf('work') },
      ...{ amount: '12.50', currency: 'CHF', state: 'not_sent', doubtSince: null, isLive: true, moment: 0, at: START },
      ...{ replacedBy: null, hasBody: true, measure: -5, lifetimeMs: null, batchId: '2026-11' },
      run: {
        ...{ number: run.number, name: run.name, batchId: '2026-11', target: TARGET, startedAt: START },
        isClosed: false,
        shared: new Set([-9, titleOf('r-2')]),
      },
    });
  });

  it('keeps hashes of every size and sign', async () => {
    const process = await benchOn(store).process();
    const contents = [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
    const payees = [1, 2, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 47 - 1];
    const hashes = [1, -1, 0xffff, -0x10000, 2 ** 31 - 1, -(2 ** 31)];
    const said = contents.map((content, i) => {
      const [payee, each] = [payees[i]!, hashes[i]!];
      return { content, payee, title: each, reference: each, measure: each, isOfFile: i % 2 === 0 };
    });
    await process.pass(said.map((each, i) => ({ ...draft(i), ...each })));
    for (const [i, each] of said.entries())
      expect(await process.ledger.byPayee(AT, 'default', [each.payee])).toMatchObject([{ key: `k${i}`, ...each }]);
  });

  it('finds all payments of a payee in the batch, also those that were replaced', async () => {
    const process = await benchOn(store).process();
    const to = (key: string, says: string, like = 'u1') => draft(0, { key, says, like, title: says });
    const first = await process.pass([to('a', 'one')], { digest: '1' });
    await deliver(first, 'rejected');
    await process.pass([to('b', 'two'), { ...to('d', 'two', 'u2'), index: 1 }], { digest: '2' });
    await process.pass([to('c', 'three')], { digest: '3', target: 'https://other.example' });
    await process.pass([to('e', 'five')], { digest: '5', batchId: 'april' });
    await process.pass([to('a', 'four')], {
      digest: '4',
      replaced: replacing(first.ids[0]!),
    });
    const found = await process.byPayee('u1');
    const told = found.map(({ key, content, replacedBy }) => [key, content, replacedBy !== null]);
    expect(new Set(told)).toEqual(
      new Set([
        ['a', contentOf('one'), true],
        ['b', contentOf('two'), false],
        ['a', contentOf('four'), false],
      ]),
    );
    const both = await process.ledger.byPayee(AT, 'default', [payeeOf('u2'), payeeOf('u1'), payeeOf('u3')]);
    expect(both.map(({ key }) => key).sort()).toEqual(['a', 'a', 'b', 'd']);
    expect(await process.byPayee('u1', { type: 'result' })).toEqual([]);
    expect(await process.byPayee('u1', { batchId: 'march' })).toEqual([]);
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

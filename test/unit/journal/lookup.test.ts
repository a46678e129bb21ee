import { describe, expect, it } from 'vitest';
import { createdAnswers } from '../../../src/journal/pages.js';
import { idOf } from '../../../src/journal/payment.js';
import {
  AT,
  benchOn,
  claim,
  contentOf,
  DAY,
  deliver,
  draft,
  drafts,
  manyDrafts,
  outcome,
  pointers,
  processes,
  type Process,
  storeOutcomes,
  settled,
  payeeOf,
  runFile,
  START,
  TARGET,
  titleOf,
  replacing,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

describe.each(STORES)('what look-ups tell, in $name', (store) => {
  it('is the payment as it was stored, and its home run', async () => {
    const process = await benchOn(store).process();
    const sketch = {
      type: 'result' as const,
      key: 'a',
      says: 'work',
      like: 'u1',
      title: 'work',
      reference: 'r-1',
      date: 20758,
      measure: -5,
    };
    const files = [null, titleOf('r-2'), -9].map((reference) => runFile('p.csv', { reference }));
    const planned = { ...draft(0, sketch), amount: '12.50', currency: 'CHF' };
    const { run, ids } = await process.pass([planned], { batchId: '2026-11', files });
    const { reference, bodyHash } = planned;
    expect(await process.find('a')).toEqual({
      id: ids[0],
      type: 'result',
      key: 'a',
      bodyHash,
      reference,
      date: 20758,
      isOfFile: true,
      content: contentOf('work', 'result'),
      payee: payeeOf('u1', 'result'),
      title: titleOf('work'),
      amount: '12.50',
      currency: 'CHF',
      state: 'not_sent',
      doubtSince: null,
      isLive: true,
      claimWatermark: 0,
      at: START,
      replacedBy: null,
      hasBody: true,
      measure: -5,
      lifetimeMs: null,
      batchId: '2026-11',
      run: {
        number: run.number,
        name: run.name,
        batchId: '2026-11',
        target: TARGET,
        startedAt: START,
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
      const payee = payees[i]!;
      const each = hashes[i]!;
      return { content, payee, title: each, reference: each, measure: each, isOfFile: i % 2 === 0 };
    });
    await process.pass(said.map((each, i) => ({ ...draft(i), ...each })));
    for (const [i, each] of said.entries())
      expect(await process.journal.byPayee(AT, 'default', [each.payee])).toMatchObject([{ key: `k${i}`, ...each }]);
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
    const both = await process.journal.byPayee(AT, 'default', [payeeOf('u2'), payeeOf('u1'), payeeOf('u3')]);
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
    expect(await process.journal.unsettled(AT)).toMatchObject([a, { key: 'c', state: 'rejected' }]);
    await process.pass([draft(0, { key: 'c', says: 'mended' })], {
      digest: 'two',
      replaced: replacing(passed.ids[2]!),
    });
    expect(await process.journal.unsettled(AT)).toMatchObject([a]);
    expect(await process.journal.unsettled(there)).toHaveLength(1);
    expect(await process.journal.unsettled({ target: 'https://unknown.example', scope: '' })).toEqual([]);
  });

  it('knows whether there are other targets at all: those with a gate that was passed, sandboxes aside', async () => {
    const process = await benchOn(store).process();
    const other = { target: 'https://other.example', scope: '' };
    await process.pass(drafts('a'));
    await process.pass(drafts('b'), { target: 'sandbox', scope: 'file-1' });
    await process.prepare(drafts('c'), other);
    expect(await process.journal.hasElsewhere(AT)).toBe(false);
    expect(await process.journal.hasElsewhere(other)).toBe(true);
    await process.pass(drafts('c'), other);
    expect(await process.journal.hasElsewhere(AT)).toBe(true);
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
    const found = await process.journal.elsewhere(AT, ['a', 'x']);
    expect(found.map(({ key, state, run }) => `${key} ${state} ${run.target}`).sort()).toEqual([
      'a created https://old.example',
      'a rejected https://trial.example',
      'a unknown https://slow.example',
    ]);
    expect(await process.journal.elsewhere({ target: 'https://new.example', scope: '' }, ['a'])).toHaveLength(4);
  });
});

describe.each(STORES)('the answers of created payments, in $name', (store) => {
  it('are those of one type and target, each once, whichever runs list them', async () => {
    const process = await benchOn(store).process();
    const result = (index: number) => draft(index, { type: 'result', key: `r${index}` });
    const answered = (id: string) => outcome('created', { response: JSON.stringify({ id }) });
    const all = (id: string) => () => answered(id);
    const states = [answered('res-0'), outcome('rejected'), answered('res-2'), outcome('unknown'), answered('res-4')];
    const first = await process.pass([0, 1, 2, 3, 4, 5].map(result), { digest: 'one' });
    await deliver({ ...first, ids: first.ids.slice(0, 5) }, ({ id }) => states[first.ids.indexOf(id)]!);
    await process.list(first.ids, 'two');
    await deliver(await process.pass([draft(0, { key: 'p' })], { digest: 'three' }), all('payout'));
    const there = { target: 'https://other.example', scope: '' };
    await deliver(await process.pass([result(0)], there), all('there'));
    await process.prepare([result(9)]);

    const told = async (target: typeof there) => {
      const found: (readonly [number, unknown])[] = [];
      for await (const answers of createdAnswers(target, 'result', process.journal))
        for (const { id, response } of answers) found.push([id, JSON.parse(response)]);
      return found.toSorted(([one], [other]) => one - other);
    };
    const [one, , three, , five] = first.ids;
    expect(await told(AT)).toEqual([
      [one, { id: 'res-0' }],
      [three, { id: 'res-2' }],
      [five, { id: 'res-4' }],
    ]);
    expect(await told(there)).toMatchObject([[expect.any(Number), { id: 'there' }]]);
    expect(await told({ target: 'https://unknown.example', scope: '' })).toEqual([]);
  });
});

describe.each(STORES)('look-ups of what a record may repeat, in $name', (store) => {
  const APRIL = { batchId: 'april', digest: 'april' };
  const to = (key: string, like: string, title: string, index = 0) => draft(index, { key, like, title });
  const keys = (found: readonly { readonly key: string }[]): string[] => found.map(({ key }) => key).sort();
  const bonus: readonly [number, number] = [payeeOf('u1'), titleOf('bonus')];

  it.each([
    ['on the same host', 'https://gigs.example/other', ['a', 'there']],
    ['on the same host, under another account', `${TARGET}#two`, ['a', 'there']],
    ['on another port', 'https://gigs.example:8443/base', ['a']],
    ['on another host', 'https://other.example/base', ['a']],
    ['in the sandbox', 'sandbox', ['a']],
  ])('find payments of the payee at other targets %s', async (_, target, expected) => {
    const process = await benchOn(store).process();
    await process.pass([to('a', 'u1', 'bonus')]);
    const scope = target === 'sandbox' ? 'file-1' : '';
    await process.pass([to('there', 'u1', 'bonus')], { target, scope });
    expect(keys(await process.byPayee('u1'))).toEqual(expected);
    const there = { target, scope };
    expect(await process.journal.hasHistory(there)).toBe(true);
    expect(keys(await process.journal.byPayee(there, 'default', [payeeOf('u1')]))).toEqual(
      expected.length === 2 ? expected : ['there'],
    );
  });

  it('know whether any run has passed a gate at the target, or at another one on its host', async () => {
    const process = await benchOn(store).process();
    const neighbour = { target: 'https://gigs.example/other', scope: '' };
    const others = [
      { target: 'https://other.example', scope: '' },
      { target: 'sandbox', scope: 'file-1' },
    ];
    const has = async () => [await process.journal.hasHistory(AT), await process.journal.hasHistory(neighbour)];
    for (const other of others) await process.pass(drafts('x'), other);
    await process.prepare(drafts('a'));
    expect(await has()).toEqual([false, false]);
    expect(await process.journal.hasHistory({ target: 'sandbox', scope: 'file-2' })).toBe(false);
    await process.pass(drafts('a'), neighbour);
    expect(await has()).toEqual([true, true]);
  });

  it('find payments of the same payee and title in other batches, of this target alone', async () => {
    const process = await benchOn(store).process();
    const april = [to('a', 'u1', 'bonus'), to('b', 'u1', 'travel', 1), to('c', 'u2', 'bonus', 2)];
    await process.pass(april, APRIL);
    await process.pass([to('d', 'u1', 'bonus')], { batchId: 'march', digest: 'march' });
    await process.pass([to('e', 'u1', 'bonus')], { batchId: 'may' });
    await process.pass([to('f', 'u1', 'bonus')], { ...APRIL, target: 'https://gigs.example/other' });
    const find = async (...purposes: (readonly [number, number])[]) =>
      keys(await process.journal.byPurpose(AT, 'may', purposes));
    expect(await find(bonus)).toEqual(['a', 'd']);
    expect(await find(bonus, [payeeOf('u2'), titleOf('bonus')])).toEqual(['a', 'c', 'd']);
    expect(await find([payeeOf('u1'), titleOf('other')], [payeeOf('u3'), titleOf('bonus')])).toEqual([]);
    expect(keys(await process.journal.byPurpose(AT, 'april', [bonus]))).toEqual(['d', 'e']);
    expect(await process.journal.byPurpose(AT, 'april', [bonus])).toMatchObject([
      { batchId: 'march', run: { batchId: 'march' } },
      { batchId: 'may', run: { batchId: 'may' } },
    ]);
  });

  it('keep a payment in the batch of its first run, whichever run accepts it later', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass([to('a', 'u1', 'bonus')], APRIL);
    await first.delivery.leave();
    const records = pointers(0, [{ index: 0 }]).map((each) => ({ ...each, payment: first.ids[0]! }));
    const sends = first.ids;
    await process.commit(await process.plan(await process.prepare([]), [], { records, sends, batchId: 'may' }));
    expect(keys(await process.byPayee('u1', { batchId: 'april' }))).toEqual(['a']);
    expect(await process.byPayee('u1', { batchId: 'may' })).toEqual([]);
    expect(keys(await process.journal.byPurpose(AT, 'may', [bonus]))).toEqual(['a']);
    expect(await process.journal.byPurpose(AT, 'april', [bonus])).toEqual([]);
  });

  /** A run of `a`, which goes on with `b` from a later preparation, in April. */
  async function takenOver(process: Process): Promise<void> {
    const first = await process.pass([to('a', 'u1', 'bonus')], APRIL);
    await first.delivery.leave();
    const more = [to('b', 'u1', 'bonus', 1)];
    const preparation = await process.prepare(more, APRIL);
    const [b] = pointers(preparation.number, more);
    const [a] = pointers(first.run.number, [{ index: 0 }]);
    await process.join(first.run, { preparation, list: { files: first.run.files, records: [a!, b!], invalid: [] } });
  }

  it('find payments that a run took over from a later preparation, in the batch of that run', async () => {
    const process = await benchOn(store).process();
    await takenOver(process);
    expect(keys(await process.byPayee('u1', { batchId: 'april' }))).toEqual(['a', 'b']);
    expect(keys(await process.journal.open(AT, 'april'))).toEqual(['a', 'b']);
  });

  // Look-ups take a payment without a home run for one of any batch that has none of its own.
  it('find them in no other batch', async () => {
    const process = await benchOn(store).process();
    await takenOver(process);
    expect(await process.byPayee('u1', { batchId: 'june' })).toEqual([]);
    expect(await process.journal.open(AT, 'june')).toEqual([]);
    expect(keys(await process.journal.byPurpose(AT, 'may', [bonus]))).toEqual(['a', 'b']);
  });

  it('find payments in other batches whose last correction is young, open or corrected itself', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const first = await process.pass(drafts('old', 'young', 'open', 'chain', 'left'), APRIL);
    await deliver(first, 'rejected');
    await first.delivery.leave();
    const mend = async (key: string, of: number, state: 'created' | null) => {
      const passed = await process.pass(drafts(key), { ...APRIL, digest: key, replaced: replacing(of) });
      if (state !== null) await deliver(passed, state);
      await passed.delivery.leave();
      return passed.ids[0]!;
    };
    const [old, young, open, chain] = first.ids as [number, number, number, number];
    await mend('old-2', old, 'created');
    bench.clock.now += DAY;
    await mend('young-2', young, 'created');
    await mend('open-2', open, null);
    const passed = await process.pass(drafts('chain-2'), { ...APRIL, digest: 'c', replaced: replacing(chain) });
    await deliver(passed, 'rejected');
    await passed.delivery.leave();
    bench.clock.now += DAY;
    await mend('chain-3', passed.ids[0]!, 'created');
    const since = async (batchId: string, at: number, place = AT) =>
      keys(await process.journal.replacedSince(place, batchId, at));
    expect(await since('may', START + DAY / 2)).toEqual(['chain', 'chain-2', 'open', 'young']);
    expect(await since('may', START + 1.5 * DAY)).toEqual(['chain', 'chain-2', 'open']);
    expect(await since('may', START - 1)).toEqual(['chain', 'chain-2', 'old', 'open', 'young']);
    expect(await since('april', START - 1)).toEqual([]);
    expect(await since('may', START - 1, { target: 'https://gigs.example/other', scope: '' })).toEqual([]);
  });

  it('find the open payments of a batch, in runs that nobody has closed', async () => {
    const process = await benchOn(store).process();
    const states = { a: 'created', b: 'rejected', c: 'unknown', d: 'not_sent' } as const;
    const first = await process.pass(drafts('a', 'b', 'c', 'd', 'e'), APRIL);
    await deliver({ ...first, ids: first.ids.slice(0, 4) }, ({ key }) => states[key as keyof typeof states]);
    const open = async (batchId = 'april', at = AT) => keys(await process.journal.open(at, batchId));
    expect(await open()).toEqual(['d', 'e']);
    await first.delivery.leave();
    expect(await open()).toEqual(['d', 'e']);
    expect([await open('may'), await open('april', { target: `${TARGET}#two`, scope: '' })]).toEqual([[], []]);
    // Settled as not created, a payment is open again.
    const [, , doubtful] = await process.records(first.run);
    await process.settle(first.run, [doubtful!], outcome('not_sent'), 'looked up');
    expect(await open()).toEqual(['c', 'd', 'e']);
    await process.pass([draft(0, { key: 'e2' })], { ...APRIL, digest: 'x', replaced: replacing(first.ids[1]!) });
    expect(await open()).toEqual(['c', 'd', 'e', 'e2']);
    await process.journal.close(first.run, 'given up');
    expect(await open()).toEqual(['e2']);
  });

  it('find no open payments among records that were left out, nor in a preparation', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), APRIL);
    await deliver(first);
    await first.delivery.leave();
    const planned = drafts('b', 'c');
    const preparation = await process.prepare(planned, APRIL);
    expect(await process.journal.open(AT, 'april')).toEqual([]);
    const [b, c] = pointers(preparation.number, planned);
    const records = [{ ...b!, standsFor: first.ids[0]! }, c!];
    await process.commit(await process.plan(preparation, planned, { ...APRIL, digest: 'two', records }));
    expect(keys(await process.journal.open(AT, 'april'))).toEqual(['c']);
  });

  it('tell where records were sent, in stretches, without those that were left out', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(7);
    const preparation = await process.prepare(planned);
    const files = [runFile('a.csv'), runFile('b.xlsx', { sha256: 'f2', sheetName: 'May' })];
    const records = pointers(preparation.number, planned).map((each, i) => {
      if (i >= 5) return { ...each, file: 1, record: i - 4, line: null };
      return i === 2 ? { ...each, standsFor: idOf(preparation.number, 0) } : each;
    });
    const { run, ids } = await process.commit(await process.plan(preparation, planned, { files, records }));
    const places = await process.journal.sentBy([run.number]);
    expect(places.toSorted((one, other) => one.payment - other.payment)).toEqual([
      { run: run.number, sha256: 'f1', sheet: null, payment: ids[0], count: 2, record: 1, line: 2 },
      { run: run.number, sha256: 'f1', sheet: null, payment: ids[3], count: 2, record: 4, line: 5 },
      { run: run.number, sha256: 'f2', sheet: 'May', payment: ids[5], count: 2, record: 1, line: null },
    ]);
    expect(await process.journal.sentBy([])).toEqual([]);
    expect(await process.journal.sentBy([run.number + 1])).toEqual([]);
    const same = async (...hashes: string[]) => process.journal.inSameFiles(AT, 'default', hashes);
    expect(await same('f2')).toEqual(places.filter(({ sha256 }) => sha256 === 'f2'));
    expect(await same('f1', 'f2')).toHaveLength(3);
    expect([await same(), await same('f3')]).toEqual([[], []]);
  });

  it('find files with the same bytes in the batch, at targets on the same host, once their run has passed', async () => {
    const process = await benchOn(store).process();
    const files = [runFile('a.csv', { sha256: 'same' })];
    await process.pass(drafts('a'), { files, batchId: 'april', digest: '1' });
    const there = await process.pass(drafts('a'), { files, batchId: 'april', target: 'https://gigs.example/other' });
    await process.pass(drafts('a'), { files, batchId: 'april', target: 'https://other.example' });
    await process.pass(drafts('b'), { files, batchId: 'may', digest: '2' });
    await process.pass(drafts('c'), { files: [runFile('a.csv')], batchId: 'april', digest: '3' });
    await process.prepare(drafts('d'), { batchId: 'april' });
    const found = async (batchId: string) =>
      (await process.journal.inSameFiles(AT, batchId, ['same'])).map(({ run }) => run).sort((a, b) => a - b);
    expect(await found('april')).toEqual([1, there.run.number]);
    expect(await found('may')).toHaveLength(1);
    expect(await found('june')).toEqual([]);
  });
});

describe.each(STORES)('a payment is live, in $name', (store) => {
  const isLive = async (process: Process, key: string) => (await process.find(key))!.isLive;

  it('while a live call has accepted it, until it is created', async () => {
    const [one, other] = await processes(store);
    const { delivery, ids } = await one.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, [ids[0]!]);
    expect([await isLive(other, 'a'), await isLive(other, 'b')]).toEqual([true, true]);
    await storeOutcomes(delivery, settled(claimed[0]!, 'created'));
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

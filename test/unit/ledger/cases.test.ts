import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/ledger/payment.js';
import { AT, benchOn, claim, contentOf, deliver, draft, drafts, keysOf, similarityOf, START } from './kit.js';
import { STORES } from './stores.js';

// What two calls do to each other, from the first look-up to the last outcome. Other cases stand where their subject is:
// what is replaced and what goes on in gate.test.ts, what died in death.test.ts, persons' words in settling.test.ts.

describe.each(STORES)('the same file twice at once, in $name', (store) => {
  it('is one run of the same payments: the second gate is refused, and that call goes on when the first has ended', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const planned = drafts('a', 'b', 'c');
    const [mine, theirs] = [await one.prepare(planned), await other.prepare(planned)];
    const [first, second] = [await one.plan(mine, planned), await other.plan(theirs, planned)];
    const { delivery, run, ids } = await one.commit(first);
    expect(await other.ledger.commit(second)).toBeNull();
    // Looking again, it finds the run and the call that sends it.
    const [found] = await other.ledger.runs({ target: AT, digest: 'digest' });
    expect(found).toEqual(run);
    expect(await other.ledger.liveCalls()).toMatchObject([{ run: run.number, name: run.name }]);
    await deliver({ delivery, ids });
    await delivery.leave();
    expect(await other.ledger.liveCalls()).toEqual([]);
    const joined = await other.join(found!, { preparation: theirs });
    expect(joined.ids).toEqual(ids);
    expect(await other.ledger.bodies([idOf(theirs.number, 0)])).toEqual([null]);
    const { claimed, unclaimed } = await claim(joined.delivery, ids);
    expect([claimed, unclaimed.map(({ why }) => why)]).toEqual([[], ['settled', 'settled', 'settled']]);
    expect(await one.ledger.runs()).toHaveLength(1);
  });
});

describe.each(STORES)('equal content under other keys, both past their review, in $name', (store) => {
  it('passes once: the second gate is refused, and sees the first’s open payments of a live run', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const bonus = (key: string) => [draft(0, { key, says: 'bonus', like: 'u1 bonus' })];
    const look = () => other.ledger.bySimilarity(AT, [similarityOf('u1 bonus')]);
    const [mine, theirs] = [await one.prepare(bonus('k1')), await other.prepare(bonus('k2'))];
    const [first, second] = [await one.plan(mine, bonus('k1')), await other.plan(theirs, bonus('k2'))];
    expect(await look()).toEqual([]);
    const passed = await one.commit(first);
    expect(await other.ledger.commit({ ...second, digest: 'two' })).toBeNull();
    const seen = { key: 'k1', content: contentOf('bonus'), state: 'not_sent' };
    expect(await look()).toMatchObject([{ ...seen, isLive: true, run: { isClosed: false } }]);
    await deliver(passed);
    expect(await look()).toMatchObject([{ ...seen, state: 'created', isLive: false }]);
  });
});

describe.each(STORES)('the open key of a stopped run, with other content, in $name', (store) => {
  it('passes on; the first run finds that it is taken, and sends the rest', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a', 'b'), { digest: 'one' });
    await first.delivery.leave();
    await process.ledger.end(first.run, { finishedAt: START, exitCode: 130, stopReason: 'interrupted' });
    const second = await process.pass([draft(0, { key: 'a', says: 'other' })], {
      digest: 'two',
      replaced: ({ number }) => [{ payment: first.ids[0]!, by: idOf(number, 0) }],
    });
    await deliver(second);
    expect(await process.find('a')).toMatchObject({ state: 'created', content: contentOf('other') });
    const again = await process.join(first.run);
    const { claimed, unclaimed } = await claim(again.delivery, first.ids);
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([{ id: first.ids[0], why: 'unsendable' }]);
    expect(await process.records(first.run)).toMatchObject([
      { key: 'a', outcome: null, replacedBy: { run: second.run.name, key: 'a' } },
      { key: 'b', replacedBy: null },
    ]);
  });
});

describe.each(STORES)('a rejected payment that comes again as it was, in $name', (store) => {
  it('may be another payment under its key, which replaces it', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), { digest: 'one' });
    await deliver(first, 'rejected');
    await first.delivery.leave();
    const second = await process.pass(drafts('a'), {
      digest: 'two',
      replaced: ({ number }) => [{ payment: first.ids[0]!, by: idOf(number, 0) }],
    });
    await deliver(second);
    expect(await process.states(first.run)).toEqual(['rejected']);
    expect(await process.states(second.run)).toEqual(['created']);
    const again = await process.join(first.run);
    expect(keysOf(await claim(again.delivery, first.ids))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { benchOn, claim, deliver, drafts, keysOf, settle, settled, AT, START } from './kit.js';
import { STORES } from './stores.js';

describe.each(STORES)('a run, in $name', (store) => {
  it('is stored, passes its gate, is sent, and tells what became of its payments', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    expect(await process.ledger.isEmpty(AT)).toBe(true);
    const passed = await process.pass(drafts('a', 'b', 'c'));
    expect(await process.ledger.isEmpty(AT)).toBe(false);
    const { claimed } = await claim(passed.delivery, passed.ids);
    expect(claimed.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await settle(passed.delivery, settled(claimed[0]!, 'created'), settled(claimed[1]!, 'rejected'));
    expect(await process.states(passed.run)).toEqual(['created', 'rejected', null]);
    expect(await process.find('c')).toMatchObject({ state: 'not_sent', isLive: true, moment: 0, at: START });
    expect(await process.find('a')).toMatchObject({ state: 'created', isLive: false });
    await settle(passed.delivery, settled(claimed[2]!, 'unknown'));
    expect((await process.ledger.inDoubt(AT)).map(({ key }) => key)).toEqual(['c']);
    await passed.delivery.leave();
    await process.ledger.end(passed.run, { finishedAt: START, exitCode: 5, stopReason: null });
    expect(keysOf(await claim((await process.join(passed.run)).delivery, passed.ids))).toEqual(['c']);
  });

  it('is delivered', async () => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('a', 'b'));
    await deliver(passed);
    expect(await process.states(passed.run)).toEqual(['created', 'created']);
  });
});

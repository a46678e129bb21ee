import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/journal/payment.js';
import {
  AT,
  benchOn,
  claim,
  draft,
  drafts,
  keysOf,
  manyDrafts,
  outcome,
  processes,
  storeOutcomes,
  settled,
  START,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

const mixed = () => [draft(0, { type: 'gig', key: 'g0' }), draft(1, { key: 'p1' }), draft(2, { key: 'p2' })];
const CUT_OFF = 'the process ended before the answer came: this may have been paid or created';

describe.each(STORES)('a process that died, in $name', (store) => {
  it('leaves what it had claimed in doubt from the moment of the claim, and nothing else', async () => {
    const bench = benchOn(store);
    const gone = await bench.process();
    const other = await bench.process();
    const { run, delivery, ids } = await gone.pass(mixed());
    const prepared = idOf((await gone.prepare(drafts('prepared'))).number, 0);
    bench.clock.now = START + 60_000;
    await claim(delivery, ids.slice(0, 2));
    await gone.die();
    expect(await other.journal.bodies([prepared])).not.toEqual([null]);
    bench.clock.now = START + 120_000;
    await other.journal.recover();
    const doubt = {
      state: 'unknown',
      httpStatus: null,
      attempts: 1,
      response: null,
      error: CUT_OFF,
      requestId: null,
      doubtSince: START + 6e4,
      run: run.number,
      at: START + 6e4,
    };
    expect(await other.outcomes(run)).toEqual([doubt, doubt, null]);
    expect((await other.journal.unsettled(AT)).map(({ key }) => key)).toEqual(['g0', 'p1']);
    expect((await other.records(run)).map(({ isClaimed }) => isClaimed)).toEqual([false, false, false]);
    expect(await other.journal.bodies([prepared])).toEqual([null]);
  });

  it('is told as if it had been taken over, before it is, and to those who only read', async () => {
    const bench = benchOn(store);
    const gone = await bench.process();
    const other = await bench.process();
    const { run, delivery, ids } = await gone.pass(mixed());
    bench.clock.now = START + 5;
    await claim(delivery, ids.slice(0, 1));
    await gone.die();
    const reader = await bench.reader();
    const doubt = { state: 'unknown', doubtSince: START + 5, at: START + 5, isLive: false };
    for (const process of [reader!, other]) {
      expect(await process.outcomes(run)).toMatchObject([
        { state: 'unknown', attempts: 1, doubtSince: START + 5, error: CUT_OFF },
        null,
        null,
      ]);
      expect(await process.find('g0')).toMatchObject(doubt);
      expect(await process.find('p1')).toMatchObject({ state: 'not_sent', isLive: false, claimWatermark: 0 });
      expect(await process.byPayee('says g0', { type: 'gig' })).toMatchObject([doubt]);
      expect(await process.journal.unsettled(AT)).toMatchObject([{ key: 'g0', ...doubt }]);
      expect(await process.journal.liveCalls()).toEqual([]);
    }
    const { claimWatermark } = (await reader!.find('g0'))!;
    expect(claimWatermark).toBeGreaterThan(run.claimWatermark);
    await other.journal.recover();
    expect(await reader!.find('g0')).toMatchObject({ ...doubt, claimWatermark });
  });

  it('is not taken for dead while it lives', async () => {
    const [one, other] = await processes(store);
    const { run, delivery, ids } = await one.pass(mixed());
    const { claimed } = await claim(delivery, ids);
    await other.journal.recover();
    expect(await other.find('p1')).toMatchObject({ state: 'not_sent', isLive: true });
    expect((await other.records(run)).map(({ isClaimed }) => isClaimed)).toEqual([true, true, true]);
    await storeOutcomes(delivery, ...claimed.map((each) => settled(each, 'created')));
    expect(await other.states(run)).toEqual(['created', 'created', 'created']);
  });

  it('leaves in doubt only what it had not settled of a claim; the first doubt and all attempts are kept', async () => {
    const bench = benchOn(store);
    const first = await bench.process();
    const gone = await bench.process();
    const other = await bench.process();
    const { run, delivery, ids } = await first.pass(manyDrafts(5));
    const doubt = outcome('unknown', { doubtSince: START - 5, attempts: 2 });
    const told = [outcome('created'), doubt, outcome('rejected'), outcome('not_sent', { attempts: 6 })];
    const { claimed } = await claim(delivery, ids.slice(0, 4));
    await storeOutcomes(delivery, ...claimed.map((each, i) => settled(each, told[i]!)));
    await delivery.leave();
    bench.clock.now = START + 1000;
    const again = await gone.join(run);
    const taken = await claim(again.delivery, ids);
    expect(keysOf(taken)).toEqual(['k1', 'k2', 'k3', 'k4']);
    await storeOutcomes(again.delivery, settled(taken.claimed[3]!, 'created'));
    await gone.die();
    await other.journal.recover();
    const unknown = { state: 'unknown', httpStatus: null, response: null };
    expect(await other.outcomes(run)).toMatchObject([
      { state: 'created' },
      { ...unknown, attempts: 3, doubtSince: START - 5 },
      { ...unknown, attempts: 2, doubtSince: START + 1000 },
      { ...unknown, attempts: 7, doubtSince: START + 1000 },
      { state: 'created' },
    ]);
  });

  it('leaves in doubt what it had under way when an outcome beside it could not be stored', async () => {
    const [gone, other] = await processes(store);
    const { run, delivery, ids } = await gone.pass(drafts('a', 'b'));
    const [a, b] = (await claim(delivery, ids)).claimed;
    const cannotBeStored = outcome('created', { attempts: null as unknown as number });
    await expect(storeOutcomes(delivery, settled(a!, 'created'), settled(b!, cannotBeStored))).rejects.toThrow(
      /not.null/i,
    );
    expect(await other.states(run)).toEqual([null, null]);
    await storeOutcomes(delivery, settled(a!, 'created'));
    await gone.die();
    await other.journal.recover();
    expect(await other.states(run)).toEqual(['created', 'unknown']);
  });

  it('settles the doubt with an answer that comes late, if it says created; nothing else counts', async () => {
    const bench = benchOn(store);
    const gone = await bench.process();
    const { run, delivery, ids } = await gone.pass(manyDrafts(5));
    const { claimed } = await claim(delivery, ids);
    // It is taken for dead, and lives: as where somebody removes files of the state folder, or where a machine hangs.
    await store.takeForDead(bench.place);
    const other = await bench.process();
    await other.journal.recover();
    expect(await other.states(run)).toEqual(Array(5).fill('unknown'));
    const late = (['created', 'rejected', 'not_sent', 'unknown'] as const).map((state, i) => {
      return settled(claimed[i]!, outcome(state, { doubtSince: state === 'unknown' ? START + 99 : null }));
    });
    const refused = delivery.storeAndClaim(late, [ids[4]!]);
    await expect(refused).rejects.toThrow(/another process took this one for dead/);
    expect(await other.outcomes(run)).toMatchObject([
      { state: 'created', doubtSince: null },
      ...[1, 2, 3, 4].map(() => ({ state: 'unknown', doubtSince: START, error: CUT_OFF })),
    ]);
    // It can neither store nor pass a gate any more.
    await expect(gone.prepare(drafts('x'))).rejects.toThrow(/took this one for dead/);
    await expect(gone.join(run)).rejects.toThrow(/took this one for dead/);
  });

  it('makes a plan that was computed before be computed again, by an answer that comes late and settles the doubt', async () => {
    const bench = benchOn(store);
    const gone = await bench.process();
    const { delivery, ids } = await gone.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, ids);
    await store.takeForDead(bench.place);
    const other = await bench.process();
    await other.journal.recover();
    for (const [i, state] of (['rejected', 'created'] as const).entries()) {
      const plan = await other.plan(await other.prepare(drafts('x')), drafts('x'), { digest: 'two' });
      await storeOutcomes(delivery, settled(claimed[i]!, state));
      expect(await other.journal.version(AT)).toBe(plan.version + i);
      if (state === 'created') expect(await other.journal.commit(plan)).toBeNull();
    }
    expect((await other.journal.unsettled(AT)).map(({ key }) => key)).toEqual(['a']);
  });

  it('does not settle with a late refusal what another process has claimed since', async () => {
    const bench = benchOn(store);
    const gone = await bench.process();
    const { run, delivery, ids } = await gone.pass(drafts('a', 'b'));
    const { claimed } = await claim(delivery, ids);
    await store.takeForDead(bench.place);
    const other = await bench.process();
    await other.journal.recover();
    const joined = await other.join(run);
    expect(keysOf(await claim(joined.delivery, ids))).toEqual(['a', 'b']);
    await storeOutcomes(delivery, settled(claimed[0]!, 'rejected'), settled(claimed[1]!, 'created'));
    expect(await other.states(run)).toEqual(['unknown', 'created']);
    expect((await other.records(run)).map(({ isClaimed }) => isClaimed)).toEqual([true, false]);
  });
});

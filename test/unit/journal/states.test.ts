import { describe, expect, it } from 'vitest';
import {
  AT,
  benchOn,
  deliver,
  draft,
  drafts,
  invalidRecord,
  manyDrafts,
  pointers,
  processes,
  replacing,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

describe.each(STORES)('how the records of a run stand, in $name', (store) => {
  it('is told the same on every page, with what sums need and with what plans need', async () => {
    const process = await benchOn(store).process();
    const earlier = await process.pass(drafts('x', 'y'), { digest: 'one' });
    await deliver(earlier, ({ key }) => (key === 'x' ? 'created' : 'unknown'));
    const planned = [...manyDrafts(12), draft(13), draft(14)];
    const preparation = await process.prepare(planned);
    const invalid = [invalidRecord(12, 'no amount')];
    // Two are left out, in one stretch, for two payments that follow each other, and one for its own.
    const [x, y] = earlier.ids as [number, number];
    const records = pointers(preparation.number, planned).map((each) => {
      return each.index < 13 ? each : { ...each, standsFor: each.index === 13 ? x : y };
    });
    records.push({ index: 15, file: 0, record: 16, line: 17, payment: x, standsFor: x });
    const passed = await process.commit(await process.plan(preparation, planned, { records, invalid, digest: 'two' }));
    const answers = ['rejected', 'unknown'] as const;
    await deliver(
      { ...passed, ids: passed.ids.slice(0, 10) },
      ({ key }) => answers[Number(key.slice(1)) - 8] ?? 'created',
    );
    const { journal } = process;
    const told = await process.records(passed.run);
    // What was left out has the state of the payment that it stands for.
    expect(told.map(({ outcome }) => outcome?.state ?? 'not_sent')).toEqual([
      ...Array.from({ length: 8 }, () => 'created'),
      'rejected',
      'unknown',
      'not_sent',
      'not_sent',
      'not_sent',
      'created',
      'unknown',
      'created',
    ]);
    const sums = told.map(({ payment, standsFor, isClaimed, outcome, ...record }) => ({
      index: record.index,
      type: record.type,
      payment: standsFor?.payment ?? payment,
      isLeftOut: standsFor !== null,
      state: isClaimed ? 'unknown' : (outcome?.state ?? 'not_sent'),
      settledBy: outcome?.run ?? null,
      doubtSince: outcome?.doubtSince ?? outcome?.at ?? null,
      amount: record.amount,
      currency: record.currency,
      costCenter: record.costCenter,
    }));
    const plans = told.flatMap(({ index, payment, standsFor, outcome }) => {
      const isCreated = outcome?.state === 'created';
      // Of what is left out, it does not matter.
      return payment === null
        ? []
        : { index, payment, standsFor: standsFor?.payment ?? null, ...(standsFor === null ? { isCreated } : {}) };
    });
    for (let size = 1; size <= 17; size++) {
      const summed = [];
      const states = new Map<number, object>();
      for (let from = 0; from < told.length; from += size) {
        summed.push(...(await journal.sums(passed.run, from, size)));
        for (const each of await journal.states(passed.run, from, size)) states.set(each.index, each);
      }
      expect(summed).toEqual(sums);
      expect([...states.values()]).toMatchObject(plans);
    }
  });

  it('is in doubt under a claim that is open, and created for good', async () => {
    const [one, other] = await processes(store);
    const { run, delivery, ids } = await one.pass(manyDrafts(3));
    await deliver({ delivery, ids: ids.slice(0, 2) });
    await delivery.storeAndClaim([], ids.slice(2));
    expect((await other.journal.states(run, 0, 10)).map(({ isCreated }) => isCreated)).toEqual([true, true, false]);
    const told = (await other.journal.sums(run, 0, 10)).map(({ state }) => state);
    expect(told).toEqual(['created', 'created', 'unknown']);
  });
});

describe.each(STORES)('which records are payments already, in $name', (store) => {
  const keyed = (of: ReturnType<typeof drafts>) => of.map(({ key, bodyHash }) => ({ key, bodyHash }));

  it('is told page by page, wherever the input begins or stops to be the earlier one', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(12);
    const { ids } = await process.pass(planned);
    const asked = [
      ...planned.slice(3, 9),
      draft(0, { key: 'k9', says: 'other' }),
      draft(0, { key: 'new' }),
      planned[11]!,
    ];
    const expected = [...ids.slice(3, 9), 0, 0, ids[11]];
    for (let size = 1; size <= asked.length; size++) {
      const found = [];
      for (let at = 0; at < asked.length; at += size)
        found.push(...(await process.journal.stored(AT, keyed(asked.slice(at, at + size)))));
      expect(found).toEqual(expected);
    }
  });

  it('tells gigs of one content apart by their keys, which their bodies do not have', async () => {
    const process = await benchOn(store).process();
    const gigs = ['a', 'b', 'c', 'd'].map((key) => ({ type: 'gig' as const, key, says: 'same' }));
    const planned = drafts(...gigs);
    const { ids } = await process.pass(planned);
    expect(await process.journal.stored(AT, keyed(planned.slice(0, 1)))).toEqual([ids[0]]);
    expect(await process.journal.stored(AT, keyed([planned[1]!, planned[3]!, planned[2]!]))).toEqual([
      ids[1],
      ids[3],
      ids[2],
    ]);
  });

  it('are none of those whose key was passed on, whose draft was not listed, or whose gate was not passed', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(6);
    const preparation = await process.prepare(planned);
    const records = pointers(
      preparation.number,
      planned.filter(({ index }) => index !== 3),
    );
    const { ids } = await process.commit(await process.plan(preparation, planned, { records }));
    const mended = draft(0, { key: 'k1', says: 'mended' });
    await process.pass([mended], {
      digest: 'two',
      replaced: replacing(ids[1]!),
    });
    await process.prepare(drafts('draft'));
    const asked = keyed([...planned, ...drafts('draft')]);
    const expected = [ids[0], 0, ids[2], 0, ids[3], ids[4], 0];
    expect(await process.journal.stored(AT, asked)).toEqual(expected);
    expect(await process.journal.stored(AT, asked.slice(0, 1))).toEqual([ids[0]]);
    expect(await process.journal.stored(AT, asked.slice(1))).toEqual(expected.slice(1));
  });
});

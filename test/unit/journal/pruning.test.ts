import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/journal/payment.js';
import {
  benchOn,
  claim,
  DAY,
  deliver,
  draft,
  drafts,
  outcome,
  pointers,
  processes,
  type Process,
  storeOutcomes,
  settled,
  START,
  invalidRecord,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

const NAME = 'Petronella Planted';

/** How often the name stands in each file of the folder. */
function found(folder: string): Record<string, number> {
  const count = (name: string): number => readFileSync(join(folder, name), 'latin1').split(NAME).length - 1;
  return Object.fromEntries(readdirSync(folder).map((name) => [name, count(name)]));
}

async function bodiesOf(process: Process, run: Parameters<Process['records']>[0]): Promise<boolean[]> {
  return (await process.records(run)).map(({ body }) => body !== null);
}

const end = { finishedAt: START, exitCode: 4, stopReason: null };

describe.each(STORES)('pruning, in $name', (store) => {
  it('removes bodies, answers and errors of what is created, or rejected in a run at its end', async () => {
    const process = await benchOn(store).process();
    const states = { a: 'created', b: 'rejected', c: 'unknown', d: 'not_sent' } as const;
    const invalid = [invalidRecord(5, 'IBAN: XY', { body: '{"user_id":"u1"}' })];
    const passed = await process.pass(drafts('a', 'b', 'c', 'd', 'e'), { invalid });
    await deliver({ ...passed, ids: passed.ids.slice(0, 4) }, ({ key }) => states[key as keyof typeof states]);
    await passed.delivery.leave();
    await process.journal.end(passed.run, { ...end, exitCode: 5 });
    expect(await process.journal.prune(START)).toBe(0);
    expect(await process.journal.prune(START + 1)).toBe(1);
    expect(await bodiesOf(process, passed.run)).toEqual([false, true, true, true, true, false]);
    await process.journal.end(passed.run, end);
    expect(await process.journal.prune(START + 1)).toBe(1);
    expect(await bodiesOf(process, passed.run)).toEqual([false, false, true, true, true, false]);
    const records = await process.records(passed.run);
    expect(records.map((record) => [record.key, record.outcome?.state, record.error])).toEqual([
      ['a', 'created', null],
      ['b', 'rejected', null],
      ['c', 'unknown', null],
      ['d', 'not_sent', null],
      ['e', undefined, null],
      [null, undefined, null],
    ]);
    const kept = records.map(({ outcome: known }) => known?.response ?? known?.error ?? null);
    expect(kept).toEqual([null, null, 'no whole answer', null, null, null]);
    expect(records[0]!.bodyHash).toBe(draft(0, { key: 'a' }).bodyHash);
    expect(await process.find('a')).toMatchObject({ state: 'created', hasBody: false, amount: '1200' });
  });

  it('leaves alone what is delivered at this moment', async () => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('a'));
    await deliver(passed);
    expect(await process.journal.prune(START + DAY)).toBe(0);
    await passed.delivery.leave();
    expect(await process.journal.prune(START + DAY)).toBe(1);
  });

  it('leaves a rejected payment its body while a run that lists it may still send it', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('x', 'a', 'b'), { digest: 'one' });
    await deliver(first, 'rejected');
    await first.delivery.leave();
    await process.journal.end(first.run, end);
    const second = await process.list([first.ids[1]!], 'two');
    await second.delivery.leave();
    expect(await process.journal.prune(START + DAY)).toBe(2);
    expect(await bodiesOf(process, first.run)).toEqual([false, true, false]);
    await process.journal.close(second.run, '');
    expect(await process.journal.prune(START + DAY)).toBe(1);
  });

  it('knows payments that a run took from a later preparation as that run’s', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), { digest: 'one' });
    await deliver(first, 'rejected');
    await first.delivery.leave();
    const preparation = await process.prepare([draft(0, { key: 'a', says: 'other' })]);
    const by = idOf(preparation.number, 0);
    const again = await process.join(first.run, {
      preparation,
      list: { files: [], records: pointers(preparation.number, [{ index: 0 }]), invalid: [] },
      replaced: [{ payment: first.ids[0]!, by }],
    });
    await deliver(again, 'rejected');
    await again.delivery.leave();
    expect(await process.journal.prune(START + DAY)).toBe(0);
    await process.journal.end(first.run, end);
    expect(await process.journal.prune(START + DAY)).toBe(2);
  });
});

describe.each(STORES)('pruning between the review and the gate, in $name', (store) => {
  it('is noticed: nothing is accepted that has no body', async () => {
    const process = await benchOn(store).process();
    const { run, ids, delivery } = await process.pass(drafts('a', 'b'));
    await deliver({ delivery, ids }, 'rejected');
    await delivery.leave();
    await process.journal.end(run, { finishedAt: START, exitCode: 4, stopReason: null });
    const plan = await process.goingOn(run, { sends: ids });
    await process.journal.prune(START + DAY);
    expect(await process.journal.commit(plan)).toBeNull();
    expect((await process.journal.pruned(ids)).toSorted((a, b) => a - b)).toEqual(ids);
    expect(await process.states(run)).toEqual(['rejected', 'rejected']);
  });
});

describe.each(STORES)('pruning records that were left out, in $name', (store) => {
  it('waits for the end of the run that has left them out, whichever preparation brought them along', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), { digest: 'one' });
    await deliver(first);
    await first.delivery.leave();
    const preparation = await process.prepare([draft(0, { key: 'x' })]);
    const second = await process.pass(drafts('b'), { digest: 'two' });
    const own = { ...pointers(0, [{ index: 1 }])[0]!, payment: second.ids[0]! };
    const leftOut = { ...pointers(preparation.number, [{ index: 0 }])[0]!, standsFor: first.ids[0]! };
    const list = { files: [], records: [leftOut, own], invalid: [] };
    const again = await process.join(second.run, { preparation, list });
    await again.delivery.leave();
    await process.journal.prune(START + DAY);
    expect(await bodiesOf(process, second.run)).toEqual([true, true]);
    await process.journal.close(second.run, '');
    await process.journal.prune(START + DAY);
    expect(await bodiesOf(process, second.run)).toEqual([false, true]);
    expect(await process.records(second.run)).toMatchObject([{ key: 'x', standsFor: { key: 'a', body: null } }, {}]);
  });
});

describe.each(STORES.filter(({ name }) => name === 'SQLite'))('pruning the file of $name', (store) => {
  it('leaves the name in no byte of it, whatever was moved and deleted before', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const planned = Array.from({ length: 1000 }, (_, index) => draft(index, { says: `${NAME} ${index}` }));
    const invalid = [invalidRecord(1000, `${NAME}: no amount`, { body: JSON.stringify({ user_id: NAME }) })];
    const { run, delivery, ids } = await process.pass(planned, { invalid });
    const { claimed } = await claim(delivery, ids);
    // Answered out of order, and of every length: pages of the table are split, and rows move to other pages.
    const answered = claimed.toSorted((a, b) => ((a.id * 7) % 61) - ((b.id * 7) % 61));
    for (const each of answered) {
      const response = JSON.stringify({ id: NAME, note: 'x'.repeat((each.id * 37) % 300) });
      await storeOutcomes(delivery, settled(each, outcome('created', { response })));
    }
    await delivery.leave();
    await process.journal.end(run, end);
    const given = await process.prepare(
      planned.slice(0, 50).map((each) => draft(each.index, { key: `g${each.index}`, says: NAME })),
    );
    await given.abandon();
    expect(Object.values(found(bench.place)).some((count) => count > 0)).toBe(true);
    expect(await process.journal.prune(START + DAY)).toBe(claimed.length);
    expect(found(bench.place)).toEqual(Object.fromEntries(readdirSync(bench.place).map((name) => [name, 0])));
    expect(new Set((await process.states(run)).slice(0, 1000))).toEqual(new Set(['created']));
  });

  it('lets another process go on with what it delivers and prepares', async () => {
    const [delivering, pruning] = await processes(store);
    const before = await delivering.pass(drafts('a', 'b', 'c'), { digest: 'd1' });
    await deliver(before);
    await before.delivery.leave();
    const passed = await delivering.pass(drafts('x', 'y', 'z'), { digest: 'd2' });
    const { claimed } = await claim(passed.delivery, [passed.ids[0]!]);
    const preparation = await delivering.prepare(drafts('p', 'q'));
    expect(await pruning.journal.prune(START + DAY)).toBe(3);
    await deliver({ ...passed, ids: passed.ids.slice(1) });
    await storeOutcomes(passed.delivery, settled(claimed[0]!, 'created'));
    expect(await delivering.states(passed.run)).toEqual(['created', 'created', 'created']);
    const [body] = await delivering.journal.bodies([idOf(preparation.number, 1)]);
    expect(body).toContain('says q');
    expect(await pruning.states(before.run)).toEqual(['created', 'created', 'created']);
  });
});

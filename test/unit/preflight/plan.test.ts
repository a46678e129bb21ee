import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/ledger/ledger.js';
import { bodyOf as bodyPayment, toSend } from '../../../src/preflight/plan.js';
import { benchOn, claim, DAY, keysOf, type Process, START } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { list, look, lookAgain, pass, plan, run } from './desk.js';
import { bodyOf, fatesOf, type Row, SKIP } from './kit.js';

const LATER = START + 2 * DAY;
const own = { source: 'own' } as const;
const retried = { rules: { retryRejected: true } };

async function bodyIn(process: Process, payment: number): Promise<string | null> {
  return (await process.ledger.bodies([payment]))[0] ?? null;
}

describe.each(STORES)('a plan, in $name', (store) => {
  it('lists each record: its own draft, the payment that it is already, or the one that it stands for', async () => {
    const process = await benchOn(store).process();
    const before = await run(process, {
      rows: [
        { key: 'q', says: 'C' },
        { key: 'b', says: 'B', ...own },
      ],
    });
    const rows: readonly Row[] = [
      { key: 'a', says: 'A' },
      { key: 'x', says: 'no', valid: false },
      { key: 'b', says: 'B', ...own },
      { key: 'c', says: 'C' },
    ];
    const looked = await look(process, { rows, decisions: SKIP });
    const made = await plan(process, looked, SKIP);
    const number = looked.preparation!.number;
    expect([...made.list!.records]).toEqual([
      { index: 0, file: 0, record: 1, line: 2, payment: idOf(number, 0), leftOut: null },
      { index: 2, file: 0, record: 3, line: 4, payment: before.ids[1], leftOut: null },
      { index: 3, file: 0, record: 4, line: 5, payment: before.ids[0], leftOut: 'same' },
    ]);
    expect([...made.list!.invalid]).toEqual([
      { index: 1, file: 0, record: 2, line: 3, type: 'payout', error: 'a fault of its own' },
    ]);
    expect([made.delivers, made.run, made.decisions]).toEqual([true, null, SKIP]);
    const { run: passed } = await pass(process, looked, SKIP);
    expect(await list(process, passed)).toEqual([
      'a open',
      'invalid: a fault of its own',
      'b created',
      'q created same',
    ]);
  });

  it('sends in the order of the input, each payment once', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'b', says: 'B', ...own }] }, 'rejected');
    const rows: readonly Row[] = [
      { key: 'c', says: 'C' },
      { key: 'b', says: 'B', ...own },
      { key: 'a', says: 'A' },
    ];
    const looked = await look(process, { rows, now: LATER });
    const wanted = [...toSend(looked.prepared, looked.assessment.fates, looked.preparation)];
    const delivery = await pass(process, looked);
    const claims = await claim(
      delivery,
      wanted.map(({ payment }) => payment),
      { retryRejected: true },
    );
    expect(keysOf(claims)).toEqual(['c', 'b', 'a']);
    expect(wanted.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('delivers nothing where all of it was left out', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'q' }] });
    const made = await plan(process, await look(process, { rows: [{ key: 'a' }], decisions: SKIP }), SKIP);
    expect(made.delivers).toBe(false);
  });

  it('a rejected key with other content: the key passes to the new payment, and the first run still says rejected', async () => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: [{ key: 'a', says: 'faulty', ...own }] }, 'rejected');
    const second = await run(process, { rows: [{ key: 'a', says: 'mended', ...own }] });
    expect([await list(process, first.run), await list(process, second.run)]).toEqual([['a rejected'], ['a created']]);
    expect((await process.find('a'))?.id).toBe(second.ids[0]);
    const goingOn = await look(process, { rows: first.rows, ...retried });
    expect(fatesOf(goingOn.assessment)).toEqual([`rejected ${first.ids[0]}`]);
    const later = await look(process, { rows: first.rows, now: LATER, ...retried });
    expect(fatesOf(later.assessment)).toEqual(['invalid']);
  });

  it('a corrected row closes what it corrects: the old run with every flag never sends it', async () => {
    const process = await benchOn(store).process();
    const old = await run(process, { rows: [{ key: 'old', says: 'faulty' }] }, 'rejected');
    await run(process, { rows: [{ key: 'm', says: 'mended', corrects: 'old' }] });
    const every = { rules: { retryRejected: true, rules: { isProtected: () => true, mayResend: () => true } } };
    for (const call of [{ resume: old.run }, { rows: old.rows }, { rows: old.rows, now: LATER, decisions: SKIP }])
      expect(fatesOf((await look(process, { ...call, ...every })).assessment)).toEqual([`rejected ${old.ids[0]}`]);
  });

  it('so does one that was imported before without saying what it corrects', async () => {
    const process = await benchOn(store).process();
    const old = await run(process, { rows: [{ key: 'old', says: 'faulty' }] }, 'rejected');
    await run(process, { rows: [{ key: 'm', says: 'mended' }] }, 'rejected');
    await run(process, { rows: [{ key: 'm', says: 'mended', corrects: 'old' }], now: LATER });
    expect((await process.find('old'))?.replacedBy).toBe((await process.find('m'))?.id);
    const again = await look(process, { resume: old.run, ...retried });
    expect(fatesOf(again.assessment)).toEqual([`rejected ${old.ids[0]}`]);
  });

  it('a payment that lost its key after it was read is stored after all, with the body that was checked', async () => {
    const process = await benchOn(store).process();
    const row: Row = { key: 'a', says: 'A', ...own };
    await run(process, { rows: [row] }, 'rejected');
    const looked = await look(process, { rows: [row], now: LATER });
    expect(looked.prepared.entries.payment(0)).not.toBe(0);
    // Meanwhile another call has other content rejected under that key.
    await run(process, { rows: [{ ...row, says: 'B' }], now: LATER + 1 }, 'rejected');
    expect(await process.ledger.commit(await plan(process, looked))).toBe(null);
    const again = await lookAgain(process, { rows: [row], now: LATER }, looked);
    // Once more, because the history changes again: what is stored is stored once.
    await plan(process, again);
    const delivery = await pass(process, again);
    const [wanted] = [...toSend(again.prepared, again.assessment.fates, again.preparation)];
    const { claimed } = await claim(delivery, [wanted!.payment]);
    expect(claimed.map(({ body }) => body)).toEqual([bodyOf(row)]);
  });

  it('rejected, pruned, file run again with --retry-rejected: the input brings the body', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const first = await run(process, { rows: [{ key: 'a', says: 'A' }] }, 'rejected');
    await process.ledger.end(first.run, { finishedAt: START, exitCode: 4, stopReason: null });
    bench.clock.now = START + DAY;
    expect(await process.ledger.prune(START + 1)).toBe(1);
    const resumed = await look(process, { resume: first.run, ...retried });
    expect(fatesOf(resumed.assessment)).toEqual([`rejected ${first.ids[0]}`]);
    const again = await look(process, { rows: [{ key: 'a', says: 'A' }], now: START + 1, ...retried });
    expect(again.known.run?.name).toBe(first.run.name);
    const delivery = await pass(process, again);
    const { claimed } = await claim(delivery, first.ids, { retryRejected: true });
    expect(claimed.map(({ body }) => body)).toEqual([bodyOf({ key: 'a', says: 'A' })]);
  });

  it('prices that are given later are those of the payments', async () => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: [{ type: 'result', key: 'a', says: 'A', amount: null }] });
    await pass(process, await look(process, { rows: [{ type: 'result', key: 'a', says: 'A', amount: '12.5' }] }));
    expect((await process.records(first.run)).map(({ amount }) => amount)).toEqual(['12.5']);
  });

  it('equal content under other keys, both past their review: the second gate fails, and sees the first', async () => {
    const bench = benchOn(store);
    const [one, other] = [await bench.process(), await bench.process()];
    const first = await look(one, { rows: [{ key: 'a' }] });
    const second = await look(other, { rows: [{ key: 'b' }] });
    await pass(one, first);
    expect(await other.ledger.commit(await plan(other, second))).toBe(null);
    const again = await lookAgain(other, { rows: [{ key: 'b' }] }, second);
    expect(again.assessment.undecided.repeats.map(({ code, standsFor }) => [code, standsFor.key])).toEqual([
      ['same-content', 'a'],
    ]);
  });

  it('skipped beside doubt, then settled as not created: the record is open again by itself', async () => {
    const process = await benchOn(store).process();
    const doubtful = await run(process, { rows: [{ key: 'q' }] }, 'unknown');
    const skipped = await run(process, { rows: [{ key: 'a' }], decisions: SKIP });
    expect(await list(process, skipped.run)).toEqual(['q unknown same']);
    const [record] = await process.records(doubtful.run);
    const notCreated = {
      ...{ httpStatus: null, attempts: 1, response: null, error: null, requestId: null, doubtSince: null },
    };
    await process.ledger.settle(doubtful.run, [record!], { state: 'not_sent', ...notCreated }, 'looked it up');
    const again = await look(process, { rows: [{ key: 'a' }], decisions: SKIP });
    expect(again.known.run?.name).toBe(skipped.run.name);
    expect(fatesOf(again.assessment)).toEqual([`send ${doubtful.ids[0]}`]);
    const sent = await run(process, { rows: [{ key: 'a' }], decisions: SKIP });
    expect([await list(process, sent.run), await list(process, doubtful.run)]).toEqual([['q created'], ['q created']]);
  });

  it('invalid rows or places changed, same digest: the run points at the new list', async () => {
    const process = await benchOn(store).process();
    const [a, b, x]: readonly Row[] = [
      { key: 'a', says: 'A' },
      { key: 'b', says: 'B' },
      { key: 'x', valid: false },
    ];
    const first = await pass(process, await look(process, { rows: [a!, b!] }));
    await first.leave();
    const again = await run(process, { rows: [x!, a!, b!] });
    expect(again.run.name).toBe(first.run.name);
    expect(await list(process, first.run)).toEqual(['invalid: a fault of its own', 'a created', 'b created']);
    expect((await process.records(first.run)).map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});

describe.each(STORES)('where the body of an entry is, in $name', (store) => {
  it('is the draft, the payment that it was when it was read, or that of the run that goes on', async () => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: [{ key: 'a', says: 'A' }] }, 'rejected');
    const rows: readonly Row[] = [
      { key: 'n', says: 'N' },
      { key: 'a', says: 'A' },
    ];
    const { prepared, assessment, preparation } = await look(process, { rows, now: LATER });
    const of = (index: number): number => bodyPayment(index, prepared, assessment.fates[index]!, preparation)!;
    expect([of(0), of(1)]).toEqual([idOf(preparation!.number, 0), first.ids[0]]);
    expect(await bodyIn(process, of(0))).toBe(bodyOf(rows[0]!));
    const resumed = await look(process, { resume: first.run });
    expect(bodyPayment(0, resumed.prepared, resumed.assessment.fates[0]!, null)).toBe(first.ids[0]);
  });
});

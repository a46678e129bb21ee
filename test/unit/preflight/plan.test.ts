import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/ledger/ledger.js';
import { bodyOf as bodyPayment, changesAnything, toSend } from '../../../src/preflight/plan.js';
import { benchOn, claim, keysOf, outcome, type Process } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { fatesIn, list, look, pass, plan, run } from './desk.js';
import { bodyOf, computed, DAY, HOUR, type Row, START } from './kit.js';

const later = { now: START + 2 * DAY };
const skipping = { decisions: { skipCreated: true, skipSimilar: true } };
const retried = { rules: { retryRejected: true } };

function one(key: string, over: Row = {}): Row {
  return { key, says: key, like: key, source: 'own', ...over };
}

async function bodyIn({ ledger }: Process, payment: number | null): Promise<string | null | undefined> {
  return payment === null ? null : (await ledger.bodies([payment]))[0];
}

describe.each(STORES)('a plan, in $name', (store) => {
  it('lists the row of each record, and what those stand for that are left out', async () => {
    const process = await benchOn(store).process();
    const before = await run(process, { rows: [one(computed('q'), { says: 'C' }), one('b')] });
    const c = one(computed('c'), { says: 'C', source: 'content', like: computed('q') });
    const rows = [one('a'), one('x', { valid: false }), one('b'), c];
    const looked = await look(process, { rows, ...skipping });
    const made = await plan(process, looked);
    const drafts = looked.preparation!.number;
    expect(
      [...made.list!.records].map(({ index, line, payment, standsFor }) => [index, line, payment, standsFor]),
    ).toEqual([
      [0, 2, idOf(drafts, 0), null],
      [2, 4, before.ids[1], null],
      [3, 5, idOf(drafts, 3), before.ids[0]],
    ]);
    expect([...made.list!.invalid]).toMatchObject([{ index: 1, line: 3, type: 'payout', error: 'a fault' }]);
    expect(made).toMatchObject({ run: null, batchId: 'may', sends: [], replaced: [], bodies: [], delivers: true });
    expect(made.skips).toEqual(skipping.decisions);
    const { run: passed } = await pass(process, looked);
    expect(await list(process, passed)).toEqual([
      'a open',
      'invalid: a fault',
      'b created',
      `${c.key} for ${computed('q')} created`,
    ]);
    expect((await process.find(c.key!))?.id).toBe(undefined);
  });

  it('keeps no flag where nothing was left out, and delivers nothing where nothing is sent', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one(computed('q'))] });
    const all = await look(process, { rows: [one('a')], ...skipping });
    expect(await plan(process, all)).toMatchObject({
      skips: { skipCreated: false, skipSimilar: false },
      delivers: true,
    });
    const none = await look(process, { rows: [one(computed('q'), { source: 'content' })], ...skipping, ...later });
    expect(await plan(process, none)).toMatchObject({ delivers: false });
    expect(changesAnything(none.prepared, none.assessment, none.known)).toBe(true);
    const again = await look(process, { rows: [one(computed('q'))], ...later });
    expect(changesAnything(again.prepared, again.assessment, again.known)).toBe(false);
  });

  it('sends in the order of the input: drafts, and what the ledger had', async () => {
    const process = await benchOn(store).process();
    const { ids } = await run(process, { rows: [one('b')] }, 'rejected');
    const looked = await look(process, { rows: [one('c'), one('b'), one('a')], ...later, ...retried });
    expect((await plan(process, looked)).sends).toEqual(ids);
    const wanted = [...toSend(looked.prepared, looked.assessment, looked.preparation)];
    const payments = wanted.map(({ payment }) => payment);
    expect(keysOf(await claim(await pass(process, looked), payments))).toEqual(['c', 'b', 'a']);
  });

  it('closes for good what it corrects', async () => {
    const process = await benchOn(store).process();
    const old = await run(process, { rows: [one('old')] }, 'rejected');
    const { ids } = await run(process, { rows: [one(computed('m'), { source: 'replaces', corrects: 'old' })] });
    expect((await process.find('old'))?.replacedBy).toBe(ids[0]);
    for (const call of [{ resume: old.run }, { rows: old.rows }, { rows: old.rows, ...later, ...skipping }])
      expect((await fatesIn(process, { ...call, ...retried })).map((fate) => fate.split(' ')[0])).toEqual(['left-out']);
  });

  it('also where a closed run had left the correction open: nobody can send both', async () => {
    const process = await benchOn(store).process();
    const old = await run(process, { rows: [one('old')] }, 'rejected');
    const rows = [one(computed('m'), { source: 'replaces', corrects: 'old' })];
    const cut = await run(process, { rows }, null);
    await process.ledger.close(cut.run, 'given up');
    expect(await fatesIn(process, { resume: old.run, ...retried })).toEqual([`send ${old.ids[0]} rejected`]);
    await run(process, { rows });
    expect((await fatesIn(process, { resume: old.run, ...retried }))[0]).toMatch(/^left-out/);
  });

  it('passes a key on to other content', async () => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: [one('a')] }, 'rejected');
    const second = await run(process, { rows: [one('a', { says: 'mended' })] });
    expect([await list(process, first.run), await list(process, second.run)]).toEqual([['a rejected'], ['a created']]);
    expect((await process.find('a'))?.id).toBe(second.ids[0]);
    expect((await fatesIn(process, { rows: first.rows, ...retried }))[0]).toBe(`conflict ${second.ids[0]}`);
  });

  it('brings the body that was pruned', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const first = await run(process, { rows: [one('a')] }, (claimed) =>
      outcome(claimed.key === 'a' ? 'rejected' : 'created'),
    );
    await process.ledger.end(first.run, { finishedAt: START, exitCode: 4, stopReason: null });
    bench.clock.now += DAY;
    await process.ledger.prune(START + 1);
    expect(await fatesIn(process, { resume: first.run, ...retried })).toEqual([`rejected ${first.ids[0]} pruned`]);
    const again = await look(process, { rows: [one('a')], now: START + HOUR, ...retried });
    expect((await plan(process, again)).bodies).toEqual([{ payment: first.ids[0], body: bodyOf(one('a')) }]);
    const { claimed } = await claim(await pass(process, again), first.ids);
    expect(claimed.map(({ body }) => body)).toEqual([bodyOf(one('a'))]);
  });

  it('stores what needs a row after all, though the ledger had it when it was read', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one('old')] }, 'created');
    const unchanged = one('old', { source: 'rejected', corrects: 'old' });
    const looked = await look(process, { rows: [unchanged], ...later, ...skipping });
    const { run: passed } = await pass(process, looked);
    expect(await list(process, passed)).toEqual(['old for old created']);
    expect(await bodyIn(process, (await process.records(passed))[0]!.payment)).toBe(bodyOf(one('old')));
  });

  it('fails where another run has passed its gate meanwhile', async () => {
    const bench = benchOn(store);
    const [mine, theirs] = [await bench.process(), await bench.process()];
    const first = await look(mine, { rows: [one('a')] });
    const second = await look(theirs, { rows: [one('b')] });
    await pass(mine, first);
    expect(await theirs.ledger.commit(await plan(theirs, second))).toBe(null);
  });

  it('keeps the shortest lifetime that was said of a payment', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one('a')], lifetimeMs: 2 * HOUR }, 'unknown');
    await run(process, { rows: [one('a'), one('b')], lifetimeMs: HOUR }, 'unknown');
    await run(process, { rows: [one('a')], lifetimeMs: 9 * HOUR, ...later }, 'unknown');
    expect([(await process.find('a'))?.lifetimeMs, (await process.find('b'))?.lifetimeMs]).toEqual([HOUR, HOUR]);
  });
});

describe.each(STORES)('a run that is resumed by its name, in $name', (store) => {
  it('sends none of what it left out since that was paid, nor its corrections', async () => {
    const process = await benchOn(store).process();
    const old = await run(process, { rows: [one('old'), one('p')] }, ({ key }) =>
      outcome(key === 'p' ? 'created' : 'rejected'),
    );
    await run(process, { rows: [one(computed('m'), { source: 'replaces', corrects: 'old' })] });
    const rows = [
      one('new'),
      one(computed('n'), { source: 'replaces', corrects: 'old' }),
      one(computed('o'), { says: 'p', like: 'p' }),
    ];
    const cut = await run(process, { rows, ...skipping }, null);
    const { assessment } = await look(process, { resume: cut.run, ...later });
    expect(assessment.repeats.map(({ index }) => index)).toEqual([1, 2]);
    expect(
      (await fatesIn(process, { resume: cut.run, ...later, ...skipping })).map((fate) => fate.split(' ')[0]),
    ).toEqual(['send', 'left-out', 'left-out']);
    expect(old.ids).toHaveLength(2);
  });

  it('asks again about what was like a payment of the last days when it began', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one(computed('p'), { like: 'L' })], batch: 'april' });
    const cut = await run(process, { rows: [one(computed('a'), { like: 'L' }), one('b')], ...skipping }, null);
    const { repeats } = (await look(process, { resume: cut.run, now: START + 30 * DAY })).assessment;
    expect(repeats).toMatchObject([{ index: 0, code: 'similar-record', times: 1, total: '100' }]);
  });

  it('sends the row of what it left out, once a person says so', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one(computed('p'), { like: 'L' })] });
    const rows = [one(computed('a'), { like: 'L', amount: '7' }), one('b')];
    const cut = await run(process, { rows, ...skipping }, null);
    const resume = { resume: cut.run, decisions: { sendSimilar: 1 } };
    const looked = await look(process, resume);
    expect(bodyPayment(0, looked.prepared, looked.assessment.fateAt(0), null)).toBe(looked.prepared.entries.payment(0));
    await looked.preparation?.abandon();
    await run(process, resume);
    expect(await list(process, cut.run)).toEqual([`${computed('a')} created`, 'b created']);
    expect((await process.find(computed('a')))?.amount).toBe('7');
  });
});

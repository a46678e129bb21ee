import { describe, expect, it } from 'vitest';
import { lastReplacement } from '../../../src/preflight/known.js';
import { AT, benchOn, type Process } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { type Call, fatesIn, look, pass, run } from './desk.js';
import { computed, DAY, HOUR, own, type Row, START } from './kit.js';

const ROWS: readonly Row[] = ['a', 'b', 'c'].map((name) => ({ key: computed(name), says: name, like: name }));
const INVALID: Row = { key: 'x', says: 'no', valid: false };
const later = { now: START + 2 * DAY };

function one(key: string, over: Row = {}): Row {
  return { key, says: key, ...own, ...over };
}

describe.each(STORES)('which run goes on, in $name', (store) => {
  it.each<[says: string, call: Call, goesOn: boolean]>([
    ['the same target, batch and records', {}, true],
    ['whatever was decided', { decisions: { skipCreated: true, skipSimilar: true } }, true],
    ['wherever invalid records stand', { rows: [INVALID, ...ROWS] }, true],
    ['that began less than 20 hours ago', { now: START + 20 * HOUR - 1 }, true],
    ['not an older one', { now: START + 20 * HOUR }, false],
    ['not of the future: a clock that was set back makes no run young', { now: START - 1 }, false],
    ['not of another batch', { batch: 'june' }, false],
    ['not with other records', { rows: ROWS.slice(1) }, false],
  ])('%s', async (_, call, goesOn) => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: ROWS }, 'rejected');
    const { known } = await look(process, { rows: ROWS, ...call });
    expect(known.run?.name).toBe(goesOn ? first.run.name : undefined);
  });

  it('not a closed one, and the newest of those that may', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const first = await run(process, { rows: ROWS }, 'rejected');
    bench.clock.now = later.now;
    const second = await run(process, { rows: ROWS, ...later, rules: { retryRejected: true } }, 'rejected');
    expect((await look(process, { rows: ROWS, ...later })).known.run?.name).toBe(second.run.name);
    await process.ledger.close(second.run, 'enough');
    expect((await look(process, { rows: ROWS, ...later })).known.run).toBe(null);
    expect((await look(process, { rows: ROWS })).known.run?.name).toBe(first.run.name);
  });
});

describe.each(STORES)('what is known of the records, in $name', (store) => {
  it('is nothing where nothing ever passed a gate, but the version', async () => {
    const process = await benchOn(store).process();
    const { known } = await look(process, { rows: ROWS });
    expect([known.run, known.byKey.size, known.similar.size]).toEqual([null, 0, 0]);
    expect(known.version).toBe(await process.ledger.version(AT));
  });

  it('is what the run that goes on accepted, record by record', async () => {
    const process = await benchOn(store).process();
    const paid = await run(process, { rows: [one('q', { like: 'a' })], batch: 'june' });
    const outcomes = { a: 'created', b: 'rejected', c: 'unknown' } as const;
    const state = ({ body }: { readonly body: string }) =>
      outcomes[(JSON.parse(body) as { title: 'b' }).title] ?? 'created';
    const skipping = { decisions: { skipSimilar: true } };
    const { ids } = await run(process, { rows: ROWS, ...skipping }, state);
    const { known } = await look(process, { rows: [INVALID, ROWS[0]!, INVALID, ...ROWS.slice(1)] });
    expect([...known.accepted]).toEqual([0, 0, 0, ids[0], ids[1]]);
    expect([...known.created]).toEqual([0, 0, 0, 0, 0]);
    expect(new Map([...known.byKey].map(([index, payment]) => [index, payment.state]))).toEqual(
      new Map([
        [3, 'rejected'],
        [4, 'unknown'],
      ]),
    );
    expect([...known.similar.values()].flat().map(({ id }) => id)).toContain(paid.ids[0]);
  });

  it('is what a row corrects, and what that was replaced by, to the last one', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one('old')] }, 'rejected');
    await run(process, { rows: [one('m1', { corrects: 'old' })] }, 'rejected');
    await run(process, { rows: [one('m2', { corrects: 'm1' })] });
    const rows = [one('old'), one('m3', { corrects: 'old' })];
    const { known } = await look(process, { rows, ...later });
    expect([...known.corrected].map(([index, { key }]) => [index, key])).toEqual([[1, 'old']]);
    expect(lastReplacement(known.byKey.get(0)!, known).key).toBe('m2');
    expect((await fatesIn(process, { rows, ...later })).map((fate) => fate.split(' ')[0])).toEqual([
      'left-out',
      'created-before',
    ]);
  });

  it('is what looks like it under any key, and not what is left out', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [one('q', { like: 'a' }), one('s', { like: 'z' })] });
    await run(process, { rows: [{ key: computed('r'), like: 'a' }], decisions: { skipSimilar: true } });
    const { known } = await look(process, { rows: ROWS });
    expect([...known.similar.values()].flat().map(({ key }) => key)).toEqual(['q']);
  });

  it('is what is in doubt or rejected, and in no record of the input', async () => {
    const process = await benchOn(store).process();
    const states = { a: 'unknown', b: 'unknown', c: 'rejected', d: 'created' } as const;
    await run(process, { rows: ['a', 'b', 'c', 'd'].map((key) => one(key)) }, ({ key }) => states[key as 'a']);
    const { known } = await look(process, { rows: [one('a'), one('n')], ...later });
    expect(known.unsettled.map(({ key }) => key)).toEqual(['b', 'c']);
    const corrected = await look(process, { rows: [one('n', { corrects: 'c' })], ...later });
    expect(corrected.known.unsettled.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('is the fingerprint of what was a payment when it was read', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: ROWS }, 'rejected');
    const { known, prepared } = await look(process, { rows: ROWS, ...later });
    expect(prepared.entries.similarity(0)).toBe(0n);
    expect(known.prints.get(0)?.similarity).toBe(known.byKey.get(0)?.similarity);
  });
});

describe.each(STORES)('a run that is resumed by its name, in $name', (store) => {
  async function cutOff(process: Process): Promise<Call> {
    const paid = { key: computed('paid'), says: 'paid', like: 'paid' };
    await run(process, { rows: [paid] });
    const rows = [...ROWS, paid];
    const delivery = await pass(process, await look(process, { rows, decisions: { skipCreated: true } }));
    await delivery.leave();
    return { resume: delivery.run, now: START + 30 * DAY };
  }

  it('has accepted all but what it left out, of which it is asked again', async () => {
    const process = await benchOn(store).process();
    const call = await cutOff(process);
    const fates = await fatesIn(process, call);
    expect(fates.map((fate) => fate.split(' ')[0])).toEqual(['send', 'send', 'send', 'created-before']);
  });
});

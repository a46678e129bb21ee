import { describe, expect, it } from 'vitest';
import { lastReplacement } from '../../../src/preflight/known.js';
import { AT, benchOn, DAY, NEVER, type Process, START } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { type Call, list, look, pass, run } from './desk.js';
import { fatesOf, HOUR, type Row, SKIP, SKIP_SIMILAR, sending } from './kit.js';

const ROWS: readonly Row[] = [
  { key: 'a', says: 'A' },
  { key: 'b', says: 'B' },
  { key: 'c', says: 'C' },
];

/** Ends a run as its call does. */
async function end(process: Process, of: Awaited<ReturnType<typeof run>>['run'], exitCode: number): Promise<void> {
  await process.ledger.end(of, { finishedAt: START, exitCode, stopReason: null });
}

describe.each(STORES)('which run goes on, in $name', (store) => {
  const cases: readonly (readonly [says: string, call: Call, goesOn: boolean])[] = [
    ['one whose target, batch and digest are those of an earlier run', {}, true],
    ['one that began less than 24 hours ago', { now: START + 24 * HOUR - 1 }, true],
    ['not an older one: the same file a day later is new input', { now: START + 24 * HOUR }, false],
    ['not one of the future: a clock that was set back makes no run young', { now: START - 1 }, false],
    ['not of another batch', { batchId: 'b' }, false],
    ['not with other records', { rows: ROWS.slice(1) }, false],
    ['not with --skip-created, which that run was not given', { decisions: SKIP }, false],
    ['nor --skip-similar', { decisions: SKIP_SIMILAR }, false],
    ['nor --send-similar', { decisions: sending(0) }, false],
  ];
  it.each(cases)('%s', async (_, call, goesOn) => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: ROWS }, 'rejected');
    await end(process, first.run, 4);
    const { known } = await look(process, { rows: ROWS, ...call });
    expect(known.run?.name).toBe(goesOn ? first.run.name : undefined);
  });

  it('not a closed one', async () => {
    const process = await benchOn(store).process();
    const delivery = await pass(process, await look(process, { rows: ROWS }));
    await delivery.leave();
    await process.ledger.close(delivery.run, 'enough');
    expect((await look(process, { rows: ROWS })).known.run).toBe(null);
  });

  it('an older one that is not finished is named, with what of it is still open; a finished one is not', async () => {
    const process = await benchOn(store).process();
    const open = await pass(process, await look(process, { rows: ROWS }));
    await open.leave();
    await end(process, open.run, 5);
    const later = { rows: ROWS, now: START + 2 * DAY };
    expect((await look(process, later)).known.unfinished.map(({ name }) => name)).toEqual([open.run.name]);
    await end(process, open.run, 0);
    expect((await look(process, later)).known.unfinished).toEqual([]);
  });

  it('a run that is resumed by its name does not name itself as another one', async () => {
    const process = await benchOn(store).process();
    const open = await pass(process, await look(process, { rows: ROWS }));
    await open.leave();
    await end(process, open.run, 5);
    const { known } = await look(process, { resume: open.run, now: START + 2 * DAY });
    expect(known.run?.name).toBe(open.run.name);
    expect(known.unfinished).toEqual([]);
  });
});

describe.each(STORES)('what is known of the records, in $name', (store) => {
  it('is nothing where nothing ever passed a gate, but the version is read first', async () => {
    const process = await benchOn(store).process();
    const { known, preparation } = await look(process, { rows: ROWS });
    expect([known.run, known.byKey.size, known.similar.size]).toEqual([null, 0, 0]);
    expect(known.version).toBe(await process.ledger.version(AT));
    await preparation?.abandon();
  });

  it('is the list of the run that goes on, record by record, wherever invalid ones stand', async () => {
    const process = await benchOn(store).process();
    const invalid: Row = { key: 'x', says: 'no', valid: false };
    const outcomes = { a: 'created', b: 'rejected', c: 'unknown' } as const;
    await run(process, { rows: [ROWS[0]!, invalid, ROWS[1]!, ROWS[2]!] }, ({ key }) => outcomes[key as 'a']);
    const again = await look(process, { rows: [invalid, ROWS[0]!, ROWS[1]!, invalid, ROWS[2]!].filter(Boolean) });
    expect([...again.known.created]).toEqual([0, 1, 0, 0, 0]);
    expect([...again.known.listed].map(([index, { state }]) => [index, state])).toEqual([
      [2, 'rejected'],
      [4, 'unknown'],
    ]);
    expect(fatesOf(again.assessment).map((fate) => fate.replace(/\d+/, 'N'))).toEqual([
      'invalid',
      'created',
      'rejected N',
      'invalid',
      'send N unknown',
    ]);
  });

  it('is the payment of each key, what a row corrects, and what that was replaced by, to the last one', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'old', says: 'faulty' }] }, 'rejected');
    await run(process, { rows: [{ key: 'm1', says: 'mended', corrects: 'old' }] }, 'rejected');
    await run(process, { rows: [{ key: 'm2', says: 'mended twice', corrects: 'm1' }] });
    const { known } = await look(process, {
      rows: [
        { key: 'old', says: 'faulty' },
        { key: 'm3', says: 'mended thrice', corrects: 'm1' },
      ],
      now: START + 2 * DAY,
    });
    expect([...known.byKey.values()].map(({ key }) => key)).toEqual(['old']);
    expect([...known.corrected].map(([index, { key }]) => [index, key])).toEqual([[1, 'm1']]);
    expect(lastReplacement(known.byKey.get(0)!, known).key).toBe('m2');
    expect(lastReplacement(known.corrected.get(1)!, known).key).toBe('m2');
  });

  it('is what looks like a record that may be sent, whatever key it has', async () => {
    const process = await benchOn(store).process();
    await run(process, {
      rows: [
        { key: 'q', says: 'A' },
        { key: 'r', says: 'A, but', like: 'A' },
        { key: 's', says: 'S' },
      ],
    });
    const { known } = await look(process, { rows: ROWS });
    expect([...known.similar.values()].flat().map(({ key }) => key)).toEqual(['q', 'r']);
  });

  it('is what was paid of it under the key of a record that lost its key while the input was read', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'a', says: 'A', source: 'own' }] }, 'rejected');
    const rows: readonly Row[] = [{ key: 'a', says: 'A', source: 'own' }];
    const looked = await look(process, { rows, now: START + 2 * DAY });
    expect(looked.prepared.entries.payment(0)).not.toBe(0);
    expect(looked.prepared.entries.similarity(0)).toBe(looked.known.byKey.get(0)?.similarity);
  });

  it('is what is in doubt and in no record of the input', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: ROWS }, ({ key }) => (key === 'c' ? 'created' : 'unknown'));
    const { known } = await look(process, { rows: [ROWS[0]!, { key: 'n', says: 'N' }] });
    expect(known.inDoubt.map(({ key }) => key)).toEqual(['b']);
  });

  it('is what prices that are given later make of an amount', async () => {
    const process = await benchOn(store).process();
    const unpriced = ROWS.map((row) => ({ ...row, type: 'result' as const, amount: null }));
    const first = await run(process, { rows: unpriced });
    const { known } = await look(process, { rows: [{ ...unpriced[0]!, amount: '12.5' }, ...unpriced.slice(1)] });
    expect(known.run?.name).toBe(first.run.name);
    expect(known.repriced).toEqual([{ payment: first.ids[0], amount: '12.5' }]);
  });
});

describe.each(STORES)('a resumed run of which a key has passed on, in $name', (store) => {
  /** A run of a, b, c that stopped before anything was sent; then other content went out under the key of b. */
  async function passedOn(process: Process) {
    const delivery = await pass(process, await look(process, { rows: ROWS.map((row) => ({ ...row, source: 'own' })) }));
    await delivery.leave();
    await end(process, delivery.run, 5);
    await run(process, { rows: [{ key: 'b', says: 'other', source: 'own' }] });
    return delivery.run;
  }

  it('has a key-conflict there, and sends the others', async () => {
    const process = await benchOn(store).process();
    const stopped = await passedOn(process);
    const { assessment } = await look(process, { resume: stopped });
    expect(fatesOf(assessment).map((fate) => fate.split(' ')[0])).toEqual(['send', 'invalid', 'send']);
  });

  it('lists the same records afterwards, so that the same file goes on with it rightly', async () => {
    const process = await benchOn(store).process();
    const stopped = await passedOn(process);
    await run(process, { resume: stopped });
    expect(await list(process, stopped)).toEqual(['a created', 'b open', 'c created']);
    const again = await look(process, { resume: stopped, rules: { rules: { isProtected: NEVER, mayResend: NEVER } } });
    expect(fatesOf(again.assessment)).toEqual(['created', 'invalid', 'created']);
    const { assessment } = await look(process, { rows: ROWS.map((row) => ({ ...row, source: 'own' })) });
    expect(fatesOf(assessment).map((fate) => fate.split(' ')[0])).toEqual(['created', 'invalid', 'created']);
  });
});

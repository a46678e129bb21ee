/** The log of who did what: each event in the transaction of what it tells. */
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import type { AuditEntry } from '../../../src/journal/audit-log.js';
import { benchOn, DAY, deliver, drafts, INPUT_CALL, outcome, type Process, START } from './journal-fixtures.js';
import { CALLER, STORES } from './stores.js';

const CREATED = outcome('created', { httpStatus: null, response: null });

async function log(process: Process, since = 0): Promise<AuditEntry[]> {
  return process.journal.events(since, 0, 100);
}

async function deeds(process: Process): Promise<string[]> {
  return (await log(process)).map(({ event }) => event.kind);
}

describe.each(STORES)('the log of who did what, in $name', (store) => {
  it('has gates, ends, settlements, closings and prunings, in their order', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const passed = await process.pass(drafts('a', 'b'));
    const { run } = passed;
    await deliver(passed, ({ key }) => (key === 'a' ? 'unknown' : 'rejected'));
    await passed.delivery.leave();
    bench.clock.now = START + 1;
    await process.journal.end(run, { finishedAt: START, exitCode: 5, stopReason: 'throttled' });
    const [record] = await process.records(run);
    await process.settle(run, [record!], CREATED, 'the bank says so');
    const again = await process.join(run);
    await again.delivery.leave();
    await process.journal.close(run, 'enough');
    bench.clock.now = START + DAY;
    const count = await process.journal.prune(START + DAY);
    const settled = { kind: 'settled', status: 'created', file: 'payouts.csv', record: 1, line: 2, key: 'a' };
    const expected: [at: number, note: string | null, event: object][] = [
      [START, null, { kind: 'run', goesOn: false, inputCall: INPUT_CALL }],
      [START + 1, null, { kind: 'ended', exitCode: 5, stopReason: 'throttled' }],
      [START + 1, 'the bank says so', settled],
      [START + 1, null, { kind: 'run', goesOn: true, inputCall: INPUT_CALL }],
      [START + 1, 'enough', { kind: 'closed' }],
      [START + DAY, null, { kind: 'pruned', before: START + DAY, count }],
    ];
    expect(await log(process)).toEqual(
      expected.map(([at, note, event], i) => {
        return { ...CALLER, number: i + 1, at, note, event, run: i === 5 ? null : run.name };
      }),
    );
  });

  it('is given page by page, and from a time on', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    for (let i = 0; i < 5; i++) {
      bench.clock.now = START + i;
      await process.journal.prune(START);
    }
    const numbers = async (...page: [number, number, number]) =>
      (await process.journal.events(...page)).map(({ number }) => number);
    expect([await numbers(0, 0, 2), await numbers(0, 2, 2), await numbers(0, 4, 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect(await numbers(START + 3, 0, 10)).toEqual([4, 5]);
    expect(await numbers(START + 3, 4, 10)).toEqual([5]);
  });

  it('has nothing of what was refused', async () => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('a'));
    const stale = await process.plan(await process.prepare(drafts('b')), drafts('b'));
    await expect(process.journal.close(passed.run, 'too soon')).rejects.toThrow(UsageError);
    await deliver(passed);
    await passed.delivery.leave();
    const [record] = await process.records(passed.run);
    await expect(process.settle(passed.run, [record!], CREATED, 'no doubt')).rejects.toThrow(UsageError);
    await process.join(passed.run);
    expect(await process.journal.commit(stale)).toBeNull();
    expect(await deeds(process)).toEqual(['run', 'run']);
  });
});

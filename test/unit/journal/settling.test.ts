import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import { newestPaymentAt } from '../../../src/journal/copy/tables.js';
import { NOT_CREATED, type Outcome, type Run } from '../../../src/journal/payment.js';
import {
  AT,
  benchOn,
  claim,
  CLERK,
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

const CREATED = outcome('created', { httpStatus: null, response: '{"id":"by-hand"}' });
const NOT = outcome('not_sent', { error: `${NOT_CREATED}asked` });

async function word(process: Process, run: Run, indexes: readonly number[], told: Outcome = CREATED, note = 'asked') {
  const records = await process.records(run);
  await process.settle(
    run,
    indexes.map((index) => records[index]!),
    told,
    note,
  );
}

/** A run of `a` and `b`, both in doubt, that nobody delivers. */
async function inDoubt(process: Process, ...keys: string[]) {
  const passed = await process.pass(drafts(...(keys.length === 0 ? ['a', 'b'] : keys)), { digest: keys.join() });
  await deliver(passed, () => outcome('unknown', { attempts: 4, requestId: 'r4' }));
  await passed.delivery.leave();
  return passed;
}

describe.each(STORES)('a person’s word, in $name', (store) => {
  it('settles all or nothing: a process that is killed meanwhile has settled nothing, and the next one does', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const { run } = await inDoubt(process, 'a', 'b', 'c');
    const before = await process.outcomes(run);
    // The journal reads the last outcome within its transaction, after it has settled the others.
    const killed = spawnSync(execPath, [
      '--input-type=module',
      '--eval',
      `${await store.script(bench.place)}
      const [run] = await journal.runs();
      const outcome = ${JSON.stringify(CREATED)};
      const decisions = (await journal.records(run, 0, 9)).map((record) => ({ run, record, outcome, requestMs: 0, list: null }));
      Object.defineProperty(decisions[2], 'outcome', { get: () => process.kill(process.pid, 'SIGKILL') });
      await journal.settle(decisions, 'asked');`,
    ]);
    expect([killed.signal, killed.stderr.toString()]).toEqual(['SIGKILL', '']);
    expect(await process.outcomes(run)).toEqual(before);
    expect(await process.journal.settlements(run)).toEqual([]);
    await word(process, run, [0, 1, 2]);
    expect(await process.states(run)).toEqual(['created', 'created', 'created']);
    expect(await process.journal.settlements(run)).toHaveLength(3);
  });

  it('is no payment: the newest one is as old as it was before', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    bench.clock.now = START + 60_000;
    const { run } = await inDoubt(process);
    expect(await process.journal.lastPaymentAt(AT)).toBe(START + 60_000);
    bench.clock.now = START + 7 * DAY;
    await word(process, run, [0]);
    expect(await process.journal.lastPaymentAt(AT)).toBe(START + 60_000);
    await word(process, run, [1]);
    // Nobody knows any more when it was sent: its run had begun by then.
    expect(await process.journal.lastPaymentAt(AT)).toBe(run.startedAt);
    await process.journal.detach();
    const journal = await store.forCopy(bench.place);
    expect(await journal.session.read(newestPaymentAt)).toBe(run.startedAt);
    await journal.detach();
  });

  it('settles a payment in doubt as created, for good: it is history, and not sent again', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const { run, ids } = await inDoubt(process);
    const { claimWatermark } = (await process.find('a'))!;
    bench.clock.now = START + 1;
    await word(process, run, [0]);
    const stored = { ...CREATED, attempts: 4, requestId: 'r4', run: run.number, at: START + 1 };
    expect(await process.outcomes(run)).toMatchObject([stored, { state: 'unknown' }]);
    expect(await process.find('a')).toMatchObject({ state: 'created', doubtSince: null, claimWatermark });
    expect((await process.journal.unsettled(AT)).map(({ key }) => key)).toEqual(['b']);
    const { claimed, unclaimed } = await claim((await process.join(run)).delivery, ids);
    expect(claimed.map(({ key }) => key)).toEqual(['b']);
    expect(unclaimed).toMatchObject([{ id: ids[0], why: 'settled', outcome: { state: 'created' } }]);
  });

  it.each(['gig', 'payout'] as const)('settles a %s as not created: it is open again', async (type) => {
    const process = await benchOn(store).process();
    const passed = await process.pass([draft(0, { type, key: 'a' })]);
    await deliver(passed, 'unknown');
    await passed.delivery.leave();
    await word(process, passed.run, [0], NOT);
    expect(await process.find('a')).toMatchObject({ state: 'not_sent', doubtSince: null, isLive: false });
    expect(await process.journal.unsettled(AT)).toEqual([]);
    const { claimed } = await claim((await process.join(passed.run)).delivery, passed.ids);
    expect(claimed).toMatchObject([{ earlier: { state: 'not_sent', doubtSince: null } }]);
  });

  it('shows in every run that lists the payment, and is written down in the run it was given for', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const first = await inDoubt(process);
    const second = await process.list([first.ids[1]!], 'two');
    await second.delivery.leave();
    bench.clock.now = START + 1;
    await word(process, second.run, [0], CREATED, 'the bank says so');
    expect(await process.states(first.run)).toEqual(['unknown', 'created']);
    expect(await process.states(second.run)).toEqual(['created']);
    const told = { at: START + 1, index: 0, state: 'created', by: CLERK, note: 'the bank says so', isByList: false };
    expect(await process.journal.settlements(second.run)).toEqual([told]);
    expect(await process.journal.settlements(first.run)).toEqual([]);
  });

  it('is never about a record that was left out: it would settle another payment', async () => {
    const process = await benchOn(store).process();
    const first = await inDoubt(process);
    const pointer = pointers(0, [{ index: 0 }])[0]!;
    const records = [{ ...pointer, payment: first.ids[0]!, standsFor: first.ids[0]! }];
    const second = await process.commit(await process.plan(await process.prepare([]), [], { records, digest: 'two' }));
    await second.delivery.leave();
    await expect(word(process, second.run, [0], NOT)).rejects.toThrow(/was left out\. You can only record/);
    expect(await process.find('a')).toMatchObject({ state: 'unknown' });
  });

  it('that it was not created waits for the end of the last request, also of a process that has died', async () => {
    const bench = benchOn(store);
    const one = await bench.process();
    const other = await bench.process();
    const passed = await one.pass(drafts('a', 'b'));
    await deliver({ ...passed, ids: passed.ids.slice(0, 1) }, 'unknown');
    await claim(passed.delivery, passed.ids.slice(1));
    await store.takeForDead(bench.place);
    await other.journal.recover();
    for (const index of [0, 1]) {
      const told = async (what: Outcome): Promise<void> =>
        other.settle(passed.run, [(await other.records(passed.run))[index]!], what, 'asked', 30_000);
      bench.clock.now = START + 29_500;
      await expect(told(NOT)).rejects.toThrow(/^the service may still be carrying out .* again in 1 seconds?,/);
      bench.clock.now = START + 30_000;
      await told(NOT);
      bench.clock.now = START + 29_500;
      await told(CREATED);
    }
  });

  it('about several is one word for all of them, or none', async () => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('a', 'b', 'c'));
    await deliver(passed, ({ key }) => (key === 'b' ? 'rejected' : 'unknown'));
    await passed.delivery.leave();
    await expect(word(process, passed.run, [0, 1, 2])).rejects.toThrow(/^line 3 .* was refused\. You can only record/);
    expect(await process.states(passed.run)).toEqual(['unknown', 'rejected', 'unknown']);
    expect(await process.journal.settlements(passed.run)).toEqual([]);
    await word(process, passed.run, [2, 0]);
    expect(await process.states(passed.run)).toEqual(['created', 'rejected', 'created']);
    expect((await process.journal.settlements(passed.run)).map(({ index }) => index)).toEqual([2, 0]);
  });

  it('is told with the place at which the record stands now', async () => {
    const process = await benchOn(store).process();
    const { run, ids } = await inDoubt(process);
    await word(process, run, [1]);
    const records = ids.map((payment, i) => {
      return { index: i + 3, file: 0, record: i + 4, line: i + 5, payment, standsFor: null };
    });
    await process.join(run, { list: { files: [], records, invalid: [] } });
    expect((await process.journal.settlements(run)).map(({ index }) => index)).toEqual([4]);
  });

  it('is noticed by whoever compares with the history at that moment', async () => {
    const [one, other] = await processes(store);
    const { run } = await inDoubt(one);
    const planned = drafts('x');
    const plan = await other.plan(await other.prepare(planned), planned);
    await word(one, run, [0]);
    expect(await other.journal.commit(plan)).toBeNull();
  });

  it('can be corrected until the payment is sent again', async () => {
    const process = await benchOn(store).process();
    const { run, ids } = await inDoubt(process);
    await word(process, run, [0, 1], NOT);
    await word(process, run, [0], CREATED);
    expect(await process.states(run)).toEqual(['created', 'not_sent']);
    const { delivery } = await process.join(run);
    const { claimed } = await claim(delivery, [ids[1]!]);
    await storeOutcomes(delivery, settled(claimed[0]!, outcome('not_sent', { error: 'no connection' })));
    await expect(word(process, run, [1], CREATED)).rejects.toThrow(/was not sent\. You can only record/);
  });

  it('is refused while the payment is under way, also in another run', async () => {
    const [one, other] = await processes(store);
    const first = await inDoubt(one);
    const second = await one.list([first.ids[0]!], 'two');
    const { claimed } = await claim(second.delivery, second.ids);
    for (const told of [CREATED, NOT]) {
      await expect(word(other, first.run, [0], told)).rejects.toThrow(UsageError);
      await expect(word(other, first.run, [0], told)).rejects.toThrow(/under way in another process/);
    }
    await storeOutcomes(second.delivery, settled(claimed[0]!, 'unknown'));
    await word(other, first.run, [0]);
    expect(await other.states(first.run)).toEqual(['created', 'unknown']);
  });

  it('is refused for what was never sent, or is invalid', async () => {
    const process = await benchOn(store).process();
    const invalid = [invalidRecord(1, 'no amount')];
    const { run } = await process.pass(drafts('a'), { invalid });
    await expect(word(process, run, [0])).rejects.toThrow(/^line 2 \(says a\) was not sent/);
    await expect(word(process, run, [1])).rejects.toThrow(/^line 3 is invalid/);
  });

  it('does not undo what became of a payment between the look and the word', async () => {
    const [one, other] = await processes(store);
    const { run } = await inDoubt(one);
    const [seen] = await other.records(run);
    await deliver(await one.join(run));
    const refused = other.settle(run, [seen!], NOT, '');
    await expect(refused).rejects.toThrow(/^line 2 \(says a\) is confirmed already/);
    expect(await one.states(run)).toEqual(['created', 'created']);
  });
});

import { describe, expect, it } from 'vitest';
import type { ContinueQuery, StoredRun } from '../../../src/journal/journal.js';
import {
  benchOn,
  deliverAll,
  keysOf,
  manyPayouts,
  outcome,
  type Process,
  record,
  records,
  room,
  settled,
  START,
  TARGET,
} from './kit.js';
import { STORES } from './stores.js';

const DAY = 86_400_000;

function query(over: Partial<ContinueQuery> = {}): ContinueQuery {
  return {
    target: TARGET,
    scope: '',
    batchId: 'default',
    digest: 'digest',
    since: START + DAY,
    payAgain: false,
    skipCreated: false,
    ...over,
  };
}

function ended(process: Process, exitCode: number | null, over: Parameters<Process['pass']>[1] = {}): StoredRun {
  const { run, outbox } = process.pass(records('a'), over);
  outbox.leave();
  if (exitCode !== null) process.journal.end(run.number, { finishedAt: START + 1, exitCode, stopReason: null });
  return run;
}

describe.each(STORES)('the run that goes on, in $name', (store) => {
  it.each([null, 1, 5, 130, 143, 129])('is one that did not finish, however old: exit code %j', (exitCode) => {
    const process = benchOn(store).process();
    const run = ended(process, exitCode);
    expect(process.journal.continuable(query())?.number).toBe(run.number);
  });

  it.each([0, 4])('is one that finished with %i only while it is young', (exitCode) => {
    const process = benchOn(store).process();
    const run = ended(process, exitCode);
    const found = (since: number) => process.journal.continuable(query({ since }))?.number ?? null;
    expect([found(START - 1), found(START), found(START + 1)]).toEqual([run.number, null, null]);
  });

  it('is the newest', () => {
    const process = benchOn(store).process();
    const first = ended(process, 5);
    const second = ended(process, null, { startedAt: START - DAY });
    expect([process.journal.continuable(query())?.number, first.number < second.number]).toEqual([second.number, true]);
  });

  it('is passed over where it finished long ago, for an older one that did not finish', () => {
    const process = benchOn(store).process();
    const open = ended(process, 5);
    ended(process, 0);
    expect(process.journal.continuable(query())?.number).toBe(open.number);
  });

  it('has the same digest, at the same target', () => {
    const process = benchOn(store).process();
    ended(process, 5, { scope: 'file-1' });
    ended(process, 5, { digest: 'other' });
    ended(process, 5, { target: 'https://other.example' });
    expect(process.journal.continuable(query())).toBeNull();
    expect(process.journal.continuable(query({ scope: 'file-1' }))).not.toBeNull();
    expect(process.journal.continuable(query({ target: 'sandbox' }))).toBeNull();
  });

  it('is for --pay-again one with --pay-again, whatever its age and end', () => {
    const process = benchOn(store).process();
    ended(process, 5);
    expect(process.journal.continuable(query({ payAgain: true }))).toBeNull();
    const run = ended(process, 0, { payAgain: 0 });
    expect(process.journal.continuable(query({ payAgain: true }))?.number).toBe(run.number);
  });

  it('is one that is being delivered, too', () => {
    const bench = benchOn(store);
    const { run } = bench.process().pass(records('a'));
    expect(bench.process().journal.continuable(query())?.number).toBe(run.number);
  });

  it('is none that is only prepared', () => {
    const process = benchOn(store).process();
    process.prepare(records('a'));
    expect(process.journal.continuable(query())).toBeNull();
  });
});

describe.each(STORES)('the list of runs, in $name', (store) => {
  it('has the newest first, each with its end', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const first = ended(process, 4);
    const second = process.pass(records('b', 'c'), { command: 'batch import', digest: 'd2' }).run;
    process.journal.end(first.number, { finishedAt: START + 5, exitCode: 143, stopReason: 'interrupted' });
    const expected = [second, { ...first, end: { finishedAt: START + 5, exitCode: 143, stopReason: 'interrupted' } }];
    expect(process.journal.runs()).toEqual(expected);
    expect(bench.reader()?.journal.runs()).toEqual(expected);
  });

  it('is searched by the beginning of a name, which means nothing but itself', () => {
    const process = benchOn(store).process();
    const first = ended(process, 0);
    const second = ended(process, 0, { startedAt: START + 31 * DAY });
    const found = (name: string) => process.journal.findRuns(name).map(({ run }) => run);
    expect(found(first.run)).toEqual([first.run]);
    expect(found('20261101-')).toEqual([first.run]);
    expect(found('2026')).toEqual([second.run, first.run]);
    expect(found('')).toEqual([second.run, first.run]);
    for (const nothing of ['2027', '%', '_', `${first.run}x`, '\\', "'", '-']) expect(found(nothing)).toEqual([]);
  });
});

describe.each(STORES)('reading a run, in $name', (store) => {
  it('does not hinder writing, also where it is broken off', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(manyPayouts(2500));
    for (const { index } of one.journal.records(run)) if (index === 3) break;
    for (const { index } of one.journal.keys(run)) if (index === 3) break;
    other.journal.end(run.number, { finishedAt: START, exitCode: 5, stopReason: null });
    expect(deliverAll(outbox, 'created')).toHaveLength(2500);
    for (const { index } of one.journal.outcomes(run)) if (index === 3) break;
    one.journal.noteResend(run.number, 3, START);
    expect([...one.journal.outcomes(run)]).toHaveLength(2500);
  });

  it('gives the outcomes in input order, with gaps, and those under way among them', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const { run, outbox } = process.pass(manyPayouts(6));
    const { claimed } = outbox.exchange([], room(4));
    outbox.exchange([settled(claimed[3]!, 'created'), settled(claimed[1]!, 'rejected')], null);
    const known = [...process.journal.outcomes(run)].map(({ index, outcome: { state } }) => `${index} ${state}`);
    expect(known).toEqual(['0 unknown', '1 rejected', '2 unknown', '3 created']);
  });

  it('gives nothing of another run', () => {
    const process = benchOn(store).process();
    const first = process.pass(records('a', 'b'), { digest: 'd1' });
    const second = process.pass(records('c'), { digest: 'd2' });
    deliverAll(second.outbox, 'created');
    expect(process.states(first.run)).toEqual([null, null]);
    expect([...process.journal.keys(second.run)]).toEqual([{ index: 0, key: 'c' }]);
    expect(process.journal.recordAt(first.run, 2)).toBeNull();
  });
});

describe.each(STORES)('pruning, in $name', (store) => {
  const mixed = () => [...manyPayouts(5), record(5, { key: null })];
  const told = ['created', 'rejected', 'unknown', 'not_sent', 'created'] as const;

  function pruned(exitCode: number | null) {
    const bench = benchOn(store);
    const process = bench.process();
    const { run, outbox } = process.pass(mixed());
    deliverAll(outbox, ({ index }) => outcome(told[index]!));
    outbox.leave();
    if (exitCode !== null) process.journal.end(run.number, { finishedAt: START + 1000, exitCode, stopReason: null });
    return { process, run, bodies: () => [...process.journal.records(run)].map(({ body }) => body !== null) };
  }

  it('takes away bodies and answers of what is finished, and nothing that is open', () => {
    const { process, run, bodies } = pruned(5);
    const before = [...process.journal.records(run)];
    expect(process.journal.prune(START + DAY)).toBe(2);
    expect(bodies()).toEqual([false, true, true, true, false, false]);
    expect(process.outcomes(run)).toMatchObject([
      { state: 'created', response: null, httpStatus: 201 },
      { state: 'rejected', response: '{"error":"no"}' },
      { state: 'unknown', error: 'no whole answer' },
      { state: 'not_sent' },
      { state: 'created', response: null },
      { state: 'invalid', error: null },
    ]);
    expect(process.journal.recordAt(run, 5)?.error).toBeNull();
    const kept = [...process.journal.records(run)].map(({ key, bodyHash, content, likeness, amount }) => ({
      key,
      bodyHash,
      content,
      likeness,
      amount,
    }));
    expect(kept).toEqual(
      before.map(({ key, bodyHash, content, likeness, amount }) => ({ key, bodyHash, content, likeness, amount })),
    );
    expect(process.journal.prune(START + DAY)).toBe(0);
  });

  it.each([0, 4])('takes away what was rejected too when its run has finished: exit code %i', (exitCode) => {
    const { process, bodies } = pruned(exitCode);
    expect(process.journal.prune(START + DAY)).toBe(3);
    expect(bodies()).toEqual([false, false, true, true, false, false]);
  });

  it('leaves alone what was finished after the time', () => {
    const { process, bodies } = pruned(0);
    expect(process.journal.prune(START + 1000)).toBe(0);
    expect(bodies()).toEqual([true, true, true, true, true, false]);
    expect(process.journal.prune(START + 1001)).toBe(3);
  });

  it('leaves alone a run that is being delivered', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const { run, outbox } = process.pass(mixed());
    deliverAll(outbox, 'created');
    expect(process.journal.prune(START + DAY)).toBe(0);
    outbox.leave();
    expect(process.journal.prune(START + DAY)).toBe(5);
    expect(process.states(run)[0]).toBe('created');
  });

  it('leaves the history as it was, and the run such that it goes on', () => {
    const { process, run } = pruned(5);
    const content = mixed()[0]?.content as Uint8Array;
    process.journal.prune(START + DAY);
    const history = process.history();
    expect(history.byKey('k0')).toMatchObject({ state: 'created', at: START });
    expect(history.byContent(content)).toHaveLength(1);
    expect(history.byKey('k2')?.state).toBe('unknown');
    const { claimed, unclaimed } = process.join(run).exchange([], room(9, 9));
    expect(claimed.map(({ key, body }) => `${key} ${body !== null}`)).toEqual(['k1 true', 'k2 true', 'k3 true']);
    expect(unclaimed.map(({ why }) => why)).toEqual(['settled', 'settled']);
  });

  it('leaves nothing to be sent of what was rejected and pruned', () => {
    const { process, run } = pruned(4);
    process.journal.prune(START + DAY);
    const { claimed, unclaimed } = process.join(run).exchange([], room(9, 9));
    expect(claimed.map(({ key }) => key)).toEqual(['k2', 'k3']);
    expect(unclaimed).toMatchObject([
      { index: 0 },
      { index: 1, why: 'settled', outcome: { state: 'rejected' } },
      { index: 4 },
    ]);
  });
});

describe.each(STORES)('a journal that is closed, in $name', (store) => {
  it('is there again as it was', () => {
    const bench = benchOn(store);
    const first = bench.process();
    const { run, outbox } = first.pass(records('a', 'b'));
    const { claimed } = outbox.exchange([], room(1));
    outbox.exchange(
      claimed.map((each) => settled(each, 'created')),
      null,
    );
    outbox.leave();
    first.journal.close();
    const second = bench.process();
    expect(second.journal.runs()).toEqual([run]);
    expect(second.states(run)).toEqual(['created', null]);
    expect(keysOf(second.join(run).exchange([], room(9)))).toEqual(['b']);
  });

  it('may be closed in the middle of a reading', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const { run } = process.pass(manyPayouts(50));
    const reading = process.journal.records(run)[Symbol.iterator]();
    reading.next();
    process.journal.close();
    expect(bench.process().states(run)).toHaveLength(50);
  });
});

describe.each(STORES)('a journal that is only read, in $name', (store) => {
  it('is none where nothing was ever written', () => {
    expect(benchOn(store).reader()).toBeNull();
  });

  it('tells all that a writing one tells', () => {
    const bench = benchOn(store);
    const process = bench.process();
    const { run, outbox } = process.pass(records('a', 'b'));
    const { claimed } = outbox.exchange([], room(1));
    outbox.exchange(
      claimed.map((each) => settled(each, 'created')),
      null,
    );
    const reader = bench.reader();
    expect(reader?.journal.runs()).toEqual([run]);
    expect(reader?.journal.continuable(query())).toEqual(run);
    expect(reader?.states(run)).toEqual(['created', null]);
    expect(reader?.history().byKey('a')?.state).toBe('created');
    expect(reader?.history().byKey('b')?.state).toBe('waiting');
  });
});

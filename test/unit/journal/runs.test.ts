import { describe, expect, it } from 'vitest';
import type { ApprovedFlags } from '../../../src/journal/audit-log.js';
import type { Approval } from '../../../src/journal/payment.js';
import {
  AT,
  benchOn,
  CLERK,
  deliver,
  draft,
  drafts,
  INPUT_CALL,
  manyDrafts,
  pointers,
  processes,
  type Process,
  START,
  TARGET,
  replacing,
  invalidRecord,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

const DAY_NAME = /^20261101-[0-9a-f]{6}$/;

describe.each(STORES)('runs, in $name', (store) => {
  it('are told the newest first, with everything that was decided', async () => {
    const process = await benchOn(store).process();
    const skips = { skipCreated: true, skipSimilar: false };
    const first = await process.pass(drafts('a'), { digest: 'd1', command: 'gig create', batchId: '2026-10' });
    const headers = ['X-Team', 'x-"é"'];
    const second = await process.pass(drafts('b'), { digest: 'd2', skips, headers, files: ['x.csv', 'y.csv'] });
    const [newest, oldest, ...none] = await process.journal.runs();
    expect(none).toEqual([]);
    expect(newest).toEqual(second.run);
    expect(newest).toMatchObject({
      target: TARGET,
      scope: '',
      batchId: 'default',
      digest: 'd2',
      skips,
      headers,
      end: null,
      closed: null,
      command: 'payout create',
      startedAt: START,
      files: [{ path: 'x.csv' }, { path: 'y.csv' }],
    });
    expect(oldest).toMatchObject({ number: first.run.number, digest: 'd1', command: 'gig create', batchId: '2026-10' });
    expect(oldest).toMatchObject({
      skips: { skipCreated: false, skipSimilar: false },
      headers: [],
      inputCall: INPUT_CALL,
    });
    for (const { name } of [newest!, oldest!]) expect(name).toMatch(DAY_NAME);
  });

  it('are found by target, digest, batch, name and the beginning of the name', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const there = { target: 'https://other.example', scope: '' };
    const { run: a } = await process.pass(drafts('a'), { digest: 'd1', batchId: 'x' });
    const { run: b } = await process.pass(drafts('b'), { digest: 'd2', batchId: 'y' });
    const { run: c } = await process.pass(drafts('a'), { digest: 'd1', batchId: 'x', ...there });
    const next = { startedAt: START + 86_400_000 };
    bench.clock.now = next.startedAt;
    const { run: d } = await process.pass(drafts('d'), { digest: 'd3', batchId: 'x', ...next });
    const numbers = async (query: Parameters<typeof process.journal.runs>[0]) =>
      (await process.journal.runs(query)).map(({ number }) => number);
    expect(await numbers({ target: AT })).toEqual([d.number, b.number, a.number]);
    expect(await numbers({ target: there })).toEqual([c.number]);
    expect(await numbers({ target: { ...AT, scope: 'file-1' } })).toEqual([]);
    expect(await numbers({ digest: 'd1' })).toEqual([c.number, a.number]);
    expect(await numbers({ digest: 'd1', target: AT })).toEqual([a.number]);
    expect(await numbers({ batchId: 'x', target: AT })).toEqual([d.number, a.number]);
    expect(await numbers({ name: b.name })).toEqual([b.number]);
    expect(await numbers({ name: b.name.slice(0, -1) })).toEqual([]);
    expect(await numbers({ beginning: '20261101' })).toEqual([c.number, b.number, a.number]);
    expect(await numbers({ beginning: d.name.slice(0, 8) })).toEqual([d.number]);
    for (const beginning of ['2026110%', '2026110_', d.name.slice(1), `${d.name}0`]) {
      expect(await numbers({ beginning })).toEqual([]);
    }
  });

  it('have the batch of the plan that passed, whatever was said before', async () => {
    const process = await benchOn(store).process();
    const plan = await process.plan(await process.prepare(drafts('a'), { batchId: 'said' }), drafts('a'));
    expect((await process.commit({ ...plan, batchId: 'filled in' })).run.batchId).toBe('filled in');
    await process.pass(drafts('b'), { digest: 'd2', batchId: 'x' });
    await process.pass(drafts('c'), { digest: 'd3', batchId: 'x' });
    await process.prepare(drafts('d'), { batchId: 'draft' });
    await process.pass(drafts('a'), { target: 'https://other.example', batchId: 'there' });
    expect((await process.journal.batches(AT)).sort()).toEqual(['filled in', 'x']);
    expect(await process.journal.batches({ target: 'https://new.example', scope: '' })).toEqual([]);
  });

  it('say how their last call ended, and which call sends them at this moment', async () => {
    const bench = benchOn(store);
    const one = await bench.process();
    const other = await bench.process();
    const { run, delivery } = await one.pass(drafts('a'));
    const call = { run: run.number, name: run.name, by: CLERK, since: START };
    expect(await other.journal.liveCalls()).toEqual([call]);
    await delivery.leave();
    expect(await other.journal.liveCalls()).toEqual([]);
    bench.clock.now = START + 9;
    await one.journal.end(run, { finishedAt: START + 9, exitCode: 5, stopReason: 'connection' });
    expect((await other.journal.runs())[0]!.end).toEqual({
      finishedAt: START + 9,
      exitCode: 5,
      stopReason: 'connection',
    });
    await one.join(run);
    // Since its own gate.
    expect(await other.journal.liveCalls()).toEqual([{ ...call, since: START + 9 }]);
    await one.die();
    expect(await other.journal.liveCalls()).toEqual([]);
  });
});

const FLAGS: ApprovedFlags = {
  skipCreated: true,
  skipSimilar: false,
  sendSimilar: 2,
  skipInvalid: false,
  keyColumns: ['title'],
  resendUnknown: false,
  keyLifetimeHours: 24,
};

function approval(user: string, at: number): Approval {
  return {
    target: TARGET,
    batchId: 'default',
    digest: 'd1',
    count: 1,
    totals: [],
    files: [],
    flags: FLAGS,
    at,
    by: {
      user,
      host: 'desk-2',
    },
    version: '1.2.2',
    commandLine: 'gigwork approve',
    note: 'file a.json, not verified',
    event: null,
  };
}

describe.each(STORES)('the approval of a run, in $name', (store) => {
  const approvals = async ({ journal }: Process) =>
    (await journal.events(0, 0, 100)).flatMap(({ event, at, by, run, note }) => {
      if (event.kind !== 'approved') return [];
      const { of } = event;
      const word = of === null ? { at, by } : { at: of.at, by: { user: of.user, host: of.host } };
      return [{ ...word, run, note, digest: event.digest, count: event.count, flags: event.flags }];
    });

  it('is kept with it, with the flags that were approved, by calls that bring none and by calls that bring it again', async () => {
    const process = await benchOn(store).process();
    const plain = await process.pass(drafts('a'));
    const { run } = await process.pass(drafts('b'), { approval: approval('anna', START - 5) });
    const word = {
      at: START - 5,
      by: { user: 'anna', host: 'desk-2' },
      note: 'file a.json, not verified',
      flags: FLAGS,
      isProof: false,
    };
    expect([plain.run.approvedBy, run.approvedBy]).toEqual([null, word]);
    await process.join(run);
    const again = await process.join(run, { approval: approval('anna', START - 5) });
    expect(again.run.approvedBy).toEqual(word);
    expect((await process.journal.runs()).map(({ approvedBy }) => approvedBy)).toEqual([word, null]);
    expect(await approvals(process)).toEqual([
      {
        at: START - 5,
        by: word.by,
        run: run.name,
        note: 'file a.json, not verified',
        digest: 'd1',
        count: 1,
        flags: FLAGS,
      },
    ]);
  });

  it('is the last one that was given, and the log has them all', async () => {
    const process = await benchOn(store).process();
    const { run } = await process.pass(drafts('a'), { approval: approval('anna', START) });
    const again = await process.join(run, { approval: approval('bert', START) });
    expect(again.run.approvedBy?.by.user).toBe('bert');
    expect((await approvals(process)).map(({ by }) => by.user)).toEqual(['anna', 'bert']);
  });
});

describe.each(STORES)('the records of a run, in $name', (store) => {
  it('are told in the order of the input, invalid ones among them, page by page', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(10).filter(({ index }) => ![0, 3, 4, 9].includes(index));
    const parts = {
      type: 'gig',
      body: '{"title":"Audit"}',
      amount: '1500',
      currency: 'EUR',
      costCenter: 'PP-7',
    } as const;
    const invalid = [0, 3, 4, 9].map((index) => invalidRecord(index, `fault ${index}`, parts));
    const { run } = await process.pass(planned, { invalid });
    const all = await process.records(run);
    expect(all.map(({ index, record, line }) => [index, record, line])).toEqual(
      Array.from({ length: 10 }, (_, i) => [i, i + 1, i + 2]),
    );
    expect(all.map(({ key, error }) => key ?? error)).toEqual([
      'fault 0',
      'k1',
      'k2',
      'fault 3',
      'fault 4',
      'k5',
      'k6',
      'k7',
      'k8',
      'fault 9',
    ]);
    expect(all[3]).toMatchObject({
      ...parts,
      payment: null,
      key: null,
      outcome: null,
      isClaimed: false,
    });
    for (let size = 1; size < 11; size++) {
      const paged = [];
      for (let from = 0; from < 10; from += size) paged.push(...(await process.journal.records(run, from, size)));
      expect(paged).toEqual(all);
    }
    expect(await process.journal.records(run, 10, 5)).toEqual([]);
    expect(await process.journal.records(run, 0, 0)).toEqual([]);
  });

  it('stand wherever the files have them: without lines, with gaps, in several files', async () => {
    const process = await benchOn(store).process();
    const planned = manyDrafts(8);
    const preparation = await process.prepare(planned);
    const places = [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 6],
      [0, 5, 7],
      [1, 6, 8],
      [1, 7, null],
      [1, 8, null],
      [1, 9, 10],
    ] as const;
    const records = pointers(preparation.number, planned).map((each, i) => {
      const [file, record, line] = places[i]!;
      return { ...each, file, record, line };
    });
    const { run } = await process.commit(await process.plan(preparation, planned, { records, files: ['a', 'b'] }));
    const told = await process.records(run);
    expect(told.map(({ file, record, line }) => [file, record, line])).toEqual(places);
    expect(told.map(({ key }) => key)).toEqual(planned.map(({ key }) => key));
  });

  it('that were left out show their own content, and the payment that they stand for', async () => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a', 'b'), { digest: 'one' });
    await deliver(first, ({ key }) => (key === 'a' ? 'created' : 'unknown'));
    const [a, b] = first.ids;
    const planned = [draft(0), draft(1), { ...draft(2), amount: '13' }, draft(3)];
    const preparation = await process.prepare(planned);
    const standFor = [a!, null, b!, null];
    const records = pointers(preparation.number, planned).map((each, i) => ({ ...each, standsFor: standFor[i]! }));
    // The last one is left out for the payment that its own key already stands for.
    records[3] = { ...records[3]!, payment: a!, standsFor: a! };
    const { run } = await process.commit(await process.plan(preparation, [], { records, digest: 'two' }));
    const told = await process.records(run);
    expect(told.map(({ key, amount, outcome }) => [key, amount, outcome?.state])).toEqual([
      ['k0', '1200', 'created'],
      ['k1', '1200', undefined],
      ['k2', '13', 'unknown'],
      ['a', '1200', 'created'],
    ]);
    const { body, amount } = draft(0, { key: 'a' });
    const standsForA = { payment: a!, run: first.run.name, key: 'a', body, amount, state: 'created' };
    const standsForB = { payment: b!, run: first.run.name, key: 'b', state: 'unknown' };
    expect(told.map(({ standsFor }) => standsFor)).toEqual([
      standsForA,
      null,
      expect.objectContaining(standsForB),
      standsForA,
    ]);
  });
});

describe.each(STORES)('closing a run, in $name', (store) => {
  it.each([
    ['gives rejected payments back that were to be corrected by what it leaves open: same key', 'a', null],
    ['gives rejected payments back that were to be corrected by what it leaves open: another key', 'a-mended', null],
    ['leaves those that were corrected', 'a', 'created'],
  ] as const)('%s', async (_what, key, state) => {
    const process = await benchOn(store).process();
    const first = await process.pass(drafts('a'), { digest: 'one' });
    await deliver(first, 'rejected');
    await first.delivery.leave();
    const [a] = first.ids;
    const replaced = replacing(a!);
    const planned = [draft(0, { key, says: 'mended' }), draft(1)];
    const second = await process.pass(planned, { digest: 'two', replaced });
    if (state !== null) await deliver({ ...second, ids: second.ids.slice(0, 1) }, state);
    await second.delivery.leave();
    const keys = ['a', 'a-mended'];
    const known = async () => new Map((await process.journal.find(AT, keys)).map((each) => [each.key, each]));
    const before = await known();
    await process.journal.close(second.run, '');
    if (state !== null) expect((await known()).get('a')!.replacedBy).toBe(before.get('a')!.replacedBy);
    else {
      expect((await known()).get('a')).toMatchObject({ id: a, state: 'rejected', replacedBy: null });
      expect((await known()).get('a-mended')?.id).toBe(before.get('a-mended')?.id);
      expect(await process.journal.unsettled(AT)).toMatchObject([{ id: a }]);
    }
  });

  it('is noticed by whoever compares with the history at that moment, and by whoever would go on with it', async () => {
    const [one, other] = await processes(store);
    const { run, delivery } = await one.pass(drafts('a'));
    await delivery.leave();
    const planned = drafts('b');
    const plans = [await other.plan(await other.prepare(planned), planned), await other.goingOn(run)];
    await one.journal.close(run, '');
    for (const plan of plans) expect(await other.journal.commit(plan)).toBeNull();
    // Nor does a plan pass that knows the version of now, and not that the run is closed.
    expect(await other.journal.commit(await other.goingOn(run))).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { PlannedRecord } from '../../../src/journal/record.js';
import { START, TARGET, benchOn, gate, manyPayouts, record, records } from './kit.js';
import { STORES } from './stores.js';

/** What was planned, with hashes that can be compared. */
function plainly(planned: PlannedRecord): unknown {
  const { index, file, record: number, line, type, key, body, bodyHash, amount, currency, costCenter, error } = planned;
  const hashes = [planned.content, planned.likeness].map((hash) =>
    hash === null ? null : Buffer.from(hash).toString('hex'),
  );
  return [index, file, number, line, type, key, body, bodyHash, amount, currency, costCenter, error, ...hashes];
}

describe.each(STORES)('a run that is being prepared, in $name', (store) => {
  it('is no history: no list, no search and no later run sees it', () => {
    const [ours, theirs] = [benchOn(store), benchOn(store)].map((bench) => bench.process());
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const planned = records('a', 'b');
    const preparing = one.prepare(planned);
    for (const process of [one, other, bench.reader()]) {
      expect(process?.journal.runs()).toEqual([]);
      expect(process?.journal.findRuns(preparing.run)).toEqual([]);
      const history = process?.history();
      expect(history?.isEmpty).toBe(true);
      expect(history?.byKey('a')).toBeNull();
      expect(history?.byContent(planned[0]?.content as Uint8Array)).toEqual([]);
      expect(history?.unknown('default')).toEqual([]);
    }
    const query = {
      target: TARGET,
      scope: '',
      digest: 'digest',
      batchId: 'default',
      since: 0,
      payAgain: false,
      skipCreated: false,
    };
    expect(other.journal.continuable(query)).toBeNull();
    expect([ours, theirs].map((process) => process?.journal.runs())).toEqual([[], []]);
  });

  it('tells the bodies that it was given', () => {
    const process = benchOn(store).process();
    const planned = records('a', 'b');
    const preparing = process.prepare(planned);
    expect([0, 1].map((index) => preparing.bodyAt(index))).toEqual(planned.map(({ body }) => body));
  });

  it('is forgotten when it is abandoned', () => {
    const bench = benchOn(store);
    const process = bench.process();
    process.prepare(records('a', 'b')).abandon();
    const { run } = process.pass(records('c'));
    expect(process.journal.runs().map(({ number }) => number)).toEqual([run.number]);
    expect(process.history().byKey('a')).toBeNull();
  });

  it('is history for good once it has passed, also when it is abandoned after that', () => {
    const process = benchOn(store).process();
    const planned = records('a');
    const preparing = process.prepare(planned);
    expect(preparing.pass({ ...gate(planned), version: 0 })).not.toBeNull();
    preparing.abandon();
    const run = process.run(preparing.run);
    expect([...process.journal.records(run)].map(({ key }) => key)).toEqual(['a']);
  });

  it('is forgotten with the process that prepared it, and only then', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const lost = gone.prepare(records('a'));
    const kept = other.prepare(records('b'));
    gone.die();
    other.journal.recover();
    expect(kept.pass({ ...gate(records('b')), version: 0 })).not.toBeNull();
    expect(other.journal.findRuns(lost.run)).toEqual([]);
    expect(() => lost.store(records('c'))).toThrow('journal');
    expect([...other.journal.records(other.run(kept.run))].map(({ key }) => key)).toEqual(['b']);
  });

  it('keeps every record as it was planned, thousands of them, valid and invalid', () => {
    const process = benchOn(store).process();
    const planned: PlannedRecord[] = [
      ...manyPayouts(4500),
      record(4500, { key: null }),
      record(4501, { type: 'gig', key: 'g' }),
    ];
    const { run } = process.pass(planned);
    const stored = [...process.journal.records(run)];
    expect(stored.map(plainly)).toEqual(planned.map(plainly));
    expect(stored.map(({ outcome: known }) => known?.state ?? null)).toEqual([
      ...Array(4500).fill(null),
      'invalid',
      null,
    ]);
    expect([...process.journal.keys(run)]).toEqual(
      planned.filter(({ key }) => key !== null).map(({ index, key }) => ({ index, key })),
    );
    expect(process.journal.recordAt(run, 4500)).toMatchObject({
      error: 'amount: missing',
      outcome: { state: 'invalid', error: 'amount: missing' },
    });
    expect(process.journal.recordAt(run, 4501)).toMatchObject({ key: 'g', type: 'gig', outcome: null });
    expect(process.journal.recordAt(run, 4502)).toBeNull();
  });

  it('keeps texts as they are', () => {
    const process = benchOn(store).process();
    const says = 'Ünïcode – 5 € \u{1F4B6} "quotes" \u0001\u001B \n\u2028';
    const planned = [record(0, { key: 'ключ', says })];
    const { run } = process.pass(planned, {
      command: says,
      batchId: 'Ä',
      files: [{ path: says, sha256: 's', records: 1, hasErrorColumn: true }],
    });
    expect(process.journal.recordAt(run, 0)).toMatchObject({ key: 'ключ', body: planned[0]?.body });
    expect(process.run(run.run)).toMatchObject({
      command: says,
      batchId: 'Ä',
      files: [{ path: says, hasErrorColumn: true }],
    });
  });
});

describe.each(STORES)('the gate, in $name', (store) => {
  it('makes a run that everybody sees', () => {
    const bench = benchOn(store);
    const { run } = bench.process().pass(records('a', 'b'), { payAgain: 3, batchId: '2026-11', digest: 'd1' });
    expect(run).toEqual({
      number: expect.any(Number),
      gate: expect.any(Number),
      run: expect.stringMatching(/^20261101-\w+$/),
      command: 'payout create',
      target: TARGET,
      scope: '',
      batchId: '2026-11',
      startedAt: START,
      digest: 'd1',
      payAgain: 3,
      files: [{ path: 'payouts.csv', sha256: 'f1', records: 2, hasErrorColumn: false }],
      end: null,
    });
    expect(bench.reader()?.journal.runs()).toEqual([run]);
  });

  it('is closed to a run that was checked before another one passed at the same target', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const planned = records('a');
    const preparing = one.prepare(planned);
    const { version } = one.history();
    other.pass(records('b'));
    expect(preparing.pass({ ...gate(planned), version })).toBeNull();
    expect(one.journal.findRuns(preparing.run)).toEqual([]);
    const again = one.history();
    expect(again.version).not.toBe(version);
    expect(again.byKey('b')?.state).toBe('waiting');
    expect(preparing.pass({ ...gate(planned), version: again.version })).not.toBeNull();
  });

  it('lets one of two pass that were checked at once', () => {
    const bench = benchOn(store);
    const both = [bench.process(), bench.process()].map((process) => ({
      preparing: process.prepare(records('a')),
      version: process.history().version,
    }));
    const passed = both.map(({ preparing, version }) => preparing.pass({ ...gate(records('a')), version }) !== null);
    expect(passed).toEqual([true, false]);
  });

  it('counts a process that goes on with a run like one that begins one', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run } = one.pass(records('a'));
    const preparing = other.prepare(records('b'));
    const { version } = other.history();
    one.join(run);
    expect(preparing.pass({ ...gate(records('b')), version })).toBeNull();
    const stale = other.history().version;
    expect(preparing.pass({ ...gate(records('b')), version: stale })).not.toBeNull();
    expect(one.journal.join(run, { version: stale, decisions: [], placing: null })).toBeNull();
  });

  it.each([
    ['another target', { target: 'https://other.example' }],
    ['another sandbox', { scope: 'file-2' }],
  ])('does not mind what passes at %s', (_what, over) => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const preparing = one.prepare(records('a'));
    const { version } = one.history();
    other.pass(records('a'), over);
    expect(preparing.pass({ ...gate(records('a')), version })).not.toBeNull();
    expect(one.history(one.run(preparing.run)).byKey('a')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { JournalError } from '../../../src/errors.js';
import type { RunHead } from '../../../src/journal/journal.js';
import type { PlannedRecord } from '../../../src/journal/record.js';
import { parseDecimal } from '../../../src/money/decimal.js';
import { Beside } from '../../../src/batch/beside.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import { Entries } from '../../../src/batch/table.js';
import { benchOn, deliverAll, gate, keysOf, type Process, records, room, START, TARGET } from '../journal/kit.js';
import { STORES } from '../journal/stores.js';

const HEAD: RunHead = { command: 'payout create', target: TARGET, scope: '', batchId: 'default', startedAt: START };

function entriesOf(planned: readonly PlannedRecord[]): Entries {
  const entries = new Entries();
  for (const each of planned) {
    if (each.key === null) entries.addInvalid(each, each.type, each.error ?? '');
    else {
      const amount = each.amount === null ? null : parseDecimal(each.amount);
      const index = entries.addValid(each, { ...each, key: RecordKey.of(each.key), keySource: 'content', amount });
      entries.setHashes(index, Buffer.alloc(32));
    }
  }
  return entries;
}

/** Prepared in parts, as a file is read. */
function beside({ journal }: Process, ...parts: readonly (readonly PlannedRecord[])[]) {
  const preparing = new Beside(journal, HEAD, entriesOf(parts.flat()));
  for (const part of parts) give(preparing, part);
  return preparing;
}

/** Gives records to be stored, as PREPARE does. */
function give(preparing: Beside, part: readonly PlannedRecord[]): void {
  if (!preparing.shares(part[0]?.index ?? 0, part)) preparing.store(part);
}

/** Records in their places in the input. */
function placed(planned: readonly PlannedRecord[]): PlannedRecord[] {
  return planned.map((each, index) => ({ ...each, index, record: index + 1, line: index + 2 }));
}

function readable(planned: PlannedRecord): unknown {
  const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'));
  return { ...planned, content: hex(planned.content), likeness: hex(planned.likeness) };
}

function stored(process: Process, run: string): unknown[] {
  return [...process.journal.records(process.run(run))].map(({ id: _id, outcome: _outcome, ...planned }) =>
    readable(planned),
  );
}

/** What preparing without any run beside it would have stored. */
function asPlanned(planned: readonly PlannedRecord[]): unknown[] {
  return planned.map(readable);
}

const FILE = placed(records('a', 'b', { key: null }, 'c', 'd', 'e'));
const parts = (planned: readonly PlannedRecord[]): PlannedRecord[][] => [
  planned.slice(0, 2),
  planned.slice(2, 4),
  planned.slice(4),
];

describe.each(STORES)('preparing beside an earlier run, in $name', (store) => {
  /** A process at a journal that has FILE's run. */
  function withHistory(planned = FILE): Process {
    const process = benchOn(store).process();
    const { outbox } = process.pass(planned);
    deliverAll(outbox, 'created');
    outbox.leave();
    return process;
  }

  const pass = (process: Process, preparing: ReturnType<typeof beside>, planned: readonly PlannedRecord[]) =>
    preparing.pass({ ...gate(planned), version: process.history().version });

  it('is the twin of a run when each record is that run’s, and all were given', () => {
    const process = withHistory();
    const [run] = process.journal.runs();
    if (run === undefined) throw new Error('there is no run');
    expect(beside(process, ...parts(FILE)).isSameAs(run)).toBe(true);
    expect(beside(process, ...parts(FILE)).isSameAs({ ...run, number: run.number + 1 })).toBe(false);
    expect(beside(process, ...parts(placed(records('a', 'b', 'c')))).isSameAs(run)).toBe(false);
    const lacking = new Beside(process.journal, HEAD, entriesOf(FILE));
    for (const part of parts(FILE).slice(0, 2)) give(lacking, part);
    expect(lacking.isSameAs(run)).toBe(false);
  });

  it('stores nothing while the records are the same', () => {
    const process = withHistory();
    let prepared = 0;
    const watched = { ...process.journal, prepare: (head: RunHead) => (prepared++, process.journal.prepare(head)) };
    const preparing = new Beside(watched, HEAD, entriesOf(FILE));
    for (const part of parts(FILE)) give(preparing, part);
    expect(prepared).toBe(0);
    expect(preparing.bodyAt(4)).toBe(FILE[4]?.body);
    preparing.abandon();
    expect(prepared).toBe(0);
    expect(process.journal.runs()).toHaveLength(1);
  });

  it('stores all of them when a run of its own comes of it', () => {
    const process = withHistory();
    const preparing = beside(process, ...parts(FILE));
    const outbox = pass(process, preparing, FILE);
    expect(stored(process, preparing.run)).toEqual(asPlanned(FILE));
    expect(outbox && outbox.exchange([], room(10)).unclaimed.map(({ why }) => why)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map(() => 'settled'),
    );
  });

  it.each<[string, PlannedRecord[]]>([
    ['a record is another', placed([...FILE.slice(0, 4), ...records('x'), ...FILE.slice(5)])],
    ['a record has the same key and other content', placed([...FILE.slice(0, 4), ...records({ key: 'd', says: 'x' })])],
    ['an invalid record is valid now', placed([...FILE.slice(0, 2), ...records('n'), ...FILE.slice(3)])],
    ['a valid record is invalid now', placed([...FILE.slice(0, 3), ...records({ key: null }), ...FILE.slice(4)])],
    ['there are more records', placed([...FILE, ...records('f', 'g')])],
    ['there are fewer', FILE.slice(0, 5)],
    ['the first is another', placed([...records('x'), ...FILE.slice(1)])],
    ['the first is invalid', placed([...records({ key: null }, { key: null }), ...FILE.slice(2)])],
  ])('stores what was not stored where %s', (_what, planned) => {
    const process = withHistory();
    const preparing = beside(process, ...parts(planned));
    expect(pass(process, preparing, planned)).not.toBeNull();
    expect(stored(process, preparing.run)).toEqual(asPlanned(planned));
    for (const [i, { body }] of planned.entries()) if (body !== null) expect(preparing.bodyAt(i)).toBe(body);
  });

  it('keeps the places and amounts of its own file', () => {
    const process = withHistory();
    const moved = FILE.map((each) => ({ ...each, line: (each.line ?? 0) + 7, amount: each.amount && '99.5' }));
    const preparing = beside(process, ...parts(moved));
    pass(process, preparing, moved);
    expect(stored(process, preparing.run)).toEqual(asPlanned(moved));
  });

  it('is beside a run that is there to the last body only', () => {
    const process = withHistory();
    const [run] = process.journal.runs();
    process.journal.end(run?.number ?? 0, { finishedAt: START, exitCode: 0, stopReason: null });
    expect(process.journal.prune(START + 1)).toBe(5);
    const preparing = beside(process, ...parts(FILE));
    pass(process, preparing, FILE);
    expect(stored(process, preparing.run)).toEqual(asPlanned(FILE));
  });

  it('sends nothing when the earlier run loses its bodies meanwhile', () => {
    const process = withHistory();
    const preparing = beside(process, ...parts(FILE));
    const [run] = process.journal.runs();
    process.journal.end(run?.number ?? 0, { finishedAt: START, exitCode: 0, stopReason: null });
    process.journal.prune(START + 1);
    expect(() => pass(process, preparing, FILE)).toThrow(JournalError);
    expect(() => pass(process, preparing, FILE)).toThrow(/run the command again/);
    preparing.abandon();
    expect(process.journal.runs()).toHaveLength(1);
  });

  it('is beside no run of another target', () => {
    const process = benchOn(store).process();
    deliverAll(process.pass(FILE, { target: 'https://other.example' }).outbox, 'created');
    const preparing = beside(process, ...parts(FILE));
    const outbox = pass(process, preparing, FILE);
    expect(outbox === null ? [] : keysOf(outbox.exchange([], room(10)))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

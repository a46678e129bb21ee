import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalError } from '../../../src/errors.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import { AT, benchOn, claim, drafts, manyDrafts, outcome, START } from './kit.js';
import { STORES } from './stores.js';

const [sqlite] = STORES.filter(({ name }) => name === 'SQLite');

/** A ledger in use, and what it has handed out, whose file is then taken away. */
async function broken() {
  const bench = benchOn(sqlite!);
  const process = await bench.process();
  const { run, delivery, ids } = await process.pass(manyDrafts(3));
  const preparation = await process.prepare(manyDrafts(2));
  const plan = await process.plan(preparation, manyDrafts(2));
  const [record] = await process.records(run);
  if (record === undefined) throw new Error('no record');
  await process.ledger.leave();
  return {
    file: join(bench.place, 'journal.db'),
    ledger: process.ledger,
    run,
    record,
    ids,
    delivery,
    preparation,
    plan,
  };
}

type Broken = Awaited<ReturnType<typeof broken>>;

/** A row for every function of the file: a new one without a row is a fault of this test. Approvals it does not hold. */
const LEDGER: { [Name in Exclude<keyof Ledger, 'user' | 'approve' | 'approvals'>]: (at: Broken) => Promise<unknown> } =
  {
    recover: ({ ledger }) => ledger.recover(),
    version: ({ ledger }) => ledger.version(AT),
    standing: ({ ledger }) => ledger.standing(),
    stored: ({ ledger }) => ledger.stored(AT, [{ key: 'k0', bodyHash: '' }]),
    find: ({ ledger }) => ledger.find(AT, ['k0']),
    byId: ({ ledger, ids }) => ledger.byId(ids),
    outcomes: ({ ledger, ids }) => ledger.outcomes(ids),
    bodies: ({ ledger, ids }) => ledger.bodies(ids),
    states: ({ ledger, run }) => ledger.states(run, 0, 10),
    summary: ({ ledger, run }) => ledger.summary(run, 0, 10),
    bySimilarity: ({ ledger }) => ledger.bySimilarity(AT, [1n]),
    unsettled: ({ ledger }) => ledger.unsettled(AT),
    batches: ({ ledger }) => ledger.batches(AT),
    liveCalls: ({ ledger }) => ledger.liveCalls(),
    hasElsewhere: ({ ledger }) => ledger.hasElsewhere(AT),
    elsewhere: ({ ledger }) => ledger.elsewhere(AT, ['k0']),
    places: ({ ledger, ids }) => ledger.places(ids),
    prepare: ({ ledger }) => ledger.prepare({ command: 'x', ...AT, batchId: '', startedAt: START, headers: [] }),
    commit: ({ ledger, plan }) => ledger.commit(plan),
    runs: ({ ledger }) => ledger.runs(),
    records: ({ ledger, run }) => ledger.records(run, 0, 10),
    end: ({ ledger, run }) => ledger.end(run, { finishedAt: START, exitCode: 0, stopReason: null }),
    close: ({ ledger, run }) => ledger.close(run, ''),
    settle: ({ ledger, run, record }) => ledger.settle(run, [record], outcome('created'), ''),
    settlements: ({ ledger, run }) => ledger.settlements(run),
    events: ({ ledger }) => ledger.events(0, 0, 10),
    prune: ({ ledger }) => ledger.prune(START),
    leave: ({ ledger }) => ledger.leave(),
  };

const USES: [what: string, use: (at: Broken) => Promise<unknown>][] = [
  ...Object.entries(LEDGER),
  ['store', ({ preparation }) => preparation.store(drafts('x'))],
  ['abandon', ({ preparation }) => preparation.abandon()],
  ['exchange', ({ delivery, ids }) => claim(delivery, ids)],
  ['the end of a delivery', ({ delivery }) => delivery.leave()],
];

describe('a journal that cannot be used any more says so with its name, whatever part of it is used', () => {
  it.each(USES)('%s', async (_what, use) => {
    const at = await broken();
    const failure = await use(at).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(JournalError);
    expect((failure as JournalError).message).toContain(at.file);
  });
});

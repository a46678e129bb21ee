import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite.js';
import { deliverAll, manyPayouts, outcome, Process, record, room, settled, START } from './kit.js';
import { isKeyed, temporaryFolder } from './stores.js';

const NAME = 'Petronella Planted';
const DAY = 86_400_000;

function processIn(folder: string): Process {
  const journal = openSqliteJournal({ folder, readOnly: false, isKeyed, now: () => START, platform: process.platform });
  if (journal === null) throw new Error('no journal');
  onTestFinished(() => journal.close());
  return new Process(journal);
}

/** How often the name stands in each file of the folder. */
function found(folder: string): Record<string, number> {
  const count = (name: string): number => readFileSync(join(folder, name), 'latin1').split(NAME).length - 1;
  return Object.fromEntries(readdirSync(folder).map((name) => [name, count(name)]));
}

it('a pruned name is in no byte of the journal, whatever was moved and deleted before', () => {
  const folder = temporaryFolder();
  const process = processIn(folder);
  const payouts = manyPayouts(1000).map((_, index) => record(index, { says: `${NAME} ${index}` }));
  const { run, outbox } = process.pass([...payouts, { ...record(1000, { key: null }), error: `${NAME}: no amount` }]);
  const { claimed } = outbox.exchange([], room(1, 999));
  // Answered out of order, and of every length: pages of the table are split, and rows move to other pages.
  const answered = claimed.toSorted((a, b) => ((a.index * 7) % 61) - ((b.index * 7) % 61));
  for (const each of answered) {
    const response = JSON.stringify({ id: NAME, note: 'x'.repeat((each.index * 37) % 300) });
    outbox.exchange([settled(each, outcome('created', { response }))], null);
  }
  outbox.exchange([], room(1));
  outbox.leave();
  process.journal.end(run.number, { finishedAt: START, exitCode: 4, stopReason: null });
  const given = process.prepare(
    manyPayouts(50).map((_, index) => record(index, { key: `g${index}`, says: `${NAME}, given up ${index}` })),
  );
  given.abandon();
  expect(Object.values(found(folder)).some((count) => count > 0)).toBe(true);
  expect(process.journal.prune(START + DAY)).toBe(claimed.length);
  expect(found(folder)).toEqual(Object.fromEntries(readdirSync(folder).map((name) => [name, 0])));
  expect(process.states(run).filter((state) => state === 'created')).toHaveLength(claimed.length);
});

it('another process goes on with what it delivers, over the file that was written anew', () => {
  const folder = temporaryFolder();
  const [delivering, pruning] = [processIn(folder), processIn(folder)];
  const before = delivering.pass(manyPayouts(3), { digest: 'd1' });
  deliverAll(before.outbox, 'created');
  before.outbox.leave();
  const { run, outbox } = delivering.pass(
    manyPayouts(3).map((_, index) => record(index, { key: `n${index}` })),
    { digest: 'd2' },
  );
  const { claimed } = outbox.exchange([], room(1));
  const preparing = delivering.prepare(manyPayouts(2));
  expect(pruning.journal.prune(START + DAY)).toBe(3);
  deliverAll(outbox, 'created');
  outbox.exchange(
    claimed.map((each) => settled(each, 'created')),
    null,
  );
  outbox.leave();
  expect(delivering.states(run)).toEqual(['created', 'created', 'created']);
  expect(preparing.bodyAt(1)).toContain('says k1');
  expect(pruning.states(before.run)).toEqual(['created', 'created', 'created']);
});

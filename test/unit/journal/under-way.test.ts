import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { StoredState } from '../../../src/journal/record.js';
import { isFinal } from '../../../src/journal/under-way.js';
import { openSqliteJournal } from '../../../src/journal/sqlite.js';
import { manyPayouts, Process, START } from './kit.js';
import { isKeyed, temporaryFolder } from './stores.js';

const STATES: readonly StoredState[] = [
  ...(['created', 'rejected', 'unknown', 'not_sent', 'invalid', 'already_created', 'left_unknown'] as const),
];

function processIn(folder: string): Process {
  const journal = openSqliteJournal({ folder, readOnly: false, isKeyed, now: () => START, platform: process.platform });
  if (journal === null) throw new Error('no journal');
  onTestFinished(() => journal.close());
  return new Process(journal);
}

it('a claim that covers every state leaves those as they are that are final, in reading and in recovery', () => {
  const folder = temporaryFolder();
  const process = processIn(folder);
  const { run } = process.pass(manyPayouts(STATES.length));
  const [first = 0, ...others] = [...process.journal.records(run)].map(({ id }) => id);
  const db = new DatabaseSync(join(folder, 'journal.db'));
  const write = db.prepare('INSERT INTO outcome (record, state, attempts, intent, at) VALUES (?, ?, 1, 0, 0)');
  [first, ...others].forEach((id, i) => write.run(id, STATES[i] ?? null));
  const claim = db.prepare("INSERT INTO intent (run, first, last, process, at) VALUES (?, ?, ?, 'dead', ?)");
  claim.run(run.number, first, others.at(-1) ?? first, START);
  const expected = STATES.map((state) => (isFinal(state) ? state : 'unknown'));
  expect(expected.filter((state) => state !== 'unknown')).toHaveLength(4);
  expect(process.states(run)).toEqual(expected);
  expect(process.outcomes(run).map((known) => known?.state)).toEqual(expected);
  db.exec("INSERT INTO process VALUES ('dead', 0)");
  db.close();
  process.journal.recover();
  expect(process.states(run)).toEqual(expected);
});

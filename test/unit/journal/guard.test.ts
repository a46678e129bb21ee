import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalError } from '../../../src/errors.js';
import type { Outbox } from '../../../src/journal/delivery.js';
import { openSqliteJournal } from '../../../src/journal/sqlite.js';
import { gate, manyPayouts, outcome, Process, room, START } from './kit.js';
import { isKeyed, temporaryFolder } from './stores.js';

/** A journal in use, and what it has handed out, whose file is then taken away. */
function broken() {
  const folder = temporaryFolder();
  const journal = openSqliteJournal({ folder, readOnly: false, isKeyed, now: () => START, platform: process.platform });
  if (journal === null) throw new Error('no journal');
  const inUse = new Process(journal);
  const { run, outbox } = inUse.pass(manyPayouts(3));
  const joined = inUse.join(run);
  const preparing = inUse.prepare(manyPayouts(2));
  const [record] = journal.records(run);
  // A history is not empty when there is another run.
  inUse.pass(manyPayouts(1), { digest: 'other', batchId: 'other' });
  const history = inUse.history(run);
  if (record === undefined) throw new Error('no record');
  journal.close();
  return { file: join(folder, 'journal.db'), journal, run, record, outbox, joined, preparing, history };
}

type Broken = ReturnType<typeof broken>;
const useOutbox = (outbox: Outbox) => outbox.exchange([], room(1));

const USES: [what: string, use: (at: Broken) => unknown][] = [
  ['runs', ({ journal }) => journal.runs()],
  ['a record', ({ journal, run }) => journal.recordAt(run, 0)],
  [
    'a new run',
    ({ journal, run: { target } }) =>
      journal.prepare({ command: 'payout create', target, scope: '', batchId: '', startedAt: START }),
  ],
  ['the records of a run', ({ journal, run }) => [...journal.records(run)]],
  ['its outcomes', ({ journal, run }) => [...journal.outcomes(run)]],
  ['what it created', ({ journal, run }) => [...journal.created(run)]],
  ['its keys', ({ journal, run }) => [...journal.keys(run)]],
  ['a word about a record', ({ journal, record }) => journal.settle([record], outcome('created'), 'seen', START)],
  ['a pruning', ({ journal }) => journal.prune(START)],
  ['the history by key', ({ history }) => history.byKey('k0')],
  ['the history by content', ({ history, record }) => history.byContent(record.content as Uint8Array)],
  [
    'the history by likeness',
    ({ history, record }) => history.byLikeness(record.likeness as Uint8Array, new Uint8Array(1)),
  ],
  ['the history of doubt', ({ history }) => history.unknown('default')],
  ['records to be stored', ({ preparing }) => preparing.store(manyPayouts(1))],
  ['a stored body', ({ preparing }) => preparing.bodyAt(0)],
  ['the gate', ({ preparing }) => preparing.pass({ ...gate(manyPayouts(2)), version: 1 })],
  ['a run that is given up', ({ preparing }) => preparing.abandon()],
  ['an outbox of a run that passed', ({ outbox }) => useOutbox(outbox)],
  ['an outbox of a run that was joined', ({ joined }) => useOutbox(joined)],
  ['records that were elsewhere', ({ outbox, record: { id } }) => outbox.revisit([id], room(1))],
  ['the end of a delivery', ({ outbox }) => outbox.leave()],
];

describe('a journal that cannot be used any more says so with its name, whatever part of it is used', () => {
  it.each(USES)('%s', (_what, use) => {
    const at = broken();
    let failure: unknown = null;
    try {
      use(at);
    } catch (cause) {
      failure = cause;
    }
    expect(failure).toBeInstanceOf(JournalError);
    expect((failure as JournalError).message).toContain(at.file);
  });
});

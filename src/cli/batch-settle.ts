/** `batch settle <run>`: stores what a person says became of records of unknown outcome, and when it was said. */
import { EXIT, UsageError } from '../errors.js';
import { NOT_CREATED } from '../journal/settling.js';
import type { StoredRun } from '../journal/journal.js';
import type { Outcome, StoredRecord } from '../journal/record.js';
import { placeWords } from '../records/issue.js';
import { subjectOf } from '../records/subject.js';
import { recordEvent } from '../report/events.js';
import { printable } from '../report/printable.js';
import type { RecordReport } from '../report/reporter.js';
import { stateLabel } from '../report/states.js';
import { findRecords, moneyIn, storedReport } from '../outcome/archive.js';
import type { OutputFlags, TargetFlags } from '../config/flags.js';
import { numberRanges } from '../config/values.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { withRun } from './journal.js';

export interface SettleFlags extends OutputFlags, TargetFlags {
  readonly record: string;
  readonly file?: string;
  readonly created?: boolean;
  readonly notCreated?: boolean;
  readonly id?: string;
  readonly note?: string;
}

/** Settles the records and gives the exit code. @throws JournalError; UsageError when one is not in doubt, or is under way */
export async function settleRecords(name: string, flags: SettleFlags, world: World): Promise<number> {
  const outcome = settledOutcome(flags);
  const numbers = numberRanges('--record', flags.record);
  return withRun(name, flags, false, world, (run, journal) => {
    const records = findRecords(run, numbers, flags.file, journal);
    if (records.length > 1 && flags.id !== undefined)
      throw new UsageError('--id is that of one record: settle them one by one');
    journal.settle(records, outcome, flags.note ?? '', world.now());
    const settled = records.map((record) => storedReport(run, journal.recordAt(run, record.index) ?? record));
    if (flags.json === true) {
      const documents: unknown[] = settled.map((report) => JSON.parse(recordEvent(report)) as unknown);
      writeDocument(documents.length === 1 ? documents[0] : documents, world);
    } else {
      for (const [i, record] of records.entries())
        world.stdout.write(`${printable(settledWords(run, record, settled[i] as RecordReport))}\n`);
    }
    return EXIT.ok;
  });
}

/** For a left-out record: the earlier record is in doubt under another key, and is not settled by settling this one. */
const UNLESS_DOUBTED =
  ', unless the earlier record that it was left out for may still have been created: settle that one too';

/** Says what was settled, not only its number, so that a slip in the number shows. */
function settledWords(run: StoredRun, record: StoredRecord, settled: RecordReport): string {
  const what = [settled.file, placeWords(settled), subjectOf(record.body), moneyIn(record)].filter(
    (text) => text !== '',
  );
  const unless = record.outcome?.state === 'left_unknown' ? UNLESS_DOUBTED : '';
  const after =
    settled.status === 'not_sent' ? `It is sent when the run goes on${unless}.` : 'This cannot be taken back.';
  return `Record ${record.record} of run ${run.run} (${what.join(', ')}) is now ${stateLabel(settled.status)}. ${after}`;
}

/** @throws UsageError when the flags do not say exactly one thing */
function settledOutcome({ created, notCreated, id, note }: SettleFlags): Outcome {
  if ((created === true) === (notCreated === true)) throw new UsageError('say either --created or --not-created');
  const nothing = { httpStatus: null, attempts: 0, error: null, doubtSince: null };
  if (created === true)
    return { ...nothing, state: 'created', response: id === undefined ? null : JSON.stringify({ id }) };
  if (id !== undefined) throw new UsageError('--id goes with --created');
  if (note === undefined || note.trim() === '') {
    throw new UsageError(
      '--not-created needs a --note that says how it was found out: the record may be sent again after it',
    );
  }
  return { ...nothing, state: 'not_sent', response: null, error: `${NOT_CREATED}${note}` };
}

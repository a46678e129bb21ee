/** `batch settle <run>`: a person's word on a record whose outcome is unknown, written down with its time. */
import { EXIT, UsageError } from '../exit.js';
import { NOT_CREATED } from '../journal/settling.js';
import type { Outcome, StoredRecord, StoredRun } from '../journal/journal.js';
import { placeWords } from '../records/issue.js';
import { subjectOf } from '../records/subject.js';
import { recordEvent } from '../report/events.js';
import { printable } from '../report/printable.js';
import type { RecordReport } from '../report/reporter.js';
import { stateLabel } from '../report/states.js';
import { findRecord, moneyIn, storedReport } from '../run/archive.js';
import type { OutputFlags, TargetFlags } from '../settings/flags.js';
import { wholeNumber } from '../settings/values.js';
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

/** Settles the record and gives the exit code. @throws JournalError; UsageError when the record is not in doubt, or is under way */
export async function settleRecord(name: string, flags: SettleFlags, world: World): Promise<number> {
  const outcome = settledOutcome(flags);
  const number = wholeNumber('--record', flags.record, 1);
  return withRun(name, flags, false, world, (run, journal) => {
    const record = findRecord(run, number, flags.file, journal);
    const { attempts } = storedReport(run, record);
    journal.settle(record, { ...outcome, attempts }, flags.note ?? '', world.now());
    const settled = storedReport(run, journal.recordAt(run, record.index) ?? record);
    if (flags.json === true) writeDocument(JSON.parse(recordEvent(settled)), world);
    else world.stdout.write(`${printable(settledWords(run, record, settled))}\n`);
    return EXIT.ok;
  });
}

/** What it was left out for is in doubt under another key, and this word is not about that one. */
const UNLESS_DOUBTED =
  ', unless the earlier record that it was left out for may still have been created: settle that one too';

/** With what it was that was settled: a slip in the number shows. */
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

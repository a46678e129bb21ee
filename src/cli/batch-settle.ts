/** `batch settle <run>`: stores what a person says became of records of unknown outcome, and when it was said. */
import { EXIT, UsageError } from '../errors.js';
import type { Outcome, Run, StoredRecord } from '../ledger/payment.js';
import { NOT_CREATED } from '../ledger/payment.js';
import { placeWords } from '../records/issue.js';
import { subjectOf } from '../records/subject.js';
import { recordEvent } from '../report/events.js';
import { printable } from '../report/printable.js';
import type { RecordReport } from '../report/reporter.js';
import { stateLabel } from '../report/states.js';
import { findRecords, moneyIn, type Named, storedReport } from '../outcome/archive.js';
import type { OutputFlags, TargetFlags } from '../config/flags.js';
import { numberRanges } from '../config/values.js';
import { responseRules } from '../config/response.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { withRun } from './ledger.js';

export interface SettleFlags extends OutputFlags, TargetFlags {
  readonly record?: string;
  readonly line?: string;
  readonly file?: string;
  readonly created?: boolean;
  readonly notCreated?: boolean;
  readonly id?: string;
  readonly note?: string;
}

/** Settles the records and gives the exit code. @throws JournalError; UsageError when one is not in doubt, or is under way */
export async function settleRecords(
  name: string,
  argv: readonly string[],
  flags: SettleFlags,
  world: World,
): Promise<number> {
  const outcome = settledOutcome(flags);
  const named = namedRecords(flags);
  return withRun(name, flags, argv, world, async (run, ledger, settings) => {
    const records = await findRecords(run, named, ledger);
    if (records.length > 1 && flags.id !== undefined)
      throw new UsageError('--id is that of one record: settle them one by one');
    await ledger.settle(run, records, outcome, flags.note ?? '');
    const settled: RecordReport[] = [];
    for (const record of records) {
      const [now] = await ledger.records(run, record.index, 1);
      settled.push(storedReport(run, now ?? record, responseRules(settings, run.target).id));
    }
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

/** @throws UsageError when the flags do not name records in one way */
function namedRecords({ record, line, file }: SettleFlags): Named {
  if ((record === undefined) === (line === undefined))
    throw new UsageError(
      'say which records: either --line with their lines in the file, or --record with their numbers',
    );
  return line === undefined
    ? { by: 'record', ranges: numberRanges('--record', record ?? ''), file }
    : { by: 'line', ranges: numberRanges('--line', line), file };
}

/** Says what was settled, not only its number, so that a slip in the number shows. */
function settledWords(run: Run, record: StoredRecord, settled: RecordReport): string {
  const what = [subjectOf(record.body), moneyIn(record)].filter((text) => text !== '').join(', ');
  const place = placeWords(settled);
  const after = settled.status === 'not_sent' ? openWords(run, record) : 'This cannot be taken back.';
  return `${place.charAt(0).toUpperCase()}${place.slice(1)} of ${settled.file} in run ${run.name} (${what}) is now ${stateLabel(settled.status)}. ${after}`;
}

/** What has to be done for a record that was not created. */
function openWords({ closed }: Run, { leftOut }: StoredRecord): string {
  if (closed !== null) return 'Its run is closed and does not send it: import the record anew.';
  if (leftOut === 'similar')
    return 'It was left out for another payment, which is now known not to be made: run the first command again, with its files, to send this record in its place.';
  return 'It is sent when the run goes on.';
}

/** @throws UsageError when the flags do not say exactly one thing */
function settledOutcome({ created, notCreated, id, note }: SettleFlags): Outcome {
  if ((created === true) === (notCreated === true)) throw new UsageError('say either --created or --not-created');
  const nothing = { httpStatus: null, attempts: 0, error: null, requestId: null, doubtSince: null };
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

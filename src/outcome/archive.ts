/** Stored runs, as `batch list`, `batch show` and `batch report` tell of them. */
import { Groups } from '../batch/groups.js';
import { recordsOf } from '../batch/stored-run.js';
import type { Status } from '../batch/table.js';
import type { NumberRange } from '../config/values.js';
import { idIn } from '../delivery/http/answer.js';
import { UsageError } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ListedRecord, PaymentState, PersonsWord, Run, StoredOutcome, StoredRecord } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import { dayOf } from '../preflight/repeat-words.js';
import { moneyText } from '../records/money-text.js';
import { subjectIn } from '../records/subject.js';
import { totalsByType } from '../report/events.js';
import type { ReportHead, ReportRow } from '../report/formats.js';
import type { RecordReport } from '../report/reporter.js';
import { standsForReport } from './record-reports.js';
import { NO_RECORDS, type RecordCounts } from './summary.js';

/** The run that a person names, by its full name or by a beginning that no other run shares. @throws UsageError */
export async function findRun(ledger: Ledger, name: string): Promise<Run> {
  // Every name begins with the empty text. Most likely, a variable of a script was never set.
  if (name === '') throw noSuchRun(name);
  const found = await ledger.runs({ beginning: name });
  const exact = found.find((run) => run.name === name);
  if (exact !== undefined) return exact;
  const [run] = found;
  if (run === undefined) throw noSuchRun(name);
  if (found.length > 1)
    throw new UsageError(`several runs begin with "${name}": ${found.map((each) => each.name).join(', ')}`);
  return run;
}

/** The refusal of a name that no run has. */
export function noSuchRun(name: string): UsageError {
  return new UsageError(`there is no run "${name}"; see: gigwork batch list`);
}

/** Which records of a run a person means. */
export type Named = { readonly by: 'key'; readonly key: string } | NumberedRecords;

interface NumberedRecords {
  readonly by: 'record' | 'line';
  readonly ranges: readonly NumberRange[];
  /** Its path, as the run has it; may be undefined when the run has only one file. */
  readonly file: string | undefined;
}

/** The records that a person means, in the order of the input. @throws UsageError when the run lacks one of them */
export async function findRecords(run: Run, named: Named, ledger: Ledger): Promise<StoredRecord[]> {
  if (named.by !== 'key') return findNumbered(run, named, ledger);
  for await (const record of recordsOf(run, ledger)) if (record.key === named.key) return [record];
  throw new UsageError(`run ${run.name} has no record with the key ${named.key}`);
}

async function findNumbered(run: Run, { by, ranges, file }: NumberedRecords, ledger: Ledger): Promise<StoredRecord[]> {
  const wanted = file === undefined ? null : run.files.findIndex(({ path }) => path === file);
  if (wanted === -1)
    throw new UsageError(`run ${run.name} has no file ${file}; it has ${run.files.map(({ path }) => path).join(', ')}`);
  if (wanted === null && run.files.length > 1)
    throw new UsageError(`run ${run.name} has several files; say which one with --file`);
  const numbered = new Map<number, StoredRecord>();
  for await (const record of recordsOf(run, ledger)) {
    const number = by === 'record' ? record.record : record.line;
    if (record.file !== (wanted ?? 0) || number === null) continue;
    if (ranges.some(({ first, last }) => number >= first && number <= last)) numbered.set(number, record);
  }
  for (const { first, last } of ranges) {
    for (let number = first; number <= last; number++) {
      if (!numbered.has(number)) throw new UsageError(`run ${run.name} has no record ${noun(by)}${number}`);
    }
  }
  return [...numbered.values()].sort((one, other) => one.index - other.index);
}

function noun(by: NumberedRecords['by']): string {
  return by === 'line' ? 'on line ' : '';
}

/** The named state of a run's record, from the state of its payment. @param isOwn the run's own delivery settled it */
function statusOf(state: PaymentState, isLeftOut: boolean, isOwn: boolean): Status {
  if (state !== 'created') return state;
  return isLeftOut ? 'skipped' : isOwn ? 'created' : 'already_created';
}

export interface RunTally {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
}

/** Records that are asked for at once. */
const PAGE = 5000;

/** Counts and money of a stored run, as it stands now. */
export async function tally(run: Run, ledger: Ledger): Promise<RunTally> {
  const counts: Record<string, number> = { ...NO_RECORDS };
  const totals = startTotals();
  const groups = new Groups();
  const count = (status: string): void => void (counts[status] = (counts[status] ?? 0) + 1);
  const add = (record: ListedRecord): void => {
    count('read');
    if (record.payment === null) return count('invalid');
    const status = statusOf(record.state, record.standsFor !== null, record.settledBy === run.number);
    count('valid');
    count(status);
    const group = groups.at(groups.numberOf(record.type, record.currency, record.costCenter));
    totals.add(group, status, record.amount === null ? null : parseDecimal(record.amount));
  };
  for (let from = 0; ;) {
    const page = await ledger.listed(run, from, PAGE);
    page.forEach(add);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    from = last.index + 1;
  }
  return { records: counts as unknown as RecordCounts, totals: totals.rows() };
}

/** Whether the run may still be gone on with: something of it is open or in doubt. */
export function isOpen({ closed }: Run, { records }: RunTally): boolean {
  return closed === null && records.not_sent + records.unknown > 0;
}

/** The day since when a record of the run is in doubt, YYYY-MM-DD; null where none is. */
export async function inDoubtSince(run: Run, ledger: Ledger): Promise<string | null> {
  let first: string | null = null;
  for await (const { outcome, isClaimed } of recordsOf(run, ledger)) {
    if (outcome?.state !== 'unknown' && !isClaimed) continue;
    const day = doubtDay(outcome, run);
    if (first === null || day < first) first = day;
  }
  return first;
}

/** The day since when a record of the run is in doubt, YYYY-MM-DD. */
export function doubtDay(outcome: StoredOutcome | null, run: Run): string {
  return dayOf(outcome?.doubtSince ?? outcome?.at ?? run.startedAt);
}

/** One run of `batch list --json`. Times are ISO 8601 in UTC. @param next words of the command that goes on, or null */
export function runDocument(
  run: Run,
  { records, totals }: RunTally,
  next: readonly string[] | null,
): Record<string, unknown> {
  return {
    run: run.name,
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: run.end === null ? null : new Date(run.end.finishedAt).toISOString(),
    command: run.command,
    target: run.target,
    batch_id: run.batchId,
    digest: run.digest,
    files: run.files.map(({ path, sha256, records: count }) => ({ path, sha256, records: count })),
    exit_code: run.end?.exitCode ?? null,
    stop_reason: run.end?.stopReason ?? null,
    records,
    totals: totalsByType(totals),
    by: run.by,
    version: run.version,
    approved_by: wordDocument(run.approvedBy),
    closed: wordDocument(run.closed),
    next,
  };
}

function wordDocument(word: PersonsWord | null): object | null {
  return word === null ? null : { at: new Date(word.at).toISOString(), by: word.by, note: word.note };
}

/** A stored record as a `record` event. @param idPath where an answer has its id */
export function storedReport(run: Run, record: StoredRecord, idPath: string): RecordReport {
  const { outcome, payment, standsFor } = record;
  const isOther = standsFor !== null && standsFor.payment !== payment;
  // Under way, it may be carried out at any moment.
  const state = record.isClaimed ? 'unknown' : (outcome?.state ?? 'not_sent');
  return {
    file: run.files[record.file]?.path ?? '',
    record: record.record,
    line: record.line,
    type: record.type,
    key: record.key,
    status: payment === null ? 'invalid' : statusOf(state, standsFor !== null, outcome?.run === run.number),
    httpStatus: isOther ? null : (outcome?.httpStatus ?? null),
    attempts: isOther ? 0 : (outcome?.attempts ?? 0),
    response: isOther ? null : (outcome?.response ?? null),
    error: errorOf(record),
    request: null,
    ...subjectIn(record.body, record.type),
    ...{ amount: record.amount, currency: record.currency, costCenter: record.costCenter },
    id: isOther ? null : idIn(outcome?.response ?? null, idPath),
    at: outcome?.at ?? null,
    standsFor:
      standsFor === null
        ? null
        : standsForReport({ ...standsFor, type: record.type, run: { name: standsFor.run } }, standsFor.body),
  };
}

function errorOf({ outcome, error, replacedBy, standsFor }: StoredRecord): string | null {
  const known = standsFor === null ? (outcome?.error ?? error) : null;
  if (replacedBy === null) return known;
  const replaced = `replaced by a corrected record, in run ${replacedBy.run}`;
  return known === null ? replaced : `${known}; ${replaced}`;
}

/** `1,200.00 EUR`, or for a result `6,750 EUR cents`; empty where there is no amount. */
export function moneyIn({ amount, currency, type }: StoredRecord): string {
  return amount === null ? '' : moneyText(parseDecimal(amount), currency, type);
}

/** What a report file says of a stored run. @param made when the report is made, and how its commands are written */
export function storedHead(
  run: Run,
  { records, totals }: RunTally,
  made: Pick<ReportHead, 'madeAt' | 'utcOffset' | 'journalFlags' | 'resumeFlags' | 'platform'>,
): ReportHead {
  const { command, target, batchId, digest, files, startedAt, by, version, approvedBy } = run;
  return {
    command,
    run: run.name,
    target,
    batchId,
    digest,
    dryRun: false,
    refusal: [],
    files,
    records: { ...records },
    totals,
    startedAt,
    by,
    approvedBy,
    version,
    ...made,
  };
}

/** A stored run's rows of a report file, in the order of the input. @param idPath where an answer has its id */
export async function* storedRows(run: Run, ledger: Ledger, idPath: string): AsyncIterable<ReportRow> {
  for await (const record of recordsOf(run, ledger)) yield storedReport(run, record, idPath);
}

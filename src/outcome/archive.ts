/** Stored runs, as `batch list`, `batch show` and `batch report` tell of them. */
import type { Journal, StoredRun } from '../journal/journal.js';
import type { StoredRecord, StoredState } from '../journal/record.js';
import { UsageError } from '../errors.js';
import { moneyWords, parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import { withUnit } from '../records/kinds.js';
import type { NumberRange } from '../config/values.js';
import { totalsByType } from '../report/events.js';
import type { ReportHead, ReportRow } from '../report/formats.js';
import type { RecordReport } from '../report/reporter.js';
import { idIn } from '../delivery/http/answer.js';
import type { Status } from '../batch/table.js';
import { Groups } from '../batch/groups.js';
import { NO_RECORDS, type RecordCounts } from './summary.js';

/** The run that a person names, by its full name or by a beginning that no other run shares. @throws UsageError */
export function findRun(journal: Journal, name: string): StoredRun {
  // Every name begins with the empty text. Most likely, a variable of a script was never set.
  if (name === '') throw noSuchRun(name);
  const found = journal.findRuns(name);
  const exact = found.find(({ run }) => run === name);
  if (exact !== undefined) return exact;
  const [run] = found;
  if (run === undefined) throw noSuchRun(name);
  if (found.length > 1)
    throw new UsageError(`several runs begin with "${name}": ${found.map((each) => each.run).join(', ')}`);
  return run;
}

/** The refusal of a name that no run has. */
export function noSuchRun(name: string): UsageError {
  return new UsageError(`there is no run "${name}"; see: gigwork batch list`);
}

/**
 * The records that a person means, in input order.
 * @param numbers count from 1 in each file
 * @param file its path, as the run has it; may be undefined when the run has only one file
 * @throws UsageError when the run lacks one of them
 */
export function findRecords(
  run: StoredRun,
  numbers: readonly NumberRange[],
  file: string | undefined,
  journal: Journal,
): StoredRecord[] {
  const wanted = file === undefined ? null : run.files.findIndex(({ path }) => path === file);
  if (wanted === -1)
    throw new UsageError(`run ${run.run} has no file ${file}; it has ${run.files.map(({ path }) => path).join(', ')}`);
  if (wanted === null && run.files.length > 1)
    throw new UsageError(`run ${run.run} has several files; say which one with --file`);
  const found: StoredRecord[] = [];
  for (const record of journal.records(run)) {
    if (record.file === (wanted ?? 0) && numbers.some((range) => isWithin(record.record, range))) found.push(record);
  }
  for (const range of numbers) {
    const inRange = found.filter(({ record }) => isWithin(record, range));
    const missing = range.first + inRange.length;
    if (missing <= range.last) throw new UsageError(`run ${run.run} has no record ${missing}`);
  }
  return found;
}

function isWithin(number: number, { first, last }: NumberRange): boolean {
  return number >= first && number <= last;
}

/** A stored record's named state. A record without an outcome was not sent. */
function storedStatus(state: StoredState | null): Status {
  if (state === null) return 'not_sent';
  return state === 'left_unknown' ? 'unknown' : state;
}

export interface RunTally {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
}

/** Counts and money of a stored run, as it stands now. */
export function tally(run: StoredRun, journal: Journal): RunTally {
  const counts: Record<string, number> = { ...NO_RECORDS };
  const totals = startTotals();
  const groups = new Groups();
  for (const record of journal.ends(run)) {
    const status = storedStatus(record.state);
    counts['read'] = (counts['read'] ?? 0) + 1;
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 'invalid') continue;
    counts['valid'] = (counts['valid'] ?? 0) + 1;
    const group = groups.at(groups.numberOf(record.type, record.currency, record.costCenter));
    totals.add(group, status, record.amount === null ? null : parseDecimal(record.amount));
  }
  return { records: counts as unknown as RecordCounts, totals: totals.rows() };
}

/** One run of `batch list --json`. Times are ISO 8601 in UTC. */
export function runDocument(run: StoredRun, { records, totals }: RunTally): Record<string, unknown> {
  return {
    run: run.run,
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
  };
}

/** A stored record as a `record` event. */
export function storedReport(run: StoredRun, record: StoredRecord): RecordReport {
  const { outcome } = record;
  return {
    file: run.files[record.file]?.path ?? '',
    record: record.record,
    line: record.line,
    type: record.type,
    key: record.key,
    status: storedStatus(outcome?.state ?? null),
    httpStatus: outcome?.httpStatus ?? null,
    attempts: outcome?.attempts ?? 0,
    response: outcome?.response ?? null,
    error: outcome?.error ?? record.error,
    request: null,
  };
}

/** `1,200 EUR`, or for a result `6,750 EUR cents`; empty where there is no amount. */
export function moneyIn({ amount, currency, type }: StoredRecord): string {
  return amount === null ? '' : withUnit(moneyWords(parseDecimal(amount), currency), type);
}

/** What a report file says of a stored run. @param made when the report is made, and how its commands are written */
export function storedHead(
  run: StoredRun,
  { records, totals }: RunTally,
  made: Pick<ReportHead, 'madeAt' | 'journalFlags' | 'platform'>,
): ReportHead {
  const { command, target, batchId, digest, files, startedAt } = run;
  return {
    command,
    run: run.run,
    target,
    batchId,
    digest,
    dryRun: false,
    refusal: [],
    files,
    records: { ...records },
    totals,
    startedAt,
    ...made,
  };
}

/** A stored run's rows of a report file, in input order. */
export function* storedRows(run: StoredRun, journal: Journal, idPath: string): Iterable<ReportRow> {
  for (const record of journal.records(run)) {
    const { amount, currency, costCenter } = record;
    const report = storedReport(run, record);
    yield {
      ...report,
      id: idIn(report.response, idPath),
      amount,
      currency,
      costCenter,
    };
  }
}

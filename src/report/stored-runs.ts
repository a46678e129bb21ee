/** Stored runs as a whole: what `batch list` and `batch show` print of them, and the head of their report files. */
import { recordsOf } from '../batch/ledger-rows.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PersonsWord, Run, StoredOutcome } from '../ledger/payment.js';
import { totalsByType } from './event-reporter.js';
import type { ReportHead } from './record-report.js';
import type { RunTally } from './stored-records.js';
import { minuteText } from './table.js';

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
  return minuteText(outcome?.doubtSince ?? outcome?.at ?? run.startedAt).slice(0, 10);
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

/** What a report file says of a stored run. @param made when the report is made, and how its commands are written */
export function storedHead(
  run: Run,
  { records, totals }: RunTally,
  made: Pick<ReportHead, 'madeAt' | 'utcOffset' | 'journalFlags' | 'resumeFlags' | 'platform'>,
): ReportHead {
  return { ...run, run: run.name, dryRun: false, refusal: [], records, totals, ...made };
}

/** What a call gives to its report files: the head, and a row for each record. */
import { furtherWords } from '../util/shell-word.js';
import type { Entries } from '../batch/table.js';
import type { Run } from '../ledger/payment.js';
import type { ReportHead, ReportRow } from '../report/formats.js';
import { type KnownRecord, recordReports, type RecordSources } from './record-reports.js';
import type { FoundRun } from '../preflight/approval.js';
import { countEntries } from './summary.js';

export interface OutputContext extends RecordSources {
  readonly digest: string | null;
  readonly run: Run | null;
  /** What a person has approved by this call; null where nothing was. */
  readonly approved: FoundRun | null;
  /** Why the run was refused; empty for one that was not. */
  readonly refusal: readonly string[];
}

/** @param made when the report is made, and the local time then */
export function headOf(
  { options, prepared, digest, run, refusal, approved }: OutputContext,
  made: Pick<ReportHead, 'madeAt' | 'utcOffset'>,
): ReportHead {
  const { records, totals } = countEntries(prepared.entries);
  return {
    command: options.command,
    run: run?.name ?? null,
    target: options.target?.name ?? null,
    batchId: options.safety.batchId,
    digest,
    dryRun: options.safety.dryRun,
    refusal,
    files: prepared.files,
    records: { ...records },
    totals,
    startedAt: run?.startedAt ?? null,
    by: (run ?? options.caller).by,
    // Whoever approves by this call is on its own report.
    approvedBy: run?.approvedBy ?? (approved === null ? null : { at: made.madeAt, by: options.caller.by, note: '' }),
    version: (run ?? options.caller).version,
    ...made,
    journalFlags: furtherWords(options.place, options.platform),
    resumeFlags: furtherWords(options.onward.resume, options.platform),
    platform: options.platform,
  };
}

/** The call's records in the order of the input, with what the ledger knows of each. */
export async function* rowsOf(context: OutputContext): AsyncIterable<ReportRow> {
  const { entries } = context.prepared;
  for await (const page of knownRecords(context, 0, entries.length)) {
    const reports = await recordReports(page, context, (known) => reasonOf(known, entries));
    let index = page[0]?.index ?? 0;
    for (const report of reports) yield { ...report, row: entries.placeOf(index++).row };
  }
}

/** Why it is not created, if it is not. */
export function reasonOf({ index, outcome }: KnownRecord, entries: Entries): string | null {
  return entries.error(index) ?? outcome?.error ?? null;
}

/** Records whose outcomes are asked for at once. */
const PAGE = 1000;

/** The entries from `first` up to `end`, page by page, with what the ledger knows of each. */
export async function* knownRecords(
  { prepared: { entries }, ledger, run }: OutputContext,
  first: number,
  end: number,
): AsyncIterable<KnownRecord[]> {
  for (let from = first; from < end; from += PAGE) {
    const page = range(from, Math.min(from + PAGE, end));
    const asked = page.filter((index) => hasOutcome(index, entries, run));
    const outcomes = (await ledger?.outcomes(asked.map((index) => entries.payment(index)))) ?? [];
    const known = new Map(asked.map((index, i) => [index, outcomes[i] ?? null]));
    // An invalid record has no answer, also where its key belongs to a payment.
    yield page.map((index) => ({ index, outcome: entries.isValid(index) ? (known.get(index) ?? null) : null }));
  }
}

/** Where no run began, what was refused, or only planned, has no answer; what earlier runs settled has theirs. */
function hasOutcome(index: number, entries: Entries, run: Run | null): boolean {
  if (entries.payment(index) === 0) return false;
  return run !== null || !['invalid', 'not_sent', 'planned'].includes(entries.status(index));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/**
 * What programs are told, by its names on the wire: events of `--json`, one object per line on standard output, and the
 * documents of the commands on earlier runs. CONTRACT: "`--json`: NDJSON on standard output".
 */
import type { ErrorStatus } from '../errors.js';
import type { Run, SignedDecision } from '../journal/payment.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import { formatDecimal } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import type { Issue } from '../records/issue.js';
import { amountUnit, RECORD_TYPES, type RecordType } from '../records/types.js';
import type { Output } from '../util/output.js';
import { escapeControls } from './printable.js';
import type { RecordReport, RelatedPayment } from './record-report.js';
import { createSummary, type Reporter, type RunSummary } from './reporter.js';
import { inDoubtText } from './in-doubt-text.js';
import type { RunTally } from './stored-records.js';

/** Characters. */
const MOST_AT_ONCE = 16_384;

/** @param people reports everything else to people, on standard error */
export function eventReporter(stdout: Output, people: Reporter): Reporter {
  // Written together, since each write is a system call.
  let lines = '';
  const flush = (): void => {
    stdout.write(escapeControls(lines));
    lines = '';
  };
  const write = (json: string): void => {
    lines += `${json}\n`;
    if (lines.length > MOST_AT_ONCE) flush();
  };
  return {
    ...people,
    issue: (issue) => {
      write(JSON.stringify(issueEvent(issue)));
      people.issue(issue);
    },
    record: (report) => write(recordEvent(report)),
    ready: () => {
      flush();
      return stdout.ready();
    },
    summary: (summary) => {
      write(JSON.stringify(summaryEvent(summary)));
      flush();
      return people.summary(summary);
    },
  };
}

function issueEvent(issue: Issue): object {
  const { severity, file, record, line, field, code, message, value, count = 1 } = issue;
  const earlier = issue.earlier ?? null;
  return { event: 'issue', severity, file, record, line, field, code, message, value, count, earlier };
}

/**
 * Bodies and answers are JSON already and are inserted unchanged. Member by member: with millions of records, building
 * an object only to write it would cost more than everything else here.
 * @param more members after all others
 */
export function recordEvent(report: RecordReport, more: Readonly<Record<string, string>> = {}): string {
  const { file, record, line, type, key, status, outcome, error, request } = report;
  const { userId, title, amount, currency, costCenter, referenceId, id, at, standsFor } = report;
  const place = `"file":${jsonText(file)},"record":${record},"line":${line},"type":"${type}"`;
  const sent = `"key":${jsonText(key)},"status":"${status}","http_status":${outcome?.httpStatus ?? null},"attempts":${outcome?.attempts ?? 0}`;
  const answer = `"response":${outcome?.response ?? null},"error":${jsonText(error)},"request":${request}`;
  const money = `"amount":${jsonText(amount)},"unit":${jsonText(amountUnit(type))},"currency":${jsonText(currency)},"cost_center":${jsonText(costCenter)}`;
  const whom = `"user_id":${jsonText(userId)},"title":${jsonText(title)},${money},"reference_id":${jsonText(referenceId)}`;
  const related = standsFor === null ? null : JSON.stringify(relatedPaymentDocument(standsFor, type));
  const end = `"id":${jsonText(id)},"at":${jsonText(timeText(at))},"stands_for":${related}`;
  const further = Object.entries(more).map(([name, text]) => `,${jsonText(name)}:${jsonText(text)}`);
  return `{"event":"record",${place},${sent},${answer},${whom},${end}${further.join('')}}`;
}

/** Text that JSON writes unchanged. */
const UNCHANGED_IN_JSON = /^[\w .,:;/@+-]*$/;

function jsonText(text: string | null): string {
  if (text === null) return 'null';
  return UNCHANGED_IN_JSON.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The payment that a left-out record repeats. @param type of both */
export function relatedPaymentDocument(payment: RelatedPayment | null, type: RecordType): object | null {
  if (payment === null) return null;
  const { run, key, userId, title, amount, state } = payment;
  return { run, key, user_id: userId, title, amount, unit: amountUnit(type), status: state };
}

export function summaryEvent(summary: RunSummary): object {
  return {
    event: 'summary',
    exit_code: summary.exitCode,
    command: summary.command,
    dry_run: summary.dryRun,
    run: summary.run,
    target: summary.target,
    batch_id: summary.batchId,
    digest: summary.digest,
    stop_reason: summary.stopReason,
    records: summary.records,
    totals: totalsByType(summary.totals),
    warnings: summary.warnings,
    version: summary.version,
    started_at: timeText(summary.startedAt),
    duration_ms: summary.durationMs,
    reasons: [...summary.reasons, ...summary.people.doubts.map((doubt) => inDoubtText(doubt))],
    next: summary.next,
    retry: summary.retry,
    remedies: summary.remedies,
    notices: summary.notices.map(({ code, count, totals, batchId, at }) => ({
      code,
      count,
      totals: totalsByType(totals),
      batch_id: batchId,
      at: timeText(at),
    })),
    held: summary.held,
    filtered: summary.filtered.map(({ rule, count, totals }) => ({ rule, count, totals: totals.map(filteredSum) })),
    new_journal: summary.newJournal,
    last_payment_at: timeText(summary.lastPaymentAt),
  };
}

/** A call that an error ended before it could tell its own end. */
export interface FailedCall {
  readonly command: string;
  /** Empty for the usual one. */
  readonly batchId: string;
  readonly dryRun: boolean;
  /** The command to call again; null if it would not help. */
  readonly next: readonly string[] | null;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** @param now milliseconds since 1970 */
export function failureEvent(status: ErrorStatus, reason: string, call: FailedCall, now: number): object {
  const { batchId, startedAt } = call;
  return summaryEvent(
    createSummary({
      ...status,
      ...call,
      batchId: batchId === '' ? DEFAULT_BATCH : batchId,
      reasons: [reason],
      durationMs: Math.max(0, Math.round(now - startedAt)),
    }),
  );
}

function filteredSum({ type, currency, amount }: TotalRow): object {
  return { currency, amount: formatDecimal(amount), unit: amountUnit(type as RecordType) };
}

/** Totals as in events and `batch list`. */
export function totalsByType(rows: readonly TotalRow[]): Record<string, object[]> {
  const documentOf = ({ type, currency, costCenter, status, count, amount, unpriced }: TotalRow): object => ({
    currency,
    cost_center: costCenter,
    status,
    count,
    amount: formatDecimal(amount),
    unit: amountUnit(type as RecordType),
    unpriced,
  });
  const ofType = (type: string): object[] => rows.filter((row) => row.type === type).map(documentOf);
  return Object.fromEntries(RECORD_TYPES.map((type) => [type, ofType(type)]));
}

/** One run of `batch list --json`. @param next words of the command to continue, or null */
export function runDocument(
  run: Run,
  { records, totals }: RunTally,
  next: readonly string[] | null,
): Record<string, unknown> {
  return {
    run: run.name,
    started_at: timeText(run.startedAt),
    finished_at: timeText(run.end?.finishedAt ?? null),
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
    approved_by: decisionDocument(run.approvedBy),
    closed: decisionDocument(run.closed),
    next,
  };
}

function decisionDocument(decision: SignedDecision | null): object | null {
  return decision === null ? null : { at: timeText(decision.at), by: decision.by, note: decision.note };
}

/** ISO 8601 in UTC. @param at milliseconds since 1970 */
export function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

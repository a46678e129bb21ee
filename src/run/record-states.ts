/** How the records of a call stand before anything is sent, and at its end: the one place that sets their states. */
import type { Run, StoredPayment } from '../journal/payment.js';
import { newestCorrection } from '../prepare/corrections.js';
import type { RecordTable, Status } from '../prepare/record-table.js';
import type { CallRecords } from '../report/call-records.js';
import { recordStatus } from '../report/record-report.js';
import { leftOutReason } from '../report/status-text.js';
import { type Assessment, exceptionalDispositions } from '../review/assessment.js';
import type { Disposition } from '../review/disposition.js';
import { ownAt, ownPayments } from '../review/history.js';
import { repeatIssue } from '../review/history-issues.js';
import type { RunSession } from './run-session.js';

/** The records of a call while their states are set. */
export interface RecordStates extends CallRecords {
  readonly standsFor: Map<number, StoredPayment>;
  readonly corrected: Map<number, StoredPayment>;
}

/** @param run that the call sends or continues; null for none */
export function createRecordStates(
  { options, journal }: RunSession,
  { prepared, history: { sameInput } }: Assessment,
  run: Run | null,
): RecordStates {
  // A dry run shows what the call that sends would find.
  const earlier: ReadonlySet<number> = options.safety.dryRun ? new Set() : sameInput;
  return { options, prepared, journal, run, earlier, standsFor: new Map(), corrected: new Map() };
}

/** Sets states before anything is sent, and what left-out records repeat. Records to send stay pending. */
export function applyDispositions(
  assessment: Assessment,
  { prepared: { entries }, standsFor, corrected }: RecordStates,
  statusFor: (disposition: Disposition, index: number, assessment: Assessment) => Status = plannedStatus,
): void {
  for (const [index, disposition] of exceptionalDispositions(assessment)) {
    entries.setStatus(index, statusFor(disposition, index, assessment));
    const payment =
      'payment' in disposition && typeof disposition.payment === 'number'
        ? disposition.payment
        : assessment.history.accepted[index];
    if (payment !== undefined && payment !== 0) entries.setPayment(index, payment);
    const own = ownAt(index, assessment.history);
    if (disposition.kind !== 'send' && own !== null && own.replacedBy !== null)
      corrected.set(index, newestCorrection(own, assessment.history));
    if (disposition.kind !== 'left-out') continue;
    standsFor.set(index, disposition.standsFor);
    if (disposition.standsFor.state === 'rejected' && !corrected.has(index))
      corrected.set(index, disposition.standsFor);
    if (entries.status(index) === 'unknown') entries.setError(index, leftOutReason(entries.groupOf(index).type));
  }
}

/** The states of a refused call: each record has that of its payment, and a repeat says what it repeats. */
export function applyRefusal(assessment: Assessment, records: RecordStates): void {
  const { entries } = records.prepared;
  for (const repeat of assessment.undecided) entries.setError(repeat.index, repeatIssue(repeat, assessment).message);
  applyDispositions(assessment, records, refusedStatus);
  for (const [index, payment] of ownPayments(assessment.history)) {
    if (payment.replacedBy !== null) records.corrected.set(index, newestCorrection(payment, assessment.history));
    if (entries.isValid(index) && payment.bodyHash === entries.bodyHash(index)) entries.setPayment(index, payment.id);
  }
}

/** Sets a state for records that were to be sent and have no known outcome. */
export function settlePending(entries: RecordTable, statusFor: (index: number) => Status): void {
  if (entries.countOf('pending') === 0) return;
  for (let index = 0; index < entries.length; index++)
    if (entries.status(index) === 'pending') entries.setStatus(index, statusFor(index));
}

/** The state of a disposition before anything is sent; records to send are pending. */
function plannedStatus(disposition: Disposition): Status {
  if (disposition.kind === 'left-out') return recordStatus(disposition.standsFor.state, 'other');
  return disposition.kind === 'settled' ? recordStatus(disposition.state, 'earlier') : 'pending';
}

/** The state of a record of a refused call: that of its payment. */
function refusedStatus(disposition: Disposition, index: number, { history }: Assessment): Status {
  const own = ownAt(index, history);
  // It was corrected, whatever a person decides about the others.
  if (disposition.kind === 'left-out' && (own?.replacedBy ?? null) !== null) return plannedStatus(disposition);
  return recordStatus(history.created[index] === 1 ? 'created' : (own?.state ?? 'not_sent'), 'earlier');
}

/** Reports a call's records with their states and reasons: each once, as fast as they are read. */
import type { RecordTable, Status } from '../prepare/record-table.js';
import { chunksOf } from '../prepare/draft-store.js';
import { newestCorrection } from '../prepare/replacements.js';
import type { Journal } from '../journal/journal.js';
import type { StoredPayment } from '../journal/payment.js';
import type { Disposition } from '../review/disposition.js';
import type { Assessment } from '../review/assessment.js';
import { type IndexedOutcome, outcomesOf, reportsOf } from '../report/call-records.js';
import { replacedWords, recordStatus } from '../report/record-report.js';
import type { RunSession } from './run-session.js';
import { localDay } from '../util/local-time.js';

/** Records that are reported before checking whether the reader keeps up. */
const PAGE = 250;

export class RecordReporter {
  private readonly call: RunSession;
  /** Entries whose event is reported, or about to be. */
  private readonly told: Uint8Array;

  constructor(call: RunSession) {
    this.call = call;
    this.told = new Uint8Array(call.prepared.entries.length);
  }

  /** Reports the outcomes that were not reported yet. */
  async reportRecords(outcomes: readonly IndexedOutcome[], assessment: Assessment): Promise<void> {
    const { record, ready } = this.call.reporter;
    const untold = outcomes.filter(({ index }) => this.told[index] === 0);
    for (const each of untold) {
      this.told[each.index] = 1;
      this.keepReason(each, assessment);
    }
    if (record === null) return;
    for (const page of chunksOf(untold, PAGE)) {
      for (const report of await reportsOf(page, this.call)) record(report);
      await ready();
    }
  }

  /**
   * Reports all remaining records, with the journal's facts. Records that were to be sent get the journal's state:
   * another process may have sent them.
   * @param journal null if it has failed
   */
  async reportRemaining(assessment: Assessment, journal: Journal | null): Promise<void> {
    const { call } = this;
    const { entries } = call.prepared;
    const isOpen = call.run !== null && entries.countOf('pending') > 0;
    // If nobody reads single records, only these of a million have a reason to keep.
    const hasReasons = entries.countOf('rejected') + entries.countOf('skipped') > 0;
    if (call.reporter.record !== null || isOpen || hasReasons)
      for await (const page of outcomesOf(this.untold(), { ...call, journal })) {
        for (const { index, outcome } of page)
          if (entries.status(index) === 'pending')
            entries.setStatus(index, recordStatus(outcome?.state ?? 'not_sent', 'earlier'));
        await this.reportRecords(page, assessment);
      }
    settlePending(entries, () => 'not_sent');
  }

  private *untold(): Iterable<number> {
    for (let index = 0; index < this.told.length; index++) if (this.told[index] === 0) yield index;
  }

  /** A rejects file has the reason, and no journal to ask. */
  private keepReason({ index, outcome }: IndexedOutcome, assessment: Assessment): void {
    const { entries } = this.call.prepared;
    const status = entries.status(index);
    if (status !== 'rejected' && status !== 'skipped') return;
    const reason = notSentWords(index, outcome?.error ?? null, assessment);
    if (status === 'rejected') entries.setError(index, reason ?? outcome?.error ?? 'rejected');
    else if (reason !== null) entries.setError(index, reason);
  }
}

/** Sets a state for records that were to be sent and have no known outcome. */
export function settlePending(entries: RecordTable, statusFor: (index: number) => Status): void {
  if (entries.countOf('pending') === 0) return;
  for (let index = 0; index < entries.length; index++)
    if (entries.status(index) === 'pending') entries.setStatus(index, statusFor(index));
}

/** The state of a disposition before anything is sent; records to send are pending. */
export function statusOfFate(disposition: Disposition): Status {
  if (disposition.kind === 'left-out') return recordStatus(disposition.standsFor.state, 'other');
  return disposition.kind === 'settled' ? recordStatus(disposition.state, 'earlier') : 'pending';
}

/** The state of a record of a refused call: that of its payment. */
export function refusedStatus(disposition: Disposition, index: number, { byKey, created }: Assessment): Status {
  // It was corrected, whatever a person decides about the others.
  if (disposition.kind === 'left-out' && (byKey.get(index)?.replacedBy ?? null) !== null)
    return statusOfFate(disposition);
  return recordStatus(created[index] === 1 ? 'created' : (byKey.get(index)?.state ?? 'not_sent'), 'earlier');
}

/** Why a payment that was rejected in an earlier call is not sent again; null for any other. @param error of it */
function notSentWords(index: number, error: string | null, assessment: Assessment): string | null {
  const disposition = assessment.dispositionAt(index);
  const payment = assessment.byKey.get(index);
  if (payment === undefined || disposition === null || disposition.kind === 'send') return null;
  // Left out for the correction, and not itself a payment: its own state has no reason.
  const isOwn =
    disposition.kind !== 'left-out' || disposition.payment !== null || disposition.standsFor.state === 'rejected';
  if (payment.replacedBy !== null)
    return isOwn ? replacedWords(error, newestCorrection(payment, assessment).run.name) : null;
  if (disposition.kind !== 'settled' || disposition.state !== 'rejected') return null;
  return [error, stayedWords(payment, disposition.isPruned === true)].filter((text) => text !== null).join('; ');
}

function stayedWords({ at, run }: StoredPayment, isPruned: boolean): string {
  const when = `refused on ${localDay(at)} in run ${run.name}`;
  return isPruned
    ? `${when}. batch prune removed its content, so it cannot be sent again from the journal: import it from its file`
    : `${when}; --retry-rejected sends it again`;
}

/** Reports a call's records with their states and reasons: each once, as fast as they are known. */
import { DeliveryProgress } from '../delivery/delivery-progress.js';
import { JournalError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import type { StoredOutcome, StoredPayment } from '../journal/payment.js';
import { chunksOf } from '../journal/pages.js';
import type { Status } from '../prepare/record-table.js';
import { newestCorrection } from '../prepare/corrections.js';
import { type CallRecords, type IndexedOutcome, loadOutcomes, reportOutcomes } from '../report/call-records.js';
import { recordStatus } from '../report/record-report.js';
import { countEntries, type Reporter } from '../report/reporter.js';
import { replacedText, statusCounts } from '../report/status-text.js';
import type { Assessment } from '../review/assessment.js';
import { ownAt } from '../review/history.js';
import { localDay } from '../util/local-time.js';
import { createReasonTally, type ReasonTally } from './reason-tally.js';
import { settlePending } from './record-states.js';

/** Records that are reported before checking whether the reader keeps up. */
const RECORDS_AT_ONCE = 250;

export class RecordReporter {
  readonly call: CallRecords;
  private readonly reporter: Reporter;
  private readonly assessment: Assessment;
  private readonly progress: DeliveryProgress;
  private readonly reasons: ReasonTally;
  /** Entries whose event is reported, or about to be. */
  private readonly told: Uint8Array;
  /** Outcomes since the last report. */
  private fresh: IndexedOutcome[] = [];
  /** All reports in progress. */
  private pending: Promise<unknown> = Promise.resolve();
  /** Entries that may be under way when delivery ends. */
  private readonly maybeInFlight = new Set<number>();

  constructor(call: CallRecords, assessment: Assessment, reporter: Reporter) {
    this.call = call;
    this.assessment = assessment;
    this.reporter = reporter;
    this.progress = new DeliveryProgress(reporter);
    this.reasons = createReasonTally(call.prepared);
    this.told = new Uint8Array(call.prepared.entries.length);
  }

  /** Delivery begins. */
  begin(): void {
    this.progress.begin(this.call.prepared.entries.countOf('pending'));
  }

  /** A record's outcome is known and durable. @param isFresh the record was sent by this call */
  addOutcome(index: number, outcome: StoredOutcome, isFresh: boolean): void {
    const { entries } = this.call.prepared;
    const status = recordStatus(outcome.state, isFresh ? 'this' : 'earlier');
    entries.setStatus(index, status);
    this.fresh.push({ index, outcome });
    this.progress.known(status, entries.groupOf(index).type);
    if (outcome.error !== null) this.reasons.add(status, outcome.error, index);
  }

  /** A record may be under way. */
  addInFlight(index: number): void {
    this.maybeInFlight.add(index);
  }

  /** @param heldMs milliseconds that all requests are held back */
  showWaiting(why: string | null, heldMs: () => number): void {
    this.progress.waiting(why, heldMs);
  }

  /** Reports new outcomes. Null if nobody has to wait for the reader. */
  reportNewOutcomes(): Promise<void> | null {
    const told = this.reportRecords(this.fresh.splice(0));
    // Drops the results of both promises: otherwise each would keep all earlier ones in memory.
    this.pending = Promise.allSettled([this.pending, told]).then(() => undefined);
    return this.reporter.record === null ? null : told;
  }

  /** Everything was sent, or something stopped the run. @returns the failure of the journal; null for none */
  async reportDelivered(): Promise<JournalError | null> {
    try {
      await this.reportNewOutcomes();
      await this.pending;
      await this.reportRemaining();
      return null;
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
      // Only the journal knows the outcome of records that may have been under way.
      settlePending(this.call.prepared.entries, (index) => (this.maybeInFlight.has(index) ? 'unknown' : 'not_sent'));
      await this.reportRemaining(null);
      return cause;
    }
  }

  /**
   * Reports all remaining records, with the journal's facts. Records that were to be sent get the journal's state:
   * another process may have sent them.
   * @param journal null if it has failed
   */
  async reportRemaining(journal: Journal | null = this.call.journal): Promise<void> {
    const { run, prepared } = this.call;
    const { entries } = prepared;
    const isOpen = run !== null && entries.countOf('pending') > 0;
    // If nobody reads single records, only these of a million have a reason to keep.
    const hasReasons = entries.countOf('rejected') + entries.countOf('skipped') > 0;
    if (this.reporter.record !== null || isOpen || hasReasons)
      for await (const page of loadOutcomes(this.untold(), this.call, journal)) {
        for (const { index, outcome } of page)
          if (entries.status(index) === 'pending')
            entries.setStatus(index, recordStatus(outcome?.state ?? 'not_sent', 'earlier'));
        await this.reportRecords(page);
      }
    settlePending(entries, () => 'not_sent');
  }

  /** The reasons of what was refused or is in doubt, those of earlier calls included, in a sentence each. */
  async reasonsText(): Promise<string[]> {
    await this.addEarlierReasons();
    const { records, totals } = countEntries(this.call.prepared.entries);
    return (['rejected', 'unknown'] as const).flatMap((state) =>
      this.reasons.sentences(state, (count) => statusCounts({ [state]: count }, totals).join(''), records[state]),
    );
  }

  /** Also of records in doubt or refused that this call did not send: their reasons are those of earlier calls. */
  private async addEarlierReasons(): Promise<void> {
    const { entries } = this.call.prepared;
    const earlier: number[] = [];
    for (let index = 0; index < entries.length; index++)
      if (isUnsettled(entries.status(index)) && this.assessment.dispositionAt(index)?.kind !== 'send')
        earlier.push(index);
    try {
      for await (const page of loadOutcomes(earlier, this.call, this.call.journal))
        for (const { index, outcome } of page)
          if (typeof outcome?.error === 'string') this.reasons.add(entries.status(index), outcome.error, index);
    } catch (cause) {
      // The journal has failed, which is reported already.
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** Reports the outcomes that were not reported yet. */
  private async reportRecords(outcomes: readonly IndexedOutcome[]): Promise<void> {
    const { record, ready } = this.reporter;
    const untold = outcomes.filter(({ index }) => this.told[index] === 0);
    for (const each of untold) {
      this.told[each.index] = 1;
      this.keepReason(each);
    }
    if (record === null) return;
    for (const page of chunksOf(untold, RECORDS_AT_ONCE)) {
      for (const report of await reportOutcomes(page, this.call)) record(report);
      await ready();
    }
  }

  private *untold(): Iterable<number> {
    for (let index = 0; index < this.told.length; index++) if (this.told[index] === 0) yield index;
  }

  /** A rejects file has the reason, and no journal to ask. */
  private keepReason({ index, outcome }: IndexedOutcome): void {
    const { entries } = this.call.prepared;
    const status = entries.status(index);
    if (status !== 'rejected' && status !== 'skipped') return;
    const reason = notSentText(index, outcome?.error ?? null, this.assessment);
    if (status === 'rejected') entries.setError(index, reason ?? outcome?.error ?? 'rejected');
    else if (reason !== null) entries.setError(index, reason);
  }
}

function isUnsettled(status: Status): boolean {
  return status === 'rejected' || status === 'unknown';
}

/** Why a payment that was rejected in an earlier call is not sent again; null for any other. @param error of it */
function notSentText(index: number, error: string | null, assessment: Assessment): string | null {
  const disposition = assessment.dispositionAt(index);
  const payment = ownAt(index, assessment.history);
  if (payment === null || disposition === null || disposition.kind === 'send') return null;
  // Left out for the correction, and not itself a payment: its own state has no reason.
  const isOwn =
    disposition.kind !== 'left-out' || disposition.payment !== null || disposition.standsFor.state === 'rejected';
  if (payment.replacedBy !== null)
    return isOwn ? replacedText(error, newestCorrection(payment, assessment.history).run.name) : null;
  if (disposition.kind !== 'settled' || disposition.state !== 'rejected') return null;
  return [error, stayedText(payment, disposition.isPruned === true)].filter((text) => text !== null).join('; ');
}

function stayedText({ at, run }: StoredPayment, isPruned: boolean): string {
  const when = `refused on ${localDay(at)} in run ${run.name}`;
  return isPruned
    ? `${when}. batch prune removed its content, so it cannot be sent again from the journal: import it from its file`
    : `${when}; --retry-rejected sends it again`;
}

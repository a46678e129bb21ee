/** Reports a call's records and its end: every record in one named state, and the command that continues. */
import type { RecordTable, Status } from '../prepare/record-table.js';
import { newestCorrection } from '../prepare/replacements.js';
import { DeliveryProgress } from '../delivery/delivery-progress.js';
import type { StopCause } from '../delivery/circuit-breaker.js';
import type { ConfirmedAnswers } from '../delivery/confirmed-answers.js';
import { EXIT, JournalError } from '../errors.js';
import type { ApprovedRun } from '../journal/audit-log.js';
import type { Run, StoredOutcome } from '../journal/payment.js';
import type { Disposition } from '../review/disposition.js';
import { type Assessment, exceptionalDispositions } from '../review/assessment.js';
import { sendsAny } from '../review/build-plan.js';
import { findNotices } from '../review/notices.js';
import type { Refusal } from '../review/refusal.js';
import { remediesFor } from '../review/remedies.js';
import { repeatIssue } from '../review/repeat-words.js';
import { countResends } from '../review/review-report.js';
import { type IndexedOutcome, outcomesOf } from '../report/call-records.js';
import { type InDoubtSummary, heldIn } from '../report/in-doubt-text.js';
import { type Notice, resendWords } from '../report/notice-text.js';
import type { Remedy } from '../report/reporter.js';
import { LEFT_OUT, recordStatus } from '../report/record-report.js';
import { statusCounts } from '../report/status-text.js';
import { countEntries, summaryOf } from '../report/summary.js';
import type { RunSession, ApprovedReview, ReviewVerdict } from './run-session.js';
import { answerNotes } from './answer-notes.js';
import { correctionRemedies } from './correction-remedies.js';
import { gigsInDoubt, findHeldInDoubt, leavesUnprotected, settleRemedies } from './in-doubt.js';
import {
  summaryBase,
  type ExitStatus,
  exitStatusOf,
  nextCommand,
  prunedReasons,
  exitCodeOfRefusal,
  stopFromError,
} from './exit-status.js';
import { createReasonTally } from './reason-tally.js';
import { refusedStatus, settlePending, statusOfFate, RecordReporter } from './record-reporter.js';

/** How a call ends, with the facts known so far; missing ones are looked up. */
interface End extends ExitStatus {
  readonly assessment: Assessment;
  /** Records that are not confirmed, and that only a person can settle. */
  readonly doubts?: readonly InDoubtSummary[];
  /** As they were before the gate. */
  readonly notices?: readonly Notice[];
  /** The run that a person has approved in this call. */
  readonly approved?: ApprovedRun | null;
  /** Ways out of a refusal, of which a person chooses one. */
  readonly choices?: readonly Remedy[];
}

/** For a run that has passed its gate: the earlier decisions. */
type Begun = Pick<ApprovedReview, 'assessment' | 'notices'>;

export class CallReport {
  private readonly call: RunSession;
  private readonly entries: RecordTable;
  private readonly telling: RecordReporter;
  private readonly advance: DeliveryProgress;
  private readonly why: ReturnType<typeof createReasonTally>;
  /** Outcomes since the last report. */
  private fresh: IndexedOutcome[] = [];
  /** All reports in progress. */
  private pending: Promise<unknown> = Promise.resolve();
  /** Entries that may be under way when delivery ends. */
  private readonly maybeInFlight = new Set<number>();
  private begun: Begun | null = null;

  constructor(call: RunSession) {
    this.call = call;
    this.entries = call.prepared.entries;
    this.telling = new RecordReporter(call);
    this.advance = new DeliveryProgress(call.reporter);
    this.why = createReasonTally(call.prepared);
  }

  /** The end of a call that sends nothing. Returns its exit code. */
  async finish(verdict: Exclude<ReviewVerdict, { readonly kind: 'send' }>): Promise<number> {
    switch (verdict.kind) {
      case 'refused':
        return this.refused(verdict.refusal, verdict.assessment);
      case 'planned':
        return this.planned(verdict.assessment, verdict.approved);
      case 'nothing-left':
        return this.nothingLeft(verdict.assessment);
      case 'interrupted':
        return this.interrupted(verdict.assessment);
    }
  }

  private async refused({ reason, reasons, choices }: Refusal, assessment: Assessment): Promise<number> {
    const { prepared, corrected } = this.call;
    for (const repeat of assessment.undecided)
      this.entries.setError(repeat.index, repeatIssue(repeat, assessment).message);
    this.setStatuses(assessment, (disposition, index) => refusedStatus(disposition, index, assessment));
    for (const [index, payment] of assessment.byKey) {
      if (payment.replacedBy !== null) corrected.set(index, newestCorrection(payment, assessment));
      if (this.entries.isValid(index) && payment.bodyHash === prepared.entries.bodyHash(index))
        this.entries.setPayment(index, payment.id);
    }
    await this.telling.reportRemaining(assessment, this.call.journal);
    return this.end({ exitCode: exitCodeOfRefusal(reason), stopReason: reason, reasons, assessment, choices });
  }

  private async planned(assessment: Assessment, approved: ApprovedRun | null): Promise<number> {
    this.setStatuses(assessment, statusOfFate);
    settlePending(this.entries, () => 'planned');
    this.noteResends(assessment, true);
    await this.telling.reportRemaining(assessment, this.call.journal);
    const { entries } = this;
    const isPartly = entries.countOf('invalid') + entries.countOf('rejected') > 0;
    // A payment that would be sent again counts as planned. An approval stays valid, whatever else is in doubt.
    const isHeld = entries.countOf('unknown') > 0 && approved === null;
    const exitCode = isHeld ? EXIT.person : isPartly ? EXIT.partly : EXIT.ok;
    return this.end({ exitCode, stopReason: null, reasons: [], assessment, approved });
  }

  private async interrupted(assessment: Assessment): Promise<number> {
    const exitCode = this.call.interruption.exitCode ?? EXIT.again;
    settlePending(this.entries, () => 'not_sent');
    await this.telling.reportRemaining(assessment, this.call.journal);
    return this.end({
      exitCode,
      stopReason: 'interrupted',
      reasons: ['Nothing was sent: stopped before that'],
      assessment,
    });
  }

  private async nothingLeft(assessment: Assessment): Promise<number> {
    const { run } = assessment;
    this.call.run = run;
    this.setStatuses(assessment, statusOfFate);
    await this.telling.reportRemaining(assessment, this.call.journal);
    const doubts = await findHeldInDoubt(this.call);
    const sent = {
      held: heldIn(doubts),
      leavesUnprotected: false,
      stopped: null,
      signalExit: null,
    };
    const ending = exitStatusOf(countEntries(this.entries).records, sent, this.call.options);
    // The call that did the work may have been cut off before it could report its end.
    if (run !== null && run.end?.exitCode !== ending.exitCode) await this.endRun(ending);
    return this.end({ ...ending, assessment, doubts });
  }

  /** The run has passed its gate. */
  begin(run: Run, { assessment, notices, isReviewed }: Pick<ApprovedReview, keyof Begun | 'isReviewed'>): void {
    this.call.run = run;
    this.begun = { assessment, notices };
    this.setStatuses(assessment, statusOfFate);
    if (!isReviewed) this.noteResends(assessment, false);
    this.advance.begin(this.entries.countOf('pending'));
  }

  /** A record's outcome is known and durable. @param fresh the record was sent by this call */
  onOutcome(index: number, outcome: StoredOutcome, fresh: boolean): void {
    const status = recordStatus(outcome.state, fresh ? 'this' : 'earlier');
    this.entries.setStatus(index, status);
    this.fresh.push({ index, outcome });
    this.advance.known(status, this.entries.groupOf(index).type);
    if (outcome.error !== null) this.why.add(status, outcome.error, index);
  }

  /** A record may be under way. */
  onMaybeInFlight(index: number): void {
    this.maybeInFlight.add(index);
  }

  /** Reports new outcomes. Null if nobody has to wait for the reader. */
  reportNewOutcomes(): Promise<void> | null {
    const fresh = this.fresh.splice(0);
    const told = this.begun === null ? Promise.resolve() : this.telling.reportRecords(fresh, this.begun.assessment);
    // Drops the results of both promises: otherwise each would keep all earlier ones in memory.
    this.pending = Promise.allSettled([this.pending, told]).then(() => undefined);
    return this.call.reporter.record === null ? null : told;
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    this.advance.waiting(why, heldMs);
  }

  /** Everything was sent, or something stopped the run. */
  async delivered(failed: StopCause, confirmed: ConfirmedAnswers): Promise<number> {
    const begun = this.begun as Begun;
    let stopped = failed;
    try {
      await this.reportNewOutcomes();
      await this.pending;
      await this.telling.reportRemaining(begun.assessment, this.call.journal);
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
      stopped ??= stopFromError(cause, this.call.interruption.exitCode !== null);
      // Only the journal knows the outcome of records that may have been under way.
      settlePending(this.entries, (index) => (this.maybeInFlight.has(index) ? 'unknown' : 'not_sent'));
      await this.telling.reportRemaining(begun.assessment, null);
    }
    const { records, totals } = countEntries(this.entries);
    const doubts = await findHeldInDoubt(this.call);
    await this.addEarlierReasons(begun.assessment);
    const { interruption, options, prepared } = this.call;
    const sent = {
      held: Math.max(heldIn(doubts), gigsInDoubt(this.entries)),
      leavesUnprotected: leavesUnprotected(this.call, begun.assessment),
      stopped,
      signalExit: interruption.exitCode,
    };
    const ending = exitStatusOf(records, sent, options);
    await this.endRun(ending);
    const why = (['rejected', 'unknown'] as const).flatMap((state) => {
      const count = records[state];
      return this.why.words(state, (some) => statusCounts({ [state]: some }, totals).join(''), count);
    });
    const notes = answerNotes(confirmed, prepared, (text) => options.redactor.redact(text));
    return this.end({ ...ending, reasons: [...ending.reasons, ...why, ...notes], doubts, ...begun });
  }

  /** Also of records in doubt or refused that this call did not send: their reasons are those of earlier calls. */
  private async addEarlierReasons({ dispositionAt }: Assessment): Promise<void> {
    const { journal } = this.call;
    const earlier: number[] = [];
    for (let index = 0; index < this.entries.length; index++)
      if (isUnsettled(this.entries.status(index)) && dispositionAt(index)?.kind !== 'send') earlier.push(index);
    try {
      for await (const page of outcomesOf(earlier, { ...this.call, journal }))
        for (const { index, outcome } of page)
          if (typeof outcome?.error === 'string') this.why.add(this.entries.status(index), outcome.error, index);
    } catch (cause) {
      // The journal has failed, which is reported already.
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** May fail: the run then counts as cut off, and the same command continues it. */
  private async endRun({ exitCode, stopReason }: ExitStatus): Promise<void> {
    const { run, journal, options } = this.call;
    try {
      if (run !== null && journal !== null) await journal.end(run, { finishedAt: options.now(), exitCode, stopReason });
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** Sets states before anything is sent, and what left-out records repeat. Records to send stay pending. */
  private setStatuses(assessment: Assessment, statusFor: (disposition: Disposition, index: number) => Status): void {
    const { standsFor, corrected, heldInDoubt } = this.call;
    for (const [index, disposition] of exceptionalDispositions(assessment)) {
      this.entries.setStatus(index, statusFor(disposition, index));
      if (disposition.kind === 'settled' && disposition.state === 'unknown') heldInDoubt.add(index);
      const payment =
        'payment' in disposition && typeof disposition.payment === 'number'
          ? disposition.payment
          : assessment.accepted[index];
      if (payment !== undefined && payment !== 0) this.entries.setPayment(index, payment);
      const known = assessment.byKey.get(index);
      if (disposition.kind !== 'send' && known !== undefined && known.replacedBy !== null)
        corrected.set(index, newestCorrection(known, assessment));
      if (disposition.kind !== 'left-out') continue;
      standsFor.set(index, disposition.standsFor);
      if (disposition.standsFor.state === 'rejected' && !corrected.has(index))
        corrected.set(index, disposition.standsFor);
      if (this.entries.status(index) === 'unknown') this.entries.setError(index, LEFT_OUT);
    }
  }

  /** Reports records that are sent again after an earlier attempt. @param isPlanned only in a plan */
  private noteResends(assessment: Assessment, isPlanned: boolean): void {
    for (const words of resendWords(countResends(assessment, this.call.rules), isPlanned))
      this.call.reporter.note(words);
  }

  private async end({ assessment, approved = null, ...end }: End): Promise<number> {
    const { options, issues, reporter, outputs, journal, history } = this.call;
    const { digest } = assessment;
    const reasons = [...end.reasons, ...this.call.remarks, ...prunedReasons(assessment)];
    let { exitCode } = end;
    const isRefused = exitCode === EXIT.refused || exitCode === EXIT.usage || end.stopReason === 'busy';
    const refusal = isRefused ? end.reasons : [];
    if (isRefused && reasons[0] !== undefined) reasons[0] = `Nothing was sent: ${reasons[0]}`;
    const doubts = end.doubts ?? (await findHeldInDoubt(this.call));
    // A refused call left out no records either.
    const notices =
      end.notices ?? (await findNotices(assessment, journal)).filter(({ code }) => !isRefused || code !== 'skipped');
    // A dry run shows what the call that sends would find.
    this.call.earlier = options.safety.dryRun ? new Set() : assessment.sameInput;
    const { written, failure, later, rejects } = await outputs.write(this.call, { digest, refusal, approved });
    if (failure !== null) {
      reasons.push(failure);
      // Only success turns into a failure. Any other code describes the outcome of the records, so it stays.
      if (exitCode === EXIT.ok) exitCode = EXIT.internal;
    }
    // The results are in the journal, and the log only describes them: the code stays.
    const missing = await outputs.log?.end();
    if (typeof missing === 'string') reasons.push(`the log file ${options.output.logFile} is incomplete: ${missing}`);
    const corrected = correctionRemedies(this.call, rejects, isRefused);
    const { drafts } = this.call;
    const run = this.call.run?.name ?? null;
    const { stopReason } = end;
    const called = summaryBase(options);
    // The journal set the start time of the run that this call began.
    const begunAt = this.call.run?.number === drafts ? this.call.run?.startedAt : undefined;
    // From here on only the reader is waited for.
    this.call.interruption.end();
    const summary = summaryOf({
      ...called,
      started_at: timeText(begunAt ?? null) ?? called.started_at,
      exit_code: exitCode,
      stop_reason: stopReason,
      reasons,
      run,
      digest,
      notices,
      ...countEntries(this.entries),
      warnings: issues.warnings,
      held: heldIn(doubts),
      people: {
        ...called.people,
        sends: this.begun !== null && sendsAny(assessment),
        doubts,
        written,
        choices: end.choices ?? [],
        later: [...corrected, ...later],
      },
      new_journal: history.begins,
      last_payment_at: timeText(history.lastPaymentAt),
      remedies: [
        ...remediesFor(stopReason, assessment, issues, options),
        ...settleRemedies(doubts, options),
        ...corrected,
        ...later,
      ],
      next: nextCommand({
        exitCode: end.exitCode,
        stopReason,
        run,
        options,
      }),
    });
    await reporter.summary(summary);
    return exitCode;
  }
}

function isUnsettled(status: Status): boolean {
  return status === 'rejected' || status === 'unknown';
}

/** @param at milliseconds since 1970 */
function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Reports a call's records and its end: every record in one named state, and the command that continues. */
import type { Entries, Status } from '../batch/entries.js';
import { lastReplacement } from '../batch/replacements.js';
import { Advance } from '../delivery/advance.js';
import type { Stopped } from '../delivery/circuit-breaker.js';
import type { ConfirmedAnswers } from '../delivery/confirmed-answers.js';
import { EXIT, JournalError } from '../errors.js';
import type { ApprovedRun } from '../ledger/event.js';
import type { Run, StoredOutcome } from '../ledger/payment.js';
import type { Fate } from '../preflight/fate.js';
import { type Looked, notableFates } from '../preflight/look.js';
import { sendsAny } from '../preflight/make-plan.js';
import { toldNotices } from '../preflight/notices.js';
import type { Refusal } from '../preflight/refusal.js';
import { waysOut } from '../preflight/remedies.js';
import { repeatFinding } from '../preflight/repeat-words.js';
import { againOf } from '../preflight/review-figures.js';
import { type EntryOutcome, outcomesOf } from '../report/live-records.js';
import { type DoubtsOfRun, heldIn } from '../report/doubt-words.js';
import { type Notice, resendWords } from '../report/notice-words.js';
import type { Remedy } from '../report/reporter.js';
import { LEFT_OUT, statusOf } from '../report/record-report.js';
import { fateCounts } from '../report/state-words.js';
import { countEntries, summaryOf } from '../report/summary.js';
import type { Call, Reviewed, Verdict } from './call.js';
import { answerNotes } from './answer-notes.js';
import { correctedWays } from './corrected-ways.js';
import { gigsInDoubt, heldDoubts, leavesUnprotected, settleWays } from './doubts.js';
import { callOf, type Ending, endingOf, nextCommand, prunedReasons, refusedCode, stopOf } from './ending.js';
import { startReasons } from './reasons.js';
import { refusedStatus, settlePending, statusOfFate, Telling } from './telling.js';

/** How a call ends, with the facts known so far; missing ones are looked up. */
interface End extends Ending {
  readonly looked: Looked;
  /** Records that are not confirmed, and that only a person can settle. */
  readonly doubts?: readonly DoubtsOfRun[];
  /** As they were before the gate. */
  readonly notices?: readonly Notice[];
  /** The run that a person has approved in this call. */
  readonly approved?: ApprovedRun | null;
  /** Ways out of a refusal, of which a person chooses one. */
  readonly choices?: readonly Remedy[];
}

/** For a run that has passed its gate: the earlier decisions. */
type Begun = Pick<Reviewed, 'looked' | 'notices'>;

export class CallReport {
  private readonly call: Call;
  private readonly entries: Entries;
  private readonly telling: Telling;
  private readonly advance: Advance;
  private readonly why: ReturnType<typeof startReasons>;
  /** Outcomes since the last report. */
  private fresh: EntryOutcome[] = [];
  /** All reports in progress. */
  private pending: Promise<unknown> = Promise.resolve();
  /** Entries that may be under way when delivery ends. */
  private readonly mayBeOpen = new Set<number>();
  private begun: Begun | null = null;

  constructor(call: Call) {
    this.call = call;
    this.entries = call.prepared.entries;
    this.telling = new Telling(call);
    this.advance = new Advance(call.reporter);
    this.why = startReasons(call.prepared);
  }

  /** The end of a call that sends nothing. Returns its exit code. */
  async finish(verdict: Exclude<Verdict, { readonly what: 'send' }>): Promise<number> {
    switch (verdict.what) {
      case 'refused':
        return this.refused(verdict.refusal, verdict.looked);
      case 'planned':
        return this.planned(verdict.looked, verdict.approved);
      case 'nothing-left':
        return this.nothingLeft(verdict.looked);
      case 'interrupted':
        return this.interrupted(verdict.looked);
    }
  }

  private async refused({ reason, words, choices }: Refusal, looked: Looked): Promise<number> {
    const { prepared, corrected } = this.call;
    for (const repeat of looked.undecided) this.entries.setError(repeat.index, repeatFinding(repeat, looked).message);
    this.setStatuses(looked, (fate, index) => refusedStatus(fate, index, looked));
    for (const [index, payment] of looked.byKey) {
      if (payment.replacedBy !== null) corrected.set(index, lastReplacement(payment, looked));
      if (this.entries.isValid(index) && payment.bodyHash === prepared.entries.bodyHash(index))
        this.entries.setPayment(index, payment.id);
    }
    await this.telling.tellRest(looked, this.call.ledger);
    return this.end({ exitCode: refusedCode(reason), stopReason: reason, reasons: words, looked, choices });
  }

  private async planned(looked: Looked, approved: ApprovedRun | null): Promise<number> {
    this.setStatuses(looked, statusOfFate);
    settlePending(this.entries, () => 'planned');
    this.sayAgain(looked, true);
    await this.telling.tellRest(looked, this.call.ledger);
    const { entries } = this;
    const isPartly = entries.countOf('invalid') + entries.countOf('rejected') > 0;
    // A payment that would be sent again counts as planned. An approval stays valid, whatever else is in doubt.
    const isHeld = entries.countOf('unknown') > 0 && approved === null;
    const exitCode = isHeld ? EXIT.person : isPartly ? EXIT.partly : EXIT.ok;
    return this.end({ exitCode, stopReason: null, reasons: [], looked, approved });
  }

  private async interrupted(looked: Looked): Promise<number> {
    const exitCode = this.call.interruption.exitCode ?? EXIT.again;
    settlePending(this.entries, () => 'not_sent');
    await this.telling.tellRest(looked, this.call.ledger);
    return this.end({
      exitCode,
      stopReason: 'interrupted',
      reasons: ['Nothing was sent: stopped before that'],
      looked,
    });
  }

  private async nothingLeft(looked: Looked): Promise<number> {
    const { run } = looked;
    this.call.run = run;
    this.setStatuses(looked, statusOfFate);
    await this.telling.tellRest(looked, this.call.ledger);
    const doubts = await heldDoubts(this.call);
    const sent = { ...{ held: heldIn(doubts), leavesUnprotected: false }, stopped: null, signalExit: null };
    const ending = endingOf(countEntries(this.entries).records, sent, this.call.options);
    // The call that did the work may have been cut off before it could report its end.
    if (run !== null && run.end?.exitCode !== ending.exitCode) await this.endRun(ending);
    return this.end({ ...ending, looked, doubts });
  }

  /** The run has passed its gate. */
  begin(run: Run, { looked, notices, isReviewed }: Pick<Reviewed, keyof Begun | 'isReviewed'>): void {
    this.call.run = run;
    this.begun = { looked, notices };
    this.setStatuses(looked, statusOfFate);
    if (!isReviewed) this.sayAgain(looked, false);
    this.advance.begin(this.entries.countOf('pending'));
  }

  /** A record's outcome is known and durable. @param fresh the record was sent by this call */
  known(index: number, outcome: StoredOutcome, fresh: boolean): void {
    const status = statusOf(outcome.state, fresh ? 'this' : 'earlier');
    this.entries.setStatus(index, status);
    this.fresh.push({ index, outcome });
    this.advance.known(status, this.entries.groupOf(index).type);
    if (outcome.error !== null) this.why.add(status, reasonOf(outcome.error), index);
  }

  /** A record may be under way. */
  open(index: number): void {
    this.mayBeOpen.add(index);
  }

  /** Reports new outcomes. Null if nobody has to wait for the reader. */
  tellFresh(): Promise<void> | null {
    const fresh = this.fresh.splice(0);
    const told = this.begun === null ? Promise.resolve() : this.telling.tell(fresh, this.begun.looked);
    // Drops the results of both promises: otherwise each would keep all earlier ones in memory.
    this.pending = Promise.allSettled([this.pending, told]).then(() => undefined);
    return this.call.reporter.record === null ? null : told;
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    this.advance.waiting(why, heldMs);
  }

  /** Everything was sent, or something stopped the run. */
  async delivered(failed: Stopped, confirmed: ConfirmedAnswers): Promise<number> {
    const begun = this.begun as Begun;
    let stopped = failed;
    try {
      await this.tellFresh();
      await this.pending;
      await this.telling.tellRest(begun.looked, this.call.ledger);
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
      stopped ??= stopOf(cause, this.call.interruption.exitCode !== null);
      // Only the ledger knows the outcome of records that may have been under way.
      settlePending(this.entries, (index) => (this.mayBeOpen.has(index) ? 'unknown' : 'not_sent'));
      await this.telling.tellRest(begun.looked, null);
    }
    const { records, totals } = countEntries(this.entries);
    const doubts = await heldDoubts(this.call);
    await this.addEarlierReasons(begun.looked);
    const { interruption, options, prepared } = this.call;
    const sent = {
      // A ledger that has failed cannot name the gigs in doubt.
      held: Math.max(heldIn(doubts), gigsInDoubt(this.entries)),
      leavesUnprotected: leavesUnprotected(this.call, begun.looked),
      ...{ stopped, signalExit: interruption.exitCode },
    };
    const ending = endingOf(records, sent, options);
    await this.endRun(ending);
    const why = (['rejected', 'unknown'] as const).flatMap((state) => {
      const count = records[state];
      return this.why.words(state, (some) => fateCounts({ [state]: some }, totals).join(''), count);
    });
    const notes = answerNotes(confirmed, prepared, (text) => options.secrets.hide(text));
    return this.end({ ...ending, reasons: [...ending.reasons, ...why, ...notes], doubts, ...begun });
  }

  /** Also of records in doubt or refused that this call did not send: their reasons are those of earlier calls. */
  private async addEarlierReasons({ fateAt }: Looked): Promise<void> {
    const { ledger } = this.call;
    const earlier: number[] = [];
    for (let index = 0; index < this.entries.length; index++)
      if (isUnsettled(this.entries.status(index)) && fateAt(index)?.what !== 'send') earlier.push(index);
    try {
      for await (const page of outcomesOf(earlier, { ...this.call, ledger }))
        for (const { index, outcome } of page)
          if (typeof outcome?.error === 'string')
            this.why.add(this.entries.status(index), reasonOf(outcome.error), index);
    } catch (cause) {
      // The ledger has failed, which is reported already.
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** May fail: the run then counts as cut off, and the same command continues it. */
  private async endRun({ exitCode, stopReason }: Ending): Promise<void> {
    const { run, ledger, options } = this.call;
    try {
      if (run !== null && ledger !== null) await ledger.end(run, { finishedAt: options.now(), exitCode, stopReason });
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** Sets states before anything is sent, and what left-out records repeat. Records to send stay pending. */
  private setStatuses(looked: Looked, statusFor: (fate: Fate, index: number) => Status): void {
    const { standsFor, corrected, stays } = this.call;
    for (const [index, fate] of notableFates(looked)) {
      this.entries.setStatus(index, statusFor(fate, index));
      if (fate.what === 'settled' && fate.state === 'unknown') stays.add(index);
      const payment = 'payment' in fate && typeof fate.payment === 'number' ? fate.payment : looked.accepted[index];
      if (payment !== undefined && payment !== 0) this.entries.setPayment(index, payment);
      const known = looked.byKey.get(index);
      if (fate.what !== 'send' && known !== undefined && known.replacedBy !== null)
        corrected.set(index, lastReplacement(known, looked));
      if (fate.what !== 'left-out') continue;
      standsFor.set(index, fate.standsFor);
      if (fate.standsFor.state === 'rejected' && !corrected.has(index)) corrected.set(index, fate.standsFor);
      if (this.entries.status(index) === 'unknown') this.entries.setError(index, LEFT_OUT);
    }
  }

  /** Reports records that are sent again after an earlier attempt. @param isPlanned only in a plan */
  private sayAgain(looked: Looked, isPlanned: boolean): void {
    for (const words of resendWords(againOf(looked, this.call.rules), isPlanned)) this.call.reporter.note(words);
  }

  private async end({ looked, approved = null, ...end }: End): Promise<number> {
    const { options, issues, reporter, outputs, ledger, history } = this.call;
    const { digest } = looked;
    const reasons = [...end.reasons, ...this.call.remarks, ...prunedReasons(looked)];
    let { exitCode } = end;
    const isRefused = exitCode === EXIT.refused || exitCode === EXIT.usage || end.stopReason === 'busy';
    const refusal = isRefused ? end.reasons : [];
    if (isRefused && reasons[0] !== undefined) reasons[0] = `Nothing was sent: ${reasons[0]}`;
    const doubts = end.doubts ?? (await heldDoubts(this.call));
    // A refused call left out no records either.
    const notices =
      end.notices ?? (await toldNotices(looked, ledger)).filter(({ code }) => !isRefused || code !== 'skipped');
    // A dry run shows what the call that sends would find.
    this.call.earlier = options.safety.dryRun ? new Set() : looked.sameInput;
    const { written, failure, later, rejects } = await outputs.write(this.call, { digest, refusal, approved });
    if (failure !== null) {
      reasons.push(failure);
      // Only success turns into a failure. Any other code describes the outcome of the records, so it stays.
      if (exitCode === EXIT.ok) exitCode = EXIT.internal;
    }
    // The results are in the journal, and the log only describes them: the code stays.
    const missing = await outputs.log?.end();
    if (typeof missing === 'string') reasons.push(`the log file ${options.output.logFile} is incomplete: ${missing}`);
    const corrected = correctedWays(this.call, rejects, isRefused);
    const { drafts } = this.call;
    const run = this.call.run?.name ?? null;
    const { stopReason } = end;
    const called = callOf(options);
    // The journal set the start time of the run that this call began.
    const begunAt = this.call.run?.number === drafts ? this.call.run?.startedAt : undefined;
    // From here on only the reader is waited for.
    this.call.interruption.end();
    const summary = summaryOf({
      ...{ ...called, started_at: timeText(begunAt ?? null) ?? called.started_at },
      ...{ exit_code: exitCode, stop_reason: stopReason, reasons, run, digest, notices },
      ...countEntries(this.entries),
      ...{ warnings: issues.warnings, held: heldIn(doubts) },
      people: {
        ...called.people,
        sends: this.begun !== null && sendsAny(looked),
        doubts,
        written,
        choices: end.choices ?? [],
        later: [...corrected, ...later],
      },
      ...{ new_journal: history.begins, last_payment_at: timeText(history.lastPaymentAt) },
      remedies: [
        ...waysOut(stopReason, looked, issues, options),
        ...settleWays(doubts, options),
        ...corrected,
        ...later,
      ],
      next: nextCommand({ exitCode: end.exitCode, stopReason, run, options }),
    });
    await reporter.summary(summary);
    return exitCode;
  }
}

function isUnsettled(status: Status): boolean {
  return status === 'rejected' || status === 'unknown';
}

/** Without its end, which the reasons say already. */
function reasonOf(error: string): string {
  return error.replace(/; this may have been (?:paid|created)$/, '');
}

/** @param at milliseconds since 1970 */
function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

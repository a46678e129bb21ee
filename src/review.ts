/** REVIEW: what the history says of the records, and what a person says to that. Nothing is changed. */
import { keepGateAmounts } from './batch/ledger-rows.js';
import type { Prepared } from './batch/prepare.js';
import type { Interruption } from './delivery/interruption.js';
import type { Ledger } from './ledger/ledger.js';
import type { ClaimRules } from './ledger/plan.js';
import type { Approval, Decisions, PaymentId, TargetName } from './ledger/payment.js';
import type { RunOptions } from './options.js';
import { approvalToKeep, approvedWords, foundRun, missingApproval } from './preflight/approval.js';
import { hasMoved, paymentOf, withAnswer } from './preflight/assess.js';
import type { Confirmation } from './preflight/confirmation.js';
import type { Issues } from './preflight/issues.js';
import { approversOf, look, type Looked, WaitForOthers } from './preflight/look.js';
import { toldNotices } from './preflight/notices.js';
import { openRecordWords } from './preflight/places.js';
import { changesAnything } from './preflight/make-plan.js';
import { refusalOf } from './preflight/refusal.js';
import { requireHeaders } from './preflight/requirements.js';
import { reviewNow } from './preflight/review-figures.js';
import type { Notice } from './report/notice-words.js';
import type { Reporter, ReviewReport } from './report/reporter.js';
import { countEntries } from './report/summary.js';
import { approveInJournal } from './run/approve.js';
import type { CallReport } from './run/call-report.js';
import type { World } from './world.js';

export interface ReviewOptions {
  readonly options: RunOptions;
  readonly world: World;
  readonly reporter: Reporter;
  readonly confirmation: Confirmation;
  readonly interruption: Interruption;
  readonly issues: Issues;
  readonly rules: ClaimRules;
  /** Null in a dry run without a target. */
  readonly target: TargetName | null;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly prepared: Prepared;
  readonly report: CallReport;
}

/** What may pass the gate. */
export interface Reviewed {
  readonly looked: Looked;
  /** What the person has decided about repeats, by flag or in the review. */
  readonly decisions: Decisions;
  /** What allows it to be sent; null where nothing new does. */
  readonly approval: Approval | null;
  /** What was paid before. */
  readonly notices: readonly Notice[];
}

export class Review {
  private readonly o: ReviewOptions;
  private readonly waiting: WaitForOthers;
  private decisions: Decisions;
  /** Why another call was waited for in vain; null where none was. */
  private busy: string | null = null;

  constructor(options: ReviewOptions) {
    this.o = options;
    this.decisions = options.options.safety.decisions;
    const { world, interruption, reporter } = options;
    this.waiting = new WaitForOthers(options.options, world, interruption.signal, (text) => reporter.note(text));
  }

  /** Looks at the history, and asks what has to be asked. Gives the exit code where the call ends here. */
  async walk(): Promise<number | Reviewed> {
    const { options, confirmation, interruption, reporter, prepared, report } = this.o;
    const { ledger, issues, rules: doubt } = this.o;
    let looked = await this.lookWhenFree();
    const figures = (): Promise<ReviewReport> => reviewNow(prepared, looked, { options, ledger, issues, doubt });
    let refusal = this.refusal(looked);
    while (refusal?.reason === 'repeats') {
      const asked = await confirmation.aboutRepeats(figures);
      if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
      if (asked === null) break;
      this.decisions = withAnswer(this.decisions, asked);
      looked = await this.lookWhenFree();
      refusal = this.refusal(looked);
    }
    if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
    if (refusal !== null) {
      const open = await openRecordWords(looked.assessment, ledger);
      return report.refused({ ...refusal, words: [...refusal.words, ...open] }, looked);
    }
    const { safety, target } = options;
    const approves = safety.approve !== null;
    const isPlanned = target === null || (safety.dryRun && !approves);
    if (isPlanned && safety.requireApproval === null) return report.planned(looked, null);
    const found = foundRun(prepared, looked.digest, this.decisions, options);
    const approvers = await approversOf(ledger, looked);
    const missing = approves ? [] : missingApproval(options, found, approvers);
    if (isPlanned) {
      for (const words of missing) reporter.note(`to send it: ${words}`);
      return report.planned(looked, null);
    }
    // A call that sends and decides nothing leaves no trace.
    const isListed = !hasMoved(looked.known.run, prepared.files);
    if (!approves && isListed && !changesAnything(prepared, looked.assessment, looked.known, safety.keyLifetimeMs))
      return report.nothingLeft(looked);
    if (missing.length > 0) return report.refused({ reason: 'not_approved', words: missing }, looked);
    const approval = approves ? null : approvalToKeep(options, found, approvers);
    for (const word of new Set([approval, safety.approval]))
      if (word !== null) reporter.note(approvedWords(word, options, approvers));
    if (!(await confirmation.given(figures))) {
      if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
      return report.refused({ reason: 'not_confirmed', words: [confirmation.refusal] }, looked);
    }
    if (!approves) {
      // What stands in which file is told as it was before this call.
      const notices = await toldNotices(prepared, looked, ledger, false);
      return { looked, decisions: this.decisions, approval, notices };
    }
    if (safety.approve?.file === null)
      await approveInJournal(found, options, ledger as Ledger, (text) => reporter.note(text));
    return report.planned(looked, found);
  }

  /**
   * One call at a time sends a payment: where a live call has accepted what this one would send, or what would be a repeat,
   * this one waits, and holds nothing meanwhile.
   */
  private async lookWhenFree(): Promise<Looked> {
    const { options, ledger, issues, interruption, prepared } = this.o;
    for (;;) {
      const looked = await this.look();
      const { live } = looked.assessment;
      if (ledger === null || live === null || options.safety.dryRun) return this.told(looked);
      const { records } = countEntries(prepared.entries);
      if (issues.refusal(prepared, records, options.safety.skipInvalid).length > 0) return this.told(looked);
      this.busy = await this.waiting.until(live, ledger);
      if (this.busy !== null || interruption.exitCode !== null) return looked;
      await ledger.recover();
    }
  }

  private async look(): Promise<Looked> {
    const { options, target, ledger, rules, issues, prepared, world } = this.o;
    const { decisions } = this;
    for (;;) {
      const looked = await look(prepared, { options, target, ledger, rules, decisions, now: () => world.now() });
      requireHeaders(looked.known.run, options);
      const { conflicts } = looked.assessment;
      if (conflicts.length === 0) {
        const { known, assessment } = looked;
        const paymentAt = (index: number): PaymentId | null =>
          paymentOf(assessment.fateAt(index), known.accepted[index]);
        if (ledger !== null) await keepGateAmounts(prepared.entries, paymentAt, ledger);
        return looked;
      }
      // A key that belongs to other content makes its record invalid; then everything is looked at again.
      await issues.addConflicts(prepared, looked);
    }
  }

  private async told(looked: Looked): Promise<Looked> {
    await this.o.issues.addHistory(this.o.prepared, looked);
    return looked;
  }

  private refusal(looked: Looked): ReturnType<typeof refusalOf> {
    if (this.busy !== null) return { reason: 'busy', words: [this.busy] };
    const { issues, options, prepared } = this.o;
    const { decisions } = this;
    return refusalOf({ prepared, ...looked, ...countEntries(prepared.entries), decisions }, issues, options);
  }
}

/** REVIEW: compares the records with the history, and asks a person. Nothing is changed. */
import type { ApprovedRun } from '../journal/audit-log.js';
import type { Journal } from '../journal/journal.js';
import type { Approval, Decisions } from '../journal/payment.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { Notice } from '../report/history-text.js';
import { type PayeeChanges, rewrittenText } from '../report/payee-changes-text.js';
import type { ReviewReport } from '../report/reporter.js';
import { approvalToKeep, approvedText, describeRun, missingApproval } from './approval.js';
import { approveInJournal } from './approve.js';
import { assessRecords } from './assess-records.js';
import type { Assessment } from './assessment.js';
import type { ReviewContext } from './review-context.js';
import { changesAnything } from './build-plan.js';
import { type Confirmation, createConfirmation } from './confirmation.js';
import { newsText } from './news.js';
import { findNotices } from './notices.js';
import { changesForFiles, changesForReview } from './payee-changes.js';
import { describeOpenRecords } from './origins.js';
import { type Refusal, refusalOf } from './refusal.js';
import { replacedPaymentsText } from './replaced-payments.js';
import { buildReviewReport } from './review-report.js';
import { createLiveRunWaiter, type WaitFor } from './waiting.js';

/** A call that may pass the gate. */
export interface ApprovedReview {
  readonly kind: 'send';
  readonly assessment: Assessment;
  /** The approval that allows it; null if there is no new one. */
  readonly approval: Approval | null;
  /** Earlier payments. */
  readonly notices: readonly Notice[];
  /** What is new since the last batch of the profile, for the page; null if it is not known or not wanted. */
  readonly changes: PayeeChanges | null;
  /** A person has seen the review. */
  readonly isReviewed: boolean;
}

/** Why a call sends nothing. */
export type UnsentVerdict =
  /** The input, its repeats, its totals or the person do not allow it. */
  | { readonly kind: 'refused'; readonly assessment: Assessment; readonly refusal: Refusal }
  /** The call was not meant to send, and there is no reason against the run. `approved`: the confirmed run, if any. */
  | { readonly kind: 'planned'; readonly assessment: Assessment; readonly approved: ApprovedRun | null }
  /** Everything was created before, or there are no records at all: no run begins. */
  | { readonly kind: 'nothing-left'; readonly assessment: Assessment }
  /** A signal came. */
  | { readonly kind: 'interrupted'; readonly assessment: Assessment };

/** The verdict of a review. Only `send` sends anything. */
export type ReviewVerdict = ApprovedReview | UnsentVerdict;

export class Review {
  private readonly context: ReviewContext;
  private readonly records: PreparedRecords;
  private readonly confirmation: Confirmation;
  private readonly waitFor: WaitFor;
  private decisions: Decisions;
  /** The line about refused payments whose place is taken. */
  private toldReplaced: string | null = null;
  private toldRewritten: string | null = null;
  /** Why waiting for another call was in vain; null if it was not. */
  private busy: string | null = null;
  /** When the last review began. Milliseconds since 1970. */
  private begunAt = 0;

  constructor(context: ReviewContext, records: PreparedRecords) {
    this.context = context;
    this.records = records;
    const { options, world, interruption, reporter } = context;
    this.confirmation = createConfirmation(options, context.dialog, reporter, interruption.signal);
    this.decisions = options.safety.decisions;
    const mostMs = world.leaseMs + options.journal.timeoutMs;
    this.waitFor = createLiveRunWaiter(mostMs, world, interruption.signal, (text) => reporter.note(text));
  }

  /**
   * Looks at the history, and asks the necessary questions.
   * @param isFirst not so, if the history has changed since the last review
   */
  async verdict(isFirst: boolean): Promise<ReviewVerdict> {
    const { context, confirmation } = this;
    const { options, interruption, journal, target, world } = context;
    // Only a person who has answered is asked again.
    const news = isFirst || options.safety.yes ? null : await newsText(this.begunAt, journal, target);
    this.begunAt = world.now();
    let assessment = await this.assessWhenUncontended();
    if (news !== null) context.reporter.note(news);
    const figures = (): Promise<ReviewReport> => buildReviewReport(assessment, context);
    let refusal = this.refusal(assessment);
    while (refusal?.reason === 'repeats') {
      const asked = await confirmation.aboutRepeats(figures);
      if (asked === null || interruption.exitCode !== null) break;
      this.decisions = withAnswer(this.decisions, asked);
      assessment = await this.assessWhenUncontended();
      refusal = this.refusal(assessment);
    }
    if (interruption.exitCode !== null) return { kind: 'interrupted', assessment };
    if (refusal !== null) {
      const open = await describeOpenRecords(assessment.undecided, journal);
      return { kind: 'refused', assessment, refusal: { ...refusal, reasons: [...refusal.reasons, ...open] } };
    }
    await this.tellReplaced(assessment);
    const isPlanned = target === null || (options.safety.dryRun && options.safety.approve === null);
    if (isPlanned) await this.tellRewritten(assessment);
    if (isPlanned && options.safety.requireApproval === null) return { kind: 'planned', assessment, approved: null };
    return this.allowed(assessment, isPlanned, figures);
  }

  /** Once, however often the history is looked at. */
  private async tellReplaced(assessment: Assessment): Promise<void> {
    const words = await replacedPaymentsText(assessment, this.context.journal);
    if (words === null || words === this.toldReplaced) return;
    this.toldReplaced = words;
    this.context.remark(words);
  }

  /** Once, too: IDs that may be another person's, where no review is shown. A dry run for people ends with them. */
  private async tellRewritten(assessment: Assessment): Promise<void> {
    const { safety, output } = this.context.options;
    if (safety.dryRun && !output.json) return;
    const words = rewrittenText(await changesForReview(assessment, this.context));
    if (words === null || words === this.toldRewritten) return;
    this.toldRewritten = words;
    this.context.remark(words, true);
  }

  /** Whether the call may send: there is something to send, and a person agrees. */
  private async allowed(
    assessment: Assessment,
    isPlanned: boolean,
    figures: () => Promise<ReviewReport>,
  ): Promise<ReviewVerdict> {
    const { confirmation } = this;
    const { options, interruption, reporter, journal } = this.context;
    const { approve, keyLifetimeMs } = options.safety;
    const { digest } = assessment;
    const found = describeRun(assessment, options);
    const given = journal === null || digest === null ? [] : await journal.approvals(digest);
    const approvers = { user: journal?.user ?? null, given, run: assessment.history.run };
    const missing = approve === null ? missingApproval(options, found, approvers) : [];
    if (isPlanned) {
      for (const words of missing) reporter.note(`to send it: ${words}`);
      return { kind: 'planned', assessment, approved: null };
    }
    // A call that sends and decides nothing leaves no trace.
    if (approve === null && !changesAnything(assessment, keyLifetimeMs)) return { kind: 'nothing-left', assessment };
    if (missing.length > 0)
      return { kind: 'refused', assessment, refusal: { reason: 'not_approved', reasons: missing } };
    const approval = approve === null ? approvalToKeep(options, found, approvers) : null;
    for (const word of new Set([approval, options.safety.approval]))
      if (word !== null) reporter.note(approvedText(word, options, approvers));
    const answer = await confirmation.obtain(figures);
    if (answer === 'refused') {
      if (interruption.exitCode !== null) return { kind: 'interrupted', assessment };
      return {
        kind: 'refused',
        assessment,
        refusal: { reason: 'not_confirmed', reasons: [confirmation.refusal] },
      };
    }
    if (answer === 'unasked') await this.tellRewritten(assessment);
    // Files are named as they were before this call.
    if (approve === null) {
      const notices = await findNotices(assessment, journal);
      const changes = await changesForFiles(assessment, this.context);
      return { kind: 'send', assessment, approval, notices, changes, isReviewed: answer === 'reviewed' };
    }
    if (approve.file === null)
      await approveInJournal(found, options, journal as Journal, (text) => reporter.note(text));
    return { kind: 'planned', assessment, approved: found };
  }

  /**
   * One call at a time sends a payment. If a live call has accepted payments that this call would send or repeat, this
   * call waits, and holds nothing meanwhile.
   */
  private async assessWhenUncontended(): Promise<Assessment> {
    const { options, journal, issues, interruption } = this.context;
    for (;;) {
      const assessment = await assessRecords(this.context, this.records, this.decisions);
      const isWaiting = journal !== null && assessment.live !== null && !options.safety.dryRun;
      if (!isWaiting || issues.refusal(assessment).length > 0) {
        await issues.addHistory(assessment);
        return assessment;
      }
      this.busy = await this.waitFor(assessment.live, journal);
      if (this.busy !== null || interruption.exitCode !== null) return assessment;
      await journal.recover();
    }
  }

  private refusal(assessment: Assessment): Refusal | null {
    if (this.busy !== null) return { reason: 'busy', reasons: [this.busy] };
    return refusalOf(assessment, this.context.issues, this.context.options);
  }
}

/** Questions are only about points that no flag has decided. */
function withAnswer(flags: Decisions, { skipCreated, skipSimilar, sendSimilar }: Decisions): Decisions {
  return {
    skipCreated: flags.skipCreated || skipCreated,
    skipSimilar: flags.skipSimilar || skipSimilar,
    sendSimilar: sendSimilar ?? flags.sendSimilar,
  };
}

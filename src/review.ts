/** REVIEW: compares the records with the history, and asks a person. Nothing is changed. */
import type { Journal } from './journal/journal.js';
import type { Decisions } from './journal/payment.js';
import { approvalToKeep, approvedWords, describeRun, missingApproval } from './review/approval.js';
import type { Confirmation } from './review/confirmation.js';
import { assessRecords, type Assessment } from './review/assessment.js';
import { findNotices } from './review/notices.js';
import { describeOpenRecords } from './review/origins.js';
import { changesAnything } from './review/build-plan.js';
import { type Refusal, refusalOf } from './review/refusal.js';
import { replacedWords } from './review/replaced-words.js';
import { requireHeaders } from './review/requirements.js';
import { buildReviewReport } from './review/review-report.js';
import { createLiveRunWaiter, type WaitFor } from './review/waiting.js';
import type { ReviewReport } from './report/reporter.js';
import { approveInJournal } from './run/approve.js';
import { type RunSession, remark, type ReviewVerdict } from './run/run-session.js';

export class Review {
  private readonly call: RunSession;
  private readonly confirmation: Confirmation;
  private readonly waitFor: WaitFor;
  private decisions: Decisions;
  /** The line about refused payments whose place is taken. */
  private toldReplaced: string | null = null;
  /** Why waiting for another call was in vain; null if it was not. */
  private busy: string | null = null;

  constructor(call: RunSession, confirmation: Confirmation) {
    this.call = call;
    this.confirmation = confirmation;
    const { options, world, interruption, reporter } = call;
    this.decisions = options.safety.decisions;
    const mostMs = world.leaseMs + options.journal.timeoutMs;
    this.waitFor = createLiveRunWaiter(mostMs, world, interruption.signal, (text) => reporter.note(text));
  }

  /**
   * Looks at the history, and asks the necessary questions.
   * @param news why this is not the first review; null if there is nothing to tell
   */
  async verdict(news: string | null): Promise<ReviewVerdict> {
    const { call, confirmation } = this;
    const { options, interruption, journal } = call;
    let assessment = await this.assessWhenUncontended();
    if (news !== null) call.reporter.note(news);
    const figures = (): Promise<ReviewReport> => buildReviewReport(assessment, call);
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
    const isPlanned = call.target === null || (options.safety.dryRun && options.safety.approve === null);
    if (isPlanned && options.safety.requireApproval === null) return { kind: 'planned', assessment, approved: null };
    return this.allowed(assessment, isPlanned, figures);
  }

  /** Once, however often the history is looked at. */
  private async tellReplaced(assessment: Assessment): Promise<void> {
    const words = await replacedWords(assessment, this.call.journal);
    if (words === null || words === this.toldReplaced) return;
    this.toldReplaced = words;
    remark(this.call, words);
  }

  /** Whether the call may send: there is something to send, and a person agrees. */
  private async allowed(
    assessment: Assessment,
    isPlanned: boolean,
    figures: () => Promise<ReviewReport>,
  ): Promise<ReviewVerdict> {
    const { call, confirmation } = this;
    const { options, interruption, reporter, journal } = call;
    const { approve, keyLifetimeMs } = options.safety;
    const { digest, run } = assessment;
    const found = describeRun(assessment, options);
    const given = journal === null || digest === null ? [] : await journal.approvals(digest);
    const approvers = { user: journal?.user ?? null, given, run };
    const missing = approve === null ? missingApproval(options, found, approvers) : [];
    if (isPlanned) {
      for (const words of missing) reporter.note(`to send it: ${words}`);
      return { kind: 'planned', assessment, approved: null };
    }
    // A call that sends and decides nothing leaves no trace.
    if (approve === null && !changesAnything(assessment, keyLifetimeMs)) return { kind: 'nothing-left', assessment };
    if (missing.length > 0)
      return { kind: 'refused', assessment, refusal: { reason: 'not_approved', reasons: missing, choices: [] } };
    const approval = approve === null ? approvalToKeep(options, found, approvers) : null;
    for (const word of new Set([approval, options.safety.approval]))
      if (word !== null) reporter.note(approvedWords(word, options, approvers));
    const answer = await confirmation.obtain(figures);
    if (answer === 'refused') {
      if (interruption.exitCode !== null) return { kind: 'interrupted', assessment };
      return {
        kind: 'refused',
        assessment,
        refusal: { reason: 'not_confirmed', reasons: [confirmation.refusal], choices: [] },
      };
    }
    // Files are named as they were before this call.
    if (approve === null) {
      const notices = await findNotices(assessment, journal);
      return { kind: 'send', assessment, approval, notices, isReviewed: answer === 'reviewed' };
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
    const { options, journal, issues, interruption } = this.call;
    for (;;) {
      const assessment = await this.look();
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

  /** A key that belongs to other content makes its record invalid; then everything is checked again. */
  private async look(): Promise<Assessment> {
    for (;;) {
      const assessment = await assessRecords(this.call, this.decisions);
      requireHeaders(assessment.run, this.call.options);
      if (!(await this.call.issues.addConflicts(assessment))) return assessment;
    }
  }

  private refusal(assessment: Assessment): Refusal | null {
    if (this.busy !== null) return { reason: 'busy', reasons: [this.busy], choices: [] };
    return refusalOf(assessment, this.call.issues, this.call.options);
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

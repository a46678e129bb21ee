/** REVIEW: what the history says of the records, and what a person says to that. Nothing is changed. */
import { keepGateAmounts } from './batch/ledger-rows.js';
import type { Ledger } from './ledger/ledger.js';
import type { Decisions, PaymentId } from './ledger/payment.js';
import { approvalToKeep, approvedWords, foundRun, missingApproval } from './preflight/approval.js';
import { hasMoved, paymentOf, withAnswer } from './preflight/assess.js';
import type { Confirmation } from './preflight/confirmation.js';
import { approversOf, look, type Looked, WaitForOthers } from './preflight/look.js';
import { toldNotices } from './preflight/notices.js';
import { openRecordWords } from './preflight/places.js';
import { changesAnything } from './preflight/make-plan.js';
import { refusalOf } from './preflight/refusal.js';
import { requireHeaders } from './preflight/requirements.js';
import { reviewNow } from './preflight/review-figures.js';
import type { ReviewReport } from './report/reporter.js';
import { countEntries } from './report/summary.js';
import { approveInJournal } from './run/approve.js';
import type { Call, Verdict } from './run/call.js';

export class Review {
  private readonly call: Call;
  private readonly confirmation: Confirmation;
  private readonly waiting: WaitForOthers;
  private decisions: Decisions;
  /** Why another call was waited for in vain; null where none was. */
  private busy: string | null = null;

  constructor(call: Call, confirmation: Confirmation) {
    this.call = call;
    this.confirmation = confirmation;
    const { options, world, interruption, reporter } = call;
    this.decisions = options.safety.decisions;
    this.waiting = new WaitForOthers(options, world, interruption.signal, (text) => reporter.note(text));
  }

  /** Looks at the history, and asks what has to be asked. */
  async verdict(): Promise<Verdict> {
    const { call, confirmation } = this;
    const { options, interruption, ledger } = call;
    let looked = await this.lookWhenFree();
    const figures = (): Promise<ReviewReport> => reviewNow(call.prepared, looked, { ...call, doubt: call.rules });
    let refusal = this.refusal(looked);
    while (refusal?.reason === 'repeats') {
      const asked = await confirmation.aboutRepeats(figures);
      if (asked === null || interruption.exitCode !== null) break;
      this.decisions = withAnswer(this.decisions, asked);
      looked = await this.lookWhenFree();
      refusal = this.refusal(looked);
    }
    if (interruption.exitCode !== null) return { what: 'interrupted', looked };
    if (refusal !== null) {
      const open = await openRecordWords(looked.assessment, ledger);
      return { what: 'refused', looked, refusal: { ...refusal, words: [...refusal.words, ...open] } };
    }
    const isPlanned = call.target === null || (options.safety.dryRun && options.safety.approve === null);
    if (isPlanned && options.safety.requireApproval === null) return { what: 'planned', looked, approved: null };
    return this.allowed(looked, isPlanned, figures);
  }

  /** What may be sent, as far as the records go: whether there is anything to send, and a person agrees. */
  private async allowed(looked: Looked, isPlanned: boolean, figures: () => Promise<ReviewReport>): Promise<Verdict> {
    const { call, confirmation, decisions } = this;
    const { options, interruption, reporter, prepared, ledger } = call;
    const { approve } = options.safety;
    const found = foundRun(prepared, looked.digest, decisions, options);
    const approvers = await approversOf(ledger, looked);
    const missing = approve === null ? missingApproval(options, found, approvers) : [];
    if (isPlanned) {
      for (const words of missing) reporter.note(`to send it: ${words}`);
      return { what: 'planned', looked, approved: null };
    }
    // A call that sends and decides nothing leaves no trace.
    const changes = (): boolean =>
      hasMoved(looked.known.run, prepared.files) ||
      changesAnything(prepared, looked.assessment, looked.known, options.safety.keyLifetimeMs);
    if (approve === null && !changes()) return { what: 'nothing-left', looked };
    if (missing.length > 0) return { what: 'refused', looked, refusal: { reason: 'not_approved', words: missing } };
    const approval = approve === null ? approvalToKeep(options, found, approvers) : null;
    for (const word of new Set([approval, options.safety.approval]))
      if (word !== null) reporter.note(approvedWords(word, options, approvers));
    if (!(await confirmation.given(figures))) {
      if (interruption.exitCode !== null) return { what: 'interrupted', looked };
      return { what: 'refused', looked, refusal: { reason: 'not_confirmed', words: [confirmation.refusal] } };
    }
    if (approve === null) {
      // What stands in which file is told as it was before this call.
      const notices = await toldNotices(prepared, looked, ledger, false);
      return { what: 'send', looked, decisions, approval, notices };
    }
    if (approve.file === null) await approveInJournal(found, options, ledger as Ledger, (text) => reporter.note(text));
    return { what: 'planned', looked, approved: found };
  }

  /**
   * One call at a time sends a payment: where a live call has accepted what this one would send, or what would be a repeat,
   * this one waits, and holds nothing meanwhile.
   */
  private async lookWhenFree(): Promise<Looked> {
    const { options, ledger, issues, interruption, prepared } = this.call;
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
    const { options, target, ledger, rules, issues, prepared, world } = this.call;
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
    await this.call.issues.addHistory(this.call.prepared, looked);
    return looked;
  }

  private refusal(looked: Looked): ReturnType<typeof refusalOf> {
    if (this.busy !== null) return { reason: 'busy', words: [this.busy] };
    const { issues, options, prepared } = this.call;
    const { decisions } = this;
    return refusalOf({ prepared, ...looked, ...countEntries(prepared.entries), decisions }, issues, options);
  }
}

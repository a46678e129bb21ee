/** One call, as its stages see it, and the verdict of its review. */
import type { Interruption } from '../delivery/interruption.js';
import type { ApprovedRun } from '../journal/audit-log.js';
import type { OpenedForRun } from '../journal/open.js';
import type { Approval, TargetName } from '../journal/payment.js';
import type { ClaimRules } from '../journal/plan.js';
import type { IssueLog } from '../review/issue-log.js';
import type { Assessment } from '../review/assessment.js';
import type { Refusal } from '../review/refusal.js';
import type { CallRecords } from '../report/call-records.js';
import type { Notice } from '../report/notice-text.js';
import type { Reporter } from '../report/reporter.js';
import type { World } from '../world.js';
import type { Outputs } from './output-files.js';

export interface RunSession extends CallRecords {
  /** Its clock is the journal's, if there is one. */
  readonly world: World;
  readonly reporter: Reporter;
  readonly interruption: Interruption;
  readonly outputs: Outputs;
  readonly issues: IssueLog;
  readonly rules: ClaimRules;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** Entries in doubt that this call does not send again, whatever their keys protect. */
  readonly heldInDoubt: Set<number>;
  /** See {@link remark}. */
  readonly remarks: string[];
  /** The state of the journal before the call. */
  readonly history: Pick<OpenedForRun, 'begins' | 'lastPaymentAt'>;
}

/** A call that may pass the gate. */
export interface ApprovedReview {
  readonly assessment: Assessment;
  /** The approval that allows it; null if there is no new one. */
  readonly approval: Approval | null;
  /** Earlier payments. */
  readonly notices: readonly Notice[];
  /** A person has seen the review. */
  readonly isReviewed: boolean;
}

/** The verdict of a review. Only `send` sends anything. */
export type ReviewVerdict =
  | ({ readonly kind: 'send' } & ApprovedReview)
  /** The input, its repeats, its totals or the person do not allow it. */
  | { readonly kind: 'refused'; readonly assessment: Assessment; readonly refusal: Refusal }
  /** The call was not meant to send, and there is no reason against the run. `approved`: the confirmed run, if any. */
  | { readonly kind: 'planned'; readonly assessment: Assessment; readonly approved: ApprovedRun | null }
  /** Everything was created before, or there are no records at all: no run begins. */
  | { readonly kind: 'nothing-left'; readonly assessment: Assessment }
  /** A signal came. */
  | { readonly kind: 'interrupted'; readonly assessment: Assessment };

/** Tells people a sentence about the plan at once. Programs read it among the reasons, at the end. */
export function remark(
  { options, remarks, reporter }: Pick<RunSession, 'options' | 'remarks' | 'reporter'>,
  words: string,
): void {
  if (options.output.json) remarks.push(words);
  else reporter.note(words);
}

/** What a review needs of its call. */
import type { Journal } from '../journal/journal.js';
import type { TargetName } from '../journal/payment.js';
import type { ClaimRules } from '../journal/plan.js';
import type { RunOptions } from '../options.js';
import type { Dialog } from '../report/dialog.js';
import type { Reporter } from '../report/reporter.js';
import type { World } from '../world.js';
import type { IssueLog } from './issue-log.js';
import type { PaidBefore } from './paid-before.js';

export interface JournalBefore {
  /** A new journal begins with this call. */
  readonly begins: boolean;
  /** Milliseconds since 1970; null if nothing is known to be paid. */
  readonly lastPaymentAt: number | null;
}

export interface ReviewContext {
  readonly options: RunOptions;
  /** Its clock is the journal's, if there is one. */
  readonly world: World;
  readonly reporter: Reporter;
  readonly dialog: Dialog;
  /** Whether a signal has come, and the exit code that it gives. */
  readonly interruption: { readonly signal: AbortSignal; readonly exitCode: number | null };
  readonly issues: IssueLog;
  readonly rules: ClaimRules;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** Null if there is none yet. */
  readonly journal: Journal | null;
  /** The state of the journal before the call. */
  readonly before: JournalBefore;
  /** What the call is compared with; null for nothing. It is loaded once. */
  readonly paidBefore: () => Promise<PaidBefore | null>;
  /**
   * Tells people a sentence about the plan at once. Programs read it among the reasons, at the end.
   * @param isRisk people read it at the end too, also with `--quiet`
   */
  readonly remark: (text: string, isRisk?: boolean) => void;
}

/** One call, as its stages see it, and what its review comes to. */
import type { Interruption } from '../delivery/interruption.js';
import type { ApprovedRun } from '../ledger/event.js';
import type { OpenedForRun } from '../ledger/open.js';
import type { Approval, TargetName } from '../ledger/payment.js';
import type { ClaimRules } from '../ledger/plan.js';
import type { Issues } from '../preflight/issues.js';
import type { Looked } from '../preflight/look.js';
import type { Refusal } from '../preflight/refusal.js';
import type { CallRecords } from '../report/live-records.js';
import type { Notice } from '../report/notice-words.js';
import type { Reporter } from '../report/reporter.js';
import type { World } from '../world.js';
import type { Outputs } from './output-files.js';

/** A call whose records are prepared. */
export interface Call extends CallRecords {
  /** Its clock is the ledger's, if there is one. */
  readonly world: World;
  readonly reporter: Reporter;
  readonly interruption: Interruption;
  readonly outputs: Outputs;
  readonly issues: Issues;
  readonly rules: ClaimRules;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** What the ledger knew before the call. */
  readonly history: Pick<OpenedForRun, 'begins' | 'lastPaymentAt'>;
}

/** What may pass the gate. */
export interface Reviewed {
  readonly looked: Looked;
  /** What allows it to be sent; null where nothing new does. */
  readonly approval: Approval | null;
  /** What was paid before. */
  readonly notices: readonly Notice[];
}

/** What a review comes to. Nothing is sent but for `send`. */
export type Verdict =
  | ({ readonly what: 'send' } & Reviewed)
  /** The input, its repeats, its totals or the person do not allow it. */
  | { readonly what: 'refused'; readonly looked: Looked; readonly refusal: Refusal }
  /** It was not to send anything, and there is no reason against the run. `approved`: what was confirmed, if anything. */
  | { readonly what: 'planned'; readonly looked: Looked; readonly approved: ApprovedRun | null }
  /** Everything was created before, or there is nothing at all: no run begins. */
  | { readonly what: 'nothing-left'; readonly looked: Looked }
  /** A signal came. */
  | { readonly what: 'interrupted'; readonly looked: Looked };

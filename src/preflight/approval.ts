/** Whether a run may pass its gate: what refuses it, and what a person is asked. */
import { STDIN } from '../input/source.js';
import type { Dialog, RepeatWish } from '../report/dialog.js';
import type { Reporter } from '../report/reporter.js';
import { controlFaults } from './control.js';
import type { Decided } from './decide.js';
import type { Issues } from './issues.js';
import type { RunOptions, SafetyOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import type { Review } from './review-figures.js';
import type { Standing } from './standing.js';
import { countEntries, type SummaryReason } from '../outcome/summary.js';

/** Why a run is refused: the first reason by rank, and all of them in words. */
export interface Refusal {
  readonly reason: SummaryReason;
  readonly words: readonly string[];
}

/** Null when nothing refuses the run. Gives all reasons, so that a person who mends one learns of the others too. */
export function refusalOf(
  prepared: Prepared,
  { digest }: Standing,
  decided: Decided,
  safety: SafetyOptions,
  issues: Issues,
): Refusal | null {
  const { records, totals } = countEntries(prepared.entries);
  const found: [SummaryReason, readonly string[]][] = [
    ['invalid_input', issues.refusal(prepared, records, safety.skipInvalid)],
    ['repeats', decided.reason === null ? [] : [decided.reason]],
    ['control_total', controlFaults(safety, { count: records.valid, totals, digest })],
  ];
  const first = found.find(([, words]) => words.length > 0);
  return first === undefined ? null : { reason: first[0], words: found.flatMap(([, words]) => words) };
}

export interface Approval {
  /** What the person wants done with repeats; null without a person, or when the person stops. */
  aboutRepeats(review: () => Review): Promise<RepeatWish | null>;
  /** Whether the run may be sent: no question is needed, or the person has said yes. */
  given(review: () => Review): Promise<boolean>;
  /** What is said when the approval was not given. */
  readonly refusal: string;
}

/** @param signal ends a question that nobody has answered */
export function startApproval(options: RunOptions, dialog: Dialog, reporter: Reporter, signal: AbortSignal): Approval {
  const { safety, target, resume, input } = options;
  // Standard input cannot be both the input and the answer.
  const isInput = input.files.includes(STDIN) || input.prices === STDIN;
  const asks = !safety.dryRun && !safety.yes && target !== null && dialog.present && !isInput;
  // A run that is resumed from the journal alone has no file to make a second payment from.
  const asksAboutRepeats = asks && resume === null;
  return {
    aboutRepeats: async (reviewed) => {
      if (!asksAboutRepeats) return null;
      const review = reviewed();
      reporter.review(review);
      return dialog.aboutRepeats(review, signal);
    },
    given: async (reviewed) => {
      if (needsNoQuestion(options)) return true;
      const review = reviewed();
      if (!isMuch(options, review)) return true;
      if (!asks) return false;
      reporter.review(review);
      return dialog.confirm(review, signal);
    },
    refusal: asks
      ? 'not confirmed: nothing was sent'
      : `sending needs a confirmation, and ${isInput ? 'it would be typed where the input comes from, on standard input' : 'there is no terminal to ask at'}; say --yes, best with --expect-total or --expect-digest beside it`,
  };
}

function needsNoQuestion({ safety, target, resume }: RunOptions): boolean {
  // A resumed run was confirmed when it passed its gate, and is sent exactly as it was confirmed.
  return safety.yes || target?.kind === 'sandbox' || resume !== null;
}

/** CONTRACT, `--yes`: more than one record, or any payout or result that does not come from flags. */
function isMuch({ input }: RunOptions, { toSend }: Review): boolean {
  const money = toSend.totals.some(({ type }) => type !== 'gig');
  return toSend.count > 1 || (toSend.count > 0 && money && input.files.length > 0);
}

/** The questions to a person before a run may pass its gate. */
import { STDIN } from '../input/source.js';
import type { RunOptions } from '../options.js';
import type { Dialog } from '../report/dialog.js';
import type { Decisions } from '../journal/payment.js';
import type { Reporter, ReviewReport } from '../report/reporter.js';
import { countRecords } from '../report/totals-table.js';

export interface Confirmation {
  /** The person's decisions about repeats; null without a person, or when the person stops. */
  aboutRepeats(review: () => Promise<ReviewReport>): Promise<Decisions | null>;
  /** Whether the run may be sent: a person has seen the review and said yes, or no question is needed. */
  obtain(review: () => Promise<ReviewReport>): Promise<'reviewed' | 'unasked' | 'refused'>;
  /** The message if the confirmation was not given. */
  readonly refusal: string;
}

/** @param signal ends an open question */
export function createConfirmation(
  options: RunOptions,
  dialog: Dialog,
  reporter: Reporter,
  signal: AbortSignal,
): Confirmation {
  const { safety, target, input } = options;
  // Standard input cannot be both the input and the answer.
  const isInput = input.files.includes(STDIN) || input.prices === STDIN;
  const sends = safety.approve === null;
  const isUnasked = safety.yes || (target?.kind === 'sandbox' && !dialog.asksInSandbox);
  let control = '--expect-total';
  const asks = !(safety.dryRun && sends) && !safety.yes && target !== null && dialog.present && !isInput;
  return {
    aboutRepeats: async (reviewed) => {
      if (!asks) return null;
      const review = await reviewed();
      reporter.review(review);
      return dialog.aboutRepeats(review, signal);
    },
    obtain: async (reviewed) => {
      if (isUnasked) return 'unasked';
      const review = await reviewed();
      // The prices of gigs are for one seat, so their total shows little.
      if (review.toSend.every(({ type }) => type === 'gig')) control = '--expect-count';
      if (!isMuch(options, review)) return 'unasked';
      if (!asks) return 'refused';
      reporter.review(review);
      return (await dialog.confirm(review, signal)) ? 'reviewed' : 'refused';
    },
    get refusal() {
      if (asks) return dialog.refusal;
      return `${sends ? 'sending' : 'approving'} needs a confirmation, and ${isInput ? 'it would be typed where the input comes from, on standard input' : 'there is no terminal to ask at'}; add --yes, best together with ${control} or --expect-digest`;
    },
  };
}

/** CONTRACT, `--yes`: more than one record, or any that does not come from the flags of this call alone. */
function isMuch({ input, resume }: RunOptions, { toSend }: ReviewReport): boolean {
  const count = countRecords(toSend);
  const isFromFlags = input.files.length === 0 && resume === null;
  return count > 1 || (count > 0 && !isFromFlags);
}

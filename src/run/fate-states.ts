/** From what was decided about records to the states that they are told in, and to the reasons of those that stay rejected. */
import type { Status } from '../batch/entries.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { Fate } from '../preflight/fate.js';
import { lastReplacement } from '../preflight/known.js';
import type { Looked } from '../preflight/look.js';
import { dayOf } from '../preflight/repeat-words.js';
import { replacedWords, statusOf } from '../report/record-report.js';

/** The state that a fate means before anything is sent; what is to be sent is pending. */
export function statusOfFate(fate: Fate): Status {
  if (fate.what === 'left-out') return statusOf(fate.standsFor.state, 'other');
  return fate.what === 'settled' ? statusOf(fate.state, 'earlier') : 'pending';
}

/** The state of a record of a refused call: that of its payment. */
export function refusedStatus(fate: Fate, index: number, { known }: Looked): Status {
  // It was corrected, whatever is decided about the others.
  if (fate.what === 'left-out' && (known.byKey.get(index)?.replacedBy ?? null) !== null) return statusOfFate(fate);
  return statusOf(known.created[index] === 1 ? 'created' : (known.byKey.get(index)?.state ?? 'not_sent'), 'earlier');
}

/** Why a payment that an earlier call has had rejected is not sent again; null for any other. @param error of it */
export function notSentWords(index: number, error: string | null, { known, assessment }: Looked): string | null {
  const fate = assessment.fateAt(index);
  const payment = known.byKey.get(index);
  if (payment === undefined || fate === null || fate.what === 'send') return null;
  // Left out for the correction, and not itself a payment: its own state has no reason.
  const isOwn = fate.what !== 'left-out' || fate.payment !== null || fate.standsFor.state === 'rejected';
  if (payment.replacedBy !== null) return isOwn ? replacedWords(error, lastReplacement(payment, known).run.name) : null;
  if (fate.what !== 'settled' || fate.state !== 'rejected') return null;
  return [error, stayedWords(payment, fate.isPruned === true)].filter((text) => text !== null).join('; ');
}

function stayedWords({ at, run }: KnownPayment, isPruned: boolean): string {
  const when = `rejected on ${dayOf(at)} in run ${run.name}`;
  return isPruned
    ? `${when}. batch prune removed its content, so it cannot be sent again from the journal: import it from its file`
    : `${when}; --retry-rejected sends it again`;
}

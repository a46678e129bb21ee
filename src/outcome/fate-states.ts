/** From what was decided about records to the states that they are told in. */
import type { Status } from '../batch/table.js';
import type { Prepared } from '../batch/prepare.js';
import type { DoubtRules } from '../ledger/ledger.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { Assessment } from '../preflight/assess.js';
import type { Fate } from '../preflight/fate.js';
import type { Known } from '../preflight/known.js';
import type { Looked } from '../preflight/look.js';
import { dayOf } from '../preflight/repeat-words.js';
import type { DoubtsOfRun } from '../report/reporter.js';
import { resendWords } from '../report/resend-words.js';

/** Whether an earlier call may have carried one of the records out. */
export function isAnyInDoubt(prepared: Prepared, { fateAt }: Assessment, { byKey }: Known): boolean {
  return [...byKey].some(
    ([index, { state }]) => state === 'unknown' && prepared.entries.isValid(index) && fateAt(index) !== null,
  );
}

/** The state that a fate means before anything is sent; what is to be sent is pending. */
export function statusOf(fate: Fate): Status {
  if (fate.what === 'left-out') {
    const { state } = fate.standsFor;
    return state === 'created' ? 'skipped' : state === 'rejected' ? 'rejected' : 'unknown';
  }
  if (fate.what !== 'settled') return 'pending';
  return fate.state === 'created' ? 'already_created' : fate.state;
}

/** The state of a record of a refused call: that of its payment. */
export function refusedStatus(fate: Fate, index: number, { known }: Looked): Status {
  // It was corrected, whatever is decided about the others.
  if (fate.what === 'left-out' && (known.byKey.get(index)?.replacedBy ?? null) !== null) return statusOf(fate);
  const state = known.created[index] === 1 ? 'created' : (known.byKey.get(index)?.state ?? 'not_sent');
  return state === 'created' ? 'already_created' : state;
}

/** What is said of records that were tried before and go out again. @param isPlanned in a dry run they would */
export function againWords(
  prepared: Prepared,
  { assessment, known }: Looked,
  { isProtected }: DoubtRules,
  isPlanned: boolean,
): string[] {
  const counts = { protected: 0, expired: 0, gigs: 0, rejected: 0 };
  for (const [index, payment] of known.byKey) {
    const fate = prepared.entries.isValid(index) ? assessment.fateAt(index) : null;
    if (fate?.what !== 'send' || fate.again === null) continue;
    const { type, doubtSince, at, lifetimeMs } = payment;
    if (fate.again === 'rejected') counts.rejected++;
    else if (type === 'gig') counts.gigs++;
    else if (isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs })) counts.protected++;
    else counts.expired++;
  }
  return resendWords(counts, isPlanned);
}

/** Payments in doubt by the run that has them, with the day since when the first of them is. */
export function doubtsByRun(payments: readonly KnownPayment[]): DoubtsOfRun[] {
  const runs = new Map<string, KnownPayment[]>();
  for (const payment of payments) runs.set(payment.run.name, [...(runs.get(payment.run.name) ?? []), payment]);
  return [...runs].map(([run, all]) => {
    const since = Math.min(...all.map(({ doubtSince, at }) => doubtSince ?? at));
    return { run, since: dayOf(since), count: all.length, areGigs: all.every(({ type }) => type === 'gig') };
  });
}

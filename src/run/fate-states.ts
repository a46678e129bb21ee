/** From what was decided about records to the states that they are told in, and to what is said of them. */
import type { Prepared } from '../batch/prepare.js';
import type { Status } from '../batch/table.js';
import type { DoubtRules } from '../ledger/ledger.js';
import type { Assessment } from '../preflight/assess.js';
import type { Fate } from '../preflight/fate.js';
import type { Known } from '../preflight/known.js';
import type { Looked } from '../preflight/look.js';
import { statusOf } from '../report/record-report.js';
import { resendWords } from '../report/resend-words.js';

/** Whether an earlier call may have carried one of the records out. */
export function isAnyInDoubt(prepared: Prepared, { fateAt }: Assessment, { byKey }: Known): boolean {
  return [...byKey].some(
    ([index, { state }]) => state === 'unknown' && prepared.entries.isValid(index) && fateAt(index) !== null,
  );
}

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

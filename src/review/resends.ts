/** Records that are sent again after an earlier attempt, by the risk of that. */
import type { Journal } from '../journal/journal.js';
import type { DoubtRules } from '../journal/plan.js';
import type { ResendCounts } from '../report/history-text.js';
import type { Assessment } from './assessment.js';
import { ownPayments } from './history.js';
import { nameRecords } from './record-bodies.js';

export function countResends(assessment: Assessment, rules: DoubtRules): ResendCounts {
  const counts = { protected: 0, expired: 0, gigs: 0, rejected: 0, named: [] };
  for (const { kind } of resends(assessment, rules)) counts[kind]++;
  return counts;
}

/** The same, and names those that may be paid or created twice, if they are few. @throws JournalError */
export async function nameResends(
  assessment: Assessment,
  rules: DoubtRules,
  journal: Journal | null,
): Promise<ResendCounts> {
  const counts = countResends(assessment, rules);
  const { expired, gigs } = counts;
  // Each sentence is about one kind, so it could not say which of the names are its own.
  if (expired > 0 && gigs > 0) return counts;
  const indexes: number[] = [];
  for (const { kind, index } of resends(assessment, rules))
    if (kind === 'expired' || kind === 'gigs') indexes.push(index);
  return { ...counts, named: await nameRecords(indexes, assessment, journal) };
}

type ResendKind = 'protected' | 'expired' | 'gigs' | 'rejected';

function* resends(
  { dispositionAt, history }: Assessment,
  { isProtected }: DoubtRules,
): Iterable<{ readonly index: number; readonly kind: ResendKind }> {
  for (const [index, { type, doubtSince, at, lifetimeMs }] of ownPayments(history)) {
    const disposition = dispositionAt(index);
    if (disposition?.kind !== 'send' || disposition.again === null) continue;
    if (disposition.again === 'rejected') yield { index, kind: 'rejected' };
    else if (type === 'gig') yield { index, kind: 'gigs' };
    // Sending a payment in doubt again is safe only if its key still protects it.
    else if (isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs })) yield { index, kind: 'protected' };
    else yield { index, kind: 'expired' };
  }
}

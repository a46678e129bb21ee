/** Payments in doubt: which only a person can settle (CONTRACT: "Exit codes"), and which are sent again. */
import { isOpenEnded } from '../delivery/http/classify.js';
import type { Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId, StoredOutcome } from '../ledger/payment.js';
import type { DoubtRules } from '../ledger/plan.js';
import type { Looked } from '../preflight/look.js';
import { againOf } from '../preflight/review-figures.js';
import { dayOf } from '../records/calendar.js';
import { type DoubtsOfRun, resendWords } from '../report/notice-words.js';

/**
 * Of these payments in doubt, those that are not cleared up by calling again, by the run that has them.
 * @param leftOut records stand for them that a person has left out
 * @throws JournalError
 */
export async function heldDoubts(
  ids: readonly PaymentId[],
  leftOut: ReadonlySet<PaymentId>,
  ledger: Ledger,
  rules: DoubtRules,
): Promise<DoubtsOfRun[]> {
  const outcomes = await ledger.outcomes(ids);
  const known = new Map(ids.map((id, i) => [id, outcomes[i] ?? null]));
  const payments = await ledger.byId(ids);
  return byRun(
    payments.filter((payment) => leftOut.has(payment.id) || !mayClearUp(payment, known.get(payment.id) ?? null, rules)),
  );
}

/** One that this process still has under way, because the ledger has failed, comes into doubt when it lets go of it. */
function mayClearUp(
  { type, doubtSince, at, lifetimeMs }: KnownPayment,
  outcome: StoredOutcome | null,
  rules: DoubtRules,
): boolean {
  return (
    rules.isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }) && isOpenEnded(outcome?.httpStatus ?? null)
  );
}

/** With the day since when the first payment of each run is in doubt. */
function byRun(payments: readonly KnownPayment[]): DoubtsOfRun[] {
  const runs = new Map<string, KnownPayment[]>();
  for (const payment of payments) runs.set(payment.run.name, [...(runs.get(payment.run.name) ?? []), payment]);
  return [...runs].map(([run, all]) => {
    const since = Math.min(...all.map(({ doubtSince, at }) => doubtSince ?? at));
    return { run, since: dayOf(since), count: all.length, areGigs: all.every(({ type }) => type === 'gig') };
  });
}

/** How many payments these are. */
export function heldIn(doubts: readonly DoubtsOfRun[]): number {
  return doubts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether an earlier call may have carried one of the records out. */
export function isAnyInDoubt({ byKey, fateAt }: Looked): boolean {
  return [...byKey].some(([index, { state }]) => state === 'unknown' && fateAt(index) !== null);
}

/** What is said of records that were tried before and go out again. @param isPlanned in a dry run they would */
export function againWords(looked: Looked, rules: DoubtRules, isPlanned: boolean): string[] {
  return resendWords(againOf(looked, rules), isPlanned);
}

/** Payments in doubt: which only a person can settle (CONTRACT: "Exit codes"), and which are sent again. */
import { isOpenEnded } from '../delivery/http/classify.js';
import { JournalError } from '../errors.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { Looked } from '../preflight/look.js';
import type { DoubtsOfRun } from '../report/notice-words.js';
import type { Call } from './call.js';
import { localDay } from '../util/local-time.js';

/** Of the call's records in doubt, those that are not cleared up by calling again, by the run that has them. */
export async function heldDoubts({ prepared: { entries }, ledger, rules, standsFor }: Call): Promise<DoubtsOfRun[]> {
  const unknown: number[] = [];
  for (let index = 0; index < entries.length; index++) if (entries.status(index) === 'unknown') unknown.push(index);
  if (ledger === null || unknown.length === 0) return [];
  const ids = unknown.map((index) => standsFor.get(index)?.id ?? entries.payment(index));
  // What a person has left out is not sent again.
  const leftOut = new Set([...standsFor.values()].map(({ id }) => id));
  try {
    const outcomes = await ledger.outcomes(ids);
    const answers = new Map(ids.map((id, i) => [id, outcomes[i]?.httpStatus ?? null]));
    // One that this process still has under way, because the ledger has failed, comes into doubt when it lets go of it.
    const mayClearUp = ({ id, type, doubtSince, at, lifetimeMs }: KnownPayment): boolean =>
      rules.isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }) && isOpenEnded(answers.get(id) ?? null);
    return byRun((await ledger.byId(ids)).filter((payment) => leftOut.has(payment.id) || !mayClearUp(payment)));
  } catch (cause) {
    // The ledger has failed, and that is told already.
    if (!(cause instanceof JournalError)) throw cause;
    return [];
  }
}

/** With the day since when the first payment of each run is in doubt. */
function byRun(payments: readonly KnownPayment[]): DoubtsOfRun[] {
  const runs = new Map<string, { since: number; count: number; areGigs: boolean }>();
  for (const { run, doubtSince, at, type } of payments) {
    const found = runs.get(run.name) ?? { since: Infinity, count: 0, areGigs: true };
    runs.set(run.name, found);
    found.count++;
    found.since = Math.min(found.since, doubtSince ?? at);
    found.areGigs &&= type === 'gig';
  }
  return [...runs].map(([run, { since, ...found }]) => ({ run, since: localDay(since), ...found }));
}

/** How many payments these are. */
export function heldIn(doubts: readonly DoubtsOfRun[]): number {
  return doubts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether an earlier call may have carried one of the records out. */
export function isAnyInDoubt({ byKey, fateAt }: Looked): boolean {
  return [...byKey].some(([index, { state }]) => state === 'unknown' && fateAt(index) !== null);
}

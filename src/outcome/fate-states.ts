/** From what was decided about records to the states that they are told in. */
import type { Status } from '../batch/table.js';
import type { KnownPayment, LeftOut, Outcome } from '../ledger/payment.js';
import type { Assessment } from '../preflight/assess.js';
import type { Fate } from '../preflight/fate.js';
import { dayOf } from '../preflight/repeat-words.js';
import type { DoubtsOfRun } from '../report/reporter.js';

/** Whether an earlier call may have carried the record out. */
export function isInDoubt(fate: Fate): boolean {
  return (
    fate.what === 'unknown' ||
    (fate.what === 'send' && fate.again === 'unknown') ||
    (fate.what === 'repeat' && fate.payment.state === 'unknown')
  );
}

/** The state that a fate means before anything is sent; what is to be sent is pending. */
export function statusOf(fate: Fate): Status {
  switch (fate.what) {
    case 'created':
      return fate.leftOut === null ? 'already_created' : 'skipped';
    case 'rejected':
    case 'unknown':
    case 'not_sent':
      return fate.what;
    default:
      return 'pending';
  }
}

/** The state of a record that is not sent by this call, from that of its payment. */
export function settledAs({ state }: Outcome, leftOut: LeftOut | undefined): Status {
  if (state !== 'created') return state;
  return leftOut === undefined ? 'already_created' : 'skipped';
}

/** What is said of records that were tried before and go out again. @param isPlanned in a dry run they would */
export function againWords({ fates }: Assessment, isPlanned: boolean): string[] {
  const count = (state: 'unknown' | 'rejected'): number =>
    fates.filter((fate) => fate?.what === 'send' && fate.again === state).length;
  const going = (n: number): string => (isPlanned ? 'would be sent' : n === 1 ? 'is sent' : 'are sent');
  const [doubtful, rejected] = [count('unknown'), count('rejected')];
  return [
    ...(doubtful === 0
      ? []
      : [
          `${doubtful === 1 ? '1 record' : `${doubtful} records`} may have been carried out already, and ${going(doubtful)} again under the same ${doubtful === 1 ? 'key' : 'keys'}`,
        ]),
    ...(rejected === 0
      ? []
      : [
          `${rejected === 1 ? '1 record was' : `${rejected} records were`} rejected before, and ${going(rejected)} again`,
        ]),
  ];
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

/** Payments in doubt: those that only a person can settle (CONTRACT: "Exit codes"), and those that are sent again. */
import { isOpenEnded } from '../delivery/http/classify.js';
import { JournalError } from '../errors.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { Looked } from '../preflight/look.js';
import { way } from '../preflight/runs-first.js';
import { type DoubtsOfRun, startDoubts } from '../report/doubt-words.js';
import type { Remedy } from '../report/reporter.js';
import type { Call } from './call.js';

/** The call's records in doubt that another call would not clear up, by the run that has them. */
export async function heldDoubts({
  prepared: { entries },
  ledger,
  rules,
  standsFor,
  stays,
}: Call): Promise<DoubtsOfRun[]> {
  const unknown: number[] = [];
  for (let index = 0; index < entries.length; index++) if (entries.status(index) === 'unknown') unknown.push(index);
  if (ledger === null || unknown.length === 0) return [];
  const ids = unknown.map((index) => standsFor.get(index)?.id ?? entries.payment(index));
  // A record that a person has left out is not sent again, nor one that is similar to what was left out.
  const leftOut = new Set([...standsFor.values()].map(({ id }) => id));
  for (const index of stays) leftOut.add(entries.payment(index));
  try {
    const outcomes = await ledger.outcomes(ids);
    const answers = new Map(ids.map((id, i) => [id, outcomes[i]?.httpStatus ?? null]));
    // If the ledger has failed, payments that this process still has under way come into doubt when it releases them.
    const mayClearUp = ({ id, type, doubtSince, at, lifetimeMs }: KnownPayment): boolean =>
      rules.isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }) && isOpenEnded(answers.get(id) ?? null);
    const doubts = startDoubts();
    for (const payment of await ledger.byId(ids)) {
      const { id, run, doubtSince, at } = payment;
      if (leftOut.has(id) || !mayClearUp(payment)) doubts.add(run.name, doubtSince ?? at, payment);
    }
    return doubts.told();
  } catch (cause) {
    // The ledger has failed, which is reported already.
    if (!(cause instanceof JournalError)) throw cause;
    return [];
  }
}

/** How a person records the outcome of payments: for each answer of the service a command. */
export function settleWays(doubts: readonly DoubtsOfRun[], { onward, place }: RunOptions): Remedy[] {
  return doubts.flatMap(({ run, since, key }) => {
    const settle = (outcome: string): string[] => [
      ...[onward.program, 'batch', 'settle', run, ...place],
      ...['--key', key ?? 'KEY', outcome, '--note', 'TEXT'],
    ];
    const placeholders = [...(key === null ? ['KEY'] : []), 'TEXT'];
    const it = `${key === null ? 'a record' : `the record ${key}`} of run ${run} (in doubt since ${since})`;
    return [
      ...way(true, 'settle', `the service has ${it}`, settle('--created'), placeholders),
      ...way(true, 'settle', `the service does not have ${it}`, settle('--not-created'), placeholders),
    ];
  });
}

/** Whether an earlier call may have paid one of the records. */
export function isAnyInDoubt({ byKey, fateAt }: Looked): boolean {
  return [...byKey].some(([index, { state }]) => state === 'unknown' && fateAt(index) !== null);
}

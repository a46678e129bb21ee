/** Outcomes of payments, and open claims. */
import type { StoredOutcome } from '../payment.js';
import { CREATED, stateOf, UNKNOWN } from './common-schema.js';
import type { Driver, Transaction } from './driver.js';
import type { Cell } from './row-mapper.js';

/** The outcome `o`; null if there is none. */
export function outcomeIn(of: Cell): StoredOutcome | null {
  const isThere = of<number | null>('o.payment') !== null;
  const outcome: StoredOutcome = {
    state: of('o.state', stateOf),
    httpStatus: of('o.http_status'),
    attempts: of('o.attempts'),
    response: of('o.response'),
    error: of('o.error'),
    requestId: of('o.request_id'),
    doubtSince: of('o.doubt_since'),
    run: of('o.run'),
    at: of('o.at'),
  };
  return isThere ? outcome : null;
}

/** A process has the right to send a payment, so it may be under way. */
export interface OpenClaim {
  readonly at: number;
  readonly run: number;
  readonly process: number;
}

/** The claim `c`; null if there is none. */
export function claimIn(of: Cell): OpenClaim | null {
  const at = of<number | null>('c.at');
  const run = of<number>('c.run');
  const process = of<number>('c.process');
  return at === null ? null : { at, run, process };
}

/** The row numbers of the living owners of these claims. Mostly there are none. */
export async function aliveAmong(
  driver: Driver,
  tx: Transaction,
  claims: readonly ({ readonly process: number } | null)[],
): Promise<ReadonlySet<number>> {
  const owners = new Set<number>();
  for (const claim of claims) if (claim !== null) owners.add(claim.process);
  const alive = owners.size === 0 ? [] : await driver.aliveProcesses(tx, [...owners]);
  return new Set(alive.map(({ process }) => process));
}

/** Whether a payment under this claim is in doubt: its process has died, and may or may not have been taken over. */
export function isCutOff(claim: OpenClaim | null, alive: ReadonlySet<number>): claim is OpenClaim {
  return claim !== null && !alive.has(claim.process);
}

export const CUT_OFF_ERROR = 'the process ended before the answer came: this may have been paid or created';

/** A payment whose process has died, as it is shown before its claim is taken over. */
export function cutOff(earlier: StoredOutcome | null, { at, run }: OpenClaim): StoredOutcome {
  const attempts = (earlier?.attempts ?? 0) + 1;
  const doubtSince = earlier?.doubtSince ?? at;
  const nothing = { httpStatus: null, response: null, requestId: null };
  return { ...nothing, state: 'unknown', attempts, error: CUT_OFF_ERROR, doubtSince, run, at };
}

/** SQL: the outcome of the payment `p`, and the open claim on it. */
export const WITH_OUTCOME = 'LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim(p.id) c';

/**
 * SQL: when the newest payment among the outcomes `o` was created or came into doubt. Only an answer has a status. The
 * time of a settlement is that of a person's word, perhaps long after: that payment counts with the start of its run.
 */
export const NEWEST_PAYMENT = `max(CASE WHEN o.state = ${CREATED} AND o.http_status IS NULL
  THEN (SELECT started_at FROM run WHERE number = o.run) ELSE o.at END)
  FILTER (WHERE o.state = ${CREATED} OR o.state >= ${UNKNOWN})`;

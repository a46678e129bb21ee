/** Writes what became of claimed payments. */
import { writeWith } from '../../util/sqlite.js';
import { CREATED, stateCode, UNKNOWN } from '../store/codes.js';
import type { Settled } from '../claims.js';
import type { PaymentId } from '../payment.js';
import { raising } from '../store/transactions.js';
import type { Sql } from './session.js';

const COLUMNS =
  'payment, state, run, moment, stamp, attempts, at, http_status, doubt_since, response, error, request_id';

/** Doubt that is settled, or goes on, keeps the moment at which it began. */
const MOMENT = `moment = CASE WHEN state >= ${UNKNOWN} THEN moment ELSE excluded.moment END`;

/** What was created stays as it was created. Most outcomes are this one, and each bound value costs. */
const CREATE = `INSERT INTO outcome (${COLUMNS}) VALUES (?1, ${CREATED}, ?2, ?3, ?3, ?4, ?5, ?6, NULL, ?7, NULL, ?8)
  ON CONFLICT (payment) DO UPDATE SET state = ${CREATED}, run = excluded.run, ${MOMENT}, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = excluded.http_status, doubt_since = NULL,
    response = excluded.response, error = NULL, request_id = excluded.request_id
  WHERE state <> ${CREATED}`;

/** Only `created` settles doubt, and doubt never begins later than it did. */
const WRITE = `INSERT INTO outcome (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state, run = excluded.run, ${MOMENT}, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = excluded.http_status,
    doubt_since = min(excluded.doubt_since, coalesce(doubt_since, excluded.doubt_since)),
    response = excluded.response, error = excluded.error, request_id = excluded.request_id
  WHERE state <> ${CREATED} AND (state < ${UNKNOWN} OR excluded.state >= ${UNKNOWN})`;

/** What this process has claimed and not settled. */
export interface OwnClaims {
  /** Payment → its claim. */
  readonly payments: Map<PaymentId, number>;
  /** Claim → how many of its payments are not settled. */
  readonly left: Map<number, number>;
}

interface Learned {
  /** Number of the run that is delivered. */
  readonly run: number;
  readonly settled: readonly Settled[];
  /** No other process has taken over what this one had under way. */
  readonly isCurrent: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Stores outcomes, and ends claims that are settled. To be called within a transaction. An outcome that comes after its
 * claim was taken over settles the doubt if it is `created`; whatever else it is, it says nothing about what came since.
 * @returns what has to be called when the transaction has passed: a claim that is counted off too early ends too early
 */
export function storeOutcomes(sql: Sql, own: OwnClaims, { run, settled, isCurrent, at }: Learned): () => void {
  const [create, write] = [sql(CREATE), sql(WRITE)];
  const [stamp] = sql('SELECT last_claim()').get() as unknown as [number];
  const done = new Map<PaymentId, number>();
  for (const { id, claim, outcome } of settled) {
    const isOwn = isCurrent && own.payments.get(id) === claim;
    if (isOwn) done.set(id, claim);
    const { state, httpStatus, attempts, response, error, requestId, doubtSince } = outcome;
    if (state === 'created') writeWith(create, id, run, stamp, attempts, at, httpStatus, response, requestId);
    else if (isOwn) {
      const since = state === 'unknown' ? (doubtSince ?? at) : null;
      writeWith(write, id, stateCode(state), run, stamp, attempts, at, httpStatus, since, response, error, requestId);
    }
  }
  // What was in doubt is created: plans that were computed before this have to be computed again.
  if (!isCurrent && settled.some(({ outcome }) => outcome.state === 'created')) sql(raising(run)).run();
  const left = endClaims(sql, own, done);
  return () => {
    for (const id of done.keys()) own.payments.delete(id);
    for (const [claim, rest] of left) {
      if (rest > 0) own.left.set(claim, rest);
      else own.left.delete(claim);
    }
  };
}

/** @param done payments that are settled, with their claims @returns how many payments of these claims are left */
function endClaims(sql: Sql, own: OwnClaims, done: ReadonlyMap<PaymentId, number>): Map<number, number> {
  const left = new Map<number, number>();
  for (const claim of done.values()) left.set(claim, (left.get(claim) ?? own.left.get(claim) ?? 0) - 1);
  const end = sql('DELETE FROM claim WHERE id = ?');
  for (const [claim, rest] of left) if (rest <= 0) writeWith(end, claim);
  return left;
}

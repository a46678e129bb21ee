/** Writes what became of claimed payments. */
import { CREATED, stateCode, UNKNOWN } from '../store/codes.js';
import type { Settled } from '../claims.js';
import type { PaymentId } from '../payment.js';
import type { Transaction } from '../store/driver.js';

/**
 * Only the owner of a claim settles it, and it ends by that. An outcome that comes after its claim was taken over settles
 * the doubt if it is `created`; whatever else it is, it says nothing about what came since, and is kept as it is.
 *
 * What was created stays as it was created. Only `created` settles doubt, and doubt never begins later than it did.
 *
 * Hardly any comes too late: a set difference finds those, where a join would compare each with each.
 */
const SETTLE = `WITH u AS (SELECT * FROM unnest($3::bigint[], $4::bigint[], $5::smallint[], $6::int[], $7::smallint[], $8::bigint[],
    $9::text[], $10::text[], $11::text[]) u(payment, claim, state, attempts, http_status, doubt_since, response, error, request_id)),
  ended AS (DELETE FROM claim c USING u WHERE c.payment = u.payment AND c.number = u.claim AND c.process = $12
    RETURNING u.*),
  too_late AS (SELECT u.* FROM (SELECT payment FROM u EXCEPT SELECT payment FROM ended) l JOIN u ON u.payment = l.payment),
  kept AS (INSERT INTO late (payment, claim, run, state, at, http_status, response, error, request_id)
    SELECT u.payment, u.claim, $1, u.state, $2, u.http_status, u.response, u.error, u.request_id
    FROM too_late u LEFT JOIN outcome o ON o.payment = u.payment WHERE o.state IS DISTINCT FROM ${CREATED})
  INSERT INTO outcome (payment, state, run, moment, stamp, attempts, at, http_status, doubt_since, response, error, request_id)
  SELECT u.payment, u.state, $1, s.stamp, s.stamp, u.attempts, $2, u.http_status, u.doubt_since, u.response, u.error, u.request_id
  FROM (SELECT * FROM ended UNION ALL SELECT * FROM too_late WHERE state = ${CREATED}) u, (SELECT last_claim() AS stamp) s
  ORDER BY u.payment
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state, run = excluded.run,
    moment = CASE WHEN outcome.state >= ${UNKNOWN} THEN outcome.moment ELSE excluded.moment END, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = excluded.http_status,
    doubt_since = CASE WHEN excluded.state >= ${UNKNOWN}
      THEN least(excluded.doubt_since, coalesce(outcome.doubt_since, excluded.doubt_since)) END,
    response = excluded.response, error = excluded.error, request_id = excluded.request_id
  WHERE outcome.state <> ${CREATED}
    AND (excluded.state = ${CREATED} OR outcome.state < ${UNKNOWN} OR excluded.state >= ${UNKNOWN})`;

/** Stores outcomes, and ends the claims that they settle. To be called within a transaction. @param run that is delivered */
export async function storeOutcomes(
  tx: Transaction,
  run: number,
  self: number | null,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return;
  const each = onceEach(settled);
  const outcomes = each.map(({ outcome }) => outcome);
  await tx.change(
    SETTLE,
    run,
    tx.at,
    each.map(({ id }) => id),
    each.map(({ claim }) => claim),
    outcomes.map(({ state }) => stateCode(state)),
    outcomes.map(({ attempts }) => attempts),
    outcomes.map(({ httpStatus }) => httpStatus),
    outcomes.map(({ state, doubtSince }) => (state === 'unknown' ? (doubtSince ?? tx.at) : null)),
    outcomes.map(({ response }) => response),
    outcomes.map(({ state, error }) => (state === 'created' ? null : error)),
    outcomes.map(({ requestId }) => requestId),
    self,
  );
}

/** The last word on each payment, or the one that it was created. */
function onceEach(settled: readonly Settled[]): Settled[] {
  const last = new Map<PaymentId, Settled>();
  for (const each of settled) if (last.get(each.id)?.outcome.state !== 'created') last.set(each.id, each);
  return [...last.values()];
}

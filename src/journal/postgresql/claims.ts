/** Outcomes in, claims out, one durable commit. Claims are rows: the database lets only one process claim a payment. */
import { JournalError } from '../../errors.js';
import { alreadyClaimed, candidateMapper, checkCandidates, claimedOf } from '../claim-rules.js';
import type { NewOutcome } from '../plan.js';
import { CREATED, stateCode, UNKNOWN } from '../store/common-schema.js';
import type { PaymentId } from '../payment.js';
import type { Driver, ClaimReply, Session, Transaction } from '../store/driver.js';
import { select } from '../store/row-mapper.js';
import { isNotFenced, raising, registered } from '../store/transactions.js';
import { FORM } from './dialect.js';
import { FENCED, SHARE_LOCK } from './membership.js';

export function startExchange(session: Session, self: number | null): Driver['storeAndClaim'] {
  return async (run, settled, wanted) => {
    const isCreated = settled.some(({ outcome }) => outcome.state === 'created');
    const attempt = (isLate: boolean): Promise<ClaimReply> =>
      session.write(
        async (tx) => {
          if (isCreated && !isLate && !isNotFenced(tx)) throw new LateOutcome();
          const reply = wanted.length === 0 ? nothingClaimed(tx, null) : await claimEach(tx, self, run, wanted);
          // If nothing may be claimed, the outcomes are stored nevertheless: later readers must know them.
          await storeOutcomes(tx, run, self, settled);
          return reply;
        },
        [...(isLate ? [raising(run)] : []), SHARE_LOCK, registered(self)],
      );
    return attempt(false).catch((cause: unknown) => {
      if (cause instanceof LateOutcome) return attempt(true);
      throw cause;
    });
  };
}

/**
 * Ends a transaction of a process whose claims others have taken over. A payment in doubt is created now, so plans from
 * before must be computed again. The next attempt raises the gates first, because the target's row must be locked
 * before the advisory lock.
 */
class LateOutcome extends Error {}

function nothingClaimed({ at }: Transaction, refusal: JournalError | null): ClaimReply {
  return { claimed: [], unclaimed: [], refusal, at };
}

/** In the order of the payments, like all statements that write several payments: so transactions never deadlock. */
const CLAIM = `WITH n AS (SELECT nextval('claim_number') AS number)
  INSERT INTO claim (payment, number, process, run, at) SELECT w.id, n.number, $1, $2, $3 FROM unnest($4::bigint[]) w(id), n
  WHERE NOT EXISTS (SELECT FROM outcome o WHERE o.payment = w.id AND o.state = ${CREATED}) ORDER BY w.id
  ON CONFLICT DO NOTHING RETURNING payment, number`;

/**
 * First claims all, then checks: after the claim, only a late answer can still change them. Claims that cannot be sent
 * are deleted in the same transaction.
 */
async function claimEach(
  tx: Transaction,
  self: number | null,
  run: number,
  wanted: readonly PaymentId[],
): Promise<ClaimReply> {
  if (!isNotFenced(tx)) return nothingClaimed(tx, new JournalError(FENCED, { isPassing: true }));
  const got = new Map(await tx.rows<[PaymentId, number]>(CLAIM, self, run, tx.at, wanted));
  const found = await select(tx, CANDIDATE, LISTED, wanted);
  const { sendable, unclaimed, refusal } = checkCandidates(found, wanted.length);
  const claimed = (refusal === null ? sendable : []).map((candidate) => {
    const number = got.get(candidate.id);
    if (number === undefined) throw alreadyClaimed(candidate);
    got.delete(candidate.id);
    return claimedOf(candidate, number);
  });
  if (got.size > 0)
    await tx.change('DELETE FROM claim WHERE process = $1 AND payment = ANY ($2)', self, [...got.keys()]);
  return refusal === null ? { claimed, unclaimed, refusal, at: tx.at } : nothingClaimed(tx, refusal);
}

const CANDIDATE = candidateMapper(FORM);

/** In the order of the request. */
const LISTED = `FROM unnest($1::bigint[]) WITH ORDINALITY w(id, place) JOIN payment p ON p.id = w.id
  LEFT JOIN outcome o ON o.payment = p.id ORDER BY w.place`;

/** A record that was claimed and not sent has its old outcome, of its old time. */
const UNTRIED = 'outcome.attempts = excluded.attempts AND outcome.state = excluded.state';

/**
 * Only the owner of a claim settles it, and that ends the claim. After a takeover of its claim, only the outcome
 * `created` settles the doubt. Any other one may be older than what happened since, and goes into `late`.
 *
 * A created payment never changes. Only `created` settles doubt, and doubt never begins later than before.
 *
 * Hardly any outcome is late: a set difference finds those, while a join would compare each with each.
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
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state,
    run = CASE WHEN ${UNTRIED} THEN outcome.run ELSE excluded.run END,
    at = CASE WHEN ${UNTRIED} THEN outcome.at ELSE excluded.at END,
    moment = CASE WHEN outcome.state >= ${UNKNOWN} THEN outcome.moment ELSE excluded.moment END, stamp = excluded.stamp,
    attempts = excluded.attempts, http_status = excluded.http_status,
    doubt_since = CASE WHEN excluded.state >= ${UNKNOWN}
      THEN least(excluded.doubt_since, coalesce(outcome.doubt_since, excluded.doubt_since)) END,
    response = excluded.response, error = excluded.error, request_id = excluded.request_id
  WHERE outcome.state <> ${CREATED}
    AND (excluded.state = ${CREATED} OR outcome.state < ${UNKNOWN} OR excluded.state >= ${UNKNOWN})`;

/** Stores outcomes, and ends the claims that they settle, within a transaction. @param run that is delivered */
async function storeOutcomes(
  tx: Transaction,
  run: number,
  self: number | null,
  settled: readonly NewOutcome[],
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

/** The last outcome of each payment, or `created` if it is among them. */
function onceEach(settled: readonly NewOutcome[]): NewOutcome[] {
  const last = new Map<PaymentId, NewOutcome>();
  for (const each of settled) if (last.get(each.id)?.outcome.state !== 'created') last.set(each.id, each);
  return [...last.values()];
}

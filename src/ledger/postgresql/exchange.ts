/** Delivering a run: outcomes in, claims out, one durable commit for both. */
import { JournalError } from '../../errors.js';
import { alreadyClaimed, claimedOf, NO_CLAIMS, sortOut } from '../claiming.js';
import { CREATED, typeCode } from '../codes.js';
import type { Claims, Delivery } from '../ledger.js';
import type { PaymentId, Run } from '../payment.js';
import { candidates } from './candidates.js';
import { type Context, isRegistered, raising, registered, SHARE, SHUT_OUT } from './context.js';
import { storeOutcomes } from './outcomes.js';
import type { Transaction } from './session.js';

/** Stops at the first one: only where nothing of the type was created does it look at all that was. */
const HAS_CREATED = `SELECT 1 FROM outcome o JOIN payment p ON p.id = o.payment
  WHERE o.state = ${CREATED} AND p.type = $1 AND p.target = (SELECT target FROM run WHERE number = $2) LIMIT 1`;

/** @param delivers false for a run of which nothing is to be sent */
export function openDelivery(context: Context, run: Run, delivers: boolean): Delivery {
  const { session, self, right } = context;
  const { number } = run;
  return {
    run,
    exchange: async (settled, wanted) => {
      if (wanted.length > 0 && !delivers) throw new Error('nothing of this run is to be sent');
      if (settled.length + wanted.length === 0) return NO_CLAIMS;
      const isCreated = settled.some(({ outcome }) => outcome.state === 'created');
      const attempt = (isLate: boolean): Promise<Attempted> =>
        session.write(
          async (tx) => {
            if (isCreated && !isLate && !isRegistered(tx)) throw new Late();
            const claimed = wanted.length === 0 ? NOTHING_WANTED : await claim(context, tx, number, wanted);
            // Where nothing may be claimed, the outcomes are stored all the same: whoever looks later must know them.
            await storeOutcomes(tx, number, self, settled);
            return claimed;
          },
          [...(isLate ? [raising(number)] : []), SHARE, registered(self)],
        );
      const { claims, refusal } = await attempt(false).catch((cause: unknown) => {
        if (cause instanceof Late) return attempt(true);
        throw cause;
      });
      if (refusal !== null) throw refusal;
      return claims;
    },
    hasCreated: (type) => session.read(async (tx) => (await tx.rows(HAS_CREATED, typeCode(type), number)).length > 0),
    maySend: right.maySend,
    untilMaySend: right.untilMaySend,
    leave: async () => {
      await session.write((tx) => tx.change('DELETE FROM delivery WHERE run = $1 AND process = $2', number, self));
    },
  };
}

/**
 * Ends a transaction of a process that others have taken over. What was in doubt then is created now: plans that were
 * computed before this have to be computed again. That comes first, as the row of the target comes before the lock.
 */
class Late extends Error {}

interface Attempted {
  readonly claims: Claims;
  /** Why nothing may be claimed. */
  readonly refusal: JournalError | null;
}

const NOTHING_WANTED: Attempted = { claims: NO_CLAIMS, refusal: null };

/** In the order of the payments, as all that writes rows of several payments does: so nobody waits in a circle. */
const CLAIM = `WITH n AS (SELECT nextval('claim_number') AS number)
  INSERT INTO claim (payment, number, process, run, at) SELECT w.id, n.number, $1, $2, $3 FROM unnest($4::bigint[]) w(id), n
  WHERE NOT EXISTS (SELECT FROM outcome o WHERE o.payment = w.id AND o.state = ${CREATED}) ORDER BY w.id
  ON CONFLICT DO NOTHING RETURNING payment, number`;

/**
 * First claims all, then looks: what is seen then cannot change any more, but for a late answer. What cannot be sent is
 * given back in the same transaction.
 */
async function claim(
  { self }: Context,
  tx: Transaction,
  run: number,
  wanted: readonly PaymentId[],
): Promise<Attempted> {
  if (!isRegistered(tx)) return { claims: NO_CLAIMS, refusal: new JournalError(SHUT_OUT) };
  const got = new Map(await tx.rows<[PaymentId, number]>(CLAIM, self, run, tx.at, wanted));
  const { sendable, unclaimed, refusal } = sortOut(await candidates(tx, wanted));
  const claimed = (refusal === null ? sendable : []).map((candidate) => {
    const number = got.get(candidate.id);
    if (number === undefined) throw alreadyClaimed(candidate);
    got.delete(candidate.id);
    return claimedOf(candidate, number);
  });
  if (got.size > 0)
    await tx.change('DELETE FROM claim WHERE process = $1 AND payment = ANY ($2::bigint[])', self, [...got.keys()]);
  return { claims: refusal === null ? { claimed, unclaimed } : NO_CLAIMS, refusal };
}

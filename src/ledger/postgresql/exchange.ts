/** Outcomes in, claims out, one durable commit for both. Claims are rows, so that the database keeps two from one payment. */
import { JournalError } from '../../errors.js';
import { alreadyClaimed, type Candidate, claimedOf, NO_CLAIMS, sortOut } from '../claims.js';
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, typeOf } from '../store/codes.js';
import type { PaymentId } from '../payment.js';
import type { Driver, Exchanged, Session, Transaction } from '../store/driver.js';
import { isRegistered, raising, registered } from '../store/transactions.js';
import { SHARE } from './lock.js';
import { storeOutcomes } from './outcomes.js';
import { SHUT_OUT } from './processes.js';

export function startExchange(session: Session, self: number | null): Driver['exchange'] {
  return async (run, settled, wanted) => {
    const isCreated = settled.some(({ outcome }) => outcome.state === 'created');
    const attempt = (isLate: boolean): Promise<Exchanged> =>
      session.write(
        async (tx) => {
          if (isCreated && !isLate && !isRegistered(tx)) throw new Late();
          const claimed = wanted.length === 0 ? NOTHING_WANTED : await claim(tx, self, run, wanted);
          // Where nothing may be claimed, the outcomes are stored all the same: whoever looks later must know them.
          await storeOutcomes(tx, run, self, settled);
          return claimed;
        },
        [...(isLate ? [raising(run)] : []), SHARE, registered(self)],
      );
    return attempt(false).catch((cause: unknown) => {
      if (cause instanceof Late) return attempt(true);
      throw cause;
    });
  };
}

/**
 * Ends a transaction of a process that others have taken over. What was in doubt then is created now: plans that were
 * computed before this have to be computed again. That comes first, as the row of the target comes before the lock.
 */
class Late extends Error {}

const NOTHING_WANTED: Exchanged = { claims: NO_CLAIMS, refusal: null };

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
  tx: Transaction,
  self: number | null,
  run: number,
  wanted: readonly PaymentId[],
): Promise<Exchanged> {
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
    await tx.change('DELETE FROM claim WHERE process = $1 AND payment = ANY ($2)', self, [...got.keys()]);
  return { claims: refusal === null ? { claimed, unclaimed } : NO_CLAIMS, refusal };
}

type Cells = readonly [
  ...OutcomeCells,
  ...[id: number, type: number, key: string, body: string | null, bodyHash: string, replacedBy: number | null],
];

const LISTED = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, p.key, p.body, hash_of(p), p.replaced_by
  FROM unnest($1::bigint[]) WITH ORDINALITY w(id, place) JOIN payment p ON p.id = w.id
  LEFT JOIN outcome o ON o.payment = p.id ORDER BY w.place`;

/** The payments, in the order in which they are wanted. */
async function candidates(tx: Transaction, wanted: readonly PaymentId[]): Promise<Candidate[]> {
  const rows = await tx.rows<Cells>(LISTED, wanted);
  if (rows.length !== wanted.length) throw new Error('a payment is wanted that is not stored');
  return rows.map((cells) => ({
    ...{ id: cells[10], type: typeOf(cells[11]), key: cells[12], body: cells[13], bodyHash: cells[14] },
    ...{ replacedBy: cells[15], cells },
  }));
}

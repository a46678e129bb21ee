/** Claims: the payments that a process may send. Each driver stores them in the way that suits its database. */
import { JournalError } from '../errors.js';
import { sha256 } from '../keys/key.js';
import type { RecordType } from '../records/types.js';
import type { PaymentId, Run, StoredOutcome } from './payment.js';
import type { Claimed, Delivery, ClaimRefusal } from './plan.js';
import { CREATED, typeCode, typeOf } from './store/common-schema.js';
import type { Driver, StorageFormat } from './store/driver.js';
import { outcomeIn } from './store/outcomes.js';
import { bodyIn, type RowMapper, rowMapper } from './store/row-mapper.js';

/** Stops at the first match: it reads all created payments only if none is of this type. */
const HAS_CREATED = `SELECT 1 FROM outcome o JOIN payment p ON p.id = o.payment
  WHERE o.state = ${CREATED} AND p.type = $1 AND p.target = (SELECT target FROM run WHERE number = $2) LIMIT 1`;

/** @param delivers false if the plan sends nothing of this run */
export function openDelivery({ session, self, permit, storeAndClaim }: Driver, run: Run, delivers: boolean): Delivery {
  const { number } = run;
  return {
    ...permit,
    run,
    storeAndClaim: async (settled, wanted) => {
      if (wanted.length > 0 && !delivers) throw new Error('nothing of this run is to be sent');
      const reply = await storeAndClaim(number, settled, wanted);
      if (reply.refusal !== null) throw reply.refusal;
      return reply;
    },
    hasCreated: (type) => session.read(async (tx) => (await tx.rows(HAS_CREATED, typeCode(type), number)).length > 0),
    leave: async () => {
      await session.write((tx) => tx.change('DELETE FROM delivery WHERE run = $1 AND process = $2', number, self));
    },
  };
}

/** Sending it could pay it twice. At its gate, a run gets the sole right to its payments: this is an internal error. */
export function alreadyClaimed({ id }: ClaimCandidate): Error {
  return new Error(`another call is sending payment ${id} already.`);
}

/** A payment that a delivery wants to send, with the facts that decide whether it can. */
export interface ClaimCandidate {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly key: string;
  readonly body: string | null;
  readonly bodyHash: string;
  readonly replacedBy: PaymentId | null;
  readonly lifetimeMs: number | null;
  readonly outcome: StoredOutcome | null;
  /** Number of the last claim at the time of its outcome. */
  readonly stamp: number | null;
}

/** The columns of the payment `p` with the outcome `o`. */
export function candidateMapper(form: StorageFormat): RowMapper<ClaimCandidate> {
  return rowMapper((of) => {
    const key = of('key_of(p)', form.keyOf);
    return {
      id: of('p.id'),
      type: of('p.type', typeOf),
      key,
      body: bodyIn(of, key, form),
      bodyHash: of('hash_of(p)', form.hashOf),
      replacedBy: of('p.replaced_by'),
      lifetimeMs: of('p.lifetime'),
      outcome: outcomeIn(of),
      stamp: of('o.stamp'),
    };
  });
}

/** Wanted payments, divided into those that can be sent and those that cannot. */
export interface ClaimCheck {
  readonly sendable: readonly ClaimCandidate[];
  readonly unclaimed: readonly ClaimRefusal[];
  /** Why none of them may be sent. */
  readonly refusal: JournalError | null;
}

/** @param count number of wanted payments */
export function checkCandidates(found: readonly ClaimCandidate[], count: number): ClaimCheck {
  if (found.length !== count) throw new Error('a payment is wanted that is not stored');
  const sendable: ClaimCandidate[] = [];
  const unclaimed: ClaimRefusal[] = [];
  for (const candidate of found) {
    const why = refusalFor(candidate);
    if (why === null) sendable.push(candidate);
    else unclaimed.push(why);
  }
  // Only a body that was checked and approved may be sent.
  const isDamaged = sendable.some(({ body, bodyHash }) => sha256(body as string) !== bodyHash);
  return { sendable, unclaimed, refusal: isDamaged ? new JournalError(DAMAGED_BODY) : null };
}

function refusalFor(candidate: ClaimCandidate): ClaimRefusal | null {
  const { id, replacedBy, body, outcome } = candidate;
  if (outcome?.state !== 'created' && replacedBy === null && body !== null) return null;
  // A payment that a person has put back is open.
  if (outcome !== null && outcome.state !== 'not_sent') return { id, why: 'settled', outcome };
  return { id, why: replacedBy === null ? 'pruned' : 'replaced' };
}

export function claimedOf(candidate: ClaimCandidate, claim: number): Claimed {
  const { id, type, key, body, lifetimeMs, outcome } = candidate;
  return { id, type, key, body: body as string, claim, lifetimeMs, earlier: outcome };
}

const DAMAGED_BODY =
  'the journal is damaged: a stored record is not the one that was checked. Keep the journal: it knows what was paid. ' +
  'Ask for help before you send anything: a backup (gigwork journal copy) does not know what was paid since it was made.';

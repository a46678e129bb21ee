/** Which payments may be claimed: the rules, whatever store they are in. */
import { JournalError } from '../errors.js';
import { sha256 } from '../keys/key.js';
import type { RecordType } from '../records/kind.js';
import { CREATED, CUT_OFF, NOT_SENT, outcomeOf, type OutcomeRow, REJECTED, storedOutcomeOf } from './codes.js';
import type { Claimed, ClaimRules, Unclaimed } from './ledger.js';
import type { PaymentId, StoredOutcome } from './payment.js';

/** What is known of a payment. Without an outcome, `state` is null. */
export interface Known {
  readonly id: number;
  readonly state: number | null;
  readonly stamp: number | null;
  /** The run whose delivery brought the outcome about. */
  readonly run: number | null;
}

/** A payment that a delivery wants to send. */
export interface Candidate extends Known {
  readonly type: RecordType;
  readonly key: string;
  readonly body: string | null;
  readonly bodyHash: string;
  readonly replacedBy: PaymentId | null;
  readonly doubtSince: number | null;
  readonly cells: OutcomeRow;
}

export interface LiveDelivery {
  readonly run: number;
  readonly process: number;
  /** Number of the last claim before it began: what has a later stamp has happened since. */
  readonly since: number;
}

/** What a delivery knows of the moment at which it began. */
export interface Beginning {
  /** Number of the last claim before it. */
  readonly since: number;
  /** What other live processes were delivering then. */
  readonly others: readonly LiveDelivery[];
}

/**
 * Null for a payment that may be claimed.
 * @param isClaimed a process has it under way, this one or another
 */
export function reasonNotTo(
  candidate: Candidate,
  isClaimed: boolean,
  { since, others }: Beginning,
  rules: ClaimRules,
): Unclaimed | null {
  const { id, type, state, stamp, cells } = candidate;
  const settled = (): Unclaimed => ({ id, why: 'settled', outcome: storedOutcomeOf(cells) as StoredOutcome });
  if (state === CREATED) return settled();
  if (isClaimed) return { id, why: 'elsewhere' };
  if (isOpen(state)) return reasonUnsendable(candidate);
  const isNews = (stamp ?? 0) > since;
  const doubt = { type, doubtSince: candidate.doubtSince ?? 0 };
  if (state === REJECTED) {
    // What another process has had rejected meanwhile it writes into its rejects, for a person to correct.
    if (!rules.retryRejected || isNews || isRejectedIn(candidate, others)) return settled();
  } else if (!rules.mayResend(doubt)) return settled();
  // What a live process has left in doubt it has tried as often as it may. What a dead one has left is sent again while its
  // key protects it; otherwise it waits for a person's word, and an earlier one does not cover it.
  else if (isNews && (state !== CUT_OFF || !rules.isProtected(doubt))) return settled();
  return reasonUnsendable(candidate) === null ? null : settled();
}

function reasonUnsendable({ id, replacedBy, body }: Candidate): Unclaimed | null {
  if (replacedBy !== null) return { id, why: 'unsendable', reason: 'another payment was made in its place' };
  if (body === null) return { id, why: 'unsendable', reason: 'its stored body was removed by batch prune' };
  return null;
}

/** A payment that a person has put back is open. */
export function isOpen(state: number | null): boolean {
  return state === null || state === NOT_SENT;
}

/**
 * Whether a payment was rejected while a delivery of that run went on. Its process writes the payment into its rejects,
 * and a person corrects and imports it from there. Sent again as it is, it could be paid beside the corrected one.
 */
export function isRejectedIn({ state, stamp, run }: Known, deliveries: readonly LiveDelivery[]): boolean {
  return state === REJECTED && deliveries.some((delivery) => delivery.run === run && (stamp ?? 0) > delivery.since);
}

/** @throws JournalError when the stored body is not the one that was checked: what is sent is what was approved */
export function checked(candidate: Candidate): Candidate {
  const { body, bodyHash } = candidate;
  if (body === null || sha256(body) !== bodyHash) throw new JournalError(DAMAGED_BODY);
  return candidate;
}

export function claimedOf({ id, type, key, body, cells }: Candidate, claim: number): Claimed {
  return { id, type, key, body: body as string, claim, earlier: outcomeOf(cells) };
}

const DAMAGED_BODY =
  'the journal is damaged: a stored record is not the one that was checked. Keep it: it knows what was paid. ' +
  'Keep it, and ask for help before anything is sent: a backup does not know what was paid since it was made.';

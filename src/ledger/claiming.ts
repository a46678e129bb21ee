/** Which payments can be claimed, in every database. */
import { JournalError } from '../errors.js';
import { sha256 } from '../keys/key.js';
import type { RecordType } from '../records/kind.js';
import { CREATED, NOT_SENT, outcomeOf, type OutcomeRow, storedOutcomeOf } from './codes.js';
import type { Claimed, Claims, Unclaimed } from './ledger.js';
import type { PaymentId, StoredOutcome } from './payment.js';

export const NO_CLAIMS: Claims = { claimed: [], unclaimed: [] };

/** Sending it now could pay it twice. At its gate, a run gets the sole right to its payments, so this is a fault. */
export function alreadyClaimed({ id }: Candidate): Error {
  return new Error(`another call is sending payment ${id} already.`);
}

/** What is known of a payment. Without an outcome, `state` is null. */
export interface Known {
  readonly id: number;
  readonly state: number | null;
  readonly stamp: number | null;
}

/** A payment that a delivery wants to send. */
export interface Candidate extends Known {
  readonly type: RecordType;
  readonly key: string;
  readonly body: string | null;
  readonly bodyHash: string;
  readonly replacedBy: PaymentId | null;
  readonly cells: OutcomeRow;
}

/** Wanted payments, divided into those that can be sent and those that cannot. */
export interface Sorted {
  readonly sendable: readonly Candidate[];
  readonly unclaimed: readonly Unclaimed[];
  /** Why none of them may be sent. */
  readonly refusal: JournalError | null;
}

export function sortOut(candidates: readonly Candidate[]): Sorted {
  const sendable: Candidate[] = [];
  const unclaimed: Unclaimed[] = [];
  for (const candidate of candidates) {
    const why = reasonNotTo(candidate);
    if (why === null) sendable.push(candidate);
    else unclaimed.push(why);
  }
  // What is sent is what was checked and approved.
  const isDamaged = sendable.some(({ body, bodyHash }) => sha256(body as string) !== bodyHash);
  return { sendable, unclaimed, refusal: isDamaged ? new JournalError(DAMAGED_BODY) : null };
}

function reasonNotTo({ id, state, replacedBy, body, cells }: Candidate): Unclaimed | null {
  if (state !== CREATED && replacedBy === null && body !== null) return null;
  if (!isOpen(state)) return { id, why: 'settled', outcome: storedOutcomeOf(cells) as StoredOutcome };
  const reason = replacedBy === null ? 'batch prune removed its body' : 'another payment replaced it';
  return { id, why: 'unsendable', reason };
}

/** A payment that a person has put back is open. */
function isOpen(state: number | null): boolean {
  return state === null || state === NOT_SENT;
}

export function claimedOf({ id, type, key, body, cells }: Candidate, claim: number): Claimed {
  return { id, type, key, body: body as string, claim, earlier: outcomeOf(cells) };
}

const DAMAGED_BODY =
  'the journal is damaged: a stored record is not the one that was checked. Keep the journal: it knows what was paid. ' +
  'Ask for help before you send anything: a backup does not know what was paid since it was made.';

/** What a person's word about a payment needs, and how the log tells it. */
import { UsageError } from '../errors.js';
import { placeWords } from '../records/issue.js';
import { subjectOf } from '../records/subject.js';
import { NOT_SENT, stateOf, UNKNOWN } from './codes.js';
import type { Deed } from './event.js';
import { NOT_CREATED, type Outcome, type PaymentId, type Settlement, type StoredRecord } from './payment.js';

/** How a record's payment stands at this moment. */
export interface StandingNow {
  /** Null where it has no outcome. */
  readonly state: number | null;
  readonly error: string | null;
  /** A process has it under way. */
  readonly isClaimed: boolean;
}

/** @throws UsageError when it is under way, or no longer in doubt: the word was about an earlier state */
export function requireInDoubt(record: StoredRecord, { state, error, isClaimed }: StandingNow): PaymentId {
  const id = doubtedPayment(record);
  if (id === null) throw notInDoubt(record, 'is invalid');
  if (isClaimed) {
    throw new UsageError(
      `${named(record)} is under way in another process; wait until that has ended, then look again`,
    );
  }
  // Settled as not created, and not sent since: that word can still be corrected.
  const isTold = state === NOT_SENT && error?.startsWith(NOT_CREATED) === true;
  if (state !== null && (state >= UNKNOWN || isTold)) return id;
  throw notInDoubt(record, state === null ? 'was not sent' : `is ${stateOf(state).replaceAll('_', ' ')}`);
}

function notInDoubt(record: StoredRecord, known: string): UsageError {
  return new UsageError(`${named(record)} ${known}, and only an unknown outcome can be settled; look again`);
}

/** `line 4 (usr_7)`: whoever meant another one sees the mistake. */
function named(record: StoredRecord): string {
  const shown = subjectOf(record.body);
  return `${placeWords(record)}${shown === '' ? '' : ` (${shown})`}`;
}

/** The payment that is meant: of a record that was left out, the one that it stands for. */
export function doubtedPayment({ payment, standsFor }: StoredRecord): PaymentId | null {
  return standsFor?.payment ?? payment;
}

/** @param file path of the record's file */
export function settlementOf({ record, line, key }: StoredRecord, { state }: Outcome, file: string): Deed {
  return { what: 'settled', status: state as Settlement['state'], file, record, line, key: key ?? '' };
}

/** Fixed numbers in the journal: its version, and codes for types and states, whose meaning never changes. */
import { JournalError } from '../../errors.js';
import type { RecordType } from '../../records/kind.js';
import type { PaymentState } from '../payment.js';

/** The next version must bring this one up to date. */
export const SCHEMA_VERSION = 8;

/**
 * @param journal as messages name it
 * @param another how to name another one
 * @throws JournalError for any other version
 */
export function requireVersion(journal: string, version: number, another: string): void {
  if (version > SCHEMA_VERSION)
    throw new JournalError(
      `${journal} was written by a newer gigwork (journal version ${version}, this one knows ${SCHEMA_VERSION}). Update gigwork.`,
    );
  if (version < SCHEMA_VERSION)
    throw new JournalError(
      `${journal} was written before the first release of gigwork (journal version ${version}, this one writes ${SCHEMA_VERSION}). Keep it: it knows what was paid. Finish its runs with the program that wrote it, then ${another}.`,
    );
}

const TYPES: readonly RecordType[] = ['gig', 'result', 'payout'];

/** The type of records that are sent without a key. */
export const GIG = TYPES.indexOf('gig');

export function typeCode(type: RecordType): number {
  return TYPES.indexOf(type);
}

export function typeOf(code: number): RecordType {
  return TYPES[code] as RecordType;
}

export const CREATED = 1;
export const REJECTED = 2;
export const NOT_SENT = 3;
/** All states from here on are doubt. */
export const UNKNOWN = 4;
/** In doubt because its process died before it stored an answer. */
export const CUT_OFF = 5;

const STATES: readonly PaymentState[] = ['not_sent', 'created', 'rejected', 'not_sent', 'unknown', 'unknown'];

export function stateOf(code: number): PaymentState {
  return STATES[code] as PaymentState;
}

const CODES: Readonly<Record<PaymentState, number>> = {
  created: CREATED,
  rejected: REJECTED,
  not_sent: NOT_SENT,
  unknown: UNKNOWN,
};

export function stateCode(state: PaymentState): number {
  return CODES[state];
}

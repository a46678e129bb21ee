/** What is written in the journal: its version, and numbers for types and states, which never change their meaning. */
import { JournalError } from '../../errors.js';
import type { RecordType } from '../../records/kind.js';
import type { Outcome, PaymentState, StoredOutcome } from '../payment.js';

/** The next version must bring this one up to date. */
export const SCHEMA_VERSION = 5;

/** @param journal as messages name it, @param another how to name another one. @throws JournalError for any other version */
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
/** The states from here on are doubt. */
export const UNKNOWN = 4;
/** In doubt because its process died: nobody has taken its answer. */
export const CUT_OFF = 5;

const STATES: readonly PaymentState[] = ['not_sent', 'created', 'rejected', 'not_sent', 'unknown', 'unknown'];

/** @param code null where there is no outcome */
export function stateOf(code: number | null): PaymentState {
  return STATES[code ?? 0] as PaymentState;
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

/** SQL: the columns that {@link outcomeOf} reads. */
export const OUTCOME_COLUMNS =
  'o.state, o.run, o.stamp, o.attempts, o.at, o.http_status, o.doubt_since, o.response, o.error, o.request_id';

/** Rows are read as lists: as objects, reading them costs twice as much. All are null where there is no outcome. */
export type OutcomeCells = readonly [
  state: number | null,
  run: number,
  stamp: number,
  attempts: number,
  at: number,
  httpStatus: number | null,
  doubtSince: number | null,
  response: string | null,
  error: string | null,
  requestId: string | null,
];

/** A row that begins with {@link OUTCOME_COLUMNS}. */
export type OutcomeRow = readonly [...OutcomeCells, ...unknown[]];

export function outcomeOf(row: OutcomeRow): Outcome | null {
  const state = row[0];
  if (state === null) return null;
  return {
    state: stateOf(state),
    httpStatus: row[5],
    attempts: row[3],
    response: row[7],
    error: row[8],
    requestId: row[9],
    doubtSince: row[6],
  };
}

export function storedOutcomeOf(row: OutcomeRow): StoredOutcome | null {
  const outcome = outcomeOf(row);
  return outcome === null ? null : { ...outcome, run: row[1], at: row[4] };
}

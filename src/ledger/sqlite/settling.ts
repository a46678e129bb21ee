/** Settling a payment in doubt by a person's word. */
import { UsageError } from '../../errors.js';
import { placeWords } from '../../records/issue.js';
import { subjectOf } from '../../records/subject.js';
import { writeWith } from '../../util/sqlite.js';
import type { Deed } from '../event.js';
import {
  NOT_CREATED,
  type Outcome,
  type PaymentId,
  type RunFile,
  type Settlement,
  type StoredRecord,
} from '../payment.js';
import { NOT_SENT, stateCode, stateOf, UNKNOWN } from './codes.js';
import { type Context, lastClaim, raiseGates, writing } from './context.js';
import { indexIn } from './home-places.js';
import { filesOf } from './runs.js';
import { addEvent } from './events.js';
import { claimOn, openClaims } from './under-way.js';

/**
 * A person's word is the other way out of doubt. The attempts stay as they were, with the name of the last one, and the
 * moment at which the doubt began; where an earlier word had ended the doubt, another one is news to the runs that have
 * passed their gate between the two.
 */
const WRITE = `UPDATE outcome SET state = ?2, run = ?3, stamp = ?4, at = ?5,
  moment = CASE WHEN state >= ${UNKNOWN} THEN moment ELSE ?4 END, http_status = ?6, doubt_since = NULL, response = ?7,
  error = ?8 WHERE payment = ?1`;

/** {@link Ledger.settle}. To be called after the claims of dead processes have been taken over. */
export function settle(
  context: Context,
  run: number,
  records: readonly StoredRecord[],
  outcome: Outcome,
  note: string,
): void {
  writing(context, () => {
    const payments = new Set<PaymentId>();
    const files = filesOf(context, run);
    for (const record of records) {
      const payment = requireDoubt(context, record);
      // Two records may stand for one payment: that is one word.
      if (!payments.has(payment)) write(context, run, payment, outcome);
      payments.add(payment);
      addEvent(context, settlementOf(record, outcome, files), { run, payment, index: record.index, note });
    }
    // A run that is being compared with the history at this moment must be compared again.
    raiseGates(context, run);
  });
}

/** @throws UsageError when it is under way, or no longer in doubt: the word was about an earlier state */
function requireDoubt(context: Context, record: StoredRecord): PaymentId {
  const { payment: id } = record;
  if (id === null) throw notInDoubt(record, 'is invalid');
  type Cells = [number, number, number, string | null];
  const select = context.sql('SELECT state, run, stamp, error FROM outcome WHERE payment = ?');
  const [state, run, stamp, error] = (select.get(id) as Cells | undefined) ?? [null, null, null, null];
  if (claimOn({ id, state, run, stamp }, openClaims(context)) !== undefined) {
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

function settlementOf({ file, record, line, key }: StoredRecord, { state }: Outcome, files: readonly RunFile[]): Deed {
  const status = state as Settlement['state'];
  return { what: 'settled', status, file: files[file]?.path ?? '', record, line, key: key ?? '' };
}

function write(context: Context, run: number, payment: PaymentId, outcome: Outcome): void {
  const { state, httpStatus, response, error } = outcome;
  const [stamp, at] = [lastClaim(context), context.now()];
  writeWith(context.sql(WRITE), payment, stateCode(state), run, stamp, at, httpStatus, response, error);
}

/** {@link Ledger.settlements} */
export function selectSettlements(context: Context, run: number): Settlement[] {
  type Cells = [
    ...[at: number, payment: PaymentId, index: number, state: Settlement['state']],
    ...[user: string, host: string, note: string | null],
  ];
  const select = context.sql(
    `SELECT at, payment, idx, facts ->> 'status', user, host, note FROM event WHERE run = ? AND what = 'settled' ORDER BY id`,
  );
  return (select.all(run) as Cells[]).map(([at, payment, index, state, user, host, note]) => {
    // The run may have gone on with files in which the record stands elsewhere.
    return { at, index: indexIn(context, run, payment) ?? index, state, by: { user, host }, note: note ?? '' };
  });
}

/** Settling a payment in doubt by a person's word. */
import { writeWith } from '../../util/sqlite.js';
import { stateCode, UNKNOWN } from '../codes.js';
import type { Outcome, PaymentId, Settlement, StoredRecord } from '../payment.js';
import { doubtedPayment, requireInDoubt, settlementOf } from '../settling.js';
import { type Context, lastClaim, raiseGates, writing } from './context.js';
import { addEvent } from './events.js';
import { giveBack } from './giving-up.js';
import { indexIn } from './home-places.js';
import { filesOf } from './runs.js';
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
      addEvent(context, settlementOf(record, outcome, files[record.file]?.path ?? ''), {
        run,
        payment,
        index: record.index,
        note,
      });
    }
    for (const payment of payments) giveBack(context, `p.id = ?1 AND ${IS_OF_CLOSED}`, payment);
    // A run that is being compared with the history at this moment must be compared again.
    raiseGates(context, run);
  });
}

/** SQL: the run that accepted a payment `p` last is closed: nothing sends it any more. */
const IS_OF_CLOSED = 'EXISTS (SELECT 1 FROM run WHERE number = coalesce(p.run, p.id >> 31) AND closed IS NOT NULL)';

/** @throws UsageError when it is under way, or no longer in doubt */
function requireDoubt(context: Context, record: StoredRecord): PaymentId {
  const id = doubtedPayment(record);
  type Cells = [number, number, string | null];
  const select = context.sql('SELECT state, stamp, error FROM outcome WHERE payment = ?');
  const [state, stamp, error] = (select.get(id) as Cells | undefined) ?? [null, null, null];
  const isClaimed = id !== null && claimOn({ id, state, stamp }, openClaims(context)) !== undefined;
  return requireInDoubt(record, { state, error, isClaimed });
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

/** Settling a payment in doubt by a person's word. */
import type { Deed } from '../event.js';
import { stateCode, UNKNOWN } from '../codes.js';
import type { Outcome, PaymentId, Settlement, StoredRecord } from '../payment.js';
import { requireInDoubt, settlementOf } from '../settling.js';
import { type Context, haveAlone, lastClaim, raiseGates, writing } from './context.js';
import { ACCEPTED_BY } from './drafts.js';
import { addEvent } from './events.js';
import { giveBack } from './giving-up.js';
import { indexIn } from './home-places.js';
import { pathsOf } from './runs.js';
import type { Transaction } from './session.js';

/** As in the file: see src/ledger/sqlite/settling.ts. */
const WRITE = `UPDATE outcome SET state = $2, run = $3, stamp = $4, at = $5,
  moment = CASE WHEN state >= ${UNKNOWN} THEN moment ELSE $4 END, http_status = $6, doubt_since = NULL, response = $7,
  error = $8 WHERE payment = $1`;

/** {@link Ledger.settle}. To be called after the claims of dead processes have been taken over. */
export function settle(
  context: Context,
  run: number,
  records: readonly StoredRecord[],
  outcome: Outcome,
  note: string,
): Promise<void> {
  return writing(context, async (tx) => {
    // A run that is being compared with the history at this moment must be compared again.
    await raiseGates(tx, run);
    await haveAlone(tx);
    const payments = new Set<PaymentId>();
    const files = await pathsOf(tx, run);
    for (const record of records) {
      const payment = await requireDoubt(tx, record);
      // Two records may stand for one payment: that is one word.
      if (!payments.has(payment)) await write(tx, run, payment, outcome);
      payments.add(payment);
      const deed: Deed = settlementOf(record, outcome, files[record.file] ?? '');
      await addEvent(context, tx, deed, { run, payment, index: record.index, note });
    }
    await giveBack(tx, `p.id = ANY ($1::bigint[]) AND ${IS_OF_CLOSED}`, [...payments]);
  });
}

/** SQL: the run that accepted a payment `p` last is closed: nothing sends it any more. */
const IS_OF_CLOSED = `EXISTS (SELECT 1 FROM run WHERE number = ${ACCEPTED_BY} AND closed IS NOT NULL)`;

async function requireDoubt(tx: Transaction, record: StoredRecord): Promise<PaymentId> {
  const [row] = await tx.rows<[number | null, string | null, boolean]>(
    `SELECT o.state, o.error, EXISTS (SELECT FROM claim c WHERE c.payment = w.id) FROM (SELECT $1::bigint AS id) w
     LEFT JOIN outcome o ON o.payment = w.id`,
    record.payment,
  );
  const [state, error, isClaimed] = row ?? [null, null, false];
  return requireInDoubt(record, { state, error, isClaimed });
}

async function write(tx: Transaction, run: number, payment: PaymentId, outcome: Outcome): Promise<void> {
  const { state, httpStatus, response, error } = outcome;
  const stamp = await lastClaim(tx);
  await tx.change(WRITE, payment, stateCode(state), run, stamp, tx.at, httpStatus, response, error);
}

/** {@link Ledger.settlements} */
export function selectSettlements({ session }: Context, run: number): Promise<Settlement[]> {
  type Cells = [
    ...[at: number, payment: PaymentId, index: number, state: Settlement['state']],
    ...[user: string, host: string, note: string | null],
  ];
  return session.read(async (tx) => {
    const rows = await tx.rows<Cells>(
      `SELECT at, payment, idx, facts::json ->> 'status', coalesce(copied_user, user_name), host, note FROM event
       WHERE run = $1 AND what = 'settled' ORDER BY id`,
      run,
    );
    const settlements: Settlement[] = [];
    for (const [at, payment, index, state, user, host, note] of rows) {
      // The run may have gone on with files in which the record stands elsewhere.
      const now = (await indexIn(tx, run, payment)) ?? index;
      settlements.push({ at, index: now, state, by: { user, host }, note: note ?? '' });
    }
    return settlements;
  });
}

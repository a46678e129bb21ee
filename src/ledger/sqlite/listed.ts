/** The records of a stored run as plans and sums need them, and what became of payments: no bodies, no places. */
import type { ListedRecord, PaymentId, StoredOutcome } from '../payment.js';
import { OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from './codes.js';
import { type Context, reading } from './context.js';
import { stretchesOf } from './run-records.js';
import { claimOn, type OpenClaim, openClaims } from './under-way.js';

type Cells = readonly [
  id: PaymentId,
  type: number,
  amount: string | null,
  currency: string | null,
  costCenter: string | null,
  isReplaced: number,
  hasBody: number,
  state: number | null,
  run: number | null,
  stamp: number | null,
  doubtSince: number | null,
];

const LISTED = `SELECT p.id, p.type, p.amount, p.currency, p.cost_center, p.replaced_by IS NOT NULL, p.body IS NOT NULL,
  o.state, o.run, o.stamp, o.doubt_since
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id WHERE p.id BETWEEN ? AND ? ORDER BY p.id`;

/** {@link Ledger.listed} */
export function selectListed(context: Context, run: number, from: number, count: number): ListedRecord[] {
  return reading(context, () => {
    const claims = openClaims(context);
    const all = invalidOf(context, run, from, count);
    for (const { index, payment, leftOut, length } of stretchesOf(context, run, from, count)) {
      const rows = context.sql(LISTED).all(payment, payment + length - 1) as Cells[];
      if (rows.length !== length) throw new Error(`not all payments from ${payment} on are stored`);
      for (const [i, cells] of rows.entries())
        all.push({ index: index + i, payment: payment + i, leftOut, ...factsOf(cells, claims) });
    }
    return all.sort((one, other) => one.index - other.index).slice(0, count);
  });
}

function factsOf(
  [id, type, amount, currency, costCenter, isReplaced, hasBody, state, run, stamp, doubtSince]: Cells,
  claims: readonly OpenClaim[],
): Omit<ListedRecord, 'index' | 'payment' | 'leftOut'> {
  const claim = claims.length === 0 ? undefined : claimOn({ id, state, stamp, run }, claims);
  return {
    type: typeOf(type),
    state: claim === undefined ? stateOf(state) : 'unknown',
    doubtSince: doubtSince ?? claim?.at ?? null,
    settledBy: run,
    isReplaced: isReplaced === 1,
    hasBody: hasBody === 1,
    ...{ amount, currency, costCenter },
  };
}

const NO_PAYMENT = {
  payment: null,
  leftOut: null,
  state: 'not_sent',
  doubtSince: null,
  settledBy: null,
  isReplaced: false,
  hasBody: false,
  amount: null,
  currency: null,
  costCenter: null,
} as const;

function invalidOf({ sql }: Context, run: number, from: number, count: number): ListedRecord[] {
  const select = sql('SELECT idx, type FROM invalid_record WHERE run = ? AND idx >= ? ORDER BY idx LIMIT ?');
  return (select.all(run, from, count) as [number, number][]).map(([index, type]) => {
    return { index, type: typeOf(type), ...NO_PAYMENT };
  });
}

const OUTCOMES = `SELECT w.key, ${OUTCOME_COLUMNS} FROM json_each(?) w CROSS JOIN outcome o ON o.payment = w.value`;

/** {@link Ledger.outcomes} */
export function selectOutcomes({ sql }: Context, payments: readonly PaymentId[]): (StoredOutcome | null)[] {
  const found: (StoredOutcome | null)[] = Array.from(payments, () => null);
  const rows = sql(OUTCOMES).all(JSON.stringify(payments)) as [number, ...OutcomeCells][];
  for (const [index, ...cells] of rows) found[index] = storedOutcomeOf(cells);
  return found;
}

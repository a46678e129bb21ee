/** The records of a stored run as sums need them, and what became of payments: no bodies, no places. */
import { inOrder, invalidListed } from '../listing.js';
import type { ListedRecord, PaymentId, StoredOutcome } from '../payment.js';
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from '../codes.js';
import { cutOff } from '../cut-off.js';
import type { Stretch } from '../stretches.js';
import { type Context, reading } from './context.js';
import { stretchesOf } from './run-records.js';
import { claimOn, type OpenClaim, openClaims } from './under-way.js';

type Cells = readonly [
  id: PaymentId,
  type: number,
  amount: string | null,
  currency: string | null,
  costCenter: string | null,
  state: number | null,
  stamp: number | null,
  run: number | null,
];

const LISTED = `SELECT p.id, p.type, p.amount, p.currency, p.cost_center, o.state, o.stamp, o.run
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id WHERE p.id BETWEEN ? AND ? ORDER BY p.id`;

/** {@link Ledger.listed} */
export function selectListed(context: Context, run: number, from: number, count: number): ListedRecord[] {
  return reading(context, () => {
    const read = startListing(context);
    return inOrder(invalidOf(context, run, from, count), stretchesOf(context, run, from, count).flatMap(read), count);
  });
}

/** Reads the records of stretches; to be used within one snapshot. */
export function startListing(context: Context): (stretch: Stretch) => ListedRecord[] {
  const claims = openClaims(context);
  const rowsOf = (first: PaymentId, length: number): Cells[] => {
    const rows = context.sql(LISTED).all(first, first + length - 1) as Cells[];
    if (rows.length !== length) throw new Error(`not all payments from ${first} on are stored`);
    return rows;
  };
  return ({ index, payment, standsFor, length }) => {
    const rows = rowsOf(payment, length);
    const standing = standsFor === null || standsFor === payment ? rows : rowsOf(standsFor, length);
    return rows.map(([id, type, amount, currency, costCenter], i) => {
      const [told, , , , , state, stamp, settledBy] = standing[i] as Cells;
      const isClaimed = claims.length > 0 && claimOn({ id: told, state, stamp }, claims) !== undefined;
      return {
        index: index + i,
        payment: id,
        standsFor: standsFor === null ? null : told,
        isCreated: state === CREATED,
        type: typeOf(type),
        state: isClaimed ? 'unknown' : stateOf(state),
        settledBy,
        amount,
        currency,
        costCenter,
      };
    });
  };
}

export function invalidOf({ sql }: Context, run: number, from: number, count: number): ListedRecord[] {
  const select = sql('SELECT idx, type FROM invalid_record WHERE run = ? AND idx >= ? ORDER BY idx LIMIT ?');
  return (select.all(run, from, count) as [number, number][]).map(([index, type]) => invalidListed(index, type));
}

const OUTCOMES = `SELECT w.key, ${OUTCOME_COLUMNS} FROM json_each(?) w CROSS JOIN outcome o ON o.payment = w.value`;

/** {@link Ledger.outcomes} */
export function selectOutcomes(context: Context, payments: readonly PaymentId[]): (StoredOutcome | null)[] {
  return reading(context, () => {
    const found: (StoredOutcome | null)[] = Array.from(payments, () => null);
    const stamps = new Map<number, number>();
    const rows = context.sql(OUTCOMES).all(JSON.stringify(payments)) as [number, ...OutcomeCells][];
    for (const [index, ...cells] of rows) {
      found[index] = storedOutcomeOf(cells);
      stamps.set(index, cells[2]);
    }
    const claims = openClaims(context);
    if (claims.length > 0)
      for (const [index, id] of payments.entries())
        found[index] = underClaim(id, found[index] ?? null, stamps.get(index) ?? null, claims);
    return found;
  });
}

/** Under a claim that is not settled, it may have been carried out: by this process too, where the journal failed it. */
function underClaim(
  id: PaymentId,
  outcome: StoredOutcome | null,
  stamp: number | null,
  claims: readonly OpenClaim[],
): StoredOutcome | null {
  const state = outcome?.state === 'created' ? CREATED : null;
  const claim = claimOn({ id, state, stamp }, claims);
  return claim === undefined ? outcome : cutOff(outcome, claim);
}

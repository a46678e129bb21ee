/** The records of a stored run as sums need them, and what became of payments: no bodies, no places. */
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from '../codes.js';
import { cutOff } from '../cut-off.js';
import { inOrder, invalidListed } from '../listing.js';
import type { ListedRecord, PaymentId, StoredOutcome } from '../payment.js';
import type { Stretch } from '../stretches.js';
import type { Context } from './context.js';
import { stretchesOf } from './run-records.js';
import type { Transaction } from './session.js';

type Cells = readonly [
  id: PaymentId,
  type: number,
  amount: string | null,
  currency: string | null,
  costCenter: string | null,
  state: number | null,
  run: number | null,
  isClaimed: boolean,
];

/** The rows of stretches, with what became of the payments that are as many places further on: of the ones they stand for. */
const LISTED = `SELECT p.id, p.type, p.amount, p.currency, p.cost_center, o.state, o.run, c.payment IS NOT NULL
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY w(first, last, further, place)
  JOIN payment p ON p.id BETWEEN w.first AND w.last LEFT JOIN outcome o ON o.payment = p.id + w.further
  LEFT JOIN claim c ON c.payment = p.id + w.further AND coalesce(o.state, 0) <> ${CREATED} ORDER BY w.place, p.id`;

/** {@link Ledger.listed}, and {@link Ledger.states}, which is less of the same */
export function selectListed({ session }: Context, run: number, from: number, count: number): Promise<ListedRecord[]> {
  return session.read(async (tx) => {
    const invalid = await tx.rows<[number, number]>(
      'SELECT idx, type FROM invalid_record WHERE run = $1 AND idx >= $2 ORDER BY idx LIMIT $3',
      ...[run, from, count],
    );
    const valid = await read(tx, await stretchesOf(tx, run, from, count));
    return inOrder(
      invalid.map(([index, type]) => invalidListed(index, type)),
      valid,
      count,
    );
  });
}

async function read(tx: Transaction, stretches: readonly Stretch[]): Promise<ListedRecord[]> {
  const rows = await tx.rows<Cells>(
    LISTED,
    stretches.map(({ payment }) => payment),
    stretches.map(({ payment, length }) => payment + length - 1),
    stretches.map(({ payment, standsFor }) => (standsFor ?? payment) - payment),
  );
  let next = 0;
  return stretches.flatMap(({ index, payment, standsFor, length }) => {
    const own = rows.slice(next, (next += length));
    if (own[0]?.[0] !== payment || own.length !== length)
      throw new Error(`not all payments from ${payment} on are stored`);
    return own.map((cells, i) => listedRecord(index + i, standsFor === null ? null : standsFor + i, cells));
  });
}

function listedRecord(index: number, standsFor: PaymentId | null, cells: Cells): ListedRecord {
  const [payment, type, amount, currency, costCenter, state, settledBy, isClaimed] = cells;
  return {
    ...{ index, payment, standsFor, settledBy, amount, currency, costCenter },
    isCreated: state === CREATED,
    type: typeOf(type),
    state: isClaimed ? 'unknown' : stateOf(state),
  };
}

const OUTCOMES = `SELECT ${OUTCOME_COLUMNS}, w.id, c.at, c.run FROM unnest($1::bigint[]) w(id)
  LEFT JOIN outcome o ON o.payment = w.id LEFT JOIN claim c ON c.payment = w.id AND coalesce(o.state, 0) <> ${CREATED}`;

/** {@link Ledger.outcomes} */
export async function selectOutcomes(
  { session }: Context,
  payments: readonly PaymentId[],
): Promise<(StoredOutcome | null)[]> {
  type Row = readonly [...OutcomeCells, PaymentId, number | null, number];
  const rows = await session.read((tx) => tx.rows<Row>(OUTCOMES, payments));
  const found = new Map(
    rows.map((cells) => {
      const [outcome, at, run] = [storedOutcomeOf(cells), cells[11], cells[12]];
      // Under a claim, it may have been carried out: by this process too, where the journal failed it.
      return [cells[10], at === null ? outcome : cutOff(outcome, { at, run })];
    }),
  );
  return payments.map((id) => found.get(id) ?? null);
}

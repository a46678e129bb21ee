/** The records of a stored run as sums need them, and what became of payments: no bodies, no places. */
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from '../codes.js';
import type { ListedRecord, PaymentId, RecordState, StoredOutcome } from '../payment.js';
import type { Stretch } from '../stretches.js';
import type { Driver, Transaction } from './driver.js';
import { stretchesOf } from './run-records.js';
import { cutOff } from './under-claim.js';

type Cells = readonly [
  id: PaymentId,
  type: number,
  amount: string | null,
  currency: string | null,
  costCenter: string | null,
  state: number | null,
  run: number | null,
  isClaimed: number,
];

/** The payments of stretches, and those that they stand for. */
const LISTED = `SELECT p.id, p.type, p.amount, p.currency, p.cost_center, o.state, o.run, c.at IS NOT NULL
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c WHERE p.id = ANY ($1)`;

/** {@link Ledger.listed} */
export function selectListed({ session }: Driver, run: number, from: number, count: number): Promise<ListedRecord[]> {
  return session.read(async (tx) => {
    const valid = await readListed(tx, await stretchesOf(tx, run, from, count));
    return inOrder(await invalidOf(tx, run, from, count), valid, count);
  });
}

/** The records of stretches. */
export async function readListed(tx: Transaction, stretches: readonly Stretch[]): Promise<ListedRecord[]> {
  if (stretches.length === 0) return [];
  const ids = stretches.flatMap(({ payment, standsFor, length }) => {
    const own = Array.from({ length }, (_, i) => payment + i);
    return standsFor === null || standsFor === payment ? own : [...own, ...own.map((id) => standsFor + id - payment)];
  });
  const rows = await tx.rows<Cells>(LISTED, ids);
  const payments = new Map(rows.map((cells) => [cells[0], cells]));
  return stretches.flatMap(({ index, payment, standsFor, length }) =>
    Array.from({ length }, (_, i) => {
      const told = standsFor === null ? null : standsFor + i;
      const [own, standing] = [payments.get(payment + i), payments.get(told ?? payment + i)];
      if (own === undefined || standing === undefined) throw new Error(`payment ${payment + i} is not stored`);
      return listedRecord(index + i, told, own, standing);
    }),
  );
}

function listedRecord(index: number, standsFor: PaymentId | null, own: Cells, standing: Cells): ListedRecord {
  const [payment, type, amount, currency, costCenter] = own;
  const [state, settledBy, isClaimed] = [standing[5], standing[6], standing[7] === 1];
  return {
    index,
    payment,
    standsFor,
    isCreated: state === CREATED,
    type: typeOf(type),
    state: isClaimed ? 'unknown' : stateOf(state),
    settledBy,
    amount,
    currency,
    costCenter,
  };
}

export async function invalidOf(tx: Transaction, run: number, from: number, count: number): Promise<ListedRecord[]> {
  const rows = await tx.rows<[number, number]>(
    'SELECT idx, type FROM invalid_record WHERE run = $1 AND idx >= $2 ORDER BY idx LIMIT $3',
    ...[run, from, count],
  );
  return rows.map(([index, type]) => ({ index, type: typeOf(type), ...NO_PAYMENT }));
}

const NO_PAYMENT = {
  payment: null,
  standsFor: null,
  isCreated: false,
  state: 'not_sent',
  settledBy: null,
  amount: null,
  currency: null,
  costCenter: null,
} as const;

/** The first so many of all records, in the order of the input. */
export function inOrder<Item extends RecordState>(
  invalid: readonly Item[],
  valid: readonly Item[],
  count: number,
): Item[] {
  const all = invalid.length === 0 ? [...valid] : [...invalid, ...valid].sort((one, other) => one.index - other.index);
  return all.slice(0, count);
}

const OUTCOMES = `SELECT ${OUTCOME_COLUMNS}, p.id, c.at, c.run FROM payment p
  LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c WHERE p.id = ANY ($1)`;

/** {@link Ledger.outcomes} */
export async function selectOutcomes(
  { session }: Driver,
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

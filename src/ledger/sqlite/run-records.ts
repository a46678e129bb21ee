/** The records of a stored run, page by page, with what became of their payments. */
import type { PaymentId, StandsFor, StoredRecord } from '../payment.js';
import { OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from '../codes.js';
import { cutOff } from '../cut-off.js';
import { NO_PAYMENT, type Pointer, pointersIn, type Span, type Stretch, stretchesIn } from '../stretches.js';
import { BODY_HASH, hashOf, KEY, keyOf, wholeBody } from './compact.js';
import { type Context, reading } from './context.js';
import { acceptedBy } from './drafts.js';
import { claimOn, type OpenClaim, openClaims, rememberedLiveness } from './under-way.js';

type PaymentCells = readonly [
  ...OutcomeCells,
  id: number,
  type: number,
  key: string,
  bodyHash: string,
  body: string | null,
  amount: string | null,
  currency: string | null,
  costCenter: string | null,
  replacedBy: PaymentId | null,
  keyPlace: number | null,
];

const PAYMENTS = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, ${KEY}, ${BODY_HASH}, p.body, p.amount, p.currency, p.cost_center,
  p.replaced_by, p.key_place FROM json_each(?) w CROSS JOIN payment p ON p.id = w.value LEFT JOIN outcome o ON o.payment = p.id`;

/** {@link Ledger.records} */
export function selectRecords(context: Context, run: number, from: number, count: number): StoredRecord[] {
  if (count <= 0) return [];
  return reading(context, () => {
    const records = [...validOf(context, run, from, count), ...invalidOf(context, run, from, count)];
    return records.sort((one, other) => one.index - other.index).slice(0, count);
  });
}

function validOf(context: Context, run: number, from: number, count: number): StoredRecord[] {
  const pointers = pointersIn(stretchesOf(context, run, from, count));
  const ids = JSON.stringify([
    ...new Set(pointers.flatMap(({ payment, standsFor }) => [payment, standsFor ?? payment])),
  ]);
  const rows = context.sql(PAYMENTS).all(ids) as PaymentCells[];
  const payments = new Map(rows.map((cells) => [cells[10], cells]));
  const claims = openClaims(context);
  const isAlive = rememberedLiveness(context);
  return pointers.map((pointer) => {
    const cells = payments.get(pointer.payment);
    const standing = payments.get(pointer.standsFor ?? pointer.payment);
    if (cells === undefined || standing === undefined) throw new Error(`payment ${pointer.payment} is not stored`);
    return storedRecord(context, pointer, cells, standing, claims, isAlive);
  });
}

/** At most `count` records from the place `from` on, as the stretches that they are. */
export function stretchesOf({ sql }: Context, run: number, from: number, count: number): Stretch[] {
  const select = sql(
    `SELECT idx, count, payment, file, record, line, stands_for FROM span WHERE run = ?1
     AND idx >= coalesce((SELECT max(idx) FROM span WHERE run = ?1 AND idx <= ?2), 0) ORDER BY idx LIMIT ?3 + 1`,
  );
  return stretchesIn(select.all(run, from, count) as Span[], from, count);
}

function storedRecord(
  context: Context,
  { payment, index, file, record, line, standsFor }: Pointer,
  cells: PaymentCells,
  standing: PaymentCells,
  claims: readonly OpenClaim[],
  isAlive: (name: string | null) => boolean,
): StoredRecord {
  const known = { id: standing[10], state: standing[0], stamp: standing[2] };
  const claim = claims.length === 0 ? undefined : claimOn(known, claims);
  const outcome = storedOutcomeOf(standing);
  const key = keyOf(cells[12]);
  const replacedBy = cells[18];
  // Written out: to spread the place, and each cell's name, takes as long as reading the row.
  return {
    index,
    file,
    record,
    line,
    standsFor: standsFor === null ? null : standsForOf(context, standing, claim !== undefined),
    type: typeOf(cells[11]),
    payment,
    key,
    bodyHash: hashOf(cells[13]),
    body: wholeBody(cells[14], key, cells[19]),
    amount: cells[15],
    currency: cells[16],
    costCenter: cells[17],
    outcome: claim === undefined || isAlive(claim.name) ? outcome : cutOff(outcome, claim),
    isClaimed: claim !== undefined,
    replacedBy: replacedBy === null ? null : nameOf(context, replacedBy),
    error: null,
  };
}

function nameOf(context: Context, payment: PaymentId): { run: string; key: string } {
  const select = context.sql(`SELECT ${KEY} FROM payment p WHERE p.id = ?`);
  const [key] = (select.get(payment) as [string] | undefined) ?? [''];
  return { run: runNameOf(context, payment), key: keyOf(key) };
}

function runNameOf(context: Context, payment: PaymentId): string {
  const select = context.sql('SELECT name FROM run WHERE number = ?');
  return (select.get(acceptedBy(context, payment)) as [string] | undefined)?.[0] ?? '';
}

function standsForOf(context: Context, cells: PaymentCells, isClaimed: boolean): StandsFor {
  const key = keyOf(cells[12]);
  return {
    payment: cells[10],
    run: runNameOf(context, cells[10]),
    key,
    body: wholeBody(cells[14], key, cells[19]),
    amount: cells[15],
    state: isClaimed ? 'unknown' : stateOf(cells[0]),
  };
}

function invalidOf({ sql }: Context, run: number, from: number, count: number): StoredRecord[] {
  type Cells = [number, number, number, number | null, number, string | null];
  const select = sql(
    'SELECT idx, file, record, line, type, error FROM invalid_record WHERE run = ? AND idx >= ? ORDER BY idx LIMIT ?',
  );
  return (select.all(run, from, count) as Cells[]).map(([index, file, record, line, type, error]) => {
    return { index, file, record, line, type: typeOf(type), ...NO_PAYMENT, error };
  });
}

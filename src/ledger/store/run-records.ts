/** The records of a stored run, page by page, with what became of their payments. */
import type { RecordType } from '../../records/kind.js';
import type { PaymentId, PaymentState, RecordState, RunRecord, StandsFor, StoredRecord } from '../payment.js';
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf, UNKNOWN } from './codes.js';
import type { Driver, Transaction } from './driver.js';
import { invalidOf, recordsIn, stretchesOf } from './list.js';
import { cutOff } from './taking-over.js';
import { ACCEPTED_BY } from './transactions.js';

type Cells = readonly [
  ...OutcomeCells,
  id: PaymentId,
  type: number,
  key: string,
  bodyHash: string,
  body: string | null,
  keyPlace: number | null,
  amount: string | null,
  currency: string | null,
  costCenter: string | null,
  replacedBy: PaymentId | null,
  claimedAt: number | null,
  claimedFor: number,
  claimedBy: number | null,
];

const WHOLE = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, key_of(p), hash_of(p), p.body, key_place_of(p),
  p.amount, p.currency, p.cost_center, p.replaced_by, c.at, c.run, c.process
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c WHERE p.id = ANY ($1)`;

/** What an invalid record has none of. */
const NO_PAYMENT = {
  payment: null,
  standsFor: null,
  key: null,
  bodyHash: null,
  body: null,
  amount: null,
  currency: null,
  costCenter: null,
  outcome: null,
  isClaimed: false,
  replacedBy: null,
} as const;

/** What is the same for all records of a page. */
interface Page {
  readonly driver: Driver;
  /** The payments of the page, and those that they stand for. */
  readonly payments: ReadonlyMap<PaymentId, Cells>;
  readonly alive: ReadonlyMap<number, string>;
  /** Of those that replaced others, or that records stand for: their keys, and the runs that accepted them last. */
  readonly names: ReadonlyMap<PaymentId, { readonly key: string; readonly run: string }>;
}

export function selectRecords(driver: Driver, run: number, from: number, count: number): Promise<StoredRecord[]> {
  return driver.session.read(async (tx) => {
    const valid = await validOf(driver, tx, recordsIn(await stretchesOf(tx, run, from, count)));
    const invalid = (await invalidOf(tx, run, from, count)).map(({ place, type, error }) => {
      return { ...place, type: typeOf(type), ...NO_PAYMENT, error };
    });
    return inOrder(valid, invalid, count);
  });
}

function inOrder<Item extends { readonly index: number }>(
  valid: Item[],
  invalid: readonly Item[],
  count: number,
): Item[] {
  if (invalid.length === 0) return valid;
  return [...valid, ...invalid].sort((one, other) => one.index - other.index).slice(0, count);
}

async function validOf(driver: Driver, tx: Transaction, records: readonly RunRecord[]): Promise<StoredRecord[]> {
  const ids = new Set(records.flatMap(({ payment, standsFor }) => [payment, standsFor ?? payment]));
  const rows = await tx.rows<Cells>(WHOLE, [...ids]);
  const payments = new Map(rows.map((cells) => [cells[10], cells]));
  const alive = await aliveOf(
    driver,
    tx,
    rows.flatMap((cells) => cells[22] ?? []),
  );
  const named = [...rows.flatMap((cells) => cells[19] ?? []), ...records.flatMap(({ standsFor }) => standsFor ?? [])];
  const page = { driver, payments, alive, names: await namesOf(driver, tx, named) };
  return records.map((record) => storedRecord(record, page));
}

async function aliveOf(driver: Driver, tx: Transaction, owners: readonly number[]): Promise<Page['alive']> {
  return owners.length === 0 ? new Map<number, string>() : driver.alive(tx, [...new Set(owners)]);
}

async function namesOf({ keyOf }: Driver, tx: Transaction, payments: readonly PaymentId[]): Promise<Page['names']> {
  if (payments.length === 0) return new Map();
  const rows = await tx.rows<[PaymentId, string, string | null]>(
    `SELECT p.id, key_of(p), run.name FROM payment p LEFT JOIN run ON run.number = ${ACCEPTED_BY} WHERE p.id = ANY ($1)`,
    payments,
  );
  return new Map(rows.map(([id, key, run]) => [id, { key: keyOf(key), run: run ?? '' }]));
}

function storedRecord({ payment, index, file, record, line, standsFor }: RunRecord, page: Page): StoredRecord {
  const { driver, payments, alive, names } = page;
  const cells = stored(payments, payment);
  const standing = stored(payments, standsFor ?? payment);
  const outcome = storedOutcomeOf(standing);
  const [at, claimedFor, owner] = [standing[20], standing[21], standing[22] ?? 0];
  const key = driver.keyOf(cells[12]);
  const replacedBy = cells[19];
  // Written out: to spread the place, and each cell's name, takes as long as reading the row.
  return {
    index,
    file,
    record,
    line,
    standsFor: standsFor === null ? null : standsForOf(standing, page),
    type: typeOf(cells[11]),
    payment,
    key,
    bodyHash: driver.hashOf(cells[13]),
    body: driver.bodyOf(cells[14], key, cells[15]),
    amount: cells[16],
    currency: cells[17],
    costCenter: cells[18],
    outcome: at === null || alive.has(owner) ? outcome : cutOff(outcome, { at, run: claimedFor }),
    isClaimed: at !== null,
    replacedBy: replacedBy === null ? null : (names.get(replacedBy) ?? { run: '', key: '' }),
    error: null,
  };
}

function standsForOf(cells: Cells, { driver, names }: Page): StandsFor {
  const key = driver.keyOf(cells[12]);
  return {
    payment: cells[10],
    run: names.get(cells[10])?.run ?? '',
    key,
    body: driver.bodyOf(cells[14], key, cells[15]),
    amount: cells[16],
    state: cells[20] === null ? stateOf(cells[0]) : 'unknown',
  };
}

/** A record of a stored run, as far as sums need it. */
export interface RecordSum {
  readonly index: number;
  readonly type: RecordType;
  /** The payment that it is told by: its own, or the one that it was left out for. Null for an invalid record. */
  readonly payment: PaymentId | null;
  readonly isLeftOut: boolean;
  /** Of that payment. Under way, it may be carried out at any moment. */
  readonly state: PaymentState;
  /** Number of the run whose delivery brought the state about. */
  readonly settledBy: number | null;
  /** Where it is in doubt: since when, milliseconds since 1970, as far as that is known. */
  readonly doubtSince: number | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
}

type SumCells = readonly [
  ...[id: PaymentId, type: number, amount: string | null, currency: string | null, costCenter: string | null],
  ...[state: number | null, run: number | null, doubtSince: number | null, at: number | null],
  ...[claimedAt: number | null, claimedBy: number | null],
];

/** None of a run's texts is read, and its payments are read by ranges: both are what most of the time goes into. */
const SUMS = `SELECT p.id, p.type, p.amount, p.currency, p.cost_center,
    CASE WHEN c.at IS NULL THEN o.state ELSE ${UNKNOWN} END, o.run, o.doubt_since, o.at, c.at, c.process
  FROM given($1, first bigint, last bigint) w JOIN payments_in(w.first, w.last) p
  LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c`;

const NO_SUM = {
  payment: null,
  isLeftOut: false,
  state: 'not_sent',
  settledBy: null,
  doubtSince: null,
  amount: null,
  currency: null,
  costCenter: null,
} as const;

export function selectSums(driver: Driver, run: number, from: number, count: number): Promise<RecordSum[]> {
  return driver.session.read(async (tx) => {
    const stretches = await stretchesOf(tx, run, from, count);
    const ranges = stretches.flatMap(({ payment, standsFor, length }) =>
      [...new Set([payment, standsFor ?? payment])].map((first) => [first, first + length - 1]),
    );
    const rows = ranges.length === 0 ? [] : await tx.rows<SumCells>(SUMS, ranges);
    const payments = new Map(rows.map((cells) => [cells[0], cells]));
    const alive = await aliveOf(
      driver,
      tx,
      rows.flatMap((cells) => cells[10] ?? []),
    );
    const valid = recordsIn(stretches).map((record) => recordSum(record, payments, alive));
    const invalid = await invalidOf(tx, run, from, count);
    return inOrder(
      valid,
      invalid.map(({ place, type }) => ({ index: place.index, type: typeOf(type), ...NO_SUM })),
      count,
    );
  });
}

function recordSum(
  { index, payment, standsFor }: RunRecord,
  payments: ReadonlyMap<PaymentId, SumCells>,
  alive: Page['alive'],
): RecordSum {
  const cells = stored(payments, payment);
  const standing = standsFor === null ? cells : stored(payments, standsFor);
  const [, , , , , state, run, doubtSince, at, claimedAt, owner] = standing;
  return {
    index,
    type: typeOf(cells[1]),
    payment: standing[0],
    isLeftOut: standsFor !== null,
    state: stateOf(state),
    settledBy: run,
    // As the record itself is told: the claim of a live process may still be settled.
    doubtSince: doubtSince ?? (claimedAt === null || alive.has(owner ?? 0) ? at : claimedAt),
    amount: cells[2],
    currency: cells[3],
    costCenter: cells[4],
  };
}

function stored<Row>(payments: ReadonlyMap<PaymentId, Row>, payment: PaymentId): Row {
  const found = payments.get(payment);
  if (found === undefined) throw new Error(`payment ${payment} is not stored`);
  return found;
}

/** No claim changes what is created. */
const COUNTS = `SELECT w.first, (SELECT count(*) FROM outcome o WHERE o.payment BETWEEN w.first AND w.last AND o.state = ${CREATED})
  FROM given($1, first bigint, last bigint) w`;
const CREATED_IN = `SELECT o.payment FROM given($1, first bigint, last bigint) w
  JOIN outcome o ON o.payment BETWEEN w.first AND w.last WHERE o.state = ${CREATED}`;

/**
 * The valid ones, as far as plans need them. It exists only for speed: a run that is gone on with, or made a second time, has
 * created most of its payments, and to count those of a stretch takes a tenth of reading them.
 */
export function selectStates({ session }: Driver, run: number, from: number, count: number): Promise<RecordState[]> {
  return session.read(async (tx) => {
    const stretches = await stretchesOf(tx, run, from, count);
    if (stretches.length === 0) return [];
    const rangeOf = ({ payment, length }: (typeof stretches)[number]): number[] => [payment, payment + length - 1];
    const counts = new Map(await tx.rows<[PaymentId, number]>(COUNTS, stretches.map(rangeOf)));
    const mixed = stretches.filter(({ payment, length }) => ![0, length].includes(counts.get(payment) ?? 0));
    const rows = mixed.length === 0 ? [] : await tx.rows<[PaymentId]>(CREATED_IN, mixed.map(rangeOf));
    const created = new Set(rows.flat());
    return stretches.flatMap(({ index, payment, standsFor, length }) => {
      const areAll = counts.get(payment) === length;
      return Array.from({ length }, (_, i) => ({
        index: index + i,
        payment: payment + i,
        standsFor: standsFor === null ? null : standsFor + i,
        isCreated: areAll || created.has(payment + i),
      }));
    });
  });
}

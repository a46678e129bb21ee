/** The records of a stored run, page by page, with what became of their payments. */
import { OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from '../codes.js';
import type { PaymentId, StandsFor, StoredRecord } from '../payment.js';
import { NO_PAYMENT, type Pointer, pointersIn, type Span, type Stretch, stretchesIn } from '../stretches.js';
import type { Driver, Transaction } from './driver.js';
import { ACCEPTED_BY } from './transactions.js';
import { cutOff } from './under-claim.js';

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

const PAYMENTS = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, key_of(p), hash_of(p), p.body, key_place_of(p), p.amount, p.currency,
    p.cost_center, p.replaced_by, c.at, c.run, c.process
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c WHERE p.id = ANY ($1)`;

/** {@link Ledger.records} */
export async function selectRecords(driver: Driver, run: number, from: number, count: number): Promise<StoredRecord[]> {
  if (count <= 0) return [];
  return driver.session.read(async (tx) => {
    const records = [...(await validOf(driver, tx, run, from, count)), ...(await invalidOf(tx, run, from, count))];
    return records.sort((one, other) => one.index - other.index).slice(0, count);
  });
}

/** At most `count` records from the place `from` on, as the stretches that they are. */
export async function stretchesOf(tx: Transaction, run: number, from: number, count: number): Promise<Stretch[]> {
  const spans = await tx.rows<Span>(
    `SELECT idx, count, payment, file, record, line, stands_for FROM span WHERE run = $1
     AND idx >= coalesce((SELECT max(idx) FROM span WHERE run = $1 AND idx <= $2), 0) ORDER BY idx LIMIT $3 + 1`,
    ...[run, from, count],
  );
  return stretchesIn(spans, from, count);
}

/** What is the same for all records of a page. */
interface Page {
  readonly driver: Driver;
  /** The payments of the page, and those that they stand for. */
  readonly payments: ReadonlyMap<PaymentId, Cells>;
  readonly alive: ReadonlyMap<number, string>;
  /** Of those that replaced others, or that records stand for: their keys, and the runs that accepted them last. */
  readonly names: ReadonlyMap<PaymentId, { readonly key: string; readonly run: string }>;
}

async function validOf(
  driver: Driver,
  tx: Transaction,
  run: number,
  from: number,
  count: number,
): Promise<StoredRecord[]> {
  const pointers = pointersIn(await stretchesOf(tx, run, from, count));
  const ids = new Set(pointers.flatMap(({ payment, standsFor }) => [payment, standsFor ?? payment]));
  const rows = await tx.rows<Cells>(PAYMENTS, [...ids]);
  const payments = new Map(rows.map((cells) => [cells[10], cells]));
  const owners = [...new Set(rows.flatMap((cells) => cells[22] ?? []))];
  const alive = owners.length === 0 ? new Map<number, string>() : await driver.alive(tx, owners);
  const named = [...rows.flatMap((cells) => cells[19] ?? []), ...pointers.flatMap(({ standsFor }) => standsFor ?? [])];
  const page = { driver, payments, alive, names: await namesOf(driver, tx, named) };
  return pointers.map((pointer) => storedRecord(pointer, page));
}

async function namesOf({ keyOf }: Driver, tx: Transaction, payments: readonly PaymentId[]): Promise<Page['names']> {
  if (payments.length === 0) return new Map();
  const rows = await tx.rows<[PaymentId, string, string | null]>(
    `SELECT p.id, key_of(p), run.name FROM payment p LEFT JOIN run ON run.number = ${ACCEPTED_BY} WHERE p.id = ANY ($1)`,
    payments,
  );
  return new Map(rows.map(([id, key, run]) => [id, { key: keyOf(key), run: run ?? '' }]));
}

function storedRecord({ payment, index, file, record, line, standsFor }: Pointer, page: Page): StoredRecord {
  const { driver, payments, alive, names } = page;
  const cells = payments.get(payment);
  const standing = payments.get(standsFor ?? payment);
  if (cells === undefined || standing === undefined) throw new Error(`payment ${payment} is not stored`);
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

async function invalidOf(tx: Transaction, run: number, from: number, count: number): Promise<StoredRecord[]> {
  const rows = await tx.rows<[number, number, number, number | null, number, string | null]>(
    'SELECT idx, file, record, line, type, error FROM invalid_record WHERE run = $1 AND idx >= $2 ORDER BY idx LIMIT $3',
    ...[run, from, count],
  );
  return rows.map(([index, file, record, line, type, error]) => {
    return { index, file, record, line, type: typeOf(type), ...NO_PAYMENT, error };
  });
}

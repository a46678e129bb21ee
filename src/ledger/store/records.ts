/** The records of a stored run, page by page, with what became of their payments. */
import type { PaymentId, RecordState, RunRecord, StandsFor, StoredRecord } from '../payment.js';
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from './codes.js';
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

const FROM = `p.amount, p.currency, p.cost_center, p.replaced_by, c.at, c.run, c.process
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c WHERE p.id = ANY ($1)`;
const WHOLE = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, key_of(p), hash_of(p), p.body, key_place_of(p), ${FROM}`;
/** To sum up a run, none of its texts is read. */
const SUMMARY = `SELECT o.state, o.run, o.stamp, o.attempts, o.at, o.http_status, o.doubt_since, NULL, NULL, NULL,
  p.id, p.type, '', '', NULL, NULL, ${FROM}`;

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

export function selectRecords(
  driver: Driver,
  run: number,
  from: number,
  count: number,
  isWhole: boolean,
): Promise<StoredRecord[]> {
  return driver.session.read(async (tx) => {
    const valid = await validOf(driver, tx, recordsIn(await stretchesOf(tx, run, from, count)), isWhole);
    const invalid = await invalidOf(tx, run, from, count);
    if (invalid.length === 0) return valid;
    const refused = invalid.map(({ place, type, error }) => ({ ...place, type: typeOf(type), ...NO_PAYMENT, error }));
    return [...valid, ...refused].sort((one, other) => one.index - other.index).slice(0, count);
  });
}

async function validOf(
  driver: Driver,
  tx: Transaction,
  records: readonly RunRecord[],
  isWhole: boolean,
): Promise<StoredRecord[]> {
  const ids = new Set(records.flatMap(({ payment, standsFor }) => [payment, standsFor ?? payment]));
  const rows = await tx.rows<Cells>(isWhole ? WHOLE : SUMMARY, [...ids]);
  const payments = new Map(rows.map((cells) => [cells[10], cells]));
  const owners = [...new Set(rows.flatMap((cells) => cells[22] ?? []))];
  const alive = owners.length === 0 ? new Map<number, string>() : await driver.alive(tx, owners);
  const named = [...rows.flatMap((cells) => cells[19] ?? []), ...records.flatMap(({ standsFor }) => standsFor ?? [])];
  const names = isWhole ? await namesOf(driver, tx, named) : new Map<PaymentId, { key: string; run: string }>();
  const page = { driver, payments, alive, names };
  return records.map((record) => storedRecord(record, page));
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

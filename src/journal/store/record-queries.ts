/** The records of a stored run, page by page, with the outcomes of their payments. */
import type { PaymentId, RecordState, StandsFor, StoredRecord } from '../payment.js';
import type { RecordPrint, RecordSum } from '../plan.js';
import { CREATED, NOT_SENT, stateOf, typeOf, UNKNOWN } from './common-schema.js';
import type { Driver, StorageFormat, Transaction } from './driver.js';
import { selectInvalid, selectSpans } from './run-list.js';
import { aliveAmong, claimIn, cutOff, isCutOff, type OpenClaim, outcomeIn } from './outcomes.js';
import { bodyIn, type Cell, PAYEE_ID, payeeIdIn, select, type RowMapper, rowMapper } from './row-mapper.js';
import { acceptedBy } from './transactions.js';

/** SQL: the payment whose outcome a record shows: the one that it repeats if it was left out, else its own. */
const SHOWN_PAYMENT = 'coalesce(g.stands_for + p.id - g.first, p.id)';

/**
 * The records of stretches: their rows `p`, and the outcome and claim of the payment that they show. For a record that
 * was left out, that payment is `t`. Payments are read by ranges: single look-ups would take most of the time.
 */
const RECORD_ROWS = `FROM given($1, idx bigint, first bigint, last bigint, file bigint, record bigint, line bigint, stands_for bigint) g
  JOIN payments_in(g.first, g.last) p LEFT JOIN payment t ON t.id = g.stands_for + p.id - g.first
  LEFT JOIN outcome o ON o.payment = ${SHOWN_PAYMENT} LEFT JOIN open_claim(${SHOWN_PAYMENT}) c`;

/** SQL: a number of the stretch's first record, plus the distance to it. */
const on = (column: string): string => `g.${column} + p.id - g.first`;

/** The valid records of a page. @throws if one points at a payment that is not stored: the journal is damaged */
async function valid<T>(tx: Transaction, of: RowMapper<T>, run: number, from: number, count: number): Promise<T[]> {
  const stretches = await selectSpans(tx, run, from, count);
  if (stretches.length === 0) return [];
  const ranges = stretches.map(({ index, payment, length, file, record, line, standsFor }) => {
    return [index, payment, payment + length - 1, file, record, line, standsFor];
  });
  const records = await select(tx, of, RECORD_ROWS, ranges);
  const listed = stretches.reduce((sum, { length }) => sum + length, 0);
  if (records.length !== listed) throw new Error(`run ${run} lists a payment that is not stored`);
  return records;
}

function byIndex<Item extends { readonly index: number }>(items: Item[], count: number): Item[] {
  return items.sort((one, other) => one.index - other.index).slice(0, count);
}

/** The members that an invalid record does not have. */
const WITHOUT_PAYMENT = {
  payment: null,
  standsFor: null,
  key: null,
  bodyHash: null,
  outcome: null,
  isClaimed: false,
} as const;

/** SQL: a claimed payment may go through at any moment. */
const SHOWN_STATE = `CASE WHEN c.at IS NULL THEN coalesce(o.state, ${NOT_SENT}) ELSE ${UNKNOWN} END`;

function standsForIn(of: Cell, form: StorageFormat): StandsFor | null {
  const key = of<string | null>('key_of(t)', form.keyOf);
  const run = of<string>(`coalesce((SELECT name FROM run WHERE number = ${acceptedBy('t')}), '')`);
  const payment = of<PaymentId>('t.id');
  const body = bodyIn(of, key ?? '', form, 't');
  const amount = of<string | null>('t.amount');
  const state = of(SHOWN_STATE, stateOf);
  return key === null ? null : { payment, run, key, body, amount, state };
}

const stored = (form: StorageFormat) =>
  rowMapper((of) => {
    const key = of('key_of(p)', form.keyOf);
    const claim = claimIn(of);
    const record: StoredRecord = {
      index: of(on('idx')),
      file: of('g.file'),
      record: of(on('record')),
      line: of(on('line')),
      type: of('p.type', typeOf),
      payment: of('p.id'),
      standsFor: standsForIn(of, form),
      key,
      bodyHash: of('hash_of(p)', form.hashOf),
      body: bodyIn(of, key, form),
      amount: of('p.amount'),
      currency: of('p.currency'),
      costCenter: of('p.cost_center'),
      outcome: outcomeIn(of),
      isClaimed: claim !== null,
      error: null,
    };
    return { record, claim };
  });

export async function selectRecords(driver: Driver, run: number, from: number, count: number): Promise<StoredRecord[]> {
  const { rows, invalid } = await selectPage(driver, stored(driver), run, from, count);
  const records = rows.map(({ record, claim }) =>
    claim === null ? record : { ...record, outcome: cutOff(record.outcome, claim) },
  );
  return byIndex([...records, ...invalid.map((record) => ({ ...WITHOUT_PAYMENT, ...record }))], count);
}

/** The records of a page. Only the claims of dead processes are left: those of live ones may still be settled. */
function selectPage<T extends { readonly claim: OpenClaim | null }>(
  driver: Driver,
  of: RowMapper<T>,
  run: number,
  from: number,
  count: number,
) {
  return driver.session.read(async (tx) => {
    const found = await valid(tx, of, run, from, count);
    const claims = found.map(({ claim }) => claim);
    const alive = await aliveAmong(driver, tx, claims);
    const rows = found.map((row) => (row.claim === null || isCutOff(row.claim, alive) ? row : { ...row, claim: null }));
    return { rows, invalid: await selectInvalid(tx, run, from, count) };
  });
}

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

/** Reads no texts of a record: that would take most of the time. */
const SUM = rowMapper((of) => {
  const claim = claimIn(of);
  const sum: RecordSum = {
    index: of(on('idx')),
    type: of('p.type', typeOf),
    payment: of(SHOWN_PAYMENT),
    isLeftOut: of('g.stands_for IS NOT NULL', Boolean),
    state: of(SHOWN_STATE, stateOf),
    settledBy: of('o.run'),
    doubtSince: of('coalesce(o.doubt_since, o.at)'),
    amount: of('p.amount'),
    currency: of('p.currency'),
    costCenter: of('p.cost_center'),
  };
  return { sum, claim, isKnown: of('o.doubt_since IS NOT NULL', Boolean) };
});

export async function selectSums(driver: Driver, run: number, from: number, count: number): Promise<RecordSum[]> {
  const { rows, invalid } = await selectPage(driver, SUM, run, from, count);
  const sums = rows.map(({ sum, claim, isKnown }) =>
    claim === null || isKnown ? sum : { ...sum, doubtSince: claim.at },
  );
  return byIndex([...sums, ...invalid.map(({ index, type }): RecordSum => ({ ...NO_SUM, index, type }))], count);
}

/** Ignores claims: a created payment cannot change. */
const COUNTS = `SELECT w.first, (SELECT count(*) FROM outcome o WHERE o.payment BETWEEN w.first AND w.last AND o.state = ${CREATED})
  FROM given($1, first bigint, last bigint) w`;
const CREATED_IN = `SELECT o.payment FROM given($1, first bigint, last bigint) w
  JOIN outcome o ON o.payment BETWEEN w.first AND w.last WHERE o.state = ${CREATED}`;

/**
 * Valid records, reduced to what plans need. It exists only for speed: a run that continues or repeats has created most
 * of its payments, and counting those of a stretch takes a tenth of the time of reading them.
 */
export function selectStates({ session }: Driver, run: number, from: number, count: number): Promise<RecordState[]> {
  return session.read(async (tx) => {
    const stretches = await selectSpans(tx, run, from, count);
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

const PRINT = rowMapper((of): RecordPrint => ({
  index: of(on('idx')),
  content: of('CAST(p.content AS text)', BigInt),
  payee: of('p.payee'),
  title: of('p.title'),
  reference: of('p.reference'),
  date: of('p.date'),
  measure: of('p.measure'),
  isOfFile: of('p.of_flags IS NULL', Boolean),
  payeeId: of(PAYEE_ID, payeeIdIn),
}));

/** Without outcomes: a page of a run is read in a third of the time. */
const PAYMENT_ROWS = `FROM given($1, idx bigint, first bigint, last bigint) g JOIN payments_in(g.first, g.last) p`;

export function selectPrints({ session }: Driver, run: number, from: number, count: number): Promise<RecordPrint[]> {
  return session.read(async (tx) => {
    const stretches = await selectSpans(tx, run, from, count);
    const ranges = stretches.map(({ index, payment, length }) => [index, payment, payment + length - 1]);
    return ranges.length === 0 ? [] : byIndex(await select(tx, PRINT, PAYMENT_ROWS, ranges), count);
  });
}

/** The records of a stored run, page by page, with what became of their payments. */
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, storedOutcomeOf, typeOf } from '../codes.js';
import { cutOff } from '../cut-off.js';
import type { PaymentId, StoredRecord } from '../payment.js';
import { NO_PAYMENT, type Pointer, pointersIn, type Span, type Stretch, stretchesIn } from '../stretches.js';
import { ALIVE, type Context } from './context.js';
import type { Transaction } from './session.js';

type Cells = readonly [
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
  replacingRun: string | null,
  replacingKey: string | null,
  claimedAt: number | null,
  claimedFor: number,
  isAlive: boolean,
];

const PAYMENTS = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, p.key, encode(p.body_hash, 'hex'), p.body, p.amount, p.currency,
    p.cost_center, p.replaced_by,
    (SELECT run.name FROM run own JOIN run ON run.number = coalesce(own.joined, own.number)
      WHERE own.number = (p.replaced_by >> 31)::int),
    (SELECT r.key FROM payment r WHERE r.id = p.replaced_by), c.at, c.run, coalesce(${ALIVE}, false)
  FROM payment p LEFT JOIN outcome o ON o.payment = p.id
  LEFT JOIN claim c ON c.payment = p.id AND coalesce(o.state, 0) <> ${CREATED} LEFT JOIN process pr ON pr.id = c.process
  WHERE p.id = ANY ($1::bigint[])`;

/** {@link Ledger.records} */
export async function selectRecords(
  { session }: Context,
  run: number,
  from: number,
  count: number,
): Promise<StoredRecord[]> {
  if (count <= 0) return [];
  return session.read(async (tx) => {
    const records = [...(await validOf(tx, run, from, count)), ...(await invalidOf(tx, run, from, count))];
    return records.sort((one, other) => one.index - other.index).slice(0, count);
  });
}

async function validOf(tx: Transaction, run: number, from: number, count: number): Promise<StoredRecord[]> {
  const pointers = pointersIn(await stretchesOf(tx, run, from, count));
  const rows = await tx.rows<Cells>(
    PAYMENTS,
    pointers.map(({ payment }) => payment),
  );
  const payments = new Map(rows.map((cells) => [cells[10], cells]));
  return pointers.map((pointer) => {
    const cells = payments.get(pointer.payment);
    if (cells === undefined) throw new Error(`payment ${pointer.payment} is not stored`);
    return storedRecord(pointer, cells);
  });
}

/** At most `count` records from the place `from` on, as the stretches that they are. */
export async function stretchesOf(tx: Transaction, run: number, from: number, count: number): Promise<Stretch[]> {
  const spans = await tx.rows<Span>(
    `SELECT idx, count, payment, file, record, line, left_out FROM span WHERE run = $1
     AND idx >= coalesce((SELECT max(idx) FROM span WHERE run = $1 AND idx <= $2), 0) ORDER BY idx LIMIT $3 + 1`,
    ...[run, from, count],
  );
  return stretchesIn(spans, from, count);
}

function storedRecord({ payment, index, file, record, line, leftOut }: Pointer, cells: Cells): StoredRecord {
  const [, type, key, bodyHash, body, amount, currency, costCenter, replacedBy, ...more] = cells.slice(10) as [
    ...[number, number, string, string, string | null, string | null, string | null, string | null],
    ...[PaymentId | null, string | null, string | null, number | null, number, boolean],
  ];
  const [replacingRun, replacingKey, claimedAt, claimedFor, isAlive] = more;
  const outcome = storedOutcomeOf(cells);
  const isLost = claimedAt !== null && !isAlive;
  return {
    ...{ index, file, record, line, leftOut, payment, key, bodyHash, body, amount, currency, costCenter },
    type: typeOf(type),
    outcome: isLost ? cutOff(outcome, { at: claimedAt, run: claimedFor }) : outcome,
    isClaimed: claimedAt !== null,
    replacedBy: replacedBy === null ? null : { run: replacingRun ?? '', key: replacingKey ?? '' },
    error: null,
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

/** The records of a stored run, page by page, with what became of their payments. */
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, stateOf, storedOutcomeOf, typeOf } from '../codes.js';
import { cutOff } from '../cut-off.js';
import type { PaymentId, StoredRecord } from '../payment.js';
import { NO_PAYMENT, pointersIn, type Span, type Stretch, stretchesIn } from '../stretches.js';
import { ALIVE, type Context } from './context.js';
import { ACCEPTED_BY } from './drafts.js';
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
  acceptedBy: string,
  claimedAt: number | null,
  claimedFor: number,
  isAlive: boolean,
];

const PAYMENTS = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, p.key, encode(p.body_hash, 'hex'), p.body, p.amount, p.currency,
    p.cost_center, p.replaced_by,
    (SELECT name FROM run WHERE number = ${ACCEPTED_BY.replaceAll('p.', 'by_it.')}), by_it.key,
    (SELECT name FROM run WHERE number = ${ACCEPTED_BY}), c.at, c.run, coalesce(${ALIVE}, false)
  FROM payment p LEFT JOIN payment by_it ON by_it.id = p.replaced_by LEFT JOIN outcome o ON o.payment = p.id
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
    pointers.flatMap(({ payment, standsFor }) => [payment, standsFor ?? payment]),
  );
  const payments = new Map(rows.map((cells) => [cells[10], rowOf(cells)]));
  return pointers.map(({ payment, standsFor, ...place }) => {
    const row = payments.get(payment);
    const told = payments.get(standsFor ?? payment);
    if (row === undefined || told === undefined) throw new Error(`payment ${payment} is not stored`);
    return {
      ...place,
      ...row.own,
      ...told.standing,
      standsFor: standsFor === null ? null : told.standsFor,
      error: null,
    };
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

/** What a payment tells of its own record, of how it stands, and of records that were left out for it. */
function rowOf(cells: Cells) {
  const [payment, type, key, bodyHash, body, amount, currency, costCenter, replacedBy, ...more] = cells.slice(10) as [
    ...[PaymentId, number, string, string, string | null, string | null, string | null, string | null],
    ...[PaymentId | null, string | null, string | null, string, number | null, number, boolean],
  ];
  const [replacingRun, replacingKey, run, claimedAt, claimedFor, isAlive] = more;
  const outcome = storedOutcomeOf(cells);
  const isClaimed = claimedAt !== null;
  return {
    own: {
      ...{ payment, type: typeOf(type), key, bodyHash, body, amount, currency, costCenter },
      replacedBy: replacedBy === null ? null : { run: replacingRun ?? '', key: replacingKey ?? '' },
    },
    standing: {
      outcome: isClaimed && !isAlive ? cutOff(outcome, { at: claimedAt, run: claimedFor }) : outcome,
      isClaimed,
    },
    standsFor: { payment, run, key, body, amount, state: isClaimed ? 'unknown' : stateOf(cells[0]) },
  } as const;
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

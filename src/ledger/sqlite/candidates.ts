/** Payments that a delivery wants to send. */
import type { Candidate } from '../claiming.js';
import type { PaymentId } from '../payment.js';
import { OUTCOME_COLUMNS, type OutcomeCells, typeOf } from '../codes.js';
import { BODY_HASH, hashOf, KEY, keyOf, wholeBody } from './compact.js';
import type { Context } from './context.js';

type Cells = readonly [
  ...OutcomeCells,
  ...[id: number, type: number, key: string, body: string | null, bodyHash: string, replacedBy: number | null],
  keyPlace: number | null,
];

const LISTED = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, ${KEY}, p.body, ${BODY_HASH}, p.replaced_by, p.key_place
  FROM json_each(?) w CROSS JOIN payment p ON p.id = w.value LEFT JOIN outcome o ON o.payment = p.id`;

/** The payments, in the order in which they are wanted. */
export function candidates({ sql }: Context, wanted: readonly PaymentId[]): Candidate[] {
  const rows = sql(LISTED).all(JSON.stringify(wanted)) as Cells[];
  if (rows.length !== wanted.length) throw new Error('a payment is wanted that is not stored');
  return rows.map(candidateOf);
}

function candidateOf(cells: Cells): Candidate {
  const key = keyOf(cells[12]);
  return {
    id: cells[10],
    type: typeOf(cells[11]),
    key,
    body: wholeBody(cells[13], key, cells[16]),
    bodyHash: hashOf(cells[14]),
    replacedBy: cells[15],
    state: cells[0],
    stamp: cells[2],
    cells,
  };
}

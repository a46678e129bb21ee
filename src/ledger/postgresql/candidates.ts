/** Payments that a delivery wants to send. */
import type { Candidate } from '../claiming.js';
import { OUTCOME_COLUMNS, type OutcomeCells, typeOf } from '../codes.js';
import type { PaymentId } from '../payment.js';
import type { Transaction } from './session.js';

type Cells = readonly [
  ...OutcomeCells,
  ...[id: number, type: number, key: string, body: string | null, bodyHash: string, replacedBy: number | null],
];

const LISTED = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, p.key, p.body, encode(p.body_hash, 'hex'), p.replaced_by
  FROM unnest($1::bigint[]) WITH ORDINALITY w(id, place) JOIN payment p ON p.id = w.id
  LEFT JOIN outcome o ON o.payment = p.id ORDER BY w.place`;

/** The payments, in the order in which they are wanted. */
export async function candidates(tx: Transaction, wanted: readonly PaymentId[]): Promise<Candidate[]> {
  const rows = await tx.rows<Cells>(LISTED, wanted);
  if (rows.length !== wanted.length) throw new Error('a payment is wanted that is not stored');
  return rows.map((cells) => ({
    ...{ id: cells[10], type: typeOf(cells[11]), key: cells[12], body: cells[13], bodyHash: cells[14] },
    ...{ replacedBy: cells[15], state: cells[0], stamp: cells[2], cells },
  }));
}

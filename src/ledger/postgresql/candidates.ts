/** Payments that a delivery wants to send. */
import type { Candidate } from '../claiming.js';
import { OUTCOME_COLUMNS, type OutcomeCells, typeOf } from '../codes.js';
import type { Owner } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { ALIVE } from './context.js';
import type { Transaction } from './session.js';

export interface Looked {
  readonly candidate: Candidate;
  /** Whoever has it under way; null for nobody. */
  readonly owner: Holder | null;
}

export interface Holder extends Owner {
  readonly process: number;
  readonly isAlive: boolean;
}

type Cells = readonly [
  ...OutcomeCells,
  ...[id: number, type: number, key: string, body: string | null, bodyHash: string, replacedBy: number | null],
  ...[process: number | null, host: string, isAlive: boolean, leaseMs: number],
];

const LISTED = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, p.key, p.body, encode(p.body_hash, 'hex'), p.replaced_by,
    c.process, coalesce(pr.host, ''), coalesce(${ALIVE}, false),
    greatest(0, extract(epoch FROM coalesce(nullif(pr.lease_until, '-infinity'), clock_timestamp()) - clock_timestamp()) * 1000)::int
  FROM unnest($1::bigint[]) WITH ORDINALITY w(id, place) JOIN payment p ON p.id = w.id
  LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN claim c ON c.payment = p.id LEFT JOIN process pr ON pr.id = c.process
  ORDER BY w.place`;

/** The payments, in the order in which they are wanted. */
export async function candidates(tx: Transaction, wanted: readonly PaymentId[]): Promise<Looked[]> {
  const rows = await tx.rows<Cells>(LISTED, wanted);
  if (rows.length !== wanted.length) throw new Error('a payment is wanted that is not stored');
  return rows.map((cells) => ({ candidate: candidateOf(cells), owner: ownerOf(cells) }));
}

function candidateOf(cells: Cells): Candidate {
  const [id, type, key, body, bodyHash, replacedBy] = cells.slice(10, 16) as [
    number,
    number,
    string,
    string | null,
    string,
    number | null,
  ];
  return {
    ...{ id, type: typeOf(type), key, body, bodyHash, replacedBy },
    ...{ state: cells[0], run: cells[1], stamp: cells[2], doubtSince: cells[6], cells },
  };
}

function ownerOf(cells: Cells): Holder | null {
  const process = cells[16];
  return process === null ? null : { process, host: cells[17], isAlive: cells[18], leaseMs: cells[19] };
}

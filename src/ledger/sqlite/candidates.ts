/** Payments that a delivery wants to send. */
import { JournalError } from '../../errors.js';
import { sha256 } from '../../keys/key.js';
import type { RecordType } from '../../records/kind.js';
import type { Claimed } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { OUTCOME_COLUMNS, type OutcomeCells, outcomeOf, typeOf } from './codes.js';
import { type Context } from './context.js';
import type { Known } from './under-way.js';

export interface Candidate extends Known {
  readonly type: RecordType;
  readonly key: string;
  readonly body: string | null;
  readonly bodyHash: Uint8Array;
  readonly replacedBy: PaymentId | null;
  readonly doubtSince: number | null;
  readonly cells: OutcomeCells;
}

type Cells = readonly [
  ...[id: number, type: number, key: string, body: string | null, bodyHash: Uint8Array, replacedBy: number | null],
  ...OutcomeCells,
];

const COLUMNS = `p.id, p.type, p.key, p.body, p.body_hash, p.replaced_by, ${OUTCOME_COLUMNS}`;
const LISTED = `SELECT ${COLUMNS} FROM json_each(?) w CROSS JOIN payment p ON p.id = w.value
  LEFT JOIN outcome o ON o.payment = p.id`;

/** The payments, in the order in which they are wanted. */
export function candidates({ sql }: Context, wanted: readonly PaymentId[]): Candidate[] {
  const rows = sql(LISTED).all(JSON.stringify(wanted)) as Cells[];
  if (rows.length !== wanted.length) throw new Error('a payment is wanted that is not stored');
  return rows.map(candidateOf);
}

function candidateOf([id, type, key, body, bodyHash, replacedBy, ...cells]: Cells): Candidate {
  const [state, run, stamp, , , , doubtSince] = cells;
  return { id, type: typeOf(type), key, body, bodyHash, replacedBy, state, run, stamp, doubtSince, cells };
}

/** @throws JournalError when the stored body is not the one that was checked: what is sent is what was approved */
export function checked(candidate: Candidate): Candidate {
  const { body, bodyHash } = candidate;
  if (body === null || sha256(body) !== Buffer.from(bodyHash).toString('hex')) throw new JournalError(DAMAGED_BODY);
  return candidate;
}

export function claimedOf({ id, type, key, body, cells }: Candidate, claim: number): Claimed {
  return { id, type, key, body: body as string, claim, earlier: outcomeOf(cells) };
}

const DAMAGED_BODY =
  'the journal is damaged: a stored record is not the one that was checked. Keep it: it knows what was paid. ' +
  'Restore it from a backup, or ask for help before sending anything.';

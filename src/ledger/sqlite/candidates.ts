/** Payments that a delivery wants to send. */
import { JournalError } from '../../errors.js';
import { sha256 } from '../../keys/key.js';
import type { RecordType } from '../../records/kind.js';
import type { Claimed } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { OUTCOME_COLUMNS, type OutcomeCells, type OutcomeRow, outcomeOf, typeOf } from './codes.js';
import { BODY_HASH, hashOf, KEY, keyOf, wholeBody } from './compact.js';
import type { Context } from './context.js';
import type { Known } from './under-way.js';

export interface Candidate extends Known {
  readonly type: RecordType;
  readonly key: string;
  readonly body: string | null;
  readonly bodyHash: string;
  readonly replacedBy: PaymentId | null;
  readonly doubtSince: number | null;
  readonly cells: OutcomeRow;
}

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
    run: cells[1],
    stamp: cells[2],
    doubtSince: cells[6],
    cells,
  };
}

/** @throws JournalError when the stored body is not the one that was checked: what is sent is what was approved */
export function checked(candidate: Candidate): Candidate {
  const { body, bodyHash } = candidate;
  if (body === null || sha256(body) !== bodyHash) throw new JournalError(DAMAGED_BODY);
  return candidate;
}

export function claimedOf({ id, type, key, body, cells }: Candidate, claim: number): Claimed {
  return { id, type, key, body: body as string, claim, earlier: outcomeOf(cells) };
}

const DAMAGED_BODY =
  'the journal is damaged: a stored record is not the one that was checked. Keep it: it knows what was paid. ' +
  'Keep it, and ask for help before anything is sent: a backup does not know what was paid since it was made.';

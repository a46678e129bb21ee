/**
 * Outcomes in, claims out, one durable commit for both. It exists beside the store only for speed: a claim is a range of
 * payments, and what this process has claimed is kept in memory. Rows of claims take three times as long.
 */
import { JournalError } from '../../errors.js';
import { alreadyClaimed, claimedOf, NO_CLAIMS, type Candidate, type Sorted, sortOut } from '../claims.js';
import { CREATED, OUTCOME_COLUMNS, type OutcomeCells, typeOf } from '../store/codes.js';
import type { Claimed } from '../claims.js';
import type { PaymentId } from '../payment.js';
import type { Driver } from '../store/driver.js';
import { BODY_HASH, bodyOf, hashOf, KEY, keyOf } from './compact.js';
import { type OwnClaims, storeOutcomes } from './outcomes.js';
import type { FileSession, Sql } from './session.js';

export interface ExchangeOptions {
  readonly session: FileSession;
  readonly self: number | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** @throws JournalError when the file of that name is no longer the one that is open */
  readonly requireFile: () => void;
  readonly shutOut: string;
}

export function startExchange(options: ExchangeOptions): Driver['exchange'] {
  const own: OwnClaims = { payments: new Map(), left: new Map() };
  const { session, self, now } = options;
  return (run, settled, wanted) =>
    // In its turn as a whole: nothing else is done between the commit and what is kept of it in memory.
    session.atOnce(
      (sql) => {
        const isCurrent = sql('SELECT 1 FROM process WHERE id = ?').get(self) !== undefined;
        const stored = storeOutcomes(sql, own, { run, settled, isCurrent, at: now() });
        const sorted = wanted.length === 0 ? NOTHING_WANTED : look(options, sql, own, isCurrent, wanted);
        const claimed = sorted.refusal === null ? claim(options, sql, run, sorted.sendable) : [];
        return { stored, sorted, claimed };
      },
      ({ stored, sorted, claimed }) => {
        // Only now: a failed commit changes nothing in memory either.
        stored();
        remember(own, claimed);
        const { unclaimed, refusal } = sorted;
        return { claims: refusal === null ? { claimed, unclaimed } : NO_CLAIMS, refusal };
      },
    );
}

function remember(own: OwnClaims, claimed: readonly Claimed[]): void {
  for (const { id, claim: number } of claimed) {
    own.payments.set(id, number);
    own.left.set(number, (own.left.get(number) ?? 0) + 1);
  }
}

const NOTHING_WANTED: Sorted = { sendable: [], unclaimed: [], refusal: null };

/** Where nothing may be claimed, the outcomes are stored all the same: whoever looks at the file later must know them. */
function look(
  { requireFile, self, shutOut }: ExchangeOptions,
  sql: Sql,
  own: OwnClaims,
  isCurrent: boolean,
  wanted: readonly PaymentId[],
): Sorted {
  try {
    requireFile();
  } catch (cause) {
    if (cause instanceof JournalError) return { ...NOTHING_WANTED, refusal: cause };
    throw cause;
  }
  if (!isCurrent) return { ...NOTHING_WANTED, refusal: new JournalError(shutOut, { isPassing: true }) };
  const sorted = sortOut(candidates(sql, wanted));
  const others = sql('SELECT id, first, last FROM claim WHERE process <> ?').all(self) as unknown as OpenClaim[];
  for (const each of sorted.sendable)
    if (own.payments.has(each.id) || others.some((other) => covers(other, each))) throw alreadyClaimed(each);
  return sorted;
}

type OpenClaim = readonly [id: number, first: PaymentId, last: PaymentId];

/** Whether the claim has not settled the payment yet. */
function covers([number, first, last]: OpenClaim, { id, cells: [state, , stamp] }: Candidate): boolean {
  return state !== CREATED && id >= first && id <= last && (stamp ?? 0) < number;
}

type Cells = readonly [
  ...OutcomeCells,
  ...[id: number, type: number, key: string, body: string | null, bodyHash: string, replacedBy: number | null],
  keyPlace: number | null,
];

const LISTED = `SELECT ${OUTCOME_COLUMNS}, p.id, p.type, ${KEY}, p.body, ${BODY_HASH}, p.replaced_by, p.key_place
  FROM json_each(?) w CROSS JOIN payment p ON p.id = w.value LEFT JOIN outcome o ON o.payment = p.id`;

/** The payments, in the order in which they are wanted. */
function candidates(sql: Sql, wanted: readonly PaymentId[]): Candidate[] {
  const rows = sql(LISTED).all(JSON.stringify(wanted)) as unknown as Cells[];
  if (rows.length !== wanted.length) throw new Error('a payment is wanted that is not stored');
  return rows.map((cells) => {
    const key = keyOf(cells[12]);
    return {
      id: cells[10],
      type: typeOf(cells[11]),
      key,
      body: bodyOf(cells[13], key, cells[16]),
      bodyHash: hashOf(cells[14]),
      replacedBy: cells[15],
      cells,
    };
  });
}

/** Writes a claim for each unbroken range: a claim covers only payments that are about to be sent. */
function claim({ self, now }: ExchangeOptions, sql: Sql, run: number, sendable: readonly Candidate[]): Claimed[] {
  const insert = sql('INSERT INTO claim (process, run, first, last, at) VALUES (?, ?, ?, ?, ?)');
  const claimed: Claimed[] = [];
  const at = now();
  for (let i = 0; i < sendable.length;) {
    const first = (sendable[i] as Candidate).id;
    let next = i + 1;
    while (next < sendable.length && sendable[next]?.id === first + next - i) next++;
    const { lastInsertRowid } = insert.run(self, run, first, first + next - i - 1, at);
    for (; i < next; i++) claimed.push(claimedOf(sendable[i] as Candidate, Number(lastInsertRowid)));
  }
  return claimed;
}

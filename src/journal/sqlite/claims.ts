/**
 * Outcomes in, claims out, one durable commit for both. It is separate from the store only for speed: here a claim is a
 * range of payments, and the process keeps its claims in memory. Claims as rows take three times as long.
 */
import { JournalError } from '../../errors.js';
import {
  alreadyClaimed,
  type ClaimCandidate,
  candidateMapper,
  claimedOf,
  type ClaimCheck,
  checkCandidates,
} from '../claim-rules.js';
import type { Claimed, NewOutcome } from '../plan.js';
import { CREATED, stateCode, UNKNOWN } from '../store/common-schema.js';
import type { PaymentId } from '../payment.js';
import type { Driver } from '../store/driver.js';
import { raising } from '../store/transactions.js';
import { writeWith } from '../../util/sqlite.js';
import { FORM } from './dialect.js';
import type { FileSession, Sql } from './session.js';

export interface ExchangeOptions {
  readonly session: FileSession;
  readonly self: number | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** @throws JournalError when the open file no longer has that name */
  readonly requireFile: () => void;
  readonly shutOut: string;
}

export function startExchange(options: ExchangeOptions): Driver['storeAndClaim'] {
  const own: OwnClaims = { payments: new Map(), left: new Map() };
  const { session, self, now } = options;
  return (run, settled, wanted) =>
    // One turn: no other work may run between the commit and the update of the memory.
    session.atOnce(
      (sql) => {
        const at = now();
        const isCurrent = sql('SELECT 1 FROM process WHERE id = ?').get(self) !== undefined;
        const stored = storeOutcomes(sql, own, { run, settled, isCurrent, at });
        const sorted = wanted.length === 0 ? NOTHING_WANTED : checkWanted(options, sql, own, isCurrent, wanted);
        const claimed = sorted.refusal === null ? claimEach(options, sql, run, sorted.sendable) : [];
        return { stored, sorted, claimed, at };
      },
      ({ stored, sorted, claimed, at }) => {
        // Only after the commit: a failed one must change nothing in memory either.
        stored();
        remember(own, claimed);
        const { unclaimed, refusal } = sorted;
        return { claimed, unclaimed: refusal === null ? unclaimed : [], refusal, at };
      },
    );
}

function remember(own: OwnClaims, claimed: readonly Claimed[]): void {
  for (const { id, claim: number } of claimed) {
    own.payments.set(id, number);
    own.left.set(number, (own.left.get(number) ?? 0) + 1);
  }
}

const NOTHING_WANTED: ClaimCheck = { sendable: [], unclaimed: [], refusal: null };

/** If nothing may be claimed, the outcomes are stored nevertheless: later readers of the file must know them. */
function checkWanted(
  { requireFile, self, shutOut }: ExchangeOptions,
  sql: Sql,
  own: OwnClaims,
  isCurrent: boolean,
  wanted: readonly PaymentId[],
): ClaimCheck {
  try {
    requireFile();
  } catch (cause) {
    if (cause instanceof JournalError) return { ...NOTHING_WANTED, refusal: cause };
    throw cause;
  }
  if (!isCurrent) return { ...NOTHING_WANTED, refusal: new JournalError(shutOut, { isPassing: true }) };
  const rows = sql(LISTED).all(JSON.stringify(wanted)) as unknown as unknown[][];
  const sorted = checkCandidates(rows.map(CANDIDATE.read), wanted.length);
  const others = sql('SELECT id, first, last FROM claim WHERE process <> ?').all(self) as unknown as ClaimRange[];
  for (const each of sorted.sendable)
    if (own.payments.has(each.id) || others.some((other) => covers(other, each))) throw alreadyClaimed(each);
  return sorted;
}

type ClaimRange = readonly [id: number, first: PaymentId, last: PaymentId];

/** Whether the claim has not settled the payment yet. */
function covers([number, first, last]: ClaimRange, { id, outcome, stamp }: ClaimCandidate): boolean {
  return outcome?.state !== 'created' && id >= first && id <= last && (stamp ?? 0) < number;
}

const CANDIDATE = candidateMapper(FORM);

/** In the order of the request. */
const LISTED = `SELECT ${CANDIDATE.columns}
  FROM json_each(?) w CROSS JOIN payment p ON p.id = w.value LEFT JOIN outcome o ON o.payment = p.id`;

/** Writes a claim for each unbroken range: a claim covers only payments that are about to be sent. */
function claimEach(
  { self, now }: ExchangeOptions,
  sql: Sql,
  run: number,
  sendable: readonly ClaimCandidate[],
): Claimed[] {
  const insert = sql('INSERT INTO claim (process, run, first, last, at) VALUES (?, ?, ?, ?, ?)');
  const claimed: Claimed[] = [];
  const at = now();
  for (let i = 0; i < sendable.length;) {
    const first = (sendable[i] as ClaimCandidate).id;
    let next = i + 1;
    while (next < sendable.length && sendable[next]?.id === first + next - i) next++;
    const { lastInsertRowid } = insert.run(self, run, first, first + next - i - 1, at);
    for (; i < next; i++) claimed.push(claimedOf(sendable[i] as ClaimCandidate, Number(lastInsertRowid)));
  }
  return claimed;
}

const OUTCOME_COLUMNS =
  'payment, state, run, moment, stamp, attempts, at, http_status, doubt_since, response, error, request_id';

/** An outcome that settles or continues a doubt keeps the moment at which the doubt began. */
const MOMENT = `moment = CASE WHEN state >= ${UNKNOWN} THEN moment ELSE excluded.moment END`;

/** A created payment never changes. Most outcomes are this one, so it has fewer values to bind: each one costs time. */
const STORE_CREATED = `INSERT INTO outcome (${OUTCOME_COLUMNS}) VALUES (?1, ${CREATED}, ?2, ?3, ?3, ?4, ?5, ?6, NULL, ?7, NULL, ?8)
  ON CONFLICT (payment) DO UPDATE SET state = ${CREATED}, run = excluded.run, ${MOMENT}, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = excluded.http_status, doubt_since = NULL,
    response = excluded.response, error = NULL, request_id = excluded.request_id
  WHERE state <> ${CREATED}`;

/** A record that was claimed and not sent has its old outcome, of its old time. */
const UNTRIED = 'attempts = excluded.attempts AND state = excluded.state';

/** Only `created` settles doubt, and doubt never begins later than before. */
const STORE_OUTCOME = `INSERT INTO outcome (${OUTCOME_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state, ${MOMENT}, stamp = excluded.stamp,
    run = CASE WHEN ${UNTRIED} THEN run ELSE excluded.run END, at = CASE WHEN ${UNTRIED} THEN at ELSE excluded.at END,
    attempts = excluded.attempts, http_status = excluded.http_status,
    doubt_since = min(excluded.doubt_since, coalesce(doubt_since, excluded.doubt_since)),
    response = excluded.response, error = excluded.error, request_id = excluded.request_id
  WHERE state <> ${CREATED} AND (state < ${UNKNOWN} OR excluded.state >= ${UNKNOWN})`;

/** The open claims of this process. */
interface OwnClaims {
  /** Payment → its claim. */
  readonly payments: Map<PaymentId, number>;
  /** Claim → number of its payments that are not settled. */
  readonly left: Map<number, number>;
}

interface SettledOutcomes {
  /** Number of the run that is delivered. */
  readonly run: number;
  readonly settled: readonly NewOutcome[];
  /** No other process has taken over the claims of this one. */
  readonly isCurrent: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Stores outcomes, and ends claims that are settled. To be called within a transaction. After a takeover of its claim,
 * only the outcome `created` settles the doubt; any other one may be older than what happened since.
 * @returns a function to call after the commit: a claim that is counted off too early ends too early
 */
function storeOutcomes(sql: Sql, own: OwnClaims, { run, settled, isCurrent, at }: SettledOutcomes): () => void {
  const create = sql(STORE_CREATED);
  const write = sql(STORE_OUTCOME);
  const [stamp] = sql('SELECT last_claim()').get() as unknown as [number];
  const done = new Map<PaymentId, number>();
  for (const { id, claim, outcome } of settled) {
    const isOwn = isCurrent && own.payments.get(id) === claim;
    if (isOwn) done.set(id, claim);
    const { state, httpStatus, attempts, response, error, requestId, doubtSince } = outcome;
    if (state === 'created') writeWith(create, id, run, stamp, attempts, at, httpStatus, response, requestId);
    else if (isOwn) {
      const since = state === 'unknown' ? (doubtSince ?? at) : null;
      writeWith(write, id, stateCode(state), run, stamp, attempts, at, httpStatus, since, response, error, requestId);
    }
  }
  // A payment in doubt is created now: plans from before must be computed again.
  if (!isCurrent && settled.some(({ outcome }) => outcome.state === 'created')) sql(raising(run)).run();
  const left = endClaims(sql, own, done);
  return () => {
    for (const id of done.keys()) own.payments.delete(id);
    for (const [claim, rest] of left) {
      if (rest > 0) own.left.set(claim, rest);
      else own.left.delete(claim);
    }
  };
}

/** @param done settled payments, with their claims @returns the number of payments left in these claims */
function endClaims(sql: Sql, own: OwnClaims, done: ReadonlyMap<PaymentId, number>): Map<number, number> {
  const left = new Map<number, number>();
  for (const claim of done.values()) left.set(claim, (left.get(claim) ?? own.left.get(claim) ?? 0) - 1);
  const end = sql('DELETE FROM claim WHERE id = ?');
  for (const [claim, rest] of left) if (rest <= 0) writeWith(end, claim);
  return left;
}

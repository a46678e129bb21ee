/** Looking payments up in the history. */
import { isOpen } from '../claiming.js';
import { CREATED, CUT_OFF, NOT_SENT, REJECTED, stateOf, typeOf, UNKNOWN } from '../codes.js';
import { homeOf, type Ledger, type TargetName } from '../ledger.js';
import type { KnownPayment, PaymentId, RunFacts } from '../payment.js';
import { ALIVE, type Context, LAST_CLAIM, targetOf } from './context.js';
import { selectFacts } from './runs.js';
import type { Transaction } from './session.js';

/** Hashes come as text: they are larger than a number can hold. */
type Cells = readonly [
  state: number | null,
  run: number | null,
  moment: number | null,
  stamp: number | null,
  at: number | null,
  doubtSince: number | null,
  id: number,
  type: number,
  key: string,
  bodyHash: string,
  content: string,
  similarity: string,
  reference: string | null,
  date: number | null,
  amount: string | null,
  currency: string | null,
  replacedBy: number | null,
  hasBody: boolean,
  claimedAt: number | null,
  isOwnerAlive: boolean,
  isAwaited: boolean,
];

/** Whether the delivery `d` may still come to a payment: a record that is left out is not sent. */
const LISTS = `(SELECT s.payment + s.count FROM span s WHERE s.run = d.run AND s.left_out IS NULL AND s.payment <= p.id
  ORDER BY s.payment DESC LIMIT 1) > p.id`;
const DELIVERY = `FROM delivery d JOIN process pr ON pr.id = d.process AND ${ALIVE}`;
/**
 * Whether a live delivery may still come to a payment that is not claimed. What was settled since the delivery began it
 * takes as it is, but for what a dead process has left in doubt. What a delivery has had rejected is in its rejects.
 */
const AWAITED = `(p.replaced_by IS NULL AND coalesce(o.state, 0) <> ${CREATED}
  AND NOT (coalesce(o.state, 0) = ${REJECTED} AND EXISTS (SELECT ${DELIVERY} WHERE d.run = o.run AND o.stamp > d.since))
  AND EXISTS (SELECT ${DELIVERY} WHERE (coalesce(o.state, ${NOT_SENT}) IN (${NOT_SENT}, ${CUT_OFF}) OR o.stamp <= d.since)
    AND ${LISTS}))`;

const COLUMNS = `o.state, o.run, o.moment, o.stamp, o.at, o.doubt_since, p.id, p.type, p.key, encode(p.body_hash, 'hex'),
  p.content::text, p.similarity::text, p.reference::text, p.date, p.amount, p.currency, p.replaced_by, p.body IS NOT NULL,
  c.at, (SELECT coalesce(bool_or(${ALIVE}), false) FROM process pr WHERE pr.id = c.process), ${AWAITED}`;
const WITH_OUTCOME = `LEFT JOIN outcome o ON o.payment = p.id
  LEFT JOIN claim c ON c.payment = p.id AND coalesce(o.state, 0) <> ${CREATED}`;

const BY_KEY = `SELECT ${COLUMNS} FROM by_key b JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE b.target = $1 AND b.key = ANY ($2::text[])`;
const BY_SIMILARITY = `SELECT ${COLUMNS} FROM by_similarity s JOIN payment p ON p.id = s.payment ${WITH_OUTCOME}
  WHERE p.target = $1 AND s.similarity = ANY ($2::bigint[])`;
const BY_ID = `SELECT ${COLUMNS} FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1::bigint[])`;
const IN_DOUBT = `SELECT ${COLUMNS} FROM (SELECT payment AS id FROM outcome WHERE state >= ${UNKNOWN} UNION SELECT payment FROM claim) w
  JOIN payment p ON p.id = w.id ${WITH_OUTCOME} WHERE p.target = $1 ORDER BY p.id`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = $1 AND t.scope = $2)";
const ELSEWHERE = `SELECT ${COLUMNS} FROM target t JOIN by_key b ON b.target = t.id AND b.key = ANY ($3::text[])
  JOIN payment p ON p.id = b.payment ${WITH_OUTCOME} WHERE ${OTHER_TARGET} AND o.state = ${CREATED}`;

type LookUps = Pick<Ledger, 'find' | 'bySimilarity' | 'byId' | 'inDoubt' | 'createdElsewhere' | 'hasElsewhere'>;

export function lookUps({ session }: Context): LookUps {
  const at = (target: TargetName, text: string, ...values: (readonly string[])[]): Promise<KnownPayment[]> =>
    session.read(async (tx) => {
      const found = await targetOf(tx, target);
      return found === null ? [] : known(tx, await tx.rows<Cells>(text, found.id, ...values));
    });
  return {
    find: (target, keys) => at(target, BY_KEY, keys),
    bySimilarity: (target, similarities) => at(target, BY_SIMILARITY, similarities.map(String)),
    byId: (payments) => session.read(async (tx) => known(tx, await tx.rows<Cells>(BY_ID, payments))),
    inDoubt: async (target) => (await at(target, IN_DOUBT)).filter(({ state }) => state === 'unknown'),
    createdElsewhere: ({ target, scope }, keys) =>
      session.read(async (tx) => known(tx, await tx.rows<Cells>(ELSEWHERE, target, scope, keys))),
    hasElsewhere: ({ target, scope }) =>
      session.read(async (tx) => {
        const other = await tx.rows(
          `SELECT 1 FROM target t WHERE ${OTHER_TARGET} AND t.gates > 0 LIMIT 1`,
          target,
          scope,
        );
        return other.length > 0;
      }),
  };
}

type FactsOf = (payment: PaymentId, settledBy: number | null) => RunFacts;

async function known(tx: Transaction, rows: readonly Cells[]): Promise<KnownPayment[]> {
  if (rows.length === 0) return [];
  const facts = await factsFor(tx, rows);
  const [[last] = [0]] = await tx.rows<[number]>(`SELECT ${LAST_CLAIM}`);
  return rows.map((cells) => knownPayment(cells, facts, last));
}

/** Of a payment's home run; where that has ended and a later one has put the payment back, of that one. */
async function factsFor(tx: Transaction, rows: readonly Cells[]): Promise<FactsOf> {
  const numbers = new Set(rows.flatMap((cells) => [homeOf(cells[6]), ...(cells[1] === null ? [] : [cells[1]])]));
  const facts = await selectFacts(tx, [...numbers]);
  const factsOf = (number: number): RunFacts => {
    const found = facts.get(number);
    if (found === undefined) throw new Error(`run ${number} is not known`);
    return found;
  };
  return (payment, settledBy) => {
    const home = factsOf(homeOf(payment));
    if (settledBy === null || !home.isEnded) return home;
    const later = factsOf(settledBy);
    return later.isEnded ? home : later;
  };
}

function knownPayment(cells: Cells, facts: FactsOf, lastClaim: number): KnownPayment {
  const run = facts(cells[6], cells[0] !== null && isOpen(cells[0]) ? cells[1] : null);
  const reference = cells[12];
  return {
    id: cells[6],
    type: typeOf(cells[7]),
    key: cells[8],
    bodyHash: cells[9],
    content: BigInt(cells[10]),
    similarity: BigInt(cells[11]),
    reference: reference === null ? null : BigInt(reference),
    date: cells[13],
    amount: cells[14],
    currency: cells[15],
    replacedBy: cells[16],
    hasBody: cells[17],
    run,
    ...standing(cells, run, lastClaim),
  };
}

type Standing = Pick<KnownPayment, 'state' | 'doubtSince' | 'isLive' | 'moment' | 'at'>;

/** A reader does not take over the claims of dead processes, so it tells them as if they had been taken over. */
function standing(cells: Cells, run: RunFacts, lastClaim: number): Standing {
  const state = stateOf(cells[0]);
  const told = { state, doubtSince: cells[5], moment: cells[2] ?? 0, at: cells[4] ?? run.startedAt };
  const claimedAt = cells[18];
  if (claimedAt === null) return { ...told, isLive: cells[20] };
  if (cells[19]) return { ...told, isLive: true };
  const began = state === 'unknown' ? told.moment : lastClaim;
  return { state: 'unknown', doubtSince: told.doubtSince ?? claimedAt, moment: began, at: claimedAt, isLive: false };
}

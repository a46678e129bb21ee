/** Looking payments up in the history. */
import { homeOf, type Ledger, type TargetName } from '../ledger.js';
import type { KnownPayment, PaymentId, RunFacts } from '../payment.js';
import { CREATED, stateOf, typeOf, UNKNOWN } from '../codes.js';
import { BODY_HASH, byKeys, hashOf, KEY, keyOf } from './compact.js';
import type { LiveDelivery } from '../claiming.js';
import { type Context, lastClaim, reading, targetOf } from './context.js';
import { homeRun } from './drafts.js';
import { selectFacts } from './runs.js';
import { claimOn, isAwaited, liveDeliveries, type OpenClaim, openClaims, rememberedLiveness } from './under-way.js';

/** Hashes come as text: they are larger than a number can hold, and every number of a row would have to be a bigint. */
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
  hasBody: number,
];

const COLUMNS = `o.state, o.run, o.moment, o.stamp, o.at, o.doubt_since, p.id, p.type, ${KEY}, ${BODY_HASH},
  CAST(p.content AS TEXT), CAST(p.similarity AS TEXT), CAST(p.reference AS TEXT), p.date, p.amount, p.currency,
  p.replaced_by, p.body IS NOT NULL`;
const WITH_OUTCOME = 'LEFT JOIN outcome o ON o.payment = p.id';

const BY_KEY = `SELECT ${COLUMNS} FROM json_each(?1) w CROSS JOIN by_key b ON b.target = ?2 AND b.key = KEY
  CROSS JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}`;
const BY_SIMILARITY = `SELECT ${COLUMNS} FROM json_each(?1) w CROSS JOIN by_similarity s ON s.similarity = w.value
  CROSS JOIN payment p ON p.id = s.payment ${WITH_OUTCOME} WHERE p.target = ?2`;
const BY_ID = `SELECT ${COLUMNS} FROM json_each(?1) w CROSS JOIN payment p ON p.id = w.value ${WITH_OUTCOME}`;
const IN_DOUBT = `SELECT ${COLUMNS} FROM outcome o CROSS JOIN payment p ON p.id = o.payment
  WHERE o.state >= ${UNKNOWN} AND p.target = ?1 ORDER BY p.id`;
/** Under a claim; without those that {@link IN_DOUBT} finds. */
const CLAIMED = `SELECT ${COLUMNS} FROM payment p ${WITH_OUTCOME} WHERE p.id BETWEEN ?2 AND ?3 AND p.target = ?1
  AND coalesce(o.state, 0) < ${UNKNOWN}`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = ?2 AND t.scope = ?3)";
const ELSEWHERE = `SELECT ${COLUMNS} FROM json_each(?1) w
  CROSS JOIN target t ON ${OTHER_TARGET}
  CROSS JOIN by_key b ON b.target = t.id AND b.key = KEY CROSS JOIN payment p ON p.id = b.payment
  CROSS JOIN outcome o ON o.payment = p.id AND o.state = ${CREATED}`;

type LookUps = Pick<Ledger, 'find' | 'bySimilarity' | 'byId' | 'inDoubt' | 'createdElsewhere'>;
type Answers = { readonly [Name in keyof LookUps]: (...values: Parameters<LookUps[Name]>) => KnownPayment[] };

export function lookUps(context: Context): Answers {
  const at = (target: TargetName, look: (id: number) => Cells[]): KnownPayment[] =>
    reading(context, () => {
      const found = targetOf(context, target);
      return found === null ? [] : known(context, look(found.id));
    });
  return {
    find: (target, keys) => at(target, (id) => byKeys<Cells>(context, BY_KEY, keys, id)),
    bySimilarity: (target, similarities) =>
      at(target, (id) => select(context, BY_SIMILARITY, `[${similarities.join(',')}]`, id)),
    byId: (payments) => reading(context, () => known(context, select(context, BY_ID, JSON.stringify(payments)))),
    inDoubt: (target) => at(target, (id) => inDoubt(context, id)).filter(({ state }) => state === 'unknown'),
    createdElsewhere: ({ target, scope }, keys) =>
      reading(context, () => known(context, byKeys<Cells>(context, ELSEWHERE, keys, target, scope))),
  };
}

/** {@link Ledger.hasElsewhere} */
export function hasElsewhere({ sql }: Context, { target, scope }: TargetName): boolean {
  return sql(`SELECT ?1 FROM target t WHERE ${OTHER_TARGET} AND t.gates > 0`).get(null, target, scope) !== undefined;
}

function select({ sql }: Context, text: string, ...values: (string | number)[]): Cells[] {
  return sql(text).all(...values) as Cells[];
}

/** Those under way too: whether their processes live is asked by {@link known}. */
function inDoubt(context: Context, target: number): Cells[] {
  const rows = select(context, IN_DOUBT, target);
  for (const { first, last } of openClaims(context)) rows.push(...select(context, CLAIMED, target, first, last));
  return rows;
}

/** What is the same for all payments of one look-up. */
interface Moment {
  readonly context: Context;
  readonly claims: readonly OpenClaim[];
  readonly isAlive: (name: string | null) => boolean;
  readonly deliveries: readonly LiveDelivery[];
  readonly facts: (payment: PaymentId, settledBy: number | null) => RunFacts;
}

function known(context: Context, rows: readonly Cells[]): KnownPayment[] {
  if (rows.length === 0) return [];
  const isAlive = rememberedLiveness(context);
  const moment = {
    context,
    claims: openClaims(context),
    isAlive,
    deliveries: liveDeliveries(context, isAlive),
    facts: rememberedFacts(context),
  };
  return rows.map((row) => knownPayment(row, moment));
}

/** Of a payment's home run; where that has ended and a later one has put the payment back, of that one. */
function rememberedFacts(context: Context): Moment['facts'] {
  const remembered = new Map<number, RunFacts>();
  const factsOf = (number: number, run: () => number): RunFacts => {
    let facts = remembered.get(number);
    if (facts === undefined) remembered.set(number, (facts = selectFacts(context, run())));
    return facts;
  };
  return (payment, settledBy) => {
    const home = factsOf(homeOf(payment), () => homeRun(context, payment));
    if (settledBy === null || !home.isEnded) return home;
    const later = factsOf(settledBy, () => settledBy);
    return later.isEnded ? home : later;
  };
}

function knownPayment(cells: Cells, at: Moment): KnownPayment {
  const run = at.facts(cells[6], stateOf(cells[0]) === 'not_sent' ? cells[1] : null);
  const reference = cells[12];
  const { state, doubtSince, isLive, moment, at: since } = standing(cells, at, run);
  return {
    id: cells[6],
    type: typeOf(cells[7]),
    key: keyOf(cells[8]),
    bodyHash: hashOf(cells[9]),
    content: BigInt(cells[10]),
    similarity: BigInt(cells[11]),
    reference: reference === null ? null : BigInt(reference),
    date: cells[13],
    amount: cells[14],
    currency: cells[15],
    state,
    doubtSince,
    isLive,
    moment,
    at: since,
    replacedBy: cells[16],
    hasBody: cells[17] === 1,
    run,
  };
}

type Standing = Pick<KnownPayment, 'state' | 'doubtSince' | 'isLive' | 'moment' | 'at'>;

/** A reader does not take over the claims of dead processes, so it tells them as if they had been taken over. */
function standing(cells: Cells, moment: Moment, run: RunFacts): Standing {
  const { context, claims, deliveries, isAlive } = moment;
  const payment = { id: cells[6], state: cells[0], run: cells[1], stamp: cells[3] };
  const state = stateOf(cells[0]);
  const told = { state, doubtSince: cells[5], moment: cells[2] ?? 0, at: cells[4] ?? run.startedAt };
  const claim = claims.length === 0 ? undefined : claimOn(payment, claims);
  if (claim === undefined) {
    return { ...told, isLive: cells[16] === null && isAwaited(context, payment, deliveries) };
  }
  if (isAlive(claim.name)) return { ...told, isLive: true };
  const began = state === 'unknown' ? told.moment : lastClaim(context);
  return { state: 'unknown', doubtSince: told.doubtSince ?? claim.at, moment: began, at: claim.at, isLive: false };
}

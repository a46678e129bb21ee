/** Looking payments up in the history. */
import { homeOf, type Ledger, type LiveCall, type TargetName } from '../ledger.js';
import { type KnownPayment, NO_RUN, type RunFacts } from '../payment.js';
import { CREATED, REJECTED, stateOf, typeOf, UNKNOWN } from '../codes.js';
import { BODY_HASH, byKeys, hashOf, KEY, keyOf } from './compact.js';
import { type Context, lastClaim, reading, targetOf } from './context.js';
import { selectFacts } from './runs.js';
import { claimOn, liveRuns, type OpenClaim, openClaims, rememberedLiveness } from './under-way.js';

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
  measure: string | null,
  amount: string | null,
  currency: string | null,
  replacedBy: number | null,
  hasBody: number,
  lifetimeMs: number | null,
  acceptedBy: number,
];

const COLUMNS = `o.state, o.run, o.moment, o.stamp, o.at, o.doubt_since, p.id, p.type, ${KEY}, ${BODY_HASH},
  CAST(p.content AS TEXT), CAST(p.similarity AS TEXT), CAST(p.reference AS TEXT), p.date,
  CAST(p.measure AS TEXT), p.amount, p.currency, p.replaced_by, p.body IS NOT NULL, p.lifetime, coalesce(nullif(p.run, 0), p.id >> 31)`;
const WITH_OUTCOME = 'LEFT JOIN outcome o ON o.payment = p.id';

const BY_KEY = `SELECT ${COLUMNS} FROM json_each(?1) w CROSS JOIN by_key b ON b.target = ?2 AND b.key = KEY
  CROSS JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}`;
const BY_SIMILARITY = `SELECT ${COLUMNS} FROM json_each(?1) w CROSS JOIN by_similarity s ON s.similarity = w.value
  CROSS JOIN payment p ON p.id = s.payment ${WITH_OUTCOME} WHERE p.target = ?2`;
const BY_ID = `SELECT ${COLUMNS} FROM json_each(?1) w CROSS JOIN payment p ON p.id = w.value ${WITH_OUTCOME}`;
const UNSETTLED = `SELECT ${COLUMNS} FROM outcome o CROSS JOIN payment p ON p.id = o.payment
  WHERE o.state <> ${CREATED} AND (o.state >= ${UNKNOWN} OR o.state = ${REJECTED}) AND p.target = ?1
    AND p.replaced_by IS NULL ORDER BY p.id`;
/** Under a claim; without those that {@link UNSETTLED} finds. */
const CLAIMED = `SELECT ${COLUMNS} FROM payment p ${WITH_OUTCOME} WHERE p.id BETWEEN ?2 AND ?3 AND p.target = ?1
  AND coalesce(o.state, 0) < ${UNKNOWN} AND coalesce(o.state, 0) <> ${REJECTED}`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = ?2 AND t.scope = ?3)";
const ELSEWHERE = `SELECT ${COLUMNS} FROM json_each(?1) w
  CROSS JOIN target t ON ${OTHER_TARGET}
  CROSS JOIN by_key b ON b.target = t.id AND b.key = KEY CROSS JOIN payment p ON p.id = b.payment
  CROSS JOIN outcome o ON o.payment = p.id AND (o.state = ${CREATED} OR o.state >= ${UNKNOWN})`;

type LookUps = Pick<Ledger, 'find' | 'bySimilarity' | 'byId' | 'unsettled' | 'elsewhere'>;
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
    unsettled: (target) =>
      at(target, (id) => unsettled(context, id)).filter(({ state }) => state === 'unknown' || state === 'rejected'),
    elsewhere: ({ target, scope }, keys) =>
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
function unsettled(context: Context, target: number): Cells[] {
  const rows = select(context, UNSETTLED, target);
  for (const { first, last } of openClaims(context)) rows.push(...select(context, CLAIMED, target, first, last));
  return rows;
}

/** What is the same for all payments of one look-up. */
interface Moment {
  readonly context: Context;
  readonly claims: readonly OpenClaim[];
  readonly isAlive: (name: string | null) => boolean;
  /** Numbers of the runs that live calls send. */
  readonly live: ReadonlySet<number>;
  /** Null for a preparation, whose payments a run that goes on has taken. */
  readonly facts: (run: number) => RunFacts | null;
}

function known(context: Context, rows: readonly Cells[]): KnownPayment[] {
  if (rows.length === 0) return [];
  const isAlive = rememberedLiveness(context);
  const moment = {
    context,
    claims: openClaims(context),
    isAlive,
    live: liveRuns(context, isAlive),
    facts: rememberedFacts(context),
  };
  return rows.map((row) => knownPayment(row, moment));
}

function rememberedFacts(context: Context): Moment['facts'] {
  const remembered = new Map<number, RunFacts | null>();
  return (run) => {
    let facts = remembered.get(run);
    if (facts === undefined) remembered.set(run, (facts = selectFacts(context, run)));
    return facts;
  };
}

function knownPayment(cells: Cells, moment: Moment): KnownPayment {
  const run = moment.facts(cells[20]) ?? NO_RUN;
  const home = homeOf(cells[6]);
  const [reference, measure] = [cells[12], cells[14]];
  return {
    id: cells[6],
    type: typeOf(cells[7]),
    key: keyOf(cells[8]),
    bodyHash: hashOf(cells[9]),
    content: BigInt(cells[10]),
    similarity: BigInt(cells[11]),
    reference: reference === null ? null : BigInt(reference),
    date: cells[13],
    measure: measure === null ? null : BigInt(measure),
    amount: cells[15],
    currency: cells[16],
    replacedBy: cells[17],
    hasBody: cells[18] === 1,
    lifetimeMs: cells[19],
    run,
    batchId: home === run.number ? run.batchId : (moment.facts(home) ?? run).batchId,
    ...standing(cells, moment, run),
  };
}

type Standing = Pick<KnownPayment, 'state' | 'doubtSince' | 'isLive' | 'moment' | 'at'>;

/** A reader does not take over the claims of dead processes, so it tells them as if they had been taken over. */
function standing(cells: Cells, { context, claims, live, isAlive }: Moment, run: RunFacts): Standing {
  const state = stateOf(cells[0]);
  const isLive = live.has(run.number) && state !== 'created' && cells[17] === null;
  const told = { state, doubtSince: cells[5], moment: cells[2] ?? 0, at: cells[4] ?? run.startedAt, isLive };
  const claim = claims.length === 0 ? undefined : claimOn({ id: cells[6], state: cells[0], stamp: cells[3] }, claims);
  if (claim === undefined || isAlive(claim.name)) return told;
  const began = state === 'unknown' ? told.moment : lastClaim(context);
  return { state: 'unknown', doubtSince: told.doubtSince ?? claim.at, moment: began, at: claim.at, isLive: false };
}

/** {@link Ledger.liveCalls} */
export function selectLiveCalls(context: Context): LiveCall[] {
  const isAlive = rememberedLiveness(context);
  const calls = context.sql(
    `SELECT d.run, r.name, e.user, e.host, e.at, p.name FROM delivery d JOIN run r ON r.number = d.run
     JOIN process p ON p.id = d.process
     JOIN event e ON e.id = (SELECT max(id) FROM event WHERE event.run = d.run AND what = 'run') ORDER BY e.at`,
  );
  return (calls.all() as [number, string, string, string, number, string][])
    .filter(([, , , , , process]) => isAlive(process))
    .map(([run, name, user, host, since]) => ({ run, name, by: { user, host }, since }));
}

/** {@link Ledger.batches} */
export function selectBatches(context: Context, target: TargetName): string[] {
  const found = targetOf(context, target);
  const batches = context.sql('SELECT DISTINCT batch FROM run WHERE target = ? AND passed = 1');
  return (batches.all(found?.id ?? 0) as [string][]).flat();
}

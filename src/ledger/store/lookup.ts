/** Looking payments up in the history. */
import { CREATED, REJECTED, stateOf, typeOf, UNKNOWN } from '../codes.js';
import { homeOf, type Ledger, type LiveCall, type TargetName } from '../ledger.js';
import { type KnownPayment, NO_RUN, type RunFacts } from '../payment.js';
import type { Driver, Transaction, Value } from './driver.js';
import { selectFacts } from './runs.js';
import { ACCEPTED_BY, lastClaim, targetOf } from './transactions.js';

type Cells = readonly [
  state: number | null,
  moment: number | null,
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
  claimedAt: number | null,
  claimedBy: number | null,
];

/** Hashes come as text: they are larger than a number can hold. */
const COLUMNS = `o.state, o.moment, o.at, o.doubt_since, p.id, p.type, key_of(p), hash_of(p), CAST(p.content AS text),
  CAST(p.similarity AS text), CAST(p.reference AS text), p.date, CAST(p.measure AS text), p.amount, p.currency,
  p.replaced_by, p.body IS NOT NULL, p.lifetime, ${ACCEPTED_BY}, c.at, c.process`;
const WITH_OUTCOME = 'LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c';

const BY_KEY = `SELECT ${COLUMNS} FROM by_key b JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE b.target = $1 AND b.key = ANY_KEY ($2)`;
const BY_SIMILARITY = `SELECT ${COLUMNS} FROM by_similarity s JOIN payment p ON p.id = s.payment ${WITH_OUTCOME}
  WHERE p.target = $1 AND s.similarity = ANY ($2)`;
const BY_ID = `SELECT ${COLUMNS} FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1)`;
/** Those under a claim too: whether its process lives is asked by {@link known}. */
const UNSETTLED = `SELECT ${COLUMNS} FROM (SELECT payment AS id FROM outcome
    WHERE state <> ${CREATED} AND (state >= ${UNKNOWN} OR state = ${REJECTED}) UNION SELECT c.payment FROM claimed c) w
  JOIN payment p ON p.id = w.id ${WITH_OUTCOME} WHERE p.target = $1 AND p.replaced_by IS NULL ORDER BY p.id`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = $1 AND t.scope = $2)";
const ELSEWHERE = `SELECT ${COLUMNS} FROM target t JOIN by_key b ON b.target = t.id AND b.key = ANY_KEY ($3)
  JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE ${OTHER_TARGET} AND (o.state = ${CREATED} OR o.state >= ${UNKNOWN})`;

type LookUps = Pick<Ledger, 'find' | 'bySimilarity' | 'byId' | 'unsettled' | 'elsewhere' | 'hasElsewhere'>;

export function lookUps(driver: Driver): LookUps {
  const { session } = driver;
  const at = (target: TargetName, text: string, ...values: Value[]): Promise<KnownPayment[]> =>
    session.read(async (tx) => {
      const found = await targetOf(tx, target);
      return found === null ? [] : known(driver, tx, await tx.rows<Cells>(text, found.id, ...values));
    });
  return {
    find: (target, keys) => at(target, BY_KEY, keys),
    bySimilarity: (target, similarities) => at(target, BY_SIMILARITY, similarities),
    byId: (payments) => session.read(async (tx) => known(driver, tx, await tx.rows<Cells>(BY_ID, payments))),
    unsettled: async (target) =>
      (await at(target, UNSETTLED)).filter(({ state }) => state === 'unknown' || state === 'rejected'),
    elsewhere: ({ target, scope }, keys) =>
      session.read(async (tx) => known(driver, tx, await tx.rows<Cells>(ELSEWHERE, target, scope, keys))),
    hasElsewhere: ({ target, scope }) =>
      session.read(async (tx) => {
        const text = `SELECT 1 FROM target t WHERE ${OTHER_TARGET} AND t.gates > 0 LIMIT 1`;
        return (await tx.rows(text, target, scope)).length > 0;
      }),
  };
}

/** What is the same for all payments of one look-up. */
interface Moment {
  readonly driver: Driver;
  readonly lastClaim: number;
  /** Numbers of the runs that live calls send. */
  readonly live: ReadonlySet<number>;
  /** Row numbers of the processes that live, of those that have claimed any of the payments. */
  readonly alive: ReadonlyMap<number, string>;
  /** None of a preparation, whose payments a run that goes on has taken. */
  readonly facts: ReadonlyMap<number, RunFacts>;
}

async function known(driver: Driver, tx: Transaction, rows: readonly Cells[]): Promise<KnownPayment[]> {
  if (rows.length === 0) return [];
  const facts = await selectFacts(tx, distinct(rows.flatMap((cells) => [homeOf(cells[4]), cells[18]])));
  const sent = await tx.rows<[number, number]>('SELECT run, process FROM delivery');
  const owners = distinct(rows.flatMap((cells) => cells[20] ?? []));
  const processes = distinct([...owners, ...sent.map(([, process]) => process)]);
  const alive = processes.length === 0 ? new Map<number, string>() : await driver.alive(tx, processes);
  const live = new Set(sent.filter(([, process]) => alive.has(process)).map(([run]) => run));
  const moment = { driver, lastClaim: owners.length === 0 ? 0 : await lastClaim(tx), live, alive, facts };
  return rows.map((cells) => knownPayment(cells, moment));
}

function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)];
}

function knownPayment(cells: Cells, moment: Moment): KnownPayment {
  const { driver, facts } = moment;
  const run = facts.get(cells[18]) ?? NO_RUN;
  const [reference, measure] = [cells[10], cells[12]];
  return {
    id: cells[4],
    type: typeOf(cells[5]),
    key: driver.keyOf(cells[6]),
    bodyHash: driver.hashOf(cells[7]),
    content: BigInt(cells[8]),
    similarity: BigInt(cells[9]),
    reference: reference === null ? null : BigInt(reference),
    date: cells[11],
    measure: measure === null ? null : BigInt(measure),
    amount: cells[13],
    currency: cells[14],
    replacedBy: cells[15],
    hasBody: cells[16] === 1,
    lifetimeMs: cells[17],
    batchId: (facts.get(homeOf(cells[4])) ?? run).batchId,
    run,
    ...standingOf(cells, moment, run),
  };
}

type Standing = Pick<KnownPayment, 'state' | 'doubtSince' | 'isLive' | 'moment' | 'at'>;

/** A reader does not take over the claims of dead processes, so it tells them as if they had been taken over. */
function standingOf(cells: Cells, moment: Moment, run: RunFacts): Standing {
  const state = stateOf(cells[0]);
  const isLive = moment.live.has(run.number) && state !== 'created' && cells[15] === null;
  const told = { state, doubtSince: cells[3], moment: cells[1] ?? 0, at: cells[2] ?? run.startedAt, isLive };
  const [claimedAt, owner] = [cells[19], cells[20]];
  if (claimedAt === null || owner === null || moment.alive.has(owner)) return told;
  const began = state === 'unknown' ? told.moment : moment.lastClaim;
  return { state: 'unknown', doubtSince: told.doubtSince ?? claimedAt, moment: began, at: claimedAt, isLive: false };
}

/** {@link Ledger.liveCalls} */
export function selectLiveCalls(driver: Driver): Promise<LiveCall[]> {
  return driver.session.read(async (tx) => {
    const rows = await tx.rows<[number, string, string, string, number, number]>(
      `SELECT d.run, r.name, user_of(e), e.host, e.at, d.process FROM delivery d JOIN run r ON r.number = d.run
       JOIN event e ON e.id = (SELECT max(id) FROM event WHERE event.run = d.run AND what = 'run') ORDER BY e.at`,
    );
    const alive = await driver.alive(tx, distinct(rows.map((cells) => cells[5])));
    return rows
      .filter((cells) => alive.has(cells[5]))
      .map(([run, name, user, host, since]) => ({ run, name, by: { user, host }, since }));
  });
}

/** {@link Ledger.batches} */
export function selectBatches({ session }: Driver, target: TargetName): Promise<string[]> {
  return session.read(async (tx) => {
    const found = await targetOf(tx, target);
    const rows = await tx.rows<[string]>('SELECT DISTINCT batch FROM run WHERE target = $1 AND passed', found?.id ?? 0);
    return rows.flat();
  });
}

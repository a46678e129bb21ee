/** Looking payments up in the history. */
import { CREATED, REJECTED, stateOf, typeOf, UNKNOWN } from '../codes.js';
import { homeOf, type Ledger, type LiveCall, type TargetName } from '../ledger.js';
import { type KnownPayment, NO_RUN, type RunFacts } from '../payment.js';
import { ALIVE, type Context, LAST_CLAIM, targetOf } from './context.js';
import { ACCEPTED_BY } from './drafts.js';
import { selectFacts } from './runs.js';
import type { Transaction } from './session.js';

/** Hashes come as text: they are larger than a number can hold. */
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
  hasBody: boolean,
  lifetimeMs: number | null,
  acceptedBy: number,
  claimedAt: number | null,
  isOwnerAlive: boolean,
];

const COLUMNS = `o.state, o.moment, o.at, o.doubt_since, p.id, p.type, p.key, encode(p.body_hash, 'hex'), p.content::text,
  p.similarity::text, p.reference::text, p.date, p.measure::text, p.amount, p.currency, p.replaced_by, p.body IS NOT NULL,
  p.lifetime, ${ACCEPTED_BY}, c.at, (SELECT coalesce(bool_or(${ALIVE}), false) FROM process pr WHERE pr.id = c.process)`;
const WITH_OUTCOME = `LEFT JOIN outcome o ON o.payment = p.id
  LEFT JOIN claim c ON c.payment = p.id AND coalesce(o.state, 0) <> ${CREATED}`;

const BY_KEY = `SELECT ${COLUMNS} FROM by_key b JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE b.target = $1 AND b.key = ANY ($2::text[])`;
const BY_SIMILARITY = `SELECT ${COLUMNS} FROM by_similarity s JOIN payment p ON p.id = s.payment ${WITH_OUTCOME}
  WHERE p.target = $1 AND s.similarity = ANY ($2::bigint[])`;
const BY_ID = `SELECT ${COLUMNS} FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1::bigint[])`;
/** Those under a claim too: whether its process lives is looked at row by row. */
const UNSETTLED = `SELECT ${COLUMNS} FROM (SELECT payment AS id FROM outcome
    WHERE state <> ${CREATED} AND (state >= ${UNKNOWN} OR state = ${REJECTED}) UNION SELECT payment FROM claim) w
  JOIN payment p ON p.id = w.id ${WITH_OUTCOME} WHERE p.target = $1 AND p.replaced_by IS NULL ORDER BY p.id`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = $1 AND t.scope = $2)";
const ELSEWHERE = `SELECT ${COLUMNS} FROM target t JOIN by_key b ON b.target = t.id AND b.key = ANY ($3::text[])
  JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE ${OTHER_TARGET} AND (o.state = ${CREATED} OR o.state >= ${UNKNOWN})`;

type LookUps = Pick<Ledger, 'find' | 'bySimilarity' | 'byId' | 'unsettled' | 'elsewhere' | 'hasElsewhere'>;

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
    unsettled: async (target) =>
      (await at(target, UNSETTLED)).filter(({ state }) => state === 'unknown' || state === 'rejected'),
    elsewhere: ({ target, scope }, keys) =>
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

/** What is the same for all payments of one look-up. */
interface Moment {
  readonly lastClaim: number;
  /** Numbers of the runs that live calls send. */
  readonly live: ReadonlySet<number>;
  /** None of a preparation, whose payments a run that goes on has taken. */
  readonly facts: ReadonlyMap<number, RunFacts>;
}

const LIVE = `FROM delivery d JOIN process pr ON pr.id = d.process AND ${ALIVE}`;

async function known(tx: Transaction, rows: readonly Cells[]): Promise<KnownPayment[]> {
  if (rows.length === 0) return [];
  const facts = await selectFacts(tx, [...new Set(rows.flatMap((cells) => [homeOf(cells[4]), cells[18]]))]);
  const [[lastClaim, runs] = [0, []]] = await tx.rows<[number, number[]]>(
    `SELECT ${LAST_CLAIM}, (SELECT coalesce(json_agg(d.run), '[]') ${LIVE})`,
  );
  const moment = { lastClaim, live: new Set(runs), facts };
  return rows.map((cells) => knownPayment(cells, moment));
}

function knownPayment(cells: Cells, moment: Moment): KnownPayment {
  const run = moment.facts.get(cells[18]) ?? NO_RUN;
  const [reference, measure] = [cells[10], cells[12]];
  return {
    id: cells[4],
    type: typeOf(cells[5]),
    key: cells[6],
    bodyHash: cells[7],
    content: BigInt(cells[8]),
    similarity: BigInt(cells[9]),
    reference: reference === null ? null : BigInt(reference),
    date: cells[11],
    measure: measure === null ? null : BigInt(measure),
    amount: cells[13],
    currency: cells[14],
    replacedBy: cells[15],
    hasBody: cells[16],
    lifetimeMs: cells[17],
    batchId: (moment.facts.get(homeOf(cells[4])) ?? run).batchId,
    run,
    ...standing(cells, moment, run),
  };
}

type Standing = Pick<KnownPayment, 'state' | 'doubtSince' | 'isLive' | 'moment' | 'at'>;

/** A reader does not take over the claims of dead processes, so it tells them as if they had been taken over. */
function standing(cells: Cells, { lastClaim, live }: Moment, run: RunFacts): Standing {
  const state = stateOf(cells[0]);
  const isLive = live.has(run.number) && state !== 'created' && cells[15] === null;
  const told = { state, doubtSince: cells[3], moment: cells[1] ?? 0, at: cells[2] ?? run.startedAt, isLive };
  const [claimedAt, isOwnerAlive] = [cells[19], cells[20]];
  if (claimedAt === null || isOwnerAlive) return told;
  const began = state === 'unknown' ? told.moment : lastClaim;
  return { state: 'unknown', doubtSince: told.doubtSince ?? claimedAt, moment: began, at: claimedAt, isLive: false };
}

/** {@link Ledger.liveCalls} */
export async function selectLiveCalls({ session }: Context): Promise<LiveCall[]> {
  const rows = await session.read((tx) =>
    tx.rows<[number, string, string, string, number]>(
      `SELECT d.run, r.name, coalesce(e.copied_user, e.user_name), e.host, e.at ${LIVE} JOIN run r ON r.number = d.run
       JOIN event e ON e.id = (SELECT max(id) FROM event WHERE event.run = d.run AND what = 'run') ORDER BY e.at`,
    ),
  );
  return rows.map(([run, name, user, host, since]) => ({ run, name, by: { user, host }, since }));
}

/** {@link Ledger.batches} */
export function selectBatches({ session }: Context, target: TargetName): Promise<string[]> {
  return session.read(async (tx) => {
    const found = await targetOf(tx, target);
    const rows = await tx.rows<[string]>('SELECT DISTINCT batch FROM run WHERE target = $1 AND passed', found?.id ?? 0);
    return rows.flat();
  });
}

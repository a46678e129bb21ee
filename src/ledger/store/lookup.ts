/** Looking payments up in the history. */
import {
  homeOf,
  type KnownPayment,
  NO_RUN,
  type PaymentId,
  type RunFacts,
  type StoredOutcome,
  type TargetName,
} from '../payment.js';
import type { HomePlace, LiveCall } from '../plan.js';
import {
  CREATED,
  OUTCOME_COLUMNS,
  type OutcomeCells,
  REJECTED,
  stateOf,
  storedOutcomeOf,
  typeOf,
  UNKNOWN,
} from './codes.js';
import type { Driver, Transaction, Value } from './driver.js';
import { selectFacts } from './runs.js';
import { cutOff } from './taking-over.js';
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
  WHERE ${OTHER_TARGET}`;

/** Look-ups take some thousand keys, similarities or payments at a time. */
export function lookUps(driver: Driver) {
  const { session } = driver;
  const select = (text: string, ...values: Value[]): Promise<KnownPayment[]> =>
    session.read(async (tx) => known(driver, tx, await tx.rows<Cells>(text, ...values)));
  const at = (target: TargetName, text: string, ...values: Value[]): Promise<KnownPayment[]> =>
    session.read(async (tx) => {
      const found = await targetOf(tx, target);
      return found === null ? [] : known(driver, tx, await tx.rows<Cells>(text, found.id, ...values));
    });
  return {
    /**
     * The payments that now stand for these keys; in any order, none for an unknown key. One that was replaced by a payment
     * with another key still stands for its own, with `replacedBy`.
     */
    find: (target: TargetName, keys: readonly string[]) => at(target, BY_KEY, keys),
    /**
     * The payments of these similarities, also those that no longer stand for their key. Equal content implies equal
     * similarity, so this finds equal content too.
     */
    bySimilarity: (target: TargetName, similarities: readonly bigint[]) => at(target, BY_SIMILARITY, similarities),
    /** Payments by their numbers; none for an unknown one. */
    byId: (payments: readonly PaymentId[]) => select(BY_ID, payments),
    /** Payments at the target that are in doubt, or rejected and not replaced. */
    unsettled: async (target: TargetName) =>
      (await at(target, UNSETTLED)).filter(({ state }) => state === 'unknown' || state === 'rejected'),
    /** Payments under these keys at other targets, sandboxes aside. */
    elsewhere: ({ target, scope }: TargetName, keys: readonly string[]) => select(ELSEWHERE, target, scope, keys),
    /** Whether anything ever passed a gate at another target, sandboxes aside: else there is nothing to be found there. */
    hasElsewhere: ({ target, scope }: TargetName): Promise<boolean> =>
      session.read(async (tx) => {
        const text = `SELECT 1 FROM target t WHERE ${OTHER_TARGET} AND t.gates > 0 LIMIT 1`;
        return (await tx.rows(text, target, scope)).length > 0;
      }),
    /** The batches of all runs at the target. */
    batches: (target: TargetName): Promise<string[]> =>
      session.read(async (tx) => {
        const text = 'SELECT DISTINCT batch FROM run WHERE target = $1 AND passed';
        return (await tx.rows<[string]>(text, (await targetOf(tx, target))?.id ?? 0)).flat();
      }),
    /** The calls that send at this moment, each between its gate and its end. */
    liveCalls: () => selectLiveCalls(driver),
    /** What became of payments, in the order asked for; null where nothing did. One that is under way is `unknown`. */
    outcomes: (payments: readonly PaymentId[]) => selectOutcomes(driver, payments),
    /** Bodies of stored payments, drafts or history, in the order asked for; null where there is none any more. */
    bodies: (payments: readonly PaymentId[]) => selectBodies(driver, payments),
    /** Where payments stand in their home runs, in the order asked for. */
    places: (payments: readonly PaymentId[]) => selectPlaces(driver, payments),
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

function selectLiveCalls(driver: Driver): Promise<LiveCall[]> {
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

const OUTCOMES = `SELECT ${OUTCOME_COLUMNS}, p.id, c.at, c.run FROM payment p
  LEFT JOIN outcome o ON o.payment = p.id LEFT JOIN open_claim c WHERE p.id = ANY ($1)`;

async function selectOutcomes({ session }: Driver, payments: readonly PaymentId[]): Promise<(StoredOutcome | null)[]> {
  type Row = readonly [...OutcomeCells, PaymentId, number | null, number];
  const rows = await session.read((tx) => tx.rows<Row>(OUTCOMES, payments));
  const found = new Map(
    rows.map((cells) => {
      const [outcome, at, run] = [storedOutcomeOf(cells), cells[11], cells[12]];
      // Under a claim, it may have been carried out: by this process too, where the journal failed it.
      return [cells[10], at === null ? outcome : cutOff(outcome, { at, run })];
    }),
  );
  return payments.map((id) => found.get(id) ?? null);
}

async function selectBodies(driver: Driver, payments: readonly PaymentId[]): Promise<(string | null)[]> {
  type Body = [PaymentId, string | null, string, number | null];
  const rows = await driver.session.read((tx) =>
    tx.rows<Body>('SELECT p.id, p.body, key_of(p), key_place_of(p) FROM payment p WHERE p.id = ANY ($1)', payments),
  );
  const found = new Map(rows.map(([id, body, key, place]) => [id, driver.bodyOf(body, driver.keyOf(key), place)]));
  return payments.map((id) => found.get(id) ?? null);
}

const PLACES = `SELECT p.id, f.path, s.payment, s.count, s.record, s.line FROM payment p
  JOIN span s ON s.run = ${ACCEPTED_BY} AND s.stands_for IS NULL AND s.payment =
    (SELECT max(payment) FROM span WHERE span.run = ${ACCEPTED_BY} AND span.stands_for IS NULL AND span.payment <= p.id)
  JOIN file f ON f.run = s.run AND f.position = s.file WHERE p.id = ANY ($1)`;

type PlaceCells = readonly [
  ...[id: PaymentId, path: string, first: PaymentId, count: number, record: number, line: number | null],
];

async function selectPlaces({ session }: Driver, payments: readonly PaymentId[]): Promise<(HomePlace | null)[]> {
  const rows = await session.read((tx) => tx.rows<PlaceCells>(PLACES, payments));
  const places = new Map(
    rows.flatMap(([id, file, first, count, record, line]): [PaymentId, HomePlace][] => {
      const after = id - first;
      return after < count ? [[id, { file, record: record + after, line: line === null ? null : line + after }]] : [];
    }),
  );
  return payments.map((id) => places.get(id) ?? null);
}

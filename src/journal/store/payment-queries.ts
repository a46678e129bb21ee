/** Looks payments up in the history. */
import type { RecordType } from '../../records/kind.js';
import { homeOf, type StoredPayment, NO_RUN, type PaymentId, type RunFacts, type TargetName } from '../payment.js';
import type { HomePlace, LiveCall } from '../plan.js';
import { CREATED, NOT_SENT, REJECTED, stateOf, typeCode, typeOf, UNKNOWN } from './codes.js';
import type { Driver, StorageFormat, Transaction, Value } from './driver.js';
import { type Alive, aliveAmong, claimIn, cutOff, isCutOff, outcomeIn, WITH_OUTCOME } from './outcomes.js';
import { personIn } from './audit-queries.js';
import { PRUNED } from './pruning.js';
import { selectFacts } from './run-queries.js';
import { bodyIn, select, type RowMapper, rowMapper } from './row-mapper.js';
import { ACCEPTED_BY, lastClaim, targetOf } from './transactions.js';

/** The hash of the content comes as text: it is larger than a JavaScript number can hold. */
const known = (form: StorageFormat) =>
  rowMapper((of) => {
    // {@link fillIn} sets the remaining members: a second object would take longer than reading the row.
    const payment: Writable<StoredPayment> = {
      id: of('p.id'),
      type: of('p.type', typeOf),
      key: of('key_of(p)', form.keyOf),
      bodyHash: of('hash_of(p)', form.hashOf),
      content: of('CAST(p.content AS text)', BigInt),
      payee: of('p.payee'),
      title: of('p.title'),
      reference: of('p.reference'),
      date: of('p.date'),
      measure: of('p.measure'),
      isOfFile: of('p.of_flags IS NULL', Boolean),
      amount: of('p.amount'),
      currency: of('p.currency'),
      replacedBy: of('p.replaced_by'),
      hasBody: of('p.body IS NOT NULL', Boolean),
      lifetimeMs: of('p.lifetime'),
      state: of(`coalesce(o.state, ${NOT_SENT})`, stateOf),
      doubtSince: of('o.doubt_since'),
      claimWatermark: of('coalesce(o.moment, 0)'),
      isLive: false,
      at: of(`coalesce(o.at, (SELECT started_at FROM run WHERE number = ${ACCEPTED_BY}), 0)`),
      run: NO_RUN,
      batchId: '',
    };
    return { payment, acceptedBy: of<number>(ACCEPTED_BY), claim: claimIn(of) };
  });

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
type Found = ReturnType<ReturnType<typeof known>['read']>;

const BY_KEY = `FROM by_key b JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE b.target = $1 AND b.key = ANY_KEY ($2)`;
const BY_ID = `FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1)`;
/** Payments under a claim too: {@link asKnown} finds out whether the claim's process lives. */
const UNSETTLED = `FROM (SELECT payment AS id FROM outcome
    WHERE state <> ${CREATED} AND (state >= ${UNKNOWN} OR state = ${REJECTED}) UNION SELECT c.payment FROM claimed c) w
  JOIN payment p ON p.id = w.id ${WITH_OUTCOME} WHERE p.target = $1 AND p.replaced_by IS NULL ORDER BY p.id`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = $1 AND t.scope = $2)";
const ELSEWHERE = `FROM target t JOIN by_key b ON b.target = t.id AND b.key = ANY_KEY ($3)
  JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE ${OTHER_TARGET}`;

/** How payments are selected: `find` within a transaction, `at` for a target, which is `$1`. */
export function findings(driver: Driver) {
  const payment = known(driver);
  const find = async (tx: Transaction, from: string, ...values: Value[]): Promise<StoredPayment[]> =>
    asKnown(driver, tx, await select(tx, payment, from, ...values));
  const at = (target: TargetName, from: string, ...values: Value[]): Promise<StoredPayment[]> =>
    driver.session.read(async (tx) => {
      const found = await targetOf(tx, target);
      return found === null ? [] : find(tx, from, found.id, ...values);
    });
  return { find, at };
}

/** Look-ups take some thousand keys or payments at a time. */
export function paymentQueries(driver: Driver) {
  const { session } = driver;
  const body = bodies(driver);
  const { find, at } = findings(driver);
  return {
    /**
     * The payments that these keys lead to now; in any order, none for an unknown key. A payment that was replaced by
     * one with another key is still found by its key, with `replacedBy`.
     */
    find: (target: TargetName, keys: readonly string[]) => at(target, BY_KEY, keys),
    /** Payments by their numbers; none for an unknown one. */
    byId: (payments: readonly PaymentId[]) => session.read((tx) => find(tx, BY_ID, payments)),
    /** Payments at the target that are in doubt, or rejected and not replaced. */
    unsettled: async (target: TargetName) =>
      (await at(target, UNSETTLED)).filter(({ state }) => state === 'unknown' || state === 'rejected'),
    /** Payments under these keys at other targets, except sandboxes. */
    elsewhere: ({ target, scope }: TargetName, keys: readonly string[]) =>
      session.read((tx) => find(tx, ELSEWHERE, target, scope, keys)),
    /** Whether any run ever passed a gate at another target, except sandboxes: if not, there is nothing to find. */
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
    /** The outcomes of payments, in the order of the request; null for none. A payment under way is `unknown`. */
    outcomes: (payments: readonly PaymentId[]) => ofEach(driver, OUTCOME, BY_ID, payments),
    /** Bodies of stored payments, drafts or history, in the order of the request; null if the body is gone. */
    bodies: (payments: readonly PaymentId[]) => ofEach(driver, body, 'FROM payment p WHERE p.id = ANY ($1)', payments),
    /** Payments of a type at the target that are created with an answer that may contain this text. */
    createdWith: (target: TargetName, type: RecordType, text: string): Promise<Answered[]> =>
      session.read(async (tx) => {
        const found = await targetOf(tx, target);
        return select(tx, ANSWERED, CREATED_WITH, found?.id ?? 0, typeCode(type), inAnswer(text));
      }),
    /** Those of the payments whose bodies are gone. */
    pruned: (payments: readonly PaymentId[]): Promise<PaymentId[]> =>
      session.read(async (tx) => (await tx.rows<[PaymentId]>(PRUNED, payments)).flat()),
    /** The places of payments in their home runs, in the order of the request. */
    places: (payments: readonly PaymentId[]) => ofEach(driver, PLACE, PLACES, payments),
  };
}

/** Data that all payments of one look-up share. */
interface Moment {
  readonly lastClaim: number;
  /** Numbers of the runs that live calls send. */
  readonly live: ReadonlySet<number>;
  readonly alive: Alive;
  /** Without preparations whose drafts another run has taken over. */
  readonly facts: ReadonlyMap<number, RunFacts>;
}

async function asKnown(driver: Driver, tx: Transaction, found: readonly Found[]): Promise<StoredPayment[]> {
  if (found.length === 0) return [];
  const runs = new Set(found.flatMap(({ payment, acceptedBy }) => [homeOf(payment.id), acceptedBy]));
  const facts = await selectFacts(tx, [...runs]);
  const claims = found.map(({ claim }) => claim);
  const sent = await select(tx, DELIVERED, 'FROM delivery');
  const alive = await aliveAmong(driver, tx, [...claims, ...sent]);
  const live = new Set(sent.filter(({ process }) => alive.has(process)).map(({ run }) => run));
  const moment = { lastClaim: await lastClaim(tx), live, alive, facts };
  return found.map((each) => fillIn(each, moment));
}

const DELIVERED = rowMapper((of) => ({ run: of<number>('run'), process: of<number>('process') }));

/** A reader does not take over the claims of dead processes, so it shows them as if they had been taken over. */
function fillIn({ payment, acceptedBy, claim }: Found, { facts, live, alive, lastClaim: last }: Moment): StoredPayment {
  const run = facts.get(acceptedBy) ?? NO_RUN;
  payment.run = run;
  payment.batchId = (facts.get(homeOf(payment.id)) ?? run).batchId;
  if (isCutOff(claim, alive)) {
    if (payment.state !== 'unknown') payment.claimWatermark = last;
    payment.state = 'unknown';
    payment.doubtSince ??= claim.at;
    payment.at = claim.at;
  } else payment.isLive = live.has(run.number) && payment.state !== 'created' && payment.replacedBy === null;
  return payment;
}

const CALL = rowMapper((of) => ({
  process: of<number>('d.process'),
  call: { run: of<number>('d.run'), name: of<string>('r.name'), by: personIn(of, 'e'), since: of<number>('e.at') },
}));

function selectLiveCalls(driver: Driver): Promise<LiveCall[]> {
  return driver.session.read(async (tx) => {
    const calls = await select(
      tx,
      CALL,
      `FROM delivery d JOIN run r ON r.number = d.run
       JOIN event e ON e.id = (SELECT max(id) FROM event WHERE event.run = d.run AND what = 'run') ORDER BY e.at`,
    );
    const alive = await aliveAmong(driver, tx, calls);
    return calls.filter(({ process }) => alive.has(process)).map(({ call }) => call);
  });
}

/** In the order of the request; null for a payment without a result. @param from SQL, $1 are the payments */
async function ofEach<T>(
  { session }: Driver,
  of: RowMapper<{ readonly id: PaymentId; readonly told: T }>,
  from: string,
  payments: readonly PaymentId[],
): Promise<(T | null)[]> {
  const rows = await session.read((tx) => select(tx, of, from, payments));
  const found = new Map(rows.map(({ id, told }) => [id, told]));
  return payments.map((id) => found.get(id) ?? null);
}

const OUTCOME = rowMapper((of) => {
  const id = of<PaymentId>('p.id');
  const outcome = outcomeIn(of);
  const claim = claimIn(of);
  // A claimed payment may have gone through. This includes a claim of this process whose outcome could not be stored.
  return { id, told: claim === null ? outcome : cutOff(outcome, claim) };
});

const bodies = (form: StorageFormat) =>
  rowMapper((of) => ({ id: of<PaymentId>('p.id'), told: bodyIn(of, of('key_of(p)', form.keyOf), form) }));

/** The stretch `s` of the run that accepted the payment last, and its file. */
const PLACES = `FROM payment p JOIN span s ON s.run = ${ACCEPTED_BY} AND s.stands_for IS NULL AND s.payment =
    (SELECT max(payment) FROM span WHERE span.run = ${ACCEPTED_BY} AND span.stands_for IS NULL AND span.payment <= p.id)
  JOIN file f ON f.run = s.run AND f.position = s.file WHERE p.id = ANY ($1) AND p.id < s.payment + s.count`;

const PLACE = rowMapper((of) => {
  const told: HomePlace = {
    file: of('f.path'),
    record: of('s.record + p.id - s.payment'),
    line: of('s.line + p.id - s.payment'),
  };
  return { id: of<PaymentId>('p.id'), told };
});

interface Answered {
  readonly id: PaymentId;
  /** JSON text. */
  readonly response: string;
}

const CREATED_WITH = `FROM payment p JOIN outcome o ON o.payment = p.id
  WHERE p.target = $1 AND p.type = $2 AND o.state = ${CREATED} AND o.response LIKE $3 ESCAPE '!'`;

const ANSWERED = rowMapper((of): Answered => ({ id: of('p.id'), response: of('o.response') }));

/** A pattern for an answer with this text. A service may escape any character but these. */
function inAnswer(text: string): string {
  return /^[\w.:-]+$/.test(text) ? `%${text.replaceAll('_', '!_')}%` : '%';
}

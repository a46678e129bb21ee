/** Looks payments up in the history. */
import type { PaymentQueries } from '../journal.js';
import { homeOf, type StoredPayment, NO_RUN, type PaymentId, type RunFacts, type TargetName } from '../payment.js';
import type { AnsweredPayment, ConfirmedPayment, HomePlace, LiveCall, PaymentStretch } from '../plan.js';
import { CREATED, GIG, NOT_SENT, REJECTED, stateOf, typeCode, typeOf, UNKNOWN } from './common-schema.js';
import type { Driver, StorageFormat, Transaction, SqlValue } from './driver.js';
import { aliveAmong, claimIn, cutOff, isCutOff, type OpenClaim, outcomeIn, WITH_OUTCOME } from './outcomes.js';
import { personIn } from './audit-queries.js';
import { PRUNED } from './pruning.js';
import { selectFacts } from './run-queries.js';
import { bodyIn, select, type RowMapper, rowMapper } from './row-mapper.js';
import { createStoredLookup } from './stored.js';
import { ACCEPTED_BY, lastClaim, findTarget } from './transactions.js';

interface FoundPayment {
  /** {@link fillIn} sets its remaining members: a second object would take longer than reading the row. */
  readonly payment: { -readonly [Name in keyof StoredPayment]: StoredPayment[Name] };
  /** Number of the run that accepted it last. */
  readonly acceptedBy: number;
  readonly claim: OpenClaim | null;
}

/** The hash of the content comes as text: it is larger than a JavaScript number can hold. */
const paymentMapper = (form: StorageFormat) =>
  rowMapper((of): FoundPayment => {
    const payment: FoundPayment['payment'] = {
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
    return { payment, acceptedBy: of(ACCEPTED_BY), claim: claimIn(of) };
  });

const BY_KEYS = `FROM by_key b JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE b.target = $1 AND b.key = ANY_KEY ($2)`;
const BY_ID = `FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1)`;
/** Payments under a claim too: {@link completePayments} finds out whether the claim's process lives. */
const UNSETTLED = `FROM (SELECT payment AS id FROM outcome
    WHERE state <> ${CREATED} AND (state >= ${UNKNOWN} OR state = ${REJECTED}) UNION SELECT c.payment FROM claimed c) w
  JOIN payment p ON p.id = w.id ${WITH_OUTCOME} WHERE p.target = $1 AND p.replaced_by IS NULL ORDER BY p.id`;
const OTHER_TARGET = "t.scope = '' AND NOT (t.name = $1 AND t.scope = $2)";
const AT_OTHER_TARGETS = `FROM target t JOIN by_key b ON b.target = t.id AND b.key = ANY_KEY ($3)
  JOIN payment p ON p.id = b.payment ${WITH_OUTCOME}
  WHERE ${OTHER_TARGET}`;

/** How payments are selected: `find` within a transaction, `at` for a target, which is `$1`. */
export function paymentFinder(driver: Driver) {
  const payment = paymentMapper(driver);
  const find = async (tx: Transaction, from: string, ...values: SqlValue[]): Promise<StoredPayment[]> =>
    completePayments(driver, tx, await select(tx, payment, from, ...values));
  const at = (target: TargetName, from: string, ...values: SqlValue[]): Promise<StoredPayment[]> =>
    driver.session.read(async (tx) => {
      const found = await findTarget(tx, target);
      return found === null ? [] : find(tx, from, found.id, ...values);
    });
  return { find, at };
}

export function paymentQueries(driver: Driver): PaymentQueries {
  const { session } = driver;
  const body = bodyMapper(driver);
  const { find, at } = paymentFinder(driver);
  return {
    stored: createStoredLookup(driver),
    find: (target, keys) => at(target, BY_KEYS, keys),
    byId: (payments) => session.read((tx) => find(tx, BY_ID, payments)),
    unsettled: async (target) =>
      (await at(target, UNSETTLED)).filter(({ state }) => state === 'unknown' || state === 'rejected'),
    elsewhere: ({ target, scope }, keys) => session.read((tx) => find(tx, AT_OTHER_TARGETS, target, scope, keys)),
    hasElsewhere: ({ target, scope }) =>
      session.read(async (tx) => {
        const text = `SELECT 1 FROM target t WHERE ${OTHER_TARGET} AND t.gates > 0 LIMIT 1`;
        return (await tx.rows(text, target, scope)).length > 0;
      }),
    batches: (target) =>
      session.read(async (tx) => {
        const text = 'SELECT DISTINCT batch FROM run WHERE target = $1 AND passed';
        return (await tx.rows<[string]>(text, (await findTarget(tx, target))?.id ?? 0)).flat();
      }),
    liveCalls: () => selectLiveCalls(driver),
    outcomes: (payments) => ofEach(driver, OUTCOME, BY_ID, payments),
    bodies: (payments) => ofEach(driver, body, 'FROM payment p WHERE p.id = ANY ($1)', payments),
    createdWith: (target, type, text) =>
      session.read(async (tx) => {
        const found = await findTarget(tx, target);
        return select(tx, CONFIRMED, CREATED_WITH, found?.id ?? 0, typeCode(type), inAnswer(text));
      }),
    answers: (target, after, count) =>
      session.read(async (tx) => {
        const found = await findTarget(tx, target);
        return select(tx, ANSWER, ANSWERED, found?.id ?? 0, after, count);
      }),
    gigsTitled: (target, titles) => at(target, GIGS_TITLED, titles),
    stretches: (target, type) =>
      session.read(async (tx) => {
        const { id = 0 } = (await findTarget(tx, target)) ?? {};
        return select(tx, STRETCH, STRETCHES, id, typeCode(type));
      }),
    answersIn: (stretches) => {
      const ranges = stretches.map(({ first, last }) => [first, last]);
      return session.read((tx) => select(tx, CONFIRMED, ANSWERS_IN, ranges));
    },
    pruned: (payments) => session.read(async (tx) => (await tx.rows<[PaymentId]>(PRUNED, payments)).flat()),
    places: (payments) => ofEach(driver, ACCEPTED_PLACE, ACCEPTED_SPANS, payments),
  };
}

/** Data that all payments of one look-up share. */
interface Moment {
  readonly lastClaim: number;
  /** Numbers of the runs that live calls send. */
  readonly live: ReadonlySet<number>;
  readonly alive: ReadonlySet<number>;
  /** Without preparations whose drafts another run has taken over. */
  readonly facts: ReadonlyMap<number, RunFacts>;
}

async function completePayments(
  driver: Driver,
  tx: Transaction,
  found: readonly FoundPayment[],
): Promise<StoredPayment[]> {
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
function fillIn(
  { payment, acceptedBy, claim }: FoundPayment,
  { facts, live, alive, lastClaim: last }: Moment,
): StoredPayment {
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

const bodyMapper = (form: StorageFormat) =>
  rowMapper((of) => ({ id: of<PaymentId>('p.id'), told: bodyIn(of, of('key_of(p)', form.keyOf), form) }));

/** The stretch `s` of the run that accepted the payment last, and its file. */
const ACCEPTED_SPANS = `FROM payment p JOIN span s ON s.run = ${ACCEPTED_BY} AND s.stands_for IS NULL AND s.payment =
    (SELECT max(payment) FROM span WHERE span.run = ${ACCEPTED_BY} AND span.stands_for IS NULL AND span.payment <= p.id)
  JOIN file f ON f.run = s.run AND f.position = s.file WHERE p.id = ANY ($1) AND p.id < s.payment + s.count`;

const ACCEPTED_PLACE = rowMapper((of) => {
  const told: HomePlace = {
    index: of('s.idx + p.id - s.payment'),
    file: of('f.path'),
    record: of('s.record + p.id - s.payment'),
    line: of('s.line + p.id - s.payment'),
  };
  return { id: of<PaymentId>('p.id'), told };
});

/** Reads all created payments of the target: only where a person settles. */
const CREATED_WITH = `FROM payment p JOIN outcome o ON o.payment = p.id
  WHERE p.target = $1 AND p.type = $2 AND o.state = ${CREATED} AND o.response LIKE $3 ESCAPE '!'`;

/** A stretch is a part of a file, and the records of a file have one type. */
const STRETCHES = `FROM run r JOIN span s ON s.run = r.number JOIN payment p ON p.id = s.payment
  WHERE r.target = $1 AND r.passed AND s.stands_for IS NULL AND p.type = $2`;

const STRETCH = rowMapper((of): PaymentStretch => ({ first: of('s.payment'), last: of('s.payment + s.count - 1') }));

const ANSWERS_IN = `FROM given($1, first bigint, last bigint) g JOIN payments_in(g.first, g.last) p
  JOIN outcome o ON o.payment = p.id WHERE o.state = ${CREATED} AND o.response IS NOT NULL`;

const CONFIRMED = rowMapper((of): ConfirmedPayment => ({ id: of('p.id'), response: of('o.response') }));

const ANSWERED = `FROM payment p JOIN outcome o ON o.payment = p.id WHERE p.target = $1 AND p.id > $2
  AND (o.state = ${CREATED} OR o.state >= ${UNKNOWN}) AND o.response IS NOT NULL ORDER BY p.id LIMIT $3`;

const ANSWER = rowMapper((of): AnsweredPayment => ({
  id: of('p.id'),
  type: of('p.type', typeOf),
  isCreated: of(`o.state = ${CREATED}`, Boolean),
  httpStatus: of('o.http_status'),
  response: of('o.response'),
}));

const GIGS_TITLED = `FROM payment p ${WITH_OUTCOME}
  WHERE p.target = $1 AND p.type = ${GIG} AND p.title = ANY ($2) AND p.replaced_by IS NULL
    AND p.run IS DISTINCT FROM 0 AND EXISTS (SELECT 1 FROM run WHERE run.number = ${ACCEPTED_BY} AND run.passed) ORDER BY p.id`;

/** A pattern for an answer with this text. A service may escape any character but these. */
function inAnswer(text: string): string {
  return /^[\w.:-]+$/.test(text) ? `%${text.replaceAll('_', '!_')}%` : '%';
}

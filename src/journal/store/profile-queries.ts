/** What the runs of a profile have paid: a later call with the profile is compared with it. */
import type { PaymentId, TargetName } from '../payment.js';
import type { PaidAmounts, ProfileRun } from '../plan.js';
import { CREATED, NOT_SENT, typeOf, UNKNOWN } from './common-schema.js';
import type { Driver } from './driver.js';
import { type Cell, PAYEE_ID, payeeIdIn, rowMapper, select } from './row-mapper.js';
import { profilePattern } from './run-queries.js';
import { findTarget, IS_ENDED } from './transactions.js';

/** SQL: a payment of the run has no outcome, or is put back. Counting the outcomes of a span takes no look-ups. */
const HAS_OPEN = `EXISTS (SELECT 1 FROM span s WHERE s.run = run.number AND s.stands_for IS NULL AND s.count >
  (SELECT count(*) FROM outcome o WHERE o.payment BETWEEN s.payment AND s.payment + s.count - 1 AND o.state <> ${NOT_SENT}))`;

const PROFILE_RUN = rowMapper((of): ProfileRun => ({
  number: of('run.number'),
  name: of('run.name'),
  batchId: of('run.batch'),
  startedAt: of('run.started_at'),
  isFinished: of(`(${IS_ENDED} OR (run.exit_code IS NOT NULL AND NOT ${HAS_OPEN}))`, Boolean),
}));

const RUNS_OF_PROFILE = `FROM run JOIN event e ON e.id = run.begun
  WHERE run.target = $1 AND run.passed AND e.facts LIKE $2 ESCAPE '!' ORDER BY run.number DESC`;

/** {@link Journal.profileRuns} */
export function selectProfileRuns(driver: Driver, target: TargetName, profile: string): Promise<ProfileRun[]> {
  return driver.session.read(async (tx) => {
    const found = await findTarget(tx, target);
    return found === null ? [] : select(tx, PROFILE_RUN, RUNS_OF_PROFILE, found.id, profilePattern(profile));
  });
}

/** As JSON lists: that takes half of the time of rows. They are null, or empty, without a payment. */
const PAID_AMOUNTS = rowMapper((of) => ({
  ids: numbersIn(of, 'id'),
  types: numbersIn(of, 'type').map(typeOf),
  payees: numbersIn(of, 'payee'),
  amounts: textsIn(of, 'amount'),
  currencies: textsIn(of, 'currency'),
  payeeIds: textsIn(of, 'payee_id').map((text) => (text === null ? null : payeeIdIn(text))),
}));

function numbersIn(of: Cell, column: string): readonly number[] {
  return of<number[] | null>(`json_list(${column})`, (text: string) => JSON.parse(text) as number[]) ?? [];
}

function textsIn(of: Cell, column: string): readonly (string | null)[] {
  return of<(string | null)[] | null>(`json_list(${column})`, (text: string) => JSON.parse(text) as string[]) ?? [];
}

/** Numbers of the first and the last payment. */
type PaymentRange = readonly [first: PaymentId, last: PaymentId];

const RANGES = 'SELECT payment, payment + count - 1 FROM span WHERE run = ANY ($1) AND stands_for IS NULL ORDER BY 1';
const CREATED_COUNT = `SELECT count(*) FROM given($1, first bigint, last bigint) g
  JOIN outcome o ON o.payment BETWEEN g.first AND g.last WHERE o.state = ${CREATED}`;
const ALL = `SELECT p.id, p.type, p.payee, p.amount, p.currency, ${PAYEE_ID} AS payee_id
  FROM given($1, first bigint, last bigint) g JOIN payments_in(g.first, g.last) p`;
const PAID = `${ALL} JOIN outcome o ON o.payment = p.id WHERE o.state = ${CREATED} OR o.state >= ${UNKNOWN}`;

const PAYMENTS_PER_PAGE = 5000;

/** {@link Journal.paidBy}. Mostly all are created: to count that takes a fraction of reading their outcomes. */
export async function* selectPaid({ session }: Driver, runs: readonly number[]): AsyncIterable<PaidAmounts> {
  const ranges = await session.read((tx) => tx.rows<PaymentRange>(RANGES, runs));
  for (const page of pagesOfRanges(disjoint(ranges)))
    yield await session.read(async (tx) => {
      const [[created] = [0]] = await tx.rows<[number]>(CREATED_COUNT, page);
      const payments = page.reduce((sum, [first, last]) => sum + last - first + 1, 0);
      const from = `FROM (${created === payments ? ALL : PAID}) paid`;
      return (await select(tx, PAID_AMOUNTS, from, page))[0] as PaidAmounts;
    });
}

/** Runs that have continued each other name the same payments. @param ranges by their first payment */
function disjoint(ranges: readonly PaymentRange[]): PaymentRange[] {
  const found: PaymentRange[] = [];
  let end = 0;
  for (const [first, last] of ranges) {
    if (last > end) found.push([Math.max(first, end + 1), last]);
    end = Math.max(end, last);
  }
  return found;
}

function* pagesOfRanges(ranges: readonly PaymentRange[]): Iterable<PaymentRange[]> {
  let page: PaymentRange[] = [];
  let room = PAYMENTS_PER_PAGE;
  for (const [first, last] of ranges)
    for (let from = first; from <= last;) {
      const to = Math.min(last, from + room - 1);
      page.push([from, to]);
      room -= to - from + 1;
      from = to + 1;
      if (room > 0) continue;
      yield page;
      page = [];
      room = PAYMENTS_PER_PAGE;
    }
  if (page.length > 0) yield page;
}

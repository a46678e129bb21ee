/** A person's decisions: they settle payments in doubt, and end runs for good. */
import { UsageError } from '../../errors.js';
import { positionText } from '../../records/issue.js';
import { subjectOf } from '../../records/types.js';
import type { AuditEvent } from '../audit-log.js';
import {
  NOT_CREATED,
  type Outcome,
  type PaymentId,
  type PaymentState,
  type Run,
  type Settlement,
  type StoredRecord,
} from '../payment.js';
import type { SettleDecision } from '../plan.js';
import { CREATED, NOT_SENT, REJECTED, stateCode, stateOf, UNKNOWN } from './common-schema.js';
import type { Driver, LiveProcess, Transaction } from './driver.js';
import { indexIn } from './run-list.js';
import { addEvent, personIn } from './audit-queries.js';
import { WITH_OUTCOME } from './outcomes.js';
import { restoreRejected } from './gate.js';
import { selectFiles } from './run-queries.js';
import { select, rowMapper } from './row-mapper.js';
import { takeOver } from './recovery.js';
import { ACCEPTED_BY, lockExclusively, lastClaim, bumpVersion, writeAsProcess } from './transactions.js';

/**
 * A person can end a doubt instead of an answer. The attempts, the last request ID and the start of the doubt stay as
 * they were. If an earlier decision had ended the doubt, a second one counts as a change for runs that passed their
 * gate in between.
 */
const SETTLE_OUTCOME = `UPDATE outcome SET state = $2, run = $3, stamp = $4, at = $5,
  moment = CASE WHEN state >= ${UNKNOWN} THEN moment ELSE $4 END, http_status = $6, doubt_since = NULL, response = $7,
  error = $8 WHERE payment = $1`;

/** SQL: the run that accepted a payment `p` last is closed, so nobody will send it. */
const IS_OF_CLOSED = `EXISTS (SELECT 1 FROM run WHERE number = ${ACCEPTED_BY} AND closed IS NOT NULL)`;

/** {@link Journal.settle} */
export async function settlePayments(
  driver: Driver,
  decisions: readonly SettleDecision[],
  note: string,
): Promise<void> {
  await writeAsProcess(driver, async (tx) => {
    const runs = [...new Set(decisions.map(({ run }) => run.number))];
    // A run that is being compared with the history at this moment must be compared again.
    for (const run of runs) await bumpVersion(tx, run);
    await lockAndTakeOver(driver, tx);
    const files = await selectFiles(tx, runs);
    const payments = new Set<PaymentId>();
    for (const decision of decisions) {
      const { run, record, outcome } = decision;
      const payment = await requireInDoubt(driver, tx, decision);
      // Two records may share one payment: it is settled once.
      if (!payments.has(payment)) await settleOutcome(tx, run.number, payment, outcome);
      payments.add(payment);
      const event = settlementOf(decision, files.get(run.number)?.[record.file]?.path ?? '');
      await addEvent(driver, tx, event, { run: run.number, payment, index: record.index, note });
    }
    await restoreRejected(tx, `p.id = ANY ($1) AND ${IS_OF_CLOSED}`, [...payments]);
  });
  await driver.tidyUp();
}

/**
 * Takes over in the same commit: a process whose lease has run out may renew it until it is shut out, and then it sends
 * what a person has decided about.
 */
async function lockAndTakeOver(driver: Driver, tx: Transaction): Promise<void> {
  await lockExclusively(driver, tx);
  await takeOver(driver, tx);
}

async function requireInDoubt(
  driver: Driver,
  tx: Transaction,
  { record, outcome, requestMs, list }: SettleDecision,
): Promise<PaymentId> {
  const id = record.payment;
  if (id === null) throw notInDoubt(record, 'is invalid');
  if (record.standsFor !== null) throw notInDoubt(record, 'was left out');
  const [row] = await tx.rows<[number | null, string | null, number, number, number]>(
    `SELECT o.state, o.error, c.at IS NOT NULL, o.at, ${ACCEPTED_BY} FROM payment p
     ${WITH_OUTCOME} WHERE p.id = $1`,
    id,
  );
  const [state, error, isClaimed, at, acceptedBy] = row ?? [null, null, 0, 0, 0];
  // A list knows nothing of what a call does since it was made.
  if (isClaimed === 1 || (list !== null && (await liveSenderOf(driver, tx, acceptedBy)) !== undefined)) {
    throw new UsageError(
      `${recordName(record)} is under way in another process; wait until that has ended, then look again`,
    );
  }
  // A payment that was settled as not created, and not sent since, can still be corrected by a person.
  const isTold = list === null && state === NOT_SENT && error?.startsWith(NOT_CREATED) === true;
  if (state !== null && state >= UNKNOWN && outcome.state === 'not_sent') requireEnded(record, at + requestMs - tx.at);
  if (state !== null && (state >= UNKNOWN || isTold)) return id;
  throw notInDoubt(record, KNOWN_AS[state === null ? 'not_sent' : stateOf(state)]);
}

/** @param leftMs how long the service may still be at its last request, milliseconds. @throws UsageError */
function requireEnded(record: StoredRecord, leftMs: number): void {
  if (leftMs <= 0) return;
  throw new UsageError(
    `the service may still be carrying out ${recordName(record)}. Look it up again in ${Math.ceil(leftMs / 1000)} seconds, then record the result`,
  );
}

const KNOWN_AS: Readonly<Record<PaymentState, string>> = {
  created: 'is confirmed already',
  rejected: 'was refused',
  not_sent: 'was not sent',
  unknown: 'is not confirmed',
};

function notInDoubt(record: StoredRecord, known: string): UsageError {
  return new UsageError(
    `${recordName(record)} ${known}. You can only record the result of a payment that is not confirmed. Nothing was recorded`,
  );
}

/** `line 4 (usr_7)`: a person who meant another record sees the mistake. */
function recordName(record: StoredRecord): string {
  const shown = subjectOf(record.body);
  return `${positionText(record)}${shown === '' ? '' : ` (${shown})`}`;
}

/** @param file path of the record's file */
function settlementOf({ record: { record, line, key }, outcome, list }: SettleDecision, file: string): AuditEvent {
  const status = outcome.state as Settlement['state'];
  const event: AuditEvent = { kind: 'settled', status, file, record, line, key: key ?? '' };
  return list === null ? event : { ...event, list };
}

async function settleOutcome(tx: Transaction, run: number, payment: PaymentId, outcome: Outcome): Promise<void> {
  const { state, httpStatus, response, error } = outcome;
  await tx.change(
    SETTLE_OUTCOME,
    payment,
    stateCode(state),
    run,
    await lastClaim(tx),
    tx.at,
    httpStatus,
    response,
    error,
  );
}

const SETTLEMENT = rowMapper((of) => ({
  at: of<number>('e.at'),
  payment: of<PaymentId>('e.payment'),
  index: of<number>('e.idx'),
  state: of('e.facts', (facts: string) => (JSON.parse(facts) as { readonly status: Settlement['state'] }).status),
  by: personIn(of, 'e'),
  note: of<string>(`coalesce(e.note, '')`),
  isByList: of('e.facts', (facts: string) => 'list' in (JSON.parse(facts) as object)),
}));

/** {@link Journal.settlements} */
export function selectSettlements({ session }: Driver, run: number): Promise<Settlement[]> {
  return session.read(async (tx) => {
    const told = await select(
      tx,
      SETTLEMENT,
      `FROM event e WHERE e.run = $1 AND e.what = 'settled' ORDER BY e.id`,
      run,
    );
    const settlements: Settlement[] = [];
    // The run may have continued with files that have the record at another place.
    for (const { payment, ...word } of told)
      settlements.push({ ...word, index: (await indexIn(tx, run, payment)) ?? word.index });
    return settlements;
  });
}

/** {@link Journal.close} */
export async function closeForGood(driver: Driver, { number, name }: Run, note: string): Promise<void> {
  await writeAsProcess(driver, async (tx) => {
    await bumpVersion(tx, number);
    await lockAndTakeOver(driver, tx);
    const run = await selectNow(tx, number);
    const sender = await liveSenderOf(driver, tx, number);
    if (sender !== undefined) throw new UsageError(`run ${name} is being sent at this moment${waitText(sender)}`);
    if (run.isClosed) throw new UsageError(`run ${name} is closed already`);
    if (!run.hasLeft) throw new UsageError(`run ${name} has nothing to close: none of its records is open or rejected`);
    const event = await addEvent(driver, tx, { kind: 'closed' }, { run: number, note });
    await tx.change('UPDATE run SET closed = $1 WHERE number = $2', event, number);
    await tx.change(HAND_OVER, number);
    await restoreRejected(tx, `${ACCEPTED_BY} = $1`, number);
  });
  await driver.tidyUp();
}

/** The live process that sends the run; undefined for none. */
async function liveSenderOf(driver: Driver, tx: Transaction, run: number): Promise<LiveProcess | undefined> {
  const sent = await tx.rows<[number]>('SELECT process FROM delivery WHERE run = $1', run);
  return (await driver.aliveProcesses(tx, sent.flat()))[0];
}

function waitText({ lease }: LiveProcess): string {
  if (lease === null) return '; wait until that has ended';
  return `, on ${lease.host}; wait until that has ended. If nothing is heard of that machine any more, it counts as dead in ${lease.expiresInSeconds} s`;
}

/**
 * SQL: what the closed run leaves open or in doubt belongs to the newest other run that lists it, and that may still
 * send it. CONTRACT: "Open, live, unfinished".
 */
const HAND_OVER = `UPDATE payment SET run = heir.run FROM (
    SELECT p.id, max(r.number) AS run FROM span s
    JOIN span other ON other.payment < s.payment + s.count AND s.payment < other.payment + other.count
      AND other.stands_for IS NULL
    JOIN run r ON r.number = other.run AND r.passed AND r.closed IS NULL
    JOIN payments_in(s.payment, s.payment + s.count - 1) p
    LEFT JOIN outcome o ON o.payment = p.id
    WHERE s.run = $1 AND s.stands_for IS NULL AND p.id BETWEEN other.payment AND other.payment + other.count - 1
      AND ${ACCEPTED_BY} = $1 AND coalesce(o.state, ${NOT_SENT}) NOT IN (${CREATED}, ${REJECTED})
    GROUP BY p.id) heir
  WHERE payment.id = heir.id`;

/** SQL: open or rejected payments in the run's list, whichever run caused their state. */
const LEFT = `SELECT 1 FROM span s JOIN payments_in(s.payment, s.payment + s.count - 1) p
  LEFT JOIN outcome o ON o.payment = p.id
  WHERE s.run = $1 AND s.stands_for IS NULL AND p.replaced_by IS NULL
    AND (o.state IS NULL OR o.state IN (${REJECTED}, ${NOT_SENT})) LIMIT 1`;

async function selectNow(tx: Transaction, run: number): Promise<{ isClosed: boolean; hasLeft: boolean }> {
  const [row] = await tx.rows<[number]>('SELECT closed IS NOT NULL FROM run WHERE number = $1', run);
  return { isClosed: row?.[0] === 1, hasLeft: (await tx.rows(LEFT, run)).length > 0 };
}

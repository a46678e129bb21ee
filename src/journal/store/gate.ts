/** The gate: one durable transaction makes a plan history. It replaces payments, and gives up those that nobody will send. */
import { sha256 } from '../../keys/key.js';
import { approvalEvent } from '../audit-log.js';
import { type Approval, hostOf, type PaymentId, type Run } from '../payment.js';
import type { Delivery, Plan, Withdrawals } from '../plan.js';
import { openDelivery } from '../claim-rules.js';
import { accept, takeDrafts } from './drafts.js';
import type { Driver, SqlValue, Transaction } from './driver.js';
import { WITH_OUTCOME } from './outcomes.js';
import { toSpans, type RunList, writeRunList } from './run-list.js';
import { addEvent } from './audit-queries.js';
import { CREATED, NOT_SENT, UNKNOWN } from './common-schema.js';
import { PRUNED } from './pruning.js';
import { selectRun } from './run-queries.js';
import { takeOver } from './recovery.js';
import { ACCEPTED_BY, lockExclusively, lastClaim, findTarget, writeAsProcess } from './transactions.js';

/** {@link Journal.commit} */
export async function commit(driver: Driver, plan: Plan): Promise<Delivery | null> {
  // The transaction may be repeated, but the list's source can be read only once.
  const { files, records, invalid } = plan.list;
  const list = { files, stretches: toSpans(records), invalid: [...invalid] };
  let run: Run;
  try {
    run = await writeAsProcess(driver, (tx) => pass(driver, tx, plan, list));
  } catch (cause) {
    if (cause instanceof HistoryChanged) return null;
    throw cause;
  }
  return openDelivery(driver, run, plan.delivers);
}

async function pass(driver: Driver, tx: Transaction, plan: Plan, list: RunList): Promise<Run> {
  await raiseGatesOfHost(tx, plan);
  const run = plan.run?.number ?? plan.preparation?.number;
  if (run === undefined) throw new Error('a plan needs a run');
  const drafts = plan.preparation?.number ?? null;
  if (drafts !== null) await requirePrepared(tx, drafts);
  await writeRunList(tx, run, list);
  for (const { payment, by } of plan.replaced) await replace(tx, payment, by);
  if (drafts !== null) await takeDrafts(driver, tx, run, drafts, list.stretches);
  const deliveries = await selectDeliveriesOf(driver, tx, plan.sends);
  await accept(driver, tx, run, plan.sends);
  await releasePayments(tx, plan.withdrawn);
  await restoreBodies(tx, plan);
  await requireBodies(tx, plan);
  if (plan.lifetimeMs !== null) await rememberLifetime(tx, run, plan.lifetimeMs);
  // The work so far may take long. From here on, nothing else claims or settles, so the rest is short.
  await lockExclusively(driver, tx);
  await requireUnchanged(tx, plan);
  await requireOpenRun(tx, run);
  const since = await lastClaim(tx);
  await driver.advanceClaimNumber(tx);
  await writeRun(driver, tx, run, plan, since);
  if (plan.delivers) await startDelivery(driver, tx, run, deliveries);
  return selectRun(driver, tx, run);
}

/**
 * If another gate of the target is open, this waits for it and then finds another version. A payment at another target
 * on the same host may be the same one, so plans for those targets are computed again too.
 */
async function raiseGatesOfHost(tx: Transaction, { target, version }: Plan): Promise<void> {
  const own = await findTarget(tx, target);
  if (own === null) throw new HistoryChanged();
  // In the order of their numbers: two gates never deadlock.
  for (const [id, name, scope] of await tx.rows<[number, string, string]>(
    'SELECT id, name, scope FROM target ORDER BY id',
  )) {
    const raise = 'UPDATE target SET gates = gates + 1 WHERE id = $1';
    if (id === own.id) {
      if ((await tx.change(`${raise} AND gates = $2`, id, version)) === 0) throw new HistoryChanged();
    } else if (target.scope === '' && scope === '' && hostOf(name) === hostOf(target.target))
      await tx.change(raise, id);
  }
}

async function requirePrepared(tx: Transaction, run: number): Promise<void> {
  const found = await tx.rows('SELECT 1 FROM run WHERE number = $1 AND NOT passed', run);
  if (found.length === 0) throw new Error(`run ${run} has passed its gate already, or was given up`);
}

/** A closed run never sends, whatever its plan was computed from. @throws HistoryChanged */
async function requireOpenRun(tx: Transaction, run: number): Promise<void> {
  if ((await tx.rows('SELECT 1 FROM run WHERE number = $1 AND closed IS NOT NULL', run)).length > 0)
    throw new HistoryChanged();
}

/** The shortest lifetime of all calls counts. */
async function rememberLifetime(tx: Transaction, run: number, lifetimeMs: number): Promise<void> {
  await tx.change(
    `UPDATE payment SET lifetime = $1 WHERE (lifetime IS NULL OR lifetime > $1) AND id IN
     (SELECT p.id FROM span s JOIN payments_in(s.payment, s.payment + s.count - 1) p WHERE s.run = $2)`,
    lifetimeMs,
    run,
  );
}

/** Restores only the body that was checked, by its hash: the claim would refuse any other. */
async function restoreBodies(tx: Transaction, { bodies }: Plan): Promise<void> {
  if (bodies.length === 0) return;
  await tx.change(
    `UPDATE payment SET whole_body = g.body FROM given($1, id bigint, body text, hash text) g
     WHERE payment.id = g.id AND payment.body IS NULL AND payment.body_hash = bytes_of(g.hash)`,
    bodies.map(({ payment, body }) => [payment, body, sha256(body)]),
  );
}

/** Pruning may have removed a body since the review: then nothing could be sent, whatever is accepted. @throws HistoryChanged */
async function requireBodies(tx: Transaction, { sends }: Plan): Promise<void> {
  if (sends.length > 0 && (await tx.rows(`${PRUNED} LIMIT 1`, sends)).length > 0) throw new HistoryChanged();
}

async function writeRun(driver: Driver, tx: Transaction, run: number, plan: Plan, moment: number): Promise<void> {
  if (plan.approval !== null) await addApproval(driver, tx, run, plan.approval, plan.run);
  const begun = await addEvent(
    driver,
    tx,
    { kind: 'run', goesOn: plan.run !== null, inputCall: plan.inputCall, ...(hasOtherBytes(plan) ? MOVED : {}) },
    { run },
  );
  await tx.change(
    `UPDATE run SET finished_at = NULL, exit_code = NULL, stop_reason = NULL, skip_created = $1, skip_similar = $2
     WHERE number = $3`,
    Number(plan.skips.skipCreated),
    Number(plan.skips.skipSimilar),
    run,
  );
  if (plan.run === null)
    await tx.change(
      'UPDATE run SET passed = TRUE, begun = $1, moment = $2, digest = $3, batch = $4 WHERE number = $5',
      begun,
      moment,
      plan.digest,
      plan.batchId,
      run,
    );
}

const MOVED = { hasOtherFiles: true } as const;

/** The gate replaces the run's files, so that they were others is known from the log alone. */
function hasOtherBytes({ run, list }: Plan): boolean {
  return run !== null && list.files.some((file, i) => file.sha256 !== run.files[i]?.sha256);
}

/**
 * Only in the log: the run's approval is the last one there. A call that continues a run mostly has the same approval.
 * If the database knows its users, this event is only the sender's claim: its facts name the approver. It proves
 * something only if it names an approval that was given in this journal.
 */
async function addApproval(
  driver: Driver,
  tx: Transaction,
  number: number,
  approval: Approval,
  run: Run | null,
): Promise<void> {
  const { at, by, event, note } = approval;
  const known = run?.approvedBy;
  if (known?.at === at && known.by.user === by.user && known.by.host === by.host) return;
  const about = { run: number, note };
  if (driver.user === null) await addEvent(driver, tx, approvalEvent(approval), about, approval);
  else await addEvent(driver, tx, approvalEvent(approval, { ...by, at, event }), about);
}

/** The runs that other processes send, dead ones too, and that have accepted one of these payments. */
async function selectDeliveriesOf({ self }: Driver, tx: Transaction, sends: readonly PaymentId[]): Promise<number[]> {
  const sent = (await tx.rows<[number]>(`SELECT run ${SENT_BY_OTHERS}`, self)).flat();
  // Mostly there are none, and no payment has to be read. Runs of other targets have other payments.
  if (sent.length === 0) return [];
  const accepted = `SELECT DISTINCT ${ACCEPTED_BY} FROM payment p WHERE p.id = ANY ($1)`;
  const runs = new Set((await tx.rows<[number]>(accepted, sends)).flat());
  return sent.filter((each) => runs.has(each));
}

const SENT_BY_OTHERS = 'FROM delivery WHERE process <> $1';

/**
 * This process sends the run from now on. Takes over claims of dead processes again: they may have died since the call
 * began, and their claims would block this run.
 *
 * The review waits for live calls. But a lease may have run out just then and have been renewed since: that process
 * lives, and still sends. Or it renews its lease at this moment, so that nobody can take it over.
 * @param deliveries from before this plan accepted its payments
 * @throws HistoryChanged if one of them is still going on
 */
async function startDelivery(
  driver: Driver,
  tx: Transaction,
  run: number,
  deliveries: readonly number[],
): Promise<void> {
  await takeOver(driver, tx);
  const goingOn = await tx.rows(`SELECT 1 ${SENT_BY_OTHERS} AND run = ANY ($2) LIMIT 1`, driver.self, deliveries);
  if (goingOn.length > 0) throw new HistoryChanged();
  await tx.change('INSERT INTO delivery (run, process) VALUES ($1, $2) ON CONFLICT DO NOTHING', run, driver.self);
}

// The functions below run within the transaction of a gate, or of another change of the history.

/** Ends a transaction that must not change anything. */
class HistoryChanged extends Error {}

/** A payment of the same key takes the key over. @throws HistoryChanged if another one has replaced it already */
async function replace(tx: Transaction, payment: number, by: number): Promise<void> {
  const known = await tx.rows('SELECT 1 FROM payment WHERE id = $1', payment);
  if (known.length === 0) throw new Error(`payment ${payment} is not known`);
  if ((await tx.change('UPDATE payment SET replaced_by = $1 WHERE id = $2 AND replaced_by IS NULL', by, payment)) === 0)
    throw new HistoryChanged();
  await tx.change(
    'DELETE FROM by_key WHERE payment = $1 AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = $2)',
    payment,
    by,
  );
}

/**
 * Outcomes do not count as changes of the history: otherwise no plan would pass while another run is sent. So this
 * checks those that the plan builds on: a payment that is replaced or given up must not be created, in doubt or under
 * way.
 */
async function requireUnchanged(tx: Transaction, { replaced, withdrawn }: Withdrawals): Promise<void> {
  const payments = [...replaced.map(({ payment }) => payment), ...withdrawn];
  if (payments.length === 0) return;
  const news = await tx.rows(
    `SELECT 1 FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1)
     AND (o.state = ${CREATED} OR o.state >= ${UNKNOWN} OR c.at IS NOT NULL) LIMIT 1`,
    payments,
  );
  if (news.length > 0) throw new HistoryChanged();
  const replacedMeanwhile = 'SELECT 1 FROM payment WHERE id = ANY ($1) AND replaced_by IS NOT NULL LIMIT 1';
  if ((await tx.rows(replacedMeanwhile, withdrawn)).length > 0) throw new HistoryChanged();
}

/** Open payments that a run had accepted and now leaves out become mere rows of records. */
async function releasePayments(tx: Transaction, payments: readonly PaymentId[]): Promise<void> {
  if (payments.length === 0) return;
  await restoreRejected(tx, 'p.id = ANY ($1)', payments);
  await tx.change(
    `DELETE FROM by_key WHERE (target, key, type) IN (SELECT target, key, type FROM payment WHERE id = ANY ($1))
     AND payment = ANY ($1)`,
    payments,
  );
  await tx.change(
    `DELETE FROM by_payee WHERE (payee, title, payment) IN (SELECT payee, title, id FROM payment WHERE id = ANY ($1))`,
    payments,
  );
  await tx.change('UPDATE payment SET run = 0 WHERE id = ANY ($1)', payments);
}

/**
 * Rejected payments whose corrections are given up count as rejected again.
 * @param which SQL: condition on such a correction `p`; only open ones count
 */
export async function restoreRejected(tx: Transaction, which: string, value: SqlValue): Promise<void> {
  const pairs = await tx.rows<[PaymentId, PaymentId]>(
    `SELECT p.id, r.id FROM payment r JOIN payment p ON p.id = r.replaced_by
     LEFT JOIN outcome o ON o.payment = p.id
     WHERE r.replaced_by IS NOT NULL AND ${which} AND (o.state IS NULL OR o.state = ${NOT_SENT})`,
    value,
  );
  for (const [correction, rejected] of pairs) {
    await tx.change('UPDATE payment SET replaced_by = NULL WHERE id = $1', rejected);
    // If both have the same key, it leads to the rejected one again.
    await tx.change(
      `UPDATE by_key SET payment = $1 WHERE payment = $2
       AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = $1)`,
      rejected,
      correction,
    );
  }
}

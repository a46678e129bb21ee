/** The gate: one durable transaction makes a plan history. */
import { sha256 } from '../../keys/key.js';
import { transaction } from '../../util/sqlite.js';
import { JournalError } from '../../errors.js';
import type { Delivery, Plan } from '../ledger.js';
import type { Approval, PaymentId, Run } from '../payment.js';
import { CREATED, UNKNOWN } from './codes.js';
import { type Context, isRegistered, lastClaim, skipClaim, TAKEN_OVER, targetOf } from './context.js';
import { activate, dropUnlisted } from './drafts.js';
import { addEvent } from './events.js';
import { openDelivery } from './exchange.js';
import { forgetRun } from './preparation.js';
import { writeList } from './run-list.js';
import { selectRun } from './runs.js';
import { claimOn, type LiveDelivery, liveDeliveries, openClaims, rememberedLiveness } from './under-way.js';

interface Passed {
  readonly run: number;
  readonly since: number;
  /** What other live processes were delivering at that moment. */
  readonly others: readonly LiveDelivery[];
}

/** {@link Ledger.commit} */
export function commit(context: Context, plan: Plan): Delivery | null {
  context.requireFile();
  const passed = transaction(context.db, () => {
    if (!isRegistered(context)) throw new JournalError(TAKEN_OVER);
    const target = targetOf(context, plan.target);
    if (target === null || target.gates !== plan.version || hasNews(context, plan)) return null;
    context.sql('UPDATE target SET gates = gates + 1 WHERE id = ?').run(target.id);
    return write(context, plan);
  });
  if (passed === null) return null;
  return openDelivery(context, selectRun(context, passed.run), plan.delivers ? passed : null);
}

/**
 * Outcomes do not count as changes of the history, or no plan would pass while another run is sent. So those that this
 * plan builds on are looked at again: what is replaced must not be created, in doubt, under way, or replaced already.
 */
function hasNews(context: Context, { replaced }: Plan): boolean {
  const claims = replaced.length === 0 ? [] : openClaims(context);
  const select = context.sql(
    'SELECT p.replaced_by, o.state, o.stamp FROM payment p LEFT JOIN outcome o ON o.payment = p.id WHERE p.id = ?',
  );
  return replaced.some(({ payment }) => {
    const row = select.get(payment) as [number | null, number | null, number | null] | undefined;
    if (row === undefined) throw new Error(`payment ${payment} is not known`);
    const [replacedBy, state, stamp] = row;
    if (replacedBy !== null || state === CREATED || (state !== null && state >= UNKNOWN)) return true;
    return claimOn({ id: payment, state, stamp, run: null }, claims) !== undefined;
  });
}

function write(context: Context, plan: Plan): Passed {
  const run = plan.run?.number ?? plan.preparation?.number;
  if (run === undefined) throw new Error('a plan needs a run');
  if (plan.run === null && plan.list === null) throw new Error('a new run needs a list');
  const drafts = plan.preparation?.number ?? null;
  if (drafts !== null) requirePrepared(context, drafts);
  if (plan.list !== null) writeList(context, run, plan.list, drafts);
  for (const { payment, by } of plan.replaced) replace(context, payment, by);
  if (drafts !== null) takeDrafts(context, run, drafts);
  restoreBodies(context, plan.bodies);
  const price = context.sql('UPDATE payment SET amount = ? WHERE id = ?');
  for (const { payment, amount } of plan.amounts) price.run(amount, payment);
  const since = lastClaim(context);
  // What becomes of payments from now on has a later stamp than what became of them before.
  skipClaim(context);
  writeRun(context, run, plan, since);
  return { run, since, others: deliver(context, run, plan.delivers, since) };
}

function requirePrepared({ sql }: Context, run: number): void {
  const found: unknown = sql('SELECT 1 FROM run WHERE number = ? AND passed = 0 AND joined IS NULL').get(run);
  if (found === undefined) throw new Error(`run ${run} has passed its gate already, or was given up`);
}

/** A payment of the same key takes the key over. */
function replace({ sql }: Context, payment: PaymentId, by: PaymentId): void {
  sql('UPDATE payment SET replaced_by = ? WHERE id = ?').run(by, payment);
  sql('DELETE FROM by_key WHERE payment = ?1 AND (target, key) = (SELECT target, key FROM payment WHERE id = ?2)').run(
    payment,
    by,
  );
}

/** Drafts that a record points at become history; all others are deleted. */
function takeDrafts(context: Context, run: number, drafts: number): void {
  const listed = dropUnlisted(context, run, drafts);
  if (activate(context, drafts) !== listed) throw new Error('a record points at a payment that was not stored');
  if (run === drafts) return;
  if (listed === 0) forgetRun(context, drafts);
  else context.sql('UPDATE run SET joined = ? WHERE number = ? AND passed = 0').run(run, drafts);
}

/** Only the body that was checked, by its hash: any other would be refused when it is claimed. */
function restoreBodies({ sql }: Context, bodies: Plan['bodies']): void {
  const restore = sql(
    'UPDATE payment SET body = ?, key_place = NULL WHERE id = ? AND body IS NULL AND body_hash = unhex(?)',
  );
  for (const { payment, body } of bodies) restore.run(body, payment, sha256(body));
}

function writeRun(context: Context, run: number, { digest, decisions, ...plan }: Plan, moment: number): void {
  const { sql } = context;
  if (plan.approval !== null) writeApproval(context, run, plan.approval, plan.run);
  const begun = addEvent(context, { what: 'run', goesOn: plan.run !== null }, { run });
  if (plan.run !== null) {
    sql('UPDATE run SET finished_at = NULL, exit_code = NULL, stop_reason = NULL WHERE number = ?').run(run);
    return;
  }
  const { skipCreated, skipSimilar, sendSimilar } = decisions;
  sql(
    `UPDATE run SET passed = 1, begun = ?, moment = ?, digest = ?, skip_created = ?, skip_similar = ?, send_similar = ?
     WHERE number = ?`,
  ).run(begun, moment, digest, Number(skipCreated), Number(skipSimilar), sendSimilar, run);
}

/** In the log alone: the last one there is the run's. A call that goes on mostly brings the same one again. */
function writeApproval(context: Context, number: number, approval: Approval, run: Run | null): void {
  const { at, by, digest, count, flags, note } = approval;
  const known = run?.approvedBy ?? null;
  if (known !== null && known.at === at && known.by.user === by.user && known.by.host === by.host) return;
  addEvent(context, { what: 'approved', digest, count, flags }, { run: number, note }, approval);
}

/** @returns what other live processes deliver at this moment */
function deliver(context: Context, run: number, delivers: boolean, since: number): LiveDelivery[] {
  if (!delivers) return [];
  const others = liveDeliveries(context, rememberedLiveness(context)).filter(({ process }) => process !== context.self);
  context.sql('INSERT OR REPLACE INTO delivery (run, process, since) VALUES (?, ?, ?)').run(run, context.self, since);
  return others;
}

/** The gate: one durable transaction makes a plan history. */
import { sha256 } from '../../keys/key.js';
import { transaction } from '../../util/sqlite.js';
import { JournalError } from '../../errors.js';
import { approvedDeed, isSameApproval } from '../approval.js';
import type { Delivery, Plan } from '../ledger.js';
import type { Approval, PaymentId, Run } from '../payment.js';
import { CREATED, UNKNOWN } from '../codes.js';
import { type Context, isRegistered, lastClaim, skipClaim, TAKEN_OVER, targetOf } from './context.js';
import { accept, activate, dropUnlisted, setAside } from './drafts.js';
import { addEvent } from './events.js';
import { openDelivery } from './exchange.js';
import { giveUp } from './giving-up.js';
import { rangeOf } from './preparation.js';
import { allProcesses } from './processes.js';
import { takeOver } from './recovery.js';
import { requireUse } from './standing.js';
import { writeList } from './run-list.js';
import { selectRun } from './runs.js';
import { claimOn, openClaims } from './under-way.js';

interface Passed {
  readonly run: number;
  /** Names of dead processes that were taken over. */
  readonly dead: readonly string[];
}

/** {@link Ledger.commit} */
export function commit(context: Context, plan: Plan): Delivery | null {
  context.requireFile();
  const passed = transaction(context.db, () => {
    requireUse(context.db, context.file);
    if (!isRegistered(context)) throw new JournalError(TAKEN_OVER, { isPassing: true });
    const target = targetOf(context, plan.target);
    if (target === null || target.gates !== plan.version || hasNews(context, plan)) return null;
    context.sql('UPDATE target SET gates = gates + 1 WHERE id = ?').run(target.id);
    return write(context, plan);
  });
  if (passed === null) return null;
  passed.dead.forEach(context.forgetLock);
  return openDelivery(context, selectRun(context, passed.run), plan.delivers);
}

/**
 * Outcomes do not count as changes of the history, or no plan would pass while another run is sent. So those that this
 * plan builds on are looked at again: what is replaced or given up must not be created, in doubt, under way, or replaced already.
 */
function hasNews(context: Context, { replaced, givenUp }: Plan): boolean {
  const payments = [...replaced.map(({ payment }) => payment), ...givenUp];
  const claims = payments.length === 0 ? [] : openClaims(context);
  const select = context.sql(
    'SELECT p.replaced_by, o.state, o.stamp FROM payment p LEFT JOIN outcome o ON o.payment = p.id WHERE p.id = ?',
  );
  return payments.some((payment) => {
    const row = select.get(payment) as [number | null, number | null, number | null] | undefined;
    if (row === undefined) throw new Error(`payment ${payment} is not known`);
    const [replacedBy, state, stamp] = row;
    if (replacedBy !== null || state === CREATED || (state !== null && state >= UNKNOWN)) return true;
    return claimOn({ id: payment, state, stamp }, claims) !== undefined;
  });
}

function write(context: Context, plan: Plan): Passed {
  const run = plan.run?.number ?? plan.preparation?.number;
  if (run === undefined) throw new Error('a plan needs a run');
  if (plan.run === null && plan.list === null) throw new Error('a new run needs a list');
  const drafts = plan.preparation?.number ?? null;
  if (drafts !== null) requirePrepared(context, drafts);
  if (plan.list !== null) writeList(context, run, plan.list);
  for (const { payment, by } of plan.replaced) replace(context, payment, by);
  if (drafts !== null) takeDrafts(context, run, drafts);
  accept(context, run, plan.sends);
  giveUp(context, plan.givenUp);
  restoreBodies(context, plan.bodies);
  if (plan.lifetimeMs !== null) rememberLifetime(context, run, plan.lifetimeMs);
  const since = lastClaim(context);
  // What becomes of payments from now on has a later stamp than what became of them before.
  skipClaim(context);
  writeRun(context, run, plan, since);
  return { run, dead: plan.delivers ? deliver(context, run) : [] };
}

function requirePrepared({ sql }: Context, run: number): void {
  const found: unknown = sql('SELECT 1 FROM run WHERE number = ? AND passed = 0').get(run);
  if (found === undefined) throw new Error(`run ${run} has passed its gate already, or was given up`);
}

/** A payment of the same key takes the key over. */
function replace({ sql }: Context, payment: PaymentId, by: PaymentId): void {
  sql('UPDATE payment SET replaced_by = ? WHERE id = ?').run(by, payment);
  sql(
    'DELETE FROM by_key WHERE payment = ?1 AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = ?2)',
  ).run(payment, by);
}

/** Drafts that a record points at become history; all others are deleted. */
function takeDrafts(context: Context, run: number, drafts: number): void {
  const listed = dropUnlisted(context, run, drafts);
  const count = context.sql('SELECT count(*) FROM payment WHERE id BETWEEN ? AND ?');
  const [stored] = count.get(...rangeOf(drafts)) as [number];
  if (stored !== listed) throw new Error('a record points at a payment that was not stored');
  setAside(context, run, drafts);
  if (run !== drafts)
    context.sql('UPDATE payment SET run = ? WHERE id BETWEEN ? AND ? AND run IS NULL').run(run, ...rangeOf(drafts));
  activate(context, drafts);
  // What a run that goes on has taken belongs to that.
  if (run !== drafts) context.sql('DELETE FROM run WHERE number = ? AND passed = 0').run(drafts);
}

/** The shortest that was ever said of a payment holds. */
function rememberLifetime({ sql }: Context, run: number, lifetimeMs: number): void {
  const spans = sql('SELECT payment, count FROM span WHERE run = ?').all(run) as [PaymentId, number][];
  const remember = sql('UPDATE payment SET lifetime = min(coalesce(lifetime, ?1), ?1) WHERE id BETWEEN ?2 AND ?3');
  for (const [payment, count] of spans) remember.run(lifetimeMs, payment, payment + count - 1);
}

/** Only the body that was checked, by its hash: any other would be refused when it is claimed. */
function restoreBodies({ sql }: Context, bodies: Plan['bodies']): void {
  const restore = sql(
    'UPDATE payment SET body = ?, key_place = NULL WHERE id = ? AND body IS NULL AND body_hash = unhex(?)',
  );
  for (const { payment, body } of bodies) restore.run(body, payment, sha256(body));
}

function writeRun(context: Context, run: number, { digest, skips, ...plan }: Plan, moment: number): void {
  const { sql } = context;
  if (plan.approval !== null) writeApproval(context, run, plan.approval, plan.run);
  const begun = addEvent(context, { what: 'run', goesOn: plan.run !== null }, { run });
  sql(
    `UPDATE run SET finished_at = NULL, exit_code = NULL, stop_reason = NULL, skip_created = ?, skip_similar = ?
     WHERE number = ?`,
  ).run(Number(skips.skipCreated), Number(skips.skipSimilar), run);
  if (plan.run === null)
    sql('UPDATE run SET passed = 1, begun = ?, moment = ?, digest = ?, batch = ? WHERE number = ?').run(
      ...[begun, moment, digest, plan.batchId, run],
    );
}

/** In the log alone: the last one there is the run's. A call that goes on mostly brings the same one again. */
function writeApproval(context: Context, number: number, approval: Approval, run: Run | null): void {
  if (isSameApproval(run?.approvedBy ?? null, approval)) return;
  addEvent(context, approvedDeed(approval), { run: number, note: approval.note }, approval);
}

/**
 * This process sends the run from now on. What dead processes have left is taken over here once more: they may have died
 * since {@link recover}, and their claims would be in the way.
 * @returns the names of these processes
 */
function deliver(context: Context, run: number): string[] {
  const { sql, self } = context;
  const dead = allProcesses(context).filter(({ id, name }) => id !== self && !context.isAlive(name));
  for (const { id } of dead) takeOver(context, id);
  sql('INSERT OR REPLACE INTO delivery (run, process) VALUES (?, ?)').run(run, self);
  return dead.map(({ name }) => name);
}

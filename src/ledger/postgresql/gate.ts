/** The gate: one durable transaction makes a plan history. */
import { sha256 } from '../../keys/key.js';
import { CREATED, UNKNOWN } from '../codes.js';
import type { Delivery, Plan } from '../ledger.js';
import type { Run } from '../payment.js';
import { type Context, haveAlone, lastClaim, targetOf, writing } from './context.js';
import { accept, activate, dropUnlisted, setAside } from './drafts.js';
import { addApproval } from './approvals.js';
import { addEvent } from './events.js';
import { openDelivery } from './exchange.js';
import { giveUp } from './giving-up.js';
import { rangeOf } from './preparation.js';
import { takeOverLapsed } from './processes.js';
import { writeList } from './run-list.js';
import { selectRun } from './runs.js';
import type { Transaction } from './session.js';

/** Ends a transaction that is to change nothing. */
class HasNews extends Error {}

/** {@link Ledger.commit} */
export async function commit(context: Context, plan: Plan): Promise<Delivery | null> {
  // The transaction may be tried again, and what gives the list may be read once.
  const list = plan.list && { ...plan.list, records: [...plan.list.records], invalid: [...plan.list.invalid] };
  let run: Run;
  try {
    run = await writing(context, (tx) => pass(context, tx, { ...plan, list }));
  } catch (cause) {
    if (cause instanceof HasNews) return null;
    throw cause;
  }
  return openDelivery(context, run, plan.delivers);
}

async function pass(context: Context, tx: Transaction, plan: Plan): Promise<Run> {
  const target = await targetOf(tx, plan.target);
  // Another gate of the target is waited for here; then the number is another one.
  const raise = 'UPDATE target SET gates = gates + 1 WHERE id = $1 AND gates = $2';
  if (target === null || (await tx.change(raise, target.id, plan.version)) === 0) throw new HasNews();
  const run = plan.run?.number ?? plan.preparation?.number;
  if (run === undefined) throw new Error('a plan needs a run');
  if (plan.run === null && plan.list === null) throw new Error('a new run needs a list');
  const drafts = plan.preparation?.number ?? null;
  if (drafts !== null) await requirePrepared(tx, drafts);
  if (plan.list !== null) await writeList(tx, run, plan.list);
  for (const { payment, by } of plan.replaced) await replace(tx, payment, by);
  if (drafts !== null) await takeDrafts(tx, run, drafts);
  await accept(tx, run, plan.sends);
  await giveUp(tx, plan.givenUp);
  await restoreBodies(tx, plan);
  if (plan.lifetimeMs !== null) await rememberLifetime(tx, run, plan.lifetimeMs);
  // All of this may take long. From here on, nothing else claims or settles, and that is short.
  await haveAlone(tx);
  await requireNoNews(tx, plan);
  const since = await lastClaim(tx);
  // What becomes of payments from now on has a later stamp than what became of them before.
  await tx.rows("SELECT nextval('claim_number')");
  await writeRun(context, tx, run, plan, since);
  if (plan.delivers) await deliver(context, tx, run);
  return selectRun(tx, run);
}

/**
 * Outcomes do not count as changes of the history, or no plan would pass while another run is sent. So those that this
 * plan builds on are looked at again: what is replaced or given up must not be created, in doubt or under way.
 */
async function requireNoNews(tx: Transaction, { replaced, givenUp }: Plan): Promise<void> {
  const payments = [...replaced.map(({ payment }) => payment), ...givenUp];
  if (payments.length === 0) return;
  const news = await tx.rows(
    `SELECT 1 FROM unnest($1::bigint[]) w(id) LEFT JOIN outcome o ON o.payment = w.id LEFT JOIN claim c ON c.payment = w.id
     WHERE o.state = ${CREATED} OR o.state >= ${UNKNOWN} OR c.payment IS NOT NULL LIMIT 1`,
    payments,
  );
  if (news.length > 0) throw new HasNews();
}

async function requirePrepared(tx: Transaction, run: number): Promise<void> {
  const found = await tx.rows('SELECT 1 FROM run WHERE number = $1 AND NOT passed', run);
  if (found.length === 0) throw new Error(`run ${run} has passed its gate already, or was given up`);
}

/** A payment of the same key takes the key over. One that was replaced already is news. */
async function replace(tx: Transaction, payment: number, by: number): Promise<void> {
  const known = await tx.rows('SELECT 1 FROM payment WHERE id = $1', payment);
  if (known.length === 0) throw new Error(`payment ${payment} is not known`);
  if ((await tx.change('UPDATE payment SET replaced_by = $1 WHERE id = $2 AND replaced_by IS NULL', by, payment)) === 0)
    throw new HasNews();
  await tx.change(
    'DELETE FROM by_key WHERE payment = $1 AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = $2)',
    ...[payment, by],
  );
}

/** Drafts that a record points at become history; all others are deleted. */
async function takeDrafts(tx: Transaction, run: number, drafts: number): Promise<void> {
  const listed = await dropUnlisted(tx, run, drafts);
  const stored = (await setAside(tx, run, drafts)) + (await activate(tx, drafts));
  if (stored !== listed) throw new Error('a record points at a payment that was not stored');
  if (run === drafts) return;
  // What a run that goes on has taken belongs to that.
  await tx.change('UPDATE payment SET run = $1 WHERE id BETWEEN $2 AND $3 AND run IS NULL', run, ...rangeOf(drafts));
  await tx.change('DELETE FROM run WHERE number = $1 AND NOT passed', drafts);
}

/** The shortest that was ever said of a payment holds. */
async function rememberLifetime(tx: Transaction, run: number, lifetimeMs: number): Promise<void> {
  await tx.change(
    `UPDATE payment p SET lifetime = $1 FROM span s WHERE s.run = $2
       AND p.id BETWEEN s.payment AND s.payment + s.count - 1 AND coalesce(p.lifetime > $1, true)`,
    ...[lifetimeMs, run],
  );
}

/** Only the body that was checked, by its hash: any other would be refused when it is claimed. */
async function restoreBodies(tx: Transaction, { bodies }: Plan): Promise<void> {
  await tx.change(
    `UPDATE payment p SET body = u.body FROM unnest($1::bigint[], $2::text[], $3::text[]) u(id, body, hash)
     WHERE p.id = u.id AND p.body IS NULL AND p.body_hash = decode(u.hash, 'hex')`,
    bodies.map(({ payment }) => payment),
    bodies.map(({ body }) => body),
    bodies.map(({ body }) => sha256(body)),
  );
}

async function writeRun(
  context: Context,
  tx: Transaction,
  run: number,
  { digest, skips, ...plan }: Plan,
  moment: number,
): Promise<void> {
  if (plan.approval !== null) await addApproval(context, tx, run, plan.approval, plan.run);
  const begun = await addEvent(context, tx, { what: 'run', goesOn: plan.run !== null }, { run });
  await tx.change(
    `UPDATE run SET finished_at = NULL, exit_code = NULL, stop_reason = NULL, skip_created = $1, skip_similar = $2
     WHERE number = $3`,
    ...[skips.skipCreated, skips.skipSimilar, run],
  );
  if (plan.run === null)
    await tx.change(
      'UPDATE run SET passed = true, begun = $1, moment = $2, digest = $3, batch = $4 WHERE number = $5',
      ...[begun, moment, digest, plan.batchId, run],
    );
}

/**
 * This process sends the run from now on. What dead processes have left is taken over here once more: their leases may have run
 * out since {@link Ledger.recover}, and their claims would be in the way.
 */
async function deliver({ self }: Context, tx: Transaction, run: number): Promise<void> {
  await takeOverLapsed(tx, self);
  await tx.change('INSERT INTO delivery (run, process) VALUES ($1, $2) ON CONFLICT DO NOTHING', run, self);
}

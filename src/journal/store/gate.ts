/** The gate: one durable transaction makes a plan history. */
import { sha256 } from '../../keys/key.js';
import { approvalEvent } from '../audit-log.js';
import { type Approval, hostOf, type Run } from '../payment.js';
import type { Delivery, Plan } from '../plan.js';
import { openDelivery } from '../claim-rules.js';
import { accept, takeDrafts } from './drafts.js';
import type { Driver, Transaction } from './driver.js';
import { toSpans, type RunList, writeRunList } from './run-list.js';
import { addEvent } from './audit-queries.js';
import { releasePayments, HistoryChanged, replace, requireUnchanged } from './replacing.js';
import { PRUNED } from './pruning.js';
import { selectRun } from './run-queries.js';
import { takeOver } from './recovery.js';
import { lockExclusively, lastClaim, findTarget, writeAsProcess } from './transactions.js';

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
  if (plan.delivers) await startDelivery(driver, tx, run);
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

/**
 * This process sends the run from now on. Takes over claims of dead processes again: they may have died since the call
 * began, and their claims would block this run.
 */
async function startDelivery(driver: Driver, tx: Transaction, run: number): Promise<void> {
  await takeOver(driver, tx);
  await tx.change('INSERT INTO delivery (run, process) VALUES ($1, $2) ON CONFLICT DO NOTHING', run, driver.self);
}

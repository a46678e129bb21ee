/** The pipeline, in one direction: PREPARE, REVIEW, the gate, DELIVER. */
import type { StopCause } from '../delivery/circuit-breaker.js';
import { startConfirmedAnswers } from '../delivery/confirmed-answers.js';
import { Interruption } from '../delivery/interruption.js';
import { connectionOptions } from '../delivery/open-target.js';
import type { sendRun } from '../delivery/send-run.js';
import { UsageError } from '../errors.js';
import { toShell } from '../follow-up/command-line.js';
import { inputCallOf, setupCommand } from '../follow-up/commands.js';
import type { Journal } from '../journal/journal.js';
import type { Run, TargetName } from '../journal/payment.js';
import type { Delivery } from '../journal/plan.js';
import type { RunOptions } from '../options.js';
import { storedRun } from '../prepare/stored-run.js';
import { openInputs, reopenInputs } from '../prepare/inputs.js';
import { prepareInputs } from '../prepare/prepare.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { similarRowIssues, similarRowsOf } from '../prepare/similar-rows.js';
import { laterPaymentsText, lostHistoryText } from '../report/history-text.js';
import { findLaterPayments } from '../report/stored-records.js';
import { buildPlan, completeDrafts, toSend } from '../review/build-plan.js';
import { callDoubts } from '../review/call-doubts.js';
import { runDigest } from '../review/assessment.js';
import { findSameInput, runToContinue } from '../review/history.js';
import { checkLease, requireBatchName } from '../review/requirements.js';
import { type ApprovedReview, Review } from '../review/review.js';
import { tasksWithoutIdText } from '../report/task-list-text.js';
import type { World } from '../world.js';
import { attemptLog } from './attempt-log.js';
import { beginReport, finishCall, finishUnread, type RunConclusion } from './finish.js';
import { isAnyInDoubt, unprotectedText } from './in-doubt.js';
import { closeAll, type Closers, openSession, type RunSession, type CallTerminal } from './run-session.js';
import { stackOf, stopFromError } from './stop-text.js';

/**
 * Runs the whole pipeline and returns the exit code.
 * @param interruption may have been listening already
 * @throws UsageError, JournalError before anything is sent
 */
export async function runRecords(
  options: RunOptions,
  terminal: CallTerminal,
  world: World,
  interruption = new Interruption(world),
): Promise<number> {
  interruption.listen((text) => terminal.reporter.note(text));
  const closers: Closers = new Set();
  try {
    const session = await openSession(options, terminal, world, interruption, closers);
    const records = await prepareRecords(session);
    if (records === null) return await finishUnread(session);
    await checkRecords(session, records);
    return await finishCall(session, await conclude(session, records));
  } finally {
    interruption.end();
    await closeAll(closers);
  }
}

/** Reviews the records, and sends what the review allows: again, if the history has changed before the gate. */
async function conclude(session: RunSession, records: PreparedRecords): Promise<RunConclusion> {
  const review = new Review(session, records);
  for (let isFirst = true; ; isFirst = false) {
    const verdict = await review.verdict(isFirst);
    if (verdict.kind !== 'send') return verdict;
    // Before the gate: behind it, nothing that is missing may keep the run from sending.
    const { sendRun } = await import('../delivery/send-run.js');
    const delivery = await passGate(session, verdict);
    if (delivery !== null) return deliverRun(session, verdict, delivery, sendRun);
  }
}

/** PREPARE, from files or from a run that is resumed. Null when a signal ended it. */
async function prepareRecords(session: RunSession): Promise<PreparedRecords | null> {
  const { resume } = session.options;
  if (resume !== null) return prepareStored(session, resume);
  try {
    return await prepareFiles(session);
  } catch (cause) {
    if (session.interruption.exitCode !== null) return null;
    throw cause;
  }
}

/** Everything to send is in the journal. */
async function prepareStored(session: RunSession, run: Run): Promise<PreparedRecords> {
  const { options, target, journal, issues, world, interruption } = session;
  if (journal === null || target?.scope !== run.scope)
    throw new UsageError(`the sandbox data of run ${run.name} is not there any more`);
  const records = await storedRun(run, journal);
  for (const issue of similarRowIssues(records, similarRowsOf(records))) issues.add(issue);
  const readings = await reopenInputs(run, records.entries, options.input, world, interruption.signal);
  return { ...records, readings };
}

async function prepareFiles(session: RunSession): Promise<PreparedRecords> {
  const { options, target, journal, issues, reporter, world, interruption } = session;
  const { input, safety, output } = options;
  const isShown = output.json || output.report.length > 0 || safety.approve !== null;
  const isNew = await findNewPayees(session);
  const isReadAgain = output.rejects !== null || output.results !== null;
  const note = (text: string): void => reporter.note(text);
  const inputs = openInputs(input, world, note, interruption.signal, isReadAgain, (path) =>
    toShell(setupCommand(path, input.type, options), options.platform),
  );
  return prepareInputs(inputs, {
    batchId: safety.batchNamed ? safety.batchId : null,
    keyColumns: safety.keyColumns,
    strict: safety.strict,
    skipInvalid: safety.skipInvalid,
    now: session.startedAt,
    lookup: target === null ? null : { target, journal },
    store: await openDraftStore(session),
    keepBodies: (type, payee) => isShown || (type === 'gig' && safety.dryRun) || (payee !== null && isNew(payee)),
    onIssue: (issue) => issues.add(issue),
    onTasksWithoutId: (path, tasks) => session.remark(tasksWithoutIdText(path, tasks)),
    onOuterIssue: (issue) => issues.addFault(issue),
    onChunk: async (count) => {
      reporter.progress({ doing: 'reading', done: count, total: null });
      await reporter.ready();
      interruption.signal.throwIfAborted();
    },
    explain: output.explain ? (explained) => reporter.explain(explained) : null,
    world,
  });
}

/** A dry run stores no record, and names those who were not paid last time. */
async function findNewPayees({ options, paidBefore }: RunSession): Promise<(payee: number) => boolean> {
  const before = options.safety.dryRun && !options.output.json ? await paidBefore() : null;
  return (payee) => before !== null && !before.sums.wasPaid(payee);
}

/** Where the records are stored while they are read; null in a dry run. They are dropped unless the gate is passed. */
async function openDraftStore({ options, target, journal, startedAt, closers }: RunSession) {
  if (journal === null || target === null || options.safety.dryRun) return null;
  const { command, safety, headerNames: headers } = options;
  const drafts = await journal.prepare({ command, batchId: safety.batchId, startedAt, headers, ...target });
  closers.add(drafts.abandon);
  return { journal, target, preparation: drafts };
}

/** What can only be said of the call once its records are known. @throws UsageError */
async function checkRecords(session: RunSession, records: PreparedRecords): Promise<void> {
  const { options, target, journal, issues, world, outputs } = session;
  const { resume } = options;
  outputs.checkRead(records);
  checkLease(records, options, world.leaseMs);
  await outputs.checkPresentFor(records, journal, () => findContinuedRun(session, records));
  if (resume === null && journal !== null && target !== null)
    requireBatchName(records.batchId, await journal.batches(target));
  if (records.entries.length === 0) issues.noRecords(records, options.input.allowEmpty);
  const lost = (await journal?.lostOriginal()) ?? null;
  if (lost !== null) session.remark(lostHistoryText(lost), true);
  const later = resume === null || journal === null ? null : await findLaterPayments(resume, journal);
  if (resume !== null && later !== null) session.remark(laterPaymentsText(later, resume.name, resume.batchId));
  const unprotected = unprotectedText(records, options);
  if (unprotected !== null) session.remark(unprotected);
  if (journal !== null && target !== null)
    await issues.addCallDoubts(callDoubts({ options, prepared: records, target, journal, cwd: world.cwd() }));
}

/** The run that the review will find to continue, unless another call begins one in between. */
async function findContinuedRun(session: RunSession, prepared: PreparedRecords): Promise<Run | null> {
  const { options, target, journal, world } = session;
  const { resume } = options;
  if (resume !== null || journal === null || target === null) return resume;
  const now = world.now();
  const digest = runDigest(target.target, prepared);
  const idPath = options.response.id;
  return runToContinue(await findSameInput({ journal, target, prepared, resume, digest, now, idPath }), now);
}

/** What was reviewed becomes history, and may be sent. Null if the history has changed since the review. */
async function passGate(session: RunSession, { assessment, approval }: ApprovedReview): Promise<Delivery | null> {
  const { options, world, closers } = session;
  const { drafts } = assessment.prepared;
  const journal = session.journal as Journal;
  if (drafts !== null) await completeDrafts(assessment, drafts, journal);
  const plan = await buildPlan(assessment, {
    target: session.target as TargetName,
    digest: assessment.digest as string,
    lifetimeMs: options.safety.keyLifetimeMs,
    approval,
    inputCall: options.resume?.inputCall ?? inputCallOf(options),
    journal,
  });
  world.failpoint('gate:before-commit');
  const delivery = await journal.commit(plan);
  if (delivery !== null && drafts !== null) closers.delete(drafts.abandon);
  return delivery;
}

/** DELIVER: what has passed the gate is sent, and each answer is written down. */
async function deliverRun(
  session: RunSession,
  review: ApprovedReview,
  delivery: Delivery,
  send: typeof sendRun,
): Promise<RunConclusion> {
  const { options, world, reporter, interruption, outputs, rules } = session;
  const { assessment, notices, changes } = review;
  const { run } = delivery;
  interruption.sending();
  world.failpoint('gate:after-commit');
  const recorder = beginReport(session, assessment, run, review.isReviewed);
  const baseUrl = session.service?.baseUrl ?? '';
  const confirmed = startConfirmedAnswers(options.response);
  let stop: StopCause;
  try {
    stop = await send({
      delivery,
      baseUrl,
      world,
      rules,
      confirmed,
      toSend: toSend(assessment),
      send: connectionOptions(options),
      response: options.response,
      redactor: options.redactor,
      stopAfter: options.safety.stopAfter,
      createdBefore: assessment.history.created.includes(1),
      inDoubtBefore: isAnyInDoubt(assessment),
      onOutcome: (index, outcome, isFresh) => recorder.addOutcome(index, outcome, isFresh),
      onMaybeInFlight: (index) => recorder.addInFlight(index),
      onCommitted: () => recorder.reportNewOutcomes(),
      onWaiting: (why, heldMs) => recorder.showWaiting(why, heldMs),
      note: (text) => reporter.note(text),
      onAttempt: attemptLog({
        run: run.name,
        prepared: assessment.prepared,
        baseUrl,
        file: outputs.log,
        options,
        reporter,
      }),
      interrupted: interruption.signal,
    });
  } catch (cause) {
    if (options.output.debug) for (const line of stackOf(cause)) reporter.note(line);
    stop = stopFromError(cause, interruption.exitCode !== null);
  }
  return { kind: 'delivered', assessment, notices, changes, run, stop, confirmed, recorder };
}

/** The pipeline, in one direction: PREPARE, REVIEW, the gate, DELIVER. */
import { checkInput, reopenInputs, openInputs } from './prepare/inputs.js';
import { type PreparedRecords, prepare } from './prepare/prepare.js';
import { readPrices } from './prepare/prices.js';
import { similarRowIssues, similarRowsOf } from './prepare/similar-rows.js';
import { type DraftStore, storedRun } from './prepare/draft-store.js';
import { RecordTable } from './prepare/record-table.js';
import type { StopCause } from './delivery/circuit-breaker.js';
import { startConfirmedAnswers } from './delivery/confirmed-answers.js';
import { Interruption } from './delivery/interruption.js';
import { requireTarget } from './config/target.js';
import { openTarget, type OpenTarget, targetScope, sendRun, connectionOptions } from './delivery/open-target.js';
import { EXIT, UsageError } from './errors.js';
import type { Journal } from './journal/journal.js';
import type { Delivery, DraftRun } from './journal/plan.js';
import { type OpenedForRun, openForRun, requireRoomFor } from './journal/open.js';
import type { TargetName } from './journal/payment.js';
import type { RunOptions } from './options.js';
import { createConfirmation } from './review/confirmation.js';
import { callDoubts } from './review/call-doubts.js';
import { doubtRules } from './review/disposition.js';
import { IssueLog } from './review/issue-log.js';
import { buildPlan, toSend } from './review/build-plan.js';
import { checkLease, requireBatchName } from './review/requirements.js';
import { dayOf } from './records/calendar.js';
import type { Dialog } from './report/dialog.js';
import type { Reporter } from './report/reporter.js';
import { laterWords } from './report/stored-runs.js';
import { Review } from './review.js';
import { journalAccess } from './run/approve.js';
import { type RunSession, remark, type ApprovedReview } from './run/run-session.js';
import { attemptLog } from './run/attempt-log.js';
import { CallReport } from './run/finish.js';
import { newsWords } from './run/news.js';
import { finishInterrupted, stackOf, stopFromError, releaseAll } from './run/exit-status.js';
import { isAnyInDoubt, unprotectedWords } from './run/in-doubt.js';
import { openOutputs, type Outputs } from './run/output-files.js';
import type { World } from './world.js';

/**
 * Runs the whole pipeline and returns the exit code.
 * @param interruption may have been listening already
 * @throws UsageError, JournalError before anything is sent
 */
export async function runRecords(
  options: RunOptions,
  world: World,
  reporter: Reporter,
  dialog: Dialog,
  interruption = new Interruption(world),
): Promise<number> {
  interruption.listen((text) => reporter.note(text));
  const held: Held = { target: null, service: null, journal: null, preparation: null, log: null };
  try {
    return await run({ options, world, reporter, dialog, interruption }, held);
  } finally {
    interruption.end();
    await releaseAll([() => held.preparation?.abandon(), () => held.journal?.detach(), () => held.service?.close()]);
    await held.log?.end();
  }
}

/** The surroundings of a call. */
interface Outside {
  readonly options: RunOptions;
  readonly world: World;
  readonly reporter: Reporter;
  readonly dialog: Dialog;
  readonly interruption: Interruption;
}

/** Resources of a call that are released at its end. */
interface Held {
  /** Null in a dry run without a target. */
  target: TargetName | null;
  service: OpenTarget | null;
  /** Null if there is none yet. */
  journal: Journal | null;
  /** Null for a run that is resumed, in a dry run, and once the gate is passed. */
  preparation: DraftRun | null;
  log: Outputs['log'];
}

async function run(outside: Outside, held: Held): Promise<number> {
  const { reporter, dialog, interruption } = outside;
  const { safety, input, resume } = outside.options;
  if (!safety.dryRun) requireRoomFor(outside.options.journal.place);
  const outputs = await openOutputs(outside.options, outside.world);
  held.log = outputs.log;
  if (resume === null) await checkInput(input, safety.keyColumns, outside.world.cwd());
  // Only now: a wrong value of a flag is reported before a missing flag.
  requireTarget(outside.options);
  const issues = new IssueLog(outside.options, reporter);
  const ready = await prepareCall(outside, held, issues);
  if (ready === null) return finishInterrupted(outside.options, reporter, interruption.exitCode ?? EXIT.again);
  const { prepared, world, history } = ready;
  outputs.checkRead(prepared);
  const beganAgo = outside.world.now() - outside.options.startedAt;
  // From here on, the batch is the one that was found, and the clock is the journal's.
  const options = {
    ...outside.options,
    safety: {
      ...outside.options.safety,
      batchId: prepared.batchId,
    },
    now: world.now,
    startedAt: world.now() - beganAgo,
  };
  const { target, journal } = held;
  checkLease(prepared, options, world.leaseMs);
  if (options.resume === null && journal !== null && target !== null)
    requireBatchName(prepared.batchId, await journal.batches(target));
  if (prepared.entries.length === 0) issues.noRecords(prepared, options.input.allowEmpty);
  const { keyLifetimeMs, resendUnknown, retryRejected } = options.safety;
  const call: RunSession = {
    options,
    world,
    reporter,
    interruption,
    outputs,
    issues,
    target,
    journal,
    history,
    prepared,
    rules: {
      ...doubtRules(keyLifetimeMs, options.send.timeoutMs, resendUnknown, () => world.now()),
      retryRejected,
    },
    drafts: held.preparation?.number ?? null,
    run: null,
    earlier: new Set(),
    standsFor: new Map(),
    corrected: new Map(),
    heldInDoubt: new Set(),
    remarks: [],
  };
  if (resume !== null && journal !== null) for (const words of await laterWords(resume, journal)) remark(call, words);
  const unprotected = unprotectedWords(call);
  if (unprotected !== null) remark(call, unprotected);
  const report = new CallReport(call);
  if (journal !== null && target !== null)
    await issues.addCallDoubts(callDoubts({ options, prepared, target, journal, cwd: world.cwd() }));
  const review = new Review(call, createConfirmation(options, dialog, reporter, interruption.signal));
  for (let news: string | null = null; ;) {
    const reviewedAt = world.now();
    const verdict = await review.verdict(news);
    if (verdict.kind !== 'send') return report.finish(verdict);
    const delivery = await passGate(call, verdict, held);
    if (delivery !== null) return deliver(call, held, { ...verdict, delivery }, report);
    // Only a person who has answered is asked again.
    news = options.safety.yes ? null : await newsWords(reviewedAt, call);
  }
}

/** A call whose records are ready to be reviewed, with its final clock: the journal's, if it has one. */
interface Ready extends OpenWorld {
  readonly prepared: PreparedRecords;
}

interface OpenWorld {
  readonly world: World;
  readonly history: RunSession['history'];
}

/** PREPARE, from files or from a run that is resumed. Null when a signal ended it. */
async function prepareCall(call: Outside, held: Held, issues: IssueLog): Promise<Ready | null> {
  const { options, reporter, interruption } = call;
  const { input, safety, output, resume, startedAt } = options;
  if (resume !== null) {
    const opened = await open(call, held);
    // Everything to send is in the journal.
    if (held.target?.scope !== resume.scope)
      throw new UsageError(`the sandbox data of run ${resume.name} is not there any more`);
    const prepared = await storedRun(resume, held.journal as Journal);
    for (const issue of similarRowIssues(prepared, similarRowsOf(prepared))) issues.add(issue);
    const readings = await reopenInputs(resume, prepared.entries, input, opened.world, interruption.signal);
    return { prepared: { ...prepared, readings }, ...opened };
  }
  const isReadAgain = output.rejects !== null || output.results !== null;
  const note = (text: string): void => reporter.note(text);
  const inputs = openInputs(input, call.world, note, interruption.signal, isReadAgain);
  const opened = await open(call, held);
  const { world } = opened;
  const { target, journal } = held;
  let store: DraftStore | null = null;
  if (journal !== null && target !== null && !safety.dryRun) {
    const head = { command: options.command, batchId: safety.batchId, startedAt, headers: options.headerNames };
    held.preparation = await journal.prepare({ ...head, ...target });
    store = { journal, target, preparation: held.preparation };
  }
  try {
    const today = dayOf(startedAt);
    const prices = await readPrices(input.prices, inputs.readOptions, today, (issue) => issues.addFault(issue));
    const prepared = await prepare({
      entries: new RecordTable(),
      files: inputs.files,
      kindOf: inputs.kindOf,
      batchId: safety.batchNamed ? safety.batchId : null,
      history: target === null ? null : { target, journal },
      rules: {
        ...input,
        today,
        prices,
        keyColumns: safety.keyColumns,
        setFields: inputs.setFields,
      },
      strict: safety.strict,
      skipInvalid: safety.skipInvalid,
      store,
      keepBodies: output.json || output.report.length > 0 || safety.approve !== null,
      keepBodyHashes: target !== null,
      hasHistory: journal !== null,
      onIssue: (issue) => issues.add(issue),
      onRead: async (records) => {
        reporter.progress({ doing: 'reading', done: records, total: null });
        await reporter.ready();
        interruption.signal.throwIfAborted();
      },
      explain: output.explain ? (explained) => reporter.explain(explained) : null,
      world,
    });
    interruption.signal.throwIfAborted();
    inputs.checkRead(safety.keyColumns);
    return { prepared, ...opened };
  } catch (cause) {
    if (interruption.exitCode !== null) return null;
    throw cause;
  }
}

/** Opens target and journal; a dry run only reads, and starts nothing. Returns the world with the journal's clock. */
async function open({ options, world, reporter, interruption }: Outside, held: Held): Promise<OpenWorld> {
  const { target, safety, journal } = options;
  if (target === null) return { world, history: NO_HISTORY };
  if (!safety.dryRun) held.service = await openTarget(target, world);
  held.target = { target: target.name, scope: held.service?.scope ?? (await targetScope(target)) };
  const note = (text: string): void => reporter.note(text);
  const place = { ...journal, ...journalAccess(options), interrupted: interruption.signal, note };
  const opened = await openForRun(place, held.target, target.kind === 'url', world);
  if (opened === null) return { world, history: NO_HISTORY };
  held.journal = opened.journal;
  if (!safety.dryRun) await opened.journal.recover();
  return { world: opened.now === undefined ? world : { ...world, now: opened.now }, history: opened };
}

const NO_HISTORY: Pick<OpenedForRun, 'begins' | 'lastPaymentAt'> = { begins: false, lastPaymentAt: null };

/** Null if the history has changed since the review. */
async function passGate(
  { options, world }: RunSession,
  { assessment, approval }: ApprovedReview,
  held: Held,
): Promise<Delivery | null> {
  const { preparation } = held;
  const journal = held.journal as Journal;
  const target = held.target as TargetName;
  const digest = assessment.digest as string;
  const { keyLifetimeMs: lifetimeMs } = options.safety;
  const { inputCall } = options.resume ?? options.onward;
  const plan = await buildPlan({
    ...assessment,
    target,
    digest,
    lifetimeMs,
    approval,
    inputCall,
    preparation,
    journal,
  });
  world.failpoint('gate:before-commit');
  const delivery = await journal.commit(plan);
  if (delivery !== null) held.preparation = null;
  return delivery;
}

async function deliver(
  call: RunSession,
  { service }: Held,
  { assessment, notices, isReviewed, delivery }: ApprovedReview & { readonly delivery: Delivery },
  report: CallReport,
): Promise<number> {
  const { options, world, reporter, interruption, prepared, rules, outputs } = call;
  interruption.sending();
  world.failpoint('gate:after-commit');
  report.begin(delivery.run, { assessment, notices, isReviewed });
  const baseUrl = service?.baseUrl ?? '';
  const log = { run: delivery.run.name, prepared, baseUrl, file: outputs.log, options, reporter };
  const confirmed = startConfirmedAnswers(options.response);
  let stopped: StopCause = null;
  try {
    stopped = await sendRun({
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
      createdBefore: assessment.created.includes(1),
      inDoubtBefore: isAnyInDoubt(assessment),
      onOutcome: (index, outcome, fresh) => report.onOutcome(index, outcome, fresh),
      onMaybeInFlight: (index) => report.onMaybeInFlight(index),
      onCommitted: () => report.reportNewOutcomes(),
      onWaiting: (why, heldMs) => report.waiting(why, heldMs),
      note: (text) => reporter.note(text),
      onAttempt: attemptLog(log),
      interrupted: interruption.signal,
    });
  } catch (cause) {
    if (options.output.debug) for (const line of stackOf(cause)) reporter.note(line);
    stopped = stopFromError(cause, interruption.exitCode !== null);
  }
  return report.delivered(stopped, confirmed);
}

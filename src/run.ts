/** The pipeline, in one direction: PREPARE, REVIEW, the gate, DELIVER. */
import { checkKeyColumns, openInputs, refuseChanged } from './batch/inputs.js';
import { type Prepared, prepare } from './batch/prepare.js';
import { readPrices } from './batch/prices.js';
import { storeOn } from './batch/store.js';
import { storedRun } from './batch/stored-run.js';
import { Entries } from './batch/table.js';
import { inBatch } from './config/other-batch.js';
import type { Stopped } from './delivery/circuit-breaker.js';
import { Interrupted, type Interruption, listenForSignals } from './delivery/interruption.js';
import { openTarget, type OpenTarget, scopeOf, sendRun, wayTo } from './delivery/target.js';
import { EXIT, UsageError } from './errors.js';
import type { ClaimRules, Delivery, Ledger, Preparation, TargetName } from './ledger/ledger.js';
import { openForRun } from './ledger/open.js';
import type { Approval, Decisions, Run } from './ledger/payment.js';
import type { RunOptions } from './options.js';
import { approveInJournal, callerIn } from './outcome/approve.js';
import { attemptLog } from './outcome/attempt-log.js';
import { endEarly, stackOf, stopOf, tidyUp } from './outcome/ending.js';
import { openOutputs, type Outputs } from './outcome/outputs.js';
import { RunReport } from './outcome/run-report.js';
import { countEntries } from './outcome/summary.js';
import { foundRun } from './preflight/approval.js';
import { approvalToKeep, approvedWords, missingApproval } from './preflight/approver.js';
import { changesAnything, hasMoved, triesRejected } from './preflight/assess.js';
import { type Confirmation, startConfirmation } from './preflight/confirmation.js';
import { doubtRules } from './preflight/doubt.js';
import { Issues } from './preflight/issues.js';
import { withAnswer } from './preflight/decide.js';
import { sameDecisions } from './preflight/known.js';
import { approversOf, look, type Looked } from './preflight/look.js';
import { checkLease } from './preflight/lease.js';
import { planOf, toSend } from './preflight/plan.js';
import { refusalOf } from './preflight/refusal.js';
import { reviewNow } from './preflight/review-figures.js';
import type { Dialog } from './report/dialog.js';
import { readAgain } from './report/read-again.js';
import type { Reporter, ReviewReport } from './report/reporter.js';
import type { World } from './world.js';

/** Runs the whole pipeline and gives the exit code. @throws UsageError, JournalError before anything is sent */
export async function runRecords(
  options: RunOptions,
  world: World,
  reporter: Reporter,
  dialog: Dialog,
): Promise<number> {
  const interruption = listenForSignals(world, (text) => reporter.note(text));
  for (let moved: Moved | null = null; ;) {
    const pipeline: Pipeline = new Pipeline(options, moved, { world, reporter, dialog, interruption });
    moved = null;
    try {
      const ended = await pipeline.walk();
      if (typeof ended === 'number') return ended;
      // In another batch every key is another one: everything is done anew, but for what was told.
      moved = ended;
    } finally {
      if (moved === null) interruption.end();
      await pipeline.close();
    }
  }
}

/** The batch that a person has named in the review, and the files that were read until then. */
interface Moved {
  readonly batchId: string;
  readonly files: Prepared['files'];
}

interface Around {
  readonly world: World;
  readonly reporter: Reporter;
  readonly dialog: Dialog;
  readonly interruption: Interruption;
}

class Pipeline {
  private readonly options: RunOptions;
  /** Null for a call that is in the batch that its command line names. */
  private readonly moved: Moved | null;
  /** Ends the silence in which input is read a second time. */
  private readonly speak: () => void;
  private world: World;
  private readonly reporter: Reporter;
  private readonly confirmation: Confirmation;
  private readonly interruption: Interruption;
  private readonly issues: Issues;
  private readonly rules: ClaimRules;
  private service: OpenTarget | null = null;
  /** Null in a dry run without a target. */
  private target: TargetName | null = null;
  private ledger: Ledger | null = null;
  private log: Outputs['log'] = null;
  private preparation: Preparation | null = null;
  /** What the person has decided about repeats, by flag or in the review. */
  private decisions: Decisions;
  /** The run that goes on, once the person has decided about repeats that have come since it began. */
  private goesOn: Run | null = null;

  constructor(asked: RunOptions, moved: Moved | null, { world, reporter: told, dialog, interruption }: Around) {
    const options = moved === null ? asked : inBatch(asked, moved.batchId);
    const { reporter, speak } = moved === null ? { reporter: told, speak: () => {} } : readAgain(told);
    this.options = options;
    this.moved = moved;
    this.world = world;
    this.reporter = reporter;
    this.speak = speak;
    this.confirmation = startConfirmation(options, dialog, reporter, interruption.signal);
    this.interruption = interruption;
    this.issues = new Issues(options, reporter);
    const { keyLifetimeMs, resendUnknown, retryRejected, decisions } = options.safety;
    this.rules = { ...doubtRules(keyLifetimeMs, resendUnknown, () => this.world.now()), retryRejected };
    this.decisions = decisions;
  }

  async walk(): Promise<number | Moved> {
    const { options, world, reporter } = this;
    const outputs = await openOutputs(options, world, (text) => reporter.wrote(text));
    this.log = outputs.log;
    const prepared = options.resume === null ? await this.readInput() : await this.loadRun(options.resume);
    this.speak();
    if (prepared === null) return endEarly(options, reporter, this.interruption.exitCode ?? EXIT.unfinished);
    if (this.moved !== null) refuseChanged(this.moved.files, prepared.files);
    checkLease(prepared, options, world.leaseMs);
    const { issues, rules, ledger, preparation } = this;
    if (prepared.entries.length === 0) issues.noRecords(prepared, options.input.allowEmpty);
    const drafts = preparation?.number ?? null;
    const report = new RunReport({ options, prepared, issues, reporter, outputs, rules, ledger, drafts });
    for (;;) {
      const exitCode = await this.review(prepared, report);
      if (exitCode !== 'history-changed') return exitCode;
      reporter.note('another run has changed the history of the target meanwhile: everything is looked at once more');
    }
  }

  /** PREPARE. Null when a signal ended it. */
  private async readInput(): Promise<Prepared | null> {
    const { options, world, reporter, issues } = this;
    const { input, safety, output, command } = options;
    checkKeyColumns(safety.keyColumns, input);
    const startedAt = world.now();
    const inputs = await openInputs(
      input,
      world,
      (text) => reporter.note(text),
      this.interruption.signal,
      output.rejects !== null || output.results !== null,
    );
    await this.open();
    const today = new Date(startedAt).toISOString().slice(0, 10);
    if (this.ledger !== null && this.target !== null && !safety.dryRun)
      this.preparation = await this.ledger.prepare({ command, ...this.target, batchId: safety.batchId, startedAt });
    try {
      const prices = await readPrices(input.prices, inputs.readOptions, today, (issue) => issues.addFault(issue));
      const prepared = await prepare({
        entries: new Entries(),
        files: inputs.files,
        kindOf: inputs.kindOf,
        batchId: safety.batchId,
        rules: {
          ...{ today, prices, style: input.style, allowTotalRow: input.allowTotalRow },
          ...{ strict: safety.strict, keyColumns: safety.keyColumns, setFields: inputs.setFields },
        },
        skipInvalid: safety.skipInvalid,
        store: await storeOn(this.ledger, this.target, this.preparation),
        keepBodies: output.json || output.reports.length > 0 || safety.approve !== null,
        keepBodyHashes: options.target !== null,
        keepFingerprints: this.ledger !== null,
        onIssue: (issue) => issues.add(issue),
        onRead: async (records) => {
          reporter.progress({ doing: 'reading', done: records, total: null });
          await reporter.ready();
          this.interruption.check();
        },
        explain: output.explain ? (explained) => reporter.explain(explained) : null,
        world,
      });
      this.interruption.check();
      inputs.checkRead(safety.keyColumns);
      return prepared;
    } catch (cause) {
      if (cause instanceof Interrupted || this.interruption.exitCode !== null) return null;
      throw cause;
    }
  }

  /** PREPARE for a run that is resumed: all that is needed is in the ledger. */
  private async loadRun(run: Run): Promise<Prepared> {
    await this.open();
    if (this.target?.scope !== run.scope)
      throw new UsageError(`the sandbox data of run ${run.name} is not there any more`);
    return storedRun(run, this.ledger as Ledger);
  }

  async close(): Promise<void> {
    await tidyUp([() => this.preparation?.abandon(), () => this.ledger?.leave(), () => this.service?.close()]);
    await this.log?.end();
  }

  /** Opens target and ledger; a dry run only reads, and starts nothing. */
  private async open(): Promise<void> {
    const { options, world, reporter } = this;
    const { target, safety, journal } = options;
    if (target === null) return;
    if (!safety.dryRun) this.service = await openTarget(target, world);
    this.target = { target: target.name, scope: this.service?.scope ?? (await scopeOf(target)) };
    const place = { ...journal, ...callerIn(options), note: (text: string) => reporter.note(text) };
    const opened = await openForRun(place, this.target, target.kind === 'url', world);
    if (opened === null) return;
    this.ledger = opened.ledger;
    if (opened.now !== undefined) this.world = { ...this.world, now: opened.now };
    if (!safety.dryRun) await opened.ledger.recover();
  }

  /** REVIEW: looks at the history, asks what has to be asked, and passes the gate; or says why not. */
  private async review(prepared: Prepared, report: RunReport): Promise<number | Moved | 'history-changed'> {
    const { options, confirmation, interruption, reporter } = this;
    let looked = await this.look(prepared);
    const { ledger, preparation, issues, world } = this;
    const figures = (): Promise<ReviewReport> =>
      reviewNow(prepared, looked, { options, ledger, preparation, issues, world });
    let refusal = this.refusal(prepared, looked);
    while (refusal?.reason === 'repeats') {
      const asked = await confirmation.aboutRepeats(figures);
      if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
      if (asked !== null && 'batchId' in asked) return { batchId: asked.batchId, files: prepared.files };
      const decisions = asked === null ? this.decisions : withAnswer(this.decisions, asked.decisions);
      if (sameDecisions(decisions, this.decisions)) break;
      // In a run that goes on, the answer is about what has come since, and the run stays the same. Otherwise it counts as
      // if it had been said by flags, which decide which earlier run may go on: there may be more to be asked about then.
      this.goesOn = looked.known.run;
      this.decisions = decisions;
      looked = await this.look(prepared);
      refusal = this.refusal(prepared, looked);
    }
    if (refusal !== null) return report.refused(refusal, looked);
    const { safety, target } = options;
    const found = foundRun(prepared, looked.digest, this.decisions, options);
    const [approves, approvers] = [safety.approve !== null, await approversOf(this.ledger, looked)];
    const missing = approves ? [] : missingApproval(options, found, this.decisions, approvers);
    if (target === null || (safety.dryRun && !approves)) {
      for (const words of missing) reporter.note(`to send it: ${words}`);
      return report.planned(looked, null);
    }
    // A call that sends and decides nothing leaves no trace.
    const isListed = !hasMoved(looked.known.run, prepared.files);
    if (!approves && isListed && !changesAnything(looked.assessment, looked.known)) return report.nothingLeft(looked);
    if (missing.length > 0) return report.refused({ reason: 'not_approved', words: missing }, looked);
    const approval = approves ? null : approvalToKeep(options, found, approvers);
    for (const word of new Set([approval, safety.approval]))
      if (word !== null) reporter.note(approvedWords(word, options, approvers));
    if (!(await confirmation.given(figures))) {
      if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
      return report.refused({ reason: 'not_confirmed', words: [confirmation.refusal] }, looked);
    }
    if (!approves) return this.passGate(prepared, looked, report, approval);
    if (safety.approve?.file === null)
      await approveInJournal(found, options, this.ledger as Ledger, (text) => reporter.note(text));
    return report.planned(looked, found);
  }

  private look(prepared: Prepared): Promise<Looked> {
    const { options, target, ledger, issues, rules, decisions, goesOn } = this;
    return look(prepared, { options, target, ledger, issues, rules, decisions, goesOn, now: () => this.world.now() });
  }

  private refusal(prepared: Prepared, looked: Looked): ReturnType<typeof refusalOf> {
    const { decisions, issues, options } = this;
    return refusalOf({ prepared, ...looked, ...countEntries(prepared.entries), decisions }, issues, options);
  }

  private async passGate(
    prepared: Prepared,
    looked: Looked,
    report: RunReport,
    approval: Approval | null,
  ): Promise<number | 'history-changed'> {
    const { world, options, decisions, preparation } = this;
    const [ledger, target, digest] = [this.ledger as Ledger, this.target as TargetName, looked.digest as string];
    const { known, assessment } = looked;
    const drafts = { preparation, ledger };
    const plan = await planOf({ prepared, known, assessment, target, digest, decisions, approval, ...drafts });
    world.reached('gate:before-commit');
    const delivery = await ledger.commit(plan);
    if (delivery === null) return 'history-changed';
    this.preparation = null;
    this.interruption.sending();
    for (const { index, payment } of toSend(prepared, assessment.fates, preparation))
      prepared.entries.setPayment(index, payment);
    world.reached('gate:after-commit');
    await report.begin(delivery.run, looked);
    let stopped: Stopped = null;
    try {
      stopped = await this.deliver(delivery, prepared, looked, preparation, report);
    } catch (cause) {
      if (options.output.debug) for (const line of stackOf(cause)) this.reporter.note(line);
      stopped = stopOf(cause);
    }
    return report.delivered(stopped, this.interruption.exitCode);
  }

  /** DELIVER. */
  private deliver(
    delivery: Delivery,
    prepared: Prepared,
    { known, assessment }: Looked,
    preparation: Preparation | null,
    report: RunReport,
  ): Promise<Stopped> {
    const { options, world, service, rules, reporter, log } = this;
    const baseUrl = service?.baseUrl ?? '';
    return sendRun({
      delivery,
      toSend: toSend(prepared, assessment.fates, preparation),
      baseUrl,
      send: wayTo(options),
      response: options.response,
      secrets: options.secrets,
      stopAfter: options.safety.stopAfter,
      createdBefore: known.run !== null && assessment.fates.some((fate) => fate?.what === 'created'),
      // What this run has decided to send includes payments that another run has had rejected.
      rules: { ...rules, retryRejected: triesRejected(assessment) },
      onKnown: (index, outcome, fresh) => report.known(index, outcome, fresh),
      onOpen: (index) => report.open(index),
      onTold: () => report.tellFresh(),
      onWaiting: (why, heldMs) => report.waiting(why, heldMs),
      note: (text) => reporter.note(text),
      onAttempt: attemptLog({ run: delivery.run.name, prepared, baseUrl, file: log, options, reporter }),
      interrupted: this.interruption.signal,
      world,
    });
  }
}

/** The pipeline, in one direction: PREPARE, REVIEW, the gate, DELIVER. */
import { openInputs, checkKeyColumns } from './batch/inputs.js';
import { type Prepared, prepare, type Store } from './batch/prepare.js';
import { readPrices } from './batch/prices.js';
import { storedRun } from './batch/stored-run.js';
import { Entries } from './batch/table.js';
import type { Stopped } from './delivery/circuit-breaker.js';
import { Interrupted, type Interruption, listenForSignals } from './delivery/interruption.js';
import { openTarget, type OpenTarget, scopeOf, sendRun, wayTo } from './delivery/target.js';
import { EXIT, JournalError, UsageError } from './errors.js';
import type { ClaimRules, Delivery, Ledger, Preparation, TargetName } from './ledger/ledger.js';
import { newJournalNotice, openLedger } from './ledger/open.js';
import type { Decisions, Run } from './ledger/payment.js';
import type { RunOptions } from './options.js';
import { attemptLog } from './outcome/attempt-log.js';
import { endEarly, stackOf, stopOf } from './outcome/ending.js';
import { openOutputs, type Outputs } from './outcome/outputs.js';
import { type Looked, RunReport } from './outcome/run-report.js';
import { countEntries } from './outcome/summary.js';
import { type Approval, startApproval } from './preflight/approval.js';
import { assess, changesAnything, digestOf, hasMoved, triesRejected } from './preflight/assess.js';
import { doubtRules } from './preflight/doubt.js';
import { Issues } from './preflight/issues.js';
import { withAnswer } from './preflight/decide.js';
import { lookUp, NOTHING_KNOWN, sameDecisions } from './preflight/known.js';
import { placesOf } from './preflight/places.js';
import { bodyOf, planOf, toSend } from './preflight/plan.js';
import { refusalOf } from './preflight/refusal.js';
import { reviewOf } from './preflight/review-figures.js';
import { subjectOf } from './records/subject.js';
import type { Dialog } from './report/dialog.js';
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
  const pipeline = new Pipeline(options, world, reporter, dialog, interruption);
  try {
    return await pipeline.walk();
  } finally {
    interruption.end();
    await pipeline.close();
  }
}

class Pipeline {
  private readonly options: RunOptions;
  private world: World;
  private readonly reporter: Reporter;
  private readonly approval: Approval;
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

  constructor(options: RunOptions, world: World, reporter: Reporter, dialog: Dialog, interruption: Interruption) {
    this.options = options;
    this.world = world;
    this.reporter = reporter;
    this.approval = startApproval(options, dialog, reporter, interruption.signal);
    this.interruption = interruption;
    this.issues = new Issues(options, reporter);
    const { keyLifetimeMs, resendUnknown, retryRejected, decisions } = options.safety;
    this.rules = { ...doubtRules(keyLifetimeMs, resendUnknown, () => this.world.now()), retryRejected };
    this.decisions = decisions;
  }

  async walk(): Promise<number> {
    const { options, world, reporter } = this;
    const outputs = await openOutputs(options, world, (text) => reporter.wrote(text));
    this.log = outputs.log;
    const prepared = options.resume === null ? await this.readInput() : await this.loadRun(options.resume);
    if (prepared === null) return endEarly(options, reporter, this.interruption.exitCode ?? EXIT.unfinished);
    if (prepared.entries.length === 0) this.issues.noRecords(prepared, options.input.allowEmpty);
    const report = this.startReport(prepared, outputs);
    for (;;) {
      const exitCode = await this.review(prepared, report);
      // Another run has passed its gate meanwhile: everything is looked at once more.
      if (exitCode !== 'history-changed') return exitCode;
    }
  }

  private startReport(prepared: Prepared, outputs: Outputs): RunReport {
    const { options, issues, reporter, rules, ledger } = this;
    const drafts = this.preparation?.number ?? null;
    return new RunReport({ options, prepared, issues, reporter, outputs, rules, ledger, drafts });
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
      output.rejects !== null,
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
        rules: { today, decimal: input.style.decimal, strict: safety.strict, keyColumns: safety.keyColumns, prices },
        skipInvalid: safety.skipInvalid,
        store: await this.storeOf(),
        keepBodies: output.json || output.reports.length > 0,
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

  private async storeOf(): Promise<Store | null> {
    const { ledger, target, preparation } = this;
    if (ledger === null || target === null || preparation === null) return null;
    return { preparation, stored: (records) => ledger.stored(target, records), isEmpty: await ledger.isEmpty(target) };
  }

  /** PREPARE for a run that is resumed: all that is needed is in the ledger. */
  private async loadRun(run: Run): Promise<Prepared> {
    await this.open();
    if (this.target?.scope !== run.scope)
      throw new UsageError(`the sandbox data of run ${run.name} is not there any more`);
    return storedRun(run, this.ledger as Ledger);
  }

  async close(): Promise<void> {
    for (const tidy of [() => this.preparation?.abandon(), () => this.ledger?.leave(), () => this.service?.close()]) {
      try {
        await tidy();
      } catch (cause) {
        // The next call tidies up what is left: it finds it by this process's name.
        if (!(cause instanceof JournalError)) throw cause;
      }
    }
    await this.log?.end();
  }

  /** Opens target and ledger; a dry run only reads, and starts nothing. */
  private async open(): Promise<void> {
    const { options, world, reporter } = this;
    const { target, safety, journal } = options;
    if (target === null) return;
    if (!safety.dryRun) this.service = await openTarget(target, world);
    this.target = { target: target.name, scope: this.service?.scope ?? (await scopeOf(target)) };
    const isReal = target.kind === 'url';
    const place = {
      ...{ ...journal, required: isReal && journal.required, caller: safety.dryRun ? null : options.caller },
      note: (text: string) => reporter.note(text),
    };
    const opened = await openLedger(place, world);
    if (opened === null) return;
    this.ledger = opened.ledger;
    if (opened.now !== undefined) this.world = { ...this.world, now: opened.now };
    const notices = isReal ? [opened.storage, await newJournalNotice(opened.ledger, this.target, place)] : [];
    for (const notice of notices) if (notice !== null) reporter.note(notice);
    if (!safety.dryRun) await opened.ledger.recover();
  }

  /** REVIEW: looks at the history, asks what has to be asked, and passes the gate; or says why not. */
  private async review(prepared: Prepared, report: RunReport): Promise<number | 'history-changed'> {
    const { options, approval, interruption } = this;
    let looked = await this.look(prepared);
    let refusal = this.refusal(prepared, looked);
    while (refusal?.reason === 'repeats') {
      const asked = await approval.aboutRepeats(() => this.figures(prepared, looked));
      if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
      const decisions = asked === null ? this.decisions : withAnswer(this.decisions, asked);
      if (sameDecisions(decisions, this.decisions)) break;
      // In a run that goes on, the answer is about what has come since, and the run stays the same. Otherwise it counts as
      // if it had been said by flags, which decide which earlier run may go on: there may be more to be asked about then.
      this.goesOn = looked.known.run;
      this.decisions = decisions;
      looked = await this.look(prepared);
      refusal = this.refusal(prepared, looked);
    }
    if (refusal !== null) return report.refused(refusal, looked);
    if (options.safety.dryRun || options.target === null) return report.planned(looked);
    // A call that sends and decides nothing leaves no trace.
    const isListed = !hasMoved(looked.known.run, prepared.files);
    if (isListed && !changesAnything(looked.assessment, looked.known)) return report.nothingLeft(looked);
    if (!(await approval.given(() => this.figures(prepared, looked)))) {
      if (interruption.exitCode !== null) return report.interrupted(interruption.exitCode, looked);
      return report.refused({ reason: 'not_confirmed', words: [approval.refusal] }, looked);
    }
    return this.passGate(prepared, looked, report);
  }

  /** What the ledger knows, and what follows from it. A key that belongs to other content makes its record invalid. */
  private async look(prepared: Prepared): Promise<Looked> {
    const { options, target, ledger, rules, issues } = this;
    const { batchId, batchNamed } = options.safety;
    const named = options.resume ?? this.goesOn;
    for (;;) {
      const digest = target === null ? null : (options.resume?.digest ?? digestOf(target.target, prepared));
      const known =
        ledger === null || target === null || digest === null
          ? NOTHING_KNOWN
          : await lookUp({
              ...{ ledger, target, prepared, digest, batchId },
              ...{ decisions: this.decisions, resume: named, now: this.world.now() },
            });
      // Another run has passed its gate between the look-ups, which have not seen the same history.
      if (ledger !== null && target !== null && known.version !== (await ledger.version(target))) continue;
      // `--send-similar` was obeyed when the run passed its gate; what has come since is another decision.
      const isOn = known.run !== null && named === null;
      const decisions = isOn ? { ...this.decisions, sendSimilar: null } : this.decisions;
      const assessment = assess(prepared, known, {
        ...{ rules, retryRejected: rules.retryRejected, bringsBodies: options.resume === null },
        ...{ batchId, batchNamed, decisions },
      });
      const placeOf = await placesOf({ known, assessment }, ledger);
      const history = { prepared, placeOf, target: target?.target ?? '', now: this.world.now() };
      await issues.addConflicts(assessment.conflicts, history);
      if (assessment.conflicts.length > 0) continue;
      await issues.addRepeats(assessment, history);
      await issues.addHistory(known, batchId, history);
      return { digest, known, assessment, placeOf };
    }
  }

  private refusal(prepared: Prepared, looked: Looked): ReturnType<typeof refusalOf> {
    return refusalOf({ prepared, ...looked, ...countEntries(prepared.entries) }, this.issues, this.options);
  }

  private figures(prepared: Prepared, { assessment, digest, known }: Looked): Promise<ReviewReport> {
    const { options, ledger, preparation, issues } = this;
    const { batchId } = options.safety;
    const target = options.target?.name ?? null;
    const subjectsOf = async (indexes: readonly number[]): Promise<string[]> => {
      const ids = indexes.map((index) => bodyOf(index, prepared, assessment.fates[index] ?? null, preparation));
      const bodies = ledger === null ? [] : await ledger.bodies(ids.map((id) => id ?? 0));
      return indexes.map((_index, i) => subjectOf(bodies[i] ?? null));
    };
    const facts = { target, batchId, digest, files: prepared.files, warnings: issues.warnings };
    const goesOn = known.run !== null;
    return reviewOf({ ...facts, goesOn }, { prepared, assessment, subjectsOf });
  }

  private async passGate(prepared: Prepared, looked: Looked, report: RunReport): Promise<number | 'history-changed'> {
    const { world, options, decisions, preparation } = this;
    const [ledger, target] = [this.ledger as Ledger, this.target as TargetName];
    const { known, assessment } = looked;
    const digest = looked.digest as string;
    const plan = await planOf({ prepared, known, assessment, target, digest, decisions, preparation, ledger });
    world.reached('gate:before-commit');
    const delivery = await ledger.commit(plan);
    if (delivery === null) return 'history-changed';
    this.preparation = null;
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
    const { safety } = options;
    const baseUrl = service?.baseUrl ?? '';
    return sendRun({
      delivery,
      toSend: toSend(prepared, assessment.fates, preparation),
      baseUrl,
      send: wayTo(options),
      response: options.response,
      secrets: options.secrets,
      stopAfter: safety.stopAfter,
      createdBefore: known.run !== null && assessment.fates.some((fate) => fate?.what === 'created'),
      // What this run has decided to send includes payments that another run has had rejected.
      rules: { ...rules, retryRejected: triesRejected(assessment) },
      onKnown: (index, outcome, fresh) => report.known(index, outcome, fresh),
      onTold: () => report.tellFresh(),
      onWaiting: (why, heldMs) => report.waiting(why, heldMs),
      note: (text) => reporter.note(text),
      onAttempt: attemptLog({ run: delivery.run.name, prepared, baseUrl, file: log, options, reporter }),
      interrupted: this.interruption.signal,
      world,
    });
  }
}

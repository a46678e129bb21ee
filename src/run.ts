/** The pipeline, in one direction: PREPARE, REVIEW, the gate, DELIVER. */
import { checkKeyColumns, openInputs } from './batch/inputs.js';
import type { Corrected } from './batch/corrections.js';
import { type Prepared, prepare } from './batch/prepare.js';
import { readPrices } from './batch/prices.js';
import { storeOn } from './batch/storing.js';
import { storedRun } from './batch/stored-run.js';
import { Entries } from './batch/entries.js';
import type { Stopped } from './delivery/circuit-breaker.js';
import { Interruption } from './delivery/interruption.js';
import { openTarget, type OpenTarget, scopeOf, sendRun, wayTo } from './delivery/target.js';
import { EXIT, UsageError } from './errors.js';
import type { Ledger } from './ledger/ledger.js';
import type { Delivery } from './ledger/claims.js';
import type { ClaimRules, Preparation } from './ledger/plan.js';
import { openForRun } from './ledger/open.js';
import type { Run, TargetName } from './ledger/payment.js';
import type { RunOptions } from './options.js';
import { type Confirmation, startConfirmation } from './preflight/confirmation.js';
import { doubtRules, shortest } from './preflight/fate.js';
import { Issues } from './preflight/issues.js';
import type { Known } from './preflight/known.js';
import type { Looked } from './preflight/look.js';
import { planOf, toSend } from './preflight/plan.js';
import { checkLease, requireBatchName } from './preflight/requirements.js';
import type { Dialog } from './report/dialog.js';
import type { Reporter } from './report/reporter.js';
import { Review, type Reviewed } from './review.js';
import { callerIn } from './run/approve.js';
import { attemptLog } from './run/attempt-log.js';
import { CallReport } from './run/call-report.js';
import { endEarly, stackOf, stopOf, tidyUp } from './run/ending.js';
import { isAnyInDoubt } from './run/doubts.js';
import { openOutputs, type Outputs } from './run/output-files.js';
import type { World } from './world.js';

/** Runs the whole pipeline and gives the exit code. @throws UsageError, JournalError before anything is sent */
export async function runRecords(
  options: RunOptions,
  world: World,
  reporter: Reporter,
  dialog: Dialog,
): Promise<number> {
  const interruption = new Interruption(world, (text) => reporter.note(text));
  const pipeline = new Pipeline(options, { world, reporter, dialog, interruption });
  try {
    return await pipeline.walk();
  } finally {
    interruption.end();
    await pipeline.close();
  }
}

interface Around {
  readonly world: World;
  readonly reporter: Reporter;
  readonly dialog: Dialog;
  readonly interruption: Interruption;
}

class Pipeline {
  private options: RunOptions;
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

  constructor(options: RunOptions, { world, reporter, dialog, interruption }: Around) {
    this.options = options;
    this.world = world;
    this.reporter = reporter;
    this.confirmation = startConfirmation(options, dialog, reporter, interruption.signal);
    this.interruption = interruption;
    this.issues = new Issues(options, reporter);
    const { keyLifetimeMs, resendUnknown, retryRejected } = options.safety;
    this.rules = { ...doubtRules(keyLifetimeMs, resendUnknown, () => this.world.now()), retryRejected };
  }

  async walk(): Promise<number> {
    const { world, reporter } = this;
    const outputs = await openOutputs(this.options, world, (text) => reporter.wrote(text));
    this.log = outputs.log;
    const { resume } = this.options;
    const prepared = resume === null ? await this.readInput() : await this.loadRun(resume);
    if (prepared === null) return endEarly(this.options, reporter, this.interruption.exitCode ?? EXIT.again);
    // From here on, the batch is the one that was found.
    this.options = { ...this.options, safety: { ...this.options.safety, batchId: prepared.batchId } };
    const { options, issues, rules, ledger, preparation } = this;
    checkLease(prepared, options, world.leaseMs);
    if (resume === null && ledger !== null && this.target !== null)
      requireBatchName(prepared.batchId, await ledger.batches(this.target));
    if (prepared.entries.length === 0) issues.noRecords(prepared, options.input.allowEmpty);
    const drafts = preparation?.number ?? null;
    const report = new CallReport({ options, prepared, ledger, drafts, issues, reporter, outputs, rules });
    const { target, confirmation, interruption } = this;
    const around = { options, world: this.world, reporter, confirmation, interruption, issues, rules };
    const review = new Review({ ...around, target, ledger, preparation, prepared, report });
    for (;;) {
      const reviewed = await review.walk();
      const exitCode = typeof reviewed === 'number' ? reviewed : await this.passGate(prepared, reviewed, report);
      if (exitCode !== 'history-changed') return exitCode;
      reporter.note('Another run was sent in the meantime. Checking again.');
    }
  }

  /** PREPARE. Null when a signal ended it. */
  private async readInput(): Promise<Prepared | null> {
    const { options, world, reporter, issues } = this;
    const { input, safety, output, command } = options;
    const headers = options.headerNames;
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
      this.preparation = await this.ledger.prepare({
        command,
        ...this.target,
        batchId: safety.batchId,
        startedAt,
        headers,
      });
    try {
      const prices = await readPrices(input.prices, inputs.readOptions, today, (issue) => issues.addFault(issue));
      const prepared = await prepare({
        entries: new Entries(),
        files: inputs.files,
        kindOf: inputs.kindOf,
        batchId: safety.batchNamed ? safety.batchId : null,
        corrected: this.corrected(),
        rules: {
          ...{ ...input, today, prices },
          ...{ strict: safety.strict, keyColumns: safety.keyColumns, setFields: inputs.setFields },
        },
        skipInvalid: safety.skipInvalid,
        store: await storeOn(this.ledger, this.target, this.preparation),
        keepBodies: output.json || output.report.length > 0 || safety.approve !== null,
        keepBodyHashes: options.target !== null,
        keepFingerprints: this.ledger !== null,
        onIssue: (issue) => issues.add(issue),
        onRead: async (records) => {
          reporter.progress({ doing: 'reading', done: records, total: null });
          await reporter.ready();
          this.interruption.signal.throwIfAborted();
        },
        explain: output.explain ? (explained) => reporter.explain(explained) : null,
        world,
      });
      this.interruption.signal.throwIfAborted();
      inputs.checkRead(safety.keyColumns);
      return prepared;
    } catch (cause) {
      if (this.interruption.exitCode !== null) return null;
      throw cause;
    }
  }

  /** Null where there is no target; where the target has no history, nothing is known there. */
  private corrected(): Corrected | null {
    const { ledger, target } = this;
    if (target === null) return null;
    if (ledger === null) return { find: () => Promise.resolve([]), bodies: () => Promise.resolve([]) };
    return { find: (keys) => ledger.find(target, keys), bodies: (payments) => ledger.bodies(payments) };
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

  /** While a request is tried again, the shortest lifetime that was said of any payment holds for all. */
  private rulesFor({ byKey }: Known): ClaimRules {
    const { keyLifetimeMs, resendUnknown } = this.options.safety;
    const least = shortest([keyLifetimeMs, ...[...byKey.values()].map(({ lifetimeMs }) => lifetimeMs)]);
    return { ...this.rules, ...doubtRules(least, resendUnknown, () => this.world.now()) };
  }

  private async passGate(
    prepared: Prepared,
    { looked, decisions, approval, notices }: Reviewed,
    report: CallReport,
  ): Promise<number | 'history-changed'> {
    const { world, options, preparation } = this;
    const [ledger, target, digest] = [this.ledger as Ledger, this.target as TargetName, looked.digest as string];
    const { known, assessment } = looked;
    const { keyLifetimeMs: lifetimeMs } = options.safety;
    const given = { target, digest, decisions, lifetimeMs, approval, preparation, ledger };
    const plan = await planOf({ prepared, known, assessment, ...given });
    world.reached('gate:before-commit');
    const delivery = await ledger.commit(plan);
    if (delivery === null) return 'history-changed';
    this.preparation = null;
    this.interruption.sending();
    world.reached('gate:after-commit');
    await report.begin(delivery.run, looked, notices);
    let stopped: Stopped = null;
    try {
      stopped = await this.deliver(delivery, prepared, looked, report);
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
    report: CallReport,
  ): Promise<Stopped> {
    const { options, world, service, reporter, log } = this;
    const baseUrl = service?.baseUrl ?? '';
    return sendRun({
      ...{ delivery, baseUrl, world, rules: this.rulesFor(known) },
      toSend: toSend(prepared, assessment),
      send: wayTo(options),
      response: options.response,
      secrets: options.secrets,
      stopAfter: options.safety.stopAfter,
      createdBefore: known.created.includes(1),
      inDoubtBefore: isAnyInDoubt(prepared, assessment, known),
      onKnown: (index, outcome, fresh) => report.known(index, outcome, fresh),
      onOpen: (index) => report.open(index),
      onTold: () => report.tellFresh(),
      onWaiting: (why, heldMs) => report.waiting(why, heldMs),
      note: (text) => reporter.note(text),
      onAttempt: attemptLog({ run: delivery.run.name, prepared, baseUrl, file: log, options, reporter }),
      interrupted: this.interruption.signal,
    });
  }
}

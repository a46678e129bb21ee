/** The street, walked in one direction: PREPARE, REVIEW, the gate, DELIVER. */
import { EXIT, JournalError, UsageError } from './errors.js';
import type { DoubtRules, Outbox } from './journal/delivery.js';
import type { Journal, StoredRun } from './journal/journal.js';
import { KINDS } from './records/kinds.js';
import type { Dialog, RepeatWish } from './report/dialog.js';
import type { Reporter } from './report/reporter.js';
import type { World } from './world.js';
import { type Approval, refusalOf, startApproval } from './preflight/approval.js';
import type { Decided } from './preflight/decide.js';
import { Beside } from './batch/beside.js';
import { type Continued, takeBack } from './preflight/continuing.js';
import { doubtRules, type Doubts, doubtsOf, noteResends, againWords } from './preflight/doubts.js';
import { endEarly, stackOf, stopOf } from './outcome/ending.js';
import { Entries } from './batch/table.js';
import { openInputs, type Inputs, checkKeyColumns } from './batch/inputs.js';
import { Interrupted, type Interruption, listenForSignals } from './delivery/interruption.js';
import { Issues } from './preflight/issues.js';
import type { RunOptions, SafetyOptions } from './options.js';
import { openOutputs } from './outcome/outputs.js';
import { type Prepared, prepare } from './batch/prepare.js';
import { passGate, rewritePlaces } from './preflight/gate.js';
import { readPrices } from './batch/prices.js';
import { type Review, reviewOf } from './preflight/review-figures.js';
import { type OpenTarget, openTarget, scopeOf, sendRun, wayTo } from './delivery/target.js';
import { type DecisionContext, decideRepeats, findStanding, type Standing } from './preflight/standing.js';
import { preparedFrom } from './preflight/from-journal.js';
import { Telling } from './outcome/telling.js';
import type { Stopped } from './delivery/circuit-breaker.js';

/** Walks the whole street and gives the exit code. @throws UsageError, JournalError before anything is sent */
export async function runRecords(
  options: RunOptions,
  world: World,
  reporter: Reporter,
  dialog: Dialog,
): Promise<number> {
  const interruption = listenForSignals(world, (text) => reporter.note(text));
  const run = new Run(options, world, reporter, dialog, interruption);
  try {
    return await run.walk();
  } finally {
    interruption.end();
    await run.close();
  }
}

class Run {
  private readonly options: RunOptions;
  private readonly world: World;
  private readonly reporter: Reporter;
  private readonly approval: Approval;
  private readonly interruption: Interruption;
  private readonly issues: Issues;
  private readonly rules: DoubtRules;
  private target: OpenTarget | null = null;
  private scope = '';
  /** The run that is resumed from the journal alone, or null. */
  private resumed: Continued | null = null;
  private journal: Journal | null = null;
  private preparing: Beside | null = null;
  /** See {@link StandingContext.refused}. */
  private readonly refused = new Set<number>();

  constructor(options: RunOptions, world: World, reporter: Reporter, dialog: Dialog, interruption: Interruption) {
    this.options = options;
    this.world = world;
    this.reporter = reporter;
    this.approval = startApproval(options, dialog, reporter, interruption.signal);
    this.interruption = interruption;
    this.issues = new Issues(options, reporter);
    const { keyLifetimeMs, resendUnknown } = options.safety;
    this.rules = doubtRules(keyLifetimeMs, resendUnknown, world.now);
  }

  async walk(): Promise<number> {
    const { options, world } = this;
    const outputs = await openOutputs(options, world, (text) => this.reporter.wrote(text));
    const prepared = options.resume === null ? await this.readInput() : await this.loadRun(options.resume);
    if (prepared === null) return endEarly(options, this.reporter, this.interruption.exitCode ?? EXIT.unfinished);
    const telling = new Telling(options, prepared, this.issues, this.reporter, outputs, this.rules);
    if (prepared.entries.length === 0) this.issues.noRecords(prepared, options.input.allowEmpty);
    for (;;) {
      const passed = await this.review(prepared, telling);
      if (passed === 'history-changed') continue;
      return passed;
    }
  }

  /** Null when a signal ended it. */
  private async readInput(): Promise<Prepared | null> {
    const { options, world } = this;
    checkKeyColumns(options.safety.keyColumns, options.input);
    const inputs = await openInputs(
      options.input,
      world,
      (text) => this.reporter.note(text),
      this.interruption.signal,
      options.output.rejects !== null,
    );
    await this.open();
    const prepared = await this.prepare(inputs, world.now());
    if (prepared !== null) inputs.checkRead(options.safety.keyColumns);
    return prepared;
  }

  private async loadRun(run: StoredRun): Promise<Prepared> {
    await this.open();
    if (this.scope !== run.scope) throw new UsageError(`the sandbox data of run ${run.run} is not there any more`);
    const journal = this.journal as Journal;
    // As it is now: another call may have gone on with it from other files.
    const { prepared, continued } = preparedFrom(journal.runNamed(run.run) ?? run, journal);
    this.resumed = continued;
    return prepared;
  }

  async close(): Promise<void> {
    for (const tidy of [() => this.preparing?.abandon(), () => this.journal?.close()]) {
      try {
        tidy();
      } catch (cause) {
        // The next call tidies up what is left: it finds it by this process's name.
        if (!(cause instanceof JournalError)) throw cause;
      }
    }
    await this.target?.close();
  }

  /** Opens target and journal; a dry run only reads, and starts nothing. */
  private async open(): Promise<void> {
    const { options, world } = this;
    const { dryRun } = options.safety;
    if (options.target === null) return;
    if (dryRun) this.scope = await scopeOf(options.target);
    else {
      this.target = await openTarget(options.target, world);
      this.scope = this.target.scope;
    }
    // A dry run without a target does not wait for SQLite to be loaded.
    const { openSqliteJournal } = await import('./journal/sqlite.js');
    this.journal = openSqliteJournal({
      folder: options.journalDir,
      readOnly: dryRun,
      isKeyed: (type) => KINDS[type].keyed,
      now: world.now,
      platform: world.platform,
    });
    if (!dryRun) this.journal?.recover();
  }

  /** Null when a signal ended it. */
  private async prepare(inputs: Inputs, startedAt: number): Promise<Prepared | null> {
    const { options, world, issues } = this;
    const { input, safety, output, command } = options;
    const today = new Date(world.now()).toISOString().slice(0, 10);
    const target = options.target?.name ?? '';
    const head = { command, target, scope: this.scope, batchId: safety.batchId, startedAt };
    const entries = new Entries();
    this.preparing = safety.dryRun || this.journal === null ? null : new Beside(this.journal, head, entries);
    try {
      const prices = await readPrices(input.prices, inputs.readOptions, today, (issue) => issues.addFault(issue));
      const prepared = await prepare({
        entries,
        files: inputs.files,
        kindOf: inputs.kindOf,
        batchId: safety.batchId,
        rules: { today, decimal: input.style.decimal, strict: safety.strict, keyColumns: safety.keyColumns, prices },
        skipInvalid: safety.skipInvalid,
        store: this.preparing,
        keepBodies: safety.dryRun && (output.json || safety.payAgain !== null),
        keepBodyHashes: options.target !== null,
        keepHashes: this.journal !== null,
        onIssue: (issue) => issues.add(issue),
        onRead: (records) => {
          this.interruption.check();
          this.reporter.progress({ doing: 'reading', done: records, total: null });
        },
        explain: output.explain ? (explained) => this.reporter.explain(explained) : null,
        world,
      });
      this.interruption.check();
      return prepared;
    } catch (cause) {
      if (cause instanceof Interrupted || this.interruption.exitCode !== null) return null;
      throw cause;
    }
  }

  /** Compares with the history, asks what has to be asked, and sends; or says why not. */
  private async review(prepared: Prepared, telling: Telling): Promise<number | 'history-changed'> {
    const { options, issues } = this;
    let context = this.context(prepared, options.safety);
    let standing = findStanding(context);
    let decided = decideRepeats(standing, options.safety, context);
    issues.addRepeats(standing.comparison.repeats, new Set(decided.open), prepared);
    issues.addOpenUnknown(standing.history, prepared, options.safety.batchId);
    const review = (): Review => this.reviewOf(context, standing, decided);
    let refusal = refusalOf(prepared, standing, decided, options.safety, issues);
    // When a run goes on, or repeats were sent again before, the answer would make another run than the one shown.
    const isOpen = refusal?.reason === 'repeats' && standing.allowed === null && standing.continued === null;
    const asked = isOpen ? await this.approval.aboutRepeats(review) : null;
    if (asked !== null) {
      // The answer counts as if it had been said by flags: it also decides which earlier run may go on.
      context = this.context(prepared, { ...options.safety, ...asked });
      standing = findStanding(context);
      decided = decideRepeats(standing, asked, context);
      refusal = refusalOf(prepared, standing, decided, options.safety, issues);
    }
    telling.leaveOut(decided.leftOut);
    const { exitCode } = this.interruption;
    if (isOpen && exitCode !== null) return telling.interrupted(exitCode, standing);
    const doubts = doubtsOf(standing, this.journal, prepared, this.rules);
    if (refusal !== null) return telling.refused(refusal.reason, refusal.words, standing, doubts);
    if (options.safety.dryRun || options.target === null) return telling.planned(standing, this.journal, doubts);
    if (!(await this.approval.given(review))) {
      const signalled = this.interruption.exitCode;
      if (signalled !== null) return telling.interrupted(signalled, standing);
      return telling.refused('not_confirmed', [this.approval.refusal], standing, doubts);
    }
    return this.send(prepared, standing, decided, asked ?? options.safety, telling, doubts);
  }

  private context(prepared: Prepared, safety: SafetyOptions): DecisionContext {
    const { options, journal, issues, world } = this;
    return {
      prepared,
      safety,
      target: options.target === null ? null : { name: options.target.name, scope: this.scope },
      journal,
      now: world.now,
      resume: this.resumed,
      isSameAs: (run) => this.preparing?.isSameAs(run) ?? false,
      refused: this.refused,
      invalidate: (conflicts) => issues.addConflicts(conflicts, prepared),
      bodyOf: (index) => {
        // An input with a fault is not stored to its end, and is refused.
        if (prepared.faulty || (!safety.skipInvalid && prepared.entries.has('invalid'))) return null;
        const body = prepared.bodies[index] ?? this.preparing?.bodyAt(index);
        if (body === undefined) throw new Error(`the body of record ${index + 1} is not known`);
        return body;
      },
    };
  }

  private reviewOf({ prepared, bodyOf }: DecisionContext, standing: Standing, decided: Decided): Review {
    const { options } = this;
    const { digest, comparison } = standing;
    return reviewOf(
      {
        target: options.target?.name ?? null,
        batchId: options.safety.batchId,
        digest,
        files: prepared.files,
        warnings: this.issues.warnings,
        open: comparison.repeats,
      },
      prepared.entries,
      decided.open,
      doubtsOf(standing, this.journal, prepared, this.rules),
      bodyOf,
    );
  }

  private async send(
    prepared: Prepared,
    standing: Standing,
    decided: Decided,
    wish: RepeatWish,
    telling: Telling,
    doubts: Doubts,
  ): Promise<number | 'history-changed'> {
    const { options, world } = this;
    const { continued } = standing;
    // Decisions about the records of a run that goes on must be stored, so the gate is passed although nothing is sent.
    const isDone = continued !== null && decided.decisions.length === 0;
    if (telling.nothingToSend() && (isDone || telling.allInvalid())) {
      if (this.preparing !== null) rewritePlaces(this.journal, continued, prepared);
      return telling.nothingLeft(standing, this.journal);
    }
    const journal = this.journal as Journal;
    world.reached('gate:before-commit');
    const passed = passGate(journal, this.preparing, { prepared, standing, decided, payAgain: wish.payAgain });
    if (passed === null) {
      // Another run passed its gate meanwhile: everything is compared once more, as if nothing had been decided.
      telling.undo(decided);
      takeBack(continued, prepared.entries);
      return 'history-changed';
    }
    const { outbox, run } = passed;
    this.preparing = null;
    world.reached('gate:after-commit');
    telling.begin(run);
    let stopped: Stopped = null;
    try {
      for (const words of againWords(doubts, false)) this.reporter.note(words);
      if (options.safety.resendUnknown) noteResends(journal, run, this.rules, world.now());
      stopped = await this.deliver(outbox, telling, standing);
    } catch (cause) {
      if (options.output.debug) for (const line of stackOf(cause)) this.reporter.note(line);
      stopped = stopOf(cause);
    }
    return telling.delivered(stopped, standing, journal, this.interruption.exitCode);
  }

  private deliver(outbox: Outbox, telling: Telling, { continued }: Standing): Promise<Stopped> {
    const { options, world, target } = this;
    const { safety } = options;
    return sendRun({
      outbox,
      baseUrl: target?.baseUrl ?? '',
      send: wayTo(options),
      response: options.response,
      secrets: options.secrets,
      stopAfter: safety.stopAfter,
      createdBefore: continued !== null && telling.hasCreated(),
      rules: this.rules,
      onKnown: (stored, outcome, fresh) =>
        telling.known(continued === null ? stored : continued.entryIndex(stored), outcome, fresh),
      onWaiting: (why, heldMs) => telling.waiting(why, heldMs),
      note: (text) => this.reporter.note(text),
      log: options.output.debug ? (line) => this.reporter.note(line) : null,
      interrupted: this.interruption.signal,
      world,
    });
  }
}

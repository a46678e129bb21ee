/** What a run tells of its records, and how it ends: every record in one named state, and the command that goes on. */
import { EXIT, JournalError } from '../errors.js';
import type { DoubtRules } from '../journal/delivery.js';
import type { Journal } from '../journal/journal.js';
import type { Outcome } from '../journal/record.js';
import { RecordKey } from '../keys/record-key.js';
import type { Reporter } from '../report/reporter.js';
import { Advance } from '../delivery/advance.js';
import type { Continued } from '../preflight/continuing.js';
import { type Decided, paidAgainWords, withKey } from '../preflight/decide.js';
import { type Doubts, againWords, heldIn, refusedWords } from '../preflight/doubts.js';
import { type Ending, endingOf } from './ending.js';
import type { Entries, Status } from '../batch/table.js';
import type { Issues } from '../preflight/issues.js';
import { nextCommand } from './next-command.js';
import type { RunOptions } from '../options.js';
import type { Outputs } from './outputs.js';
import type { Prepared } from '../batch/prepare.js';
import { Reasons } from './reasons.js';
import type { Standing } from '../preflight/standing.js';
import { countEntries, type SummaryReason } from './summary.js';
import type { Stopped } from '../delivery/circuit-breaker.js';

export class Telling {
  private readonly options: RunOptions;
  private readonly prepared: Prepared;
  private readonly issues: Issues;
  private readonly reporter: Reporter;
  private readonly outputs: Outputs;
  private readonly rules: DoubtRules;
  /** Entries whose record event has been told. */
  private readonly told: Uint8Array;
  private leftOut: ReadonlyMap<number, Outcome> = new Map();
  private run: string | null = null;
  private readonly advance: Advance;
  private readonly reasons = new Reasons();

  constructor(
    options: RunOptions,
    prepared: Prepared,
    issues: Issues,
    reporter: Reporter,
    outputs: Outputs,
    rules: DoubtRules,
  ) {
    this.options = options;
    this.prepared = prepared;
    this.issues = issues;
    this.reporter = reporter;
    this.outputs = outputs;
    this.rules = rules;
    this.told = new Uint8Array(prepared.entries.length);
    this.advance = new Advance(reporter);
  }

  private get entries(): Entries {
    return this.prepared.entries;
  }

  leaveOut(leftOut: ReadonlyMap<number, Outcome>): void {
    this.leftOut = leftOut;
    for (const [index, { state }] of leftOut) this.entries.setStatus(index, statusOf(state, false));
  }

  /** Takes back what was decided. */
  undo({ leftOut, rekeyed }: Decided): void {
    for (const index of leftOut.keys()) this.entries.setStatus(index, 'pending');
    for (const [index, key] of rekeyed) this.entries.setKey(index, RecordKey.of(key));
    this.leftOut = new Map();
  }

  nothingToSend(): boolean {
    return !this.entries.has('pending');
  }

  allInvalid(): boolean {
    for (let index = 0; index < this.entries.length; index++) if (this.entries.isValid(index)) return false;
    return true;
  }

  hasCreated(): boolean {
    return this.entries.has('already_created');
  }

  /** Nothing is sent: the input, its repeats, its totals or the person do not allow it. */
  async refused(reason: SummaryReason, words: readonly string[], standing: Standing, doubts: Doubts): Promise<number> {
    // A record that was to be left out in doubt is told as not sent, as all others are: the run is refused.
    for (const [index, { state }] of this.leftOut)
      if (state === 'left_unknown') this.entries.setStatus(index, 'pending');
    // A repeat whose own key was created is created, whatever becomes of this run.
    for (const { index, code, counts } of standing.comparison.repeats) {
      if (counts && code === 'created-before' && this.entries.isValid(index))
        this.entries.setStatus(index, 'already_created');
    }
    this.settlePending('not_sent');
    this.tellRest(standing);
    const exitCode = reason === 'not_confirmed' ? EXIT.usage : EXIT.refused;
    const reasons = [...words, ...refusedWords(doubts)];
    return this.end({ exitCode, stopReason: reason, reasons }, standing, null);
  }

  /**
   * The end of a dry run that found no reason against the run. Records in doubt would stay so, unless they may be sent
   * again. Rejected records that were pruned would stay rejected when there is no file to take their bodies from.
   */
  async planned(standing: Standing, journal: Journal | null, doubts: Doubts): Promise<number> {
    const { continued } = standing;
    // The keys are those of the run that goes on, and so are the bodies.
    for (const index of continued?.rekeyed.keys() ?? []) this.rekeyBody(index);
    for (const { index, outcome } of doubts.held) {
      this.entries.setStatus(index, 'unknown');
      this.tell(index, outcome);
    }
    for (const words of againWords(doubts, true)) this.reporter.note(words);
    if (continued !== null && journal !== null && this.options.resume !== null) this.tellPruned(continued, journal);
    this.settlePending('planned');
    this.tellRest(standing);
    const { invalid, rejected } = countEntries(this.entries).records;
    const exitCode = invalid > 0 || rejected > 0 ? EXIT.partly : EXIT.ok;
    return this.end({ exitCode, stopReason: null, reasons: [] }, standing, null);
  }

  private rekeyBody(index: number): void {
    const { bodies, entries } = this.prepared;
    const [body, key] = [bodies[index], entries.key(index)];
    if (body !== undefined && key !== null) bodies[index] = withKey(body, key);
  }

  private tellPruned({ run, entryIndex }: Continued, journal: Journal): void {
    for (const place of journal.bodiless(run)) {
      const entry = entryIndex(place);
      const outcome = journal.recordAt(run, place)?.outcome ?? null;
      if (entry === null || outcome?.state !== 'rejected' || this.entries.status(entry) !== 'pending') continue;
      this.entries.setStatus(entry, 'rejected');
      this.tell(entry, outcome);
    }
  }

  async interrupted(exitCode: number, standing: Standing): Promise<number> {
    this.settlePending('not_sent');
    this.tellRest(standing);
    return this.end(
      { exitCode, stopReason: 'interrupted', reasons: ['stopped before anything was sent'] },
      standing,
      null,
    );
  }

  /** Everything was created before, or there is nothing at all. */
  async nothingLeft(standing: Standing, journal: Journal | null): Promise<number> {
    const { continued, allowed } = standing;
    this.run = continued?.run.run ?? null;
    if (this.options.safety.payAgain !== null && allowed !== null) this.reporter.note(paidAgainWords(allowed));
    // The states are known from the journal already; the answers are read once more only if record events are told.
    if (this.reporter.record !== null && standing.continued !== null && journal !== null)
      this.tellFromJournal(standing, journal);
    this.tellRest(standing);
    const ending = endingOf(countEntries(this.entries).records, null, null, this.options);
    // The call that did the work may have been cut off before it could say so.
    const isEnded = standing.continued?.run.end?.exitCode === ending.exitCode;
    if (standing.continued !== null && journal !== null && !isEnded) this.endRun(ending, journal);
    return this.end(ending, standing, journal);
  }

  /** The run has passed its gate. */
  begin(run: string): void {
    this.run = run;
    this.tellInvalid();
    let pending = 0;
    for (let index = 0; index < this.entries.length; index++) if (this.entries.status(index) === 'pending') pending++;
    this.advance.begin(pending);
  }

  /** A record's outcome is known and durable. @param fresh the record was sent by this call */
  known(index: number | null, outcome: Outcome, fresh: boolean): void {
    // A record that was found invalid at this gate stays invalid, whatever the stored run says of it.
    if (index === null || !this.entries.isValid(index)) return;
    const status = statusOf(outcome.state, fresh);
    const wasPending = this.entries.status(index) === 'pending';
    this.entries.setStatus(index, status);
    this.tell(index, outcome);
    this.advance.known(status, wasPending);
    this.reasons.add(status, outcome.error);
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    this.advance.waiting(why, heldMs);
  }

  /** Everything was sent, or something stopped the run. */
  async delivered(failed: Stopped, standing: Standing, journal: Journal, signalExit: number | null): Promise<number> {
    let stopped = failed;
    try {
      this.tellFromJournal(standing, journal);
      this.settlePending('not_sent');
      this.tellRest(standing);
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
      stopped ??= { reason: 'journal', detail: cause.message };
      // Only the journal knows which of them were under way.
      this.settlePending('unknown');
      this.tellRest({ ...standing, earlier: () => null });
    }
    const { records } = countEntries(this.entries);
    const ending = endingOf(records, stopped, signalExit, this.options);
    this.endRun(ending, journal);
    return this.end({ ...ending, reasons: [...ending.reasons, ...this.reasons.words(records)] }, standing, journal);
  }

  /** May fail: the run then counts as cut off, and the same command goes on with it. */
  private endRun({ exitCode, stopReason }: Ending, journal: Journal): void {
    try {
      const stored = this.run === null ? null : journal.runNamed(this.run);
      if (stored !== null) journal.end(stored.number, { finishedAt: this.options.now(), exitCode, stopReason });
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** Tells the records that this call did not come to, as far as the journal knows them. */
  private tellFromJournal(standing: Standing, journal: Journal): void {
    if (this.told.every((told) => told === 1)) return;
    const run = standing.continued?.run ?? (this.run === null ? null : journal.runNamed(this.run));
    if (run === null) return;
    for (const { index, outcome } of journal.outcomes(run)) {
      const entry = standing.continued === null ? index : standing.continued.entryIndex(index);
      if (entry === null || this.told[entry] === 1 || !this.entries.isValid(entry)) continue;
      this.entries.setStatus(entry, statusOf(outcome.state, false));
      this.tell(entry, outcome);
    }
  }

  private async end(ending: Ending, standing: Standing, journal: Journal | null): Promise<number> {
    const { options } = this;
    const counted = countEntries(this.entries);
    let { exitCode } = ending;
    const reasons = [...ending.reasons];
    const run = journal === null ? null : this.run;
    const refusal = ending.exitCode === EXIT.refused || ending.exitCode === EXIT.usage ? ending.reasons : [];
    const failure = await this.outputs.write({ prepared: this.prepared, standing, journal, run, refusal });
    if (failure !== null) {
      reasons.push(failure);
      // Only success turns into a failure. Any other code says what became of the records, so it stays.
      if (exitCode === EXIT.ok) exitCode = EXIT.internal;
    }
    this.reporter.summary({
      ...ending,
      exitCode,
      reasons,
      command: options.command,
      dryRun: options.safety.dryRun,
      run: this.run,
      target: options.target?.name ?? null,
      batchId: options.safety.batchId,
      digest: standing.digest,
      records: { ...counted.records },
      totals: counted.totals,
      warnings: this.issues.warnings,
      held: counted.records.unknown === 0 ? 0 : this.heldInRun(journal),
      next: nextCommand({ exitCode: ending.exitCode, stopReason: ending.stopReason, run, options }),
    });
    return exitCode;
  }

  private heldInRun(journal: Journal | null): number {
    try {
      const run = this.run === null ? null : (journal?.runNamed(this.run) ?? null);
      if (run === null || journal === null) return 0;
      const { unprotected, leftOut } = heldIn(run, journal, this.rules);
      return unprotected + leftOut;
    } catch (cause) {
      // The journal has failed, and that is told already.
      if (!(cause instanceof JournalError)) throw cause;
      return 0;
    }
  }

  private settlePending(status: Status): void {
    for (let index = 0; index < this.entries.length; index++) {
      if (this.entries.status(index) === 'pending') this.entries.setStatus(index, status);
    }
  }

  private tellInvalid(): void {
    for (let index = 0; index < this.entries.length; index++) {
      if (!this.entries.isValid(index)) this.tell(index, null);
    }
  }

  private tellRest({ earlier }: Standing): void {
    const known = this.reporter.record === null ? () => null : earlier;
    for (let index = 0; index < this.entries.length; index++) {
      if (this.told[index] === 0) this.tell(index, this.leftOut.get(index) ?? known(index));
    }
  }

  private tell(index: number, outcome: Outcome | null): void {
    if (this.told[index] === 1) return;
    this.told[index] = 1;
    const { entries } = this;
    const status = entries.status(index);
    if (status === 'rejected' && outcome !== null) entries.setError(index, outcome.error ?? 'rejected');
    if (this.reporter.record === null) return;
    const { file, record, line } = entries.placeOf(index);
    this.reporter.record({
      file: this.prepared.files[file]?.path ?? '',
      record,
      line,
      type: entries.groupOf(index).type,
      key: entries.key(index),
      status,
      httpStatus: outcome?.httpStatus ?? null,
      attempts: outcome?.attempts ?? 0,
      response: outcome?.response ?? null,
      error: outcome?.error ?? entries.error(index),
      request: this.options.safety.dryRun && entries.isValid(index) ? (this.prepared.bodies[index] ?? null) : null,
    });
  }
}

/** The named state of a record. @param fresh it was sent by this call: an earlier creation is `already_created` */
function statusOf(state: Outcome['state'], fresh: boolean): Status {
  switch (state) {
    case 'created':
      return fresh ? 'created' : 'already_created';
    case 'left_unknown':
      return 'unknown';
    default:
      return state;
  }
}

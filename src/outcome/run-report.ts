/** What a call reports of its records, and how it ends: every record in one named state, and the command that goes on. */
import type { Entries, Status } from '../batch/table.js';
import { Advance } from '../delivery/advance.js';
import type { Stopped } from '../delivery/circuit-breaker.js';
import { EXIT, JournalError } from '../errors.js';
import type { DoubtRules } from '../ledger/ledger.js';
import type { KnownPayment, LeftOut, Outcome, Run, StoredOutcome } from '../ledger/payment.js';
import type { FoundRun } from '../preflight/approval.js';
import type { Fate } from '../preflight/fate.js';
import type { Issues } from '../preflight/issues.js';
import { lastReplacement } from '../preflight/known.js';
import type { Looked } from '../preflight/look.js';
import type { Refusal } from '../preflight/refusal.js';
import { exampleBatch, repeatFinding } from '../preflight/repeat-words.js';
import type { DoubtsOfRun, Reporter } from '../report/reporter.js';
import { furtherWords } from '../util/shell-word.js';
import { type Ending, endingOf, callOf } from './ending.js';
import { againWords, doubtsByRun, isInDoubt, settledAs, statusOf } from './fate-states.js';
import { nextCommand } from './next-command.js';
import type { Outputs } from './outputs.js';
import { RecordEvents } from './record-events.js';
import type { KnownRecord, RecordSources } from './record-reports.js';
import { Reasons } from './reasons.js';
import { countEntries } from './summary.js';

export interface RunReportOptions extends RecordSources {
  readonly issues: Issues;
  readonly reporter: Reporter;
  readonly outputs: Outputs;
  readonly rules: DoubtRules;
}

/** Records whose outcomes are asked for at once. */
const PAGE = 1000;

export class RunReport {
  private readonly o: RunReportOptions;
  private readonly events: RecordEvents;
  /** Outcomes that are known since records were told the last time. */
  private fresh: KnownRecord[] = [];
  private telling: Promise<unknown> = Promise.resolve();
  /** Entries that may be under way when delivery ends. */
  private readonly mayBeOpen = new Set<number>();
  /** Entries that stand for another payment. */
  private readonly leftOut = new Map<number, LeftOut>();
  private looked: Looked | null = null;
  private run: Run | null = null;
  private approved: FoundRun | null = null;
  private readonly advance: Advance;
  private readonly reasons = new Reasons();

  constructor(options: RunReportOptions) {
    this.o = options;
    this.events = new RecordEvents(options, options.reporter, (...known) => this.errorOf(...known));
    this.advance = new Advance(options.reporter);
  }

  private get entries(): Entries {
    return this.o.prepared.entries;
  }

  /** Nothing is sent: the input, its repeats, its totals or the person do not allow it. */
  async refused({ reason, words }: Refusal, looked: Looked): Promise<number> {
    this.looked = looked;
    // Where the run would have gone on, what it has created is told as that; all else was not sent by this call.
    const { known, assessment, placeOf } = looked;
    const goesOn = known.run !== null;
    for (const repeat of assessment.undecided.repeats)
      this.entries.setError(repeat.index, repeatFinding(repeat, true, placeOf, '').message);
    this.setStatuses(looked, (fate) => (goesOn && fate.what === 'created' ? 'already_created' : 'not_sent'));
    await this.tellRest();
    const exitCode = reason === 'not_confirmed' || reason === 'not_approved' ? EXIT.usage : EXIT.refused;
    return this.end({ exitCode, stopReason: reason, reasons: [...words, ...this.doubtWords(looked)] });
  }

  /** A refused call tells records in doubt as "not sent", but more is known: an earlier call may have carried them out. */
  private doubtWords({ assessment, known }: Looked): string[] {
    const payments = assessment.fates.flatMap((fate, index) => {
      if (fate === null || !isInDoubt(fate)) return [];
      return fate.what === 'repeat' ? fate.payment : (known.byKey.get(index) ?? []);
    });
    return doubtsByRun(payments).map(
      ({ run, since, count }) =>
        `${count === 1 ? '1 record that was not sent now' : `${count} records that were not sent now`} may have been carried out in run ${run}, since ${since}: see gigwork batch show ${run}${furtherWords(this.o.options.place, this.o.options.platform)}`,
    );
  }

  /** The end of a call that was not to send anything, and found no reason against the run. @param approved what was confirmed */
  async planned(looked: Looked, approved: FoundRun | null): Promise<number> {
    this.approved = approved;
    this.apply(looked);
    this.settlePending(() => 'planned');
    for (const words of againWords(looked.assessment, true)) this.o.reporter.note(words);
    await this.tellRest();
    const isPartly = this.entries.has('invalid') || this.entries.has('rejected');
    return this.end({ exitCode: isPartly ? EXIT.partly : EXIT.ok, stopReason: null, reasons: [] });
  }

  async interrupted(exitCode: number, looked: Looked): Promise<number> {
    this.looked = looked;
    this.setStatuses(looked, () => 'not_sent');
    await this.tellRest();
    return this.end({ exitCode, stopReason: 'interrupted', reasons: ['stopped before anything was sent'] });
  }

  /** Everything was created before, or there is nothing at all: no run begins. */
  async nothingLeft(looked: Looked): Promise<number> {
    this.run = looked.known.run;
    this.apply(looked);
    await this.tellRest();
    const ending = endingOf(countEntries(this.entries).records, null, null, this.o.options);
    // The call that did the work may have been cut off before it could say so.
    if (this.run !== null && this.run.end?.exitCode !== ending.exitCode) await this.endRun(ending);
    return this.end(ending);
  }

  /** The run has passed its gate. */
  async begin(run: Run, looked: Looked): Promise<void> {
    this.run = run;
    this.apply(looked);
    for (const words of againWords(looked.assessment, false)) this.o.reporter.note(words);
    let pending = 0;
    for (let index = 0; index < this.entries.length; index++) if (this.entries.status(index) === 'pending') pending++;
    this.advance.begin(pending);
    await this.events.tell(unknownOf(this.invalid()));
  }

  /** A record's outcome is known and durable. @param fresh the record was sent by this call */
  known(index: number, outcome: Outcome, fresh: boolean): void {
    const status = outcome.state === 'created' && !fresh ? 'already_created' : outcome.state;
    this.entries.setStatus(index, status);
    this.fresh.push({ index, outcome });
    this.advance.known(status, true);
    this.reasons.add(status, outcome.error);
  }

  /** A record may be under way. */
  open(index: number): void {
    this.mayBeOpen.add(index);
  }

  /** Tells what has become known. Null where nobody has to wait for the reader. */
  tellFresh(): Promise<void> | null {
    const told = this.events.tell(this.fresh.splice(0));
    this.telling = Promise.allSettled([this.telling, told]);
    return this.events.areWanted ? told : null;
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    this.advance.waiting(why, heldMs);
  }

  /** Everything was sent, or something stopped the run. */
  async delivered(failed: Stopped, signalExit: number | null): Promise<number> {
    let stopped = failed;
    try {
      await this.tellFresh();
      await this.telling;
      await this.tellRest(true);
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
      stopped ??= { reason: 'journal', detail: cause.message };
      // Only the ledger knows what became of those that may have been under way.
      this.settlePending((index) => (this.mayBeOpen.has(index) ? 'unknown' : 'not_sent'));
      await this.tellAll();
    }
    const { records } = countEntries(this.entries);
    const ending = endingOf(records, stopped, signalExit, this.o.options);
    await this.endRun(ending);
    return this.end({ ...ending, reasons: [...ending.reasons, ...this.reasons.words(records)] });
  }

  /** May fail: the run then counts as cut off, and the same command goes on with it. */
  private async endRun({ exitCode, stopReason }: Ending): Promise<void> {
    try {
      if (this.run !== null && this.o.ledger !== null)
        await this.o.ledger.end(this.run, { finishedAt: this.o.options.now(), exitCode, stopReason });
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
    }
  }

  /** Gives every entry the state that its fate means; what is to be sent stays pending. */
  private apply(looked: Looked): void {
    this.looked = looked;
    this.setStatuses(looked, statusOf);
    for (const [index, fate] of looked.assessment.fates.entries()) {
      if (fate === null || !('leftOut' in fate)) continue;
      if (fate.leftOut !== null) this.leftOut.set(index, fate.leftOut);
    }
  }

  private setStatuses({ assessment }: Looked, statusFor: (fate: Fate) => Status): void {
    assessment.fates.forEach((fate, index) => {
      if (fate === null) return;
      this.entries.setStatus(index, statusFor(fate));
      if ('payment' in fate && typeof fate.payment === 'number') this.entries.setPayment(index, fate.payment);
    });
  }

  private settlePending(statusFor: (index: number) => Status): void {
    for (let index = 0; index < this.entries.length; index++) {
      if (this.entries.status(index) === 'pending') this.entries.setStatus(index, statusFor(index));
    }
  }

  /**
   * Tells the records that are not told yet, with what the ledger knows of them.
   * @param settles records that were to be sent take the state that the ledger has: another process may have sent them
   */
  private async tellRest(settles = false): Promise<void> {
    const { ledger } = this.o;
    if (ledger !== null && (settles || this.events.areWanted || this.entries.has('rejected'))) {
      for (const page of pagesOf(this.untold())) {
        const asked = page.filter((index) => this.mayBeKnown(index));
        const outcomes = await ledger.outcomes(asked.map((index) => this.entries.payment(index)));
        const known = new Map(asked.map((index, i) => [index, outcomes[i] ?? null]));
        for (const index of page) this.settleAs(index, known.get(index) ?? null);
        await this.events.tell(page.map((index) => ({ index, outcome: known.get(index) ?? null })));
      }
    }
    this.settlePending(() => 'not_sent');
    await this.tellAll();
  }

  /** A record that was refused or is invalid has no answer to show. */
  private mayBeKnown(index: number): boolean {
    return (
      this.entries.payment(index) !== 0 && !['invalid', 'not_sent', 'planned'].includes(this.entries.status(index))
    );
  }

  private settleAs(index: number, outcome: StoredOutcome | null): void {
    if (this.entries.status(index) === 'pending')
      this.entries.setStatus(index, outcome === null ? 'not_sent' : settledAs(outcome, this.leftOut.get(index)));
  }

  private *invalid(): Iterable<number> {
    for (let index = 0; index < this.entries.length; index++) if (!this.entries.isValid(index)) yield index;
  }

  private *untold(): Iterable<number> {
    for (let index = 0; index < this.entries.length; index++) if (!this.events.isTold(index)) yield index;
  }

  private async tellAll(): Promise<void> {
    await this.events.tell(unknownOf(this.untold()));
  }

  private errorOf(index: number, status: Status, outcome: Outcome | null): string | null {
    const replaced = status === 'rejected' ? this.replacedWords(index) : null;
    if (replaced !== null) return [outcome?.error, replaced].filter((text) => typeof text === 'string').join('; ');
    if (status === 'unknown' && this.leftOut.has(index))
      return 'left out: the earlier payment that it stands for may have been created';
    if (status === 'not_sent' && this.leftOut.has(index))
      return 'left out for an earlier payment that was not made: run the first command again, with its files, to send this record in its place';
    return outcome?.error ?? this.entries.error(index);
  }

  private replacedWords(index: number): string | null {
    const known = this.looked?.known;
    const payment = known?.byKey.get(index);
    if (known === undefined || payment === undefined) return null;
    // Where its key has passed on, the payment that has it now is the one that replaced it.
    if (payment.replacedBy === null && known.listed.get(index)?.isReplaced !== true) return null;
    return `replaced by a corrected record, in run ${lastReplacement(payment, known).run.name}; it is never sent again`;
  }

  /**
   * A record that stays rejected for good is told with the way to pay it in another period: alone, since the others of its
   * file would be paid once more.
   */
  private replacedReasons(): string[] {
    let count = 0;
    for (let index = 0; index < this.entries.length; index++)
      if (this.entries.status(index) === 'rejected' && this.replacedWords(index) !== null) count++;
    if (count === 0) return [];
    const [were, they, them, its] =
      count === 1 ? ['1 record was', 'it is', 'it', 'its'] : [`${count} records were`, 'they are', 'them', 'their'];
    return [
      `${were} rejected before, and corrected and imported since: ${they} not sent again. Where ${they} for another period or purpose, import ${them} alone, ${its} gigwork_key empty, with a name for that, such as --batch-id ${exampleBatch(this.o.options)}`,
    ];
  }

  private async end(ending: Ending): Promise<number> {
    const { options, prepared, issues, reporter, outputs, ledger, drafts } = this.o;
    const counted = countEntries(this.entries);
    const run = this.run?.name ?? null;
    const digest = this.looked?.digest ?? null;
    const reasons = [...ending.reasons, ...this.replacedReasons()];
    let { exitCode } = ending;
    const refusal = exitCode === EXIT.refused || exitCode === EXIT.usage ? ending.reasons : [];
    const doubts = counted.records.unknown === 0 ? [] : await this.doubts();
    const failure = await outputs.write({
      ...{ options, prepared, digest, ledger, drafts, refusal },
      run: this.run,
      approved: this.approved,
    });
    if (failure !== null) {
      reasons.push(failure);
      // Only success turns into a failure. Any other code says what became of the records, so it stays.
      if (exitCode === EXIT.ok) exitCode = EXIT.internal;
    }
    // What was done is in the journal, and the log only tells of it: the code stays.
    const missing = await outputs.log?.end();
    if (typeof missing === 'string') reasons.push(`the log file ${options.output.logFile} is not whole: ${missing}`);
    reporter.summary({
      ...ending,
      exitCode,
      reasons,
      command: options.command,
      dryRun: options.safety.dryRun,
      approves: options.safety.approve !== null,
      run,
      target: options.target?.name ?? null,
      batchId: options.safety.batchId,
      digest,
      records: { ...counted.records },
      totals: counted.totals,
      warnings: issues.warnings,
      ...callOf(options),
      held: doubts.reduce((sum, { count }) => sum + count, 0),
      doubts,
      next: nextCommand({ exitCode: ending.exitCode, stopReason: ending.stopReason, run, options }),
    });
    return exitCode;
  }

  /** The records of unknown outcome that only a person can settle, by the run that has their payments. */
  private async doubts(): Promise<DoubtsOfRun[]> {
    const { ledger } = this.o;
    const unknown: number[] = [];
    for (let index = 0; index < this.entries.length; index++)
      if (this.entries.status(index) === 'unknown') unknown.push(index);
    try {
      const payments = (await ledger?.byId(unknown.map((index) => this.entries.payment(index)))) ?? [];
      const leftOut = new Set([...this.leftOut.keys()].map((index) => this.entries.payment(index)));
      return doubtsByRun(payments.filter((payment) => leftOut.has(payment.id) || !this.isProtected(payment)));
    } catch (cause) {
      // The ledger has failed, and that is told already.
      if (!(cause instanceof JournalError)) throw cause;
      return [];
    }
  }

  /** One that this process still has under way, because the ledger has failed, comes into doubt when it lets go of it. */
  private isProtected({ type, doubtSince, at }: KnownPayment): boolean {
    return this.o.rules.isProtected({ type, doubtSince: doubtSince ?? at });
  }
}

function* unknownOf(indexes: Iterable<number>): Iterable<KnownRecord> {
  for (const index of indexes) yield { index, outcome: null };
}

function* pagesOf(indexes: Iterable<number>): Iterable<number[]> {
  let page: number[] = [];
  for (const index of indexes) {
    if (page.push(index) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** What a call reports of its records, and how it ends: every record in one named state, and the command that goes on. */
import { bodyHashOf } from '../batch/prepare.js';
import type { Entries, Status } from '../batch/table.js';
import { Advance } from '../delivery/advance.js';
import type { Stopped } from '../delivery/circuit-breaker.js';
import { EXIT, JournalError } from '../errors.js';
import type { DoubtRules } from '../ledger/ledger.js';
import type { Outcome, PaymentId, Run, StoredOutcome } from '../ledger/payment.js';
import type { FoundRun } from '../preflight/approval.js';
import type { Fate } from '../preflight/fate.js';
import type { Issues } from '../preflight/issues.js';
import { notableFates } from '../preflight/assess.js';
import type { Looked } from '../preflight/look.js';
import type { Refusal } from '../preflight/refusal.js';
import { toldNotices } from '../preflight/notices.js';
import { placesOf } from '../preflight/places.js';
import { remediesOf } from '../preflight/remedies.js';
import { repeatFinding } from '../preflight/repeat-words.js';
import type { Notice } from '../report/notice-words.js';
import type { DoubtsOfRun, Reporter } from '../report/reporter.js';
import { heldDoubts, heldIn } from './doubts.js';
import { type Ending, endingOf, callOf, refusedCode } from './ending.js';
import { againWords, refusedStatus, statusOf } from './fate-states.js';
import { nextCommand } from './next-command.js';
import type { Outputs } from './outputs.js';
import { RecordEvents } from './record-events.js';
import type { KnownRecord, RecordSources } from './record-reports.js';
import { Reasons } from './reasons.js';
import { prunedReasons, rejectedWords } from './rejected-words.js';
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
  private looked: Looked | null = null;
  private run: Run | null = null;
  private approved: FoundRun | null = null;
  /** Null before the gate. */
  private notices: readonly Notice[] | null = null;
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
    const { known, assessment } = looked;
    const placeOf = await placesOf(looked, this.o.prepared.batchId, this.o.ledger, this.o.options.caller.by);
    for (const repeat of assessment.undecided.repeats)
      this.entries.setError(repeat.index, repeatFinding(repeat, placeOf, '').message);
    this.setStatuses(looked, (fate, index) => refusedStatus(fate, index, looked));
    this.keepCorrected(looked);
    for (const [index, payment] of known.byKey) {
      if (payment.replacedBy !== null) this.o.corrected.add(index);
      if (this.entries.isValid(index) && payment.bodyHash === bodyHashOf(this.o.prepared, index))
        this.entries.setPayment(index, payment.id);
    }
    await this.tellRest();
    return this.end({ exitCode: refusedCode(reason), stopReason: reason, reasons: words });
  }

  /** The end of a call that was not to send anything, and found no reason against the run. @param approved what was confirmed */
  async planned(looked: Looked, approved: FoundRun | null): Promise<number> {
    this.approved = approved;
    this.apply(looked);
    this.settlePending(() => 'planned');
    for (const words of againWords(this.o.prepared, looked, this.o.rules, true)) this.o.reporter.note(words);
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
    const doubts = await this.doubts();
    const ending = endingOf(countEntries(this.entries).records, heldIn(doubts), null, null, this.o.options);
    // The call that did the work may have been cut off before it could say so.
    if (this.run !== null && this.run.end?.exitCode !== ending.exitCode) await this.endRun(ending);
    return this.end(ending, doubts);
  }

  /** The run has passed its gate. */
  async begin(run: Run, looked: Looked, notices: readonly Notice[]): Promise<void> {
    this.run = run;
    this.notices = notices;
    this.apply(looked);
    for (const words of againWords(this.o.prepared, looked, this.o.rules, false)) this.o.reporter.note(words);
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
    const doubts = await this.doubts();
    const ending = endingOf(records, heldIn(doubts), stopped, signalExit, this.o.options);
    await this.endRun(ending);
    return this.end({ ...ending, reasons: [...ending.reasons, ...this.reasons.words(records)] }, doubts);
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
    this.keepCorrected(looked);
  }

  /** What records stand for, and which of them were corrected since: these are nobody's work any more. */
  private keepCorrected({ assessment }: Looked): void {
    const { standsFor, corrected } = this.o;
    for (const [index, fate] of assessment.special) {
      if (fate.what === 'left-out') standsFor.set(index, fate.standsFor);
      if (fate.what === 'left-out' && fate.standsFor.state === 'rejected') corrected.add(index);
      if (fate.what === 'settled' && fate.correction !== undefined) corrected.add(index);
    }
  }

  private setStatuses({ assessment, known }: Looked, statusFor: (fate: Fate, index: number) => Status): void {
    for (const [index, fate] of notableFates(assessment, known)) {
      this.entries.setStatus(index, statusFor(fate, index));
      const payment = 'payment' in fate && typeof fate.payment === 'number' ? fate.payment : known.accepted[index];
      if (payment !== undefined && payment !== 0) this.entries.setPayment(index, payment);
    }
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
      this.entries.setStatus(
        index,
        outcome === null ? 'not_sent' : outcome.state === 'created' ? 'already_created' : outcome.state,
      );
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
    if (status === 'rejected')
      return (
        [outcome?.error ?? null, rejectedWords(index, this.looked)].filter((text) => text !== null).join('; ') || null
      );
    if (status === 'unknown' && this.o.standsFor.has(index))
      return 'left out for an earlier payment that may have been made';
    return outcome?.error ?? this.entries.error(index);
  }

  private async end(ending: Ending, known?: readonly DoubtsOfRun[]): Promise<number> {
    const { options, prepared, issues, reporter, outputs, ledger, drafts, standsFor, corrected } = this.o;
    const counted = countEntries(this.entries);
    const run = this.run?.name ?? null;
    const digest = this.looked?.digest ?? null;
    const reasons = [...ending.reasons, ...prunedReasons(this.looked)];
    let { exitCode } = ending;
    const isRefused = exitCode === EXIT.refused || exitCode === EXIT.usage || ending.stopReason === 'busy';
    const refusal = isRefused ? ending.reasons : [];
    const doubts = known ?? (await this.doubts());
    const { looked } = this;
    const notices = this.notices ?? (looked === null ? [] : await toldNotices(prepared, looked, ledger, isRefused));
    const failure = await outputs.write({
      ...{ options, prepared, digest, ledger, drafts, refusal, standsFor, corrected },
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
      held: heldIn(doubts),
      doubts,
      notices,
      remedies:
        ending.stopReason === 'repeats' && looked !== null ? remediesOf(prepared, looked.assessment, options) : [],
      next: nextCommand({ exitCode: ending.exitCode, stopReason: ending.stopReason, run, options }),
    });
    return exitCode;
  }

  /** The records of unknown outcome that only a person can settle, by the run that has their payments. */
  private async doubts(): Promise<DoubtsOfRun[]> {
    const { ledger, rules } = this.o;
    const unknown: number[] = [];
    for (let index = 0; index < this.entries.length; index++)
      if (this.entries.status(index) === 'unknown') unknown.push(index);
    if (ledger === null || unknown.length === 0) return [];
    const paymentOf = (index: number): PaymentId => this.o.standsFor.get(index)?.id ?? this.entries.payment(index);
    try {
      return await heldDoubts(
        unknown.map(paymentOf),
        new Set([...this.o.standsFor.values()].map(({ id }) => id)),
        ledger,
        rules,
      );
    } catch (cause) {
      // The ledger has failed, and that is told already.
      if (!(cause instanceof JournalError)) throw cause;
      return [];
    }
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

/** The payments that a record may be the same as, without having their key. PURE. CONTRACT: "Repeats". */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { newestCorrection } from '../prepare/corrections.js';
import { DEFAULT_BATCH, isComputedKey } from '../keys/key.js';
import { homeOf, isPaid, type StoredPayment, mayBePaid, type PaymentId } from '../journal/payment.js';
import { lineIn, RECENT_MS, runsThatList } from './candidates.js';
import type { Disposition, Why } from './disposition.js';
import { entryOf, historyAt, type PaymentHistory } from './history.js';
import {
  type Compared,
  comparedPayment,
  comparedRecord,
  hasSameDate,
  hasSameReference,
  isAlikeElsewhere,
  isSameSum,
  likenessAtHost,
  likenessOf,
} from './resemblance.js';

export interface RepeatContext {
  readonly prepared: PreparedRecords;
  readonly history: PaymentHistory;
  /** By the table alone. */
  readonly dispositionAt: (index: number) => Disposition | null;
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A dry run waits for nobody: what a live call has accepted counts as open. */
  readonly isDryRun: boolean;
}

/** A record that would be sent, with the values for comparing it. */
export interface SentRecord {
  readonly index: number;
  readonly print: Compared;
  readonly disposition: Disposition & { kind: 'send' };
  readonly isComputed: boolean;
  /** It corrects a payment, and its content has changed. */
  readonly isCorrection: boolean;
  readonly isAccepted: boolean;
  /** Numbers of the runs whose rejected payment it corrects; empty for none, and if it is for another payee. */
  readonly corrects: ReadonlySet<number>;
}

/** A payment that a record may repeat. */
export interface AlikePayment {
  readonly payment: StoredPayment;
  readonly why: Why;
}

const NONE: readonly StoredPayment[] = [];

export class Comparison {
  private readonly rules: RepeatContext;
  /** Payments of the input's records: these repeat nothing. */
  private readonly own = new Set<PaymentId>();
  /** By number of a run: the payment of it that the input repeats; null for several. */
  private readonly repeated = new Map<number, PaymentId | null>();
  private readonly compared = new Map<StoredPayment, Compared>();

  constructor(rules: RepeatContext) {
    this.rules = rules;
  }

  recordOf(index: number, disposition: SentRecord['disposition']): SentRecord {
    const { history, prepared } = this.rules;
    const { entries, files } = prepared;
    const { corrects } = historyAt(index, history);
    const print = comparedRecord(entries, index, files[entries.fileOf(index)]?.reference ?? null);
    return {
      index,
      disposition,
      print,
      isComputed: isComputedKey(entries.keyText(index)),
      isCorrection: corrects !== null && corrects.content !== print.content,
      isAccepted: (history.accepted[index] ?? 0) !== 0,
      corrects: new Set(corrects?.payee === print.payee ? runsOf(corrects) : []),
    };
  }

  /** A record of the input stands for it. */
  take(payment: StoredPayment): void {
    this.own.add(payment.id);
    this.repeat(payment);
  }

  /** The input repeats it. */
  repeat(payment: StoredPayment): void {
    this.repeatIn(runsOf(payment), payment.id);
    this.repeatListed(payment.id);
  }

  /** The input repeats it. Runs list it that found it paid already, too. */
  repeatListed(payment: PaymentId): void {
    this.repeatIn(runsThatList(payment, this.rules.history.candidates), payment);
  }

  private repeatIn(runs: readonly number[], payment: PaymentId): void {
    for (const run of runs) {
      const before = this.repeated.get(run);
      this.repeated.set(run, before === undefined || before === payment ? payment : null);
    }
  }

  /** The payments that a record may repeat, without those of other records of the input. */
  candidatesOf({ index, print, corrects, isAccepted, isCorrection }: SentRecord): readonly StoredPayment[] {
    const { history } = this.rules;
    const { byPayee, samePlace } = history.candidates;
    const ofPayee = byPayee.get(print.payee) ?? NONE;
    const ofPlace = samePlace.get(index) ?? NONE;
    if (ofPayee.length + ofPlace.length === 0) return NONE;
    return [...new Set([...ofPayee, ...ofPlace])].filter((payment) => {
      const last = newestCorrection(payment, history);
      // A row that was not changed is the rejected payment itself: its siblings say nothing.
      const isEqual = isCorrection && payment.content === print.content;
      const isOfCorrectedRun = !isEqual && runsOf(payment).some((run) => corrects.has(run));
      return (
        payment.type === print.type &&
        !this.isOwn(payment) &&
        !this.isOwn(last) &&
        !isOfCorrectedRun &&
        isSinceGate(last, isAccepted, history)
      );
    });
  }

  private isOwn(payment: StoredPayment): boolean {
    const { prepared, target } = this.rules;
    if (this.own.has(payment.id)) return true;
    const entry = payment.run.target === target ? entryOf(payment, prepared) : null;
    return entry !== null && prepared.entries.isValid(entry);
  }

  /** All that a record may repeat, but for payments of a file that was mended after it was paid. */
  alike(record: SentRecord): AlikePayment[] {
    const candidates = this.candidatesOf(record);
    const found = [
      ...candidates.flatMap((payment) => this.inBatch(payment, record, false) ?? []),
      ...this.inOtherBatches(candidates, record),
    ];
    // A run that is resumed asks again about the records that it left out.
    const { leftOutFor: left } = historyAt(record.index, this.rules.history);
    if (left === null || found.some(({ payment }) => payment.id === left.id)) return found;
    return [...found, { payment: left, why: 'left-out' }];
  }

  /** To be called once all repeats of other kinds are known: they show which runs the input repeats. */
  mended(record: SentRecord): AlikePayment[] {
    return this.candidatesOf(record).flatMap((payment) => this.inBatch(payment, record, true) ?? []);
  }

  private inBatch(payment: StoredPayment, record: SentRecord, isMended: boolean): AlikePayment | null {
    const { print } = record;
    const isHere = payment.batchId === this.rules.prepared.batchId;
    const around = this.around(payment, record, isMended);
    if (payment.run.target !== this.rules.target) {
      const isAlike = isHere && mayBePaid(payment) && likenessAtHost(print, this.comparedOf(payment), around) !== null;
      return isAlike ? { payment, why: 'host' } : null;
    }
    if (payment.replacedBy !== null) return this.correctedOf(payment, record, isHere);
    if (!isHere || (!mayBePaid(payment) && !this.isOpen(payment))) return null;
    const why = likenessOf(print, this.comparedOf(payment), around);
    return why === null || (why === 'mended' && !isPaid(payment)) ? null : { payment, why };
  }

  /** A payment that was rejected and corrected: its last correction is shown. */
  private correctedOf(payment: StoredPayment, record: SentRecord, isHere: boolean): AlikePayment | null {
    const last = newestCorrection(payment, this.rules.history);
    const isNear = isHere || this.rules.now - last.at < RECENT_MS;
    const other = this.comparedOf(payment);
    const around = this.around(payment, record, false);
    const isAlike =
      isNear && mayBePaid(last) && isSameSum(record.print, other) && likenessOf(record.print, other, around) !== null;
    return isAlike ? { payment: last, why: 'correction' } : null;
  }

  private around(payment: StoredPayment, { index }: SentRecord, isMended: boolean) {
    const { history, prepared } = this.rules;
    const { candidates } = history;
    const line = lineIn(payment.run.number, payment.id, candidates);
    return {
      isSamePlace: candidates.samePlace.get(index)?.includes(payment) === true,
      isMended: isMended && runsOf(payment).some((run) => this.isAnotherRepeated(run, payment)),
      isSameLine: line !== null && line === prepared.entries.placeOf(index).line,
    };
  }

  private isAnotherRepeated(run: number, { id }: StoredPayment): boolean {
    const repeated = this.repeated.get(run);
    return repeated !== undefined && repeated !== id;
  }

  /** Open in an unfinished run, which comes first. A run that goes on is never refused for that. */
  isOpen({ state, isLive, run }: StoredPayment): boolean {
    const { history, isDryRun } = this.rules;
    return state === 'not_sent' && !run.isClosed && (!isLive || isDryRun) && history.run === null;
  }

  /** The same payee, purpose and amount in other batches, if that is hardly a payment for another period. */
  private inOtherBatches(candidates: readonly StoredPayment[], { print }: SentRecord): AlikePayment[] {
    const { prepared, now, history } = this.rules;
    const same = this.sameInOtherBatches(candidates, print);
    const batches = new Set(same.filter(isPaid).map(({ batchId }) => batchId));
    const isNear = (payment: StoredPayment): boolean => {
      const other = this.comparedOf(payment);
      const isSincePassed = history.run !== null && payment.claimWatermark > history.run.claimWatermark;
      const isLikely = payment.batchId === DEFAULT_BATCH || (print.type === 'payout' && hasSameReference(print, other));
      return (
        payment.state !== 'created' ||
        prepared.batchId === DEFAULT_BATCH ||
        now - payment.at < RECENT_MS ||
        isSincePassed ||
        hasSameDate(print, other) ||
        (batches.size === 1 && isLikely)
      );
    };
    return same.filter(isNear).map((payment) => ({ payment, why: 'batch' }));
  }

  /** Payments in other batches with the same payee, purpose and amount. */
  sameInOtherBatches(candidates: readonly StoredPayment[], print: Compared): StoredPayment[] {
    const { prepared, target } = this.rules;
    return candidates.filter(
      (payment) =>
        payment.batchId !== prepared.batchId &&
        payment.run.target === target &&
        payment.replacedBy === null &&
        mayBePaid(payment) &&
        isAlikeElsewhere(print, this.comparedOf(payment)),
    );
  }

  comparedOf(payment: StoredPayment): Compared {
    let compared = this.compared.get(payment);
    if (compared === undefined) this.compared.set(payment, (compared = comparedPayment(payment)));
    return compared;
  }
}

/** Numbers of the runs that accepted a payment: the first and the last of them. */
function runsOf(payment: StoredPayment): number[] {
  return [homeOf(payment.id), payment.run.number];
}

/** Decisions before a run's gate stay valid: for its records, only later changes count. */
function isSinceGate({ claimWatermark, isLive }: StoredPayment, isAccepted: boolean, { run }: PaymentHistory): boolean {
  return !isAccepted || isLive || run === null || claimWatermark > run.claimWatermark;
}

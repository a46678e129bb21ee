/** Which records of an input may have been paid already. PURE. CONTRACT: "Repeats". */
import type { Prepared } from '../batch/prepare.js';
import { lastReplacement } from '../batch/replacements.js';
import { DEFAULT_BATCH, isComputedKey } from '../keys/key.js';
import { homeOf, isPaid, type KnownPayment, mayBePaid, type PaymentId } from '../ledger/payment.js';
import { RECENT_MS } from './candidates.js';
import { type Fate, newestOf, type Repeat, repeatOf, type Why } from './fate.js';
import { entryOf, type Known } from './known.js';
import {
  type Compared,
  comparedPayment,
  comparedRecord,
  hasSameDate,
  hasSameReference,
  isAlikeElsewhere,
  isSameAmount,
  isSameSum,
  likenessAtHost,
  likenessOf,
} from './resemblance.js';

/** Earlier payments that need no decision, but that a person sees. */
export interface Reminder {
  readonly index: number;
  readonly code: 'paid-in-batch' | 'other-date' | 'same-payee-and-amount';
  readonly newest: KnownPayment;
}

export interface FoundRepeats {
  readonly repeats: readonly Repeat[];
  readonly reminders: readonly Reminder[];
  /** A payment that a live call has accepted, and that would be a repeat, or the record itself; null for none. */
  readonly live: KnownPayment | null;
}

export interface RepeatRules {
  readonly prepared: Prepared;
  readonly known: Known;
  /** By the table alone. */
  readonly fateAt: (index: number) => Fate | null;
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A dry run waits for nobody: what a live call has accepted counts as open. */
  readonly isDryRun: boolean;
}

interface Found {
  readonly payment: KnownPayment;
  readonly why: Why;
}

/** A record that would be sent, with the values for comparing it. */
interface Sent {
  readonly index: number;
  readonly print: Compared;
  readonly fate: Fate & { what: 'send' };
  readonly isComputed: boolean;
  /** Its key is made from the payment that it corrects. */
  readonly isCorrection: boolean;
  readonly isAccepted: boolean;
  /** Numbers of the runs whose rejected payment it corrects; empty for none, and if it is for another payee. */
  readonly corrects: ReadonlySet<number>;
}

export function findRepeats(rules: RepeatRules): FoundRepeats {
  return new Search(rules).run();
}

class Search {
  private readonly rules: RepeatRules;
  /** Payments of the input's records: these repeat nothing. */
  private readonly own = new Set<PaymentId>();
  /** Numbers of the runs whose payments the input repeats. */
  private readonly repeatedRuns = new Set<number>();
  private readonly compared = new Map<KnownPayment, Compared>();
  private readonly repeats: Repeat[] = [];
  private readonly reminders: Reminder[] = [];
  private live: KnownPayment | null = null;

  constructor(rules: RepeatRules) {
    this.rules = rules;
  }

  run(): FoundRepeats {
    const { known } = this.rules;
    const isCompared = known.candidates.all.length > 0 || known.leftOut.size > 0;
    if (isCompared || known.byKey.size + known.corrected.size > 0) {
      // First by content: each payment equals one record, and then no other record resembles it.
      const rest = this.byTable(isCompared).filter((record) => !this.isSameContent(record));
      const alike = rest.map((record) => ({ record, found: this.alike(record, false) }));
      // Only then is it known which runs the input repeats.
      for (const { found } of alike) for (const { payment } of found) this.seeRun(payment);
      const all = alike.map(({ record, found }) => ({
        record,
        found: found.length > 0 ? found : this.alike(record, true),
      }));
      this.decide(all);
    }
    const { repeats, reminders, live } = this;
    return { repeats: repeats.sort((one, other) => one.index - other.index), reminders, live };
  }

  /** Takes note of the fates by the table. Returns the records that would be sent. */
  private byTable(isCompared: boolean): Sent[] {
    const { known, prepared, fateAt } = this.rules;
    const sent: Sent[] = [];
    for (let index = 0; index < prepared.entries.length; index++) {
      const fate = fateAt(index);
      if (fate === null) continue;
      const payment = known.byKey.get(index);
      if (payment !== undefined && isPaid(payment)) this.seeRun(payment);
      if (payment?.isLive === true && (payment.state !== 'rejected' || fate.what === 'send')) this.live ??= payment;
      if (fate.what === 'repeat') {
        if (fate.standsFor.isLive) this.live ??= fate.standsFor;
        this.repeats.push(fate);
      }
      if (fate.what === 'repeat' || fate.what === 'left-out') this.take(fate.standsFor);
      else if (fate.what === 'send' && isCompared) sent.push(sentOf(index, fate, this.rules));
    }
    return sent;
  }

  private take(payment: KnownPayment): void {
    this.own.add(payment.id);
    this.seeRun(payment);
  }

  private seeRun(payment: KnownPayment): void {
    for (const run of runsOf(payment)) this.repeatedRuns.add(run);
  }

  /** The batch has the same content under another computed key. */
  private isSameContent(record: Sent): boolean {
    const { batchId } = this.rules.prepared;
    const { print, isComputed, isCorrection } = record;
    // A correction has a key that no other content has, so a person can send it: `similar-record`.
    if (!isComputed || isCorrection) return false;
    const equal = this.candidatesOf(record).filter(
      (payment) =>
        payment.content === print.content &&
        payment.batchId === batchId &&
        payment.run.target === this.rules.target &&
        payment.replacedBy === null &&
        isComputedKey(payment.key) &&
        mayBePaid(payment),
    );
    this.live ??= equal.find(({ isLive }) => isLive) ?? null;
    const paid = equal.filter(isPaid).sort(byCertainty);
    const [standsFor] = paid;
    if (standsFor === undefined) return false;
    this.take(standsFor);
    const { index, fate } = record;
    this.repeats.push(repeatOf({ index, code: 'created-before', standsFor, own: fate.payment, corrects: false }, paid));
    return true;
  }

  /** The payments that a record may repeat, without those of other records of the input. */
  private candidatesOf({ index, print, corrects, isAccepted }: Sent): KnownPayment[] {
    const { known } = this.rules;
    const { byPayee, samePlace } = known.candidates;
    const all = new Set([...(byPayee.get(print.payee) ?? []), ...(samePlace.get(index) ?? [])]);
    return [...all].filter((payment) => {
      const last = lastReplacement(payment, known);
      const isOfCorrectedRun = payment.content !== print.content && runsOf(payment).some((run) => corrects.has(run));
      return (
        payment.type === print.type &&
        !this.isOwn(payment) &&
        !this.isOwn(last) &&
        !isOfCorrectedRun &&
        isNews(last, isAccepted, known)
      );
    });
  }

  private isOwn(payment: KnownPayment): boolean {
    const { prepared } = this.rules;
    if (this.own.has(payment.id)) return true;
    if (payment.run.target !== this.rules.target) return false;
    const entry = entryOf(payment, prepared);
    return entry !== null && prepared.entries.isValid(entry);
  }

  /** @param isMended also look for payments of a file that was mended after it was paid */
  private alike(record: Sent, isMended: boolean): Found[] {
    const candidates = this.candidatesOf(record);
    const found = candidates.flatMap((payment) => this.alikeAtHost(payment, record, isMended) ?? []);
    if (isMended) return found;
    return [...found, ...this.alikeInOtherBatches(candidates, record), ...this.leftOutBefore(record, found)];
  }

  private alikeAtHost(payment: KnownPayment, record: Sent, isMended: boolean): Found | null {
    const { prepared, target } = this.rules;
    const { print } = record;
    const other = this.comparedOf(payment);
    const around = this.around(payment, record, isMended);
    const isHere = payment.batchId === prepared.batchId;
    if (payment.run.target !== target)
      return isHere && mayBePaid(payment) && likenessAtHost(print, other, around) !== null
        ? { payment, why: 'host' }
        : null;
    if (payment.replacedBy !== null) {
      const last = lastReplacement(payment, this.rules.known);
      const isShown = mayBePaid(last) && (isHere || this.isRecent(last, false));
      const isAlike = isShown && isSameSum(print, other) && likenessOf(print, other, NOT_MENDED(around)) !== null;
      return isAlike ? { payment: last, why: 'correction' } : null;
    }
    if (!isHere || (!mayBePaid(payment) && !this.isOpen(payment))) return null;
    const why = likenessOf(print, other, around);
    return why === null || (why === 'mended' && !isPaid(payment)) ? null : { payment, why };
  }

  private around(payment: KnownPayment, { index }: Sent, isMended: boolean) {
    const { candidates } = this.rules.known;
    const line = candidates.lines.get(payment.id) ?? null;
    return {
      isSamePlace: candidates.samePlace.get(index)?.includes(payment) === true,
      isMended: isMended && runsOf(payment).some((run) => this.repeatedRuns.has(run)),
      isSameLine: line !== null && line === this.rules.prepared.entries.placeOf(index).line,
    };
  }

  /** Open in an unfinished run, which comes first. A run that goes on is never refused for that. */
  private isOpen({ state, isLive, run }: KnownPayment): boolean {
    const { known, isDryRun } = this.rules;
    return state === 'not_sent' && !run.isClosed && (!isLive || isDryRun) && known.run === null;
  }

  /** The same payee, purpose and amount in other batches, if that is hardly a payment for another period. */
  private alikeInOtherBatches(candidates: readonly KnownPayment[], { print }: Sent): Found[] {
    const same = this.paidElsewhere(candidates, print);
    const batches = new Set(same.filter(isPaid).map(({ batchId }) => batchId));
    const isNear = (payment: KnownPayment): boolean => {
      const other = this.comparedOf(payment);
      const isOnlyOne =
        batches.size === 1 &&
        (payment.batchId === DEFAULT_BATCH || (print.type === 'payout' && hasSameReference(print, other)));
      return (
        payment.state !== 'created' ||
        this.rules.prepared.batchId === DEFAULT_BATCH ||
        this.isRecent(payment, true) ||
        hasSameDate(print, other) ||
        isOnlyOne
      );
    };
    return same.filter(isNear).map((payment) => ({ payment, why: 'batch' }));
  }

  private paidElsewhere(candidates: readonly KnownPayment[], print: Compared): KnownPayment[] {
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

  /** In the last few days. @param sinceRun for a run that continues, also since it began */
  private isRecent({ at, moment }: KnownPayment, sinceRun: boolean): boolean {
    const { now, known } = this.rules;
    return now - at < RECENT_MS || (sinceRun && known.run !== null && moment > known.run.moment);
  }

  /** A run that is resumed asks again about the records that it left out. */
  private leftOutBefore({ index }: Sent, found: readonly Found[]): Found[] {
    const left = this.rules.known.leftOut.get(index);
    return left === undefined || found.some(({ payment }) => payment.id === left.id)
      ? []
      : [{ payment: left, why: 'left-out' }];
  }

  /** Each payment stands for one record: the one with its amount, else the first. */
  private decide(all: readonly { readonly record: Sent; readonly found: readonly Found[] }[]): void {
    const stands = new Map<number, Found>();
    const taken = new Set<PaymentId>();
    for (const isExact of [true, false]) {
      for (const { record, found } of all) {
        if (stands.has(record.index)) continue;
        const free = found.filter(
          ({ payment }) =>
            isPaid(payment) &&
            !taken.has(payment.id) &&
            (!isExact || isSameSum(record.print, this.comparedOf(payment))),
        );
        if (free.length === 0) continue;
        const chosen = newestIn(free);
        stands.set(record.index, chosen);
        taken.add(chosen.payment.id);
      }
    }
    for (const { record, found } of all) this.conclude(record, found, stands.get(record.index) ?? null);
  }

  private conclude(record: Sent, found: readonly Found[], stands: Found | null): void {
    const { index, fate } = record;
    this.live ??= found.find(({ payment }) => payment.isLive)?.payment ?? null;
    const open = found.filter(({ payment }) => this.isOpen(payment));
    const paid = found.filter(({ payment }) => isPaid(payment));
    const known = open.length > 0 ? open : paid;
    if (known.length === 0) {
      if (fate.again === null && !record.isAccepted) this.remind(record);
      return;
    }
    const newest = newestIn(known);
    const repeat = repeatOf(
      {
        index,
        code: open.length > 0 ? 'open-before' : 'similar-record',
        standsFor: (open.length > 0 ? newest : (stands ?? newest)).payment,
        own: fate.payment,
        corrects: false,
      },
      known.map(({ payment }) => payment),
    );
    this.repeats.push({ ...repeat, why: newest.why, isTaken: open.length === 0 && stands === null });
  }

  /** Payments from long ago in another batch, or here for another day, purpose or reference. */
  private remind(record: Sent): void {
    const { print, index } = record;
    const { prepared, target } = this.rules;
    const candidates = this.candidatesOf(record);
    const elsewhere = this.paidElsewhere(candidates, print).filter(({ state }) => state === 'created');
    const here = candidates.filter(
      ({ state, batchId, run, replacedBy }) =>
        state === 'created' && batchId === prepared.batchId && run.target === target && replacedBy === null,
    );
    const sameSum = here.filter((payment) => print.type !== 'gig' && isSameAmount(print, this.comparedOf(payment)));
    const otherDate = sameSum.filter(
      ({ title, reference, date }) =>
        title === print.title && reference === print.reference && date !== null && print.date !== null,
    );
    const add = (code: Reminder['code'], payments: readonly KnownPayment[]): boolean =>
      payments.length > 0 && this.reminders.push({ index, code, newest: newestOf(payments) }) > 0;
    if (!add('paid-in-batch', elsewhere) && !add('other-date', otherDate)) add('same-payee-and-amount', sameSum);
  }

  private comparedOf(payment: KnownPayment): Compared {
    let compared = this.compared.get(payment);
    if (compared === undefined) this.compared.set(payment, (compared = comparedPayment(payment)));
    return compared;
  }
}

function NOT_MENDED(around: { isSamePlace: boolean; isMended: boolean; isSameLine: boolean }) {
  return { ...around, isMended: false };
}

function sentOf(index: number, fate: Sent['fate'], { known, prepared: { entries, files } }: RepeatRules): Sent {
  const shared = files[entries.fileOf(index)]?.reference ?? null;
  const corrected = known.corrected.get(index);
  const print = comparedRecord(entries, index, shared);
  return {
    ...{ index, fate, print },
    isComputed: isComputedKey(entries.keyText(index)),
    isCorrection: entries.keySource(index) === 'replaces',
    isAccepted: (known.accepted[index] ?? 0) !== 0,
    corrects: new Set(corrected?.payee === print.payee ? runsOf(corrected) : []),
  };
}

/** Numbers of the runs that accepted a payment: the first and the last of them. */
function runsOf(payment: KnownPayment): number[] {
  return [homeOf(payment.id), payment.run.number];
}

/** Decisions before a run's gate stay valid: for its records, only later changes count. */
function isNews({ moment, isLive }: KnownPayment, isAccepted: boolean, { run }: Known): boolean {
  return !isAccepted || isLive || run === null || moment > run.moment;
}

function newestIn(found: readonly Found[]): Found {
  return found.reduce((last, each) => (each.payment.at > last.payment.at ? each : last));
}

/** Created ones first: a record that is left out names one of these, if there is one. */
function byCertainty(one: KnownPayment, other: KnownPayment): number {
  const rank = ({ state }: KnownPayment): number => (state === 'created' ? 0 : 1);
  return rank(one) - rank(other) || one.id - other.id;
}

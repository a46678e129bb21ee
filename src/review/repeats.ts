/** Which records of an input may have been paid already. PURE. CONTRACT: "Repeats". */
import { isComputedKey } from '../keys/key.js';
import { isPaid, type StoredPayment, mayBePaid, type PaymentId } from '../journal/payment.js';
import { type AlikePayment, Comparison, type RepeatContext, type SentRecord } from './alike.js';
import { newestOf, type Repeat, repeatOf } from './disposition.js';
import { ownAt } from './history.js';
import { isSameAmount, isSameSum } from './resemblance.js';

/** Earlier payments that need no decision, but that a person sees. */
export interface NoticeCandidate {
  readonly index: number;
  readonly code: 'paid-in-batch' | 'other-date' | 'same-payee-and-amount';
  readonly newest: StoredPayment;
}

export interface FoundRepeats {
  readonly repeats: readonly Repeat[];
  readonly reminders: readonly NoticeCandidate[];
  /** A payment that a live call has accepted, and that would be a repeat, or the record itself; null for none. */
  readonly live: StoredPayment | null;
}

export function findRepeats(rules: RepeatContext): FoundRepeats {
  const { records, candidates } = rules.history;
  const isAnyKnown = records.size + candidates.all.length > 0;
  return isAnyKnown ? new Search(rules).run() : { repeats: [], reminders: [], live: null };
}

class Search {
  private readonly rules: RepeatContext;
  private readonly comparison: Comparison;
  private readonly repeats: Repeat[] = [];
  private readonly reminders: NoticeCandidate[] = [];
  private live: StoredPayment | null = null;

  constructor(rules: RepeatContext) {
    this.rules = rules;
    this.comparison = new Comparison(rules);
  }

  run(): FoundRepeats {
    const { comparison } = this;
    // First by content: each payment equals one record, and then no other record resembles it.
    const rest = this.byTable().filter((record) => !this.isSameContent(record));
    const alike = rest.map((record) => ({ record, found: comparison.alike(record) }));
    for (const { found } of alike) for (const { payment } of found) comparison.repeat(payment);
    const all = alike.map(({ record, found }) => {
      return { record, found: found.length > 0 ? found : comparison.mended(record) };
    });
    const stands = standsFor(all, comparison);
    for (const { record, found } of all) this.conclude(record, found, stands.get(record.index) ?? null);
    const { repeats, reminders, live } = this;
    return { repeats: repeats.sort((one, other) => one.index - other.index), reminders, live };
  }

  /** Takes note of the dispositions by the table. Returns the records that would be sent. */
  private byTable(): SentRecord[] {
    const { history, prepared, dispositionAt } = this.rules;
    const sent: SentRecord[] = [];
    const isCompared =
      history.candidates.all.length > 0 || [...history.records.values()].some(({ leftOutFor }) => leftOutFor !== null);
    for (let index = 0; index < prepared.entries.length; index++) {
      const disposition = dispositionAt(index);
      if (disposition === null) continue;
      const payment = ownAt(index, history);
      if (payment !== null && isPaid(payment)) this.comparison.repeat(payment);
      if (history.created[index] === 1) this.comparison.repeatListed(history.accepted[index] as PaymentId);
      if (payment?.isLive === true && (payment.state !== 'rejected' || disposition.kind === 'send'))
        this.live ??= payment;
      if (disposition.kind === 'repeat') {
        if (disposition.standsFor.isLive) this.live ??= disposition.standsFor;
        this.repeats.push(disposition);
      }
      if (disposition.kind === 'repeat' || disposition.kind === 'left-out') this.comparison.take(disposition.standsFor);
      else if (disposition.kind === 'send' && isCompared) sent.push(this.comparison.recordOf(index, disposition));
    }
    return sent;
  }

  /** The batch has the same content under another computed key. */
  private isSameContent(record: SentRecord): boolean {
    const { prepared, target } = this.rules;
    const { print, index, disposition } = record;
    // A correction has a key that no other content has, so a person can send it: `similar-record`.
    if (!record.isComputed || record.isCorrection) return false;
    const equal = this.comparison
      .candidatesOf(record)
      .filter(
        (payment) =>
          payment.content === print.content &&
          payment.batchId === prepared.batchId &&
          payment.run.target === target &&
          payment.replacedBy === null &&
          isComputedKey(payment.key) &&
          mayBePaid(payment),
      );
    this.live ??= equal.find(({ isLive }) => isLive) ?? null;
    const paid = equal.filter(isPaid).sort(byCertainty);
    const [first] = paid;
    if (first === undefined) return false;
    this.comparison.take(first);
    const repeat = {
      index,
      code: 'created-before',
      standsFor: first,
      own: disposition.payment,
      corrects: false,
    } as const;
    this.repeats.push(repeatOf(repeat, paid));
    return true;
  }

  /** @param stands the payment that this record stands for; null if each is another record's */
  private conclude(record: SentRecord, found: readonly AlikePayment[], stands: StoredPayment | null): void {
    const { index, disposition } = record;
    this.live ??= found.find(({ payment }) => payment.isLive)?.payment ?? null;
    const open = found.filter(({ payment }) => this.comparison.isOpen(payment));
    const shown = open.length > 0 ? open : found.filter(({ payment }) => isPaid(payment));
    if (shown.length === 0) {
      if (disposition.again === null) this.remind(record);
      return;
    }
    const isOpen = open.length > 0;
    const newest = newestIn(shown);
    const repeat = repeatOf(
      {
        index,
        code: isOpen ? 'open-before' : 'similar-record',
        standsFor: isOpen || stands === null ? newest.payment : stands,
        own: disposition.payment,
        corrects: false,
      },
      shown.map(({ payment }) => payment),
    );
    this.repeats.push({ ...repeat, why: newest.why, isTaken: !isOpen && stands === null });
  }

  /** Payments from long ago in another batch, or here for another day, purpose or reference. */
  private remind(record: SentRecord): void {
    const { print, index } = record;
    const { prepared, target } = this.rules;
    const { comparison } = this;
    const candidates = comparison.candidatesOf(record);
    if (candidates.length === 0) return;
    const elsewhere = comparison.sameInOtherBatches(candidates, print).filter(({ state }) => state === 'created');
    const sameSum = candidates.filter(
      (payment) =>
        print.type !== 'gig' &&
        payment.state === 'created' &&
        payment.batchId === prepared.batchId &&
        payment.run.target === target &&
        payment.replacedBy === null &&
        isSameAmount(print, comparison.comparedOf(payment)),
    );
    const otherDate = sameSum.filter(
      ({ title, reference, date }) =>
        title === print.title && reference === print.reference && date !== null && print.date !== null,
    );
    const add = (code: NoticeCandidate['code'], payments: readonly StoredPayment[]): boolean =>
      payments.length > 0 && this.reminders.push({ index, code, newest: newestOf(payments) }) > 0;
    if (!add('paid-in-batch', elsewhere) && !add('other-date', otherDate)) add('same-payee-and-amount', sameSum);
  }
}

/** Each payment stands for one record, by its place: the one with its amount, else the first. */
function standsFor(
  all: readonly { readonly record: SentRecord; readonly found: readonly AlikePayment[] }[],
  comparison: Comparison,
): Map<number, StoredPayment> {
  const stands = new Map<number, StoredPayment>();
  const taken = new Set<PaymentId>();
  for (const isSum of [true, false]) {
    for (const { record, found } of all) {
      if (stands.has(record.index)) continue;
      const free = found.filter(
        ({ payment }) =>
          isPaid(payment) &&
          !taken.has(payment.id) &&
          (!isSum || isSameSum(record.print, comparison.comparedOf(payment))),
      );
      if (free.length === 0) continue;
      const { payment } = newestIn(free);
      stands.set(record.index, payment);
      taken.add(payment.id);
    }
  }
  return stands;
}

function newestIn(found: readonly AlikePayment[]): AlikePayment {
  return found.reduce((last, each) => (each.payment.at > last.payment.at ? each : last));
}

/** Created ones first: a record that is left out names one of these, if there is one. */
function byCertainty(one: StoredPayment, other: StoredPayment): number {
  const rank = ({ state }: StoredPayment): number => (state === 'created' ? 0 : 1);
  return rank(one) - rank(other) || one.id - other.id;
}

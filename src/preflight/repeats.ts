/** Records that would be sent although the target's history knows their content, or similar ones. PURE. */
import { add, formatDecimal, parseDecimal, ZERO } from '../money/decimal.js';
import type { KnownPayment, LeftOut } from '../ledger/payment.js';

export type RepeatCode = 'created-before' | 'open-before' | 'same-content' | 'similar-record';

export interface Repeat {
  readonly index: number;
  readonly code: RepeatCode;
  /** The newest payment that it repeats: what a person is shown. */
  readonly newest: KnownPayment;
  /** In how many runs it was paid, or may have been. */
  readonly times: number;
  /** For how much in all, decimal text; null where that is not known. */
  readonly total: string | null;
  /** The payment that it stands for when it is left out, and how: a corrected row has other content than what it names. */
  readonly standsFor: KnownPayment;
  /** Whether that payment has the record's content: only then is sending the one paying the other. */
  readonly standsAs: LeftOut;
  /** Its row says that it corrects that payment, which is not rejected any more. */
  readonly corrects?: boolean;
  /** False when the payments are of other batches than the one that was named: then the repeat is only a warning. */
  readonly counts: boolean;
}

/** What is asked of a record that would be sent. */
export interface Sent {
  readonly index: number;
  readonly content: bigint;
  readonly similarity: bigint;
  readonly reference: bigint | null;
  readonly date: number | null;
  /** It is a payment in doubt itself: it counts on the side of the history, as one of its payments. */
  readonly isInDoubt: boolean;
}

export interface RepeatRules {
  /** The batch that was named; null: payments of all batches are repeats. */
  readonly batchId: string | null;
  /** What a run that goes on knew at its gate was decided there; 0 for a new run. See {@link KnownPayment.moment}. */
  readonly since: number;
  readonly goesOn: boolean;
  /** Payments that the input itself stands for. */
  readonly isOwn: (payment: KnownPayment) => boolean;
}

/** Finds the repeats of the records that would be sent; to be asked in the order of the input. */
export interface Duplicates {
  of(record: Sent): Repeat | null;
}

export function startDuplicates(similar: ReadonlyMap<bigint, readonly KnownPayment[]>, rules: RepeatRules): Duplicates {
  /** How many records of a content have come so far. */
  const seen = new Map<bigint, number>();
  return {
    of(record) {
      const matches = (similar.get(record.similarity) ?? []).filter((payment) => isKnown(payment, rules));
      if (matches.length === 0) return null;
      const same = matches.filter(({ content }) => content === record.content).sort(byCertainty);
      const count = (seen.get(record.content) ?? 0) + 1;
      if (!record.isInDoubt) seen.set(record.content, count);
      const alike = matches.filter((payment) => isSimilar(payment, record));
      const isHere = ({ run }: KnownPayment): boolean => rules.batchId === null || run.batchId === rules.batchId;
      const isElsewhere = (payment: KnownPayment): boolean => !isHere(payment);
      const here = same.filter(isHere);
      return (
        // As many payments of this content as records so far: this one may be any of them.
        repeat('same-content', record.index, here, count, true) ??
        repeat('similar-record', record.index, alike.filter(isHere), 1, true) ??
        repeat('same-content', record.index, same.filter(isElsewhere), count - here.length, false) ??
        repeat('similar-record', record.index, alike.filter(isElsewhere), 1, false)
      );
    },
  };
}

function isKnown(payment: KnownPayment, { since, goesOn, isOwn }: RepeatRules): boolean {
  if (isOwn(payment)) return false;
  // A live run is about to send it.
  if (payment.state === 'not_sent') return payment.isLive && payment.replacedBy === null;
  return payment.state !== 'rejected' && (!goesOn || payment.moment > since);
}

/** Reference and date tell two records apart only where both have one and they differ. */
function isSimilar(payment: KnownPayment, { content, reference, date }: Sent): boolean {
  const differ = <T>(one: T | null, other: T | null): boolean => one !== null && other !== null && one !== other;
  return payment.content !== content && !differ(payment.reference, reference) && !differ(payment.date, date);
}

const CERTAINTY = { created: 0, unknown: 1, not_sent: 2, rejected: 3 } as const;

/** Created ones first: a record that is left out stands for one of these, if there is one. */
function byCertainty(one: KnownPayment, other: KnownPayment): number {
  return CERTAINTY[one.state] - CERTAINTY[other.state] || one.id - other.id;
}

function repeat(
  code: RepeatCode,
  index: number,
  found: readonly KnownPayment[],
  count: number,
  counts: boolean,
): Repeat | null {
  const standsFor = [...found].sort(byCertainty)[count - 1];
  if (standsFor === undefined) return null;
  const standsAs = code === 'similar-record' ? 'similar' : 'same';
  return { index, code, ...shown(found), standsFor, standsAs, counts };
}

/** What a person is shown of the payments that a record repeats. */
export function shown(found: readonly KnownPayment[]): Pick<Repeat, 'newest' | 'times' | 'total'> {
  const newest = found.reduce((last, payment) => (payment.at > last.at ? payment : last));
  const amounts = found.map(({ amount }) => amount);
  const isKnownSum =
    amounts.every((amount) => amount !== null) && new Set(found.map(({ currency }) => currency)).size === 1;
  const total = isKnownSum
    ? formatDecimal(amounts.reduce((sum, amount) => add(sum, parseDecimal(amount)), ZERO))
    : null;
  return { newest, times: new Set(found.map(({ run }) => run.number)).size, total };
}

/**
 * What becomes of a payment by the service's list: pure decisions. CONTRACT: "Reconciling with the service's own list".
 * Each payment and each row counts once, so the counts add up.
 */
import type { PaymentId, StoredPayment } from '../journal/payment.js';
import { compare, parseDecimal } from '../money/decimal.js';
import type { ExportRow } from './export-rows.js';

export const VERDICTS = [
  'matched',
  'created',
  'not_created',
  'in_doubt',
  'differs',
  'missing_there',
  'unknown_here',
] as const;

export type VerdictKind = (typeof VERDICTS)[number];

/**
 * Why it is so.
 * - `listed`: the service has it. `status`: the service's status says so
 * - `live`: a live call has accepted it
 * - `other-status`: no flag says what the status means. `too-late`: the last attempt was too late for this list
 * - `absent`: it is not in the list. `no-keys`: the list cannot show that. `list-not-whole`: nor can a list that lacks
 *   others. `perhaps-listed`: nor one with a row that may be it. `none-listed`: nor one that has none of its type. `several-fit`: title and start fit several gigs or rows
 * - `no-key-there`: the list has it by its id, but without its key
 * - `several-rows`, `other-payee`, `other-amount`, `other-currency`, `id-of-another`: differences
 * - `rejected-here`, `open-here`: here, the service has refused it, or it was not sent
 * - `not-here`: no batch at the target has it
 */
export type VerdictReason =
  | 'listed'
  | 'status'
  | 'live'
  | 'other-status'
  | 'too-late'
  | 'absent'
  | 'no-keys'
  | 'list-not-whole'
  | 'perhaps-listed'
  | 'none-listed'
  | 'several-fit'
  | 'no-key-there'
  | 'several-rows'
  | 'other-payee'
  | 'other-amount'
  | 'other-currency'
  | 'id-of-another'
  | 'rejected-here'
  | 'open-here'
  | 'not-here';

export interface Verdict {
  readonly kind: VerdictKind;
  /** Null for what is simply equal. */
  readonly why: VerdictReason | null;
  /** Null for a row that no payment meets. */
  readonly payment: StoredPayment | null;
  /** The first one that speaks of the payment; null for none. */
  readonly row: ExportRow | null;
}

/** What a list says of a payment: not a word about its status, or what the status means. */
type StatusMeaning = 'created' | 'not_created' | 'other';

export interface VerdictRules {
  /** The list has a column for it. */
  readonly hasStatus: boolean;
  /** What these statuses mean; in the form of {@link statusWord}. */
  readonly createdWords: ReadonlySet<string>;
  readonly notCreatedWords: ReadonlySet<string>;
  /** When the list was made, milliseconds since 1970. */
  readonly asOf: number;
  /** How long the service may be at a request for the payment, milliseconds. */
  readonly requestMsOf: (payment: StoredPayment) => number;
  readonly now: number;
}

/** A status as it is compared. */
export function statusWord(status: string): string {
  return status.trim().toLowerCase();
}

/** A payment that rows speak of, and the facts that they are compared with. */
export interface MetPayment {
  readonly payment: StoredPayment;
  /** At least one. */
  readonly rows: readonly ExportRow[];
  /** Null for a gig, and if its body is gone. */
  readonly userId: string | null;
  /** Whether another payment of the type has the row's id, here or in the list. */
  readonly isIdTaken: boolean;
}

/** Of a payment that the list has. */
export function verdictOfListed(met: MetPayment, rules: VerdictRules): Verdict {
  const { payment, rows } = met;
  const [row] = rows as [ExportRow];
  const given = (kind: VerdictKind, why: VerdictReason | null = null): Verdict => ({ kind, why, payment, row });
  if (payment.isLive && payment.state !== 'rejected') return given('in_doubt', 'live');
  const difference = differenceOf(met, row);
  if (difference !== null) return given('differs', difference);
  const meaning = meaningOf(row, rules);
  // The correction of a rejected payment is another payment.
  if (payment.state === 'rejected' || payment.replacedBy !== null)
    return meaning === 'not_created' ? given('matched') : given('differs', 'rejected-here');
  switch (payment.state) {
    case 'created':
      if (meaning === 'created') return given('matched');
      return given('missing_there', meaning === 'not_created' ? 'status' : 'other-status');
    case 'not_sent':
      return meaning === 'not_created' ? given('matched') : given('differs', 'open-here');
    case 'unknown':
      if (meaning === 'created') return given('created', rules.hasStatus ? 'status' : 'listed');
      if (meaning === 'other') return given('in_doubt', 'other-status');
      return isOver(payment, rules) ? given('not_created', 'status') : given('in_doubt', 'too-late');
  }
}

function differenceOf({ payment, rows, userId, isIdTaken }: MetPayment, row: ExportRow): VerdictReason | null {
  if (rows.length > 1) return 'several-rows';
  if (row.userId !== null && userId !== null && row.userId !== userId) return 'other-payee';
  if (row.amount !== null && payment.amount !== null && compare(row.amount, parseDecimal(payment.amount)) !== 0)
    return 'other-amount';
  const { currency } = payment;
  if (row.currency !== null && currency !== null && row.currency.toUpperCase() !== currency.toUpperCase())
    return 'other-currency';
  return isIdTaken ? 'id-of-another' : null;
}

function meaningOf({ status }: ExportRow, { hasStatus, createdWords, notCreatedWords }: VerdictRules): StatusMeaning {
  if (!hasStatus) return 'created';
  const word = statusWord(status ?? '');
  if (createdWords.has(word)) return 'created';
  return notCreatedWords.has(word) ? 'not_created' : 'other';
}

/** A time to the second is any moment of that second. */
const SECOND_MS = 1000;

/** Whether the list was made after the last attempt, and the service can no longer be at it. */
function isOver(payment: StoredPayment, { asOf, requestMsOf, now }: VerdictRules): boolean {
  return payment.at < asOf + SECOND_MS && payment.at + requestMsOf(payment) <= now;
}

/** Clocks differ, and lists take time. CONTRACT: 5 minutes. */
const CLOCKS_MS = 300_000;

/** What a list proves about payments that are not in it. */
export interface AbsenceRules extends VerdictRules {
  /** `--absent not-created`. */
  readonly isAbsenceTaken: boolean;
  /** A payment of this type would be found in the list, if it were there. */
  readonly hasKeysOf: (payment: StoredPayment) => boolean;
  /** A payment that the scope's runs had created by then is not in the list. */
  readonly isListCut: boolean;
  /** Payments that a row without a payment may be. */
  readonly perhapsListed: ReadonlySet<PaymentId>;
  /** A payment of this type that the scope's runs had created by then is in the list. */
  readonly hasListedOf: (payment: StoredPayment) => boolean;
  /** Gigs whose title and start fit several gigs or rows. */
  readonly severalFit: ReadonlySet<PaymentId>;
  /** The list has enough rows for the created gigs with this one's title and start. */
  readonly isCovered: (payment: StoredPayment) => boolean;
}

/** Of a payment of the scope that the list does not have; null for one that it need not have. */
export function verdictOfAbsent(payment: StoredPayment, rules: AbsenceRules): Verdict | null {
  const given = (kind: VerdictKind, why: VerdictReason): Verdict => ({ kind, why, payment, row: null });
  if (payment.state === 'created') {
    const isLater = payment.at >= rules.asOf + SECOND_MS;
    return isLater || rules.isCovered(payment) ? null : given('missing_there', 'absent');
  }
  if (payment.state !== 'unknown') return null;
  const why = doubtOfAbsent(payment, rules);
  return why === null ? given('not_created', 'absent') : given('in_doubt', why);
}

/** Why its absence does not settle it; null if it does. */
function doubtOfAbsent(payment: StoredPayment, rules: AbsenceRules): VerdictReason | null {
  if (payment.isLive) return 'live';
  if (rules.severalFit.has(payment.id)) return 'several-fit';
  // Before the flag is advised: it would not help.
  if (!rules.hasKeysOf(payment)) return 'no-keys';
  if (payment.at + rules.requestMsOf(payment) + CLOCKS_MS > rules.asOf) return 'too-late';
  if (!rules.isAbsenceTaken) return 'absent';
  if (rules.isListCut) return 'list-not-whole';
  if (rules.perhapsListed.has(payment.id)) return 'perhaps-listed';
  return rules.hasListedOf(payment) ? null : 'none-listed';
}

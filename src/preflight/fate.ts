/** What a record's key says of its fate, before anything is asked about repeats. PURE. CONTRACT: "Keys and repeats". */
import type { DoubtRules } from '../ledger/ledger.js';
import type { KnownPayment, LeftOut, RecordState, PaymentId } from '../ledger/payment.js';
import type { RecordType } from '../records/kind.js';
import { type Known, lastReplacement } from './known.js';

/** What becomes of a record if the run passes its gate. */
export type Fate =
  /** `payment` is what is sent: one that the ledger knows, or null for the record's own draft. */
  | {
      readonly what: 'send';
      readonly payment: PaymentId | null;
      /** It was tried before: in doubt, and its key protects it; or rejected. */
      readonly again: 'unknown' | 'rejected' | null;
      /** Payments that the record's own takes the place of. */
      readonly replaced: readonly PaymentId[];
    }
  /** Nothing is sent for it, in this state of its payment. */
  | {
      readonly what: 'created' | 'rejected' | 'unknown' | 'not_sent';
      /** Null: the one that the entry points at already. */
      readonly payment: PaymentId | null;
      readonly leftOut: LeftOut | null;
    }
  /** It was sent before as this payment, and a person has to decide. */
  | {
      readonly what: 'repeat';
      readonly code: 'created-before' | 'open-before';
      readonly payment: KnownPayment;
      /** Its row says that it corrects this payment, which is not rejected any more. */
      readonly corrects?: boolean;
    }
  /** Its key belongs to other content. */
  | { readonly what: 'conflict'; readonly payment: KnownPayment | null };

/** What is asked of a record. */
export interface Asked {
  readonly index: number;
  readonly type: RecordType;
  readonly bodyHash: string;
  readonly content: bigint;
  /** Its key is its own, or computed from key columns: the same key is the same payment. */
  readonly identifies: boolean;
}

export interface FateRules {
  readonly rules: DoubtRules;
  readonly retryRejected: boolean;
  /** The input is at hand: it brings the bodies that pruning has removed. */
  readonly bringsBodies: boolean;
  /** Of the call. */
  readonly batchId: string;
}

/** The fate of a record of a new run. */
export function fateInNewRun(asked: Asked, known: Known, rules: FateRules): Fate {
  const payment = known.byKey.get(asked.index) ?? null;
  const corrected = known.corrected.get(asked.index) ?? null;
  // It names the payment of its own key, or one that this replaced already: the key tells all.
  if (corrected === null || lastReplacement(corrected, known).id === payment?.id)
    return fateByKey(asked, payment, known, rules);
  if (!isReplaceable(corrected))
    return { what: 'repeat', code: 'created-before', payment: lastReplacement(corrected, known), corrects: true };
  // It comes again as it was: of several identical rows of its batch, it is the one that was rejected. Where its own key is
  // new, it is a payment under that: what was checked is what is sent. Where its body was removed, only the input has one,
  // and that is of another key.
  const isSame = corrected.content === asked.content && corrected.run.batchId === rules.batchId;
  if (payment !== null && isSame && corrected.hasBody) return again('rejected', corrected.id);
  const fate = fateByKey(asked, payment, known, rules);
  // Sent as a new payment, it closes the one that it corrects: nobody may send both. See closedBy for all others.
  return fate.what === 'send' && fate.payment === null ? { ...fate, replaced: [...fate.replaced, corrected.id] } : fate;
}

/** Only what was definitely rejected is replaced, once. */
function isReplaceable({ state, replacedBy, isLive }: KnownPayment): boolean {
  return state === 'rejected' && replacedBy === null && !isLive;
}

function fateByKey(asked: Asked, payment: KnownPayment | null, known: Known, rules: FateRules): Fate {
  if (payment === null) return SENT_FIRST;
  if (payment.replacedBy !== null) return fateOfReplaced(asked, payment, known);
  if (payment.bodyHash !== asked.bodyHash) return fateOfOtherContent(payment);
  const { id, state } = payment;
  switch (state) {
    case 'created':
      return asked.identifies ? settled('created', id) : { what: 'repeat', code: 'created-before', payment };
    case 'unknown':
      if (!asked.identifies) return { what: 'repeat', code: 'created-before', payment };
      // One that a live process has under way is waited for.
      return payment.isLive || mayResend(asked, payment.doubtSince, rules)
        ? again('unknown', id)
        : settled('unknown', id);
    case 'rejected':
      return again('rejected', id);
    case 'not_sent':
      if (!asked.identifies && !payment.run.isEnded) return { what: 'repeat', code: 'open-before', payment };
      return { what: 'send', payment: id, again: null, replaced: [] };
  }
}

/** It stays rejected for good. With other content, somebody corrects what was corrected already. */
function fateOfReplaced(asked: Asked, payment: KnownPayment, known: Known): Fate {
  if (payment.bodyHash === asked.bodyHash && payment.state === 'rejected') return settled('rejected', payment.id);
  return { what: 'repeat', code: 'created-before', payment: lastReplacement(payment, known) };
}

/** A key that was rejected, or never left, passes on to the new content. */
function fateOfOtherContent(payment: KnownPayment): Fate {
  const isTaken = payment.state === 'created' || payment.state === 'unknown' || payment.isLive;
  return isTaken ? { what: 'conflict', payment } : { ...SENT_FIRST, replaced: [payment.id] };
}

/** The fate of a record of a run that goes on, from what that run lists. */
export function fateInRun(asked: Asked, listed: RecordState, known: Known, rules: FateRules): Fate {
  const fate = fateAsListed(asked, listed, known, rules);
  const corrected = known.corrected.get(asked.index) ?? null;
  if (fate.what !== 'send' || corrected === null || isReplaceable(corrected)) return fate;
  const payment = lastReplacement(corrected, known);
  // Its row did not say when the run began what it corrects, and that was paid in another way since.
  return payment.id === listed.payment ? fate : { what: 'repeat', code: 'created-before', payment, corrects: true };
}

function fateAsListed(asked: Asked, listed: RecordState, known: Known, rules: FateRules): Fate {
  const id = listed.payment as PaymentId;
  const { leftOut } = listed;
  switch (listed.state) {
    case 'created':
      return { what: 'created', payment: id, leftOut };
    case 'rejected':
      return mayRetry(listed, rules) ? again('rejected', id) : { what: 'rejected', payment: id, leftOut };
    case 'unknown': {
      if (listed.isUnderWay && leftOut === null) return { what: 'send', payment: id, again: null, replaced: [] };
      const resends = leftOut === null && mayResend(asked, listed.doubtSince, rules);
      return resends ? again('unknown', id) : { what: 'unknown', payment: id, leftOut };
    }
    case 'not_sent':
      // Its key has passed on to other content, which was sent from elsewhere.
      if (listed.isReplaced) return { what: 'conflict', payment: known.byKey.get(asked.index) ?? null };
      if (leftOut === 'similar') return fateInItsPlace(asked, id, known, rules);
      return { what: 'send', payment: id, again: null, replaced: [] };
  }
}

/**
 * It was left out for a payment that is only similar, and that one was not made after all: the record is open again by
 * itself. It is sent in the place of that payment, or both would be. Only the input has what is sent.
 */
function fateInItsPlace(asked: Asked, id: PaymentId, known: Known, rules: FateRules): Fate {
  if (!rules.bringsBodies) return { what: 'not_sent', payment: id, leftOut: 'similar' };
  const fate = fateByKey(asked, known.byKey.get(asked.index) ?? null, known, rules);
  return fate.what === 'send' ? { ...fate, replaced: [...fate.replaced, id] } : fate;
}

/** Rejected stays rejected, unless the person asks for another try. */
function mayRetry({ isReplaced, leftOut, hasBody }: RecordState, { retryRejected, bringsBodies }: FateRules): boolean {
  return retryRejected && !isReplaced && leftOut === null && (hasBody || bringsBodies);
}

/** Whether a record in doubt is sent again, under the key that it has. */
function mayResend({ type }: Asked, doubtSince: number | null, { rules }: FateRules): boolean {
  return doubtSince !== null && rules.mayResend({ type, doubtSince });
}

/** Most records of a new run: one object for all of them. */
export const SENT_FIRST: Fate & { what: 'send' } = { what: 'send', payment: null, again: null, replaced: [] };

function again(state: 'unknown' | 'rejected', payment: PaymentId): Fate {
  return { what: 'send', payment, again: state, replaced: [] };
}

function settled(what: 'created' | 'rejected' | 'unknown', payment: PaymentId): Fate {
  return { what, payment, leftOut: null };
}

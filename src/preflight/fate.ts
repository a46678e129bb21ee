/**
 * What becomes of a record: one table, by the state of the payment under its key and by whether the key identifies that
 * payment. PURE. CONTRACT: "Keys and repeats".
 */
import type { KeySource } from '../batch/table.js';
import type { DoubtRules } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId } from '../ledger/payment.js';
import { isCorrectedBy, type Known, lastReplacement } from './known.js';

export type Fate =
  | {
      readonly what: 'send';
      /** A payment that the ledger knows, or the row of a record that its run left out; null for the record's own draft. */
      readonly payment: PaymentId | null;
      /** It was tried before. */
      readonly again: 'unknown' | 'rejected' | null;
      /** Payments that it takes the place of. */
      readonly replaces: readonly PaymentId[];
    }
  /** Nothing is sent: its payment stays as it is. */
  | {
      readonly what: 'settled';
      readonly state: 'created' | 'rejected' | 'unknown';
      /** Null where it is the one that the run which goes on accepted: see {@link Known.accepted}. */
      readonly payment: PaymentId | null;
      /** What it was corrected by: its last correction, which is not created. */
      readonly correction?: KnownPayment;
      /** `--retry-rejected` asks for it, and its stored body was removed. */
      readonly isPruned?: boolean;
    }
  /** Nothing is sent, since it was paid by another payment, or may have been. */
  | {
      readonly what: 'left-out';
      readonly payment: PaymentId | null;
      readonly standsFor: KnownPayment;
      /** Its run had left it out, and its stored body was removed: nobody is asked about it again. */
      readonly isPruned?: boolean;
    }
  /** A person has to decide first. */
  | { readonly what: 'repeat'; readonly code: FateCode; readonly payment: KnownPayment; readonly corrects: boolean }
  /** Its key belongs to other content. */
  | { readonly what: 'conflict'; readonly payment: KnownPayment };

export type FateCode = 'created-before' | 'open-before' | 'not-rejected';

/** What is asked of a record. */
export interface Asked {
  readonly index: number;
  readonly source: KeySource;
  readonly bodyHash: () => string;
  /** The run that goes on has accepted it. */
  readonly isAccepted: boolean;
}

export interface FateRules {
  readonly doubt: DoubtRules;
  readonly retryRejected: boolean;
  /** The input is at hand: it brings the bodies that pruning has removed. */
  readonly bringsBodies: boolean;
}

/** Most records: one object for all of them. */
export const SENT_FIRST: Fate & { what: 'send' } = { what: 'send', payment: null, again: null, replaces: [] };

export function fateOf(asked: Asked, known: Known, rules: FateRules): Fate {
  const own = known.byKey.get(asked.index) ?? null;
  const corrected = known.corrected.get(asked.index) ?? null;
  if (corrected === null || asked.isAccepted) return byKey(asked, own, known, rules);
  const isNamed = own?.id === corrected.id;
  // This same row has corrected it before: its own key tells all.
  if (own !== null && !isNamed && isCorrectedBy(corrected, own.id, known)) return byKey(asked, own, known, rules);
  const last = lastReplacement(corrected, known);
  // What a closed run has left open counts as none.
  const isGivenUp = last.state === 'not_sent' && last.run.isClosed;
  const isRejected = corrected.state === 'rejected' && corrected.replacedBy === null && !corrected.isLive;
  if (!isRejected && !isGivenUp)
    return isNamed && asked.source === 'own' && own.bodyHash === asked.bodyHash()
      ? byKey(asked, own, known, rules)
      : isNotRejected(last);
  if (isNamed && own.bodyHash === asked.bodyHash())
    return isRejected ? rejectedAgain(own, rules) : byKey(asked, own, known, rules);
  // It has a payment already where a closed run gave it up, or where it was imported without its gigwork_key.
  const fate = isNamed ? SENT_FIRST : byKey(asked, own, known, rules);
  return fate.what === 'send' ? { ...fate, replaces: [...fate.replaces, last.id] } : fate;
}

function byKey(asked: Asked, payment: KnownPayment | null, known: Known, rules: FateRules): Fate {
  if (payment === null) return SENT_FIRST;
  const { id, state } = payment;
  const isSame = payment.bodyHash === asked.bodyHash();
  if (payment.replacedBy !== null) return ofReplaced(payment, isSame, known);
  const identifies = asked.isAccepted || asked.source !== 'content';
  switch (state) {
    case 'created':
    case 'unknown':
      if (!isSame) return { what: 'conflict', payment };
      if (!identifies) return { what: 'repeat', code: 'created-before', payment, corrects: false };
      return state === 'created' ? settled('created', id) : ofDoubt(payment, rules);
    case 'rejected':
      // What has passed a run's gate takes no place a second time.
      if (!isSame && asked.isAccepted) return { what: 'settled', state: 'rejected', payment: null };
      if (!isSame) return { ...SENT_FIRST, replaces: [id] };
      return rules.retryRejected ? rejectedAgain(payment, rules) : settled('rejected', id);
    case 'not_sent':
      // What a closed run has left open counts as none.
      if (!isSame) return payment.run.isClosed ? { ...SENT_FIRST, replaces: [id] } : { what: 'conflict', payment };
      if (!identifies && !payment.run.isClosed)
        return { what: 'repeat', code: 'open-before', payment, corrects: false };
      return { ...SENT_FIRST, payment: id };
  }
}

/** Nothing sends it again. A record of other content has a row of its own. */
function ofReplaced(payment: KnownPayment, isSame: boolean, known: Known): Fate {
  const last = lastReplacement(payment, known);
  if (last.state === 'created') return { what: 'left-out', payment: isSame ? payment.id : null, standsFor: last };
  if (!isSame) return { what: 'left-out', payment: null, standsFor: payment };
  return { what: 'settled', state: 'rejected', payment: payment.id, correction: last };
}

/** A row corrects what is not rejected, or not any more. @param last it, or its last correction */
function isNotRejected(last: KnownPayment): Fate {
  const code = last.state === 'created' ? 'created-before' : 'not-rejected';
  return { what: 'repeat', code, payment: last, corrects: true };
}

/** In doubt, it is sent again under its key while that protects it, or where the person takes the risk. */
export function ofDoubt({ id, type, doubtSince, at, lifetimeMs }: KnownPayment, { doubt }: FateRules): Fate {
  const resends = doubt.mayResend({ type, doubtSince: doubtSince ?? at, lifetimeMs });
  return resends ? { what: 'send', payment: id, again: 'unknown', replaces: [] } : settled('unknown', id);
}

function rejectedAgain({ id, hasBody }: KnownPayment, { bringsBodies }: FateRules): Fate {
  if (!hasBody && !bringsBodies) return { what: 'settled', state: 'rejected', payment: id, isPruned: true };
  return { what: 'send', payment: id, again: 'rejected', replaces: [] };
}

function settled(state: 'created' | 'rejected' | 'unknown', payment: PaymentId): Fate {
  return { what: 'settled', state, payment };
}

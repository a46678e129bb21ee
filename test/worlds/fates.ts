/** What becomes of a record, before anything is asked about repeats. CONTRACT: "Keys and repeats", "Sending". */
import type { Entry, Rules } from './entries.js';
import { type History, lastReplacement, type Listed, type Payment, unfinishedRunOf } from './history.js';

export type Told = 'already_created' | 'skipped' | 'rejected' | 'unknown' | 'not_sent';

export type Fate =
  | { readonly is: 'invalid' }
  | { readonly is: 'told'; readonly as: Told; readonly payment: Payment; readonly leftOut: Listed['leftOut'] }
  /** A payment of the history, or null for a new one. */
  | {
      readonly is: 'send';
      readonly payment: Payment | null;
      readonly replaces: readonly Payment[];
      readonly risk: boolean;
    };

/** A record that was sent before, and a person has to say what it is. */
export interface Repeat {
  readonly is: 'repeat';
  readonly standsFor: Payment;
  /** Its own key is that payment's. */
  readonly isOwn: boolean;
}

function isProtected({ row, doubtSince }: Payment, rules: Rules, now: number): boolean {
  const age = now - (doubtSince ?? 0);
  return row.type !== 'gig' && age < rules.keyLifetimeHours * 3_600_000;
}

export function send(payment: Payment | null, replaces: readonly Payment[] = [], risk = false): Fate {
  return { is: 'send', payment, replaces, risk };
}

export function told(as: Told, payment: Payment, leftOut: Listed['leftOut'] = null): Fate {
  return { is: 'told', as, payment, leftOut };
}

export function inDoubt(payment: Payment, rules: Rules, now: number): Fate {
  if (isProtected(payment, rules, now)) return send(payment);
  return rules.resendUnknown ? send(payment, [], true) : told('unknown', payment);
}

/** @param hasInput the call has files: they bring bodies that were removed */
export function fateInRun(
  { payment, leftOut }: Listed,
  rules: Rules,
  hasInput: boolean,
  now: number,
): Fate | 'conflict' {
  const of = payment as Payment;
  switch (of.state) {
    case 'created':
      return told(leftOut === null ? 'already_created' : 'skipped', of, leftOut);
    case 'rejected':
      return rules.retryRejected && of.replacedBy === null && leftOut === null && (hasInput || !of.pruned)
        ? send(of)
        : told('rejected', of, leftOut);
    case 'unknown':
      return leftOut === null ? inDoubt(of, rules, now) : told('unknown', of, leftOut);
    case 'open':
      if (of.replacedBy !== null) return 'conflict';
      return leftOut === 'similar' ? told('not_sent', of, leftOut) : send(of);
  }
}

export function fateInNewRun(entry: Entry, rules: Rules, history: History, now: number): Fate | 'conflict' | Repeat {
  const own = history.byKey.get(entry.key as string) ?? null;
  const corrected = entry.row.replaces === null ? null : (history.byKey.get(entry.row.replaces) ?? null);
  if (corrected === null || corrected === own) return fateByKey(entry, own, rules, history, now);
  if (corrected.state !== 'rejected' || corrected.replacedBy !== null) {
    const last = lastReplacement(corrected);
    return { is: 'repeat', standsFor: last, isOwn: last === own && last.body === entry.body };
  }
  const fate = fateByKey(entry, own, rules, history, now);
  if (fate === 'conflict' || fate.is !== 'send' || fate.payment !== null) return fate;
  return send(null, [...fate.replaces, corrected]);
}

function fateByKey(
  { body, identifies }: Entry,
  own: Payment | null,
  rules: Rules,
  history: History,
  now: number,
): Fate | 'conflict' | Repeat {
  if (own === null) return send(null);
  const isSame = own.body === body;
  if (own.replacedBy !== null)
    return isSame && own.state === 'rejected'
      ? told('rejected', own)
      : { is: 'repeat', standsFor: lastReplacement(own), isOwn: false };
  switch (own.state) {
    case 'created':
    case 'unknown':
      if (!isSame) return 'conflict';
      if (!identifies) return { is: 'repeat', standsFor: own, isOwn: true };
      return own.state === 'created' ? told('already_created', own) : inDoubt(own, rules, now);
    case 'rejected':
      return isSame ? send(own) : send(null, [own]);
    case 'open':
      if (!isSame) return send(null, [own]);
      return identifies || unfinishedRunOf(own, history) === undefined
        ? send(own)
        : { is: 'repeat', standsFor: own, isOwn: true };
  }
}

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
  /** That payment is of other content. */
  readonly isOther: boolean;
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

/** Only what was definitely rejected is replaced, once. */
export function isReplaceable({ state, replacedBy }: Payment): boolean {
  return state === 'rejected' && replacedBy === null;
}

function correctedBy({ row }: Entry, { byKey }: History): Payment | null {
  return row.replaces === null ? null : (byKey.get(row.replaces) ?? null);
}

function repeatOf(entry: Entry, standsFor: Payment, isOwn: boolean): Repeat {
  return { is: 'repeat', standsFor, isOwn, isOther: standsFor.content !== entry.content };
}

/** @param hasInput the call has files: they bring bodies that were removed, and records that were left out */
export function fateInRun(
  entry: Entry,
  listed: Listed,
  rules: Rules,
  history: History,
  hasInput: boolean,
  now: number,
): Fate | 'conflict' | Repeat {
  const fate = fateAsListed(entry, listed, rules, history, hasInput, now);
  const corrected = correctedBy(entry, history);
  if (fate === 'conflict' || fate.is !== 'send' || corrected === null || isReplaceable(corrected)) return fate;
  // Its row did not say when the run began what it corrects, and that was paid in another way since.
  const last = lastReplacement(corrected);
  return last === listed.payment ? fate : repeatOf(entry, last, false);
}

function fateAsListed(
  entry: Entry,
  { payment, leftOut }: Listed,
  rules: Rules,
  history: History,
  hasInput: boolean,
  now: number,
): Fate | 'conflict' | Repeat {
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
    case 'open': {
      if (of.replacedBy !== null) return 'conflict';
      if (leftOut !== 'similar') return send(of);
      if (!hasInput) return told('not_sent', of, leftOut);
      // That payment was not made after all: the record is open again by itself, and takes its place.
      const fate = fateByKey(entry, history.byKey.get(entry.key as string) ?? null, rules, history, now);
      return fate !== 'conflict' && fate.is === 'send' ? { ...fate, replaces: [...fate.replaces, of] } : fate;
    }
  }
}

export function fateInNewRun(entry: Entry, rules: Rules, history: History, now: number): Fate | 'conflict' | Repeat {
  const own = history.byKey.get(entry.key as string) ?? null;
  const corrected = correctedBy(entry, history);
  // It names the payment of its own key, or one that this has replaced: the key tells all.
  if (corrected === null || lastReplacement(corrected) === own) return fateByKey(entry, own, rules, history, now);
  if (!isReplaceable(corrected)) return repeatOf(entry, lastReplacement(corrected), false);
  // What was rejected comes again as it was, and replaces itself; where its key is another one by now, that one is sent.
  const isSame = corrected.content === entry.content && corrected.batch === rules.batch;
  if (own !== null && isSame && !corrected.pruned) return send(corrected);
  const fate = fateByKey(entry, own, rules, history, now);
  if (fate === 'conflict' || fate.is !== 'send' || fate.payment !== null) return fate;
  return send(null, [...fate.replaces, corrected]);
}

function fateByKey(
  entry: Entry,
  own: Payment | null,
  rules: Rules,
  history: History,
  now: number,
): Fate | 'conflict' | Repeat {
  const { body, identifies } = entry;
  if (own === null) return send(null);
  const isSame = own.body === body;
  if (own.replacedBy !== null)
    return isSame && own.state === 'rejected' ? told('rejected', own) : repeatOf(entry, lastReplacement(own), false);
  switch (own.state) {
    case 'created':
    case 'unknown':
      if (!isSame) return 'conflict';
      if (!identifies) return repeatOf(entry, own, true);
      return own.state === 'created' ? told('already_created', own) : inDoubt(own, rules, now);
    case 'rejected':
      return isSame ? send(own) : send(null, [own]);
    case 'open':
      if (!isSame) return send(null, [own]);
      return identifies || unfinishedRunOf(own, history) === undefined ? send(own) : repeatOf(entry, own, true);
  }
}

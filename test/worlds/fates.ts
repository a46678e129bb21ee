/** The table: what becomes of a record follows from its payment's state, and whether its key identifies that. */
import { isSameUser } from './likeness.js';
import {
  type Entry,
  type History,
  isNone,
  isReplaced,
  lastCorrection,
  type Listed,
  type Payment,
  paymentUnder,
} from './history.js';
import type { Readings } from './readings.js';
import type { Rules } from './words.js';

export type Told = 'already_created' | 'skipped' | 'rejected' | 'unknown' | 'not_sent';
export type RepeatCode = 'created-before' | 'other-batch' | 'open-before' | 'similar-record' | 'not-rejected';

export type Fate =
  | { readonly is: 'invalid' }
  /** Its key belongs to other content, which makes it invalid. */
  | { readonly is: 'conflict' }
  /** Nothing is sent: it is the state of its payment. */
  | { readonly is: 'told'; readonly as: Told; readonly payment: Payment }
  /** A payment of the history, or null for a new one. At a risk, where its key protects it no more. */
  | { readonly is: 'send'; readonly payment: Payment | null; readonly risk: boolean }
  | { readonly is: 'left'; readonly standsFor: Payment }
  /** A person has to decide; what would be sent otherwise, if anything. */
  | {
      readonly is: 'repeat';
      readonly code: RepeatCode;
      readonly standsFor: Payment;
      readonly otherwise?: Fate;
      /** All that it resembles, the newest first. */
      readonly resembled?: readonly Payment[];
    };

export interface Setting {
  readonly rules: Rules;
  readonly history: History;
  readonly readings: Readings;
  readonly now: number;
  /** The input brings the bodies that were removed. */
  readonly hasInput: boolean;
  readonly target: string;
  /** The batch that the call, or the run that is resumed, was given a name for; null where none was named. */
  readonly namedBatch: string | null;
}

/** What clocks may differ, milliseconds. */
const CLOCKS = 5 * 60_000;

/** What a key still protects. The shortest lifetime that was said of a payment holds. */
export function isProtected(
  { row, doubtSince, lifetime, idleLifetime }: Payment,
  { keyLifetime, timeout }: Rules,
  now: number,
  { idleCallsAreRemembered, timeIsKeptForTheAttempt }: Readings,
): boolean {
  const all = [lifetime, keyLifetime, idleCallsAreRemembered ? idleLifetime : null].filter((each) => each !== null);
  const hours = all.length === 0 ? 24 : Math.min(...all);
  const kept = timeIsKeptForTheAttempt ? timeout * 1_000 + CLOCKS : 0;
  return row.type !== 'gig' && now - (doubtSince ?? 0) < hours * 3_600_000 - kept;
}

function send(payment: Payment | null, risk = false): Fate {
  return { is: 'send', payment, risk };
}

export function told(as: Told, payment: Payment): Fate {
  return { is: 'told', as, payment };
}

export function inDoubt(payment: Payment, { rules, now, readings }: Setting): Fate {
  if (isProtected(payment, rules, now, readings)) return send(payment);
  return rules.resendUnknown ? send(payment, true) : told('unknown', payment);
}

/** @param listed its place in the run that goes on; undefined in another run, and for what was left out there */
export function fateOf(entry: Entry, listed: Listed | undefined, setting: Setting): Fate {
  if (entry.key === null) return { is: 'invalid' };
  const own = paymentUnder(setting.history, setting.target, entry.row, entry.key);
  const accepted = listed?.payment ?? null;
  if (accepted !== null) {
    // Other content has taken its place, and was rejected, too: nothing sends the former again.
    if (own !== accepted && own?.state === 'rejected') return told('rejected', accepted);
    // What passed its gate stays decided.
    return byTable(own, entry, true, { ...setting, namedBatch: null });
  }
  if (entry.corrects !== null && isLeftOutForIt(entry, listed, setting)) {
    if (entry.corrects.key === entry.key)
      return { is: 'left', standsFor: lastCorrection(entry.corrects, setting.history) };
    if (setting.readings.leftOutIsAskedAsBefore) return send(null);
  }
  if (entry.corrects !== null) return fateOfCorrection(entry, entry.corrects, own, setting);
  return byTable(own, entry, entry.kind !== 'content', setting);
}

/** A run that is resumed had left out the correction, for the payment that has taken the place of the rejected one since. */
function isLeftOutForIt({ corrects }: Entry, listed: Listed | undefined, { history, hasInput }: Setting): boolean {
  if (hasInput || corrects === null || !isReplaced(corrects, history)) return false;
  return listed?.standsFor === lastCorrection(corrects, history);
}

function byTable(own: Payment | null, entry: Entry, identifies: boolean, setting: Setting): Fate {
  const { history, rules, hasInput } = setting;
  if (own === null) return send(null);
  const isSame = own.body === entry.body;
  if (isNone(own, history)) return send(isSame ? own : null);
  if (isReplaced(own, history)) {
    if (!isSame && !isCorrectedTo(entry, own, history)) return { is: 'conflict' };
    return told(lastCorrection(own, history).state === 'created' ? 'skipped' : 'rejected', own);
  }
  if (!isSame) return mayTakePlace(entry, own) ? send(null) : { is: 'conflict' };
  switch (own.state) {
    case 'open':
      return identifies ? send(own) : { is: 'repeat', code: 'open-before', standsFor: own };
    case 'created':
      return identifies ? inOtherBatch(own, setting) : { is: 'repeat', code: 'created-before', standsFor: own };
    case 'unknown':
      return identifies ? inDoubt(own, setting) : { is: 'repeat', code: 'created-before', standsFor: own };
    case 'rejected':
      // A row that names it asks for it, whichever run goes on. The journal does not keep what a row names.
      return (rules.retryRejected && (hasInput || !own.pruned)) || (own === entry.corrects && hasInput)
        ? send(own)
        : told('rejected', own);
  }
}

/** One of its corrections has this content. */
function isCorrectedTo(entry: Entry, payment: Payment, history: History): boolean {
  if (!isReplaced(payment, history)) return false;
  const next = payment.replacedBy as Payment;
  return next.content === entry.content || isCorrectedTo(entry, next, history);
}

/** Other content takes the place of a rejected payment of the same user, or of the one that its row names. */
function mayTakePlace({ row, corrects }: Entry, own: Payment): boolean {
  return own.state === 'rejected' && (own === corrects || isSameUser(row, own.row));
}

function inOtherBatch(own: Payment, { namedBatch }: Setting): Fate {
  if (namedBatch === null || own.batch === namedBatch) return told('already_created', own);
  return { is: 'repeat', code: 'other-batch', standsFor: own };
}

/** CONTRACT: "Rejected, corrected". */
function fateOfCorrection(entry: Entry, corrects: Payment, own: Payment | null, setting: Setting): Fate {
  const { history } = setting;
  const isFree = (corrects.state === 'rejected' && !isReplaced(corrects, history)) || isNone(corrects, history);
  if (isFree) return byTable(own, entry, true, setting);
  // This same row has corrected it before.
  if (own !== corrects && own?.corrects?.key === corrects.key && own.body === entry.body)
    return byTable(own, entry, true, setting);
  const isItself = own === corrects && entry.kind === 'own' && own.body === entry.body;
  if (isItself && setting.readings.ownKeyTells) return byTable(own, entry, true, setting);
  const paid = [corrects, lastCorrection(corrects, history)].find(({ state }) => state === 'created');
  if (paid !== undefined) return { is: 'repeat', code: 'created-before', standsFor: paid };
  return { is: 'repeat', code: 'not-rejected', standsFor: lastCorrection(corrects, history) };
}

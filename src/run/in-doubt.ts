/** Payments in doubt: those that only a person can settle (CONTRACT: "Exit codes"), and those that are sent again. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { RecordTable } from '../prepare/record-table.js';
import type { CallRecords } from '../report/call-records.js';
import { isOpenEnded } from '../delivery/http/classify.js';
import { JournalError } from '../errors.js';
import type { StoredPayment } from '../journal/payment.js';
import type { RunOptions } from '../options.js';
import { DEFAULT_LIFETIME_MS, doubtRules, protectionMs } from '../review/disposition.js';
import { type Assessment, exceptionalDispositions } from '../review/assessment.js';
import { ownAt, ownPayments } from '../review/history.js';
import { type InDoubtSummary, InDoubtTally } from '../report/in-doubt-text.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import type { RunSession } from './run-session.js';

/** The call's records in doubt that another call would not clear up, by the run that has them. */
export async function findHeldInDoubt(
  { journal, rules }: RunSession,
  { prepared: { entries }, standsFor }: CallRecords,
  assessment: Assessment,
): Promise<InDoubtSummary[]> {
  const unknown: number[] = [];
  for (let index = 0; index < entries.length; index++) if (entries.status(index) === 'unknown') unknown.push(index);
  if (journal === null || unknown.length === 0) return [];
  const ids = unknown.map((index) => standsFor.get(index)?.id ?? entries.payment(index));
  // A record that a person has left out is not sent again, nor one that is similar to what was left out.
  const leftOut = new Set([...standsFor.values()].map(({ id }) => id));
  for (const [index, disposition] of exceptionalDispositions(assessment))
    if (disposition.kind === 'settled' && disposition.state === 'unknown') leftOut.add(entries.payment(index));
  try {
    const outcomes = await journal.outcomes(ids);
    const answers = new Map(ids.map((id, i) => [id, outcomes[i]?.httpStatus ?? null]));
    // If the journal has failed, payments that this process still has under way come into doubt when it releases them.
    const mayClearUp = ({ id, type, doubtSince, at, lifetimeMs }: StoredPayment): boolean =>
      rules.isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }) && isOpenEnded(answers.get(id) ?? null);
    const doubts = new InDoubtTally();
    for (const payment of await journal.byId(ids)) {
      const { id, doubtSince, at } = payment;
      if (leftOut.has(id) || !mayClearUp(payment)) doubts.add(payment, doubtSince ?? at);
    }
    return await doubts.summaries(journal);
  } catch (cause) {
    // The journal has failed, which is reported already.
    if (!(cause instanceof JournalError)) throw cause;
    return [];
  }
}

/**
 * Whether its run, when it is resumed, sends it again under a key that still protects it: that pays nobody twice.
 * @param requestMs the longest time that a request takes
 * @param now milliseconds since 1970
 */
export function isSentAgain(payment: StoredPayment, requestMs: number, now: number): boolean {
  const { type, state, doubtSince, at, lifetimeMs } = payment;
  const { isProtected } = doubtRules(null, requestMs, false, () => now);
  return state === 'unknown' && isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs });
}

/** Whether an earlier call may have paid one of the records. */
export function isAnyInDoubt({ history, dispositionAt }: Assessment): boolean {
  return [...ownPayments(history)].some(([index, { state }]) => state === 'unknown' && dispositionAt(index) !== null);
}

/**
 * Whether a record came into doubt in this call that no key protects, and such records are left unsent. A schedule that
 * called again would put more of them in doubt. CONTRACT: "Exit codes".
 */
export function leavesUnprotected(
  { rules, world }: RunSession,
  { prepared: { entries }, standsFor }: CallRecords,
  { history }: Assessment,
): boolean {
  const now = world.now();
  const isUnprotected = (index: number): boolean =>
    !rules.isProtected({
      type: entries.groupOf(index).type as RecordType,
      doubtSince: now,
      lifetimeMs: ownAt(index, history)?.lifetimeMs ?? null,
    });
  const cameIntoDoubt = (index: number): boolean =>
    entries.status(index) === 'unknown' && ownAt(index, history)?.state !== 'unknown' && !standsFor.has(index);
  return (
    countWhere(entries, (index) => cameIntoDoubt(index) && isUnprotected(index), 1) > 0 &&
    countWhere(entries, (index) => entries.status(index) === 'not_sent' && isUnprotected(index), 1) > 0
  );
}

/** How many gigs are in doubt: no call sends them again by itself. */
export function gigsInDoubt(entries: RecordTable): number {
  return entries.countOf('unknown') === 0
    ? 0
    : countWhere(entries, (index) => !isKeyed(entries, index) && entries.status(index) === 'unknown');
}

/** Where keys protect nothing in this call, a sentence for people; null where they do, or if no record has one. */
export function unprotectedText({ entries }: PreparedRecords, options: RunOptions): string | null {
  const { keyLifetimeMs } = options.safety;
  if (
    protectionMs(keyLifetimeMs, options.send.timeoutMs) > 0 ||
    countWhere(entries, (index) => isKeyed(entries, index), 1) === 0
  )
    return null;
  const hours = (keyLifetimeMs ?? DEFAULT_LIFETIME_MS) / 3_600_000;
  return (
    `Keys do not protect these records: the service remembers them for ${hours} h, less --timeout ` +
    `(${options.send.timeoutMs / 1000} s) and 5 minutes: that is no time at all. A record without a clear answer is not sent again`
  );
}

/** @param upTo counts no further */
function countWhere(entries: RecordTable, holds: (index: number) => boolean, upTo = entries.length): number {
  let count = 0;
  for (let index = 0; index < entries.length && count < upTo; index++) if (holds(index)) count++;
  return count;
}

function isKeyed(entries: RecordTable, index: number): boolean {
  return RECORD_INFO[entries.groupOf(index).type as RecordType].keyed;
}

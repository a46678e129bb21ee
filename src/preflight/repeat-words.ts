/** What is said of records that the history knows already. */
import type { HomePlace } from '../ledger/plan.js';
import type { KnownPayment, PaymentState } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { type Earlier, error, type Finding, placeWords, warning } from '../records/issue.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import type { RunOptions } from '../options.js';
import type { Person } from '../world.js';
import { printable } from '../report/printable.js';
import { furtherWords, settleWords } from '../util/shell-word.js';
import type { Repeat } from './repeats.js';

/** Where a payment stands in the run that accepted it. */
export interface Place extends HomePlace {
  /** How many files that run has. */
  readonly files: number;
  /** Who had it sent; null where that is not known. */
  readonly by: Person | null;
  /** That is not whoever calls now. */
  readonly isOther: boolean;
}

/** Where the payments that are spoken of stand, by their number. */
export type PlaceOf = (payment: KnownPayment) => Place | null;

/** What became of a payment, for people: money is paid, a gig is created. */
function doneWords(state: PaymentState, type: RecordType): string {
  const done = type === 'gig' ? 'created' : 'paid';
  const words = { created: `was ${done}`, unknown: `may have been ${done}`, rejected: 'was rejected' } as const;
  return state === 'not_sent' ? 'is not sent yet' : words[state];
}

/** A key that was used for other content. @param payment the one that has it */
export function keyConflict(key: string, payment: KnownPayment, placeOf: PlaceOf): Finding {
  const { state, type } = payment;
  const message = `The key ${key} belongs to a record with other content, which ${doneWords(state, type)} (${whereWords(payment, placeOf)}). Give this record another idempotency_key, or restore it as it was${state === 'not_sent' ? `, or close run ${payment.run.name} first` : ''}`;
  return error('key-conflict', 'idempotency_key', message, key);
}

/** A repeat that nobody has decided about, in words. */
export function repeatFinding(repeat: Repeat, placeOf: PlaceOf): Finding {
  const { code, newest, times, total, corrects } = repeat;
  const often = times > 1 ? `; ${times} times${total === null ? '' : `, ${moneyOf(newest, total)} in all`}` : '';
  const where = `${whereWords(newest, placeOf)}, batch ${newest.batchId}${paidText(newest)}${often}`;
  return {
    severity: 'error',
    code,
    field: corrects ? 'gigwork_key' : null,
    message: `${printable(corrects ? correctsWords(repeat) : repeatWords(repeat))} (${printable(where)})`,
    value: null,
    earlier: earlierOf(repeat, placeOf),
  };
}

function repeatWords({ code, newest: { state, type, run } }: Repeat): string {
  switch (code) {
    case 'open-before':
      return `This record is still open in run ${run.name}. Resume that run first, or close it`;
    case 'similar-record':
      return `This looks like a ${nounOf(type)} that ${doneWords(state, type)}: same ${type === 'gig' ? 'title and start' : 'person and purpose'}`;
    default:
      return `This record ${doneWords(state, type)} already`;
  }
}

/** Each state of the payment has its own way forward. */
function correctsWords({ newest: { state, type, run } }: Repeat): string {
  const named = 'gigwork_key names a payment that';
  switch (state) {
    case 'created':
      return `${named} ${doneWords(state, type)} already`;
    case 'unknown':
      return `${named} ${doneWords(state, type)}. Resume run ${run.name}, or look it up in the service and settle it`;
    case 'rejected':
      return `${named} was corrected already, and the correction was rejected too. Correct the rejects of run ${run.name} instead`;
    case 'not_sent':
      return `${named} is still open in run ${run.name}. Resume that run first, or close it`;
  }
}

/** For programs: the newest payment that a record repeats. */
function earlierOf({ newest, times, total }: Repeat, placeOf: PlaceOf): Earlier {
  const place = placeOf(newest);
  return {
    run: newest.run.name,
    at: new Date(newest.at).toISOString(),
    file: place?.file ?? '',
    record: place?.record ?? null,
    line: place?.line ?? null,
    key: newest.key,
    status: newest.state,
    amount: newest.amount,
    batch_id: newest.batchId,
    target: newest.run.target,
    times,
    total,
    by: place?.by ?? null,
  };
}

/** `run 20261120-a1b2c3 of 2026-11-20 by anna on desk-2, payroll.csv, line 4`. */
function whereWords(payment: KnownPayment, placeOf: PlaceOf): string {
  const place = placeOf(payment);
  if (place === null) return runWords(payment);
  const by = place.isOther && place.by !== null ? ` by ${place.by.user} on ${place.by.host}` : '';
  return `${runWords(payment)}${by}, ${place.file}, ${placeWords(place)}`;
}

/** Its run and day. */
function runWords({ run, at }: KnownPayment): string {
  return `run ${run.name} of ${dayOf(at)}`;
}

/** @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function paidText(payment: KnownPayment): string {
  return payment.amount === null ? '' : `, ${moneyOf(payment, payment.amount)}`;
}

function moneyOf({ currency, type }: KnownPayment, amount: string): string {
  return moneyText(parseDecimal(amount), currency, type);
}

/** A record that was created at a target on another host, where this one knows nothing of it. */
export function knownElsewhere(payment: KnownPayment, placeOf: PlaceOf): Finding {
  const message = `A record with this key ${doneWords(payment.state, payment.type)} at another target, ${payment.run.target} (${whereWords(payment, placeOf)}). If both addresses are the same account, sending it pays it again`;
  return warning('known-elsewhere', null, message, payment.key);
}

/** A payment in doubt, or rejected, that is not in this input: nobody should forget it. */
export function leftFinding(payment: KnownPayment, placeOf: PlaceOf, { place: words, platform }: RunOptions): Finding {
  const { state, type, run, doubtSince, at, key } = payment;
  const what = `A ${nounOf(type)} of this batch ${doneWords(state, type)}`;
  const where = `and is not in this input (${whereWords(payment, placeOf)}).`;
  const further = furtherWords(words, platform);
  if (state === 'rejected') {
    const message = `${what}, ${where} Correct it in the rejects of that run, or close the run: gigwork batch close ${run.name}${further} --note TEXT`;
    return warning('rejected-left', null, message, key);
  }
  const place = placeOf(payment);
  const settle =
    place === null
      ? ''
      : `, or settle it: gigwork batch settle ${run.name}${further} ${settleWords(place, place.files, platform)} …`;
  const message = `${what}, since ${dayOf(doubtSince ?? at)}, ${where} Resume its run${settle}`;
  return warning('open-unknown', null, message, key);
}

function nounOf(type: RecordType): string {
  return type === 'gig' ? 'gig' : 'payment';
}

/** A month that is not the batch of this call. */
export function exampleBatch({ now }: Pick<RunOptions, 'now'>, batchId: string): string {
  const month = new Date(now()).toISOString().slice(0, 7);
  return batchId === month ? `${month}-b` : month;
}

/** What is said of records that the history knows already. */
import type { Prepared } from '../batch/prepare.js';
import type { HomePlace } from '../ledger/ledger.js';
import type { KnownPayment, PaymentState } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { type Earlier, error, type Finding, placeWords, warning } from '../records/issue.js';
import { moneyText } from '../records/money-text.js';
import type { Known } from './known.js';
import type { RunOptions } from '../options.js';
import type { Person } from '../world.js';
import { printable } from '../report/printable.js';
import { counted } from '../report/table.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** Where a payment stands in its home run. */
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

const FATES: Readonly<Record<PaymentState, string>> = {
  created: 'was created',
  unknown: 'may have been created',
  rejected: 'was rejected',
  not_sent: 'is about to be sent',
};

/** A key that was used for other content. @param payment the one that has it; null where it cannot be told */
export function keyConflict(key: string, payment: KnownPayment | null, placeOf: PlaceOf): Finding {
  const fate = payment === null ? 'has passed on to other content' : `${FATES[payment.state]} with other content`;
  const where = payment === null ? '' : ` (${whereWords(payment, placeOf)})`;
  const message = `the key ${key} ${fate}${where}; for another record give another idempotency_key, else restore the record as it was sent`;
  return error('key-conflict', 'idempotency_key', message, key);
}

/** A row that corrects a rejected payment: what it names is not rejected any more. */
const CORRECTED =
  'gigwork_key names a payment that is no longer rejected: it was sent again, or corrected already. To pay this row as a payment of its own, empty its gigwork_key';

/** The same, of a payment that was never tried, as a file of results has it. */
const CORRECTED_OPEN = 'gigwork_key names a payment that is still open: its run sends it when it goes on';

const WORDS: Readonly<Record<RepeatCode, string>> = {
  'created-before': 'this record was sent before',
  'open-before': 'this record is still open in another run, which will send it when it goes on',
  'same-content': 'a record of the same content was sent before under another key',
  'similar-record': 'a similar record (same user and title, other content) was sent before',
};

/** A repeat in words. @param isOpen nobody has decided about it yet: it refuses the run */
export function repeatFinding(repeat: Repeat, isOpen: boolean, placeOf: PlaceOf, target: string): Finding {
  const { code, newest, times, total, counts, corrects = false } = repeat;
  const state = newest.state === 'unknown' ? '; its outcome is unknown' : `, ${stateWord(newest.state)}`;
  const often = times > 1 ? `; ${times} times${total === null ? '' : `, ${moneyOf(newest, total)} in all`}` : '';
  const batch = counts ? '' : `, in batch ${newest.run.batchId}`;
  const corrected = newest.state === 'not_sent' ? CORRECTED_OPEN : CORRECTED;
  const message = `${corrects ? corrected : WORDS[code]} (${whereWords(newest, placeOf)}${batch}${paidText(newest)}${state}${often})`;
  return {
    severity: isOpen ? 'error' : 'warning',
    code,
    field: null,
    message,
    value: null,
    earlier: earlierOf(repeat, placeOf, target),
  };
}

/** One sentence for each other batch whose payments repeat: how many records were paid there, and when the last was. */
export function otherBatchWords(repeats: readonly Repeat[]): string[] {
  const batches = new Map<string, { count: number; last: number }>();
  for (const { newest, counts } of repeats) {
    if (counts) continue;
    const { count = 0, last = 0 } = batches.get(newest.run.batchId) ?? {};
    batches.set(newest.run.batchId, { count: count + 1, last: Math.max(last, newest.at) });
  }
  return [...batches].map(
    ([batch, { count, last }]) =>
      `${counted(count, 'record was paid, or one like it,', 'records were paid, or some like them,')} in batch ${batch}, the last on ${dayOf(last)}: under the name of this batch, ${count === 1 ? 'it is a payment of its own' : 'they are payments of their own'}`,
  );
}

function stateWord(state: PaymentState): string {
  return state === 'not_sent' ? 'not sent yet' : state;
}

/** For programs: the newest payment that a record repeats. */
function earlierOf({ newest, times, total }: Repeat, placeOf: PlaceOf, target: string): Earlier {
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
    batch_id: newest.run.batchId,
    target,
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
  return `${runWords(payment)}${printable(by)}, ${place.file}, ${placeWords(place)}`;
}

/** Its run and day. */
export function runWords({ run, at }: KnownPayment): string {
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

/** A record that was created at another target, where this one knows nothing of it. */
export function knownElsewhere(payment: KnownPayment, placeOf: PlaceOf): Finding {
  const message = `a record with this key was created at another target, ${payment.run.target} (${whereWords(payment, placeOf)}): if that is the same account under another address, it would be paid twice`;
  return warning('known-elsewhere', null, message, payment.key);
}

/** A row that says that it corrects a payment of which nothing is known here. */
export function replacesUnknown(key: string): Finding {
  const message = `gigwork_key names the payment ${key}, and nothing is known of it at this target: the row is a record of its own`;
  return warning('replaces-unknown', 'gigwork_key', message, key);
}

/**
 * Another file with the records of a run that goes on pays nobody, and may be meant as payments of its own: the same bonus
 * in two weeks. Null where the files are those of the run, or there is none.
 */
export function sameRecordsWords(
  { files }: Prepared,
  { run }: Pick<Known, 'run'>,
  options: Pick<RunOptions, 'now' | 'safety'>,
): string | null {
  const named = run?.files.map(({ path }) => path) ?? [];
  if (run === null || files.every(({ path }) => named.includes(path))) return null;
  const what = named.map((path) => printable(path)).join(', ');
  return `these are the records of run ${run.name} of ${dayOf(run.startedAt)} (${what}), which goes on: what it has created is not sent again. If they are for another period or purpose, name it with --batch-id, such as --batch-id ${exampleBatch(options)}`;
}

/** A month that is not the batch of this call. */
export function exampleBatch({ now, safety }: Pick<RunOptions, 'now' | 'safety'>): string {
  const month = new Date(now()).toISOString().slice(0, 7);
  return safety.batchId === month ? `${month}-b` : month;
}

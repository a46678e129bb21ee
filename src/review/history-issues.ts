/** Messages about records that the history knows, and payments that are not in the input. CONTRACT: "Issue codes". */
import type { RecordTable } from '../prepare/record-table.js';
import { hostOf, isPaid, type StoredPayment, type PaymentState } from '../journal/payment.js';
import { compare, formatDecimal, parseDecimal } from '../money/decimal.js';
import { toShell } from '../follow-up/command-line.js';
import { batchCommand, flag, settleCommand } from '../follow-up/commands.js';
import type { RunOptions } from '../options.js';
import { type Earlier, error, excerpt, type Finding, type Issue, positionText, warning } from '../records/issue.js';
import { amountUnit, type RecordType } from '../records/types.js';
import { moneyText } from '../records/currencies.js';
import { printable } from '../report/printable.js';
import type { Repeat } from './disposition.js';
import type { Assessment } from './assessment.js';
import type { ReferencedResult } from './referenced-results.js';
import { type Place, placeIn, type PaymentOrigins } from './origins.js';
import { localDay } from '../util/local-time.js';

/** In the order of the input: look-ups return payments in any order. */
function inOrder<Found>(found: Iterable<readonly [index: number, of: Found]>): (readonly [number, Found])[] {
  return [...found].sort(([one], [other]) => one - other);
}

/** Issues that the history shows. Records that are left out report this themselves. */
export function* historyIssues(assessment: Assessment, options: RunOptions): Iterable<Issue> {
  const { prepared, undecided, history, placeOf, dispositionAt } = assessment;
  // What a record of the input resembles has been told with that record.
  const standFor = new Set(undecided.map(({ standsFor }) => standsFor.id));
  for (const repeat of undecided) yield { ...repeatIssue(repeat, assessment), ...placeIn(prepared, repeat.index) };
  for (const payment of history.unsettled) {
    const isClosed = payment.state === 'rejected' && payment.run.isClosed;
    const isSending = payment.state === 'not_sent' && payment.isLive && !options.safety.dryRun;
    if (payment.batchId !== prepared.batchId || isClosed || isSending) continue;
    const place = { file: placeOf(payment)?.file ?? null, record: null, line: null };
    if (payment.state !== 'not_sent' || !standFor.has(payment.id))
      yield { ...leftFinding(payment, placeOf, options), ...place };
  }
  const host = hostOf(options.target?.name ?? '');
  for (const [index, { elsewhere }] of inOrder(history.records)) {
    const other = elsewhere.find((each) => isPaid(each) && hostOf(each.run.target) !== host);
    if (other !== undefined) yield { ...knownElsewhere(other, placeOf), ...placeIn(prepared, index) };
  }
  for (const [index, result] of inOrder(history.results))
    if (dispositionAt(index)?.kind === 'send') yield { ...paysResult(result, placeOf), ...placeIn(prepared, index) };
}

/** A record whose key belongs to a payment with other content. */
export interface Conflict {
  readonly index: number;
  readonly payment: StoredPayment;
  readonly place: Place | null;
  readonly issue: Issue;
}

export function* keyConflicts({ prepared, exceptions, placeOf }: Assessment): Iterable<Conflict> {
  const conflicts = [...exceptions].flatMap(([index, disposition]) =>
    disposition.kind === 'conflict' ? [[index, disposition.payment] as const] : [],
  );
  for (const [index, payment] of inOrder(conflicts)) {
    const key = prepared.entries.keyText(index);
    const isOwn = prepared.entries.keySource(index) === 'own';
    // Never other values in the key's columns: these may be the payee or the amount, and are right as they are.
    const other = isOwn ? 'another idempotency_key' : 'an idempotency_key, which comes before --key-columns';
    const money = payment.amount === null ? '' : `: ${moneyOf(payment, payment.amount)}`;
    const amount = prepared.entries.amount(index);
    const isOther = amount !== null && formatDecimal(amount) !== payment.amount;
    const { currency } = prepared.entries.groupOf(index);
    const now = isOther ? `, now ${moneyText(amount, currency, payment.type)}` : '';
    const named = `The key ${key} belongs to a ${nounOf(payment.type)} with other content, which ${paymentStateText(payment.state, payment.type)}${money}${now} (${whereText(payment, placeOf)})`;
    const issue = error('key-conflict', 'idempotency_key', `${named}. ${conflictAdvice(payment, other)}`, key);
    yield { index, payment, place: placeOf(payment), issue: { ...issue, ...placeIn(prepared, index) } };
  }
}

/** First the usual case: nobody is paid twice. A separate payment is rare. @param other how it differs */
function conflictAdvice(payment: StoredPayment, other: string): string {
  const { state, type, run } = payment;
  const noun = nounOf(type);
  if (state === 'rejected')
    return `To pay another person instead, correct the refused row in a copy of the rejects file of run ${run.name}. Only if this row is a separate ${noun}: give it ${other}`;
  if (state === 'not_sent')
    return `To send that one, leave this row out and resume run ${run.name}. To send this row instead, close run ${run.name} first`;
  if (state === 'unknown')
    return `It is in doubt since ${inDoubtSinceDay(payment)}: look it up in the service and settle it first. If the service has it, leave this row out`;
  return `If that ${noun} is right, leave this row out, or give it its old content. Only if this row is a separate ${noun}, in addition: give it ${other}`;
}

/** The outcome of a payment for people: money is paid, a gig is created. */
function paymentStateText(state: PaymentState, type: RecordType): string {
  const done = type === 'gig' ? 'created' : 'paid';
  const words = { created: `was ${done}`, unknown: `may have been ${done}`, rejected: 'was refused' } as const;
  return state === 'not_sent' ? 'is not sent yet' : words[state];
}

/** The message for a repeat without a decision. */
export function repeatIssue(repeat: Repeat, { prepared: { entries }, placeOf }: Assessment): Finding {
  const { code, newest, times, total, corrects } = repeat;
  const paid = newest.amount === null ? '' : `, ${moneyOf(newest, newest.amount)}`;
  const often = times > 1 ? `; ${times} times${total === null ? '' : `, ${moneyOf(newest, total)} in all`}` : '';
  const where = `${whereText(newest, placeOf)}, batch ${newest.batchId}${paid}${often}`;
  return {
    severity: 'error',
    code,
    field: corrects ? 'gigwork_key' : null,
    message: printable(`${corrects ? correctsText(repeat) : repeatText(repeat, entries)} (${where})`),
    value: null,
    earlier: earlierOf(repeat, placeOf),
  };
}

function repeatText(repeat: Repeat, entries: RecordTable): string {
  const { code, newest } = repeat;
  const { state, type } = newest;
  switch (code) {
    case 'open-before':
      return openBeforeText(repeat, entries);
    case 'other-batch':
      return `This record ${paymentStateText(state, type)} already in another batch, under its own key. A ${nounOf(type)} for this batch needs another idempotency_key`;
    case 'similar-record':
      return similarText(repeat, entries);
    default:
      return `This record ${paymentStateText(state, type)} already`;
  }
}

function similarText(repeat: Repeat, entries: RecordTable): string {
  const { newest, why, isTaken } = repeat;
  const { state, type } = newest;
  const noun = nounOf(type);
  // It is similar to the payment that this one corrects.
  if (why === 'correction')
    return `This looks like a refused ${noun}, whose correction ${paymentStateText(state, type)}`;
  const alike = `This looks like a ${noun} that ${paymentStateText(state, type)}: ${alikeText(repeat, entries)}`;
  return isTaken ? `${alike}. Another record of this input looks like it too` : alike;
}

/** A payment that is still open: the person may have changed its row since. */
function openBeforeText(repeat: Repeat, entries: RecordTable): string {
  const { newest, index } = repeat;
  const { run, type } = newest;
  if (newest.isLive)
    return `Run ${run.name} is sending this record, or one like it, at this moment. Wait until it has ended`;
  if (newest.content === entries.fingerprint(index).content)
    return `This record is still open in run ${run.name}. Resume that run first, or close it`;
  const old = newest.amount === null ? 'as it was' : moneyOf(newest, newest.amount);
  return `This looks like a ${nounOf(type)} that is still open in run ${run.name}: ${alikeText(repeat, entries)}. To send this record, close that run first. To send ${old}, resume that run`;
}

/** `same person and purpose, now 120.00 EUR` */
function alikeText({ newest, index, why }: Repeat, entries: RecordTable): string {
  const { type } = newest;
  const amount = entries.amount(index);
  const isSame = amount !== null && newest.amount !== null && compare(amount, parseDecimal(newest.amount)) === 0;
  const now = amount === null || isSame ? '' : `, now ${moneyText(amount, entries.groupOf(index).currency, type)}`;
  if (type === 'gig' && (why === 'title' || why === 'batch')) return `same title, start and filter${now}`;
  switch (why) {
    case 'place':
      return `the same place in the same file, read with other settings${now}`;
    case 'reference':
      return type === 'result' ? 'same person, task, quantity and date' : 'same person, amount and reference';
    case 'own-key':
      return `same person, and a key that differs only in letter case, spaces, punctuation or zeros${now}`;
    case 'mended':
      return `same person and ${isSame ? 'amount' : `line${now}`}, and this file repeats other ${nounOf(type)}s of that run`;
    case 'content':
      return 'same content under another key';
    case 'host':
      return `at ${newest.run.target}, on the same host`;
    default:
      return `same person${isSame ? ', purpose and amount' : ' and purpose'}${now}`;
  }
}

/** Each state of the payment has a different way forward. */
function correctsText({ newest }: Repeat): string {
  const { state, type, run } = newest;
  const named = 'gigwork_key names a payment that';
  const words = {
    created: `${paymentStateText(state, type)} already`,
    unknown: `${paymentStateText(state, type)} (in doubt since ${inDoubtSinceDay(newest)}). Resume run ${run.name}, or look it up in the service and settle it`,
    rejected: `was corrected already, and the correction was refused too. Correct it in a copy of the rejects of run ${run.name} instead`,
    not_sent: `is still open in run ${run.name}. Resume that run first, or close it`,
  };
  return `${named} ${words[state]}`;
}

/** The day when a payment came into doubt. A person who looks it up in the service needs it. */
export function inDoubtSinceDay({ doubtSince, at }: StoredPayment): string {
  return localDay(doubtSince ?? at);
}

/** For programs: the newest payment that a record repeats. */
function earlierOf({ newest, times, total }: Repeat, placeOf: PaymentOrigins): Earlier {
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
    unit: amountUnit(newest.type),
    batch_id: newest.batchId,
    target: newest.run.target,
    times,
    total,
    by: place?.run.by ?? null,
  };
}

/** `run 20261120-a1b2c3 of 2026-11-20 by anna on desk-2, payroll.csv, line 4`. */
function whereText(payment: StoredPayment, placeOf: PaymentOrigins): string {
  const place = placeOf(payment);
  const run = `run ${payment.run.name} of ${localDay(payment.at)}`;
  if (place === null) return run;
  const { user, host } = place.run.by;
  const by = place.isOther ? ` by ${user} on ${host}` : '';
  return `${run}${by}, ${place.file}, ${positionText(place)}`;
}

function moneyOf({ currency, type }: StoredPayment, amount: string): string {
  return moneyText(parseDecimal(amount), currency, type);
}

/** A record that was created at a target on another host, but is unknown at this one. */
function knownElsewhere(payment: StoredPayment, placeOf: PaymentOrigins): Finding {
  const message = `A record with this key ${paymentStateText(payment.state, payment.type)} at another target, ${payment.run.target} (${whereText(payment, placeOf)}). If both addresses are the same account, sending it pays it again`;
  return warning('known-elsewhere', null, message, payment.key);
}

/** What the service does with results is not shown: service-interface.md, "What the service does". */
function paysResult({ id, payment }: ReferencedResult, placeOf: PaymentOrigins): Finding {
  const money = payment.amount === null ? '' : `: ${moneyOf(payment, payment.amount)}`;
  const found = `reference_id ${excerpt(id)} is a gig result that was created${money} (${whereText(payment, placeOf)})`;
  const message = `${found}. If the service pays results by itself, this payout pays that work again. Its documentation does not show whether it does: ask before you send. If it does, leave this row out`;
  return warning('pays-a-result', 'reference_id', message, id);
}

/** A payment that is open, in doubt or rejected, and not in this input: nobody should forget it. */
function leftFinding(payment: StoredPayment, placeOf: PaymentOrigins, options: RunOptions): Finding {
  const { state, type, run, key } = payment;
  const money = payment.amount === null ? [] : [moneyOf(payment, payment.amount)];
  const about = [placeOf(payment)?.subject ?? '', ...money].filter((text) => text !== '').join(', ');
  const it = `A ${nounOf(type)} of this batch${about === '' ? '' : ` (${about})`}`;
  const what = `${it} ${paymentStateText(state, type)}`;
  const where = `and is not in this input (${whereText(payment, placeOf)}).`;
  const close = toShell(batchCommand('close', run.name, options, [flag('--note', 'TEXT')]), options.platform);
  if (state === 'rejected') {
    const message = `${what}, ${where} Correct it in a copy of the rejects of that run, or close the run: ${close}. If a row here already ${type === 'gig' ? 'creates' : 'pays'} it, close it now`;
    return warning('rejected-left', null, message, key);
  }
  if (state === 'not_sent') {
    const message = `${it} is open and is not in this input (${whereText(payment, placeOf)}). Resuming that run ${type === 'gig' ? 'creates' : 'pays'} it too. If a row here already has it, close that run: ${close}`;
    return warning('open-left', null, message, key);
  }
  const settle = (isCreated: boolean): string =>
    toShell(settleCommand(isCreated, key, run.name, options), options.platform);
  const ways = `If the service has it: ${settle(true)}. If it has not: ${settle(false)}`;
  const message = `${what} (in doubt since ${inDoubtSinceDay(payment)}), ${where} Resume its run, or look it up in the service and settle it. ${ways}`;
  return warning('open-unknown', null, message, key);
}

function nounOf(type: RecordType): string {
  return type === 'gig' ? 'gig' : 'payment';
}

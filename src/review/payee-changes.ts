/**
 * What is new since the last batch of the profile: who gets money for the first time, who no longer does, and who gets
 * another amount. CONTRACT: `--yes`. It reads the journal, and never the earlier file.
 */
import { JournalError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';
import { homeOf, mayBePaid, type PaymentId, type TargetName } from '../journal/payment.js';
import { ZERO } from '../money/decimal.js';
import { subjectIn } from '../records/types.js';
import {
  type ChangedMoney,
  type PayeeChange,
  type PayeeChangeList,
  type PayeeChanges,
  sumChangedMoney,
} from '../report/payee-changes-text.js';
import type { MoneyAmount } from '../report/totals-table.js';
import { type Assessment, dispositionsOf, paymentOf } from './assessment.js';
import { historyAt, ownAt } from './history.js';
import { loadBodies } from './record-bodies.js';
import type { ReviewContext } from './review-context.js';
import { eachPaid, hasPayee, type PaidBefore, storedAmount } from './paid-before.js';
import type { Payee, PayeeDifference, PayeeMoney } from './payee-sums.js';

/** In a review. */
const NAMED_IN_REVIEW = 3;
/** On a page: more rows help nobody. */
const NAMED_ON_PAGE = 10_000;

/** For a review. @throws JournalError */
export function changesForReview(assessment: Assessment, context: ReviewContext): Promise<PayeeChanges | null> {
  return findPayeeChanges(assessment, context, NAMED_IN_REVIEW);
}

/** For the end of a dry run and for pages; null if neither is wanted, or the journal has failed: that is told elsewhere. */
export async function changesForFiles(assessment: Assessment, context: ReviewContext): Promise<PayeeChanges | null> {
  const { output, safety } = context.options;
  const hasPage = output.report.some((path) => path.toLowerCase().endsWith('.html'));
  if (!hasPage && (!safety.dryRun || output.json)) return null;
  try {
    return await findPayeeChanges(assessment, context, hasPage ? NAMED_ON_PAGE : NAMED_IN_REVIEW);
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return null;
  }
}

/**
 * All valid records count, whatever becomes of them: this month's whole file is compared with last month's. With them
 * counts what other runs of the profile have paid in the present batch, so that half a month lacks nobody. An input that
 * corrects payments is no month: its corrections are told instead.
 * @param most names of each kind
 * @throws JournalError
 */
async function findPayeeChanges(
  assessment: Assessment,
  context: ReviewContext,
  most: number,
): Promise<PayeeChanges | null> {
  const { journal, target } = context;
  if (journal === null || target === null) return null;
  if (assessment.prepared.replaces.size > 0) return findCorrections(assessment, journal, most);
  const before = await context.paidBefore();
  if (before === null) return null;
  const paidNow = await addPresent(assessment, before, journal);
  if (paidNow === null) return null;
  const found: Record<PayeeDifference['kind'], PayeeDifference[]> = { new: [], gone: [], changed: [] };
  for (const difference of before.sums.differences()) found[difference.kind].push(difference);
  const listed = async (all: readonly PayeeMoney[]): Promise<PayeeChangeList> => ({
    count: all.length,
    sums: [...sumChangedMoney(all.flatMap(({ money }) => money)).values()],
    first: await withNames(all.slice(0, most), assessment, journal),
  });
  const byRecord = (one: PayeeDifference, other: PayeeDifference): number => (one.index ?? 0) - (other.index ?? 0);
  found.new.sort(byRecord);
  const rewritten = rewrittenIn(found.new, found.gone);
  const earlier = await earlierPayees(rewritten.slice(0, most), journal);
  const listedRewritten = await listed(rewritten);
  return {
    kind: 'since',
    since: before.since,
    paidNow,
    new: await listed(found.new),
    gone: await listed(found.gone.sort((one, other) => (one.payment ?? 0) - (other.payment ?? 0))),
    changed: await listed(found.changed.sort(byRecord)),
    refused: await listed(await refusedSince(before, assessment, target, journal)),
    rewritten: {
      ...listedRewritten,
      first: listedRewritten.first.map(({ payee, money }, i) => ({
        payee: earlier[i] ?? null,
        newPayee: payee,
        money,
      })),
    },
  };
}

/** New payees whose IDs fold to that of one who is gone: each with the payment to that one. */
function rewrittenIn(added: readonly PayeeDifference[], gone: readonly PayeeDifference[]): PayeeMoney[] {
  const goneBy = new Map(gone.map(({ payee, payment }) => [payee, payment]));
  return added
    .filter(({ payee, index }) => index !== null && goneBy.has(payee))
    .map(({ payee, index, money }) => ({ index, money, payment: goneBy.get(payee) ?? null }));
}

/** Payments of the compared runs that were refused, if the batch has paid nothing to their payees in later runs. */
async function refusedSince(
  { since: { batchId }, runs }: PaidBefore,
  { history }: Assessment,
  target: TargetName,
  journal: Journal,
): Promise<PayeeMoney[]> {
  const refused = history.unsettled.filter(
    ({ id, state, type, run }) =>
      state === 'rejected' && hasPayee(type) && (runs.has(run.number) || runs.has(homeOf(id))),
  );
  const lastPaidIn = new Map<number, number>();
  for (const page of chunksOf(new Set(refused.map(({ payee }) => payee)), ROWS_PER_QUERY))
    for (const payment of await journal.byPayee(target, batchId, page))
      if (payment.run.target === target.target && mayBePaid(payment))
        lastPaidIn.set(payment.payee, Math.max(payment.run.number, lastPaidIn.get(payment.payee) ?? 0));
  return refused
    .filter(({ payee, run }) => run.number >= (lastPaidIn.get(payee) ?? 0))
    .map(({ id, type, currency, amount }) => ({
      index: null,
      payment: id,
      money: [{ type, currency, before: storedAmount(amount), now: undefined }],
    }));
}

/** Returns how many payments of other runs count; null if the input pays nobody. */
async function addPresent(
  assessment: Assessment,
  { sums, present }: PaidBefore,
  journal: Journal,
): Promise<number | null> {
  const { history, prepared, dispositionAt } = assessment;
  const { entries } = prepared;
  const others = present.filter(({ number }) => number !== history.run?.number);
  const to: Payee = { payee: 0, form: null };
  let paysAny = false;
  sums.beginNow();
  for (let index = 0; index < entries.length; index++) {
    const group = entries.groupOf(index);
    // What has replaced a payment is counted for it.
    const isReplaced = (ownAt(index, history)?.replacedBy ?? null) !== null && dispositionAt(index)?.kind === 'settled';
    if (!entries.isValid(index) || !hasPayee(group.type) || isReplaced) continue;
    to.payee = entries.payee(index);
    to.form = entries.idForm(index);
    sums.addRecord(to, group, entries.amount(index), index);
    paysAny = true;
  }
  if (!paysAny) return null;
  let paidNow = 0;
  if (others.length === 0) return paidNow;
  const counted = new Set(paymentsOfRecords(assessment));
  for await (const page of journal.paidBy(others.map(({ number }) => number)))
    eachPaid(page, (payee, kind, amount, id) => {
      if (counted.has(id)) return;
      sums.addPaidNow(payee, kind, amount, id);
      paidNow++;
    });
  return paidNow;
}

/** The payments that records are, or repeat. */
function* paymentsOfRecords(assessment: Assessment): Iterable<PaymentId> {
  for (const [index, disposition] of dispositionsOf(assessment)) {
    const payment = paymentOf(index, assessment, assessment.history) ?? ownAt(index, assessment.history)?.id;
    if (payment !== undefined) yield payment;
    if (disposition.kind === 'left-out' || disposition.kind === 'repeat') yield disposition.standsFor.id;
  }
}

/** The ID of a payee is only in bodies: that of the record, or of an earlier payment. */
async function withNames(
  differences: readonly PayeeMoney[],
  assessment: Assessment,
  journal: Journal,
): Promise<PayeeChange[]> {
  const changes: PayeeChange[] = [];
  for (const page of chunksOf(differences, ROWS_PER_QUERY)) {
    const earlier = await earlierPayees(page, journal);
    const indexes = page.map(({ index }) => index).filter((index) => index !== null);
    const rows = await loadBodies(indexes, assessment, journal);
    const payees = new Map(indexes.map((index, i) => [index, payeeIn(rows[i] ?? null)]));
    for (const [i, { index, money }] of page.entries()) {
      const payee = index === null ? null : (payees.get(index) ?? null);
      changes.push({ payee: payee ?? earlier[i] ?? null, money });
    }
  }
  return changes;
}

async function earlierPayees(differences: readonly PayeeMoney[], journal: Journal): Promise<(string | null)[]> {
  const bodies = await journal.bodies(differences.map(({ payment }) => payment ?? 0));
  return bodies.map(payeeIn);
}

function payeeIn(body: string | null): string | null {
  return subjectIn(body, 'payout').userId;
}

/** The refused payments of the rows that take their places: payee and amount, before and now. */
async function findCorrections(assessment: Assessment, journal: Journal, most: number): Promise<PayeeChanges | null> {
  const { prepared, history, dispositionAt } = assessment;
  const { entries, replaces } = prepared;
  const indexes = [...replaces.keys()].filter((index) => {
    const disposition = dispositionAt(index);
    // A row that was not changed is the refused payment itself.
    return disposition?.kind === 'send' && disposition.again === null;
  });
  const corrected: PayeeMoney[] = [];
  for (const index of indexes.sort((one, other) => one - other)) {
    const { corrects } = historyAt(index, history);
    if (corrects === null || !hasPayee(corrects.type)) continue;
    const { type, currency } = entries.groupOf(index);
    const before = { type: corrects.type, currency: corrects.currency, amount: storedAmount(corrects.amount) };
    const now = { type, currency, amount: entries.amount(index) };
    corrected.push({ index, payment: corrects.id, money: moneyBeforeAndNow(before, now) });
  }
  if (corrected.length === 0) return null;
  const shown = corrected.slice(0, most);
  const names = await withNames(shown, assessment, journal);
  const refused = await earlierPayees(shown, journal);
  return {
    kind: 'corrections',
    corrected: {
      count: corrected.length,
      sums: [...sumChangedMoney(corrected.flatMap(({ money }) => money)).values()],
      first: names.map(({ payee: newPayee, money }, i): PayeeChange => {
        const payee = refused[i] ?? null;
        return { payee, newPayee: newPayee === payee ? null : newPayee, money };
      }),
    },
  };
}

/** In another currency, one sum ends and another begins. */
function moneyBeforeAndNow(before: MoneyAmount, now: MoneyAmount): ChangedMoney[] {
  const { type, currency } = before;
  if (currency === now.currency) return [{ type, currency, before: before.amount, now: now.amount }];
  return [
    { type, currency, before: before.amount, now: ZERO },
    { type, currency: now.currency, before: ZERO, now: now.amount },
  ];
}

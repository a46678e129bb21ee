/** Notices: earlier payments, in this batch or another, that a person sees once and need not answer. */
import { JournalError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import { homeOf, type PaymentId } from '../journal/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type Totals } from '../money/totals.js';
import { isRisky, type Notice, type NoticeCode } from '../report/history-text.js';
import { type Assessment, exceptionalDispositions } from './assessment.js';
import { ownAt } from './history.js';
import { MOST_NAMED_RECORDS, nameRecords } from './record-bodies.js';

/** The state that totals show for the counted records: those of the input, or the earlier payments. */
const STATES: Record<NoticeCode, string> = {
  'already-created': 'already_created',
  skipped: 'skipped',
  'paid-in-batch': 'created',
  'other-date': 'created',
  'same-payee-and-amount': 'created',
};

/** An earlier payment, with the data that a notice shows. */
interface Paid {
  readonly batchId: string;
  readonly id: PaymentId;
  readonly at: number;
}

interface Counted {
  readonly code: NoticeCode;
  readonly batchId: string;
  count: number;
  /** The first of them, at least one more than are named. */
  readonly first: number[];
  readonly totals: Totals;
  readonly paid: Totals;
  at: number;
  last: PaymentId;
}

/** A notice without the names of its records and its file. */
interface FoundNotice {
  readonly notice: Notice;
  readonly first: readonly number[];
}

/** @param batches of other home runs, by number */
function noticesOf(assessment: Assessment, batches: ReadonlyMap<number, string> = new Map()): FoundNotice[] {
  const { history, dispositionAt, reminders, prepared } = assessment;
  const { run, accepted } = history;
  const { entries } = prepared;
  const notices = new Map<string, Counted>();
  // Mostly, one notice covers all records.
  let notice: Counted | undefined;
  const add = (code: NoticeCode, index: number, { batchId, id, at }: Paid): Counted => {
    if (notice?.code !== code || notice.batchId !== batchId) {
      const name = `${code} ${batchId}`;
      const sums = { totals: startTotals(), paid: startTotals() };
      const none = { code, batchId, count: 0, first: [], ...sums, at: -1, last: 0 };
      notices.set(name, (notice = notices.get(name) ?? none));
    }
    notice.count++;
    if (notice.first.length <= MOST_NAMED_RECORDS) notice.first.push(index);
    if (at > notice.at) {
      notice.at = at;
      notice.last = id;
    }
    notice.totals.add(entries.groupOf(index), STATES[code], entries.amount(index));
    return notice;
  };
  const inRun = (id: PaymentId): Paid => {
    const at = run?.end?.finishedAt ?? run?.startedAt ?? 0;
    return { id, batchId: batches.get(homeOf(id)) ?? prepared.batchId, at };
  };
  for (const [index, disposition] of exceptionalDispositions(assessment)) {
    if (disposition.kind === 'settled' && disposition.state === 'created')
      add('already-created', index, ownAt(index, history) ?? inRun(accepted[index] ?? 0));
    if (disposition.kind !== 'left-out' || disposition.standsFor.state !== 'created') continue;
    const { type, currency, amount } = disposition.standsFor;
    const { paid } = add('skipped', index, disposition.standsFor);
    paid.add({ type, currency, costCenter: null }, 'created', amount === null ? null : parseDecimal(amount));
  }
  for (const { index, code, newest } of reminders) if (dispositionAt(index)?.kind === 'send') add(code, index, newest);
  return [...notices.values()].map(({ totals, paid, first, ...counts }) => ({
    notice: { ...counts, records: [], totals: totals.rows(), paid: paid.rows(), file: null },
    first,
  }));
}

/**
 * The batches of the payments that the continued run has created, by home run. A payment with its own key may have been
 * accepted first by a run of another batch. @throws JournalError
 */
async function batchesOf(
  { history: { run, accepted, created } }: Assessment,
  journal: Journal,
): Promise<ReadonlyMap<number, string>> {
  const homes = new Map<number, PaymentId>();
  for (const [index, id] of accepted.entries()) if (created[index] === 1) homes.set(homeOf(id), id);
  homes.delete(run?.number ?? 0);
  const found = homes.size === 0 ? [] : await journal.byId([...homes.values()]);
  return new Map(found.map(({ id, batchId }) => [homeOf(id), batchId]));
}

/** With their files and the names of few records, unless the journal has failed, which is reported elsewhere. */
export async function findNotices(assessment: Assessment, journal: Journal | null): Promise<readonly Notice[]> {
  if (journal === null) return noticesOf(assessment).map(({ notice }) => notice);
  try {
    const found = noticesOf(assessment, await batchesOf(assessment, journal));
    const places = found.length === 0 ? [] : await journal.places(found.map(({ notice }) => notice.last));
    const notices: Notice[] = [];
    for (const [i, { notice, first }] of found.entries()) {
      const records = isRisky(notice.code) ? await nameRecords(first, assessment, journal) : [];
      notices.push({ ...notice, records, file: places[i]?.file ?? null });
    }
    return notices;
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return noticesOf(assessment).map(({ notice }) => notice);
  }
}

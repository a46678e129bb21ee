/** Notices: earlier payments, in this batch or another, that a person sees once and need not answer. */
import { JournalError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import { homeOf, type PaymentId } from '../journal/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type Totals } from '../money/totals.js';
import type { Notice, NoticeCode } from '../report/history-text.js';
import { type Assessment, exceptionalDispositions } from './assessment.js';
import { ownAt } from './history.js';

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

interface Counted extends Pick<Notice, 'code' | 'batchId'> {
  count: number;
  readonly totals: Totals;
  readonly paid: Totals;
  at: number;
  last: PaymentId;
}

/** Without their files. @param batches of other home runs, by number */
function noticesOf(assessment: Assessment, batches: ReadonlyMap<number, string> = new Map()): Notice[] {
  const { history, dispositionAt, reminders, prepared } = assessment;
  const { run, accepted } = history;
  const { entries } = prepared;
  const notices = new Map<string, Counted>();
  // Mostly, one notice covers all records.
  let notice: Counted | undefined;
  const add = (code: NoticeCode, index: number, { batchId, id, at }: Paid): Counted => {
    if (notice?.code !== code || notice.batchId !== batchId) {
      const name = `${code} ${batchId}`;
      const none = { code, batchId, count: 0, totals: startTotals(), paid: startTotals(), at: -1, last: 0 };
      notices.set(name, (notice = notices.get(name) ?? none));
    }
    notice.count++;
    if (at > notice.at) [notice.at, notice.last] = [at, id];
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
  return [...notices.values()].map(({ totals, paid, ...counts }) => ({
    ...counts,
    totals: totals.rows(),
    paid: paid.rows(),
    file: null,
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

/** With their files, unless the journal has failed, which is reported elsewhere. */
export async function findNotices(assessment: Assessment, journal: Journal | null): Promise<readonly Notice[]> {
  if (journal === null) return noticesOf(assessment);
  try {
    const notices = noticesOf(assessment, await batchesOf(assessment, journal));
    const places = notices.length === 0 ? [] : await journal.places(notices.map(({ last }) => last));
    return notices.map((notice, i) => ({ ...notice, file: places[i]?.file ?? null }));
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return noticesOf(assessment);
  }
}

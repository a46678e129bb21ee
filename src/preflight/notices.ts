/** What a person is told once, and what asks nothing: what was paid before, in this batch or in another. */
import { JournalError } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentId } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type Totals } from '../money/totals.js';
import type { Notice, NoticeCode } from '../report/notice-words.js';
import { type Looked, notableFates } from './look.js';

/** How the totals name the state of what a notice counts: of the input's records, or of what was paid before. */
const STATES: Record<NoticeCode, string> = {
  'already-created': 'already_created',
  skipped: 'skipped',
  'paid-in-batch': 'created',
  'other-date': 'created',
};

/** A payment that was made before, as far as a notice tells of it. */
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

/** Without their files. */
function noticesOf(looked: Looked): Notice[] {
  const { run, accepted, byKey, fateAt, reminders, prepared } = looked;
  const { entries } = prepared;
  const notices = new Map<string, Counted>();
  // Mostly, all records are of one notice.
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
  const inRun = { batchId: prepared.batchId, at: run?.end?.finishedAt ?? run?.startedAt ?? 0 };
  for (const [index, fate] of notableFates(looked)) {
    if (fate.what === 'settled' && fate.state === 'created')
      add('already-created', index, byKey.get(index) ?? { ...inRun, id: accepted[index] ?? 0 });
    if (fate.what !== 'left-out' || fate.standsFor.state !== 'created') continue;
    const { type, currency, amount } = fate.standsFor;
    const { paid } = add('skipped', index, fate.standsFor);
    paid.add({ type, currency, costCenter: null }, 'created', amount === null ? null : parseDecimal(amount));
  }
  for (const { index, code, newest } of reminders) if (fateAt(index)?.what === 'send') add(code, index, newest);
  return [...notices.values()].map(({ totals, paid, ...counts }) => ({
    ...counts,
    ...{ totals: totals.rows(), paid: paid.rows(), file: null },
  }));
}

/** With the files in which they stand, unless the ledger has failed: that is told elsewhere. */
export async function toldNotices(looked: Looked, ledger: Ledger | null): Promise<readonly Notice[]> {
  const notices = noticesOf(looked);
  if (ledger === null || notices.length === 0) return notices;
  try {
    const places = await ledger.places(notices.map(({ last }) => last));
    return notices.map((notice, i) => ({ ...notice, file: places[i]?.file ?? null }));
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return notices;
  }
}

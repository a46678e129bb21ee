/** What a person is told once, and what asks nothing: what was paid before, in this batch or in another. */
import type { Prepared } from '../batch/prepare.js';
import { JournalError } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentId } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type Totals } from '../money/totals.js';
import type { Notice, NoticeCode } from '../report/notice-words.js';
import { type Assessment, notableFates } from './assess.js';
import type { Known } from './known.js';
import type { Looked } from './look.js';

/** How the totals name the state of what a notice counts: of the input's records, or of what was paid before. */
const STATES: Record<NoticeCode, string> = {
  'already-created': 'already_created',
  skipped: 'skipped',
  'paid-in-batch': 'created',
  'other-date': 'created',
};

interface Counted extends Pick<Notice, 'code' | 'batchId'> {
  count: number;
  readonly totals: Totals;
  readonly paid: Totals;
  at: number;
  last: PaymentId;
}

const EMPTY = { count: 0, at: -1, last: 0 };

export function noticesOf({ entries, batchId: own }: Prepared, assessment: Assessment, known: Known): Notice[] {
  const notices = new Map<string, Counted>();
  // Mostly, all records are of one notice.
  let notice: Counted | undefined;
  const add = (code: NoticeCode, batchId: string, index: number, id: PaymentId, at: number): Counted => {
    if (notice?.code !== code || notice.batchId !== batchId) {
      const name = `${code} ${batchId}`;
      notice = notices.get(name) ?? { ...EMPTY, code, batchId, totals: startTotals(), paid: startTotals() };
      notices.set(name, notice);
    }
    notice.count++;
    if (at > notice.at) [notice.at, notice.last] = [at, id];
    notice.totals.add(entries.groupOf(index), STATES[code], entries.amount(index));
    return notice;
  };
  const { run, accepted } = known;
  const createdInRun = run?.end?.finishedAt ?? run?.startedAt ?? 0;
  for (const [index, fate] of notableFates(assessment, known)) {
    if (fate.what === 'settled' && fate.state === 'created') {
      const payment = known.byKey.get(index);
      add(
        'already-created',
        payment?.batchId ?? own,
        index,
        payment?.id ?? accepted[index] ?? 0,
        payment?.at ?? createdInRun,
      );
    }
    if (fate.what === 'left-out' && fate.standsFor.state === 'created') {
      const { id, batchId, at, type, currency, amount } = fate.standsFor;
      const { paid } = add('skipped', batchId, index, id, at);
      paid.add({ type, currency, costCenter: null }, 'created', amount === null ? null : parseDecimal(amount));
    }
  }
  for (const { index, code, newest } of assessment.reminders)
    if (assessment.fateAt(index)?.what === 'send') add(code, newest.batchId, index, newest.id, newest.at);
  return [...notices.values()].map(({ totals, paid, ...counts }) => ({
    ...counts,
    ...{ totals: totals.rows(), paid: paid.rows(), file: null },
  }));
}

/** The same with the files. @throws JournalError */
export async function withFiles(notices: readonly Notice[], ledger: Ledger | null): Promise<readonly Notice[]> {
  if (ledger === null || notices.length === 0) return notices;
  const places = await ledger.places(notices.map(({ last }) => last));
  return notices.map((notice, i) => ({ ...notice, file: places[i]?.file ?? null }));
}

/** What the end of a call tells. @param isRefused nothing was left out either */
export async function toldNotices(
  prepared: Prepared,
  { assessment, known }: Pick<Looked, 'assessment' | 'known'>,
  ledger: Ledger | null,
  isRefused: boolean,
): Promise<readonly Notice[]> {
  const notices = noticesOf(prepared, assessment, known).filter(({ code }) => !isRefused || code !== 'skipped');
  try {
    return await withFiles(notices, ledger);
  } catch (cause) {
    // The ledger has failed, and that is told already.
    if (!(cause instanceof JournalError)) throw cause;
    return notices;
  }
}

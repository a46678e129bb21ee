/** What a person is told once, and what asks nothing: what was paid before, in this batch or in another. */
import type { Prepared } from '../batch/prepare.js';
import { JournalError } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type Totals } from '../money/totals.js';
import type { Notice, NoticeCode } from '../report/notice-words.js';
import type { Assessment } from './assess.js';
import type { Known } from './known.js';
import type { Looked } from './look.js';

/** How the totals name the state of what a notice counts: of the input's records, or of what was paid before. */
const STATES: Record<NoticeCode, string> = {
  'already-created': 'already_created',
  skipped: 'skipped',
  'paid-in-batch': 'created',
  'other-date': 'created',
};

interface Counted {
  count: number;
  readonly totals: Totals;
  readonly paid: Totals;
  at: number;
  last: PaymentId;
}

export function noticesOf(prepared: Prepared, assessment: Assessment, known: Known): Notice[] {
  const { entries, batchId } = prepared;
  const notices = new Map<string, Counted>();
  const noticeOf = (code: NoticeCode, batch: string): Counted => {
    const name = `${code} ${batch}`;
    const notice = notices.get(name) ?? { count: 0, totals: startTotals(), paid: startTotals(), at: -1, last: 0 };
    notices.set(name, notice);
    return notice;
  };
  const addTo = (notice: Counted, code: NoticeCode, index: number, id: PaymentId, at: number): void => {
    notice.count++;
    if (at > notice.at) [notice.at, notice.last] = [at, id];
    notice.totals.add(entries.groupOf(index), STATES[code], entries.amount(index));
  };
  const add = (code: NoticeCode, index: number, { id, batchId: batch, at }: Paid): Counted => {
    const notice = noticeOf(code, batch);
    addTo(notice, code, index, id, at);
    return notice;
  };
  const { run, created, accepted } = known;
  const createdInRun = run?.end?.finishedAt ?? run?.startedAt ?? 0;
  // Mostly all records of a run that goes on are these.
  const first = created.indexOf(1);
  if (first >= 0) {
    const notice = noticeOf('already-created', batchId);
    for (let entry = first; entry >= 0; entry = created.indexOf(1, entry + 1))
      if (entries.isValid(entry)) addTo(notice, 'already-created', entry, accepted[entry] ?? 0, createdInRun);
  }
  for (const [index, fate] of assessment.special) {
    const own = known.byKey.get(index);
    if (fate.what === 'settled' && fate.state === 'created' && own !== undefined) add('already-created', index, own);
    if (fate.what === 'left-out' && fate.standsFor.state === 'created') {
      const { type, currency, amount } = fate.standsFor;
      const { paid } = add('skipped', index, fate.standsFor);
      paid.add({ type, currency, costCenter: null }, 'created', amount === null ? null : parseDecimal(amount));
    }
  }
  for (const { index, code, newest } of assessment.reminders)
    if (assessment.fateAt(index)?.what === 'send') add(code, index, newest);
  return [...notices]
    .filter(([, { count }]) => count > 0)
    .map(([name, { count, totals, paid, at, last }]) => {
      const space = name.indexOf(' ');
      const code = name.slice(0, space) as NoticeCode;
      const told = { totals: totals.rows(), paid: paid.rows() };
      return { code, count, ...told, batchId: name.slice(space + 1), at, last, file: null };
    });
}

type Paid = Pick<KnownPayment, 'id' | 'batchId' | 'at'>;

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

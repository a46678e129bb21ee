/** What a person approves before it is sent. CONTRACT: "Approval". */
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import type { ApprovedFlags, ApprovedRun, Deed } from './event.js';
import type { Approval } from './payment.js';

/** The flags as documents for programs name them. */
export function flagsDocument(flags: ApprovedFlags): Record<string, unknown> {
  return {
    skip_created: flags.skipCreated,
    skip_similar: flags.skipSimilar,
    send_similar: flags.sendSimilar,
    skip_invalid: flags.skipInvalid,
    key_columns: flags.keyColumns,
    resend_unknown: flags.resendUnknown,
    key_lifetime: flags.keyLifetimeHours,
  };
}

type Approved = Extract<Deed, { what: 'approved' }>;

/** What the log keeps of an approval. @param of see {@link Approved} */
export function approvedDeed(run: ApprovedRun, of: Approved['of'] = null): Approved {
  const { target, batchId, digest, count, flags, files } = run;
  const totals = run.totals.map(({ type, currency, costCenter, amount, ...row }) => {
    return {
      type,
      currency,
      cost_center: costCenter,
      count: row.count,
      amount: formatDecimal(amount),
      unpriced: row.unpriced,
    };
  });
  return { what: 'approved', target, batchId, digest, count, totals, flags, files, of };
}

/** Whether all of it is there: what others may write in a shared journal need not be. */
export function isWhole({ target, batchId, digest, count, totals, flags, files }: Partial<Approved>): boolean {
  const texts = [target, batchId, digest].every((text) => typeof text === 'string');
  const lists = [totals, files].every((list) => Array.isArray(list));
  return texts && lists && typeof count === 'number' && typeof flags === 'object' && flags !== null;
}

/** Flags of which nothing is known allow nothing. */
export const NO_FLAGS: ApprovedFlags = {
  ...{ skipCreated: false, skipSimilar: false, sendSimilar: null, skipInvalid: null, keyColumns: null },
  ...{ resendUnknown: false, keyLifetimeHours: 0 },
};

/** The same the other way round. */
export function approvedRun({ totals, ...deed }: Approved): ApprovedRun {
  const { target, batchId, digest, count, flags, files } = deed;
  return {
    ...{ target, batchId, digest, count, flags, files },
    totals: totals.map(({ type, currency, cost_center: costCenter, count: of, amount, unpriced }) => {
      return { type, currency, costCenter, status: '', count: of, amount: parseDecimal(amount), unpriced };
    }),
  };
}

/** Whether a run has this very approval already: a call that goes on mostly brings the same one again. */
export function isSameApproval(known: Pick<Approval, 'at' | 'by'> | null, { at, by }: Approval): boolean {
  return known !== null && known.at === at && known.by.user === by.user && known.by.host === by.host;
}

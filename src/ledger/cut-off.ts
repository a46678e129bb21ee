/** Payments whose process ended while their request was under way. */
import type { StoredOutcome } from './payment.js';

/** The error of such a payment. */
export const CUT_OFF_ERROR = 'the process ended while the request was under way: it may have been carried out';

/** As recovery writes it once the claim's process is dead. @param claim when it was made, and for which run */
export function cutOff(
  earlier: StoredOutcome | null,
  { at, run }: { readonly at: number; readonly run: number },
): StoredOutcome {
  const attempts = (earlier?.attempts ?? 0) + 1;
  const doubtSince = earlier?.doubtSince ?? at;
  const nothing = { httpStatus: null, response: null, requestId: null };
  return { ...nothing, state: 'unknown', attempts, error: CUT_OFF_ERROR, doubtSince, run, at };
}

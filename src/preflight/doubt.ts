/** When a payment in doubt is sent again. CONTRACT: "Sending". */
import type { DoubtRules } from '../ledger/ledger.js';
import { KINDS } from '../records/kinds.js';

/** A clock that was set back says nothing about age: beyond this time, the key counts as forgotten. Milliseconds. */
const CLOCK_SLACK = 5 * 60_000;

/**
 * A keyed payment is sent again within its key's lifetime, and any payment when the person takes the risk with
 * `--resend-unknown`.
 * @param lifetimeMs how long the service is trusted to remember a key
 * @param now milliseconds since 1970
 */
export function doubtRules(lifetimeMs: number, resendUnknown: boolean, now: () => number): DoubtRules {
  const isProtected: DoubtRules['isProtected'] = ({ type, doubtSince }) => {
    const age = now() - doubtSince;
    return KINDS[type].keyed && Math.max(age, 0) < lifetimeMs && age > -CLOCK_SLACK;
  };
  return { isProtected, mayResend: (payment) => resendUnknown || isProtected(payment) };
}

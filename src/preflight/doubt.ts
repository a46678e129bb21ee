/** When a payment in doubt is sent again. CONTRACT: "Sending". PURE but for the clock. */
import type { DoubtRules } from '../ledger/plan.js';
import { KINDS } from '../records/kinds.js';

/** How long the service is trusted to remember a key of which nothing was said. Milliseconds. */
export const DEFAULT_LIFETIME_MS = 24 * 3_600_000;
/** A clock that was set back says nothing about age: beyond this time, the key counts as forgotten. Milliseconds. */
const CLOCK_SLACK = 5 * 60_000;

/**
 * A keyed payment is sent again within its key's lifetime, and any payment when the person takes the risk with
 * `--resend-unknown`. Of all lifetimes that were said of a payment, the shortest holds.
 * @param saidMs `--key-lifetime` of this call; null where nothing was said
 * @param now milliseconds since 1970
 */
export function doubtRules(saidMs: number | null, resendUnknown: boolean, now: () => number): DoubtRules {
  const isProtected: DoubtRules['isProtected'] = ({ type, doubtSince, lifetimeMs }) => {
    const age = now() - doubtSince;
    const said = [saidMs, lifetimeMs ?? null].filter((each) => each !== null);
    const lifetime = said.length === 0 ? DEFAULT_LIFETIME_MS : Math.min(...said);
    return KINDS[type].keyed && Math.max(age, 0) < lifetime && age > -CLOCK_SLACK;
  };
  return { isProtected, mayResend: (payment) => resendUnknown || isProtected(payment) };
}

/** The shortest of several lifetimes; null where none was said. */
export function shortest(lifetimes: Iterable<number | null>): number | null {
  let least: number | null = null;
  for (const each of lifetimes) if (each !== null && (least === null || each < least)) least = each;
  return least;
}

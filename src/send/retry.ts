/** How long to wait before trying again. PURE. */

/** The first wait is at most this long; each further one at most twice the one before. Milliseconds. */
const FIRST_WAIT = 200;
const LONGEST_WAIT = 30_000;
/** The longest that an answer's Retry-After is honoured. */
export const LONGEST_RETRY_AFTER = 5 * 60_000;

/**
 * Exponential backoff with full jitter: any time up to the bound, so that many clients that failed together do not come
 * back together.
 * @param failures how many attempts have failed, from 1
 * @param random uniform in [0, 1)
 */
export function backoff(failures: number, random: number): number {
  return random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures - 1, 20));
}

/**
 * Milliseconds that a Retry-After asks for: seconds, or a date. Null when it asks for nothing that can be understood
 * (negative, not a number, not a date). Never above {@link LONGEST_RETRY_AFTER}.
 * @param now wall clock, milliseconds since 1970
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_RETRY_AFTER);
  // Date.parse takes almost anything ("-5" is a month); an HTTP date begins with the day's name.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_RETRY_AFTER);
}

/** How long to wait before trying again. PURE. */

/** The first wait is at most this long; the bound doubles with each further one. Milliseconds. */
const FIRST_WAIT = 200;
const LONGEST_WAIT = 30_000;
/** A longer Retry-After counts as this much. */
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
 * Milliseconds that a Retry-After asks for, as seconds, also with a fraction, or as a date. Null when it asks for no wait
 * (zero, a past date) or cannot be understood (negative, not a number, not a date). Then {@link backoff} decides, so that no header
 * causes immediate retries without end. Never above {@link LONGEST_RETRY_AFTER}.
 * @param now wall clock, milliseconds since 1970
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const ms = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) * 1000 : untilDate(text, now);
  return ms > 0 ? Math.min(ms, LONGEST_RETRY_AFTER) : null;
}

function untilDate(text: string, now: number): number {
  // Date.parse accepts almost anything ("-5" is a month); an HTTP date begins with the day's name.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return Number.NaN;
  // The oldest of the three forms of an HTTP date names no zone, and means GMT.
  return Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text) - now;
}

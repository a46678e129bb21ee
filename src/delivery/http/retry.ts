/** When and how often a request is tried again. PURE. */

/** What `--retries` leaves open. Waits in milliseconds. */
export const RETRY_POLICY = {
  /** The first wait is at most this long; the bound doubles with each further one. */
  firstWaitMs: 200,
  longestWaitMs: 30_000,
  /** A longer Retry-After counts as this much. */
  longestRetryAfterMs: 5 * 60_000,
  /** When all answers have asked to wait for this long, the run stops. */
  longestThrottleMs: 15 * 60_000,
  /** A 409 may mean that another request with the same key is in progress; the request is repeated a few times. */
  conflictRetries: 3,
} as const;

/**
 * Exponential backoff with full jitter: any time up to the bound, so that many clients that failed together do not come
 * back together.
 * @param failures how many attempts have failed, from 1
 * @param random uniform in [0, 1)
 */
export function backoff(failures: number, random: number): number {
  const { firstWaitMs, longestWaitMs } = RETRY_POLICY;
  return random * Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 20));
}

/**
 * Milliseconds that a Retry-After asks for, as seconds, also with a fraction, or as a date. Null when it asks for no wait
 * (zero, a past date) or cannot be understood (negative, not a number, not a date). Then {@link backoff} decides, so that no header
 * causes immediate retries without end. Never above `longestRetryAfterMs`.
 * @param now wall clock, milliseconds since 1970
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const ms = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) * 1000 : untilDate(text, now);
  return ms > 0 ? Math.min(ms, RETRY_POLICY.longestRetryAfterMs) : null;
}

function untilDate(text: string, now: number): number {
  // Date.parse accepts almost anything ("-5" is a month); an HTTP date begins with the day's name.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return Number.NaN;
  // The oldest of the three forms of an HTTP date names no zone, and means GMT.
  return Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text) - now;
}

import { describe, expect, it, onTestFinished } from 'vitest';
import { backoff, RETRY_POLICY, retryAfterMs } from '../../../../src/delivery/http/retry.js';

const NOW = Date.parse('2026-11-01T08:00:00Z');
/** The largest number that `Math.random` gives. */
const MOST = 1 - Number.EPSILON / 2;

describe('backoff', () => {
  it.each([
    [1, 200],
    [2, 400],
    [8, 25_600],
    [9, 30_000],
    [100_000, 30_000],
  ])('after failure %i waits any time up to %i ms', (failures, bound) => {
    expect(backoff(failures, 0)).toBe(0);
    expect(backoff(failures, 0.5)).toBe(bound / 2);
    expect(backoff(failures, MOST)).toBeLessThan(bound);
    expect(backoff(failures, MOST)).toBeGreaterThan(bound * 0.999);
  });
});

describe('Retry-After', () => {
  it.each([
    ['1', 1_000],
    [' 7 ', 7_000],
    ['1.5', 1_500],
    ['0.25', 250],
    ['2.', 2_000],
    ['.5', 500],
    ['300', 300_000],
  ])('%j is seconds', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  it.each([
    ['Sun, 01 Nov 2026 08:00:30 GMT', 30_000],
    ['Sunday, 01-Nov-26 08:00:30 GMT', 30_000],
    ['Sun Nov  1 08:00:30 2026', 30_000],
    ['Sun, 01 Nov 2026 08:05:00 GMT', 300_000],
  ])('%j is a moment', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  it('a moment without a zone is GMT, wherever the program runs', () => {
    const zone = process.env['TZ'];
    onTestFinished(() => {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    });
    process.env['TZ'] = 'Asia/Tokyo';
    expect(retryAfterMs('Sun Nov  1 08:00:30 2026', NOW)).toBe(30_000);
  });

  it.each(['301', '9'.repeat(400), 'Sun, 01 Nov 2026 08:05:01 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    '%j is five minutes: nobody waits longer',
    (header) => {
      expect(RETRY_POLICY.longestRetryAfterMs).toBe(300_000);
      expect(retryAfterMs(header, NOW)).toBe(RETRY_POLICY.longestRetryAfterMs);
    },
  );

  it.each([
    null,
    '',
    '0',
    '-1',
    '-1.5',
    '0.0',
    '.',
    '1.5.2',
    '1e3',
    'soon',
    'Sun, 99 Nov 2026 08:00:30 GMT',
    '2026-11-01T09:00:00Z',
    'Sun, 01 Nov 2026 08:00:00 GMT',
    'Sun, 01 Nov 2026 07:59:59 GMT',
  ])('%j asks for no wait, or for none that can be understood', (header) => {
    expect(retryAfterMs(header, NOW)).toBeNull();
  });
});

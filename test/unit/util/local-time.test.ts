import { afterEach, describe, expect, test } from 'vitest';
import { localDay, localTime } from '../../../src/util/local-time.js';

const ZONE = process.env['TZ'];
afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ZONE;
});

describe('times as people read them', () => {
  test.each([
    ['Europe/Berlin', Date.UTC(2026, 10, 1, 8, 5), '2026-11-01 09:05 +01:00'],
    ['Europe/Berlin', Date.UTC(2026, 6, 1, 22, 30), '2026-07-02 00:30 +02:00'],
    ['America/St_Johns', Date.UTC(2026, 10, 2, 2, 0), '2026-11-01 22:30 -03:30'],
    ['Pacific/Chatham', Date.UTC(2026, 10, 1, 8, 0), '2026-11-01 21:45 +13:45'],
    ['UTC', Date.UTC(2026, 10, 1, 8, 0), '2026-11-01 08:00 +00:00'],
  ])('are local, with their distance from UTC: %s', (zone, at, words) => {
    process.env['TZ'] = zone;
    expect([localTime(at), localDay(at)]).toEqual([words, words.slice(0, 10)]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysSince1970, isCalendarDate, isDistant, isSameDay, unixSeconds } from '../../../src/records/calendar.js';

const days = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));

describe('days since 1970', () => {
  it('are those of the clock', () => {
    fc.assert(
      fc.property(days, (date) => {
        expect(daysSince1970(date.toISOString().slice(0, 10))).toBe(Math.floor(date.getTime() / 86_400_000));
      }),
    );
  });
});

describe('two days', () => {
  it.each<[one: string, other: string, isSame: boolean]>([
    ['2026-11-03', '2026-11-03', true],
    ['2026-11-03', '2026-03-11', true],
    ['2026-12-01', '2026-01-12', true],
    ['2026-11-11', '2026-11-11', true],
    ['2026-11-03', '2026-11-04', false],
    ['2026-11-03', '2025-03-11', false],
    ['2026-11-03', '2025-11-03', false],
    ['2026-11-13', '2026-12-13', false],
    ['2026-11-03', '2026-04-11', false],
    ['1969-11-03', '1969-03-11', true],
    ['0001-02-03', '0001-03-02', true],
    ['2026-12-31', '2027-01-01', false],
  ])('%s and %s are the same, in any order of day and month: %j', (one, other, isSame) => {
    expect(isSameDay(daysSince1970(one), daysSince1970(other))).toBe(isSame);
    expect(isSameDay(daysSince1970(other), daysSince1970(one))).toBe(isSame);
  });

  it('are the same where one has the month of the other for its day', () => {
    const written = (date: Date, order: 'md' | 'dm'): string => {
      const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
      return order === 'md' ? `${year}-${month}-${day}` : `${year}-${day}-${month}`;
    };
    fc.assert(
      fc.property(days, days, (one, other) => {
        const first = written(one, 'md');
        const second = written(other, 'md');
        const expected = first === second || written(one, 'dm') === second;
        expect(isSameDay(daysSince1970(first), daysSince1970(second))).toBe(expected);
        const swapped = written(one, 'dm');
        if (isCalendarDate(swapped)) expect(isSameDay(daysSince1970(first), daysSince1970(swapped))).toBe(true);
      }),
    );
  });
});

describe('dates of the calendar', () => {
  it.each([
    '',
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '26-11-01',
    '2026-1-1',
    '20261101',
    '2026/11/01',
    '01.11.2026',
    ' 2026-11-01',
    '2026-11-01 ',
    '2026-11-01T00:00:00Z',
    '2026-11-01\n',
    '２０２６-11-01',
    '+2026-11-01',
  ])('%j is none', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('are those that the calendar has', () => {
    const parts = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        expect(isCalendarDate(text)).toBe(month >= 1 && month <= 12 && day >= 1 && day <= (lengths[month - 1] ?? 0));
      }),
    );
  });
});

describe('dates more than a year away', () => {
  it.each<[string, string, boolean]>([
    ['2026-11-15', '2026-11-15', false],
    ['2027-11-15', '2026-11-15', false],
    ['2027-11-16', '2026-11-15', true],
    ['2025-11-14', '2026-11-15', true],
    ['2029-02-28', '2028-02-29', false],
    ['2029-03-01', '2028-02-29', true],
  ])('%s seen from %s: %s', (date, today, expected) => {
    expect(isDistant(date, Date.parse(today))).toBe(expected);
  });
});

describe('ISO 8601 with an offset as UNIX seconds', () => {
  it.each<[string, number]>([
    ['2026-12-05T08:00:00+01:00', 1_796_454_000],
    ['2026-12-05 08:00:00+01:00', 1_796_454_000],
    ['2026-12-05T08:00+01:00', 1_796_454_000],
    ['2026-12-05T08:00:00+01', 1_796_454_000],
    ['2026-12-05T08:00:00.000+01:00', 1_796_454_000],
    ['2026-12-05T08:00:00,0+01:00', 1_796_454_000],
    ['1969-12-31T23:59:59Z', -1],
    ['0001-01-01T00:00:00Z', -62_135_596_800],
  ])('%s is %d', (text, seconds) => {
    expect(unixSeconds(text)).toBe(seconds);
  });

  it.each([
    ...'2026-12-05 2026-12-05T08:00:00 1796454000 08:00:00Z 2026-12-05Z 2026-02-30T08:00:00Z'.split(' '),
    ...'2026-12-05T24:00:00Z 2026-12-05T08:60:00Z 2026-12-05T08:00:60Z 2026-12-05T08:00:00+19:00'.split(' '),
    ...'2026-12-05T08:00:00+01:60 2026-12-05T08:00:00CET 2026-12-05T08:00:00.5Z 2026-12-05T8:00:00Z'.split(' '),
    '',
    '2026-12-05T08:00:00 +01:00',
    ' 2026-12-05T08:00:00Z',
  ])('%j is none', (text) => {
    expect(unixSeconds(text)).toBeNull();
  });

  it('is the moment, in whatever offset it is written', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000);
        fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9999);
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
        const text = `${local.toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
        expect(unixSeconds(text)).toBe(date.getTime() / 1000);
      }),
    );
  });
});

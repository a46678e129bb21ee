/** Calendar dates as text, YYYY-MM-DD. */

const LENGTH = 10;
const HYPHEN = 0x2d;
const ZERO_CODE = 0x30;

/** Whether the text is a real date of the calendar in the form YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (text.length !== LENGTH || text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false;
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 7);
  const day = numberAt(text, 8, LENGTH);
  // A number with a non-digit is NaN, and every comparison with NaN is false.
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= daysIn(year, month));
}

/** NaN when a character is not a digit. */
function numberAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO_CODE;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to a real date of the calendar in the form YYYY-MM-DD, below zero for earlier ones. */
export function daysSince1970(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/**
 * Whether two days are the same, also if one was read with day and month in the other order.
 * @param one days since 1970
 */
export function isSameDay(one: number, other: number): boolean {
  return one === other || unorderedDay(one) === unorderedDay(other);
}

/** The same text for two days that differ only in the order of day and month. @param days since 1970 */
export function unorderedDay(days: number): string {
  const date = new Date(days * DAY_MS);
  const month = date.getUTCMonth() + 1;
  const day = date.getUTCDate();
  return `${date.getUTCFullYear()} ${Math.min(month, day)} ${Math.max(month, day)}`;
}

/** In UTC. @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Whether a date (YYYY-MM-DD) is more than a year before or after today. @param now milliseconds since 1970 */
export function isDistant(date: string, now: number): boolean {
  const { first, last } = yearsAround(now);
  return date > last || date < first;
}

/** Whether a time is more than a year before or after now. @param at seconds since 1970 @param now milliseconds */
export function isDistantTime(at: number, now: number): boolean {
  const { firstSecond, lastSecond } = yearsAround(now);
  return at < firstSecond || at > lastSecond;
}

interface YearsAround {
  readonly now: number;
  readonly first: string;
  readonly last: string;
  readonly firstSecond: number;
  readonly lastSecond: number;
}

/** Kept between calls: now is the same for all records of a run. */
let around: YearsAround | null = null;

function yearsAround(now: number): YearsAround {
  if (around?.now === now) return around;
  const date = new Date(now);
  const text = date.toISOString();
  const day = text.slice('YYYY'.length, 'YYYY-MM-DD'.length);
  const yearText = (by: number): string => String(date.getUTCFullYear() + by).padStart(4, '0');
  const secondsAt = (by: number): number => new Date(date).setUTCFullYear(date.getUTCFullYear() + by) / 1000;
  around = {
    now,
    first: `${yearText(-1)}${day}`,
    last: `${yearText(1)}${day}`,
    firstSecond: secondsAt(-1),
    lastSecond: secondsAt(1),
  };
  return around;
}

/** The last second of the year 9999. */
const LAST_SHOWN_SECOND = 253_402_300_799;

/** `2026-12-05 07:00 UTC`; the number itself if it is after the year 9999. @param at seconds since 1970 */
export function utcText(at: number): string {
  if (Math.abs(at) > LAST_SHOWN_SECOND) return String(at);
  return `${new Date(at * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;
}

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]0+)?)?([Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Null for any text but an ISO 8601 date and time **with** an offset (`2026-12-01T08:00:00+01:00`). Without an offset,
 * the hour would be a guess. A fraction of a second must be zero.
 */
export function unixSeconds(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [, date = '', hour = '', minute = '', second = '00', offset = ''] = match;
  if (!isCalendarDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const zone = /^[zZ]$/.test(offset) ? 0 : minutesOf(offset);
  return zone === null ? null : Date.parse(`${date}T${hour}:${minute}:${second}Z`) / 1000 - zone * 60;
}

function minutesOf(offset: string): number | null {
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 18 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

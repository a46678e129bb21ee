/** Calendar dates as text, YYYY-MM-DD. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A file has many records and few dates: what was found out about one is kept. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 4000;

/** Whether the text is a real date of the calendar in the form YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  let answer = known.get(text);
  if (answer === undefined) {
    answer = isInCalendar(text);
    if (known.size < MOST_KNOWN && text.length === 10) known.set(text, answer);
  }
  return answer;
}

function isInCalendar(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** Whether a date is more than a year before or after `today` (both YYYY-MM-DD). */
export function isDistant(date: string, today: string): boolean {
  if (around.today !== today) around = yearsAround(today);
  return date > around.last || date < around.first;
}

/** Today is the same for all records of a run. */
let around = yearsAround('2000-01-01');

function yearsAround(today: string): { today: string; first: string; last: string } {
  const year = Number(today.slice(0, 4));
  const at = (y: number): string => `${String(y).padStart(4, '0')}${today.slice(4)}`;
  return { today, first: at(year - 1), last: at(year + 1) };
}

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.0+)?)?([Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * UNIX seconds of an ISO 8601 date and time **with** an offset (`2026-12-01T08:00:00+01:00`), or null when the text
 * is none. Without an offset it would be a guess which hour is meant; fractions of a second are not read.
 */
export function unixSeconds(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [, date = '', hour = '', minute = '', second = '00', offset = ''] = match;
  if (!isCalendarDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const zone = /^[zZ]$/.test(offset) ? 0 : minutesOf(offset);
  if (zone === null) return null;
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return moment.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zone * 60;
}

function minutesOf(offset: string): number | null {
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 18 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

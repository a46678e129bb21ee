/** How moments are written as text: with an offset from UTC, or as a zone's clocks show them. CONTRACT: `--time-zone`. */
import { isCalendarDate, unixSeconds } from '../records/calendar.js';
import {
  type DateOrder,
  LONGEST_DATE,
  type OtherDate,
  otherDates,
  readDate,
  type TimedDate,
  timedDate,
} from './dates.js';
import { momentsOf, type OffsetChange } from './time-zone.js';

/** How dates are written, and where the clocks are. */
export interface TimeNotation {
  /** Null if none is declared. */
  readonly dateOrder: DateOrder | null;
  /** Of timestamps without an offset; null if none is declared. */
  readonly timeZone: string | null;
}

/** Why a text is not a moment. */
export type TimestampFault =
  | { readonly kind: 'no zone' }
  | UnclearTime
  | { readonly kind: 'only a date' }
  | { readonly kind: 'two times' }
  /** The day, or the time of day, does not exist. */
  | { readonly kind: 'no such time' }
  /** No clock is so far from UTC. @property offset as typed */
  | { readonly kind: 'no such offset'; readonly offset: string }
  /** A second has a fraction. */
  | { readonly kind: 'fraction' }
  /** The date is not written in the declared order. @property dates as other orders read the text */
  | { readonly kind: 'other order'; readonly dates: readonly OtherDate[] }
  | { readonly kind: 'no date' };

/** A local time that the clocks of its zone skip, or that they show twice because they are set back. */
export interface UnclearTime {
  readonly kind: 'skipped' | 'twice';
  readonly local: string;
  readonly zone: string;
  /** The clocks show `to` when they would show `from`. */
  readonly from: string;
  readonly to: string;
  /** The two moments that can be meant, the earlier one first. */
  readonly moments: readonly [WrittenMoment, WrittenMoment];
}

/** @property text `2026-03-29T03:30:00+02:00` */
export interface WrittenMoment {
  readonly text: string;
  /** `+02:00`; `Z` if the zone's own offset has seconds. */
  readonly offset: string;
}

export type TimestampReading =
  { readonly ok: true; readonly seconds: number } | { readonly ok: false; readonly fault: TimestampFault };

/** UNIX seconds of a date and time. A text with an offset needs no zone. */
export function readTimestamp(text: string, { dateOrder, timeZone }: TimeNotation): TimestampReading {
  const typed = text.trim();
  const seconds = unixSeconds(typed);
  if (seconds !== null) return moment(seconds);
  if (typed.length > LONGEST_DATE) return notMoment({ kind: 'no date' });
  const timed = timedDate(typed);
  const day = timed?.day ?? typed;
  // A date would be read without its own time.
  if (timedDate(day) !== null && timed !== null) return notMoment({ kind: 'two times' });
  const date = readDate(day, dateOrder);
  if (!isCalendarDate(date)) return notMoment(dayFault(day, timed));
  if (timed === null) return notMoment({ kind: 'only a date' });
  if (timed.time === null) return notMoment({ kind: 'no such time' });
  const local = Date.parse(date) / 1000 + timed.time;
  if (timed.hasFraction) return notMoment({ kind: 'fraction' });
  if (timed.offset !== null) return readWithOffset(local, timed.offset);
  if (timeZone === null) return notMoment({ kind: 'no zone' });
  return readLocal(local, timeZone);
}

/** Whether a value of JSON is text with a date, right or wrong: any other text has the wrong type. */
export function isTimeText(value: unknown, notation: TimeNotation): boolean {
  if (typeof value !== 'string') return false;
  const reading = readTimestamp(value, notation);
  return reading.ok || reading.fault.kind !== 'no date';
}

function moment(seconds: number): TimestampReading {
  return { ok: true, seconds };
}

function notMoment(fault: TimestampFault): TimestampReading {
  return { ok: false, fault };
}

/** @param offset as typed: `+0100`, `UTC` */
function readWithOffset(local: number, offset: string): TimestampReading {
  const seconds = unixSeconds(`${isoTime(local)}${/^[+-]/.test(offset) ? offset : 'Z'}`);
  return seconds === null ? notMoment({ kind: 'no such offset', offset }) : moment(seconds);
}

const DAY_LIKE = /^\d{4}-\d{2}-\d{2}$/;

/** @param day not a date in the declared order */
function dayFault(day: string, timed: TimedDate | null): TimestampFault {
  // A number, unless such dates are declared.
  const dates = /^\d+$/.test(day) ? [] : otherDates(day);
  if (dates.length === 0) return { kind: timed !== null || DAY_LIKE.test(day) ? 'no such time' : 'no date' };
  if (timed === null) return { kind: 'only a date' };
  if (timed.time === null) return { kind: 'no such time' };
  const clock = shownTime(timed.time).slice('1970-01-01'.length);
  return { kind: 'other order', dates: dates.map(({ order, date }) => ({ order, date: `${date}${clock}` })) };
}

/** @param local seconds from 1970-01-01 to the local time */
function readLocal(local: number, zone: string): TimestampReading {
  const { moments, change } = momentsOf(local, zone);
  const [earlier, later = earlier] = moments;
  if (earlier !== undefined && change === null) return moment(earlier);
  const { at, before, after } = change as OffsetChange;
  return notMoment({
    kind: earlier === undefined ? 'skipped' : 'twice',
    local: shownTime(local),
    zone,
    from: shownTime(at + before),
    to: shownTime(at + after),
    // A skipped time is either too early or too late by the length of the gap.
    moments: [writtenMoment(earlier ?? local - after, before), writtenMoment(later ?? local - before, after)],
  });
}

/** `2026-03-29 02:30`, with seconds if there are any. @param local seconds from 1970-01-01 to the local time */
function shownTime(local: number): string {
  return isoTime(local).replace('T', ' ').replace(/:00$/, '');
}

/** `2026-03-29T02:30:00` */
function isoTime(local: number): string {
  return new Date(local * 1000).toISOString().slice(0, 19);
}

/** @param offset in seconds */
function writtenMoment(at: number, offset: number): WrittenMoment {
  const isWhole = offset % 60 === 0;
  const minutes = Math.abs(offset) / 60;
  const hours = `${Math.floor(minutes / 60)}`.padStart(2, '0');
  const shown = isWhole ? `${offset < 0 ? '-' : '+'}${hours}:${`${minutes % 60}`.padStart(2, '0')}` : 'Z';
  return { text: `${isoTime(isWhole ? at + offset : at)}${shown}`, offset: shown };
}

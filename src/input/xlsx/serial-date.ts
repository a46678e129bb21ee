/** Dates as workbooks store them: days since a first day, and their fraction. */

export interface SerialDate {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** HH:MM:SS, rounded; null at midnight sharp. */
  readonly time: string | null;
}

const DAY_MS = 86_400_000;
/** The day before the first day, so that day 1 is 1900-01-01. */
const BEFORE_1900 = Date.UTC(1899, 11, 31);
const FIRST_1904 = Date.UTC(1904, 0, 1);
/** Day 60 is 1900-02-29, which was none: an error of the first spreadsheets, kept ever since. Days after it count one too many. */
const NO_DAY = 60;
const LAST_DAY = Date.UTC(9999, 11, 31);

/**
 * @param serial days; in the system of 1900, 1 is 1900-01-01, and in the one of 1904, 0 is 1904-01-01
 * @returns null for a number that is no day of either calendar
 */
export function dateOfSerial(serial: number, from1904: boolean): SerialDate | null {
  const day = Math.floor(serial);
  if (!(serial >= 0) || (!from1904 && (day < 1 || day === NO_DAY))) return null;
  const start = from1904 ? FIRST_1904 : day < NO_DAY ? BEFORE_1900 : BEFORE_1900 - DAY_MS;
  const at = start + day * DAY_MS;
  if (!(at <= LAST_DAY)) return null;
  return { date: new Date(at).toISOString().slice(0, 10), time: serial === day ? null : timeOf(serial - day) };
}

/** HH:MM:SS of a part of a day. */
export function timeOf(part: number): string {
  const seconds = Math.min(86_399, Math.round(part * 86_400));
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

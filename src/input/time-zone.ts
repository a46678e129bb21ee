/** From a time on the clocks of a zone to UNIX seconds, and back: by the time zones that Node knows. */
import { UsageError } from '../errors.js';
import { didYouMean } from '../records/nearest.js';

/** The moments at which a zone's clocks show a local time: none if they skip it, two if they are set back. */
export interface LocalMoments {
  /** UNIX seconds, the earlier one first. */
  readonly moments: readonly number[];
  /** Null if there is exactly one moment. */
  readonly change: OffsetChange | null;
}

/** The clocks of a zone are set. */
export interface OffsetChange {
  /** UNIX seconds. */
  readonly at: number;
  /** In seconds east of UTC. */
  readonly before: number;
  readonly after: number;
}

/** No zone is farther from UTC. */
const FARTHEST_SECONDS = 16 * 3600;

/** @param local seconds from 1970-01-01 to the local time, as if the clocks showed UTC. @param zone a known name */
export function momentsOf(local: number, zone: string): LocalMoments {
  const start = local - FARTHEST_SECONDS;
  const end = local + FARTHEST_SECONDS;
  const before = offsetAt(start, zone);
  const after = offsetAt(end, zone);
  if (before === after) return { moments: [local - before], change: null };
  // The larger offset gives the earlier moment.
  const offsets = [Math.max(before, after), Math.min(before, after)];
  const moments = offsets.filter((offset) => offsetAt(local - offset, zone) === offset).map((offset) => local - offset);
  return { moments, change: moments.length === 1 ? null : { at: changeBetween(start, end, zone), before, after } };
}

/** The first second with the offset of `to`. Both are UNIX seconds, with one change between them. */
function changeBetween(from: number, to: number, zone: string): number {
  const before = offsetAt(from, zone);
  let last = from;
  let first = to;
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2);
    if (offsetAt(middle, zone) === before) last = middle;
    else first = middle;
  }
  return first;
}

/** How far a zone's clocks are ahead of UTC, in seconds. @param at UNIX seconds */
export function offsetAt(at: number, zone: string): number {
  const shown = offsetFormat(zone).format(at * 1000);
  const match = SHOWN_OFFSET.exec(shown);
  if (match === null) throw new TypeError(`no offset from UTC is in ${shown}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** As a format ends: `12/5/2026, GMT+01:00`. The time of the sun, before there were zones, has seconds. */
const SHOWN_OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for a name that Node does not know */
function offsetFormat(zone: string): Intl.DateTimeFormat {
  let format = offsetFormats.get(zone);
  if (format === undefined)
    offsetFormats.set(
      zone,
      (format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })),
    );
  return format;
}

/** A name of the IANA database, such as `Europe/Berlin`. @param name of the option, for the message. @throws UsageError */
export function timeZoneName(name: string, text: string): string {
  // Newer versions of Node take an offset as a zone: its clocks would never change.
  if (/^[A-Za-z]/.test(text) && isKnown(text)) return text;
  const advice = /^(?:UTC|GMT)?[+-]/i.test(text)
    ? '. An offset is not a time zone: the clocks of a zone change. Write the offset in each time, as in 2026-12-01T08:00:00+01:00'
    : `.${suggestion(text)} The name has a region and its largest city, such as Europe/Berlin`;
  throw new UsageError(`${name} takes the name of a time zone; found ${JSON.stringify(text)}${advice}`);
}

function isKnown(zone: string): boolean {
  try {
    offsetFormat(zone);
    return true;
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

/** ` Did you mean "Europe/Berlin"?` for `Berlin` and `Europe/Berln`; or empty. */
function suggestion(text: string): string {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = text.trim().replaceAll(' ', '_').toLowerCase();
  const found = zones.find((zone) => zone.toLowerCase().endsWith(`/${city}`));
  return found === undefined ? didYouMean(text, zones) : ` Did you mean "${found}"?`;
}

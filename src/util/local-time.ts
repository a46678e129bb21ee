/** Times for people: on their local clock, with the distance from UTC. Machine output has ISO 8601 in UTC. */

/** `2026-11-01 09:05 +01:00`. @param at milliseconds since 1970 */
export function localTime(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const distance = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
  return `${onLocalClock(at).slice(0, 16).replace('T', ' ')} ${offset < 0 ? '-' : '+'}${distance}`;
}

/** `2026-11-01`, the day on the local clock. @param at milliseconds since 1970 */
export function localDay(at: number): string {
  return onLocalClock(at).slice(0, 10);
}

function onLocalClock(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
}

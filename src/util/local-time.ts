/** Times for people: on their local clock, with the distance from UTC. Machine output has ISO 8601 in UTC. */

/**
 * `2026-11-01 09:05 +01:00`
 * @param at milliseconds since 1970
 * @param secondsEast how far other clocks are ahead of UTC; null for the local ones
 */
export function localTime(at: number, secondsEast: number | null = null): string {
  const offset = secondsEast === null ? -new Date(at).getTimezoneOffset() : Math.round(secondsEast / 60);
  const distance = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
  const shown = new Date(at + offset * 60_000).toISOString().slice(0, 16).replace('T', ' ');
  return `${shown} ${offset < 0 ? '-' : '+'}${distance}`;
}

/** `2026-11-01`, the day on the local clock. @param at milliseconds since 1970 */
export function localDay(at: number): string {
  return localTime(at).slice(0, 10);
}

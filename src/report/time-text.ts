/** A moment for people, to the minute: `2026-11-22 20:58`, in UTC. @param at milliseconds since 1970 */
export function minuteText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** Moments in an HTML report, in the local time of the machine that wrote it. */
import type { ReportHead } from './report-head.js';

/** `2026-11-01 09:05 +01:00`. @param at milliseconds since 1970. @param offset minutes that local time is ahead of UTC */
function localTime(at: number, offset: number): string {
  const local = new Date(at + offset * 60_000).toISOString();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local.slice(0, 10)} ${local.slice(11, 16)} ${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** The same with its moment for programs. */
export function moment(at: number, { utcOffset }: Pick<ReportHead, 'utcOffset'>): string {
  return `<time datetime="${new Date(at).toISOString()}">${localTime(at, utcOffset(at))}</time>`;
}

/** What a person hears about a text that is not read as a moment. */
import { excerpt } from '../records/issue.js';
import { DATE_EXAMPLES } from './dates.js';
import type { TimeNotation, TimestampFault, UnclearTime } from './timestamps.js';

const OFFSET_EXAMPLE = '2026-12-01T08:00:00+01:00';

/** @param typed trimmed */
export function timestampProblem(typed: string, fault: TimestampFault, { dateOrder, timeZone }: TimeNotation): string {
  const found = JSON.stringify(excerpt(typed));
  const example = timeZone === null ? OFFSET_EXAMPLE : '2026-12-01 08:00';
  switch (fault.kind) {
    case 'no zone':
      return `${found} has no offset from UTC. Name the time zone, such as --time-zone Europe/Berlin, or write each time with its offset, such as ${OFFSET_EXAMPLE}`;
    case 'skipped':
    case 'twice':
      return unclearTimeText(fault);
    case 'only a date':
      return `${found} is a date without a time. Write both, such as ${example}`;
    case 'two times':
      return `${found} has more than one time of day. Write one date with one time, such as ${example}`;
    case 'no such time':
      return `${found} is not a day of the calendar with a time of day`;
    case 'no such offset':
      return `${found} has the offset ${fault.offset}, and no clock is so far from UTC. Correct it, as in ${OFFSET_EXAMPLE}`;
    case 'fraction':
      return `${found} has a fraction of a second. Write whole seconds`;
    case 'other order':
      return `${found} is not written as ${DATE_EXAMPLES[dateOrder ?? 'ymd']}${timeZone === null ? ', and has no offset from UTC: it needs --time-zone too' : ''}`;
    case 'no date':
      return `${found} is not a date with a time, such as ${example}, nor a UNIX timestamp in seconds`;
  }
}

function unclearTimeText({ kind, local, zone, from, to, moments }: UnclearTime): string {
  const [earlier, later] = moments;
  // In the order of the offsets: clocks that go back show the larger one first.
  const [smaller, larger] = kind === 'skipped' ? [earlier, later] : [later, earlier];
  const written = `with its offset, ${smaller.offset} or ${larger.offset}`;
  const isOneDay = [from, to].every((time) => dayOfTime(time) === dayOfTime(local));
  const [shownFrom, shownTo] = [from, to].map((time) => (isOneDay ? time.slice(dayOfTime(time).length + 1) : time));
  if (kind === 'skipped')
    return `${local} does not exist in ${zone}: the clocks go from ${shownFrom} to ${shownTo}. Write another time ${written}: ${earlier.text} or ${later.text}`;
  return `${local} comes twice in ${zone}: the clocks go back from ${shownFrom} to ${shownTo}. Write it ${written}: ${earlier.text} is the first time, ${later.text} the second`;
}

function dayOfTime(time: string): string {
  return time.slice(0, 10);
}

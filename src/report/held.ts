/** What is said of payments in doubt that only a person can settle. */
import type { DoubtsOfRun } from './reporter.js';
import { counted } from './table.js';

/** A sentence without its end: what the person then says, and how, differs between a terminal and a program. */
export function heldWords({ run, since, count, areGigs }: DoubtsOfRun): string {
  const them = areGigs ? counted(count, 'gig') : counted(count, 'record');
  const are = count === 1 ? 'is' : 'are';
  return `${them} of run ${run}, of unknown outcome since ${since}, ${are} not sent again: look each up at the service, then say what you found`;
}

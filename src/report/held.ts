/** What is said of payments in doubt that only a person can settle. */
import type { DoubtsOfRun } from './reporter.js';
import { counted } from './table.js';

/** Without its end: how a person then records the result differs between a terminal and a program. */
export function heldWords({ run, since, count, areGigs }: DoubtsOfRun): string {
  const what = counted(count, areGigs ? 'gig' : 'record');
  return `${what} of run ${run} may have been ${areGigs ? 'created' : 'paid'} (in doubt since ${since}). Look ${count === 1 ? 'it' : 'each'} up in the service, then record the result`;
}

/** What a shared journal's leases ask of a run. */
import type { Prepared } from '../batch/prepare.js';
import { UsageError } from '../errors.js';
import type { RunOptions } from '../options.js';

/** The longest request for a gig, as a part of the lease: it must be over before others may take the gig over. */
const LONGEST_REQUEST = 0.75;

/** @param leaseMs how long a process has the right to send, milliseconds. @throws UsageError where no gig could ever go */
export function checkLease({ entries }: Prepared, { journal, send }: RunOptions, leaseMs: number): void {
  const most = leaseMs * LONGEST_REQUEST;
  if (journal.place.kind === 'file' || send.timeoutMs <= most) return;
  for (let i = 0; i < entries.length; i++)
    if (entries.status(i) !== 'invalid' && entries.groupOf(i).type === 'gig')
      throw new UsageError(
        `--timeout (or the setting timeout) is at most ${most / 1000} seconds for gigs with a shared journal: a request must be over before others may take the gig over`,
      );
}

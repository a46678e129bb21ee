/** Requirements of a call: a clear batch name, the headers of a continued run, and a time-out within its lease. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { foldText } from '../records/fold.js';
import { UsageError } from '../errors.js';
import type { Run } from '../journal/payment.js';
import type { RunOptions } from '../options.js';
import { decisionText } from '../report/table.js';

/**
 * Two names that look alike would be two batches, and the second one would pay everything again.
 * @param known the batches that the target has
 * @throws UsageError
 */
export function requireBatchName(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const like = known.find((other) => foldedBatch(other) === foldedBatch(name));
  if (like === undefined) return;
  throw new UsageError(
    `--batch-id ${JSON.stringify(name)} differs from the earlier batch ${JSON.stringify(like)} only in letter case, spaces, punctuation or look-alike characters. Use the earlier name, or one that differs clearly`,
  );
}

function foldedBatch(name: string): string {
  return foldText(name).replace(PUNCTUATION_BETWEEN, '');
}

/** Between two characters: `2026-11`, `2026/11` and `202611`. At an end it may well make a difference: `11a+`. */
const PUNCTUATION_BETWEEN = /(?<=.)[\p{P}\u2212]+(?=.)/gu;

/** @throws UsageError if a person has closed the run: it sends nothing any more */
export function requireNotClosed({ name, closed }: Run): void {
  if (closed === null) return;
  throw new UsageError(
    `run ${name} was closed on ${decisionText(closed)}. It will not send its open records. To pay them, import them again`,
  );
}

/** @throws UsageError if the call lacks a header that its run had */
export function requireHeaders(run: Run | null, { send }: RunOptions): void {
  const present = new Set(Object.keys(send.headers).map((name) => name.toLowerCase()));
  const missing = (run?.headers ?? []).filter((name) => !present.has(name.toLowerCase()));
  if (missing.length === 0) return;
  const flags = missing.map((name) => `--header '${name}: VALUE'`).join(' ');
  throw new UsageError(
    `Run ${run?.name ?? ''} was sent with --header ${missing.join(', ')}. gigwork keeps no value of a header. Add this with the right value: ${flags}`,
  );
}

/** The longest request for a gig, as a part of the lease: it must be over before others may take the gig over. */
const LONGEST_REQUEST = 0.75;

/** @param leaseMs how long a process may send, milliseconds. @throws UsageError if no gig could ever be sent */
export function checkLease({ entries }: PreparedRecords, { journal, send }: RunOptions, leaseMs: number): void {
  const most = leaseMs * LONGEST_REQUEST;
  if (journal.place.kind === 'file' || send.timeoutMs <= most) return;
  for (let i = 0; i < entries.length; i++)
    if (entries.status(i) !== 'invalid' && entries.groupOf(i).type === 'gig')
      throw new UsageError(
        `--timeout (or the setting timeout) is at most ${most / 1000} seconds for gigs with a shared journal: a request must be over before others may take the gig over`,
      );
}

/** What a call must have before it may look at the history: a name for its batch, and the headers of the run it goes on with. */
import { UsageError } from '../errors.js';
import type { Run } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';

/**
 * Two names that read the same would be two batches, and everything in the second would be paid once more.
 * @param known the batches that the target has
 * @throws UsageError
 */
export function requireBatchName(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const like = known.find((other) => folded(other) === folded(name));
  if (like === undefined) return;
  throw new UsageError(
    `--batch-id ${JSON.stringify(name)} differs from the earlier batch ${JSON.stringify(like)} only in case, spaces, dashes or look-alike characters. Use the earlier name, or one that differs clearly`,
  );
}

function folded(name: string): string {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').trim().replace(SEPARATORS, '-');
}

const SEPARATORS = /[\p{White_Space}\p{Dash_Punctuation}\u2212]+/gu;

/** @throws UsageError where the call lacks a header that its run had */
export function requireHeaders(run: Run | null, { send }: RunOptions): void {
  const present = new Set(Object.keys(send.headers).map((name) => name.toLowerCase()));
  const missing = (run?.headers ?? []).filter((name) => !present.has(name.toLowerCase()));
  if (missing.length === 0) return;
  throw new UsageError(
    `Run ${run?.name ?? ''} was sent with --header ${missing.join(', ')}, and this call has none of that name. Add it: --header '${missing[0]}: VALUE'`,
  );
}

/** What a person approves before it is sent. CONTRACT: "Approval". */
import type { TotalRow } from '../money/totals.js';

/** The flags that decide which records of the input are sent, or sent once more. */
export interface ApprovedFlags {
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
  /** N of `--send-similar`, or null. */
  readonly sendSimilar: number | null;
  /** Null for a run that is resumed: its records are in the ledger, and were chosen when it began. */
  readonly skipInvalid: boolean | null;
  /** Null for a run that is resumed, as well. */
  readonly keyColumns: readonly string[] | null;
  readonly resendUnknown: boolean;
  readonly keyLifetimeHours: number;
}

/** A run, as far as it is approved: over its valid records, whatever became of them before. */
export interface ApprovedRun {
  readonly target: string;
  readonly batchId: string;
  readonly digest: string;
  /** Valid records. */
  readonly count: number;
  /** By type, currency and cost center; their state is left empty. */
  readonly totals: readonly TotalRow[];
  readonly flags: ApprovedFlags;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly records: number }[];
}

/** The flags as documents for programs name them. */
export function flagsDocument(flags: ApprovedFlags): Record<string, unknown> {
  return {
    skip_created: flags.skipCreated,
    skip_similar: flags.skipSimilar,
    send_similar: flags.sendSimilar,
    skip_invalid: flags.skipInvalid,
    key_columns: flags.keyColumns,
    resend_unknown: flags.resendUnknown,
    key_lifetime: flags.keyLifetimeHours,
  };
}

/** The ledger's log: who did what, and who approved it before. It is only ever added to, in the transaction of what it tells. */
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import type { Person } from '../world.js';

/** Who calls the program, and how. */
export interface Caller {
  readonly by: Person;
  /** Of the program. */
  readonly version: string;
  /** As it was typed, without secrets. */
  readonly commandLine: string;
}

/** The call that has read a run's input last, as far as the command that goes on needs it. */
export interface InputCall {
  /** Where relative names of its files start. */
  readonly folder: string;
  /** Its flags, each with its value where it takes one; no secrets. */
  readonly options: readonly (readonly string[])[];
}

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

/** A sum as the log keeps it. */
export interface LoggedTotal {
  readonly type: string;
  readonly currency: string | null;
  readonly cost_center: string | null;
  readonly count: number;
  /** Decimal text. */
  readonly amount: string;
  readonly unpriced: number;
}

/** What was done. */
export type Deed =
  /** A call passed the gate: it began the run, or goes on with it. */
  | { readonly what: 'run'; readonly goesOn: boolean; readonly inputCall: InputCall }
  /** A call with the run came to its end. */
  | { readonly what: 'ended'; readonly exitCode: number; readonly stopReason: string | null }
  /**
   * A person approved a run before it was sent. Where it was written down later, by the call that sent the run, `of` says
   * whose approval it is: that of a file, or another event of a shared journal.
   */
  | (Omit<ApprovedRun, 'totals'> & {
      readonly what: 'approved';
      readonly totals: readonly LoggedTotal[];
      readonly of: (Person & { readonly at: number; readonly event: number | null }) | null;
    })
  /** A person's word about a record in doubt, and where the record stood in the run's files at that time. */
  | {
      readonly what: 'settled';
      readonly status: 'created' | 'not_sent';
      readonly file: string;
      readonly record: number;
      readonly line: number | null;
      readonly key: string;
    }
  /** A person ended the run for good. */
  | { readonly what: 'closed' }
  /** Bodies and answers of what was finished before a time, milliseconds since 1970, were removed: so many bodies. */
  | { readonly what: 'pruned'; readonly before: number; readonly count: number }
  /** All of one journal was brought into another one, as people name them; told in both. With `move`, it takes its place. */
  | {
      readonly what: 'copied';
      readonly from: string;
      readonly to: string;
      readonly move: boolean;
      readonly rows: Readonly<Record<string, number>>;
    };

export interface LedgerEvent extends Caller {
  /** From 1, in the order in which it was done. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Name of the run that it is about, or null. */
  readonly run: string | null;
  /** What the person said about it, or null. */
  readonly note: string | null;
  readonly deed: Deed;
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

type Approved = Extract<Deed, { what: 'approved' }>;

/** What the log keeps of an approval. @param of see {@link Approved} */
export function approvedDeed(run: ApprovedRun, of: Approved['of'] = null): Approved {
  const { target, batchId, digest, count, flags, files } = run;
  const totals = run.totals.map(({ type, currency, costCenter, amount, ...row }) => {
    return {
      type,
      currency,
      cost_center: costCenter,
      count: row.count,
      amount: formatDecimal(amount),
      unpriced: row.unpriced,
    };
  });
  return { what: 'approved', target, batchId, digest, count, totals, flags, files, of };
}

/** Whether all of it is there: what others may write in a shared journal need not be. */
export function isWhole({ target, batchId, digest, count, totals, flags, files }: Partial<Approved>): boolean {
  const texts = [target, batchId, digest].every((text) => typeof text === 'string');
  const lists = [totals, files].every((list) => Array.isArray(list));
  return texts && lists && typeof count === 'number' && typeof flags === 'object' && flags !== null;
}

/** Flags of which nothing is known allow nothing. */
export const NO_FLAGS: ApprovedFlags = {
  ...{ skipCreated: false, skipSimilar: false, sendSimilar: null, skipInvalid: null, keyColumns: null },
  ...{ resendUnknown: false, keyLifetimeHours: 0 },
};

/** The same the other way round. */
export function approvedRun({ totals, ...deed }: Approved): ApprovedRun {
  const { target, batchId, digest, count, flags, files } = deed;
  return {
    ...{ target, batchId, digest, count, flags, files },
    totals: totals.map(({ type, currency, cost_center: costCenter, count: of, amount, unpriced }) => {
      return { type, currency, costCenter, status: '', count: of, amount: parseDecimal(amount), unpriced };
    }),
  };
}

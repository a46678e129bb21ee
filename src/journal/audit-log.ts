/** The journal's log: who did what, and who approved it. Entries are only added, in the action's transaction. */
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import type { Person } from '../world.js';

/** The person who calls the program, and how. */
export interface Caller {
  readonly by: Person;
  /** Of the program. */
  readonly version: string;
  /** As typed, without secrets. */
  readonly commandLine: string;
}

/** The last call that read a run's input: the part that the command to continue needs. */
export interface InputCall {
  /** Relative file names start here. */
  readonly folder: string;
  /** Its flags, each with its value if it has one; no secrets. */
  readonly options: readonly (readonly string[])[];
}

/** The flags that decide which records of the input are sent, or sent again. */
export interface ApprovedFlags {
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
  /** N of `--send-similar`, or null. */
  readonly sendSimilar: number | null;
  /** Null for a run that is resumed: its records are in the journal, and were chosen when it began. */
  readonly skipInvalid: boolean | null;
  /** Null for a run that is resumed, as well. */
  readonly keyColumns: readonly string[] | null;
  readonly resendUnknown: boolean;
  readonly keyLifetimeHours: number;
}

/** The approved part of a run: its valid records, whatever their outcomes so far. */
export interface ApprovedRun {
  readonly target: string;
  readonly batchId: string;
  readonly digest: string;
  /** Valid records. */
  readonly count: number;
  /** By type, currency and cost center; their state is empty. */
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

/** A person approved a run before it was sent. */
export interface ApprovalEvent {
  readonly kind: 'approved';
  readonly target: string;
  readonly batchId: string;
  readonly digest: string;
  readonly count: number;
  readonly totals: readonly LoggedTotal[];
  readonly flags: ApprovedFlags;
  readonly files: ApprovedRun['files'];
  /**
   * If the call that sent the run wrote this event: the origin of the approval, a file or another event of a shared
   * journal.
   */
  readonly of: (Person & { readonly at: number; readonly event: number | null }) | null;
}

/** A call passed the gate: it began the run or continues it, perhaps with files of other bytes. */
export interface RunEvent {
  readonly kind: 'run';
  readonly goesOn: boolean;
  readonly inputCall: InputCall;
  readonly hasOtherFiles?: true;
}

/** An export of the service, as a settlement remembers it. */
export interface ServiceList {
  /** Of the file with the row; of several files in which a payment is not, all of theirs, with spaces between. */
  readonly sha256: string;
  /** When it was made, milliseconds since 1970. */
  readonly asOf: number;
}

export type AuditEvent =
  | RunEvent
  /** A call that sends the run ended. */
  | { readonly kind: 'ended'; readonly exitCode: number; readonly stopReason: string | null }
  | ApprovalEvent
  /** A person settled a record in doubt. Keeps the record's place in the run's files at that time. */
  | {
      readonly kind: 'settled';
      readonly status: 'created' | 'not_sent';
      readonly file: string;
      readonly record: number;
      readonly line: number | null;
      readonly key: string;
      /** The service's own list that shows it; undefined where a person has looked it up. */
      readonly list?: ServiceList;
    }
  /** A person ended the run for good. */
  | { readonly kind: 'closed' }
  /** Removed bodies and answers of payments finished before a time (milliseconds since 1970). Counts bodies. */
  | { readonly kind: 'pruned'; readonly before: number; readonly count: number }
  /** A journal was copied into another; both logs record it. With `move`, the copy replaces the original. */
  | {
      readonly kind: 'copied';
      readonly from: string;
      readonly to: string;
      readonly move: boolean;
      /** The original, when it was lost, and the time of its copy: until then its history is known. */
      readonly lost?: { readonly journal: string; readonly at: number };
      readonly rows: Readonly<Record<string, number>>;
    };

export interface AuditEntry extends Caller {
  /** From 1, in the order of the actions. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Name of the run that it is about, or null. */
  readonly run: string | null;
  /** The person's note, or null. */
  readonly note: string | null;
  readonly event: AuditEvent;
}

/** With the names that machine output uses. */
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

/** @param of see {@link ApprovalEvent} */
export function approvalEvent(run: ApprovedRun, of: ApprovalEvent['of'] = null): ApprovalEvent {
  const { target, batchId, digest, count, flags, files } = run;
  const totals = run.totals.map((row) => ({
    type: row.type,
    currency: row.currency,
    cost_center: row.costCenter,
    count: row.count,
    amount: formatDecimal(row.amount),
    unpriced: row.unpriced,
  }));
  return { kind: 'approved', target, batchId, digest, count, totals, flags, files, of };
}

/** Whether all members exist. In a shared journal, other programs may write incomplete approvals. */
export function isComplete(event: Partial<ApprovalEvent>): boolean {
  const texts = [event.target, event.batchId, event.digest].every((text) => typeof text === 'string');
  const lists = [event.totals, event.files].every((list) => Array.isArray(list));
  const hasFlags = typeof event.flags === 'object' && event.flags !== null;
  return texts && lists && hasFlags && typeof event.count === 'number';
}

/** For an approval with unknown flags: they allow nothing. */
export const NO_FLAGS: ApprovedFlags = {
  skipCreated: false,
  skipSimilar: false,
  sendSimilar: null,
  skipInvalid: null,
  keyColumns: null,
  resendUnknown: false,
  keyLifetimeHours: 0,
};

/** The inverse of {@link approvalEvent}. */
export function approvedRun(event: ApprovalEvent): ApprovedRun {
  const { target, batchId, digest, count, flags, files } = event;
  const totals = event.totals.map((row) => ({
    type: row.type,
    currency: row.currency,
    costCenter: row.cost_center,
    status: '',
    count: row.count,
    amount: parseDecimal(row.amount),
    unpriced: row.unpriced,
  }));
  return { target, batchId, digest, count, totals, flags, files };
}

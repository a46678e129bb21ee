/** The reports of a run: one interface, with one printer for people and one for programs. */
import type { FilteredGroup } from '../input/filtered-rows.js';
import { EXIT } from '../errors.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { Decimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { RecordTable, Status } from '../prepare/record-table.js';
import type { AmountExplanation } from '../prepare/valid-record.js';
import type { Issue, RecordPlace } from '../records/issue.js';
import type { UnpaidRecords } from './call-records.js';
import type { GigOverview } from './gig-overview.js';
import type { ResendCounts, Notice, UndecidedRepeats } from './history-text.js';
import type { LostOriginal } from '../journal/location.js';
import type { PayeeChanges } from './payee-changes-text.js';
import type { RecordReport } from './record-report.js';
import type { InDoubtSummary } from './in-doubt-text.js';

/** What a remedy does; programs choose by it, so no code ever changes. Described in `samples/schemas/event.json`. */
export type RemedyCode =
  | 'setup'
  | 'skip-created'
  | 'same-batch'
  | 'skip-similar'
  | 'send-similar'
  | 'new-batch'
  | 'separate-file'
  | 'not-strict'
  | 'resume'
  | 'settle'
  | 'reconcile'
  | 'close'
  | 'rejects'
  | 'skip-invalid'
  | 'dry-run'
  | 'confirm'
  | 'approve'
  | 'use-approval'
  | 'import-rejects'
  | 'import-again'
  | 'report';

/** A way out of a refusal, or for payments that a person has to settle. */
export interface Remedy {
  readonly code: RemedyCode;
  /** The case that it is for. */
  readonly when: string;
  /** The words of the command. */
  readonly command: readonly string[];
  /** The words of the command that a person must replace: gigwork does not invent names, reasons or keys. */
  readonly placeholders: readonly string[];
}

export type RecordCounts = Readonly<Record<'read' | 'valid' | Exclude<Status, 'pending'>, number>>;

/** In the order of the output. */
export const NO_RECORDS: RecordCounts = {
  read: 0,
  valid: 0,
  invalid: 0,
  created: 0,
  already_created: 0,
  skipped: 0,
  rejected: 0,
  unknown: 0,
  not_sent: 0,
  planned: 0,
};

/** How a call ended. Times are milliseconds since 1970. */
export interface RunSummary {
  readonly exitCode: number;
  readonly command: string;
  readonly dryRun: boolean;
  readonly run: string | null;
  readonly target: string | null;
  readonly batchId: string;
  readonly digest: string | null;
  readonly stopReason: string | null;
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  readonly warnings: number;
  /** The program's version. */
  readonly version: string;
  readonly startedAt: number;
  readonly durationMs: number;
  /** Why it ended so, a sentence each. */
  readonly reasons: readonly string[];
  /** The words of the command that continues, or null when there is nothing to continue. */
  readonly next: readonly string[] | null;
  /** Whether the same command may succeed later without anybody's help. */
  readonly retry: boolean;
  /** For a refusal: the ways out. For payments in doubt: how a person records their outcome. */
  readonly remedies: readonly Remedy[];
  /** Earlier payments, each reported once. */
  readonly notices: readonly Notice[];
  /** The number of payments that a person has to settle. */
  readonly held: number;
  /** Rows that `--only` filters out, by rule. */
  readonly filtered: readonly FilteredGroup[];
  /** A new journal began with the call: it knew of no earlier payments. */
  readonly newJournal: boolean;
  /** When the newest payment at the target was before the call; null if none was known. */
  readonly lastPaymentAt: number | null;
  readonly people: HumanDetails;
}

/** What only people are told, or in other words. */
export interface HumanDetails {
  /** The call approves, and does not send. */
  readonly approves: boolean;
  /** The call has sent records. */
  readonly sends: boolean;
  /** Records that are not confirmed, and not sent again when the run continues: a person has to settle them. */
  readonly doubts: readonly InDoubtSummary[];
  /** Who stays unpaid at the end of a call that was not refused; null for nobody. */
  readonly unpaid: UnpaidRecords | null;
  /** The output files. */
  readonly written: readonly string[];
  /** Ways out of a refusal, of which a person chooses one. */
  readonly choices: readonly Remedy[];
  /** Of the gigs that would be sent; null if none, and for a call that sends. */
  readonly gigs: GigOverview | null;
  /** In a dry run, what a review would say of the payees; else null. */
  readonly changes: PayeeChanges | null;
  /** What comes later: how corrected records are sent, and how a report is written that could not be. */
  readonly later: readonly Remedy[];
}

export const NOBODY_TOLD: HumanDetails = {
  approves: false,
  sends: false,
  doubts: [],
  unpaid: null,
  written: [],
  choices: [],
  gigs: null,
  changes: null,
  later: [],
};

/** What the summary of every call says. */
export interface CallFacts extends Partial<RunSummary> {
  readonly exitCode: number;
  readonly stopReason: string | null;
  readonly command: string;
  readonly version: string;
  readonly startedAt: number;
  readonly durationMs: number;
}

/** What is not given is that of a call that has read nothing. */
export function createSummary(facts: CallFacts): RunSummary {
  return {
    dryRun: false,
    run: null,
    target: null,
    batchId: DEFAULT_BATCH,
    digest: null,
    records: NO_RECORDS,
    totals: [],
    warnings: 0,
    reasons: [],
    next: null,
    retry: facts.exitCode === EXIT.again,
    remedies: [],
    notices: [],
    held: 0,
    filtered: [],
    newJournal: false,
    lastPaymentAt: null,
    people: NOBODY_TOLD,
    ...facts,
  };
}

/** Counts and money of a call's records. Every valid record is in exactly one of seven states. */
export function countEntries(entries: RecordTable): {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
} {
  const totals = startTotals();
  // A pending record was not sent, and the money of an invalid record does not count.
  const { pending, ...counts } = entries.total(totals, (status) => {
    if (status === 'invalid') return null;
    return status === 'pending' ? 'not_sent' : status;
  });
  const read = entries.length;
  const valid = read - counts.invalid;
  const records = { ...NO_RECORDS, read, valid, ...counts, not_sent: counts.not_sent + pending };
  return { records, totals: totals.rows() };
}

/** Records of the input: counts and money, by type, currency and cost center. */
export type ReviewGroup = readonly TotalRow[];

/** A record whose amount a person should check. */
export interface HighlightedRecord extends RecordPlace {
  readonly amount: Decimal;
  readonly file: string;
  /** The payee; empty if not known. */
  readonly subject: string;
}

/** The amounts of a type and currency that show a misplaced decimal mark. */
export interface Extremes {
  readonly type: string;
  readonly currency: string | null;
  /** Largest first. */
  readonly largest: readonly HighlightedRecord[];
  readonly smallest: HighlightedRecord;
  /** The number of all amounts. */
  readonly count: number;
}

/** Everything that a person has to see before anything is sent. */
export interface ReviewReport {
  readonly target: string | null;
  readonly batchId: string;
  readonly digest: string | null;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly records: number }[];
  readonly invalid: number;
  readonly warnings: number;
  /** Rows that `--only` filters out, by rule. */
  readonly filtered: readonly FilteredGroup[];
  readonly inFile: ReviewGroup;
  /** Created before, or left out because an equal one was. */
  readonly before: ReviewGroup;
  /** Records that may have been paid before, and are not sent again. */
  readonly unknown: ReviewGroup;
  /** Records that were rejected before, and are not sent again. */
  readonly staysRejected: ReviewGroup;
  /** Open in another run, and without a decision. */
  readonly open: ReviewGroup;
  /** Similar to earlier payments: without a decision, or left out. */
  readonly similar: ReviewGroup;
  readonly toSend: ReviewGroup;
  /** Of the gigs to send; null if there are none. */
  readonly gigs: GigOverview | null;
  /** Of the records to send: similar to earlier payments, as a person has decided. */
  readonly sentSimilar: ReviewGroup;
  /** Of the records to send: amounts of zero, and below. */
  readonly zero: ReviewGroup;
  readonly negative: ReviewGroup;
  /** The confirmed run is recorded as approved, and not sent. */
  readonly approves: boolean;
  /** One entry for each type and currency to send, those with most records first; not all if there are many. */
  readonly extremes: readonly Extremes[];
  /** How many of the records to send had an earlier attempt. */
  readonly again: ResendCounts;
  /** When the newest payment at the target was, milliseconds since 1970; null if none is known. */
  readonly lastPaymentAt: number | null;
  /** Null if everything is decided. */
  readonly undecided: UndecidedRepeats | null;
  /** Earlier payments, each reported once. */
  readonly notices: readonly Notice[];
  /** Against the last batch of the profile; null if there is nothing to compare with. */
  readonly changes: PayeeChanges | null;
  /** The journal was restored, and does not know what its original has paid last; null if that is not so. */
  readonly lost: LostOriginal | null;
}

export interface Reporter {
  /** A finding, for people. */
  readonly note: (text: string) => void;
  readonly issue: (issue: Issue) => void;
  /** The calculation of an amount. On standard output, unless that is for programs. */
  readonly explain: (line: AmountExplanation) => void;
  /** Null if single records are not reported. */
  readonly record: ((report: RecordReport) => void) | null;
  /** Resolves when the reader has taken most of the output: callers with much output wait for it. Never rejects. */
  readonly ready: () => Promise<void>;
  /** Shows the records to send, before the question. */
  readonly review: (report: ReviewReport) => void;
  /** Progress; called often. */
  readonly progress: (state: ProgressState) => void;
  /** Resolves when everything is written. Never rejects. */
  readonly summary: (report: RunSummary) => Promise<void>;
}

export interface ProgressState {
  readonly doing: 'reading' | 'sending';
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** Records by outcome, as people read it, as far as known. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Why records are held back or tried again; null when none is. */
  readonly waiting?: Wait | null;
}

export interface Wait {
  readonly why: string;
  /** Milliseconds that all requests are still held back; 0 if only single records wait. */
  readonly heldMs: () => number;
}

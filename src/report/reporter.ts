/** What a run reports: one interface, with one printer for people and one for programs. */
import type { AmountExplained } from '../batch/content.js';
import type { Decimal } from '../money/decimal.js';
import type { Issue, RecordPlace } from '../records/issue.js';
import type { TotalRow } from '../money/totals.js';
import type { Again, DoubtsOfRun, Notice } from './notice-words.js';
import type { RecordReport } from './record-report.js';

/** A way out of what refuses a run. */
export interface Remedy {
  /** The case that it is for. */
  readonly when: string;
  /** The words of the command. */
  readonly command: readonly string[];
}

export interface SummaryReport {
  readonly exitCode: number;
  readonly command: string;
  readonly dryRun: boolean;
  /** It was called to approve, instead of sending. */
  readonly approves: boolean;
  readonly run: string | null;
  readonly target: string | null;
  readonly batchId: string;
  readonly digest: string | null;
  readonly stopReason: string | null;
  readonly records: Readonly<Record<string, number>>;
  readonly totals: readonly TotalRow[];
  readonly warnings: number;
  /** The program's version. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Why it ended as it did, a sentence each. */
  readonly reasons: readonly string[];
  /** How many records of unknown outcome are not sent again when the run goes on: a person has to settle them. */
  readonly held: number;
  /** Where these are, and since when; also where no run of this call has them. Only for people. */
  readonly doubts: readonly DoubtsOfRun[];
  /** What was paid before, told once. */
  readonly notices: readonly Notice[];
  /** For a refusal: what can be done about it. */
  readonly remedies: readonly Remedy[];
  /** A new journal began with the call: nothing was known of earlier payments. */
  readonly newJournal: boolean;
  /** When the newest payment at the target was before the call, milliseconds since 1970; null where none was known. */
  readonly lastPaymentAt: number | null;
  /** The words of the command that goes on, or null when there is nothing to go on with. */
  readonly next: readonly string[] | null;
}

/** A count with its money, by type and currency. */
export interface Part {
  readonly count: number;
  readonly totals: readonly TotalRow[];
}

/** A record whose amount is worth a look. */
export interface Notable extends RecordPlace {
  readonly amount: Decimal;
  readonly file: string;
  /** Whom it is for; empty where it is not known. */
  readonly subject: string;
}

/** The amounts of a type and currency in which a misplaced decimal mark shows. */
export interface Extremes {
  readonly type: string;
  readonly currency: string | null;
  /** Largest first. */
  readonly largest: readonly Notable[];
  readonly smallest: Notable;
  /** How many amounts there are. */
  readonly count: number;
}

/** Repeats that nobody has decided about yet. */
export interface UndecidedRepeats {
  /** How many have the content of a payment that was created, or is in doubt. */
  readonly sent: number;
  /** How many of these are in doubt. */
  readonly inDoubt: number;
  /** How many need something else first: a run that has them open, or the rejects of another run. */
  readonly blocked: number;
  /** How many are similar to an earlier payment. */
  readonly similar: number;
  /** Of those that are asked about: of the ones that were sent before, or where there are none, of the similar ones. */
  readonly totals: readonly TotalRow[];
  /** The newest payment that has the content of one of them; null where they are only similar. */
  readonly last: { readonly run: string; readonly at: number; readonly file: string | null } | null;
}

/** What a person has to see before anything is sent. */
export interface ReviewReport {
  readonly target: string | null;
  readonly batchId: string;
  readonly digest: string | null;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly records: number }[];
  readonly invalid: number;
  readonly warnings: number;
  readonly inFile: Part;
  /** Created before, or left out for an equal one that was. */
  readonly before: Part;
  /** Records that may have been carried out before, and are not sent again. */
  readonly unknown: Part;
  /** Records that were rejected before, and are not sent again. */
  readonly staysRejected: Part;
  /** Open in another run, and not decided about. */
  readonly open: Part;
  /** Similar to earlier payments: not decided about, or left out. */
  readonly similar: Part;
  readonly toSend: Part;
  /** Of what is to be sent: amounts of zero, and below. */
  readonly zero: Part;
  readonly negative: Part;
  /** What is confirmed is written down as approved, and not sent. */
  readonly approves: boolean;
  /** One entry for each type and currency that is to be sent, those with most records first; not all where there are many. */
  readonly extremes: readonly Extremes[];
  /** How many of the records to send were tried before. */
  readonly again: Again;
  /** When the newest payment at the target was, milliseconds since 1970; null where none is known. */
  readonly lastPaymentAt: number | null;
  /** Null where everything is decided. */
  readonly undecided: UndecidedRepeats | null;
  /** What was paid before, told once. */
  readonly notices: readonly Notice[];
}

export interface Reporter {
  /** Something that was found out, for people. */
  readonly note: (text: string) => void;
  readonly issue: (issue: Issue) => void;
  /** An output file was written; people are told at the end. */
  readonly wrote: (text: string) => void;
  /** How an amount came about. On standard output, unless that is for programs. */
  readonly explain: (line: AmountExplained) => void;
  /** Null where single records are not reported. */
  readonly record: ((report: RecordReport) => void) | null;
  /** Resolves when the reader has taken most of what it was told: whoever tells much waits for it. Never rejects. */
  readonly ready: () => Promise<void>;
  /** Shows what would be sent, before the question. */
  readonly review: (report: ReviewReport) => void;
  /** How far it is; called often. */
  readonly progress: (state: ProgressState) => void;
  readonly summary: (report: SummaryReport) => void;
}

export interface ProgressState {
  readonly doing: 'reading' | 'sending';
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** Records by what became of them, in words, as far as it is known. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Why records are held back or tried again; null when none is. */
  readonly waiting?: Wait | null;
}

export interface Wait {
  readonly why: string;
  /** Milliseconds that all requests are still held back; 0 where only single records wait. */
  readonly heldMs: () => number;
}

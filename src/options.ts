/** The options of a run: the settings of one call, ready to use. */
import type { Caller } from './journal/audit-log.js';
import type { Approval, Decisions, Run } from './journal/payment.js';
import type { JournalLocation } from './journal/location.js';
import type { CellNotation } from './input/cells.js';
import type { Assignment } from './input/columns.js';
import type { Encoding } from './input/encoding.js';
import type { Format } from './input/formats.js';
import type { KnownValues } from './input/known-values.js';
import type { ProfileSheet } from './input/profile-sheet.js';
import type { FilterRule } from './input/filtered-rows.js';
import type { TemplateFile } from './input/template.js';
import type { RecordType } from './records/types.js';
import type { ExpectedTotal } from './config/parsers.js';
import type { SettingSources } from './config/resolve.js';
import type { Redactor } from './config/secrets.js';
import type { CommandLine } from './follow-up/command-line.js';

export type { ExpectedTotal };

/** The faults that the embedded service simulates. */
export interface FaultOptions {
  /** Milliseconds by which an answer is late. */
  readonly latency: number;
  /** Probability of an answer 503, from 0 to 1. */
  readonly failRate: number;
  /** Probability that a request is carried out and its connection is cut, from 0 to 1. */
  readonly dropRate: number;
  /** Requests per second, beyond which the answer is 429; null for no limit. */
  readonly rateLimit: number | null;
}

export type Target =
  | { readonly kind: 'url'; readonly name: string; readonly baseUrl: string }
  /** The embedded service on the data file; null in a dry run that finds no place for it. */
  | {
      readonly kind: 'sandbox';
      readonly name: 'sandbox';
      readonly file: string | null;
      readonly faults: FaultOptions;
    };

/** What is read, and how: the settings of the input, and values derived from them. */
export interface InputOptions {
  /** Files in the order of the command line; `-` is standard input. Empty when flags contain the record's fields. */
  readonly files: readonly string[];
  /** Null: the columns decide. */
  readonly type: RecordType | null;
  /** Null: the extension decides, else the content. */
  readonly format: Format | null;
  /** Null: detected. */
  readonly encoding: Encoding | null;
  /** Null: detected. */
  readonly delimiter: string | null;
  /** From 1; 0 for no header; null to detect. */
  readonly headerLine: number | null;
  /** The name or number of a workbook's sheet, as written; null: the only visible one. */
  readonly sheet: string | null;
  /** If a profile names it. */
  readonly profileSheet: ProfileSheet | null;
  /** Rows with too few cells end in empty cells. */
  readonly padShortRows: boolean;
  /** How amounts and dates are written. */
  readonly style: CellNotation;
  /** Rows that do not fulfil all of these are not records. */
  readonly only: readonly FilterRule[];
  /** Columns whose values must be among those that a person has decided about. */
  readonly knownValues: readonly KnownValues[];
  /** The field of each renamed column. */
  readonly map: ReadonlyMap<string, string>;
  /** Names in `map` that come from the command line, and so must be in a file. */
  readonly mapMustMatch: readonly string[];
  readonly ignoreColumns: ReadonlySet<string>;
  /** Names in `ignoreColumns` that come from the command line, and so must be in a file. */
  readonly ignoreMustMatch: readonly string[];
  /** Columns that are neither fields nor in `map` are dropped. */
  readonly ignoreOtherColumns: boolean;
  /** The file with the record that each row fills in; null if columns are fields. */
  readonly template: TemplateFile | null;
  /** Values that are set on every record, instead of the file's. */
  readonly assignments: readonly Assignment[];
  /** File of base prices, as typed; null for none. */
  readonly prices: string | null;
  /** Payouts of zero or below are sent, with a warning. */
  readonly allowNegative: boolean;
  /** Total rows and template examples are records. */
  readonly allowTotalRow: boolean;
  /** An input without a single record is done. */
  readonly allowEmpty: boolean;
}

export interface FileApproval extends Approval {
  /** As typed. */
  readonly file: string;
}

/** Whether a run may send: the settings, and values derived from them. */
export interface SafetyOptions {
  /** Nothing is sent, and the journal is only read: a dry run, or a call that approves. */
  readonly dryRun: boolean;
  /** Refuse unless exactly so many records are valid; null without `--expect-count`. */
  readonly expectCount: number | null;
  /** Refuse unless the totals are exactly these. */
  readonly expectTotal: readonly ExpectedTotal[];
  /** Refuse unless the run has this digest, as typed; null for any. */
  readonly expectDigest: string | null;
  /** Where the approval of this call goes: a file, or null for the shared journal. Null: it approves nothing. */
  readonly approve: { readonly file: string | null } | null;
  /** Only the approved run may be sent; null: any run. */
  readonly approval: FileApproval | null;
  /** The setting that requires another person's approval, with its source; null for none. */
  readonly requireApproval: string | null;
  /** Nobody is asked. */
  readonly yes: boolean;
  readonly batchId: string;
  /** The batch was named on the command line. */
  readonly batchNamed: boolean;
  /** Fields that identify a record; empty: its whole content does. */
  readonly keyColumns: readonly string[];
  /** The valid records are sent although others are invalid. */
  readonly skipInvalid: boolean;
  /** Warnings are errors. */
  readonly strict: boolean;
  /** The decisions about repeats. */
  readonly decisions: Decisions;
  /** What the service has rejected is sent again. */
  readonly retryRejected: boolean;
  /** Records that may have been paid, and that their key no longer protects, are sent again, once. */
  readonly resendUnknown: boolean;
  /** How long the service is trusted to remember a key; null if not set. */
  readonly keyLifetimeMs: number | null;
  /** Stop when so many records have been rejected; null: never. */
  readonly stopAfter: number | null;
}

export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Where the credentials among them come from, for messages. */
  readonly credentialPlaces: readonly string[];
  /**
   * Reads secrets in files or from commands again, and returns all headers; null if there are no such secrets.
   * @throws UsageError for one that is missing now
   */
  readonly readAgain: ((stop: AbortSignal) => Promise<Readonly<Record<string, string>>>) | null;
  readonly timeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Requests per second; null for no limit. */
  readonly rate: number | null;
  /** PEM texts. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Proxy settings as the environment has them; null if none apply. */
  readonly proxy: Readonly<Partial<Record<'http' | 'https' | 'no', string | undefined>>> | null;
}

export interface JournalOptions {
  readonly place: JournalLocation;
  /** The journal must exist already. */
  readonly required: boolean;
  /** How long to wait for a shared journal that does not answer, milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Which answers confirm a creation, and where they have its id: the service's document shows no answers. Paths are dot
 * paths from the answer's object; a number steps into a list. CONTRACT: "Sending".
 */
export interface ResponseRules {
  /** Dot paths that must exist and not be null, or `PATH=VALUE|VALUE`. */
  readonly require: readonly string[];
  readonly id: string;
  /** A 2xx without a body, or with an empty object, confirms too. */
  readonly empty: boolean;
  /** A 202 is judged like any other 2xx. */
  readonly accepted: boolean;
  /** Where the answer to a gig has the list of its tasks. */
  readonly tasks: string;
  /** Where each task of that list has its id. */
  readonly taskId: string;
}

export interface OutputOptions {
  /** Events for programs on standard output. */
  readonly json: boolean;
  /** Report files, as typed; their extensions name their formats. */
  readonly report: readonly string[];
  /** File of the records to correct, or a folder for several inputs; null for none. */
  readonly rejects: string | null;
  /** File of the input with the state of each row, or a folder; null for none. */
  readonly results: string | null;
  /** Files that are there already are replaced, whoever wrote them. */
  readonly overwrite: boolean;
  /** File of the tasks of the created gigs, with their ids; null for none. */
  readonly taskList: string | null;
  /** File that a line is appended to for each attempt; `-` for standard error; null for none. */
  readonly logFile: string | null;
  /** Only errors and results are printed. */
  readonly quiet: boolean;
  readonly progress: boolean;
  /** The computation of each amount is printed. */
  readonly explain: boolean;
  readonly color: boolean;
  /** Stack traces and requests on standard error. */
  readonly debug: boolean;
}

/** What the settings of a call decide. */
export interface ConfiguredOptions {
  /** As the person wrote it, without its options: `payout create`. */
  readonly command: string;
  /** Where they come from: printed commands name the same sources. */
  readonly settings: SettingSources;
  readonly input: InputOptions;
  /** Names of the headers that were typed as flags: the run needs them whenever it continues. */
  readonly headerNames: readonly string[];
  /** The run to continue only from the journal; null for a call that reads its input. */
  readonly resume: Run | null;
  readonly safety: SafetyOptions;
  /** Null in a dry run without one. */
  readonly target: Target | null;
  readonly send: SendOptions;
  readonly response: ResponseRules;
  readonly output: OutputOptions;
  readonly journal: JournalOptions;
  /** Files that settings were read from: no output is written over one. */
  readonly settingsFiles: readonly string[];
  readonly redactor: Redactor;
  /** When the call began, by the machine's clock. Milliseconds since 1970. */
  readonly startedAt: number;
  readonly platform: NodeJS.Platform;
}

export interface RunOptions extends ConfiguredOptions {
  /** As typed: printed commands are made from it. */
  readonly commandLine: CommandLine;
  /** The person who calls the program, and how. */
  readonly caller: Caller;
}

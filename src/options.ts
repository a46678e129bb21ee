/** What a run is asked to do: the settings of one call, ready to use. */
import type { Caller, InputCall } from './ledger/event.js';
import type { Approval, Decisions, Run } from './ledger/payment.js';
import type { JournalPlace } from './ledger/place.js';
import type { ReadOptions } from './input/reading.js';
import type { RecordType } from './records/kind.js';
import type { Secrets } from './config/secrets.js';
import type { OptionsIn } from './config/sources.js';

export type { ExpectedTotal } from './config/values.js';

/** Where records go. */
export type Target =
  | { readonly kind: 'url'; readonly name: string; readonly baseUrl: string }
  /** The embedded service on the data file; null in a dry run that finds no place for it. */
  | {
      readonly kind: 'sandbox';
      readonly name: 'sandbox';
      readonly file: string | null;
      readonly faults: OptionsIn<'faults'>;
    };

/** What is read, and how: the settings of the input, and what follows from them. */
export interface InputOptions
  extends
    Omit<
      OptionsIn<'input'>,
      'decimal' | 'dateFormat' | 'currencySigns' | 'negate' | 'set' | 'map' | 'ignoreColumns' | 'only'
    >,
    Pick<ReadOptions, 'style' | 'assignments' | 'only'> {
  /** Files in the order given; `-` is standard input. Empty when the record's fields were given as flags. */
  readonly files: readonly string[];
  /** Null: told by the columns. */
  readonly type: RecordType | null;
  readonly map: ReadonlyMap<string, string>;
  /** Names in `map` that come from the command line, and so must be in a file. */
  readonly mapMustMatch: readonly string[];
  readonly ignoreColumns: ReadonlySet<string>;
  /** What names the config file and the profile for `gigwork setup`. */
  readonly setUpWords: readonly string[];
  /** Names in `ignoreColumns` that come from the command line, and so must be in a file. */
  readonly ignoreMustMatch: readonly string[];
}

/** An approval, and the file that it was read from. */
export interface FileApproval extends Approval {
  /** As it was given. */
  readonly file: string;
}

/** The settings that decide whether a run may send, and what follows from them. */
export interface SafetyOptions extends Omit<
  OptionsIn<'safety'>,
  keyof Decisions | 'keyLifetime' | 'approve' | 'approval' | 'requireApproval' | 'batchId' | 'keyColumns'
> {
  /** Nothing is sent, and the journal is only read: a dry run, or a call that approves. */
  readonly dryRun: boolean;
  /** Where the approval of this run is written, a file or, for null, the shared journal; null for a call that approves nothing. */
  readonly approve: { readonly file: string | null } | null;
  /** What alone may be sent; null where anything may. */
  readonly approval: FileApproval | null;
  /** The setting that asks for an approval by another person than the sender, with its place; null where none does. */
  readonly requireApproval: string | null;
  readonly batchId: string;
  /** The batch was named on the command line. */
  readonly batchNamed: boolean;
  readonly keyColumns: readonly string[];
  /** What is done with repeats. */
  readonly decisions: Decisions;
  /** How long the service is trusted to remember a key; null where nothing was said. */
  readonly keyLifetimeMs: number | null;
}

export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Reads the secrets again that are kept in files or printed by commands, and gives all headers; null where none is.
   * @throws UsageError for one that is not there any more
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
  /** Proxy settings as the environment has them; null where none apply. */
  readonly proxy: Readonly<Partial<Record<'http' | 'https' | 'no', string | undefined>>> | null;
}

/** Where the ledger is. */
export interface JournalOptions {
  readonly place: JournalPlace;
  /** There must be one already. */
  readonly required: boolean;
  /** How long a shared one that does not answer is waited for, milliseconds. */
  readonly timeoutMs: number;
}

/**
 * What confirms a creation, and where its id is: the service's document shows no answers. Paths are dot paths from the
 * answer's object; a number steps into a list. CONTRACT: "Sending".
 */
export interface ResponseRules {
  /** Must be there, and not null. */
  readonly require: readonly string[];
  readonly id: string;
  /** A 2xx without a body confirms too. */
  readonly empty: boolean;
}

export interface OutputOptions extends OptionsIn<'output'> {
  readonly color: boolean;
  readonly debug: boolean;
}

/** Commands that go on, word by word. Secrets are hidden in them. */
export interface Onward {
  /** The first word of a command: `gigwork`, or the program's path. */
  readonly program: string;
  /** What follows `gigwork batch resume RUN`. */
  readonly resume: readonly string[];
  /** This very call once more, from any folder. */
  readonly again: readonly string[];
  /** The input files in it. */
  readonly files: readonly string[];
  /** The same as it was typed, for another person: what came from variables here is set otherwise there. */
  readonly typed: readonly string[];
  /** What the journal keeps of it. */
  readonly inputCall: InputCall;
}

export interface RunOptions {
  /** Who calls the program, and how. */
  readonly caller: Caller;
  /** As the person wrote it, without its options: `payout create`. */
  readonly command: string;
  /** The options that a later command needs to find the same settings and the same ledger. */
  readonly place: readonly string[];
  readonly onward: Onward;
  readonly input: InputOptions;
  /** Names of the headers that were given as flags: the run needs them whenever it goes on. */
  readonly headerNames: readonly string[];
  /** The run to go on with from the journal alone; null for one that reads its input. */
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
  readonly secrets: Secrets;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** When the call began. */
  readonly startedAt: number;
  readonly platform: NodeJS.Platform;
}

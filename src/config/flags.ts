/** The flags of the commands that run records, as commander hands them over: texts, checked when they are resolved. */

/** The words that some flags take: checked when they are resolved, offered when they are completed. */
export const CHOICES = {
  format: ['csv', 'json', 'ndjson', 'xlsx'],
  templateFormat: ['csv', 'json', 'ndjson'],
  encoding: ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'],
  delimiter: ['comma', 'semicolon', 'tab', 'pipe'],
  decimal: ['point', 'comma'],
  dateFormat: ['ymd', 'dmy', 'mdy'],
} as const;

export interface InputFlags {
  readonly type?: string;
  readonly format?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly dateFormat?: string;
  readonly currencySigns?: boolean;
  readonly negate?: boolean;
  readonly headerLine?: string;
  readonly sheet?: string;
  readonly padShortRows?: boolean;
  readonly map?: readonly string[];
  readonly ignoreColumn?: readonly string[];
  readonly ignoreOtherColumns?: boolean;
  readonly set?: readonly string[];
  readonly prices?: string;
  readonly allowNegative?: boolean;
  readonly allowTotalRow?: boolean;
  readonly allowEmpty?: boolean;
}

export interface SafetyFlags {
  readonly dryRun?: boolean;
  readonly expectCount?: string;
  readonly expectTotal?: readonly string[];
  readonly expectDigest?: string;
  /** Empty where no file is named. */
  readonly approve?: string;
  readonly approval?: string;
  readonly yes?: boolean;
  readonly batchId?: string;
  readonly keyColumns?: string;
  readonly skipCreated?: boolean;
  readonly skipSimilar?: boolean;
  readonly sendSimilar?: string;
  readonly retryRejected?: boolean;
  readonly skipInvalid?: boolean;
  readonly strict?: boolean;
  readonly resendUnknown?: boolean;
  readonly keyLifetime?: string;
  readonly stopAfter?: string;
}

export interface TargetFlags {
  readonly baseUrl?: string;
  readonly sandbox?: boolean;
  readonly account?: string;
  readonly profile?: string;
  readonly config?: string;
  readonly header?: readonly string[];
  readonly timeout?: string;
  readonly retries?: string;
  readonly concurrency?: string;
  readonly rate?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly allowHttp?: boolean;
  readonly latency?: string;
  readonly failRate?: string;
  readonly dropRate?: string;
  readonly rateLimit?: string;
}

export interface OutputFlags {
  readonly json?: boolean;
  readonly report?: readonly string[];
  readonly rejects?: string;
  readonly results?: string;
  readonly logFile?: string;
  readonly quiet?: boolean;
  /** False for `--no-progress`. */
  readonly progress?: boolean;
  readonly color?: boolean;
  readonly stateDir?: string;
  readonly journal?: string;
  readonly journalTimeout?: string;
  readonly requireJournal?: boolean;
  readonly explain?: boolean;
  readonly debug?: boolean;
}

export interface RunFlags extends InputFlags, SafetyFlags, TargetFlags, OutputFlags {}

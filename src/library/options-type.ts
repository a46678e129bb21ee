/**
 * The options of a call, as programs write them: the settings of the command line in camel case. A test
 * holds them against the table of settings.
 */

/** Read one by one, when each is needed; `satisfies Payout` checks them while they are written. */
export type Records = Iterable<object> | AsyncIterable<object>;

/** A secret, or the place where it is kept. The variable must be in `env`. */
export type Secret =
  string | { readonly env: string } | { readonly file: string } | { readonly command: readonly string[] };

/** Which answers confirm a creation, and where they have its id. */
export interface ResponseOptions {
  /** Dot paths that must be there and not null, or `PATH=VALUE|VALUE`. */
  require?: readonly string[] | undefined;
  /** Dot path of the id. Default: `id`. */
  id?: string | undefined;
  /** A 2xx without a body, or with `{}`, confirms too. */
  empty?: boolean | undefined;
  /** A 202 is judged like any other 2xx. */
  accepted?: boolean | undefined;
  /** Dot path of the list of tasks in the answer to a gig. Default: `tasks`. */
  tasks?: string | undefined;
  /** Dot path of the id in each of those tasks. Default: `id`. */
  task_id?: string | undefined;
}

/** Where the journal is, where records are sent, and how. */
export interface CallTargetOptions {
  /** Address of the service. */
  baseUrl?: string | undefined;
  /** Send to the embedded service instead. */
  sandbox?: boolean | undefined;
  /** Name of the account, where two share a URL. */
  account?: string | undefined;
  /** Sent as `Authorization: Bearer …`. */
  token?: Secret | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** What confirms a creation. */
  response?: ResponseOptions | undefined;
  /** Seconds for one attempt, first byte to last. Default: 30. */
  timeout?: number | undefined;
  /** More attempts after the first. Default: 5. */
  retries?: number | undefined;
  /** Requests at a time. Default: 8. */
  concurrency?: number | undefined;
  /** Requests per second. Default: no limit. */
  rate?: number | undefined;
  /** File of a certificate authority to trust, PEM. */
  ca?: string | undefined;
  /** File of the client certificate, PEM. */
  cert?: string | undefined;
  /** File of its key, PEM. */
  key?: string | undefined;
  /** Allow `http://` beyond this machine. */
  allowHttp?: boolean | undefined;
  /** Folder of the journal and of the sandbox data. */
  stateDir?: string | undefined;
  /** `sqlite:FOLDER`, or a shared one: `postgresql://USER@HOST/DATABASE`. */
  journal?: string | undefined;
  /** Seconds to wait for a shared journal that does not answer. Default: 60. */
  journalTimeout?: number | undefined;
  /** Refuse to begin a new journal, which knows nothing of earlier payments. */
  requireJournal?: boolean | undefined;
  /** Config file to read. */
  config?: string | undefined;
  /** Profile of the config file: the one of `config`, else of the usual place. */
  profile?: string | undefined;
  /** Variables that may be read, mostly `process.env`: GIGWORK_TOKEN, GIGWORK_STATE_DIR, HTTPS_PROXY, … */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Stops the run in order, as a signal does a command. */
  signal?: AbortSignal | undefined;
  /** The sandbox answers so many milliseconds later. */
  latency?: number | undefined;
  /** The sandbox answers 503 with this probability. */
  failRate?: number | undefined;
  /** The sandbox carries out, then cuts the connection, with this probability. */
  dropRate?: number | undefined;
  /** The sandbox answers 429 beyond so many requests per second. */
  rateLimit?: number | undefined;
}

/** Whether a run may send. */
export interface CallSafetyOptions {
  /** Everything but the sending. */
  dryRun?: boolean | undefined;
  /** Send without a control total. */
  yes?: boolean | undefined;
  /** Refuse unless exactly so many records are valid. */
  expectCount?: number | undefined;
  /** Refuse unless a total is exactly this: `[TYPE/][CUR|none]=AMOUNT`, or the amount where there is one total. */
  expectTotal?: string | number | readonly (string | number)[] | undefined;
  /** Refuse unless this is the very run that was approved. */
  expectDigest?: string | undefined;
  /** Approve instead of sending: into this file, or with `true` into a shared journal. */
  approve?: string | true | undefined;
  /** Send only what this file approves. */
  approval?: string | undefined;
  /** Refuse to send what no other person than the sender has approved. */
  requireApproval?: boolean | undefined;
  /** Warnings are errors. */
  strict?: boolean | undefined;
  /** Leave out what was paid already. */
  skipCreated?: boolean | undefined;
  /** Leave out similar records: they are the same payments. */
  skipSimilar?: boolean | undefined;
  /** Similar records are separate payments: send at most so many. */
  sendSimilar?: number | undefined;
  /** Send again what the service has rejected. */
  retryRejected?: boolean | undefined;
  /** Send again, once, records that may have been paid and that their key no longer protects. */
  resendUnknown?: boolean | undefined;
  /** Hours that the service is trusted to remember a key. Default: 24. */
  keyLifetime?: number | undefined;
  /** Stop when so many records have been rejected. */
  stopAfter?: number | undefined;
}

/** Files that a call writes. */
export interface CallOutputOptions {
  /** Records as `.csv`, `.xlsx`, `.ndjson`, `.html`. */
  report?: string | readonly string[] | undefined;
  /** The records to correct, as NDJSON. */
  rejects?: string | undefined;
  /** The records, with what became of each. */
  results?: string | undefined;
  /** Replace files that are there already, whoever wrote them. */
  overwrite?: boolean | undefined;
  /** The tasks of created gigs, with the ids that results need: `.csv`, `.xlsx`. */
  taskList?: string | undefined;
  /** Append a line of JSON for each attempt. */
  logFile?: string | undefined;
}

/** How records are read, and which of them are sent. */
export interface CallRecordOptions {
  /** Send the valid records although others are invalid. */
  skipInvalid?: boolean | undefined;
  /** Period or purpose, as `2026-11`. Default: `default`. */
  batchId?: string | undefined;
  /** Fields that identify a record. */
  keyColumns?: string | readonly string[] | undefined;
  /** File of base prices: `gig_task_id,base_price`. */
  prices?: string | undefined;
  /** File with a record as JSON that each record given fills in: their members are its variables. */
  template?: string | undefined;
  /** Set on every record; dot paths for nested fields. */
  set?: Readonly<Record<string, unknown>> | undefined;
  /** The field of each renamed member. */
  map?: Readonly<Record<string, string>> | undefined;
  /** Members to drop. */
  ignoreColumns?: string | readonly string[] | undefined;
  /** Drop members that are not fields and not mapped. */
  ignoreOtherColumns?: boolean | undefined;
  /** Time zone of timestamps that are texts without an offset, such as `Europe/Berlin`. */
  timeZone?: string | undefined;
  /** Amounts change their sign. */
  negate?: boolean | undefined;
  /** Send payouts of zero or below, with a warning. */
  allowNegative?: boolean | undefined;
  /** Treat total rows and template examples as records. */
  allowTotalRow?: boolean | undefined;
  /** No record at all is done. */
  allowEmpty?: boolean | undefined;
}

/** The options of `submit`. */
export interface Options extends CallTargetOptions, CallSafetyOptions, CallOutputOptions, CallRecordOptions {}

/** The options of `resume`: what identifies the payments was decided by the first call. */
export interface ResumeOptions extends CallTargetOptions, CallSafetyOptions, CallOutputOptions {}

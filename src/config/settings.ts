/**
 * The table of all settings, and of the flags that commands share. The first line of a row has its sources and its
 * type, the last one is its help. It defines the options of the commands, the keys of the config file, the precedence
 * of sources, `config show`, the options that a command to continue repeats, completion, and the reference. CONTRACT:
 * the tables under "Commands", and "Settings".
 */
import { delimiterNamed } from '../input/csv-dialect.js';
import { encodingNamed } from '../input/encoding.js';
import { parseFilter } from '../input/row-filter.js';
import { RECORD_TYPES } from '../records/kinds.js';
import type { KeyTypes } from './config-schema.js';
import {
  parseColumnPair,
  expectedTotal,
  fieldNames,
  fieldPair,
  folderName,
  headerPair,
  hexDigest,
  parseSwitch,
  numberWithin,
  accountName,
  parseName,
  sheetName,
  parseInteger,
} from './parsers.js';

/** A row of the table. */
export interface Setting {
  /** As help shows it. Without a value, it is a switch. None: only other sources can set it. */
  readonly flag?: `--${string}`;
  /**
   * How often the flag may be typed. `once` for flags that decide what is paid; `repeated` for those that may be. For any
   * other, the last one counts.
   */
  readonly occurs?: 'once' | 'repeated';
  readonly env?: `GIGWORK_${string}`;
  /** Type of the key with the setting's name, in the config file and its profiles; `words`: one of the words. */
  readonly key?: keyof KeyTypes | 'words';
  /** The only words that it takes; with `parse`, the ones that completion offers. */
  readonly words?: readonly string[];
  /** Converts the written value. @param name where it is written, for the message. @throws UsageError */
  readonly parse?: (name: string, written: never) => unknown;
  /** Without a default: false for a switch, an empty list for a `repeated` one, else null. */
  readonly default?: string | number | boolean;
  readonly help: string;
  /** Help shows it even if there are too many flags to show all. */
  readonly everyday?: true;
  /**
   * The printed command to continue repeats it. A `place` is named whatever its source: a variable may not be set where
   * the command is pasted. A `file` and a `way` to send are repeated if they were typed, a file with its full path.
   * Secrets are hidden only in a `way`: with a hidden part, a place or a file would be another one.
   */
  readonly inFollowUp?: 'place' | 'file' | 'way';
  /** `config show` has a row for it. Default: settings that a variable or the config file can set. */
  readonly shown?: boolean;
}

type Rows = Readonly<Record<string, Setting>>;

const DAY_SECONDS = 86_400;
const TEN_YEARS_HOURS = 87_600;

/** What is read, and how. CONTRACT: "Input flags". `gigwork setup` writes the settings with a key into a profile. */
// prettier-ignore
const INPUT = {
  format: { flag: '--format <format>', words: ['csv', 'json', 'ndjson', 'xlsx'],
    help: 'csv, json, ndjson or xlsx (default: by extension, else by content)' },
  encoding: { flag: '--encoding <name>', occurs: 'once', key: 'text',
    parse: encodingNamed, words: ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'],
    help: 'utf-8, utf-16le, utf-16be or windows-1252 (default: detected)' },
  delimiter: { flag: '--delimiter <character>', occurs: 'once', key: 'text',
    parse: delimiterNamed, words: ['comma', 'semicolon', 'tab', 'pipe'],
    help: 'comma, semicolon, tab or pipe (default: detected)' },
  decimal: { flag: '--decimal <mark>', occurs: 'once', key: 'words', words: ['point', 'comma'], everyday: true,
    help: 'how numbers are written in CSV: point or comma' },
  date_format: { flag: '--date-format <order>', occurs: 'once', key: 'words', words: ['ymd', 'dmy', 'mdy'],
    default: 'ymd', everyday: true,
    help: 'dates in CSV: ymd, dmy or mdy (default: ymd)' },
  currency_signs: { flag: '--currency-signs', key: 'on or off',
    help: 'amounts may carry the sign or code of their currency' },
  negate: { flag: '--negate', key: 'on or off',
    help: 'amounts change their sign: banks show money going out as negative' },
  only: { flag: '--only <condition>', occurs: 'repeated', key: 'text or texts', parse: parseFilter, shown: false,
    help: 'read only rows with COLUMN=VALUE, COLUMN!=VALUE, COLUMN<0 or COLUMN>0; repeatable' },
  header_line: { flag: '--header-line <n>', occurs: 'once', key: 'number', parse: parseInteger(0, 10_000), everyday: true,
    help: 'line with the column names; 0: none, use #1, #2' },
  sheet: { flag: '--sheet <name>', occurs: 'once', key: 'sheet', parse: sheetName,
    help: 'sheet of a workbook, by name or number (default: the only visible one)' },
  pad_short_rows: { flag: '--pad-short-rows', key: 'on or off',
    help: 'read rows with too few cells as ending in empty cells' },
  allow_negative: { flag: '--allow-negative',
    help: 'send payouts of zero or below, with a warning' },
  map: { flag: '--map <column=field>', occurs: 'repeated', key: 'table of texts', parse: parseColumnPair, everyday: true,
    shown: false,
    help: 'rename a column; repeatable' },
  ignore_columns: { flag: '--ignore-column <name>', occurs: 'repeated', key: 'texts', shown: false,
    help: 'drop a column; repeatable' },
  ignore_other_columns: { flag: '--ignore-other-columns', key: 'on or off', everyday: true,
    help: 'ignore columns that are not fields and not mapped' },
  set: { flag: '--set <field=value>', occurs: 'repeated', key: 'table of values', parse: fieldPair, everyday: true,
    shown: false,
    help: 'on every record; dot paths, @file.json; repeatable' },
  prices: { flag: '--prices <file>', occurs: 'once',
    help: 'base prices: CSV or JSON, gig_task_id,base_price' },
  allow_total_row: { flag: '--allow-total-row',
    help: 'treat total rows and template examples as records' },
  allow_empty: { flag: '--allow-empty',
    help: 'input without a single record is done' },
} as const satisfies Rows;

/** Whether a run may send. CONTRACT: "Safety flags" and "Approval". */
// prettier-ignore
const SAFETY = {
  dry_run: { flag: '--dry-run', everyday: true,
    help: 'everything but the sending; writes named files only' },
  expect_count: { flag: '--expect-count <n>', occurs: 'once', parse: parseInteger(0), everyday: true,
    help: 'refuse unless exactly so many records are valid' },
  expect_total: { flag: '--expect-total <total>', occurs: 'repeated', parse: expectedTotal, everyday: true,
    help: 'refuse unless a total is exactly this: [TYPE/][CUR|none]=AMOUNT; repeatable' },
  expect_digest: { flag: '--expect-digest <digest>', occurs: 'once', parse: hexDigest,
    help: 'refuse unless this is the very run that was approved' },
  approve: { flag: '--approve [file]', occurs: 'once',
    help: 'approve instead of sending; the file says what was approved' },
  approval: { flag: '--approval <file>', occurs: 'once',
    help: 'send only what this file approves' },
  require_approval: { key: 'on or off', default: false,
    help: 'refuse to send what no other person than the sender has approved' },
  yes: { flag: '--yes', everyday: true, inFollowUp: 'way',
    help: 'ask no question' },
  batch_id: { flag: '--batch-id <name>', occurs: 'once', parse: parseName, everyday: true,
    help: 'period or purpose, as 2026-11 (default: default)' },
  key_columns: { flag: '--key-columns <a,b>', occurs: 'once', parse: fieldNames,
    help: 'fields that identify a record' },
  skip_invalid: { flag: '--skip-invalid',
    help: 'send the valid records although others are invalid' },
  strict: { flag: '--strict',
    help: 'warnings are errors' },
  skip_created: { flag: '--skip-created', everyday: true, inFollowUp: 'way',
    help: 'leave out what was paid already' },
  skip_similar: { flag: '--skip-similar', inFollowUp: 'way',
    help: 'leave out similar records: they are the same payments' },
  send_similar: { flag: '--send-similar <n>', occurs: 'once', parse: parseInteger(0),
    help: 'similar records are separate payments: send at most so many' },
  retry_rejected: { flag: '--retry-rejected',
    help: 'send again what the service has rejected' },
  resend_unknown: { flag: '--resend-unknown',
    help: 'send again, once, records that may have been paid and that their key no longer protects' },
  key_lifetime: { flag: '--key-lifetime <hours>', occurs: 'once', key: 'number', parse: numberWithin(0, TEN_YEARS_HOURS),
    inFollowUp: 'way',
    help: 'how long the service is trusted to remember a key (default: 24)' },
  stop_after: { flag: '--stop-after <n>', parse: parseInteger(1), inFollowUp: 'way',
    help: 'stop when so many records have been rejected' },
} as const satisfies Rows;

/** Where records are sent, and how. CONTRACT: "Target flags". */
// prettier-ignore
const TARGET = {
  base_url: { flag: '--base-url <url>', env: 'GIGWORK_BASE_URL', key: 'text', everyday: true,
    help: 'address of the service (GIGWORK_BASE_URL); the token for it comes from GIGWORK_TOKEN' },
  sandbox: { flag: '--sandbox', everyday: true,
    help: 'send to the embedded service instead' },
  account: { flag: '--account <name>', key: 'text', parse: accountName,
    help: 'name of the account, where two share a URL' },
  // These two are chosen before there are settings; the first line of `config show` names them.
  profile: { flag: '--profile <name>', env: 'GIGWORK_PROFILE', everyday: true, inFollowUp: 'place', shown: false,
    help: 'profile of the config file (GIGWORK_PROFILE)' },
  config: { flag: '--config <file>', env: 'GIGWORK_CONFIG', inFollowUp: 'place', shown: false,
    help: 'config file (GIGWORK_CONFIG)' },
  token: { env: 'GIGWORK_TOKEN', key: 'secret',
    help: 'sent as Authorization: Bearer …' },
  headers: { flag: '--header <header>', occurs: 'repeated', key: 'table of secrets', parse: headerPair,
    shown: false,
    help: "'Name: value' sent with every request; repeatable" },
  timeout: { flag: '--timeout <seconds>', key: 'number', parse: numberWithin(0.001, DAY_SECONDS), default: 30,
    inFollowUp: 'way',
    help: 'for one attempt, first byte to last (default: 30)' },
  retries: { flag: '--retries <n>', key: 'number', parse: parseInteger(0, 1000), default: 5, inFollowUp: 'way',
    help: 'more attempts after the first (default: 5)' },
  concurrency: { flag: '--concurrency <n>', key: 'number', parse: parseInteger(1, 1024), default: 8, inFollowUp: 'way',
    help: 'requests at a time (default: 8)' },
  rate: { flag: '--rate <n>', key: 'number', parse: numberWithin(0.001, 1_000_000), inFollowUp: 'way',
    help: 'requests per second (default: no limit)' },
  ca: { flag: '--ca <file>', key: 'text', inFollowUp: 'file',
    help: 'certificate authority to trust, PEM' },
  cert: { flag: '--cert <file>', key: 'text', inFollowUp: 'file',
    help: 'client certificate, PEM' },
  key: { flag: '--key <file>', key: 'text', inFollowUp: 'file',
    help: 'key of the client certificate, PEM' },
  allow_http: { flag: '--allow-http', inFollowUp: 'way', shown: true,
    help: 'allow http:// beyond this machine' },
  response: { key: 'response', shown: false,
    help: 'what confirms a creation' },
} as const satisfies Rows;

/** The faults that the sandbox can simulate. */
// prettier-ignore
const FAULTS = {
  latency: { flag: '--latency <ms>', parse: parseInteger(0, 600_000), default: 0,
    help: 'answer so much later' },
  fail_rate: { flag: '--fail-rate <p>', parse: numberWithin(0, 1), default: 0,
    help: 'answer 503 with this probability' },
  drop_rate: { flag: '--drop-rate <p>', parse: numberWithin(0, 1), default: 0,
    help: 'carry out, then cut the connection, with this probability' },
  rate_limit: { flag: '--rate-limit <n>', parse: parseInteger(1),
    help: 'answer 429 beyond so many requests per second' },
} as const satisfies Rows;

/** What is printed and written. CONTRACT: "Output flags". */
// prettier-ignore
const OUTPUT = {
  json: { flag: '--json', everyday: true, inFollowUp: 'way',
    help: 'events for programs, one JSON object a line' },
  report: { flag: '--report <file>', occurs: 'repeated', everyday: true, inFollowUp: 'file',
    help: 'a line per record: .csv, .ndjson, .html; repeatable' },
  rejects: { flag: '--rejects <file>', occurs: 'once', everyday: true, inFollowUp: 'file',
    help: 'what to correct; a folder for several inputs' },
  results: { flag: '--results <file>', occurs: 'once', everyday: true, inFollowUp: 'file',
    help: 'the input, with what became of each row; likewise' },
  log_file: { flag: '--log-file <file>', occurs: 'once', inFollowUp: 'file',
    help: 'append a line of JSON for each attempt; - for standard error' },
  quiet: { flag: '--quiet',
    help: 'only errors and results' },
  progress: { flag: '--no-progress', default: true,
    help: 'no progress display' },
  explain: { flag: '--explain',
    help: 'show how each amount was computed' },
} as const satisfies Rows;

/** Colour, and the places of the journal and the sandbox's data: also for commands that send nothing. */
// prettier-ignore
const STATE = {
  color: { flag: '--color',
    help: 'colour, also without a terminal' },
  no_color: { flag: '--no-color',
    help: 'no colour' },
  state_dir: { flag: '--state-dir <dir>', env: 'GIGWORK_STATE_DIR', parse: folderName, inFollowUp: 'place',
    help: 'folder of the journal and of the sandbox data (GIGWORK_STATE_DIR)' },
  journal: { flag: '--journal <url>', env: 'GIGWORK_JOURNAL', key: 'secret', inFollowUp: 'place',
    help: 'sqlite:FOLDER, or a shared one: postgresql://USER@HOST/DATABASE (GIGWORK_JOURNAL)' },
  journal_timeout: { flag: '--journal-timeout <seconds>', key: 'number', parse: numberWithin(0, DAY_SECONDS),
    default: 60, inFollowUp: 'way',
    help: 'how long to wait for a shared journal that does not answer (60)' },
  require_journal: { flag: '--require-journal', key: 'on or off',
    help: 'refuse to begin a new journal, which knows nothing of earlier payments' },
  debug: { flag: '--debug', env: 'GIGWORK_DEBUG', parse: parseSwitch,
    help: 'stack traces and a log of requests on standard error (GIGWORK_DEBUG=1)' },
} as const satisfies Rows;

/** For the commands that take records of any type. */
const TYPE = {
  type: { flag: '--type <type>', occurs: 'once', words: RECORD_TYPES, help: 'gig, result or payout' },
} as const satisfies Rows;

/** The rows in groups, as help shows them. */
export const GROUPS = {
  input: INPUT,
  safety: SAFETY,
  target: TARGET,
  faults: FAULTS,
  output: OUTPUT,
  state: STATE,
} as const;

/** All rows by the setting's name, which is also its key in the config file. */
export const SETTINGS = { ...TARGET, ...FAULTS, ...STATE, ...SAFETY, ...INPUT, ...OUTPUT, ...TYPE } as const;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

const NOT_READING: readonly string[] = ['set', 'prices', 'allow_negative', 'allow_total_row', 'allow_empty'];

/** How to find the records in a file: also needed for reading it again. */
export const INPUT_SETTINGS = (Object.keys(INPUT) as SettingName[]).filter((name) => !NOT_READING.includes(name));

/** A row with all optional columns. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/** The flag as typed, without its value; empty if there is none. */
export function flagOf(name: SettingName): string {
  return settingOf(name).flag?.split(' ', 1)[0] ?? '';
}

/** A flag without a value: `--negate`. */
export function isSwitch(name: SettingName): boolean {
  const { flag = ' ' } = settingOf(name);
  return !flag.includes(' ');
}

/** `date_format` → `dateFormat`: the setting's name among the options of a command, and of a run. */
export function optionName(name: SettingName): string {
  return name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
}

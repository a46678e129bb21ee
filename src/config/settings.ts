/**
 * The table of all settings, and of the flags that commands share. A row is made by the builder for its kind
 * (`setting.ts`), and ends with its help. The table defines the options of the commands, the keys of the config file,
 * the precedence of sources, `config show`, the options that a command to continue repeats, completion, and the
 * reference. CONTRACT: the tables under "Commands", and "Settings".
 */
import { delimiterNamed } from '../input/delimiters.js';
import { encodingNamed } from '../input/encoding.js';
import { parseFilter } from '../input/row-filter.js';
import { timeZoneName } from '../input/time-zone.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import {
  parseColumnPair,
  expectedTotal,
  fieldNames,
  fieldPair,
  fileName,
  folderName,
  headerPair,
  hexDigest,
  numberWithin,
  accountName,
  parseName,
  sheetName,
  parseInteger,
} from './parsers.js';
import { type Setting, setting } from './setting.js';

/** Any name of the Encoding Standard is taken. */
const COMMON_ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'windows-1250', 'macintosh', 'shift_jis'];
const DAY_SECONDS = 86_400;
const TEN_YEARS_HOURS = 87_600;
/** All but gigs, which have no key, and pay nobody. */
const KEYED_TYPES: readonly RecordType[] = ['result', 'payout'];

/** What is read, and how. CONTRACT: "Input flags". `gigwork setup` writes the settings with a key into a profile. */
// prettier-ignore
const INPUT = {
  format: setting.choice('--format <format>', ['csv', 'json', 'ndjson', 'xlsx'], {
    help: 'csv, json, ndjson or xlsx (default: by extension, else by content)' }),
  encoding: setting.text('--encoding <name>', { occurs: 'once', key: true,
    words: COMMON_ENCODINGS, parse: encodingNamed,
    help: `${COMMON_ENCODINGS.join(', ')}, … (default: detected)` }),
  delimiter: setting.text('--delimiter <character>', { occurs: 'once', key: true,
    words: ['comma', 'semicolon', 'tab', 'pipe'], parse: delimiterNamed,
    help: 'comma, semicolon, tab or pipe (default: detected)' }),
  decimal: setting.choice('--decimal <mark>', ['point', 'comma'], { occurs: 'once', key: true, common: true,
    help: 'how numbers are written in CSV: point or comma' }),
  date_format: setting.choice('--date-format <order>', ['ymd', 'dmy', 'mdy'], { occurs: 'once', key: true,
    default: 'ymd', common: true,
    help: 'dates in CSV: ymd, dmy or mdy (default: ymd)' }),
  time_zone: setting.text('--time-zone <zone>', { occurs: 'once', key: true, parse: timeZoneName, ofRecords: true,
    types: ['gig'], common: ['gig'],
    help: 'zone of times without an offset, as Europe/Berlin' }),
  currency_signs: setting.toggle('--currency-signs', { key: true, types: KEYED_TYPES,
    help: 'amounts may carry the sign or code of their currency' }),
  negate: setting.toggle('--negate', { key: true, types: KEYED_TYPES,
    help: 'amounts change their sign: banks show money going out as negative' }),
  trim: setting.toggle('--trim', { key: true,
    help: 'drop the spaces around IDs, codes and choices' }),
  only: setting.list('conditions', '--only <condition>', { key: true, parse: parseFilter, shown: false,
    help: 'read only rows with COLUMN=VALUE, COLUMN!=VALUE, COLUMN<0 or COLUMN>0; repeatable' }),
  known_values: setting.list('lists', '--known-value <column=value>', { ofRecords: true, key: true, parse: fieldPair, shown: false,
    help: 'an expected value of a column: any other is an error; repeatable' }),
  header_line: setting.number('--header-line <n>', { occurs: 'once', key: true,
    parse: parseInteger(0, 10_000), common: true,
    help: 'line with the column names; 0: none, use #1, #2' }),
  sheet: setting.sheet('--sheet <name>', { occurs: 'once', key: true, parse: sheetName,
    help: 'sheet of a workbook, by name or number (default: the only visible one)' }),
  known_sheets: setting.list('list', null, { ofRecords: true, key: true, shown: false,
    help: "other sheets of a profile's workbook that a person has decided about" }),
  pad_short_rows: setting.toggle('--pad-short-rows', { key: true,
    help: 'read rows with too few cells as ending in empty cells' }),
  allow_negative: setting.toggle('--allow-negative', { ofRecords: true, types: ['payout'],
    help: 'send payouts of zero or below, with a warning' }),
  map: setting.list('texts', '--map <column=field>', { key: true, parse: parseColumnPair, common: true, shown: false,
    help: 'rename a column; repeatable' }),
  ignore_columns: setting.list('list', '--ignore-column <name>', { key: true, shown: false,
    help: 'drop a column; repeatable' }),
  ignore_other_columns: setting.toggle('--ignore-other-columns', { key: true, common: true,
    help: 'ignore columns that are not fields and not mapped' }),
  set: setting.list('values', '--set <field=value>', { ofRecords: true, key: true, parse: fieldPair, common: true, shown: false,
    help: 'on every record; dot paths, @file.json; repeatable' }),
  template: setting.text('--template <file>', { parse: fileName, occurs: 'once', key: true, common: ['gig'],
    help: 'a record as JSON that each row fills in: ${COLUMN}' }),
  prices: setting.text('--prices <file>', { ofRecords: true, parse: fileName, occurs: 'once', types: ['result'], common: ['result'],
    help: 'base prices: CSV or JSON, gig_task_id,base_price' }),
  allow_total_row: setting.toggle('--allow-total-row', { ofRecords: true, types: KEYED_TYPES,
    help: 'treat total rows and template examples as records' }),
  allow_empty: setting.toggle('--allow-empty', { ofRecords: true,
    help: 'input without a single record is done' }),
};

/** Whether a run may send. CONTRACT: "Safety flags" and "Approval". */
// prettier-ignore
const SAFETY = {
  dry_run: setting.toggle('--dry-run', { common: true,
    help: 'everything but the sending; writes named files only' }),
  expect_count: setting.number('--expect-count <n>', { occurs: 'once', parse: parseInteger(0), common: true,
    help: 'refuse unless exactly so many records are valid' }),
  expect_total: setting.list('list', '--expect-total <total>', { parse: expectedTotal, common: true,
    help: 'refuse unless a total is exactly this: [TYPE/][CUR|none]=AMOUNT; repeatable' }),
  expect_digest: setting.text('--expect-digest <digest>', { occurs: 'once', parse: hexDigest,
    help: 'refuse unless this is the very run that was approved' }),
  approve: setting.text('--approve [file]', { occurs: 'once',
    help: 'approve instead of sending; the file says what was approved' }),
  approval: setting.text('--approval <file>', { occurs: 'once',
    help: 'send only what this file approves' }),
  require_approval: setting.toggle(null, { key: true,
    help: 'refuse to send what no other person than the sender has approved' }),
  yes: setting.toggle('--yes', { common: true, inFollowUp: 'as typed',
    help: 'ask no question' }),
  batch_id: setting.text('--batch-id <name>', { ofFirstCall: true, occurs: 'once', parse: parseName, common: true,
    help: 'period or purpose, as 2026-11 (default: default)' }),
  key_columns: setting.text('--key-columns <a,b>', { ofFirstCall: true, occurs: 'once', parse: fieldNames,
    help: 'fields that identify a record' }),
  skip_invalid: setting.toggle('--skip-invalid', { ofFirstCall: true,
    help: 'send the valid records although others are invalid' }),
  strict: setting.toggle('--strict', {
    help: 'warnings are errors' }),
  skip_created: setting.toggle('--skip-created', { common: true, inFollowUp: 'as typed',
    help: 'leave out what was paid already',
    gigHelp: 'leave out what was created already' }),
  skip_similar: setting.toggle('--skip-similar', { inFollowUp: 'as typed',
    help: 'leave out similar records: they are the same payments',
    gigHelp: 'leave out similar gigs: they are the same ones' }),
  send_similar: setting.number('--send-similar <n>', { occurs: 'once', parse: parseInteger(0),
    help: 'similar records are separate payments: send at most so many',
    gigHelp: 'similar gigs are separate ones: send at most so many' }),
  retry_rejected: setting.toggle('--retry-rejected', {
    help: 'send again what the service has rejected' }),
  resend_unknown: setting.toggle('--resend-unknown', {
    help: 'send again, once, records that may have been paid and that their key no longer protects',
    gigHelp: 'send again, once, gigs that may have been created: they may be created twice' }),
  key_lifetime: setting.number('--key-lifetime <hours>', { occurs: 'once', key: true,
    parse: numberWithin(0, TEN_YEARS_HOURS), inFollowUp: 'as typed', types: KEYED_TYPES,
    help: 'how long the service is trusted to remember a key (default: 24)' }),
  stop_after: setting.number('--stop-after <n>', { parse: parseInteger(1), inFollowUp: 'as typed',
    help: 'stop when so many records have been rejected' }),
};

/** Where records are sent, and how. CONTRACT: "Target flags". */
// prettier-ignore
const TARGET = {
  base_url: setting.text('--base-url <url>', { key: true, env: 'GIGWORK_BASE_URL', common: true,
    help: 'address (GIGWORK_BASE_URL); its token: GIGWORK_TOKEN' }),
  sandbox: setting.toggle('--sandbox', { common: true,
    help: 'send to the embedded service instead' }),
  account: setting.text('--account <name>', { key: true, parse: accountName,
    help: 'name of the account, where two share a URL' }),
  // These two are chosen before there are settings; the first line of `config show` names them.
  profile: setting.text('--profile <name>', { env: 'GIGWORK_PROFILE', common: true, inFollowUp: 'location',
    shown: false,
    help: 'profile of the config file (GIGWORK_PROFILE)' }),
  config: setting.text('--config <file>', { env: 'GIGWORK_CONFIG', inFollowUp: 'location', shown: false,
    help: 'config file (GIGWORK_CONFIG)' }),
  token: setting.secret(null, { key: true, env: 'GIGWORK_TOKEN',
    help: 'sent as Authorization: Bearer …' }),
  headers: setting.list('secrets', '--header <header>', { key: true, parse: headerPair, shown: false,
    help: "'Name: value' sent with every request; repeatable" }),
  timeout: setting.number('--timeout <seconds>', { key: true, parse: numberWithin(0.001, DAY_SECONDS), default: 30,
    inFollowUp: 'as typed',
    help: 'for one attempt, first byte to last (default: 30)' }),
  retries: setting.number('--retries <n>', { key: true, parse: parseInteger(0, 1000), default: 5,
    inFollowUp: 'as typed',
    help: 'more attempts after the first (default: 5)' }),
  concurrency: setting.number('--concurrency <n>', { key: true, parse: parseInteger(1, 1024), default: 8,
    inFollowUp: 'as typed',
    help: 'requests at a time (default: 8)' }),
  rate: setting.number('--rate <n>', { key: true, parse: numberWithin(0.001, 1_000_000), inFollowUp: 'as typed',
    help: 'requests per second (default: no limit)' }),
  ca: setting.text('--ca <file>', { parse: fileName, key: true, inFollowUp: 'file',
    help: 'certificate authority to trust, PEM' }),
  cert: setting.text('--cert <file>', { parse: fileName, key: true, inFollowUp: 'file',
    help: 'client certificate, PEM' }),
  key: setting.text('--key <file>', { parse: fileName, key: true, inFollowUp: 'file',
    help: 'key of the client certificate, PEM' }),
  allow_http: setting.toggle('--allow-http', { inFollowUp: 'as typed', shown: true,
    help: 'allow http:// beyond this machine' }),
  response: setting.response({ key: true, shown: false,
    help: 'what confirms a creation' }),
};

/** The faults that the sandbox can simulate. */
// prettier-ignore
const FAULTS = {
  latency: setting.number('--latency <ms>', { parse: parseInteger(0, 600_000), default: 0,
    help: 'answer so much later' }),
  fail_rate: setting.number('--fail-rate <p>', { parse: numberWithin(0, 1), default: 0,
    help: 'answer 503 with this probability' }),
  drop_rate: setting.number('--drop-rate <p>', { parse: numberWithin(0, 1), default: 0,
    help: 'carry out, then cut the connection, with this probability' }),
  rate_limit: setting.number('--rate-limit <n>', { parse: parseInteger(1),
    help: 'answer 429 beyond so many requests per second' }),
};

/** What is printed and written. CONTRACT: "Output flags". */
// prettier-ignore
const OUTPUT = {
  json: setting.toggle('--json', { common: true, inFollowUp: 'as typed',
    help: 'events for programs, one JSON object a line' }),
  report: setting.list('list', '--report <file>', { parse: fileName, common: true, inFollowUp: 'file',
    help: 'records as .csv, .xlsx, .ndjson, .html; repeatable' }),
  rejects: setting.text('--rejects <file>', { parse: fileName, occurs: 'once', common: true, inFollowUp: 'file',
    help: 'what to correct; a folder for several inputs' }),
  results: setting.text('--results <file>', { parse: fileName, occurs: 'once', common: true, inFollowUp: 'file',
    help: 'the input, with what became of each row; likewise' }),
  overwrite: setting.toggle('--overwrite', { inFollowUp: 'as typed',
    help: 'replace files that are there already, whoever wrote them' }),
  task_list: setting.text('--task-list <file>', { parse: fileName, occurs: 'once', inFollowUp: 'file', types: ['gig'], common: ['gig'],
    help: 'tasks of created gigs, with their ids: .csv, .xlsx' }),
  log_file: setting.text('--log-file <file>', { parse: fileName, occurs: 'once', inFollowUp: 'file',
    help: 'append a line of JSON for each attempt; - for standard error' }),
  quiet: setting.toggle('--quiet', {
    help: 'only errors and results' }),
  progress: setting.toggle('--no-progress', { default: true,
    help: 'no progress display' }),
  explain: setting.toggle('--explain', {
    help: 'show how each amount was computed' }),
};

/** Colour, and the places of the journal and the sandbox's data: also for commands that send nothing. */
// prettier-ignore
const STATE = {
  color: setting.toggle('--color', {
    help: 'colour, also without a terminal' }),
  no_color: setting.toggle('--no-color', {
    help: 'no colour' }),
  state_dir: setting.text('--state-dir <dir>', { env: 'GIGWORK_STATE_DIR', parse: folderName, inFollowUp: 'location',
    help: 'folder of the journal and of the sandbox data (GIGWORK_STATE_DIR)' }),
  // A secret that is kept elsewhere is read as soon as the config file is: from there on it is a text.
  journal: setting.secret<string>('--journal <url>', { key: true, env: 'GIGWORK_JOURNAL', inFollowUp: 'location',
    help: 'sqlite:FOLDER, or a shared one: postgresql://USER@HOST/DATABASE (GIGWORK_JOURNAL)' }),
  journal_timeout: setting.number('--journal-timeout <seconds>', { key: true, parse: numberWithin(0, DAY_SECONDS),
    default: 60, inFollowUp: 'as typed',
    help: 'how long to wait for a shared journal that does not answer (60)' }),
  require_journal: setting.toggle('--require-journal', { key: true,
    help: 'refuse to begin a new journal, which knows nothing of earlier payments' }),
  debug: setting.toggle('--debug', { env: 'GIGWORK_DEBUG',
    help: 'stack traces and a log of requests on standard error (GIGWORK_DEBUG=1)' }),
};

/** For the commands that take records of any type. */
const TYPE = {
  type: setting.choice('--type <type>', RECORD_TYPES, { occurs: 'once', help: 'gig, result or payout' }),
};

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

/** How to find the records in a file: also needed for reading it again. */
export const INPUT_SETTINGS = (Object.keys(INPUT) as SettingName[]).filter(
  (name) => settingOf(name).ofRecords !== true,
);

/** What the program, and a program that calls it, name a setting: `batchId` for `batch_id`. */
export type OptionName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<OptionName<Rest>>}`
  : Name;

export function optionName<Name extends SettingName>(name: Name): OptionName<Name> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as OptionName<Name>;
}

/** A row as far as all rows are alike. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/** The flag as typed, without its value; empty if there is none. */
export function flagOf(name: SettingName): string {
  return settingOf(name).flag?.split(' ', 1)[0] ?? '';
}

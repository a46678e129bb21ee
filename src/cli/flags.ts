/** The flags that commands share, in groups as help shows them. CONTRACT: the tables under "Commands". */
import { Argument, type Command, Option } from 'commander';
import { UsageError } from '../errors.js';
import { type Field, isJsonKind } from '../records/field.js';
import type { Shape } from '../records/kind.js';
import { CHOICES } from '../config/flags.js';
import { addHelpAll, addNotes, type ExitCode } from './help.js';

/** Gets the exit code of the command that ran. */
export type Done = (exitCode: number) => void;

/** The options of a command, as the parser hands them over. */
export type Flags = Record<string, unknown>;

/** Gathers a repeatable option. */
export const collect = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];

/** An option that takes one of a few words. Resolving the settings checks the word; the list here is for completion. */
function choice(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...words];
  return option;
}

/** An option that may be given only once: it decides what is paid, so a second value must not silently win. */
export function single(flags: string, description: string, words: readonly string[] = []): Option {
  const option = choice(flags, description, words);
  return option.argParser((value: string, earlier: string | undefined) => {
    if (earlier !== undefined) throw new UsageError(`${option.long} is given twice; leave one out`);
    return value;
  });
}

/** An argument that takes one of a few words, as `choice` does for an option. */
export function choiceArgument(name: string, words: readonly string[]): Argument {
  const argument = new Argument(name, words.join(', '));
  argument.argChoices = [...words];
  return argument;
}

/** `--format`, of input and of templates. */
export function addFormatFlag(
  command: Command,
  description: string,
  formats: 'format' | 'templateFormat' = 'format',
): Command {
  return command.addOption(choice('--format <format>', description, CHOICES[formats]));
}

/** What is read, and how. CONTRACT: "Input flags". */
export function addInputFlags(command: Command): Command {
  const formats = 'csv, json, ndjson or xlsx (default: by extension, else by content)';
  return addFormatFlag(command.optionsGroup('Input:'), formats)
    .addOption(
      single('--encoding <name>', 'utf-8, utf-16le, utf-16be or windows-1252 (default: detected)', CHOICES.encoding),
    )
    .addOption(
      single('--delimiter <character>', 'comma, semicolon, tab or pipe (default: detected)', CHOICES.delimiter),
    )
    .addOption(single('--decimal <mark>', 'how numbers are written in CSV: point or comma', CHOICES.decimal))
    .addOption(single('--date-format <order>', 'dates in CSV: ymd, dmy or mdy (default: ymd)', CHOICES.dateFormat))
    .option('--currency-signs', 'amounts may carry the sign or code of their currency')
    .option('--negate', 'amounts change their sign: banks show money going out as negative')
    .addOption(single('--header-line <n>', 'line with the column names; 0: none, columns are #1, #2'))
    .addOption(single('--sheet <name>', 'sheet of a workbook, by name or number (default: the only visible one)'))
    .option('--pad-short-rows', 'read rows with too few cells as ending in empty cells')
    .option('--allow-negative', 'send payouts of zero or below, with a warning')
    .option('--map <column=field>', 'rename a column; repeatable', collect)
    .option('--ignore-column <name>', 'drop a column; repeatable', collect)
    .option('--ignore-other-columns', 'ignore columns that are not fields and not mapped')
    .option('--set <field=value>', 'on every record; dot paths, @file.json; repeatable', collect)
    .addOption(single('--prices <file>', 'base prices: CSV or JSON, gig_task_id,base_price'))
    .option('--allow-total-row', 'treat total rows and template examples as records')
    .option('--allow-empty', 'input without a single record is done');
}

/** What decides whether a run may send. CONTRACT: "Safety flags". */
function addSafetyFlags(command: Command): Command {
  command.optionsGroup('Safety:').option('--dry-run', 'everything but the sending; writes named files only');
  addApprovalFlags(addControlFlags(command))
    .option('--yes', 'ask no question')
    .addOption(single('--batch-id <name>', 'period or purpose, as 2026-11 (default: default)'))
    .addOption(single('--key-columns <a,b>', 'fields that identify a record'))
    .option('--skip-invalid', 'send the valid records although others are invalid');
  return addDeliveryFlags(command);
}

/** What the input must come to; also for a run that goes on. */
export function addControlFlags(command: Command): Command {
  return command
    .addOption(single('--expect-count <n>', 'refuse unless exactly so many records are valid'))
    .option(
      '--expect-total <total>',
      'refuse unless a total is exactly this: [TYPE/][CUR|none]=AMOUNT; repeatable',
      collect,
    )
    .addOption(single('--expect-digest <digest>', 'refuse unless this is the very run that was approved'));
}

/** One person approves, another sends; also for a run that goes on. CONTRACT: "Approval". */
export function addApprovalFlags(command: Command): Command {
  const approve = single('--approve [file]', 'approve instead of sending; the file says what was approved');
  // As it is typed: without the =, the next word is an input file (StrictCommand).
  approve.flags = '--approve[=file]';
  return command.addOption(approve).addOption(single('--approval <file>', 'send only what this file approves'));
}

/** Which records are sent, and when to stop; also for a run that goes on. */
export function addDeliveryFlags(command: Command): Command {
  return command
    .option('--strict', 'warnings are errors')
    .option('--skip-created', 'leave out what was paid already')
    .option('--skip-similar', 'leave out similar records: they are the same payments')
    .addOption(single('--send-similar <n>', 'similar records are separate payments: send at most so many'))
    .option('--retry-rejected', 'send again what the service has rejected')
    .option('--resend-unknown', 'send again, once, records of unknown outcome that their key no longer protects')
    .addOption(single('--key-lifetime <hours>', 'how long the service is trusted to remember a key (default: 24)'))
    .option('--stop-after <n>', 'stop when so many records have been rejected');
}

/** Where records are sent, and how. CONTRACT: "Target flags". */
export function addTargetFlags(command: Command): Command {
  return addSendFlags(
    command
      .optionsGroup('Target:')
      .option('--base-url <url>', 'address of the service (GIGWORK_BASE_URL)')
      .option('--sandbox', 'send to the embedded service instead')
      .option('--account <name>', 'name of the account, where two share a URL'),
  );
}

/** Where settings come from. */
export function addConfigFlags(command: Command): Command {
  return command
    .option('--profile <name>', 'profile of the config file (GIGWORK_PROFILE)')
    .option('--config <file>', 'config file (GIGWORK_CONFIG)');
}

/** How to reach the target and how fast; also for a run whose target is known. */
export function addSendFlags(command: Command): Command {
  addConfigFlags(command.optionsGroup('Target:'))
    .option('--header <header>', "'Name: value' sent with every request; repeatable", collect)
    .option('--timeout <seconds>', 'for one attempt, first byte to last (default: 30)')
    .option('--retries <n>', 'more attempts after the first (default: 5)')
    .option('--concurrency <n>', 'requests at a time (default: 8)')
    .option('--rate <n>', 'requests per second (default: no limit)')
    .option('--ca <file>', 'certificate authority to trust, PEM')
    .option('--cert <file>', 'client certificate, PEM')
    .option('--key <file>', 'key of the client certificate, PEM')
    .option('--allow-http', 'allow http:// beyond this machine');
  return addFaultFlags(command.optionsGroup('Sandbox faults:'));
}

/** What the sandbox can be asked to do wrong. */
export function addFaultFlags(command: Command): Command {
  return command
    .option('--latency <ms>', 'answer so much later')
    .option('--fail-rate <p>', 'answer 503 with this probability')
    .option('--drop-rate <p>', 'carry out, then cut the connection, with this probability')
    .option('--rate-limit <n>', 'answer 429 beyond so many requests per second');
}

/** What is printed and written. CONTRACT: "Output flags". */
export function addOutputFlags(command: Command): Command {
  return addStateFlags(
    command
      .optionsGroup('Output:')
      .option('--json', 'events for programs, one JSON object a line')
      .option('--report <file>', 'a line per record: .csv, .ndjson, .html; repeatable', collect)
      .addOption(single('--rejects <file>', 'what to correct; a folder for several inputs'))
      .addOption(single('--results <file>', 'the input, with what became of each row; likewise'))
      .addOption(single('--log-file <file>', 'append a line of JSON for each attempt'))
      .option('--quiet', 'only errors and results')
      .option('--no-progress', 'no progress display')
      .option('--explain', 'show how each amount was computed'),
  );
}

export function addColorFlags(command: Command): Command {
  return command
    .addOption(new Option('--color', 'colour, also without a terminal'))
    .addOption(new Option('--no-color', 'no colour'));
}

/** Where the journal and the sandbox's data are. */
export function addStateFlags(command: Command): Command {
  return addColorFlags(command.optionsGroup('Output:'))
    .option('--state-dir <dir>', 'folder of the journal and of what the sandbox keeps (GIGWORK_STATE_DIR)')
    .option('--journal <url>', 'sqlite:FOLDER, or a shared one: postgresql://USER@HOST/DATABASE (GIGWORK_JOURNAL)')
    .option('--journal-timeout <seconds>', 'how long to wait for a shared journal that does not answer (60)')
    .option('--require-journal', 'refuse to begin a new journal, which knows nothing of earlier payments')
    .option('--debug', 'stack traces and a log of requests on standard error (GIGWORK_DEBUG=1)');
}

/** `cost_center_key` → `--cost-center-key`. */
function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

/** What people use from month to month: the flags that help shows where there are too many to show all. */
const EVERYDAY = [
  ...['--map', '--ignore-other-columns', '--set', '--decimal', '--date-format', '--header-line'],
  ...['--dry-run', '--expect-count', '--expect-total', '--yes', '--batch-id', '--skip-created'],
  ...['--base-url', '--sandbox', '--profile'],
  ...['--json', '--report', '--rejects', '--results'],
];

/**
 * The flags of a command that reads records and sends them: below the flags of its own, the four groups.
 * @param own its flags that help shows beside the everyday ones
 */
export function addRunFlags(command: Command, own: readonly string[]): Command {
  return addHelpAll(addOutputFlags(addTargetFlags(addSafetyFlags(addInputFlags(command)))), [...EVERYDAY, ...own]);
}

/** The flags of fields that a record cannot do without; of two that stand for each other, the first. */
export function neededFlags({ fields, rules }: Shape): string[] {
  const first = new Set(rules.flatMap((rule) => (rule.rule === 'one-of' ? [rule.fields[0]] : [])));
  return fields.filter(({ name, required }) => required || first.has(name)).map(({ name }) => flagOf(name));
}

/** A flag for each field of a record type, from its definition. */
export function addFieldFlags(command: Command, fields: readonly Field[]): Command {
  command.optionsGroup('Fields of one record without a file:');
  for (const { name, help, required, kind, choices } of fields) {
    const value = isJsonKind(kind) ? 'json' : kind === 'timestamp' ? 'time' : 'value';
    command.addOption(single(`${flagOf(name)} <${value}>`, `${help}${required ? ' (required)' : ''}`, choices ?? []));
  }
  return command;
}

/** The fields among a command's options, by field name. */
export function fieldsAmong(
  options: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const { name } of fields) {
    const value = options[name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())];
    if (typeof value === 'string') given[name] = value;
  }
  return given;
}

const EXIT_CODES = exitCodes({
  0: 'every record is created, or left out as decided; a dry run found no fault',
  1: 'a fault in gigwork itself, or output that could not be written',
  2: 'usage, configuration or missing confirmation; nothing was sent',
  3: 'refused: invalid input, a missed control total or repeats; nothing sent',
  4: 'done, and some records were rejected, or skipped as invalid',
  5: 'not done; calling again may get further without anybody’s help',
  6: 'not done; a person has to act first, as the summary says',
  130: 'interrupted (143 SIGTERM, 129 SIGHUP)',
});

/** Examples and exit codes below a command's help. */
export function addExamples(command: Command, examples: readonly string[], codes = EXIT_CODES): Command {
  return addNotes(command, { examples, exitCodes: codes });
}

/** Exit codes of commands that send nothing and read no records. @param done what 0 means, @param usage what 2 means */
export function plainExitCodes(done: string, usage = 'usage or configuration'): ExitCode[] {
  return exitCodes({ 0: done, 1: 'a fault in gigwork itself', 2: usage });
}

function exitCodes(meanings: Readonly<Record<number, string>>): ExitCode[] {
  return Object.entries(meanings).map(([code, meaning]) => ({ code, meaning }));
}

/** The commands that send records, and those that need no journal. Each is loaded when it is called. */
import { Argument } from 'commander';
import { type SettingName, SETTING_NAMES, settingOf } from '../config/settings.js';
import { RECORD_INFO, RECORD_TYPES, type RecordType } from '../records/types.js';
import {
  type CommandSpec,
  COLORS,
  commonFlags,
  flagsIn,
  flagsOfGroups,
  hideFlags,
  jsonFlag,
  commandFlag,
  PLAIN_CODES,
  RUN_CODES,
  runFlags,
  settingFlag,
} from './command.js';

const CREATE_EXAMPLES: Readonly<Record<RecordType, readonly string[]>> = {
  gig: [
    'gigwork gig create gigs.csv --dry-run',
    'gigwork gig create cities.csv --template gig.json --time-zone Europe/Berlin',
  ],
  result: [
    'gigwork result create results.csv --prices prices.csv --dry-run',
    'gigwork result create results.csv --prices tasks.csv --profile acme',
  ],
  payout: [
    'gigwork payout create payroll.csv --sandbox',
    'gigwork payout create payroll.csv --expect-total EUR=19707.09 --profile acme',
    'gigwork payout create --user-id u1 --amount 5 --title T --cost-center-key PP',
  ],
};

function createCommand(type: RecordType): CommandSpec {
  return {
    name: `${type} create`,
    changes: true,
    operand: new Argument('[file...]', 'CSV, JSON, NDJSON or .xlsx; - for standard input'),
    help: `create ${RECORD_INFO[type].plural} from files, standard input, or the fields of one as flags`,
    flags: () => runFlags(type),
    fieldsOf: type,
    everyday: commonFlags(type),
    examples: CREATE_EXAMPLES[type],
    exitCodes: RUN_CODES,
    run: async (call) => (await import('./send.js')).sendRecords(type, call),
  };
}

const IMPORT: CommandSpec = {
  name: 'batch import',
  changes: true,
  operand: new Argument('<file...>', 'CSV, JSON, NDJSON or .xlsx files of any type; - for standard input'),
  help: 'create records from files; the columns show their type, or --type names it',
  flags: () => [settingFlag('type'), ...runFlags(null)],
  everyday: [...commonFlags('result'), '--type'],
  examples: [
    'gigwork batch import payroll.csv --dry-run',
    'gigwork batch import payroll.csv --sandbox',
    'gigwork batch import a.csv b.csv --batch-id 2026-11 --expect-total 19707.09',
  ],
  exitCodes: RUN_CODES,
  run: async (call) => (await import('./send.js')).sendRecords(null, call),
};

/** In the order of the work: a gig is offered, its results come in, they are paid. Totals have the reverse order. */
export const SEND_COMMANDS: readonly CommandSpec[] = [...RECORD_TYPES.toReversed().map(createCommand), IMPORT];

/** For a file without a profile. */
export const SETUP: CommandSpec = {
  name: 'setup',
  changes: true,
  operand: new Argument('<file>', 'a file as it comes every month'),
  help: 'turn a file that nobody adapted into a profile, once; sends nothing',
  flags: () => [
    settingFlag('type', 'gig, result or payout (default: told by the columns)'),
    settingFlag('profile', "name of the profile (default: from the file's name)"),
    settingFlag('config', 'config file to write it into (GIGWORK_CONFIG)'),
    settingFlag('base_url', 'address of the service, for the profile'),
    settingFlag('yes', 'ask nothing: take what the file proves, and name what it does not'),
    commandFlag('--print', 'print the profile instead of writing it'),
    ...hideFlags(flagsOfGroups(['input'], ['template']), ['known_values', 'allow_empty']),
    ...[jsonFlag(), settingFlag('quiet'), settingFlag('color'), settingFlag('no_color')].map((flag) =>
      flag.helpGroup('Output:'),
    ),
  ],
  examples: ['gigwork setup payroll.csv', 'gigwork setup bank.csv --yes --set title=Wages --print'],
  exitCodes: {
    ...PLAIN_CODES,
    2: 'usage, or the file does not prove enough',
    3: 'the file has faults, and nothing was written',
    130: 'interrupted, and nothing was written',
  },
  run: async ({ operands: [file = ''], flags, world }) => (await import('../setup/setup.js')).setUp(file, flags, world),
};

/** An argument that takes one of a few words. */
function oneWord(name: string, words: readonly string[]): Argument {
  const argument = new Argument(name, words.join(', '));
  argument.argChoices = [...words];
  return argument;
}

/** What `schema` prints. */
export const SCHEMA_NAMES = [
  ...RECORD_TYPES,
  'openapi',
  'event',
  'batch-list',
  'batch-show',
  'batch-find',
  'batch-settle',
  'batch-close',
  'batch-prune',
  'batch-report',
  'batch-reconcile',
  'journal-copy',
  'journal-log',
  'config',
  'doctor',
];
const SHELLS = ['bash', 'zsh', 'fish'];

/** How many requests are sent, and how long a run waits for its journal: `doctor` takes the flags of a run, and asks once. */
const OF_SENDING: readonly SettingName[] = ['retries', 'concurrency', 'rate', 'journal_timeout'];

/** `config show` has no row for it, so this flag changes nothing there. */
function isOnlyTyped(name: SettingName): boolean {
  const { key, env, shown } = settingOf(name);
  return key === undefined && env === undefined && shown === undefined;
}

/** Commands that help other clients, show file formats, and check the settings. */
export const HELPER_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'sandbox',
    help: 'run the embedded service alone, for other clients',
    flags: () => [
      commandFlag('--port <n>', 'port on this machine (default: any free one)'),
      ...flagsIn('faults').map((name) => settingFlag(name)),
      jsonFlag('print the address as JSON'),
      ...hideFlags(flagsOfGroups(['state']), ['journal', 'journal_timeout', 'require_journal', ...COLORS]),
    ],
    examples: ['gigwork sandbox --port 8080', 'gigwork sandbox --port 8080 --drop-rate 0.1 --fail-rate 0.05'],
    run: async (call) => (await import('./sandbox.js')).runSandbox(call),
  },
  {
    name: 'schema',
    operand: oneWord('<type>', SCHEMA_NAMES),
    help: 'JSON Schema of a record type, or of the output with --json; OpenAPI of the service',
    flags: () => [jsonFlag('the same: a schema is JSON')],
    examples: ['gigwork schema payout > payout.schema.json'],
    run: async (call) => (await import('./schema-command.js')).printSchema(SCHEMA_NAMES, call),
  },
  {
    name: 'template',
    operand: oneWord('<type>', RECORD_TYPES),
    help: 'a file to fill in and import',
    flags: () => [
      commandFlag('--format <format>', 'csv, json or ndjson (default: by the extension of --output, else csv)', [
        'csv',
        'json',
        'ndjson',
      ]),
      commandFlag('--output <file>', 'write it there instead of standard output; never over a file'),
      jsonFlag('the same as --format json'),
      commandFlag('--quiet', 'without the rules'),
    ],
    examples: ['gigwork template payout > payouts.csv', 'gigwork template gig --output gigs.ndjson'],
    run: async (call) => (await import('./template.js')).writeTemplate(call),
  },
  {
    name: 'config show',
    help: 'every setting, its value and where it came from: the first of flag, environment variable, profile, config file, default; secrets are hidden. With flags of a run: what they would change',
    flags: () => [
      jsonFlag(),
      ...hideFlags(flagsOfGroups(['input', 'target', 'faults']), SETTING_NAMES.filter(isOnlyTyped)),
      ...flagsOfGroups(['state']),
    ],
    examples: ['gigwork config show', 'gigwork config show --profile payroll --json | jq .settings.base_url'],
    run: async (call) => (await import('./config-show.js')).showConfig(call),
  },
  {
    name: 'doctor',
    help: 'check settings, state directory, journal, proxy, TLS and the way to the service; creates nothing',
    flags: () => [
      jsonFlag(),
      ...hideFlags(flagsOfGroups(['target', 'faults', 'state']), [...flagsIn('faults'), ...OF_SENDING, ...COLORS]),
    ],
    examples: ['gigwork doctor', 'gigwork doctor --base-url https://gigs.example --json | jq .checks'],
    exitCodes: { ...PLAIN_CODES, 2: 'something fails, and its line says what to do; or wrong usage' },
    run: async (call) => (await import('./doctor-command.js')).runDoctor(call),
  },
  {
    name: 'completion',
    operand: oneWord('<shell>', SHELLS),
    help: 'completion of commands, flags and values for a shell',
    flags: () => [jsonFlag('one JSON document with the script')],
    examples: [
      "echo 'source <(gigwork completion bash)' >> ~/.bashrc",
      "echo 'source <(gigwork completion zsh)' >> ~/.zshrc",
      'gigwork completion fish > ~/.config/fish/completions/gigwork.fish',
    ],
    run: async (call) => (await import('./completion.js')).printCompletion(SHELLS, call),
  },
];

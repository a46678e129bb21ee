/** The commands at a glance. Each is loaded when it is called. */
import type { Command } from 'commander';
import {
  addExamples,
  addFieldFlags,
  addGroups,
  addRunFlags,
  addSetting,
  choice,
  choiceArgument,
  type Done,
  type Flags,
  flagsIn,
  neededFlags,
  plainExitCodes,
} from './cli/command-flags.js';
import { addJournal, addRunCommands } from './cli/batch-commands.js';
import { helpWidth, LAYOUT } from './cli/help.js';
import { StrictCommand } from './cli/strict-command.js';
import { KINDS, RECORD_TYPES } from './records/kinds.js';
import type { RecordType } from './records/kind.js';
import type { World } from './world.js';

/** Builds the program. @param argv words after `gigwork`, for the commands that name themselves in messages */
export function buildProgram(argv: readonly string[], world: World, done: Done): Command {
  const program = new StrictCommand('gigwork');
  program
    .description('Submit gigs, gig results and payouts to a gig work service: checked, totalled, and never twice')
    .option('--version', 'print the version')
    // After a command, --version is an unknown flag. Otherwise it would be accepted there and do nothing.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      // The parser also throws the message as an error, and main.ts prints it.
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(world.stdout.columns),
    })
    .showHelpAfterError(false)
    .configureHelp(LAYOUT);
  // In the order of the work: a gig is offered, its results come in, and they are paid. Totals have the reverse order.
  for (const type of RECORD_TYPES.toReversed()) addCreate(program, type, argv, world, done);
  addBatch(program, argv, world, done);
  addSetup(program, world, done);
  addJournal(program, argv, world, done);
  addSandbox(program, world, done);
  addFormats(program, world, done);
  addSettings(program, world, done);
  addCompletion(program, world, done);
  addExamples(program, [
    'gigwork payout create payroll.csv --dry-run',
    'gigwork payout create payroll.csv --sandbox',
    'gigwork batch list',
  ]);
  return program;
}

/** A flag of results alone: they are computed from the prices of gig tasks. */
const PRICES = ['--prices'];

const CREATE_EXAMPLES: Readonly<Record<RecordType, readonly string[]>> = {
  gig: [
    'gigwork gig create gigs.ndjson --dry-run',
    'gigwork gig create gig.json --set start_at=2026-12-01T08:00:00+01:00 --profile acme',
    'generate | gigwork gig create - --json --yes --expect-count 40 | jq .',
  ],
  result: [
    'gigwork result create results.csv --prices prices.csv --dry-run',
    'gigwork result create results.csv --prices prices.csv --expect-total EUR=48250 --profile acme',
  ],
  payout: [
    'gigwork payout create payroll.csv --sandbox',
    'gigwork payout create payroll.csv --expect-total EUR=19707.09 --profile acme',
    'gigwork payout create --user-id u1 --amount 1200 --title Bonus --cost-center-key PP-7 --sandbox',
  ],
};

function addCreate(program: Command, type: RecordType, argv: readonly string[], world: World, done: Done): void {
  const kind = KINDS[type];
  const { plural } = kind;
  const group = program.command(type).description(`${plural}: create`);
  const create = group
    .command('create')
    .argument('[file...]', 'CSV, JSON, NDJSON or .xlsx; - for standard input')
    .description(`create ${plural} from files, standard input, or the fields of one as flags`);
  addRunFlags(addFieldFlags(create, kind.fields), [...neededFlags(kind), ...(kind.price === null ? [] : PRICES)]);
  addExamples(create, CREATE_EXAMPLES[type]).action(async (files: string[], flags: Flags) => {
    const { sendRecords } = await import('./cli/records.js');
    done(await sendRecords({ command: `${type} create`, argv, type, files, flags }, world));
  });
}

function addBatch(program: Command, argv: readonly string[], world: World, done: Done): void {
  const batch = program.command('batch').description('import files, and look after what was sent');
  const imports = batch
    .command('import')
    .argument('<file...>', 'CSV, JSON, NDJSON or .xlsx files of any type; - for standard input')
    .description('create records from files; their type is told by --type or by the columns');
  addSetting(imports, 'type');
  addRunFlags(imports, ['--type', ...PRICES]);
  addExamples(imports, [
    'gigwork batch import payroll.csv --dry-run',
    'gigwork batch import payroll.csv --sandbox',
    'gigwork batch import a.csv b.csv --batch-id 2026-11 --expect-total payout/EUR=19707.09 --profile acme',
  ]).action(async (files: string[], flags: Flags) => {
    const { sendRecords } = await import('./cli/records.js');
    done(await sendRecords({ command: 'batch import', argv, type: null, files, flags }, world));
  });
  addRunCommands(batch, argv, world, done);
}

function addSandbox(program: Command, world: World, done: Done): void {
  const sandbox = program
    .command('sandbox')
    .description('run the embedded service alone, for other clients')
    .option('--port <n>', 'port on this machine (default: any free one)');
  for (const name of flagsIn('faults')) addSetting(sandbox, name);
  addGroups(sandbox.option('--json', 'print the address as JSON'), ['state']);
  const examples = ['gigwork sandbox --port 8080', 'gigwork sandbox --port 8080 --drop-rate 0.1 --fail-rate 0.05'];
  const codes = plainExitCodes('it was asked to end', 'usage, or its data file cannot be used');
  addExamples(sandbox, examples, codes).action(async (flags: Flags) => {
    const { runSandbox } = await import('./cli/sandbox.js');
    done(await runSandbox(flags, world));
  });
}

const SCHEMAS = [...RECORD_TYPES, 'event', 'batch-list', 'batch-show', 'batch-find', 'config', 'doctor'];

/** Commands that show what files look like. */
function addFormats(program: Command, world: World, done: Done): void {
  const schema = program
    .command('schema')
    .description('JSON Schema of a record type, or of what is printed with --json')
    .addArgument(choiceArgument('<type>', SCHEMAS))
    .option('--json', 'the same: a schema is JSON');
  addExamples(schema, ['gigwork schema payout > payout.schema.json'], plainExitCodes('the schema is printed')).action(
    async (type: string) => {
      const { printSchema } = await import('./cli/published.js');
      done(printSchema(type, SCHEMAS, world));
    },
  );
  const template = program
    .command('template')
    .description('a file to fill in and import; the rules are printed on standard error')
    .addArgument(choiceArgument('<type>', RECORD_TYPES));
  const formats = 'csv, json or ndjson (default: by the extension of --output, else csv)';
  template
    .addOption(choice('--format <format>', formats, ['csv', 'json', 'ndjson']))
    .option('--output <file>', 'write it there instead of standard output; never over a file')
    .option('--json', 'the same as --format json')
    .option('--quiet', 'without the rules');
  const examples = ['gigwork template payout > payouts.csv', 'gigwork template gig --output gigs.ndjson'];
  addExamples(template, examples, plainExitCodes('the template is written')).action(
    async (type: string, flags: Flags) => {
      const { writeTemplate } = await import('./cli/template.js');
      done(await writeTemplate(type, flags, world));
    },
  );
}

/** A file that nobody adapted. */
function addSetup(program: Command, world: World, done: Done): void {
  const setup = program
    .command('setup')
    .argument('<file>', 'a file as it comes every month')
    .description('turn a file that nobody adapted into a profile, once; sends nothing');
  addSetting(setup, 'type', 'gig, result or payout (default: told by the columns)');
  addSetting(setup, 'profile', "name of the profile (default: from the file's name)");
  addSetting(setup, 'config', 'config file to write it into (GIGWORK_CONFIG)');
  addSetting(setup, 'yes', 'ask nothing: take what the file proves, and name what it does not');
  setup.option('--print', 'print the profile instead of writing it');
  addGroups(setup, ['input']).optionsGroup('Output:');
  addSetting(setup, 'json', 'one JSON document on standard output');
  for (const name of ['quiet', 'color', 'no_color'] as const) addSetting(setup, name);
  const examples = ['gigwork setup payroll.csv', 'gigwork setup bank.csv --yes --set title=Wages --print'];
  const codes = plainExitCodes('the profile is written, or printed', 'usage, or the file does not prove enough');
  const further = [
    { code: '3', meaning: 'the file has faults, and nothing was written' },
    { code: '130', meaning: 'interrupted, and nothing was written' },
  ];
  addExamples(setup, examples, [...codes, ...further]).action(async (file: string, flags: Flags) => {
    const { setUp } = await import('./cli/setup/setup.js');
    done(await setUp(file, flags, world));
  });
}

const PRECEDENCE = `
Of several places that set something, the first wins: flag, environment variable, profile, config file, default.
The tables headers, map and set are decided entry by entry; ignore_columns are added up.`;

/** Commands that show the settings and check that they work. */
function addSettings(program: Command, world: World, done: Done): void {
  const show = program
    .command('config')
    .description('settings: show')
    .command('show')
    .description(
      'every setting, its value and where it came from; secrets are hidden. With flags of a run: what they would change',
    )
    .option('--json', 'one JSON document on standard output');
  addGroups(show, ['input', 'target', 'faults', 'state']).addHelpText('after', PRECEDENCE);
  const examples = ['gigwork config show', 'gigwork config show --profile payroll --json | jq .settings.base_url'];
  addExamples(show, examples, plainExitCodes('the settings are printed')).action(async (flags: Flags) => {
    const { showConfig } = await import('./cli/config-show.js');
    done(await showConfig(flags, world));
  });
  const doctor = program
    .command('doctor')
    .description('check settings, state directory, journal, proxy, TLS and the way to the service; creates nothing')
    .option('--json', 'one JSON document on standard output');
  addGroups(doctor, ['target', 'faults', 'state']);
  const codes = plainExitCodes(
    'nothing fails; there may be warnings',
    'something fails, and its line says what to do; or wrong usage',
  );
  addExamples(
    doctor,
    ['gigwork doctor', 'gigwork doctor --base-url https://gigs.example --json | jq .checks'],
    codes,
  ).action(async (flags: Flags) => {
    const { runDoctor } = await import('./cli/doctor.js');
    done(await runDoctor(flags, world));
  });
}

const SHELLS = ['bash', 'zsh', 'fish'];

function addCompletion(program: Command, world: World, done: Done): void {
  const completion = program
    .command('completion')
    .description('completion of commands, flags and values for a shell')
    .addArgument(choiceArgument('<shell>', SHELLS))
    .option('--json', 'one JSON document with the script');
  // The scripts call it, and nobody else.
  completion
    .usage('[options] <shell>')
    .command('offers', { hidden: true })
    .argument('[word...]', 'the command line, to the word that is being typed')
    .action(async (words: string[]) => {
      const { printOffers } = await import('./cli/completion-offers.js');
      done(await printOffers(program, words, world));
    });
  const examples = [
    "echo 'source <(gigwork completion bash)' >> ~/.bashrc",
    "echo 'source <(gigwork completion zsh)' >> ~/.zshrc",
    'gigwork completion fish > ~/.config/fish/completions/gigwork.fish',
  ];
  addExamples(completion, examples, plainExitCodes('the script is printed')).action(
    async (shell: string, flags: Flags) => {
      const { printCompletion } = await import('./cli/published.js');
      done(printCompletion(shell, SHELLS, flags.json === true, world));
    },
  );
}

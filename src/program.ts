/** The commands at a glance. Each is loaded when it is called. */
import { Command } from 'commander';
import {
  addExamples,
  addFieldFlags,
  addInputFlags,
  addOutputFlags,
  addSafetyFlags,
  addSendFlags,
  addStateFlags,
  addTargetFlags,
} from './commands/flags.js';
import { KINDS } from './records/kinds.js';
import type { RecordType } from './records/kind.js';
import type { World } from './world.js';

/** Gets the exit code of the command that ran. */
export type Done = (exitCode: number) => void;

type Flags = Record<string, unknown>;

/** Builds the program. @param argv words after `gigwork`, for the commands that name themselves in messages */
export function buildProgram(argv: readonly string[], world: World, done: Done): Command {
  const program = new Command('gigwork');
  program
    .description('Submit gigs, gig results and payouts to a gig work service: checked, totalled, and never twice')
    .option('--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      // The message comes back as an error, and is printed in one place.
      outputError: () => undefined,
    })
    .showHelpAfterError(false);
  for (const type of ['gig', 'result', 'payout'] as const) addCreate(program, type, argv, world, done);
  addBatch(program, argv, world, done);
  addSandbox(program, world, done);
  return program;
}

const CREATE_EXAMPLES: Readonly<Record<RecordType, readonly string[]>> = {
  gig: [
    'gigwork gig create gigs.ndjson --dry-run',
    'gigwork gig create gig.json --set start_at=2026-12-01T08:00:00+01:00 --base-url https://gigs.example',
    'generate | gigwork gig create - --json --yes --expect-count 40 | jq .',
  ],
  result: [
    'gigwork result create results.csv --prices prices.csv --dry-run',
    'gigwork result create results.csv --prices prices.csv --expect-total EUR=48250 --base-url https://gigs.example',
  ],
  payout: [
    'gigwork payout create payroll.csv --sandbox',
    'gigwork payout create payroll.csv --expect-total EUR=19707.09 --base-url https://gigs.example',
    'gigwork payout create --user-id u1 --amount 1200 --title Bonus --cost-center-key PP-7 --sandbox',
  ],
};

function addCreate(program: Command, type: RecordType, argv: readonly string[], world: World, done: Done): void {
  const { plural, fields } = KINDS[type];
  const group = program.command(type).description(`${plural}: create`);
  const create = group
    .command('create')
    .argument('[file...]', 'CSV, JSON or NDJSON files; - for standard input')
    .description(`create ${plural} from files, standard input, or the fields of one as flags`);
  addFieldFlags(create, fields);
  addOutputFlags(addTargetFlags(addSafetyFlags(addInputFlags(create))));
  addExamples(create, CREATE_EXAMPLES[type]).action(async (files: string[], flags: Flags) => {
    const { sendRecords } = await import('./commands/records.js');
    done(await sendRecords({ command: `${type} create`, argv, type, files, flags }, world));
  });
}

function addBatch(program: Command, argv: readonly string[], world: World, done: Done): void {
  const batch = program.command('batch').description('import files, and look after what was sent');
  const imports = batch
    .command('import')
    .argument('<file...>', 'CSV, JSON or NDJSON files of any type; - for standard input')
    .description('create records from files; their type is told by --type or by the columns')
    .option('--type <type>', 'gig, result or payout');
  addOutputFlags(addTargetFlags(addSafetyFlags(addInputFlags(imports))));
  addExamples(imports, [
    'gigwork batch import payroll.csv --dry-run',
    'gigwork batch import payroll.csv --sandbox',
    'gigwork batch import a.csv b.csv --batch-id 2026-11 --expect-total payout/EUR=19707.09 --base-url https://gigs.example',
  ]).action(async (files: string[], flags: Flags) => {
    const { sendRecords } = await import('./commands/records.js');
    done(await sendRecords({ command: 'batch import', argv, type: null, files, flags }, world));
  });
  void addSendFlags;
  void addStateFlags;
}

function addSandbox(program: Command, world: World, done: Done): void {
  const sandbox = program
    .command('sandbox')
    .description('run the embedded service alone, for other clients')
    .option('--port <n>', 'port on this machine (default: any free one)')
    .option('--latency <ms>', 'answer so much later')
    .option('--fail-rate <p>', 'answer 503 with this probability')
    .option('--drop-rate <p>', 'carry out, then cut the connection, with this probability')
    .option('--rate-limit <n>', 'answer 429 beyond so many requests per second')
    .option('--json', 'print the address as JSON');
  addStateFlags(sandbox);
  addExamples(sandbox, ['gigwork sandbox --port 8080', 'gigwork sandbox --port 8080 --drop-rate 0.1 --fail-rate 0.05']).action(
    async (flags: Flags) => {
      const { runSandbox } = await import('./commands/sandbox.js');
      done(await runSandbox(flags, world));
    },
  );
}

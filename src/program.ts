/** All commands in one place. Each is loaded when it is called. */
import type { Command } from 'commander';
import { JOURNAL_COMMANDS, RUN_COMMANDS } from './cli/batch-commands.js';
import {
  type CommandSpec,
  fieldFlags,
  type HelpSections,
  type Invocation,
  neededFlags,
  RUN_CODES,
} from './cli/command.js';
import { HELPER_COMMANDS, SEND_COMMANDS, SETUP } from './cli/commands.js';
import { addHelpAll, addSections, HELP_ALL, layout, StrictCommand } from './cli/strict-command.js';
import { parseCommandLine } from './follow-up/command-line.js';
import type { Shape } from './records/fields.js';
import { RECORD_INFO, RECORD_TYPES, type RecordType } from './records/types.js';
import type { World } from './world.js';

/** Help texts for groups of commands. */
const COMMAND_GROUPS: ReadonlyMap<string, string> = new Map([
  ...RECORD_TYPES.map((type) => [type, `${RECORD_INFO[type].plural}: create`] as const),
  ['batch', 'import files, and look after what was sent'],
  ['journal', 'the journal as a whole: init, log, copy'],
  ['config', 'settings: show'],
]);

/** The program's own help. The manual page reads it. @public */
export const OVERVIEW: HelpSections = {
  examples: [
    'gigwork payout create payroll.csv --dry-run',
    'gigwork payout create payroll.csv --sandbox',
    'gigwork batch list',
  ],
  exitCodes: RUN_CODES,
};

/** In the order in which help lists them. The reference reads it. @public */
export const ROWS: readonly CommandSpec[] = [
  ...SEND_COMMANDS,
  SETUP,
  ...RUN_COMMANDS,
  ...JOURNAL_COMMANDS,
  ...HELPER_COMMANDS,
];

/** The command that runs records, as far as an invalid command line shows it; null for any other. */
export function recordsCommand(argv: readonly string[]): string | null {
  // Flags may come before it.
  const words = argv.filter((word) => !word.startsWith('-'));
  const at = words.findIndex((word) => ROWS.some(({ name }) => name.split(' ', 1)[0] === word));
  const command = words.slice(at, at + 2).join(' ');
  return ROWS.some(({ name, exitCodes }) => name === command && exitCodes === RUN_CODES) ? command : null;
}

/**
 * `help gig create` is `gig create --help`. A command that does not exist has no help: without the flag, the parser
 * refuses its name.
 */
export function asHelpFlag(argv: readonly string[]): readonly string[] {
  const call = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  return isCommand(call) ? call : call.filter((word) => !HELP_FLAGS.has(word));
}

const HELP_FLAGS: ReadonlySet<string> = new Set(['-h', '--help', HELP_ALL]);

/** Whether the words begin with a command, a group of commands, or a flag of the program. */
function isCommand([first, second]: readonly string[]): boolean {
  if (first === undefined || first.startsWith('-')) return true;
  const names = ROWS.map(({ name }) => name).filter((name) => name.split(' ', 1)[0] === first);
  const isGroup = names.length > 0 && !names.includes(first);
  if (!isGroup || second === undefined || second.startsWith('-')) return names.length > 0;
  return names.includes(`${first} ${second}`);
}

/** Receives the progress of the command. */
export interface CommandHooks {
  /** The command line was understood, and the command begins. */
  readonly began: (call: Invocation, row: CommandSpec) => void;
  readonly done: (exitCode: number) => void;
}

/** The fields of each type. Most commands do without, and start sooner. */
type FieldShapes = Readonly<Record<RecordType, Shape>>;

/** Whether the command that the words name has fields for flags. @param argv words after `gigwork` */
export function hasFieldFlags(argv: readonly string[]): boolean {
  return ROWS.some((row) => row.fieldsOf !== undefined && isNamed(row, argv));
}

/**
 * Builds the program.
 * @param argv words after `gigwork`
 * @param shapes may be null unless {@link hasFieldFlags}
 */
export function buildProgram(
  argv: readonly string[],
  world: World,
  running: CommandHooks,
  shapes: FieldShapes | null,
): Command {
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
    })
    .showHelpAfterError(false)
    .helpCommand('help [command...]', 'display help for a command')
    .configureHelp(layout(world.stdout.columns));
  for (const row of ROWS) {
    const shape = row.fieldsOf === undefined ? null : (shapes?.[row.fieldsOf] ?? null);
    addCommand(program, row, shape, { argv, world }, running);
  }
  addHelpAll(program, null);
  addOffers(program, world, running.done);
  addSections(program, OVERVIEW);
  return program;
}

function addCommand(
  program: Command,
  row: CommandSpec,
  fields: Shape | null,
  { argv, world }: { readonly argv: readonly string[]; readonly world: World },
  { began, done }: CommandHooks,
): void {
  const command = placeFor(row.name, program).description(row.help);
  if (row.operand !== undefined) command.addArgument(row.operand);
  if (isNamed(row, argv))
    for (const option of [...(fields === null ? [] : fieldFlags(fields)), ...row.flags()]) command.addOption(option);
  const needed = fields === null ? [] : neededFlags(fields);
  addHelpAll(command, row.everyday === undefined ? null : [...row.everyday, ...needed]);
  addSections(command, row);
  command.action(async () => {
    const operands = command.args;
    const files = row.operand?.name() === 'file' ? operands : [];
    const valued = new Set(command.options.filter(({ required }) => required).map(({ long }) => long ?? ''));
    const commandLine = parseCommandLine(argv, { program: world.program(), command: row.name, files, valued });
    const call: Invocation = { name: row.name, operands, flags: command.opts(), commandLine, world };
    began(call, row);
    done(await row.run(call as Invocation<never>));
  });
}

/** Of commands that the words do not name, nothing needs the flags; without words, a test looks at all. */
function isNamed({ name }: CommandSpec, argv: readonly string[]): boolean {
  return argv.length === 0 || name.split(' ').every((word) => argv.includes(word));
}

/** A new command of this name: one word, or a group and another word. */
function placeFor(name: string, program: Command): Command {
  const [first = '', second] = name.split(' ');
  if (second === undefined) return program.command(first);
  const group = program.commands.find((each) => each.name() === first) ?? newGroup(first, program);
  return group.command(second);
}

function newGroup(name: string, program: Command): Command {
  const group = program.command(name).description(COMMAND_GROUPS.get(name) ?? '');
  addHelpAll(group, null);
  return group;
}

/** Only the completion scripts call this: it looks at the program itself. */
function addOffers(program: Command, world: World, done: (exitCode: number) => void): void {
  const completion = program.commands.find((command) => command.name() === 'completion');
  completion
    ?.usage('[options] <shell>')
    .command('offers', { hidden: true })
    .argument('[word...]', 'the command line, to the word that is being typed')
    .action(async (words: string[]) => {
      const { printOffers } = await import('./cli/completion.js');
      done(await printOffers(program, words, world));
    });
}

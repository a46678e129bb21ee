/**
 * `completion <shell>`: a script that asks the program for its offers. `completion offers -- WORDS`: the offers for the
 * last word of a command line. The first line is their kind. Then each line is a word, with its help after a tab. It
 * never prints an error: a person who presses the tab key has not asked for a message.
 */
import type { Argument, Command, Option } from 'commander';
import { EXIT } from '../errors.js';
import { parseChoice } from '../config/parsers.js';
import { flagOf } from '../config/settings.js';
import { loadConfig } from '../config/config-file.js';
import type { RunFlags } from '../config/resolve.js';
import { RECORD_TYPES } from '../records/types.js';
import { newCommandLine } from '../follow-up/command-line.js';
import { printable } from '../report/printable.js';
import { published } from '../version.js';
import type { World } from '../world.js';
import type { Invocation } from './command.js';
import { writeDocument } from './document.js';
import { withOpenJournal } from './with-journal.js';

/**
 * Prints a script that asks the program for its offers each time the tab key is pressed, and returns the exit code.
 * @throws UsageError for an unknown shell
 */
export function printCompletion(
  shells: readonly string[],
  { operands: [name = ''], flags, world }: Invocation<{ readonly json?: boolean }>,
): number {
  const shell = parseChoice('gigwork completion', name, shells);
  const script = published(`samples/completion/gigwork.${shell}`);
  if (flags.json === true) writeDocument({ shell, script }, world);
  else world.stdout.write(script);
  return EXIT.ok;
}

/**
 * `fields`: what may follow the last `=` of the word. `value`: anything; `nothing`: no further word. The shell finds files
 * and folders.
 */
interface Offers {
  readonly kind: 'flags' | 'commands' | 'words' | 'names' | 'fields' | 'files' | 'folders' | 'value' | 'nothing';
  readonly lines: readonly string[];
}

/** Prints the offers. @param typed the command line without the program; the last word is still being typed */
export async function printOffers(program: Command, typed: readonly string[], world: World): Promise<number> {
  const { kind, lines } = await offersFor(program, joinAssignments(typed), world);
  for (const line of [kind, ...lines]) world.stdout.write(`${line}\n`);
  return EXIT.ok;
}

/** bash splits `--flag=value` into three words. */
function joinAssignments(words: readonly string[]): string[] {
  return words.reduce<string[]>((joined, word, i) => {
    if (word !== '=' && words[i - 1] !== '=') return [...joined, word];
    return [...joined.slice(0, -1), `${joined.at(-1) ?? ''}${word}`];
  }, []);
}

async function offersFor(program: Command, words: readonly string[], world: World): Promise<Offers> {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  if (before[0] === 'help') return commandsBelow(commandOf(program, before.slice(1)));
  const command = commandOf(program, before);
  if (before[0] === 'help') return commandsBelow(commandOf(program, before.slice(1)));
  const options = command.createHelp().visibleOptions(command);
  const flag = /^--[^=]+=/.test(typed) ? typed.split('=', 1)[0] : before.at(-1);
  const option = options.find(({ short, long, required }) => required && (flag === short || flag === long));
  // The flag whose value is being typed has none yet.
  const whole = flag === before.at(-1) ? before.slice(0, -1) : before;
  if (option !== undefined) {
    const fields = await fieldOffers(option, command, flag === before.at(-1) ? typed : typed.slice(`${flag}=`.length));
    return fields ?? offersOf(takenBy(option), command, whole, world);
  }
  if (typed.startsWith('-')) return { kind: 'flags', lines: flagLines(options, typed) };
  const [argument] = command.registeredArguments;
  if (argument !== undefined) return offersOf(takenByArgument(argument), command, before, world);
  return commandsBelow(command);
}

function commandsBelow(command: Command): Offers {
  const below = command.createHelp().visibleCommands(command);
  const lines = below.map((each) => `${each.name()}\t${each.description()}`);
  return { kind: lines.length === 0 ? 'nothing' : 'commands', lines };
}

/** The flags that begin as typed: otherwise fish would offer all that contain its letters. */
function flagLines(options: readonly Option[], typed: string): string[] {
  return options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((name) => (name?.startsWith(typed) === true ? [`${name}\t${description}`] : [])),
  );
}

function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce((at, word) => {
    const below = at.createHelp().visibleCommands(at);
    return below.find((command) => command.name() === word) ?? at;
  }, program);
}

/** Null for a flag that takes no field. @param typed its value so far: `COLUMN=FIELD`, `FIELD=VALUE` or `FIELD,FIELD` */
async function fieldOffers({ long }: Option, command: Command, typed: string): Promise<Offers | null> {
  const isAssigned = typed.includes('=');
  switch (long) {
    case flagOf('map'):
      return isAssigned ? { kind: 'fields', lines: await fieldNamesOf(command) } : { kind: 'value', lines: [] };
    case flagOf('set'):
      if (isAssigned) return { kind: 'value', lines: [] };
      return { kind: 'fields', lines: (await fieldNamesOf(command)).map((name) => `${name}=`) };
    case flagOf('key_columns'): {
      const earlier = typed.slice(0, typed.lastIndexOf(',') + 1);
      return { kind: 'names', lines: (await fieldNamesOf(command)).map((name) => `${earlier}${name}`) };
    }
    default:
      return null;
  }
}

/** The fields of the command's record type, or of all types; the columns of an export. */
async function fieldNamesOf(command: Command): Promise<string[]> {
  if (command.name() === 'reconcile') {
    const { LISTED_PAYMENT } = await import('../records/service-list.js');
    return LISTED_PAYMENT.fields.map(({ name }) => name);
  }
  const { RECORD_SCHEMAS } = await import('../records/record-schemas.js');
  const named = RECORD_TYPES.find((type) => type === command.parent?.name());
  const types = named === undefined ? RECORD_TYPES : [named];
  return [...new Set(types.flatMap((type) => RECORD_SCHEMAS[type].fields.map(({ name }) => name)))];
}

/** The values of a flag or an argument: a few words, names to look up, or files and folders that the shell finds. */
type Taken = readonly string[] | (typeof NAME_KINDS)[number] | 'files' | 'folders' | 'value' | 'nothing';

function takenBy({ argChoices, long, flags }: Option): Taken {
  if (long === flagOf('profile')) return 'profiles';
  if (long === flagOf('batch_id')) return 'batches';
  if (long === '--run') return 'runs';
  if (argChoices !== undefined && argChoices.length > 0) return argChoices;
  if (flags.endsWith('<file>')) return 'files';
  return flags.endsWith('<dir>') ? 'folders' : 'value';
}

function takenByArgument(argument: Argument): Taken {
  if (argument.argChoices !== undefined) return argument.argChoices;
  if (argument.name() === 'run') return 'runs';
  return argument.name() === 'file' ? 'files' : 'nothing';
}

/** @param before the words before the one that is being typed */
async function offersOf(taken: Taken, command: Command, before: readonly string[], world: World): Promise<Offers> {
  if (typeof taken !== 'string') return { kind: 'words', lines: taken };
  if (!isNames(taken)) return { kind: taken, lines: [] };
  const names = await findNames(taken, command, before, world).catch((): string[] => []);
  // A name with a line end would become two offers.
  const offered = [...new Set(names)].filter((name) => printable(name) === name).slice(0, MOST_OFFERS);
  return { kind: 'names', lines: offered };
}

/** Shells do not show more at once. */
const MOST_OFFERS = 200;

const NAME_KINDS = ['runs', 'batches', 'profiles'] as const;

function isNames(taken: string): taken is (typeof NAME_KINDS)[number] {
  return NAME_KINDS.some((name) => name === taken);
}

/** The names of a kind, newest first, from the journal and the settings that the words name. */
async function findNames(
  kind: (typeof NAME_KINDS)[number],
  command: Command,
  before: readonly string[],
  world: World,
): Promise<string[]> {
  command.parseOptions([...before]);
  const flags: RunFlags = command.opts();
  if (kind === 'profiles') return Object.keys((await loadConfig(flags, world))?.profiles ?? {});
  const commandLine = newCommandLine(world.program(), 'completion offers', [], []);
  const runs = await withOpenJournal(
    { operands: [], flags, commandLine, world },
    'reads',
    async (journal) => (await journal?.runs()) ?? [],
  );
  return runs.map(({ name, batchId }) => (kind === 'runs' ? name : batchId));
}

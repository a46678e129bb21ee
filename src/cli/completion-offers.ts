/**
 * `gigwork completion offers -- WORDS`: what a shell offers for the last word of a command line. The kind of the offers has
 * the first line, then each a line: the word, and its help behind a tab. Nothing else is ever said, whatever is wrong:
 * whoever presses the tab key has asked for no message.
 */
import type { Argument, Command, Option } from 'commander';
import { EXIT } from '../errors.js';
import { flagOf, optionName } from '../config/setting-table.js';
import { PLACES } from '../config/onward.js';
import { loadConfig } from '../config/config-file.js';
import type { RunFlags } from '../config/sources.js';
import type { Run } from '../ledger/payment.js';
import { printable } from '../report/printable.js';
import type { World } from '../world.js';
import { withLedger } from './ledger.js';

/** `value`: anything; `nothing`: no further word. Files and folders are found by the shell. */
interface Offers {
  readonly kind: 'flags' | 'commands' | 'words' | 'names' | 'files' | 'folders' | 'value' | 'nothing';
  readonly lines: readonly string[];
}

/** Prints the offers. @param words the command line without the program; the last one is still being typed */
export async function printOffers(program: Command, words: readonly string[], world: World): Promise<number> {
  const { kind, lines } = await offersFor(program, words, world);
  for (const line of [kind, ...lines]) world.stdout.write(`${line}\n`);
  return EXIT.ok;
}

async function offersFor(program: Command, words: readonly string[], world: World): Promise<Offers> {
  const command = commandOf(program, words.slice(0, -1));
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const flag = flagOfValue(words);
  const option = options.find(({ short, long, required }) => required && (flag === short || flag === long));
  if (option !== undefined) return offersOf(takenBy(option), words, world);
  const typed = words.at(-1) ?? '';
  if (typed.startsWith('-')) return { kind: 'flags', lines: flagLines(options, typed) };
  const [argument] = command.registeredArguments;
  if (argument !== undefined) return offersOf(takenByArgument(argument), words, world);
  const below = help.visibleCommands(command).map((each) => `${each.name()}\t${each.description()}`);
  return { kind: below.length === 0 ? 'nothing' : 'commands', lines: below };
}

/** The flags that begin as typed: without any, fish would offer all that have its letters somewhere. */
function flagLines(options: readonly Option[], typed: string): string[] {
  return options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((name) => (name?.startsWith(typed) === true ? [`${name}\t${description}`] : [])),
  );
}

/** The command that the words lead to. */
function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce((at, word) => {
    const below = at.createHelp().visibleCommands(at);
    return below.find((command) => command.name() === word) ?? at;
  }, program);
}

/** The flag whose value the last word is, if it is one: `--flag VALUE`, `--flag=VALUE`, or bash's three words for that. */
function flagOfValue(words: readonly string[]): string | undefined {
  const [beforeThat, before, last = ''] = [words.at(-3), words.at(-2), words.at(-1)];
  if (/^--[^=]+=/.test(last)) return last.split('=', 1)[0];
  return before === '=' ? beforeThat : before;
}

/** What a flag or an argument takes: a few words, names that are looked up, or what a shell finds. */
type Taken = readonly string[] | keyof typeof NAMES | 'files' | 'folders' | 'value' | 'nothing';

function takenBy({ argChoices, long, flags }: Option): Taken {
  if (long === flagOf('profile')) return 'profiles';
  if (long === flagOf('batch_id')) return 'batches';
  if (argChoices !== undefined && argChoices.length > 0) return argChoices;
  if (flags.endsWith('<file>')) return 'files';
  return flags.endsWith('<dir>') ? 'folders' : 'value';
}

function takenByArgument(argument: Argument): Taken {
  if (argument.argChoices !== undefined) return argument.argChoices;
  if (argument.name() === 'run') return 'runs';
  return argument.name() === 'file' ? 'files' : 'nothing';
}

async function offersOf(taken: Taken, words: readonly string[], world: World): Promise<Offers> {
  if (typeof taken !== 'string') return { kind: 'words', lines: taken };
  if (!isNames(taken)) return { kind: taken, lines: [] };
  const names = await NAMES[taken](placesAmong(words.slice(0, -1)), world).catch((): string[] => []);
  // A name with a line end in it would be two.
  const offered = [...new Set(names)].filter((name) => printable(name) === name).slice(0, MOST_NAMES);
  return { kind: 'names', lines: offered };
}

/** A shell shows no more at once. */
const MOST_NAMES = 200;

/** The names of a kind, the newest first. */
const NAMES = {
  runs: async (flags: RunFlags, world: World) => (await storedRuns(flags, world)).map(({ name }) => name),
  batches: async (flags: RunFlags, world: World) => (await storedRuns(flags, world)).map(({ batchId }) => batchId),
  profiles: async (flags: RunFlags, world: World) => {
    const config = await loadConfig(flags, world);
    return Object.keys(config?.profiles ?? {});
  },
};

function isNames(taken: string): taken is keyof typeof NAMES {
  return Object.hasOwn(NAMES, taken);
}

function storedRuns(flags: RunFlags, world: World): Promise<readonly Run[]> {
  return withLedger({ flags, argv: [], world }, 'reads', async (ledger) => (await ledger?.runs()) ?? []);
}

/** The flags of a command line that say where the journal and the settings are. bash has `--flag=value` as three words. */
function placesAmong(words: readonly string[]): RunFlags {
  const parts = words.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]));
  const flags: Record<string, string> = {};
  for (const [i, word] of parts.entries()) {
    const value = parts[i + 1] === '=' ? parts[i + 2] : parts[i + 1];
    const place = PLACES.find((name) => flagOf(name) === word);
    if (place !== undefined && value !== undefined) flags[optionName(place)] = value;
  }
  return flags;
}

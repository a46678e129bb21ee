/** `gigwork completion names KIND -- WORDS`: the names that a shell offers. It says nothing but names, whatever is wrong. */
import { EXIT } from '../errors.js';
import { loadConfig } from '../config/config-file.js';
import type { RunFlags } from '../config/flags.js';
import { namedFirst } from '../config/sources.js';
import type { Run } from '../ledger/payment.js';
import { printable } from '../report/printable.js';
import type { World } from '../world.js';
import type { NameKind } from './completion/tree.js';
import { withLedger } from './ledger.js';

type PlaceFlags = Pick<RunFlags, 'config' | 'profile' | 'stateDir' | 'journal'>;

/** A shell shows no more at once. */
const MOST_NAMES = 200;

/** Prints the names of a kind, the newest first, a line each. @param words the command line so far, without the program */
export async function printNames(kind: NameKind, words: readonly string[], world: World): Promise<number> {
  // Whoever presses the tab key has asked for no message.
  const names = Object.hasOwn(NAMES, kind)
    ? await NAMES[kind](placesAmong(words), world).catch((): string[] => [])
    : [];
  // A name with a line end in it would be two.
  const offered = [...new Set(names)].filter((name) => printable(name) === name).slice(0, MOST_NAMES);
  for (const name of offered) world.stdout.write(`${name}\n`);
  return EXIT.ok;
}

const NAMES: Readonly<Record<NameKind, (flags: PlaceFlags, world: World) => Promise<string[]>>> = {
  runs: async (flags, world) => (await storedRuns(flags, world)).map(({ name }) => name),
  batches: async (flags, world) => (await storedRuns(flags, world)).map(({ batchId }) => batchId),
  profiles: async (flags, world) => {
    const { config } = await loadConfig(namedFirst('config', flags, world.env), world);
    return Object.keys(config.profiles ?? {});
  },
};

function storedRuns(flags: PlaceFlags, world: World): Promise<readonly Run[]> {
  return withLedger(flags, null, world, async (ledger) => (await ledger?.runs()) ?? []);
}

const PLACES: Readonly<Record<string, keyof PlaceFlags>> = {
  '--config': 'config',
  '--profile': 'profile',
  '--state-dir': 'stateDir',
  '--journal': 'journal',
};

/** The flags of a command line that say where the journal and the settings are. bash has `--flag=value` as three words. */
function placesAmong(words: readonly string[]): PlaceFlags {
  const parts = words.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]));
  const flags: Record<string, string> = {};
  for (const [i, word] of parts.entries()) {
    const value = parts[i + 1] === '=' ? parts[i + 2] : parts[i + 1];
    if (Object.hasOwn(PLACES, word) && value !== undefined) flags[PLACES[word] as string] = value;
  }
  return flags;
}

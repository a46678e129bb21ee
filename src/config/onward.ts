/** The words that a command which goes on needs, so that it goes on as it stands: where, at which target, and how. */
import { UsageError } from '../errors.js';
import type { Run } from '../ledger/payment.js';
import type { Onward } from '../options.js';
import type { World } from '../world.js';
import { flagOf, flagsThat, isSwitch } from './flags.js';
import { withoutPassword } from './journal-url.js';
import { placeWords } from './places.js';
import { type Secrets, secretsOf } from './secrets.js';
import { settingOf } from './setting-table.js';
import type { Settings } from './sources.js';
import { targetNamed } from './target.js';

/** Flags whose value is the name of something on this machine. */
const NAMES: ReadonlySet<string> = new Set(flagsThat('place', 'file').map(flagOf));
/** Flags that the command to go on needs, to reach the target, and to send and log as before. */
const WAY = flagsThat('file', 'way');
const WAY_SWITCHES: ReadonlySet<string> = new Set(WAY.filter((name) => isSwitch(settingOf(name))).map(flagOf));
const WAY_VALUES: ReadonlySet<string> = new Set(WAY.filter((name) => !isSwitch(settingOf(name))).map(flagOf));

/** @param argv words after `gigwork`, @param target its name; null in a dry run without one */
export function onwardWords(
  argv: readonly string[],
  {
    settings,
    target,
    secrets,
  }: { readonly settings: Settings; readonly target: string | null; readonly secrets: Secrets },
  world: World,
): Onward {
  const place = placeWords(settings);
  return {
    resume: shownWords([...place, ...targetWords(target, settings, world), ...wayWords(argv)], secrets),
    again: ['gigwork', ...shownWords(withPlace(argv, place), secrets)],
    typed: ['gigwork', ...shownWords(argv, secrets)],
  };
}

/**
 * The words of the command that goes on with a stored run, at its target and with its ledger. Lifetimes of keys are
 * remembered with the payments; values of headers are not, since they may be secrets: the call asks for them by name.
 */
export function onwardOf(run: Run, settings: Settings, world: World): readonly string[] {
  const { resume } = onwardWords([], { settings, target: run.target, secrets: secretsOf([]) }, world);
  return ['gigwork', 'batch', 'resume', run.name, ...resume, ...skipWords(run)];
}

/** The run asks again about what it has left out. */
function skipWords({ skips: { skipCreated, skipSimilar } }: Run): string[] {
  return [...(skipCreated ? ['--skip-created'] : []), ...(skipSimilar ? ['--skip-similar'] : [])];
}

/**
 * A command line that may be seen. The names of files, folders and profiles stay as they are: with a part hidden, they
 * would name something else. A shared journal is the same without its password.
 */
function shownWords(words: readonly string[], secrets: Secrets): string[] {
  const isPlace = (word: string, i: number): boolean =>
    NAMES.has(words[i - 1] ?? '') || NAMES.has(word.split('=', 1)[0] ?? '');
  return words.map((word, i) => (isPlace(word, i) ? withoutPassword(word) : secrets.hide(word)));
}

/**
 * What names the run's own target, where settings that will still be in force then would name another one: a run goes
 * on at its own target only. Variables may be set there, or not.
 */
function targetWords(target: string | null, settings: Settings, world: World): string[] {
  if (target === null) return [];
  if (target === 'sandbox') return ['--sandbox'];
  const [address = '', account] = target.split('#');
  const { baseUrl: _url, account: _account, ...flags } = settings.flags;
  const others = [world.env, {}].map((env) => nameOf({ ...settings, flags, env }, address));
  if (others.every((name) => name === null || name === target)) return [];
  return ['--base-url', address, ...(account === undefined ? [] : ['--account', account])];
}

/** Settings that cannot be used make another target, too. */
function nameOf(settings: Settings, stored: string): string | null {
  try {
    return targetNamed(settings, stored);
  } catch (cause) {
    if (cause instanceof UsageError) return '';
    throw cause;
  }
}

/** The words of a command line that say how to send. */
function wayWords(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const [name = ''] = word.split('=', 1);
    if (WAY_SWITCHES.has(word) || (WAY_VALUES.has(name) && word !== name)) words.push(word);
    else if (WAY_VALUES.has(name)) words.push(word, argv[++i] ?? '');
  }
  return words;
}

/** The call with what it had from variables, which may not be set where it is pasted. */
function withPlace(argv: readonly string[], place: readonly string[]): string[] {
  const given = new Set(argv.map((word) => word.split('=', 1)[0]));
  const missing = place.filter((_word, i) => !given.has(place[i - (i % 2)]));
  // Behind `--` stand names of files.
  const end = argv.indexOf('--');
  return end === -1 ? [...argv, ...missing] : [...argv.slice(0, end), ...missing, ...argv.slice(end)];
}

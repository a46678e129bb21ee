/** Where the program keeps its state. */
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import type { JournalOptions } from '../options.js';
import { choose, configNamed, folderOf, named, profileOf, type Settings } from './sources.js';
import { folderName, xdgFolder } from './values.js';

/**
 * The folder of the journal: the one that the setting `journal` names, else the state directory. The journal has a
 * setting of its own because it protects from paying twice.
 * @throws UsageError when none can be found
 */
export function journalDir(settings: Settings, world: World): string {
  const [name, value] = named('journal', settings);
  if (value === undefined) return stateDir(settings, world);
  return resolve(folderOf(choose('journal', settings).origin, settings, world), journalFolder(name, value));
}

/** The option that sets another journal folder, and what names the present one: `--state-dir, or in …`. */
export function journalOption(settings: Settings): string {
  const isNamed = choose('journal', settings).value !== undefined;
  const { origin } = choose(isNamed ? 'journal' : 'state_dir', settings);
  const option = isNamed ? '--journal sqlite:FOLDER' : '--state-dir';
  if (origin.from === 'flag' || origin.from === 'default') return option;
  const [name] = named(isNamed ? 'journal' : 'state_dir', settings);
  return `${option}, or ${origin.from === 'environment' ? 'in' : 'as'} ${name}, which names this one`;
}

/**
 * The folder of the sandbox's data, and of the journal unless a setting names another one.
 * @throws UsageError when none can be found
 */
export function stateDir(settings: Settings, world: World): string {
  const [name, value] = named('state_dir', settings);
  const folder = value === undefined ? defaultStateDir(world) : resolve(world.cwd(), folderName(name, value));
  if (folder !== null) return folder;
  throw new UsageError('there is no home folder to keep the journal in; name a state folder with --state-dir');
}

/** The XDG state directory; on Windows, the local application data; null where there is none. */
export function defaultStateDir({ env, platform }: World): string | null {
  if (platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'gigwork');
  const state = xdgFolder(env['XDG_STATE_HOME']);
  if (state !== null) return join(state, 'gigwork');
  return env['HOME'] ? join(env['HOME'], '.local', 'state', 'gigwork') : null;
}

/** Where the ledger is, and whether it must be there already. @throws UsageError */
export function journalOptions(settings: Settings, world: World): JournalOptions {
  return { folder: journalDir(settings, world), required: choose('require_journal', settings).value };
}

/** The same for a dry run, which needs no journal: without a home folder, there is none to look into. @throws UsageError */
export function dryJournalOptions(settings: Settings, world: World): JournalOptions {
  if (choose('journal', settings).value === undefined && isHomeless(settings, world))
    return { folder: null, required: choose('require_journal', settings).value };
  return journalOptions(settings, world);
}

/** No state directory is named, and the system has no place for one: a job in a container without `HOME`. */
export function isHomeless(settings: Settings, world: World): boolean {
  return choose('state_dir', settings).value === undefined && defaultStateDir(world) === null;
}

/**
 * The options that a later command needs to find the same settings and the same ledger, wherever this call has them
 * from: a variable may not be set where the command is pasted.
 */
export function placeWords(settings: Settings): string[] {
  const words = (option: string, value: string | null | undefined): string[] =>
    value === null || value === undefined ? [] : [option, value];
  const given = (name: 'state_dir' | 'journal'): string | undefined => {
    const { value, origin } = choose(name, settings);
    return origin.from === 'flag' || origin.from === 'environment' ? value : undefined;
  };
  return [
    ...words('--profile', profileOf(settings)),
    ...words('--config', configNamed(settings.flags, settings.env)),
    ...words('--state-dir', given('state_dir')),
    ...words('--journal', given('journal')),
  ];
}

/** `sqlite:FOLDER`, the only kind of journal there is. */
function journalFolder(name: string, url: string): string {
  if (url.startsWith('sqlite:')) return folderName(name, url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
  throw new UsageError(`${name} takes sqlite:FOLDER; found ${JSON.stringify(url)}`);
}

/** Where the program keeps its state. */
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import type { FolderPlace, PostgresqlPlace } from '../ledger/place.js';
import type { JournalOptions } from '../options.js';
import { hiddenPassword, isPostgresql, passwordsIn, postgresqlPlace, withoutPassword } from './journal-url.js';
import { choose, configNamed, folderOf, named, profileOf, type Settings } from './sources.js';
import { decimalNumber, folderName, xdgFolder } from './values.js';

/**
 * Where the journal is: at the place that the setting `journal` names, else in the state directory. The journal has a
 * setting of its own because it protects from paying twice.
 * @throws UsageError when none can be found
 */
export function journalPlace(settings: Settings, world: World): FolderPlace | PostgresqlPlace {
  const [name, value] = named('journal', settings);
  if (value === undefined) return { kind: 'file', folder: stateDir(settings, world) };
  const from = folderOf(choose('journal', settings).origin, settings, world);
  if (isPostgresql(value)) return postgresqlPlace(name, value, from, world);
  return { kind: 'file', folder: resolve(from, journalFolder(name, value)) };
}

/** A journal that a flag names. @throws UsageError */
export function placeOfUrl(name: string, value: string, world: World): FolderPlace | PostgresqlPlace {
  if (isPostgresql(value)) return postgresqlPlace(name, value, world.cwd(), world);
  return { kind: 'file', folder: resolve(world.cwd(), journalFolder(name, value)) };
}

/** What must never be seen of the setting `journal`. */
export function journalSecrets(settings: Settings): string[] {
  return passwordsIn(choose('journal', settings).value ?? '');
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
  return { place: journalPlace(settings, world), ...journalRules(settings) };
}

function journalRules(settings: Settings): Omit<JournalOptions, 'place'> {
  return {
    required: choose('require_journal', settings).value,
    timeoutMs: decimalNumber(...named('journal_timeout', settings), 0, 86_400) * 1000,
  };
}

/** The same for a dry run, which needs no journal: without a home folder, there is none to look into. @throws UsageError */
export function dryJournalOptions(settings: Settings, world: World): JournalOptions {
  if (choose('journal', settings).value === undefined && isHomeless(settings, world))
    return { place: { kind: 'file', folder: null }, ...journalRules(settings) };
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
    ...words('--journal', withoutPassword(given('journal') ?? '') || null),
  ];
}

/** `sqlite:FOLDER` */
function journalFolder(name: string, url: string): string {
  if (url.startsWith('sqlite:')) return folderName(name, url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
  throw new UsageError(
    `${name} takes sqlite:FOLDER or postgresql://USER@HOST/DATABASE; found ${JSON.stringify(hiddenPassword(url))}`,
  );
}

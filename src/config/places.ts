/** Where the program keeps its state. */
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import type { FolderPlace, PostgresqlPlace } from '../ledger/place.js';
import type { JournalOptions } from '../options.js';
import { flagOf, flagsThat } from './flags.js';
import { hiddenPassword, isPostgresql, passwordsIn, postgresqlPlace, withoutPassword } from './journal-url.js';
import { choose, folderOf, type Settings, valueOf, writtenName } from './sources.js';
import { folderName, xdgFolder } from './values.js';

/**
 * Where the journal is: at the place that the setting `journal` names, else in the state directory. The journal has a
 * setting of its own because it protects from paying twice.
 * @throws UsageError when none can be found
 */
export function journalPlace(settings: Settings, world: World): FolderPlace | PostgresqlPlace {
  const url = valueOf('journal', settings);
  if (url === null) return { kind: 'file', folder: stateDir(settings, world) };
  const from = folderOf(choose('journal', settings).origin, settings, world);
  const name = writtenName('journal', settings);
  if (isPostgresql(url)) return postgresqlPlace(name, url, from, world);
  return { kind: 'file', folder: resolve(from, journalFolder(name, url)) };
}

/** A journal that a flag names. @throws UsageError */
export function placeOfUrl(name: string, url: string, world: World): FolderPlace | PostgresqlPlace {
  if (isPostgresql(url)) return postgresqlPlace(name, url, world.cwd(), world);
  return { kind: 'file', folder: resolve(world.cwd(), journalFolder(name, url)) };
}

/** What must never be seen of the setting `journal`. */
export function journalSecrets(settings: Settings): string[] {
  return passwordsIn(valueOf('journal', settings) ?? '');
}

/** The option that sets another journal folder, and what names the present one: `--state-dir, or in …`. */
export function journalOption(settings: Settings): string {
  const isNamed = valueOf('journal', settings) !== null;
  const { origin } = choose(isNamed ? 'journal' : 'state_dir', settings);
  const option = isNamed ? '--journal sqlite:FOLDER' : '--state-dir';
  if (origin.from === 'flag' || origin.from === 'default') return option;
  const name = writtenName(isNamed ? 'journal' : 'state_dir', settings);
  return `${option}, or ${origin.from === 'environment' ? 'in' : 'as'} ${name}, which names this one`;
}

/**
 * The folder of the sandbox's data, and of the journal unless a setting names another one.
 * @throws UsageError when none can be found
 */
export function stateDir(settings: Settings, world: World): string {
  const given = valueOf('state_dir', settings);
  const folder = given === null ? defaultStateDir(world) : resolve(world.cwd(), given);
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
    required: valueOf('require_journal', settings),
    timeoutMs: valueOf('journal_timeout', settings) * 1000,
  };
}

/** The same for a dry run, which needs no journal: without a home folder, there is none to look into. @throws UsageError */
export function dryJournalOptions(settings: Settings, world: World): JournalOptions {
  if (valueOf('journal', settings) === null && isHomeless(settings, world))
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
  return flagsThat('place').flatMap((name) => {
    const { value: text, origin } = choose(name, settings);
    const isCalled = origin.from === 'flag' || origin.from === 'environment';
    return isCalled && typeof text === 'string' && text !== '' ? [flagOf(name), withoutPassword(text)] : [];
  });
}

/** `sqlite:FOLDER` */
function journalFolder(name: string, url: string): string {
  if (url.startsWith('sqlite:')) return folderName(name, url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
  throw new UsageError(
    `${name} takes sqlite:FOLDER or postgresql://USER@HOST/DATABASE; found ${JSON.stringify(hiddenPassword(url))}`,
  );
}

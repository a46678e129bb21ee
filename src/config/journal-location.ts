/** The places of the program's state: the journal, and the sandbox's data. */
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { FolderPlace, PostgresqlPlace } from '../journal/location.js';
import type { JournalOptions } from '../options.js';
import type { World } from '../world.js';
import { hiddenPassword, isPostgresql, passwordsIn, postgresqlPlace, withoutPassword } from './journal-url.js';
import { flagOf } from './settings.js';
import { resolveSetting, type SettingSources, settingValue } from './resolve.js';
import { folderName, xdgFolder } from './parsers.js';

/**
 * The place of the journal: from the setting `journal`, else the state directory. The journal has a separate setting
 * because it protects from paying twice.
 * @throws UsageError when there is no place
 */
export function journalPlace(settings: SettingSources, world: World): FolderPlace | PostgresqlPlace {
  const url = journalUrl(settings);
  if (url === null) return { kind: 'file', folder: stateDir(settings, world) };
  const { name, folder } = resolveSetting('journal', settings);
  return parseJournalUrl(name, url, world, folder);
}

/**
 * The journal at a URL.
 * @param name of the setting, for messages
 * @param folder from which its relative paths start
 * @throws UsageError
 */
export function parseJournalUrl(
  name: string,
  url: string,
  world: World,
  folder = world.cwd(),
): FolderPlace | PostgresqlPlace {
  if (isPostgresql(url)) return postgresqlPlace(name, url, folder, world);
  if (!url.startsWith('sqlite:'))
    throw new UsageError(
      `${name} takes sqlite:FOLDER or postgresql://USER@HOST/DATABASE; found ${JSON.stringify(hiddenPassword(url))}`,
    );
  const path = folderName(name, url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
  return { kind: 'file', folder: resolve(folder, path) };
}

/**
 * The setting `journal`. Printed commands that continue have no password in the URL. If the variable or the config file
 * has the same URL, the password comes from there.
 */
function journalUrl(settings: SettingSources): string | null {
  const url = settingValue('journal', settings);
  const { journal: _flag, ...flags } = settings.flags;
  const kept = settingValue('journal', { ...settings, flags });
  return url !== null && kept !== null && withoutPassword(kept) === url ? kept : url;
}

export function journalSecrets(settings: SettingSources): string[] {
  return passwordsIn(journalUrl(settings) ?? '');
}

/** The option that names the journal's folder, or could name another one: `--state-dir`, `GIGWORK_JOURNAL`. */
export function journalOption(settings: SettingSources): string {
  const setting = settingValue('journal', settings) === null ? 'state_dir' : 'journal';
  const { from, name } = resolveSetting(setting, settings);
  return from === 'default' ? flagOf(setting) : name;
}

/** The folder of the sandbox's data, and of the journal by default. @throws UsageError when there is no place */
export function stateDir(settings: SettingSources, world: World): string {
  const given = settingValue('state_dir', settings);
  const folder = given === null ? defaultStateDir(world) : resolve(world.cwd(), given);
  if (folder !== null) return folder;
  throw new UsageError('there is no home folder to keep the journal in; name a state folder with --state-dir');
}

/** The XDG state directory; on Windows, the local application data; null if there is none. */
export function defaultStateDir({ env, platform }: Pick<World, 'env' | 'platform'>): string | null {
  if (platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'gigwork');
  const state = xdgFolder(env['XDG_STATE_HOME']);
  if (state !== null) return join(state, 'gigwork');
  return env['HOME'] ? join(env['HOME'], '.local', 'state', 'gigwork') : null;
}

/** No state directory is named, and the system has no place for one: a job in a container without `HOME`. */
export function hasNoStateDir(settings: SettingSources, world: World): boolean {
  return settingValue('state_dir', settings) === null && defaultStateDir(world) === null;
}

/**
 * The place of the journal, and whether it must exist already.
 * @param dryRun a dry run needs no journal: without a home folder, it uses none
 * @throws UsageError
 */
export function journalOptions(settings: SettingSources, world: World, dryRun = false): JournalOptions {
  const isNowhere = dryRun && settingValue('journal', settings) === null && hasNoStateDir(settings, world);
  return {
    place: isNowhere ? { kind: 'file', folder: null } : journalPlace(settings, world),
    required: settingValue('require_journal', settings),
    timeoutMs: settingValue('journal_timeout', settings) * 1000,
  };
}

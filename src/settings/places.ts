/** Where the program keeps its state. */
import { join, resolve } from 'node:path';
import { UsageError } from '../exit.js';
import type { World } from '../world.js';
import { choose, type Chosen, ORIGINS, type Settings } from './sources.js';

/** The folder of the journal: a place of its own, or the state directory. @throws UsageError when none can be found */
export function journalDir(settings: Settings, world: World): string {
  const journal = choose('journal', settings);
  if (journal.value === undefined || isOutranked(journal, settings)) return stateDir(settings, world);
  return resolve(world.cwd(), journalFolder(journal.value));
}

/** Whether a state directory is named where it counts more than what names the journal. */
export function isOutranked({ origin }: Chosen<unknown>, settings: Settings): boolean {
  const named = choose('state_dir', settings);
  return ORIGINS.indexOf(named.origin.from) < ORIGINS.indexOf(origin.from);
}

/** The folder of the sandbox's data and, unless another is named for it, of the journal. @throws UsageError when none can be found */
export function stateDir(settings: Settings, world: World): string {
  const named = choose('state_dir', settings).value;
  return named === undefined ? defaultStateDir(world) : resolve(world.cwd(), named);
}

/** The XDG state directory; on Windows, the local application data. @throws UsageError when there is none */
export function defaultStateDir({ env, platform }: World): string {
  if (platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'gigwork');
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'gigwork');
  if (env['HOME']) return join(env['HOME'], '.local', 'state', 'gigwork');
  throw new UsageError('there is no home folder to keep the journal in; name a state folder with --state-dir');
}

/** `sqlite:FOLDER`, the only kind of journal there is. */
function journalFolder(url: string): string {
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  throw new UsageError(`--journal takes sqlite:FOLDER; found ${JSON.stringify(url)}`);
}

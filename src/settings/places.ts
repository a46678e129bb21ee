/** Where the program keeps its state. */
import { join, resolve } from 'node:path';
import { UsageError } from '../exit.js';
import type { World } from '../world.js';
import { choose, type Settings } from './sources.js';

/**
 * The folder of the journal: a place of its own wherever one is named, since it is what protects from paying twice; else the
 * state directory.
 * @throws UsageError when none can be found
 */
export function journalDir(settings: Settings, world: World): string {
  const named = choose('journal', settings).value;
  return named === undefined ? stateDir(settings, world) : resolve(world.cwd(), journalFolder(named));
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

/** Where the tool keeps its state, and whether it may use colour. */
import { join, resolve } from 'node:path';
import { UsageError } from '../exit.js';
import type { World } from '../world.js';
import type { OutputFlags } from './flags.js';

/** The state directory. @throws UsageError when none can be found */
export function stateDir(flags: OutputFlags, configured: string | undefined, world: World): string {
  const { env, platform } = world;
  const journal = flags.journal ?? env['GIGWORK_JOURNAL'] ?? configured;
  if (journal !== undefined && journal !== '') return resolve(world.cwd(), journalFolder(journal));
  const named = flags.stateDir ?? env['GIGWORK_STATE_DIR'];
  if (named !== undefined && named !== '') return resolve(world.cwd(), named);
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

/** Flag, then NO_COLOR and FORCE_COLOR when they are not empty, then whether a terminal is there. */
export function usesColor(flag: boolean | undefined, { env, stdout, stderr }: World): boolean {
  if (flag !== undefined) return flag;
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return true;
  return stdout.isTTY === true && stderr.isTTY === true;
}

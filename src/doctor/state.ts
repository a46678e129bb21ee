/** The state directory and the journal in it. Looks only: nothing is made or changed. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseNetworkFolder } from '../journal/network.js';
import { journalHealth } from '../journal/health.js';
import type { World } from '../world.js';
import { type Check, fail, ok, warn } from './check.js';

const STATE = 'state directory';
const JOURNAL = 'journal';

/**
 * @param option that names another folder: `--state-dir`
 * @throws JournalError for a folder on a network
 */
export function checkStateDir(folder: string, option: string, { platform }: World): Check[] {
  const remedy = `name a folder that can be written with ${option}`;
  if (!existsSync(folder)) return [checkParent(folder, remedy, platform)];
  if (!statSync(folder).isDirectory()) return [fail(STATE, `${folder} is not a folder`, remedy)];
  if (!isWritable(folder)) return [fail(STATE, `${folder} cannot be written`, remedy)];
  refuseNetworkFolder(folder, platform);
  const open = platform === 'win32' ? [] : openToOthers(folder);
  if (open.length === 0) return [ok(STATE, `${folder}: local, can be written, readable by its owner only`)];
  return [warn(STATE, `others on this machine may read ${open.join(', ')}`, `chmod -R go= ${folder}`)];
}

/** The first run makes the folder: where it would be must be writable. */
function checkParent(folder: string, remedy: string, platform: NodeJS.Platform): Check {
  let parent = dirname(folder);
  // A drive that is not there has no folder above it.
  while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent);
  if (!(statSync(parent, { throwIfNoEntry: false })?.isDirectory() ?? false) || !isWritable(parent)) {
    return fail(STATE, `${folder} is not there, and cannot be made in ${parent}`, remedy);
  }
  refuseNetworkFolder(parent, platform);
  return ok(STATE, `${folder} is not there yet; the first run makes it`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Permission bits of group and others. */
const OTHERS = 0o077;

function openToOthers(folder: string): string[] {
  const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
  const files = readdirSync(folder).map((name) => join(folder, name));
  return [folder, ...files].filter(isOpen);
}

/** @throws JournalError when it cannot be opened */
export function checkJournal(folder: string): Check[] {
  const health = journalHealth(folder);
  if (health === null) return [ok(JOURNAL, 'none yet; the first run makes it')];
  const { file, version, damage } = health;
  if (damage.length === 0) return [ok(JOURNAL, `${file}: version ${version}, integrity check passed`)];
  const remedy = 'keep the file: it knows what was paid; restore it from a backup before sending anything';
  return [fail(JOURNAL, `${file} is damaged: ${damage.join('; ')}`, remedy)];
}

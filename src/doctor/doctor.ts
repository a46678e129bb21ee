/** Checks everything that a run needs: settings, state, journal, the way to the service. Creates nothing. */
import { statSync } from 'node:fs';
import type { SendOptions } from '../options.js';
import { configPath, loadSettings } from '../config/config-file.js';
import type { SecretText } from '../config/config-schema.js';
import { journalOption, journalPlace } from '../config/journal.js';
import { wayOptions } from '../config/settings.js';
import { profileOf, type RunFlags, type Settings, valueOf } from '../config/sources.js';
import { checkProxyFor } from '../config/proxy.js';
import type { Secrets } from '../config/secrets.js';
import { targetOf } from '../config/target.js';
import type { World } from '../world.js';
import { attempt, type Check, ok, warn } from './check.js';
import { checkProxy, checkService, checkTls } from './network.js';
import { checkShared } from './shared.js';
import { checkJournal, checkStateDir } from './state.js';

/** All checks in order. A check that an earlier failure makes impossible is left out. */
export async function examine(flags: RunFlags, world: World): Promise<Check[]> {
  const loaded: { settings?: Settings; way?: { send: SendOptions; secrets: Secrets } } = {};
  const checks = await attempt('settings', async () => {
    loaded.settings = await loadSettings(flags, world);
    const found = checkConfig(loaded.settings, world);
    // As in a run: the sandbox takes no credentials.
    loaded.way = wayOptions(loaded.settings, world, flags.sandbox !== true);
    return found;
  });
  const { settings, way } = loaded;
  if (settings === undefined) return checks;
  checks.push(...(await checkState(settings, world)));
  if (way !== undefined) checks.push(...checkProxy(way.send.proxy), ...checkTls(way.send.tls, world));
  checks.push(...(await attempt('base URL', () => checkTarget(settings, way?.send ?? null, world))));
  return way === undefined ? checks : checks.map((check) => ({ ...check, message: way.secrets.hide(check.message) }));
}

function checkConfig(settings: Settings, world: World): Check[] {
  const { layers, configPath: path, flags } = settings;
  if (path === null)
    return [ok('settings', `no config file at ${configPath(flags, world) ?? 'any place'}: flags and environment only`)];
  const profile = profileOf(settings);
  const where = `config file ${path}${profile === null ? '' : `, profile ${profile}`}`;
  const written = layers.some(({ keys }) => [keys.token, ...Object.values(keys.headers ?? {})].some(isWrittenDown));
  if (written && world.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    const remedy = `chmod go= ${path}, or name where the secret is with {"env": …} or {"file": …}`;
    return [warn('settings', `${where} holds a secret that others on this machine may read`, remedy)];
  }
  return [ok('settings', where)];
}

function isWrittenDown(secret: SecretText | undefined): boolean {
  return typeof secret === 'string';
}

async function checkState(settings: Settings, world: World): Promise<Check[]> {
  return attempt('state directory', async () => {
    const place = journalPlace(settings, world);
    if (place.kind === 'postgresql') {
      const [required, approvals] = [valueOf('require_journal', settings), valueOf('require_approval', settings)];
      return attempt('journal', () => checkShared(place, { required, approvals }));
    }
    const { folder } = place;
    const state = await attempt('state directory', () => checkStateDir(folder, journalOption(settings), world));
    if (state.some((check) => check.state === 'fail')) return state;
    const needs = {
      option: journalOption(settings),
      isReal: settings.flags.sandbox !== true,
      required: valueOf('require_journal', settings),
    };
    return [...state, ...(await attempt('journal', () => checkJournal(folder, needs, world)))];
  });
}

/** @param send null when it is not known how to send */
async function checkTarget(settings: Settings, send: SendOptions | null, world: World): Promise<Check[]> {
  const name = 'base URL';
  // As for a dry run, which needs no target.
  const target = targetOf(settings, true, world);
  if (target === null) {
    const remedy = 'give it with --base-url, GIGWORK_BASE_URL or base_url in the config file';
    return [warn(name, 'none is set: only --sandbox and --dry-run work', remedy)];
  }
  if (target.kind === 'sandbox') return [ok(name, 'the sandbox, which needs no network')];
  if (send !== null) checkProxyFor(target.baseUrl, send.proxy);
  return [ok(name, target.name), ...(send === null ? [] : [await checkService(target.baseUrl, send, world)])];
}

/** Checks everything that a run needs: settings, state, journal, connection to the service. Creates nothing. */
import { statSync } from 'node:fs';
import { configPath, loadSettings } from '../config/config-file.js';
import type { SecretText } from '../config/setting.js';
import { journalOption, journalPlace } from '../config/journal-location.js';
import { type ServiceAccess, sendOptions } from '../config/run-options.js';
import { profileOf, type RunFlags, type SettingSources, settingValue } from '../config/resolve.js';
import { resolveTarget } from '../config/target.js';
import { checkCertificates, checkProxyFor } from '../config/tls-and-proxy.js';
import { JournalError, UsageError } from '../errors.js';
import type { SendOptions } from '../options.js';
import type { World } from '../world.js';
import { type Check, fail, ok, warn } from './finding.js';
import { checkJournalFile, checkSharedJournal, checkStateDir } from './journal-checks.js';
import { checkProxy, checkService, checkTls } from './network.js';

/** All checks in order. A check that an earlier failure makes impossible is left out. */
export async function runChecks(flags: RunFlags, world: World): Promise<Check[]> {
  const loaded: { settings?: SettingSources; way?: ServiceAccess } = {};
  const checks = await attempt('settings', async () => {
    loaded.settings = await loadSettings(flags, world);
    const found = checkSettings(loaded.settings, world);
    // As in a run: the sandbox takes no credentials.
    loaded.way = await sendOptions(loaded.settings, flags.sandbox !== true);
    return [found];
  });
  const { settings, way } = loaded;
  if (settings === undefined) return checks;
  checks.push(...(await attempt('state directory', () => checkState(settings, world))));
  if (way !== undefined) checks.push(checkProxy(way.send.proxy), ...checkTls(way.send.tls, world));
  checks.push(...(await attempt('base URL', () => checkTarget(settings, way?.send ?? null, world))));
  return way === undefined
    ? checks
    : checks.map((check) => ({ ...check, message: way.redactor.redact(check.message) }));
}

/** An error that would end a run ends only this check. Its message names the remedy, like all errors of the program. */
async function attempt(name: string, work: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof UsageError || cause instanceof JournalError) return [fail(name, cause.message, null)];
    throw cause;
  }
}

function checkSettings(settings: SettingSources, world: World): Check {
  const { layers, configPath: path, flags } = settings;
  const name = 'settings';
  if (path === null)
    return ok(name, `no config file at ${configPath(flags, world) ?? 'any place'}: flags and environment only`);
  const profile = profileOf(settings);
  const where = `config file ${path}${profile === null ? '' : `, profile ${profile}`}`;
  const isWrittenDown = (secret: SecretText | undefined): boolean => typeof secret === 'string';
  const written = layers.some(({ keys }) => [keys.token, ...Object.values(keys.headers ?? {})].some(isWrittenDown));
  if (!written || world.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return ok(name, where);
  const remedy = `chmod go= ${path}, or name where the secret is with {"env": …}, {"file": …} or {"command": […]}`;
  return warn(name, `${where} holds a secret that others on this machine may read`, remedy);
}

async function checkState(settings: SettingSources, world: World): Promise<Check[]> {
  const place = journalPlace(settings, world);
  const required = settingValue('require_journal', settings);
  if (place.kind === 'postgresql') {
    const approvals = settingValue('require_approval', settings);
    return attempt('journal', () => checkSharedJournal(place, required, approvals));
  }
  const { folder } = place;
  const option = journalOption(settings);
  const needs = { option, required, isReal: settings.flags.sandbox !== true };
  const state = checkStateDir(folder, needs, world);
  if (state.state === 'fail') return [state];
  return [state, ...(await attempt('journal', () => checkJournalFile(folder, needs, world)))];
}

/** @param send null if it is not known how to send */
async function checkTarget(settings: SettingSources, send: SendOptions | null, world: World): Promise<Check[]> {
  const name = 'base URL';
  // As for a dry run, which needs no target.
  const target = resolveTarget(settings, true, world);
  if (target === null) {
    const remedy = 'set it with --base-url, GIGWORK_BASE_URL or base_url in the config file';
    return [warn(name, 'none is set: only --sandbox and --dry-run work', remedy)];
  }
  if (target.kind === 'sandbox') return [ok(name, 'the sandbox, which needs no network')];
  if (send === null) return [ok(name, target.name)];
  checkCertificates(target.baseUrl, world.env);
  checkProxyFor(target.baseUrl, send.proxy);
  return [ok(name, target.name), ...(await checkService(target.baseUrl, send, world))];
}

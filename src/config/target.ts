/** The target of records: the address of a service, or the sandbox; and which answers confirm a creation there. */
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import type { Run } from '../journal/payment.js';
import type { FaultOptions, ResponseRules, RunOptions, Target } from '../options.js';
import { isLoopback } from '../util/loopback.js';
import type { World } from '../world.js';
import { hasNoStateDir, stateDir } from './journal-location.js';
import { flagOf, GROUPS, type SettingName } from './settings.js';
import {
  type Resolved,
  DEFAULT,
  resolveTable,
  resolveSetting,
  type SettingSources,
  settingValue,
  settingValues,
} from './resolve.js';

/** The target of a run; null if no target is named. @throws UsageError */
export function resolveTarget(settings: SettingSources, dryRun: boolean, world: World): Target | null {
  if (settings.flags.sandbox === true) return sandboxTarget(settings, dryRun, world);
  refuseFaults(settings, 'leave it out, or say --sandbox');
  return urlTarget(settings);
}

/** An approval needs a target, too. @throws UsageError if one is needed but not named */
export function requireTarget({ target, safety: { dryRun, approve } }: Pick<RunOptions, 'target' | 'safety'>): void {
  if (target !== null || (dryRun && approve === null)) return;
  throw new UsageError(
    'no target: give the service’s address with --base-url or GIGWORK_BASE_URL, or try the command out with --sandbox or --dry-run',
  );
}

/**
 * A run continues only at its stored target: at another one, it would pay again, or with another account's token.
 * Settings without a target are fine.
 * @throws UsageError if the settings, whatever their source, name another target than the run's
 */
export function targetOfRun(run: Run, settings: SettingSources, world: World): Target {
  const [stored = '', ...parts] = run.target.split('#');
  const account = parts.length === 0 ? null : parts.join('#');
  const inForce = targetNamed(settings, stored);
  if (inForce !== null && inForce !== run.target)
    throw new UsageError(
      `run ${run.name} went to ${run.target}, and the settings in force make the target ${inForce}: a run continues at its own target only. Leave out the setting of another one (--base-url, --account, --sandbox, GIGWORK_BASE_URL, the profile or the config file), or name the run's own`,
    );
  if (run.target === 'sandbox') return sandboxTarget(settings, false, world);
  refuseFaults(settings, 'leave it out');
  return serviceAt(stored, account, settingValue('allow_http', settings));
}

/**
 * The name of the target in flags, environment, profile and config file; null if they name none.
 * @param stored the run's address: an account without an address means an account there
 */
export function targetNamed(settings: SettingSources, stored: string): string | null {
  if (settings.flags.sandbox === true) {
    refuseBesideSandbox(settings);
    return 'sandbox';
  }
  const found = urlTarget(settings);
  if (found !== null) return found.name;
  const account = settingValue('account', settings);
  return account === null || stored === 'sandbox' ? null : serviceAt(stored, account, true).name;
}

/**
 * A flag names the target of this very call. `base_url` and `account` in the settings belong to the service: a
 * rehearsal with its profile ignores them.
 * @throws UsageError
 */
function refuseBesideSandbox({ flags: { base_url: baseUrl, account } }: SettingSources): void {
  if (baseUrl !== undefined) throw new UsageError('--sandbox and --base-url exclude each other');
  if (account !== undefined)
    throw new UsageError('--account tells apart accounts at one service, and the sandbox has none; leave it out');
}

/** Only the sandbox can simulate faults. @throws UsageError when a flag asks for one */
function refuseFaults(settings: SettingSources, remedy: string): void {
  const names = Object.keys(GROUPS.faults) as SettingName[];
  const asked = names.find((name) => resolveSetting(name, settings).from === 'flag');
  if (asked !== undefined) throw new UsageError(`${flagOf(asked)} can be asked of the sandbox only; ${remedy}`);
}

/** @throws UsageError */
function sandboxTarget(settings: SettingSources, dryRun: boolean, world: World): Target {
  refuseBesideSandbox(settings);
  const file = dryRun && hasNoStateDir(settings, world) ? null : sandboxFile(settings, world);
  return { kind: 'sandbox', name: 'sandbox', file, faults: faultOptions(settings) };
}

/** @throws UsageError */
export function faultOptions(settings: SettingSources): FaultOptions {
  return settingValues(settings, 'latency', 'fail_rate', 'drop_rate', 'rate_limit');
}

/** The data file of the embedded service. It is in the state directory, wherever the journal is. @throws UsageError */
export function sandboxFile(settings: SettingSources, world: World): string {
  return join(stateDir(settings, world), 'sandbox.db');
}

/** The service that the settings name; null when they name none. @throws UsageError */
function urlTarget(settings: SettingSources): Target | null {
  const text = settingValue('base_url', settings);
  const account = settingValue('account', settings);
  return text === null ? null : serviceAt(text, account, settingValue('allow_http', settings));
}

/**
 * The service at an address. Its name is the normalised URL, with the account if there is one.
 * @param account name that distinguishes two accounts at one URL, or null
 * @throws UsageError for an address that cannot be used safely, with the remedy; nothing is connected
 */
function serviceAt(text: string, account: string | null, allowHttp: boolean): Target & { kind: 'url' } {
  const { protocol, username, password, hostname, host, pathname } = parseBaseUrl(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new UsageError(`the base URL must begin with https://; found ${protocol}//`);
  if (username !== '' || password !== '')
    throw new UsageError(
      'the base URL holds credentials; take them out, and give a token with GIGWORK_TOKEN or a header',
    );
  if (text.includes('?') || text.includes('#'))
    throw new UsageError(
      'the base URL has a query or a fragment; give only scheme, host and path (an account is named with --account)',
    );
  if (protocol === 'http:' && !isLoopback(hostname) && !allowHttp)
    throw new UsageError(
      `http:// to ${hostname} would send pay data in the clear; use https://, or say --allow-http if the way is safe`,
    );
  const baseUrl = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
  return { kind: 'url', name: account === null ? baseUrl : `${baseUrl}#${account}`, baseUrl };
}

function parseBaseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    // The text before an @ may be a password.
    if (text.includes('@'))
      throw new UsageError('the base URL is not a URL (hidden, since it may hold a password)', { cause });
    const hint = /^[\w.-]+(:\d+)?(\/|$)/.test(text) ? `; did you mean https://${text}?` : '';
    throw new UsageError(`the base URL is not a URL: ${JSON.stringify(text)}${hint}`, { cause });
  }
}

/** The rules by their names in the settings. */
interface WrittenRules {
  readonly require: readonly string[];
  readonly id: string;
  readonly empty: boolean;
  readonly accepted: boolean;
  readonly tasks: string;
  readonly task_id: string;
}

const USUAL_RESPONSE: WrittenRules = {
  require: [],
  id: 'id',
  empty: false,
  accepted: false,
  tasks: 'tasks',
  task_id: 'id',
};

/** Which answers confirm a creation. Precedence applies to each rule: a profile may change one and leave the others. */
export function chosenResponse(settings: SettingSources): Map<string, Resolved<unknown>> {
  const usual = Object.entries<unknown>({ ...USUAL_RESPONSE }).map(
    ([rule, value]) => [rule, { value, ...DEFAULT }] as const,
  );
  return new Map<string, Resolved<unknown>>([...usual, ...resolveTable('response', settings)]);
}

/**
 * The rules at a target.
 * @param target its name, or null. The sandbox has its own form of answers, so it ignores rules for another service:
 *   otherwise every rehearsal would end in doubt
 */
export function responseRules(settings: SettingSources, target: string | null): ResponseRules {
  const chosen: unknown = Object.fromEntries([...chosenResponse(settings)].map(([rule, { value }]) => [rule, value]));
  const rules = target === 'sandbox' ? USUAL_RESPONSE : (chosen as WrittenRules);
  const { require, id, empty, accepted, tasks, task_id: taskId } = rules;
  return { require, id, empty, accepted, tasks, taskId };
}

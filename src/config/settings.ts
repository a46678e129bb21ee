/** Flags, environment, profile, config file → the options of a run. The first source that sets a value wins. */
import { UsageError } from '../errors.js';
import type { RecordType } from '../records/kind.js';
import { PLAIN_STYLE } from '../input/cells.js';
import { didYouMean } from '../records/nearest.js';
import type { Run } from '../ledger/payment.js';
import type { InputOptions, OutputOptions, RunOptions, SafetyOptions, SendOptions, Target } from '../options.js';
import type { World } from '../world.js';
import { callerOf } from './caller.js';
import { chooseColor } from './color.js';
import { loadConfig } from './config-file.js';
import type { RunFlags } from './flags.js';
import { headerNames, requestHeaders, secretsIn } from './headers.js';
import { inputOptions } from './input.js';
import { onwardWords } from './onward.js';
import { dryJournalOptions, journalOptions, journalSecrets, placeWords } from './places.js';
import { checkProxyFor, proxySecrets, proxySettings } from './proxy.js';
import { responseRules } from './response.js';
import { safetyOptions } from './safety.js';
import { secretsOf } from './secrets.js';
import { settingsFiles } from './settings-files.js';
import { type Layer, namedFirst, type Settings, valueOf } from './sources.js';
import { storedTarget, targetOf } from './target.js';
import { tlsFiles } from './tls-files.js';

export interface RunCall {
  readonly command: string;
  readonly argv: readonly string[];
  /** The type that the command fixes, or null. */
  readonly type: RecordType | null;
  readonly files: readonly string[];
  /** The record's fields given as flags, by field name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads the config file and finds the profile. @throws UsageError */
export async function loadSettings(flags: RunFlags, world: World): Promise<Settings> {
  const { env } = world;
  const { path, config } = await loadConfig(namedFirst('config', flags, env), world);
  const { profiles, ...base } = config;
  const file: Layer[] = path === null ? [] : [{ origin: { from: 'config file', source: path }, keys: base }];
  const profile = namedFirst('profile', flags, env);
  if (profile === undefined) return { flags, env, layers: file, configPath: path };
  const keys = profiles !== undefined && Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  if (keys === undefined) {
    const known = Object.keys(profiles ?? {});
    const where =
      path === null
        ? 'there is no config file'
        : `the config file ${path} has ${known.length === 0 ? 'none' : known.join(', ')}`;
    throw new UsageError(`there is no profile "${profile}": ${where}.${didYouMean(profile, known)}`);
  }
  return { flags, env, layers: [{ origin: { from: 'profile', source: profile }, keys }, ...file], configPath: path };
}

/** Everything that a run needs to know. @throws UsageError */
export async function runOptions(call: RunCall, settings: Settings, world: World): Promise<RunOptions> {
  const safety = await safetyOptions(settings, world);
  // What is approved is approved for a target.
  const target = targetOf(settings, valueOf('dry_run', settings), world);
  const common = callOptions(call, target, safety, settings, world);
  const input = inputOptions({ files: call.files, type: call.type, settings, fields: call.fields }, world);
  return { ...common, input, resume: null, safety };
}

/** The same for a run that goes on from the journal alone, at its stored target. @throws UsageError */
export async function resumeOptions(
  call: Pick<RunCall, 'command' | 'argv'>,
  run: Run,
  settings: Settings,
  world: World,
): Promise<RunOptions> {
  if (run.closed !== null)
    throw new UsageError(
      `run ${run.name} was closed: it will not send its open records. To pay them, import them again`,
    );
  const safety = await safetyOptions(settings, world);
  const common = callOptions({ ...call, fields: {} }, storedTarget(run, settings, world), safety, settings, world);
  return { ...common, input: NO_INPUT, resume: run, safety: resumeSafety(safety, run) };
}

/** What a call that sends needs, whatever its records come from. @throws UsageError */
function callOptions(
  { argv, command, fields }: Pick<RunCall, 'command' | 'argv' | 'fields'>,
  target: Target | null,
  { dryRun }: SafetyOptions,
  settings: Settings,
  world: World,
): Omit<RunOptions, 'input' | 'resume' | 'safety'> {
  const way = targetAndWay(argv, target, settings, dryRun, world);
  return {
    ...way,
    caller: callerOf(argv, way.secrets, world, Object.keys(fields)),
    command,
    headerNames: headerNames(settings.flags),
    output: outputOptions(settings, world),
    journal: dryRun ? dryJournalOptions(settings, world) : journalOptions(settings, world),
    place: placeWords(settings),
    settingsFiles: settingsFiles(settings, fields, world),
    now: world.now,
    startedAt: world.now(),
    platform: world.platform,
  };
}

/** Invalid records were left out when the run passed its gate: they do not stand in its way now. */
function resumeSafety(safety: SafetyOptions, { batchId }: Run): SafetyOptions {
  return { ...safety, batchId, batchNamed: true, skipInvalid: true };
}

const NO_INPUT: InputOptions = {
  files: [],
  type: null,
  format: null,
  encoding: null,
  delimiter: null,
  headerLine: null,
  sheet: null,
  padShortRows: false,
  style: PLAIN_STYLE,
  map: new Map(),
  mapMustMatch: [],
  ignoreColumns: new Set(),
  ignoreMustMatch: [],
  ignoreOtherColumns: false,
  assignments: [],
  prices: null,
  allowNegative: false,
  allowTotalRow: false,
  allowEmpty: true,
};

/** @throws UsageError, also when this target needs a proxy and its URL cannot be used */
function targetAndWay(
  argv: readonly string[],
  to: Target | null,
  settings: Settings,
  dryRun: boolean,
  world: World,
): Pick<RunOptions, 'target' | 'send' | 'response' | 'secrets' | 'onward'> {
  // The embedded service takes no credentials, so none are looked for.
  const way = wayOptions(settings, world, !dryRun && to?.kind !== 'sandbox');
  if (to?.kind === 'url' && !dryRun) checkProxyFor(to.baseUrl, way.send.proxy);
  const onward = onwardWords(argv, { settings, target: to?.name ?? null, secrets: way.secrets }, world);
  return { target: to, response: responseRules(settings, to?.name ?? null), ...way, onward };
}

/**
 * How requests are sent, and the secrets in that, which must never be shown.
 * @param withSecrets false where nothing is connected, as in a dry run: what is kept elsewhere is not looked for
 * @throws UsageError
 */
export function wayOptions(
  settings: Settings,
  world: World,
  withSecrets: boolean,
): Pick<RunOptions, 'send' | 'secrets'> {
  const headers = requestHeaders(settings, world, withSecrets);
  const proxy = proxySettings(settings.env);
  const [credentials, values] = secretsIn(headers);
  return {
    send: sendOptions(settings, headers, proxy, tlsFiles(settings, world, withSecrets)),
    secrets: secretsOf([...credentials, ...proxySecrets(proxy), ...journalSecrets(settings)], values),
  };
}

function sendOptions(
  settings: Settings,
  headers: Readonly<Record<string, string>>,
  proxy: SendOptions['proxy'],
  tls: SendOptions['tls'],
): SendOptions {
  return {
    headers,
    timeoutMs: valueOf('timeout', settings) * 1000,
    retries: valueOf('retries', settings),
    concurrency: valueOf('concurrency', settings),
    rate: valueOf('rate', settings),
    tls,
    proxy,
  };
}

function outputOptions(settings: Settings, world: World): OutputOptions {
  return {
    json: valueOf('json', settings),
    reports: valueOf('report', settings),
    rejects: valueOf('rejects', settings),
    results: valueOf('results', settings),
    logFile: valueOf('log_file', settings),
    quiet: valueOf('quiet', settings),
    progress: valueOf('progress', settings),
    color: chooseColor(settings, world).value,
    explain: valueOf('explain', settings),
    debug: valueOf('debug', settings),
  };
}

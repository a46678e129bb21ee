/** Flags, environment, profile, config file → the options of a run. The first source that sets a value wins. */
import { UsageError } from '../errors.js';
import type { RecordType } from '../records/kind.js';
import { PLAIN_STYLE } from '../input/cells.js';
import { didYouMean } from '../records/nearest.js';
import type { Run } from '../ledger/payment.js';
import type { InputOptions, OutputOptions, RunOptions, SafetyOptions, SendOptions, Target } from '../options.js';
import type { World } from '../world.js';
import { approvalOptions } from './approval.js';
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
import { choose, configNamed, type Layer, named, type SettingFlags, type Settings, variable } from './sources.js';
import { storedTarget, targetOf } from './target.js';
import { tlsFiles } from './tls-files.js';
import { decimalNumber, wholeNumber } from './values.js';

export interface RunCall {
  readonly command: string;
  readonly argv: readonly string[];
  /** The type that the command fixes, or null. */
  readonly type: RecordType | null;
  readonly files: readonly string[];
  readonly flags: RunFlags;
  /** The record's fields given as flags, by field name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads the config file and finds the profile. @throws UsageError */
export async function loadSettings(flags: SettingFlags, world: World): Promise<Settings> {
  const { env } = world;
  const { path, config } = await loadConfig(configNamed(flags, env), world);
  const { profiles, ...base } = config;
  const file: Layer[] = path === null ? [] : [{ origin: { from: 'config file', source: path }, keys: base }];
  const profile = flags.profile ?? variable('GIGWORK_PROFILE', env).value;
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

/** Everything that a run needs to know. @param given settings that are not those in force. @throws UsageError */
export async function runOptions(call: RunCall, world: World, given?: Settings): Promise<RunOptions> {
  const { flags } = call;
  const settings = given ?? (await loadSettings(flags, world));
  const safety = { ...safetyOptions(flags), ...(await approvalOptions(flags, settings, world)) };
  // What is approved is approved for a target.
  const to = targetOf(settings, flags.dryRun === true, world);
  const way = targetAndWay(call.argv, to, settings, safety.dryRun, world);
  const journal = safety.dryRun ? dryJournalOptions(settings, world) : journalOptions(settings, world);
  return {
    ...way,
    caller: callerOf(call.argv, way.secrets, world, Object.keys(call.fields)),
    command: call.command,
    input: inputOptions({ files: call.files, type: call.type, settings, fields: call.fields }, world),
    resume: null,
    headerNames: headerNames(flags),
    safety,
    output: outputOptions(settings, world),
    journal,
    place: placeWords(settings),
    settingsFiles: settingsFiles(settings, flags, call.fields, world),
    now: world.now,
    startedAt: world.now(),
    platform: world.platform,
  };
}

/** The same for a run that goes on from the journal alone, at its stored target. @throws UsageError */
export async function resumeOptions(
  call: Pick<RunCall, 'command' | 'argv' | 'flags'>,
  run: Run,
  world: World,
): Promise<RunOptions> {
  const { flags } = call;
  if (run.closed !== null)
    throw new UsageError(
      `run ${run.name} was closed: it will not send its open records. To pay them, import them again`,
    );
  const settings = await loadSettings(flags, world);
  const safety = { ...safetyOptions(flags), ...(await approvalOptions(flags, settings, world)) };
  const way = targetAndWay(call.argv, storedTarget(run, settings, world), settings, safety.dryRun, world);
  const journal = journalOptions(settings, world);
  return {
    ...way,
    caller: callerOf(call.argv, way.secrets, world),
    command: call.command,
    input: NO_INPUT,
    resume: run,
    headerNames: headerNames(flags),
    safety: resumeSafety(safety, run),
    output: outputOptions(settings, world),
    journal,
    place: placeWords(settings),
    settingsFiles: settingsFiles(settings, flags, {}, world),
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
  const [rateName, rate] = named('rate', settings);
  return {
    headers,
    timeoutMs: decimalNumber(...named('timeout', settings), 0.001, 86_400) * 1000,
    retries: wholeNumber(...named('retries', settings), 0, 1000),
    concurrency: wholeNumber(...named('concurrency', settings), 1, 1024),
    rate: rate === undefined ? null : decimalNumber(rateName, rate, 0.001, 1_000_000),
    tls,
    proxy,
  };
}

function outputOptions(settings: Settings, world: World): OutputOptions {
  const { flags } = settings;
  return {
    json: flags.json ?? false,
    reports: flags.report ?? [],
    rejects: flags.rejects ?? null,
    results: flags.results ?? null,
    logFile: flags.logFile ?? null,
    quiet: flags.quiet ?? false,
    progress: flags.progress ?? true,
    color: chooseColor(settings, world).value,
    explain: flags.explain ?? false,
    debug: isOn(choose('debug', settings).value),
  };
}

function isOn(debug: boolean | string): boolean {
  return debug === true || debug === '1';
}

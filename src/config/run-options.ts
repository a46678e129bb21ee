/** Flags, environment, profile, config file → the options of a run. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { Run } from '../journal/payment.js';
import type { ConfiguredOptions, OutputOptions, SafetyOptions, SendOptions, Target } from '../options.js';
import type { RecordType } from '../records/types.js';
import type { World } from '../world.js';
import { credentialPlaces, typedHeaderNames, mayHeadersChange, requestHeaders, secretsIn } from './headers.js';
import type { InterruptListener } from './kept-secret.js';
import { filesOf, inputAgain, inputOptions } from './input-options.js';
import { journalOptions, journalPlace, journalSecrets } from './journal-location.js';
import { flagOf, INPUT_SETTINGS } from './settings.js';
import { createRedactor, type Redactor } from './secrets.js';
import {
  type Resolved,
  DEFAULT,
  resolveTable,
  resolveSetting,
  type RunFlags,
  type SettingSources,
  settingValue,
  settingValues,
  variable,
} from './resolve.js';
import { responseRules, targetOfRun, resolveTarget } from './target.js';
import { checkCertificates, checkProxyFor, proxySecrets, proxySettings, tlsFiles } from './tls-and-proxy.js';

/** A call that sends, whatever the source of its records. */
interface SendingCall {
  readonly command: string;
  /** The flags for single fields, by field name. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface RunCall extends SendingCall {
  /** The type that the command fixes, or null. */
  readonly type: RecordType | null;
  readonly files: readonly string[];
}

/** All options of a run. @throws UsageError */
export async function runOptions(
  call: RunCall,
  settings: SettingSources,
  world: World,
  listen?: InterruptListener,
): Promise<ConfiguredOptions> {
  const safety = await safetyOptions(settings, world);
  const target = resolveTarget(settings, settingValue('dry_run', settings), world);
  const common = await callOptions(call, target, safety, settings, world, listen);
  return { ...common, input: inputOptions({ ...call, settings }), resume: null, safety };
}

/** For a run that continues only from the journal, at its stored target. @throws UsageError */
export async function resumeOptions(
  command: string,
  run: Run,
  settings: SettingSources,
  world: World,
  listen: InterruptListener,
): Promise<ConfiguredOptions> {
  const said = await safetyOptions(settings, world);
  // Invalid records were left out when the run passed its gate: now they do not stop it.
  const safety = { ...said, batchId: run.batchId, batchNamed: true, skipInvalid: true };
  const target = targetOfRun(run, settings, world);
  const files = filesOf(run, world.cwd());
  const isTyped = settings.flags.rejects !== undefined || settings.flags.results !== undefined;
  const idle = INPUT_SETTINGS.find((name) => resolveSetting(name, settings).from === 'flag');
  if (!isTyped && idle !== undefined)
    throw new UsageError(
      `${flagOf(idle)} says how the input is read, and batch resume reads it for --rejects and --results alone; leave it out`,
    );
  return {
    ...(await callOptions({ command, fields: {} }, target, safety, settings, world, listen)),
    input: inputAgain(settings, isTyped ? files : []),
    resume: run,
    safety,
  };
}

/** The options of every call that sends, whatever the source of its records. @throws UsageError */
async function callOptions(
  { command, fields }: SendingCall,
  target: Target | null,
  { dryRun }: SafetyOptions,
  settings: SettingSources,
  world: World,
  listen: InterruptListener | undefined,
) {
  // The embedded service takes no credentials, so none are looked up.
  const way = await sendOptions(settings, !dryRun && target?.kind !== 'sandbox', listen);
  if (target?.kind === 'url') checkCertificates(target.baseUrl, settings.env);
  if (target?.kind === 'url' && !dryRun) checkProxyFor(target.baseUrl, way.send.proxy);
  const name = target?.name ?? null;
  return {
    ...way,
    target,
    response: responseRules(settings, name),
    settings,
    command,
    headerNames: typedHeaderNames(settings.flags),
    output: outputOptions(settings, world),
    journal: journalOptions(settings, world, dryRun),
    settingsFiles: settingsFiles(settings, Object.values(fields)),
    startedAt: world.now(),
    platform: world.platform,
  };
}

/** How requests are sent, and what hides their secrets. */
export interface ServiceAccess {
  readonly send: SendOptions;
  readonly redactor: Redactor;
}

/**
 * How requests are sent, with the secrets that must never be shown.
 * @param withSecrets false if nothing is connected, as in a dry run: then secrets that are kept elsewhere are not read
 * @param listen called when a command prints a secret; ends it
 * @throws UsageError
 */
export async function sendOptions(
  settings: SettingSources,
  withSecrets: boolean,
  listen?: InterruptListener,
): Promise<ServiceAccess> {
  const proxy = proxySettings(settings.env);
  const credentials = [...proxySecrets(proxy), ...journalSecrets(settings)];
  const values: string[] = [];
  let redactor = createRedactor([]);
  const read = async (listening = listen): Promise<Record<string, string>> => {
    const headers = await requestHeaders(settings, withSecrets, listening);
    // Values from an earlier reading stay secret.
    for (const [i, found] of secretsIn(headers).entries()) [credentials, values][i]?.push(...found);
    redactor = createRedactor(credentials, values);
    return headers;
  };
  return {
    send: {
      ...settingValues(settings, 'retries', 'concurrency', 'rate'),
      headers: await read(),
      credentialPlaces: credentialPlaces(settings),
      readAgain: withSecrets && mayHeadersChange(settings) ? (stop) => read(() => stop) : null,
      timeoutMs: settingValue('timeout', settings) * 1000,
      tls: tlsFiles(settings, withSecrets),
      proxy,
    },
    redactor: { redact: (text) => redactor.redact(text), hideInJson: (json) => redactor.hideInJson(json) },
  };
}

const MS_PER_HOUR = 3_600_000;

/** The checks of the gate. @throws UsageError, also for an approval file that cannot be read or was edited */
async function safetyOptions(settings: SettingSources, world: World): Promise<SafetyOptions> {
  const dryRun = settingValue('dry_run', settings);
  const approve = settingValue('approve', settings);
  const approval = settingValue('approval', settings);
  const batchId = settingValue('batch_id', settings);
  const keyLifetime = settingValue('key_lifetime', settings);
  const decisions = settingValues(settings, 'skip_created', 'skip_similar', 'send_similar');
  if (decisions.skipSimilar && decisions.sendSimilar !== null)
    throw new UsageError('--skip-similar and --send-similar contradict each other; leave one out');
  if (approve === '' && journalPlace(settings, world).kind === 'file')
    throw new UsageError(
      '--approve without a file writes the approval into a journal that several machines share, and this journal is a folder of one machine. Name a file, with = before it: --approve=FILE',
    );
  if (approve !== null && approval !== null)
    throw new UsageError('--approve approves a run, and --approval sends one that was approved; leave one out');
  if (approve !== null && dryRun) throw new UsageError('--approve sends nothing as it is; leave --dry-run out');
  const { readApproval } = approval === null ? { readApproval: null } : await import('./approval-file.js');
  return {
    ...settingValues(settings, 'expect_count', 'expect_total', 'expect_digest', 'yes', 'skip_invalid', 'strict'),
    ...settingValues(settings, 'retry_rejected', 'resend_unknown', 'stop_after'),
    dryRun: dryRun || approve !== null,
    approve: approve === null ? null : { file: approve === '' ? null : approve },
    approval: approval === null || readApproval === null ? null : readApproval(approval, world.cwd()),
    requireApproval: settingValue('require_approval', settings)
      ? resolveSetting('require_approval', settings).name
      : null,
    batchId: batchId ?? DEFAULT_BATCH,
    batchNamed: batchId !== null,
    keyColumns: settingValue('key_columns', settings) ?? [],
    decisions,
    keyLifetimeMs: keyLifetime === null ? null : keyLifetime * MS_PER_HOUR,
  };
}

/** @throws UsageError */
function outputOptions(settings: SettingSources, world: World): OutputOptions {
  const files = settingValues(settings, 'report', 'rejects', 'results', 'overwrite', 'task_list', 'log_file');
  const shown = settingValues(settings, 'json', 'quiet', 'progress', 'explain', 'debug');
  return { ...files, ...shown, color: chooseColor(settings.flags, world).value };
}

/** The first that is set decides: flag, NO_COLOR, FORCE_COLOR; else whether outputs are terminals. Empty: not set. */
export function chooseColor(flags: RunFlags, { env, stdout, stderr }: World): Resolved<boolean> {
  if (flags.color !== undefined)
    return { value: flags.color, from: 'flag', source: flags.color ? '--color' : '--no-color' };
  for (const [name, value] of [
    ['NO_COLOR', false],
    ['FORCE_COLOR', true],
  ] as const) {
    const found = variable(name, env);
    if (found.value !== undefined) return { ...found, value };
  }
  if (env['TERM'] === 'dumb') return { value: false, from: 'environment', source: 'TERM' };
  return { value: stdout.isTTY && stderr.isTTY, ...DEFAULT };
}

/**
 * The files that settings are read from, which no output may be written over: the config file, certificates, files of
 * secrets, a template, an approval, and files named with `@`, even those that this run does not need.
 * @param fields values of flags for single fields
 */
export function settingsFiles(settings: SettingSources, fields: readonly string[]): string[] {
  const { cwd, configPath } = settings;
  const named = (['approval', 'template', 'ca', 'cert', 'key'] as const).map((name) => resolveSetting(name, settings));
  const secrets = [resolveSetting('token', settings), ...resolveTable('headers', settings).values()];
  const values = [...resolveTable('set', settings).values(), ...fields.map((value) => ({ value, folder: cwd }))];
  const files = [
    ...named,
    ...secrets.map(({ value, folder }) => ({ value: (value as { readonly file?: string } | undefined)?.file, folder })),
    ...values.map(({ value, folder }) => ({ value: fileIn(value), folder })),
  ];
  const paths = files.flatMap(({ value, folder }) => (typeof value === 'string' ? [resolve(folder, value)] : []));
  return configPath === null ? paths : [configPath, ...paths];
}

/** The file of `@file`; undefined for any other value. */
function fileIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('@') ? value.slice(1) : undefined;
}

/** The flags that a printed command needs to find the same settings, the same journal and the same target. */
import { defaultStateDir } from '../config/journal-location.js';
import { withoutPassword } from '../config/journal-url.js';
import { xdgFolder } from '../config/parsers.js';
import { type Origin, resolveSetting, type SettingSources, settingValue } from '../config/resolve.js';
import type { Setting } from '../config/setting.js';
import { flagOf, INPUT_SETTINGS, SETTING_NAMES, type SettingName, settingOf } from '../config/settings.js';
import { targetNamed } from '../config/target.js';
import { UsageError } from '../errors.js';
import { isStream } from '../input/source.js';
import { absoluteFlag, type Flag, type FlagName } from './command-line.js';

/** What names the settings. */
const CONFIG: readonly SettingName[] = ['profile', 'config'];

/** Files that are made from the input as typed. */
const ROW_FILES: readonly SettingName[] = ['rejects', 'results'];

/** The settings of a call that its corrected rejects need too: how rows are read, made into records, and sent. */
const CORRECTION_SETTINGS: readonly SettingName[] = [
  ...INPUT_SETTINGS.filter((name) => name !== 'format'),
  ...([
    'type',
    'known_values',
    'time_zone',
    'set',
    'prices',
    'allow_negative',
    'allow_total_row',
    'key_columns',
    'strict',
    'headers',
  ] as const),
  ...repeated('as typed').filter((name) => name !== 'skip_created' && name !== 'skip_similar'),
  ...(['ca', 'cert', 'key'] as const),
];

function repeated(...kinds: readonly Setting['inFollowUp'][]): SettingName[] {
  return SETTING_NAMES.filter((name) => kinds.includes(settingOf(name).inFollowUp));
}

/** The flags of these settings whose values come from these sources, with full paths. */
function flagsFrom(
  sources: readonly Origin['from'][],
  names: readonly SettingName[],
  settings: SettingSources,
): Flag[] {
  const flags: Flag[] = [];
  for (const setting of names) {
    const { value, from, folder } = resolveSetting(setting, settings);
    if (!sources.includes(from) || value === '') continue;
    const name = flagOf(setting) as FlagName;
    if (settingOf(setting).kind === 'toggle') flags.push({ name, value: null });
    else
      for (const text of [value].flat()) {
        const flag = absoluteFlag({ name, value: String(text) }, folder);
        flags.push({ name, value: withoutPassword(flag.value ?? '') });
      }
  }
  return flags;
}

/** Names settings and journal, whatever their source: a variable may not be set where the command is pasted. */
export function locationFlags(settings: SettingSources, platform: NodeJS.Platform): Flag[] {
  const names = repeated('location').filter((name) => !CONFIG.includes(name));
  return [
    ...configFlags(settings),
    ...flagsFrom(['flag', 'environment'], names, settings),
    ...stateDirFlags(settings, platform),
  ];
}

/** Names the profile and the config file. */
export function configFlags(settings: SettingSources): Flag[] {
  const { env, configPath } = settings;
  const isMoved = resolveSetting('config', settings).from === 'default' && xdgFolder(env['XDG_CONFIG_HOME']) !== null;
  return [
    ...namedConfigFlags(settings),
    ...(isMoved && configPath !== null ? [{ name: '--config', value: configPath } as const] : []),
  ];
}

/** The same without a config file that a variable of the system moves. */
export function namedConfigFlags(settings: SettingSources): Flag[] {
  return flagsFrom(['flag', 'environment'], CONFIG, settings);
}

/** The profile that the call names; null for none. */
export function namedProfile(settings: SettingSources): string | null {
  return namedConfigFlags(settings).find(({ name }) => name === '--profile')?.value ?? null;
}

/** The usual place of the journal, if a variable of the system moves it. */
function stateDirFlags(settings: SettingSources, platform: NodeJS.Platform): Flag[] {
  const { env } = settings;
  const isUsual = (['state_dir', 'journal'] as const).every(
    (name) => resolveSetting(name, settings).from === 'default',
  );
  const folder = isUsual && xdgFolder(env['XDG_STATE_HOME']) !== null ? defaultStateDir({ env, platform }) : null;
  return folder === null ? [] : [{ name: '--state-dir', value: folder }];
}

/** Output and sending; reading, rejects and results only if the input can be read again. */
export function sendFlags(files: readonly string[], settings: SettingSources): Flag[] {
  const isFromFiles = files.length > 0 && !files.some((file) => isStream(file, settings.cwd));
  const names = repeated('file', 'as typed').filter((name) => isFromFiles || !ROW_FILES.includes(name));
  const isReadAgain = names.some((name) => ROW_FILES.includes(name) && resolveSetting(name, settings).from === 'flag');
  return flagsFrom(['flag'], [...(isReadAgain ? INPUT_SETTINGS : []), ...names], settings);
}

/** How rejects are read and sent once they are corrected. */
export function correctionFlags(settings: SettingSources): Flag[] {
  return flagsFrom(['flag'], CORRECTION_SETTINGS, settings);
}

/**
 * Names the run's target, if the later settings would name another one: a run continues only at its target. Variables
 * may or may not be set there.
 * @param isNew it begins a run, which has no target yet
 */
export function targetFlags(target: string | null, settings: SettingSources, isNew = false): Flag[] {
  if (target === null) return [];
  if (target === 'sandbox') return [{ name: '--sandbox', value: null }];
  const { base_url: _url, account: _account, ...flags } = settings.flags;
  const [address = ''] = target.split('#');
  const others = [settings.env, {}].map((env) => targetOrNone({ ...settings, flags, env }, address));
  return others.every((name) => (name === null && !isNew) || name === target) ? [] : addressFlags(target);
}

/** The same for a call that is repeated, where a variable names its target: it has the flags that were typed. */
export function typedTargetFlags(settings: SettingSources): Flag[] {
  const target = targetOrNone(settings, '') ?? '';
  return target.startsWith('#') || target === '' || targetOrNone({ ...settings, env: {} }, '') === target
    ? []
    : addressFlags(target);
}

function addressFlags(target: string): Flag[] {
  const [address = '', account] = target.split('#');
  return [
    { name: '--base-url', value: address },
    ...(account === undefined ? [] : [{ name: '--account', value: account } as const]),
  ];
}

/** Unusable settings count as another target. */
function targetOrNone(settings: SettingSources, stored: string): string | null {
  try {
    return targetNamed(settings, stored);
  } catch (cause) {
    if (cause instanceof UsageError) return '';
    throw cause;
  }
}

/** Whether the same call has the same input: a stream can be read only once. */
export function isRepeatable(files: readonly string[], settings: SettingSources): boolean {
  const prices = settingValue('prices', settings);
  return ![...files, ...(prices === null ? [] : [prices])].some((file) => isStream(file, settings.cwd));
}

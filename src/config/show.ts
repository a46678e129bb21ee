/** Every setting with its value and where it came from, without secrets. */
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import { chooseColor } from './color.js';
import type { SecretText } from './setting.js';
import { secretText } from './headers.js';
import { defaultStateDir } from './places.js';
import { PROXY_VARIABLES, type ProxyVariable, proxyVariable } from './proxy.js';
import { hiddenPassword } from './journal-url.js';
import { HIDDEN, withoutUserinfo } from './secrets.js';
import { chosenResponse } from './response.js';
import { type SettingName, SETTING_NAMES, settingOf } from './setting-table.js';
import { choose, type Chosen, DEFAULT, entriesOf, ignoredColumns, type Origin, type Settings } from './sources.js';

export interface ShownSetting {
  readonly name: string;
  /** Null where nothing is set and there is no default. */
  readonly value: unknown;
  readonly origin: Origin;
  /** Where a secret is read from, when it is not written down: `environment variable X`, `file PATH`. */
  readonly kept: string | null;
  /** A secret that is not where it should be kept, so that a run would be refused. */
  readonly missing: boolean;
}

/** In the order of the documentation. @throws UsageError for a flag that cannot be read */
export function shownSettings(settings: Settings, world: World): ShownSetting[] {
  return [
    ...SETTING_NAMES.filter(isShown).map((name) => shownSetting(name, settings, world)),
    row('color', chooseColor(settings, world)),
    ...PROXY_VARIABLES.map((name) => row(name.toLowerCase(), shownProxy(name, settings))),
    ...Object.entries(chosenResponse(settings)).map(([name, chosen]) => row(`response.${name}`, chosen)),
    ...[...entriesOf('headers', settings)].map(([name, chosen]) =>
      secretRow(`headers.${name}`, chosen, settings, world),
    ),
    ...[...entriesOf('map', settings)].map(([name, chosen]) => row(`map.${name}`, chosen)),
    ...[...entriesOf('set', settings)].map(([name, chosen]) => row(`set.${name}`, chosen)),
    ...[...ignoredColumns(settings)].map(([name, origin]) => row(`ignore_columns.${name}`, { value: true, origin })),
  ];
}

function row(name: string, { value, origin }: Chosen<unknown>): ShownSetting {
  const shown = value === undefined ? { value: null, origin: DEFAULT } : { value, origin };
  return { name, ...shown, kept: null, missing: false };
}

/** Whether a setting has a row of its own. Tables and lists have one for each entry. */
export function isShown(name: SettingName): boolean {
  const { env, key, shown = env !== undefined || key !== undefined } = settingOf(name);
  return shown;
}

function shownSetting(name: SettingName, settings: Settings, world: World): ShownSetting {
  if (name === 'token')
    return secretRow(name, choose(name, settings) as Chosen<SecretText | undefined>, settings, world);
  const { value, origin } = choose(name, settings);
  return row(name, { value: SHOWN[name]?.(value, world) ?? shownValue(name, value), origin });
}

/** Settings that are not shown as they are written, and what is in force where nothing is written. */
const SHOWN: Readonly<Partial<Record<SettingName, (written: unknown, world: World) => unknown>>> = {
  base_url: (url) => (typeof url === 'string' ? shownUrl(url) : undefined),
  state_dir: (folder, world) => folder ?? defaultStateDir(world) ?? undefined,
  journal: (url) => (typeof url === 'string' ? hiddenPassword(url) : 'SQLite in state_dir'),
};

const NUMBERS: ReadonlySet<unknown> = new Set(['above 0', 'from 0', 'from 1']);

/** Shows a number as a number, also where it was written as text. Anything else is shown as it is; a run refuses it. */
function shownValue(name: SettingName, written: unknown): unknown {
  const isNumber = NUMBERS.has(settingOf(name).key) && typeof written === 'string' && /^\d+(\.\d+)?$/.test(written);
  return isNumber ? Number(written) : written;
}

function secretRow(
  name: string,
  { value, origin }: Chosen<SecretText | undefined>,
  { configPath }: Settings,
  world: World,
): ShownSetting {
  if (value === undefined) return row(name, { value, origin });
  return { name, value: HIDDEN, origin, kept: keptIn(value), missing: isMissing(value, name, configPath, world) };
}

/** Reads the secret as a run does, so that both say the same. */
function isMissing(secret: SecretText, name: string, configPath: string | null, world: World): boolean {
  try {
    secretText(secret, name, configPath, world);
    return false;
  } catch (cause) {
    if (cause instanceof UsageError) return true;
    throw cause;
  }
}

function keptIn(secret: SecretText): string | null {
  if (typeof secret === 'string') return null;
  return 'env' in secret ? `environment variable ${secret.env}` : `file ${secret.file}`;
}

function shownProxy(name: ProxyVariable, { env }: Settings): Chosen<string | undefined> {
  const chosen = proxyVariable(name, env);
  return { ...chosen, value: chosen.value === undefined ? undefined : withoutUserinfo(chosen.value) };
}

/** A base URL without its password and query: every run refuses a URL with them, and they must not be shown either. */
function shownUrl(text: string): string {
  return withoutUserinfo(text).replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}${HIDDEN}`);
}

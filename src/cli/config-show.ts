/** `gigwork config show`: every setting, its value, and where it came from, without secrets. */
import { loadSettings } from '../config/config-file.js';
import type { SecretText } from '../config/config-schema.js';
import { secretText } from '../config/headers.js';
import { hiddenPassword } from '../config/journal-url.js';
import { defaultStateDir } from '../config/journal.js';
import { PROXY_VARIABLES, proxyVariable } from '../config/proxy.js';
import { HIDDEN, withoutUserinfo } from '../config/secrets.js';
import { type SettingName, SETTING_NAMES, settingOf } from '../config/setting-table.js';
import { chooseColor } from '../config/settings.js';
import { choose, type Chosen, entriesOf, profileOf, type Settings, type TableName } from '../config/sources.js';
import { chosenResponse } from '../config/target.js';
import { UsageError } from '../errors.js';
import { printable } from '../report/printable.js';
import { type TableColumn, tableLines } from '../report/table.js';
import type { World } from '../world.js';
import type { Call } from './command.js';
import { print } from './document.js';

/** Prints the settings and gives the exit code. @throws UsageError for a config file or a flag that cannot be read */
export async function showConfig(call: Call): Promise<number> {
  const { flags, world } = call;
  const settings = await loadSettings(flags, world);
  const [config, profile] = [settings.configPath, profileOf(settings)];
  const shown = shownSettings(settings, world);
  const entries = shown.map(({ name, value, origin, kept }) => {
    return [name, { value: value ?? null, ...origin, ...(kept === null ? {} : { kept_in: kept }) }];
  });
  const columns: TableColumn<ShownSetting>[] = [
    { title: 'setting', cell: ({ name }) => printable(name) },
    { title: 'value', cell: (setting) => printable(valueText(setting)) },
    { title: 'from', cell: (setting) => printable(originText(setting)) },
  ];
  const named = profile === null ? '' : `, profile ${printable(profile)}`;
  const head = `config file: ${config === null ? 'none' : printable(config)}${named}`;
  const document = { config, profile, settings: Object.fromEntries(entries) as unknown };
  return print(call, document, [head, '', ...tableLines(columns, shown)]);
}

export interface ShownSetting extends Chosen<unknown> {
  readonly name: string;
  /** Where a secret is read from, when it is not written down: `environment variable X`, `file PATH`. */
  readonly kept: string | null;
  /** A secret that is not where it should be kept, so that a run would be refused. */
  readonly missing: boolean;
}

/** In the order of the documentation. @throws UsageError for a flag that cannot be read */
export function shownSettings(settings: Settings, world: World): ShownSetting[] {
  const row = (name: string, chosen: Chosen<unknown>): ShownSetting => {
    return { name, ...chosen, kept: null, missing: false };
  };
  const secretRow = (name: string, { value, origin }: Chosen<SecretText | undefined>): ShownSetting => {
    if (value === undefined) return row(name, { value, origin });
    const missing = isMissing(value, name, settings, world);
    return { name, value: HIDDEN, origin, kept: keptIn(value), missing };
  };
  const proxies = PROXY_VARIABLES.map((name): [string, Chosen<unknown>] => {
    const { value, origin } = proxyVariable(name, settings.env);
    return [name.toLowerCase(), value === undefined ? UNSET : { value: withoutUserinfo(value), origin }];
  });
  const rowsOf = (table: TableName): ShownSetting[] =>
    [...entriesOf(table, settings)].map(([name, chosen]) => row(`${table}.${name}`, chosen));
  return [
    ...SETTING_NAMES.filter(isShown).map((name) => {
      const { value, origin } = choose(name, settings);
      if (name === 'token') return secretRow(name, { value: value as SecretText | undefined, origin });
      return row(name, { value: SHOWN[name]?.(value, world) ?? numberOr(name, value), origin });
    }),
    row('color', chooseColor(settings, world)),
    ...proxies.map(([name, chosen]) => row(name, chosen)),
    ...[...chosenResponse(settings)].map(([name, chosen]) => row(`response.${name}`, chosen)),
    ...[...entriesOf('headers', settings)].map(([name, chosen]) => secretRow(`headers.${name}`, chosen)),
    ...(['map', 'set', 'ignore_columns'] as const).flatMap(rowsOf),
  ];
}

const UNSET: Chosen<undefined> = { value: undefined, origin: { from: 'default', source: null } };

/** Whether a setting has a row of its own. Tables and lists have one for each entry. */
export function isShown(name: SettingName): boolean {
  const { env, key, shown = env !== undefined || key !== undefined } = settingOf(name);
  return shown;
}

/** Settings that are not shown as they are written, and what is in force where nothing is written. */
const SHOWN: Readonly<Partial<Record<SettingName, (written: unknown, world: World) => unknown>>> = {
  base_url: (url) => (typeof url === 'string' ? shownUrl(url) : undefined),
  state_dir: (folder, world) => folder ?? defaultStateDir(world) ?? undefined,
  journal: (url) => (typeof url === 'string' ? hiddenPassword(url) : 'SQLite in state_dir'),
};

/** A base URL without its password and query: every run refuses a URL with them, and they must not be shown either. */
function shownUrl(text: string): string {
  return withoutUserinfo(text).replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}${HIDDEN}`);
}

const NUMBERS: ReadonlySet<unknown> = new Set(['above 0', 'from 0', 'from 1']);

/** Shows a number as a number, also where it was written as text. Anything else is shown as it is; a run refuses it. */
function numberOr(name: SettingName, written: unknown): unknown {
  const isNumber = NUMBERS.has(settingOf(name).key) && typeof written === 'string' && /^\d+(\.\d+)?$/.test(written);
  return isNumber ? Number(written) : written;
}

/** Reads the secret as a run does, so that both say the same. */
function isMissing(secret: SecretText, name: string, { configPath }: Settings, world: World): boolean {
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

function valueText({ value, missing }: ShownSetting): string {
  if (missing) return 'not set';
  if (value === undefined || value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function originText({ origin: { from, source }, kept }: ShownSetting): string {
  const words = from === 'environment' ? 'environment variable' : from;
  return [words, ...(source === null ? [] : [source])].join(' ') + (kept === null ? '' : `, kept in ${kept}`);
}

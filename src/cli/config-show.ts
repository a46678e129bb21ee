/** `gigwork config show`: every setting, its value, and where it came from, without secrets. */
import { loadSettings } from '../config/config-file.js';
import type { SecretText } from '../config/config-schema.js';
import { hiddenPassword } from '../config/journal-url.js';
import { defaultStateDir } from '../config/journal.js';
import { PROXY_VARIABLES, proxyVariable } from '../config/proxy.js';
import { HIDDEN, withoutUserinfo } from '../config/secrets.js';
import { type SettingName, SETTING_NAMES, settingOf } from '../config/setting-table.js';
import { chooseColor } from '../config/settings.js';
import {
  choose,
  type Chosen,
  DEFAULT,
  entriesOf,
  profileOf,
  type Settings,
  type TableName,
  valueOf,
} from '../config/sources.js';
import { chosenResponse } from '../config/target.js';
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
    return [name, { value, ...origin, ...(kept === null ? {} : { kept_in: kept }) }];
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
}

/** In the order of the documentation. @throws UsageError for a flag that cannot be read */
export function shownSettings(settings: Settings, world: World): ShownSetting[] {
  const row = (name: string, { value, origin }: Chosen<unknown>): ShownSetting => ({ name, value, origin, kept: null });
  const secretRow = (name: string, { value, origin }: Chosen<SecretText>): ShownSetting => {
    return { name, value: HIDDEN, origin, kept: keptIn(value) };
  };
  const settingRow = (name: SettingName): ShownSetting => {
    const { origin } = choose(name, settings);
    const value = valueOf(name, settings);
    if (name === 'token' && value !== null) return secretRow(name, { value: value as SecretText, origin });
    return row(name, { value: SHOWN[name]?.(value as string | null, world) ?? value, origin });
  };
  const proxyRow = (name: string): ShownSetting => {
    const { value, origin } = proxyVariable(name, settings.env);
    return row(name.toLowerCase(), value === undefined ? UNSET : { value: withoutUserinfo(value), origin });
  };
  const tableRows = (table: TableName): ShownSetting[] =>
    [...entriesOf(table, settings)].map(([name, chosen]) => row(`${table}.${name}`, chosen));
  return [
    ...SETTING_NAMES.filter(isShown).map(settingRow),
    row('color', chooseColor(settings, world)),
    ...PROXY_VARIABLES.map(proxyRow),
    ...[...chosenResponse(settings)].map(([name, chosen]) => row(`response.${name}`, chosen)),
    ...[...entriesOf('headers', settings)].map(([name, chosen]) => secretRow(`headers.${name}`, chosen)),
    ...(['map', 'set', 'ignore_columns'] as const).flatMap(tableRows),
  ];
}

const UNSET: Chosen<null> = { value: null, origin: DEFAULT };

/** Whether a setting has a row of its own. Tables and lists have one for each entry. */
export function isShown(name: SettingName): boolean {
  const { env, key, shown = env !== undefined || key !== undefined } = settingOf(name);
  return shown;
}

/** Settings that are not shown as they are written, and what is in force where nothing is written. */
const SHOWN: Readonly<Partial<Record<SettingName, (written: string | null, world: World) => string | null>>> = {
  // Every run refuses a URL with a password or a query, and they must not be shown either.
  base_url: (url) => url && withoutUserinfo(url).replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}${HIDDEN}`),
  state_dir: (folder, world) => folder ?? defaultStateDir(world),
  journal: (url) => (url === null ? 'SQLite in state_dir' : hiddenPassword(url)),
};

function keptIn(secret: SecretText): string | null {
  if (typeof secret === 'string') return null;
  return 'env' in secret ? `environment variable ${secret.env}` : `file ${secret.file}`;
}

function valueText({ value }: ShownSetting): string {
  if (value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function originText({ origin: { from, source }, kept }: ShownSetting): string {
  const words = from === 'environment' ? 'environment variable' : from;
  return [words, ...(source === null ? [] : [source])].join(' ') + (kept === null ? '' : `, kept in ${kept}`);
}

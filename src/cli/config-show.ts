/** `gigwork config show`: every setting with its value and source, without secrets. */
import { loadSettings } from '../config/config-file.js';
import type { SecretText } from '../config/setting.js';
import { hiddenPassword } from '../config/journal-url.js';
import { defaultStateDir } from '../config/journal-location.js';
import { PROXY_VARIABLES, proxyVariable } from '../config/tls-and-proxy.js';
import { REDACTED, withoutUserinfo } from '../config/secrets.js';
import { type SettingName, SETTING_NAMES, settingOf } from '../config/settings.js';
import { chooseColor } from '../config/run-options.js';
import {
  type Resolved,
  DEFAULT,
  resolveTable,
  resolveSetting,
  profileOf,
  type SettingSources,
  settingValue,
} from '../config/resolve.js';
import { chosenResponse } from '../config/target.js';
import { printable } from '../report/printable.js';
import { type TableColumn, tableLines } from '../report/table.js';
import type { World } from '../world.js';
import type { Invocation } from './command.js';
import { print } from './document.js';

/** Prints the settings and returns the exit code. @throws UsageError for a config file or a flag that cannot be read */
export async function showConfig(call: Invocation): Promise<number> {
  const { flags, world } = call;
  const settings = await loadSettings(flags, world);
  const config = settings.configPath;
  const profile = profileOf(settings);
  const shown = shownSettings(settings, world);
  const entries = shown.map(({ name, value, from, source, kept_in }) => [name, { value, from, source, kept_in }]);
  const named = profile === null ? '' : `, profile ${printable(profile)}`;
  const head = `config file: ${config === null ? 'none' : printable(config)}${named}`;
  const document = { config, profile, settings: Object.fromEntries(entries) as unknown };
  return print(call, document, [head, '', ...tableLines(SETTING_COLUMNS, shown)]);
}

interface ShownSetting extends Resolved<unknown> {
  readonly name: string;
  /** The place of a secret that is kept elsewhere: `environment variable X`, `file PATH`. */
  readonly kept_in?: string | undefined;
}

/** In the order of the documentation. @throws UsageError for a flag that cannot be read */
function shownSettings(settings: SettingSources, world: World): ShownSetting[] {
  const rows = (prefix: string, found: Iterable<[string, Resolved<unknown>]>): ShownSetting[] =>
    [...found].map(([name, chosen]) => ({ ...chosen, name: prefix + name }));
  const proxies = PROXY_VARIABLES.map((name): [string, Resolved<unknown>] => {
    const found = proxyVariable(name, settings.env);
    const { value } = found;
    return [name.toLowerCase(), value === undefined ? UNSET : { ...found, value: withoutUserinfo(value) }];
  });
  return [
    ...SETTING_NAMES.filter(isShown).map((name) => settingRow(name, settings, world)),
    { name: 'color', ...chooseColor(settings.flags, world) },
    ...rows('', proxies),
    ...rows('response.', chosenResponse(settings)),
    ...rows('headers.', resolveTable('headers', settings)).map(withoutSecret),
    ...(['map', 'set', 'ignore_columns', 'only', 'known_values', 'known_sheets'] as const).flatMap((table) =>
      rows(`${table}.`, resolveTable(table, settings)),
    ),
  ];
}

function settingRow(name: SettingName, settings: SettingSources, world: World): ShownSetting {
  const value = settingValue(name, settings);
  const row = {
    ...resolveSetting(name, settings),
    name,
    value: SHOWN_VALUES[name]?.(value as string | null, world) ?? value,
  };
  return name === 'token' && value !== null ? withoutSecret(row) : row;
}

function withoutSecret(row: ShownSetting): ShownSetting {
  return { ...row, value: REDACTED, kept_in: keptIn(row.value as SecretText) };
}

function keptIn(secret: SecretText): string | undefined {
  if (typeof secret === 'string') return undefined;
  if ('command' in secret) return `what the command ${secret.command[0] ?? ''} prints`;
  return 'env' in secret ? `environment variable ${secret.env}` : `file ${secret.file}`;
}

const UNSET: Resolved<null> = { value: null, ...DEFAULT };

/** Whether a setting has a separate row. Tables and lists have one for each entry. */
export function isShown(name: SettingName): boolean {
  const { env, key, shown = env !== undefined || key !== undefined } = settingOf(name);
  return shown;
}

/** Settings that are not shown as written, and values that apply if nothing is written. */
const SHOWN_VALUES: Readonly<Partial<Record<SettingName, (written: string | null, world: World) => string | null>>> = {
  // Every run refuses a URL with a password or a query, and they must not be shown either.
  base_url: (url) => url && withoutUserinfo(url).replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}${REDACTED}`),
  state_dir: (folder, world) => folder ?? defaultStateDir(world),
  journal: (url) => (url === null ? 'SQLite in state_dir' : hiddenPassword(url)),
};

const SETTING_COLUMNS: readonly TableColumn<ShownSetting>[] = [
  { title: 'setting', cell: ({ name }) => printable(name) },
  { title: 'value', cell: ({ value }) => printable(valueText(value)) },
  { title: 'from', cell: (setting) => printable(originText(setting)) },
];

function valueText(value: unknown): string {
  if (value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function originText({ from, source, kept_in: kept }: ShownSetting): string {
  const words = from === 'environment' ? 'environment variable' : from;
  return [words, ...(source === null ? [] : [source])].join(' ') + (kept === undefined ? '' : `, kept in ${kept}`);
}

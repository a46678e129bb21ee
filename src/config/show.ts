/** Every setting with its value and where it came from, without secrets. */
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import { chooseColor } from './color.js';
import type { SecretText } from './config-schema.js';
import { secretText } from './headers.js';
import { defaultStateDir } from './places.js';
import { PROXY_VARIABLES, type ProxyVariable, proxyVariable } from './proxy.js';
import { hiddenPassword } from './journal-url.js';
import { HIDDEN, withoutUserinfo } from './secrets.js';
import { chosenResponse } from './response.js';
import {
  choose,
  type Chosen,
  DEFAULT,
  entriesOf,
  ignoredColumns,
  type Origin,
  SETTINGS,
  type SettingName,
  type Settings,
} from './sources.js';

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
    ...(Object.keys(SETTINGS) as SettingName[]).map((name) => shownSetting(name, settings, world)),
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

function shownSetting(name: SettingName, settings: Settings, world: World): ShownSetting {
  switch (name) {
    case 'token':
      return secretRow(name, choose(name, settings), settings, world);
    case 'base_url': {
      const chosen = choose(name, settings);
      return row(name, { ...chosen, value: chosen.value === undefined ? undefined : shownUrl(chosen.value) });
    }
    case 'state_dir': {
      const chosen = choose(name, settings);
      return row(name, chosen.value === undefined ? { ...chosen, value: defaultStateDir(world) ?? undefined } : chosen);
    }
    case 'journal': {
      const chosen = choose(name, settings);
      return row(
        name,
        chosen.value === undefined
          ? { value: 'SQLite in state_dir', origin: DEFAULT }
          : { ...chosen, value: hiddenPassword(chosen.value) },
      );
    }
    case 'timeout':
    case 'retries':
    case 'concurrency':
    case 'rate':
    case 'journal_timeout':
    case 'header_line': {
      const chosen = choose(name, settings);
      return row(name, { ...chosen, value: asNumber(chosen.value) });
    }
    default:
      return row(name, choose(name, settings));
  }
}

/** Shows a number as a number, also where it was written as text. Anything else is shown as it is; a run refuses it. */
function asNumber(value: string | number | undefined): string | number | undefined {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
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

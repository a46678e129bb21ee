/** `gigwork config show`: every setting, its value, and where it came from. */
import { EXIT } from '../errors.js';
import { printable } from '../report/printable.js';
import { tableLines } from '../report/table.js';
import { shownSettings, type ShownSetting } from '../config/show.js';
import { loadSettings } from '../config/settings.js';
import type { RunFlags } from '../config/flags.js';
import { profileOf, type Settings } from '../config/sources.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

/** Prints the settings and gives the exit code. @throws UsageError for a config file or a flag that cannot be read */
export async function showConfig(flags: RunFlags, world: World): Promise<number> {
  const settings = await loadSettings(flags, world);
  const shown = shownSettings(settings, world);
  if (flags.json === true) writeDocument(documentOf(settings, shown), world);
  else for (const line of lines(settings, shown)) world.stdout.write(`${line}\n`);
  return EXIT.ok;
}

function documentOf(settings: Settings, shown: readonly ShownSetting[]): unknown {
  const entries = shown.map(({ name, value, origin, kept }) => [
    name,
    { value, ...origin, ...(kept === null ? {} : { kept_in: kept }) },
  ]);
  return {
    config: settings.configPath,
    profile: profileOf(settings),
    settings: Object.fromEntries(entries) as unknown,
  };
}

function lines(settings: Settings, shown: readonly ShownSetting[]): string[] {
  const profile = profileOf(settings);
  const rows = shown.map((setting) => [
    printable(setting.name),
    printable(setting.missing ? 'not set' : valueText(setting.value)),
    printable(originText(setting)),
  ]);
  return [
    `config file: ${settings.configPath === null ? 'none' : printable(settings.configPath)}${profile === null ? '' : `, profile ${printable(profile)}`}`,
    '',
    ...tableLines([{ title: 'setting' }, { title: 'value' }, { title: 'from' }], rows),
  ];
}

function valueText(value: unknown): string {
  if (value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ORIGINS = {
  flag: 'flag',
  environment: 'environment variable',
  profile: 'profile',
  'config file': 'config file',
  default: 'default',
};

function originText({ origin, kept }: ShownSetting): string {
  const from = ORIGINS[origin.from];
  return `${from}${origin.source === null ? '' : ` ${origin.source}`}${kept === null ? '' : `, kept in ${kept}`}`;
}

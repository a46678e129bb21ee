/** The flags of the commands, as commander hands them over: texts, checked where their value is asked for. */
import type { KeyTypes, Setting } from './setting.js';
import { type SettingName, SETTING_NAMES, settingOf, type SETTINGS } from './setting-table.js';

type Table = typeof SETTINGS;

/** `date-format` → `dateFormat` */
type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;
type Word<Flag> = Flag extends `--${infer Name} ${string}` ? Name : Flag extends `--${infer Name}` ? Name : never;
type Attribute<Row> = Row extends { readonly flag: infer Flag }
  ? Word<Flag> extends `no-${infer Rest}`
    ? Camel<Rest>
    : Camel<Word<Flag>>
  : never;

/** What commander gives for a flag. */
type Given<Row> = Row extends { readonly given: 'often' }
  ? readonly string[]
  : Row extends { readonly flag: `${string} ${string}` }
    ? string
    : boolean;

/** The flags by commander's names for them. `--no-color` is false for `color`; `--approve` without a file is empty. */
export type RunFlags = { readonly [Name in SettingName as Attribute<Table[Name]>]?: Given<Table[Name]> };

type KeyOf<Row> = Row extends { readonly key: 'words'; readonly words: readonly (infer Each)[] }
  ? Each
  : Row extends { readonly key: infer Kind extends keyof KeyTypes }
    ? KeyTypes[Kind]
    : never;

/** Names of the settings that have a key. */
export type KeyName = {
  [Name in SettingName]: Table[Name] extends { readonly key: string } ? Name : never;
}[SettingName];

/** The keys of a config file, and of each of its profiles. */
export type ConfigKeys = { readonly [Name in KeyName]?: KeyOf<Table[Name]> };

export interface ConfigFile extends ConfigKeys {
  readonly profiles?: Readonly<Record<string, ConfigKeys>>;
}

type Parsed<Row> = Row extends { readonly parse: (name: string, written: never) => infer Value }
  ? Value
  : Row extends { readonly words: readonly (infer Value)[] }
    ? Value
    : Row extends { readonly given: 'often' }
      ? string
      : Row extends { readonly flag: string }
        ? Given<Row>
        : KeyOf<Row>;

/** Null where nothing may be said. A switch is false then. */
type Missing<Row> = Row extends { readonly default: unknown }
  ? never
  : Row extends { readonly flag: infer Flag }
    ? Flag extends `${string} ${string}`
      ? null
      : never
    : null;

/** The value of a setting. */
export type ValueOf<Name extends SettingName> = Table[Name] extends { readonly given: 'often' }
  ? readonly Parsed<Table[Name]>[]
  : Parsed<Table[Name]> | Missing<Table[Name]>;

/** A flag without a value: `--negate`. */
export function isSwitch({ flag }: Setting): boolean {
  return flag !== undefined && !flag.includes(' ');
}

/** The flag as it is typed, without its value; empty where there is none. */
export function flagOf(name: SettingName): string {
  return settingOf(name).flag?.split(' ', 1)[0] ?? '';
}

/** `--date-format` → `dateFormat`, as commander names it. */
export function attributeOf(flag: string): string {
  return flag.replace(/^--(?:no-)?/, '').replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase());
}

/** The flags of the settings that the printed command repeats, each as it `continues`. */
export function flagsThat(...continues: readonly NonNullable<Setting['continues']>[]): SettingName[] {
  return SETTING_NAMES.filter((name) => continues.some((each) => each === settingOf(name).continues));
}

/** The options of programs are written by hand, for their editors. The compiler holds them against the settings. */
import { expectTypeOf, test } from 'vitest';
import type { SettingKinds } from '../../../src/config/setting.js';
import type { OptionName, SettingName, SETTINGS } from '../../../src/config/settings.js';
import type { NOT_FOR_PROGRAMS } from '../../../src/library/named-options.js';
import type { Options } from '../../../src/library/options-type.js';

type OptionSetting = Exclude<SettingName, (typeof NOT_FOR_PROGRAMS)[number]>;

/** For each kind of setting, what an option has: what the config file has, and one text for a list of one. */
type OptionValues = {
  readonly [Kind in keyof SettingKinds]: Kind extends 'list'
    ? string | readonly string[]
    : SettingKinds[Kind]['written'];
};

/** The options that the table of settings has. */
type TableOptions = {
  readonly [Name in OptionSetting as OptionName<Name>]: OptionValues[(typeof SETTINGS)[Name]['kind']];
};

/** Options that no setting has, and those with other values: the URL of a journal and headers are never kept elsewhere. */
type OtherOptions = 'env' | 'signal' | 'journal' | 'headers';

/** Options that do not take what their setting does. */
type OtherValues = {
  [Name in keyof TableOptions]: Name extends OtherOptions
    ? never
    : TableOptions[Name] extends Options[Name]
      ? never
      : Name;
}[keyof TableOptions];

/** The names that only one of the two has, and the options with other values. */
type Disagreement = [
  onlyInTable: Exclude<keyof TableOptions, keyof Options>,
  onlyInOptions: Exclude<keyof Options, keyof TableOptions | OtherOptions>,
  otherValues: OtherValues,
];

test('every setting for programs is an option of its name and type, and there are no others', () => {
  expectTypeOf<Disagreement>().toEqualTypeOf<[onlyInTable: never, onlyInOptions: never, otherValues: never]>();
});

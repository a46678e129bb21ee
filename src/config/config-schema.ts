/** What the config file may have for each kind of setting. Loaded only if there is such a file: zod takes time. */
import * as z from 'zod';
import type { SettingKind, SettingKinds } from './setting.js';
import { SETTING_NAMES, settingOf } from './settings.js';

// Each schema describes its kind; the message puts the key before that.
const settingText = z.string('takes text, in quotes');
const texts = z.array(settingText, 'takes a list of texts');
const onOff = z.boolean('takes true or false, without quotes');
const secret = z.union(
  [
    settingText,
    z.strictObject({ env: z.string() }),
    z.strictObject({ file: z.string() }),
    z.strictObject({ command: z.array(z.string()).min(1) }),
  ],
  'takes text, in quotes, or {"env": "NAME"}, {"file": "path"} or {"command": ["word", …]}',
);
const SETTINGS_OBJECT = 'takes an object of settings';

/** Numbers keep their digits only under paths that can be named in full. */
const LONGEST_PATH = 200;
const PATH_TEXT = 'takes the path of a field in the answer, such as id or data.0.id';
const path = z
  .string(PATH_TEXT)
  .max(LONGEST_PATH, PATH_TEXT)
  .regex(/^[^.]+(?:\.[^.]+)*$/, PATH_TEXT);
const REQUIRE_TEXT = `${PATH_TEXT}, or a path and its values, such as status=paid|pending`;
/** A path, or a path and the values of which it must have one. */
const requirement = z
  .string(REQUIRE_TEXT)
  .regex(/^[^.=]+(?:\.[^.=]+)*(?:=[^|]+(?:\|[^|]+)*)?$/s, REQUIRE_TEXT)
  .refine((entry) => entry.replace(/=.*$/s, '').length <= LONGEST_PATH, REQUIRE_TEXT);
const response = z
  .strictObject(
    {
      require: z.array(requirement, 'takes a list of texts'),
      id: path,
      empty: onOff,
      accepted: onOff,
      tasks: path,
      task_id: path,
    },
    SETTINGS_OBJECT,
  )
  .partial();

export const RESPONSE_KEYS: readonly string[] = Object.keys(response.shape);

function table<T extends z.ZodType>(values: T) {
  return z.record(z.string(), values, 'takes an object of names and values');
}

const KIND_SCHEMAS = {
  toggle: onOff,
  text: settingText,
  choice: settingText,
  // Its bounds are checked where it is used, as for a flag.
  number: z.number('takes a number, without quotes'),
  sheet: z.union([settingText, z.int().min(1)], 'takes the name of a sheet, in quotes, or its number, from 1'),
  secret,
  list: texts,
  conditions: z.union([settingText, z.array(settingText)], 'takes a text in quotes, or a list of texts'),
  texts: table(settingText),
  secrets: table(secret),
  values: table(z.unknown()),
  lists: z.record(z.string(), texts, 'takes an object of names and lists of texts'),
  response,
} satisfies { readonly [Kind in SettingKind]: z.ZodType<SettingKinds[Kind]['written']> };

/** The schema of the config file: the settings with a key, which each of its profiles has too. */
export function configSchema() {
  const keys = SETTING_NAMES.map((name) => ({ name, ...settingOf(name) }))
    .filter(({ key }) => key === true)
    .map(({ name, kind, words }) => [name, kind === 'choice' ? z.enum([...words]) : KIND_SCHEMAS[kind]] as const);
  const own = Object.fromEntries(keys);
  const profile = z.strictObject(own, SETTINGS_OBJECT).partial();
  const profiles = z.record(z.string(), profile, 'takes an object of names and profiles');
  return z.strictObject({ ...own, profiles }, SETTINGS_OBJECT).partial();
}

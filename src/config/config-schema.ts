/** What the keys of the config file take. Loaded only where there is such a file. */
import * as z from 'zod';
import type { Setting } from './setting.js';
import { SETTING_NAMES, settingOf } from './setting-table.js';

// Each schema says what it takes; the message puts the key before that.
const text = z.string('takes text, in quotes');
const secret = z.union(
  [text, z.strictObject({ env: z.string() }), z.strictObject({ file: z.string() })],
  'takes text, in quotes, or {"env": "NAME"} or {"file": "path"}',
);
const aboveZero = 'takes a number above 0, without quotes';

function whole(least: number): z.ZodInt {
  const words = `takes a whole number, ${least} or more, without quotes`;
  return z.int(words).min(least, words);
}

function table(values: z.ZodType): z.ZodType {
  return z.record(z.string(), values, 'takes an object of names and values');
}

const pathWords = 'takes the path of a field in the answer, such as id or data.0.id';
/** Numbers keep their digits only under paths that can be named in full. */
const LONGEST_PATH = 200;
const path = z
  .string(pathWords)
  .max(LONGEST_PATH, pathWords)
  .regex(/^[^.]+(?:\.[^.]+)*$/, pathWords);

const onOff = z.boolean('takes true or false, without quotes');
const settings = 'takes an object of settings';
const texts = 'takes a list of texts';

const responseKeys = { require: z.array(path, texts), id: path, empty: onOff };

export const RESPONSE_KEYS: readonly string[] = Object.keys(responseKeys);

const KINDS: Readonly<Record<Exclude<NonNullable<Setting['key']>, 'words'>, z.ZodType>> = {
  text,
  secret,
  'on or off': onOff,
  'above 0': z.number(aboveZero).positive(aboveZero),
  'from 0': whole(0),
  'from 1': whole(1),
  sheet: z.union([text, whole(1)], 'takes the name of a sheet, in quotes, or its number, from 1'),
  texts: z.array(text, texts),
  'table of texts': table(text),
  'table of secrets': table(secret),
  'table of values': table(z.unknown()),
  response: z.strictObject(responseKeys, settings).partial(),
};

function keySchema({ key, words = [] }: Setting): z.ZodType | null {
  if (key === undefined) return null;
  return key === 'words' ? z.enum([...words]) : KINDS[key];
}

const keys = Object.fromEntries(
  SETTING_NAMES.flatMap((name) => {
    const schema = keySchema(settingOf(name));
    return schema === null ? [] : [[name, schema] as const];
  }),
);

export const CONFIG_KEYS: readonly string[] = [...Object.keys(keys), 'profiles'];

const profile = z.strictObject(keys, settings).partial();
const profiles = z.record(z.string(), profile, 'takes an object of names and profiles');

export const configFile = z.strictObject({ ...keys, profiles }, settings).partial();

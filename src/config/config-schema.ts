/** The shape of the config file. Loaded only where there is such a file; other modules import its types alone. */
import * as z from 'zod';
import { CHOICES } from './flags.js';

// Each schema says what it takes; the message puts the key before that.
const text = z.string('takes text, in quotes');
const secret = z.union(
  [text, z.strictObject({ env: z.string() }), z.strictObject({ file: z.string() })],
  'takes text, in quotes, or {"env": "NAME"} or {"file": "path"}',
);
const aboveZero = 'takes a number above 0, without quotes';
const positive = z.number(aboveZero).positive(aboveZero);

function whole(least: number): z.ZodInt {
  const words = `takes a whole number, ${least} or more, without quotes`;
  return z.int(words).min(least, words);
}

function table<T extends z.ZodType>(values: T): z.ZodRecord<z.ZodString, T> {
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

const responseKeys = {
  require: z.array(path, 'takes a list of texts'),
  id: path,
  empty: onOff,
};

export const RESPONSE_KEYS: readonly string[] = Object.keys(responseKeys);

const settings = 'takes an object of settings';

const keys = {
  base_url: text,
  account: text,
  headers: table(secret),
  token: secret,
  timeout: positive,
  retries: whole(0),
  concurrency: whole(1),
  rate: positive,
  ca: text,
  cert: text,
  key: text,
  response: z.strictObject(responseKeys, settings).partial(),
  journal: text,
  require_journal: onOff,
  require_approval: onOff,
  map: table(text),
  set: table(z.unknown()),
  ignore_columns: z.array(text, 'takes a list of texts'),
  ignore_other_columns: onOff,
  decimal: z.enum(CHOICES.decimal),
  date_format: z.enum(CHOICES.dateFormat),
  currency_signs: onOff,
  negate: onOff,
  delimiter: text,
  encoding: text,
  header_line: whole(0),
  sheet: z.union([text, whole(1)], 'takes the name of a sheet, in quotes, or its number, from 1'),
};

export const CONFIG_KEYS: readonly string[] = [...Object.keys(keys), 'profiles'];

const profile = z.strictObject(keys, settings).partial();
const profiles = z.record(z.string(), profile, 'takes an object of names and profiles');

export const configFile = z.strictObject({ ...keys, profiles }, settings).partial();

/** A secret as text, or where it is to be found. */
export type SecretText = z.infer<typeof secret>;

/** The keys of a config file, and of each of its profiles. */
export type ConfigKeys = Readonly<z.infer<typeof profile>>;

export type ConfigFile = Readonly<z.infer<typeof configFile>>;

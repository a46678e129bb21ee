/** The shape of the config file. Loaded only where there is one; its types are everybody's. */
import * as z from 'zod';
import { CHOICES } from './flags.js';

const secret = z.union([z.string(), z.strictObject({ env: z.string() }), z.strictObject({ file: z.string() })]);

const keys = {
  base_url: z.string(),
  account: z.string(),
  headers: z.record(z.string(), secret),
  token: secret,
  timeout: z.number().positive(),
  retries: z.int().nonnegative(),
  concurrency: z.int().positive(),
  rate: z.number().positive(),
  journal: z.string(),
  map: z.record(z.string(), z.string()),
  set: z.record(z.string(), z.unknown()),
  ignore_columns: z.array(z.string()),
  decimal: z.enum(CHOICES.decimal),
  date_format: z.enum(CHOICES.dateFormat),
  delimiter: z.string(),
  encoding: z.string(),
  header_line: z.int().positive(),
};

export const CONFIG_KEYS: readonly string[] = [...Object.keys(keys), 'profiles'];

const profile = z.strictObject(keys).partial();

export const configFile = z.strictObject({ ...keys, profiles: z.record(z.string(), profile) }).partial();

/** A secret as text, or where it is to be found. */
export type SecretText = z.infer<typeof secret>;

/** The keys of a config file, and of each of its profiles. */
export type ConfigKeys = Readonly<z.infer<typeof profile>>;

export type ConfigFile = Readonly<z.infer<typeof configFile>>;

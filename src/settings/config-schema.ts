/** The shape of the config file. Loaded only where there is one. */
import * as z from 'zod';

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
  decimal: z.enum(['point', 'comma']),
  date_format: z.enum(['ymd', 'dmy', 'mdy']),
  delimiter: z.string(),
  encoding: z.string(),
  header_line: z.int().positive(),
};

export const CONFIG_KEYS: readonly string[] = [...Object.keys(keys), 'profiles'];

const profile = z.strictObject(keys).partial();

export const configFile = z.strictObject({ ...keys, profiles: z.record(z.string(), profile) }).partial();

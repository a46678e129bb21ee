/** The types of the config file's keys. Loaded only if there is such a file: zod takes time. */
import * as z from 'zod';

// Each schema describes its type; the message puts the key before that.
const text = z.string('takes text, in quotes');
const secret = z.union(
  [
    text,
    z.strictObject({ env: z.string() }),
    z.strictObject({ file: z.string() }),
    z.strictObject({ command: z.array(z.string()).min(1) }),
  ],
  'takes text, in quotes, or {"env": "NAME"}, {"file": "path"} or {"command": ["word", …]}',
);
const pathWords = 'takes the path of a field in the answer, such as id or data.0.id';
/** Numbers keep their digits only under paths that can be named in full. */
const LONGEST_PATH = 200;
const path = z
  .string(pathWords)
  .max(LONGEST_PATH, pathWords)
  .regex(/^[^.]+(?:\.[^.]+)*$/, pathWords);
const requireWords =
  'takes the path of a field in the answer, such as id or data.0.id, or a path and its values, such as status=paid|pending';
/** A path, or a path and the values of which it must have one. */
const required = z
  .string(requireWords)
  .regex(/^[^.=]+(?:\.[^.=]+)*(?:=[^|]+(?:\|[^|]+)*)?$/s, requireWords)
  .refine((entry) => entry.replace(/=.*$/s, '').length <= LONGEST_PATH, requireWords);
const onOff = z.boolean('takes true or false, without quotes');
const settings = 'takes an object of settings';
const texts = 'takes a list of texts';
const response = z
  .strictObject({ require: z.array(required, texts), id: path, empty: onOff, accepted: onOff }, settings)
  .partial();

function table<T extends z.ZodType>(values: T) {
  return z.record(z.string(), values, 'takes an object of names and values');
}

const KINDS = {
  text,
  secret,
  'on or off': onOff,
  // Its bounds are checked where it is used, as for a flag.
  number: z.number('takes a number, without quotes'),
  sheet: z.union([text, z.int().min(1)], 'takes the name of a sheet, in quotes, or its number, from 1'),
  texts: z.array(text, texts),
  'text or texts': z.union([text, z.array(text)], 'takes a text in quotes, or a list of texts'),
  'table of texts': table(text),
  'table of secrets': table(secret),
  'table of values': table(z.unknown()),
  response,
};

/** The values of a key, by its type in the table of settings. */
export type KeyTypes = { readonly [Kind in keyof typeof KINDS]: Readonly<z.infer<(typeof KINDS)[Kind]>> };

/** A secret as text, or the place where it is kept. */
export type SecretText = KeyTypes['secret'];

export const RESPONSE_KEYS: readonly string[] = Object.keys(response.shape);

interface Key {
  readonly key: keyof KeyTypes | 'words';
  readonly words?: readonly string[];
}

/** The schema of a file with these keys, which each of its profiles has too. */
export function configSchema(keys: Readonly<Record<string, Key>>) {
  const schemas = Object.entries(keys).map(([name, { key, words = [] }]) => {
    return [name, key === 'words' ? z.enum([...words]) : KINDS[key]] as const;
  });
  const own = Object.fromEntries(schemas);
  const profile = z.strictObject(own, settings).partial();
  const profiles = z.record(z.string(), profile, 'takes an object of names and profiles');
  return z.strictObject({ ...own, profiles }, settings).partial();
}

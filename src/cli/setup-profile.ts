/** From what is known of a file to a profile: no more than it needs, so that next month's file is found out anew. */
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ConfigFile, ConfigKeys } from '../config/flags.js';
import { type ConfigPlace, type Profile, readingKeys } from '../config/profile-settings.js';
import type { Conclusion } from '../input/setup/conclusion.js';
import type { Answers, Survey } from '../input/setup/survey.js';
import type { Ways } from '../input/setup/ways.js';
import { fieldAt, isJsonKind } from '../records/field.js';
import type { Kind } from '../records/kind.js';

/** Whether a profile of this name says other things of files. */
export function isOther({ config }: ConfigPlace, name: string, profile: Profile): boolean {
  const there = existing(config, name);
  return there !== undefined && !isDeepStrictEqual(readingKeys(there), profile);
}

/** The profile as it is to stand in the config file: what one of this name says beside files, it goes on to say. */
export function asWritten({ config }: ConfigPlace, name: string, profile: Profile): Profile {
  const there = existing(config, name) ?? {};
  const reading = readingKeys(there);
  const rest = Object.entries(there).filter(([key]) => !Object.hasOwn(reading, key));
  return { ...Object.fromEntries(rest), ...profile };
}

/** The profile of this name that the config file had when setup began. */
export function existing({ profiles = {} }: ConfigFile, name: string): ConfigKeys | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** What was said about the file itself, and holds next month too. */
export interface SaidOfFile {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly sheet?: string | undefined;
  readonly currencySigns?: boolean | undefined;
}

/**
 * @param base what the config file says for all files: what differs from the tool's own way of reading there, and not in
 *   this file, is said in the profile
 * @param cwd where the paths of files with values start from
 */
export function profileOf(
  { header, fields, source }: Survey,
  ways: Ways,
  answers: Answers,
  kind: Kind,
  said: SaidOfFile,
  base: Profile,
  cwd: string,
): Profile {
  if (fields === null) return {};
  const dropped = [...answers.columns.ignore].filter((name) => base.ignore_columns?.includes(name) !== true);
  // Columns of this month by their names: one that comes later, or under another name, is asked about then.
  const ignored = answers.ignoreOthers ? dropped : [...dropped, ...fields.others];
  const currency = valueOf(ways.currency);
  const set = { ...setOf(answers, kind, cwd), ...(currency === null ? {} : { currency }) };
  const map = Object.fromEntries(
    fields.columns
      .filter(({ name, path }) => name !== path && base.map?.[name] !== path)
      .map(({ name, path }) => [name, path]),
  );
  return {
    ...defined('header_line', header.value ?? over(base.header_line, source.usualLine)),
    ...defined('sheet', said.sheet),
    ...defined('encoding', said.encoding),
    ...defined('delimiter', said.delimiter),
    ...filled('map', map),
    ...filled('set', set),
    ...(answers.ignoreOthers ? { ignore_other_columns: true } : {}),
    ...(ignored.length === 0 ? {} : { ignore_columns: ignored }),
    ...defined('decimal', valueOf(ways.decimal) ?? over(base.decimal, ways.usualMark)),
    ...defined('date_format', valueOf(ways.dateOrder) ?? over(base.date_format, 'ymd')),
    ...(ways.signed === null && said.currencySigns !== true ? {} : { currency_signs: true }),
    ...defined('negate', valueOf(ways.negate) === true ? true : over(base.negate, false)),
  };
}

function valueOf<T>({ value }: Conclusion<T>): T | null {
  return value;
}

/** The tool's own way, where the config file says another one for all files. */
function over<T>(base: T | undefined, own: T | null): T | null {
  return base === undefined || base === own ? null : own;
}

function defined<K extends string, T>(key: K, value: T | null | undefined): { readonly [P in K]?: T } {
  return (value === null || value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}

function filled<K extends string, T extends object>(key: K, value: T): { readonly [P in K]?: T } {
  return (Object.keys(value).length === 0 ? {} : { [key]: value }) as { readonly [P in K]?: T };
}

/** Files with values are named in full: relative paths in a config file start from its folder. */
function setOf({ set }: Answers, kind: Kind, cwd: string): Record<string, unknown> {
  return Object.fromEntries(
    [...set].map(([path, value]) => {
      const field = fieldAt(kind.fields, path);
      const isFile = typeof value === 'string' && value.startsWith('@') && field !== null && isJsonKind(field.kind);
      return [path, isFile ? `@${resolve(cwd, value.slice(1))}` : value];
    }),
  );
}

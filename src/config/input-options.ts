/** Converts flags and settings about the input to the options of reading. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { TemplateFile } from '../input/template.js';
import { FLAGS_PATH, RECORDS_PATH, STDIN } from '../input/source.js';
import type { Run } from '../journal/payment.js';
import { type Assignment, columnName } from '../input/columns.js';
import { joinKnownValues, type KnownValues } from '../input/known-values.js';
import type { ProfileSheet } from '../input/profile-sheet.js';
import { parseFilter } from '../input/row-filter.js';
import { takesJson } from '../records/types.js';
import type { RecordType } from '../records/types.js';
import type { InputOptions } from '../options.js';
import { readNamed } from './named-file.js';
import {
  type Origin,
  resolveSetting,
  resolveTable,
  flagPairs,
  type SettingSources,
  settingValue,
  settingValues,
} from './resolve.js';
import type { SettingName } from './settings.js';

export interface InputSources {
  readonly files: readonly string[];
  /** The type that the command fixes, or null. */
  readonly type: RecordType | null;
  readonly settings: SettingSources;
  /** Flags for single fields, by field name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws UsageError */
export function inputOptions({ files, type, settings, fields }: InputSources): InputOptions {
  const [field] = Object.keys(fields);
  if (files.length > 0 && field !== undefined)
    throw new UsageError(
      `--${field.replaceAll('_', '-')} makes one record without a file; to set a field on every record of a file, say --set ${field}=…`,
    );
  if (files.length === 0 && field === undefined)
    throw new UsageError(
      'nothing to read: name a file, - for standard input, or give the record’s fields as flags (see --help)',
    );
  refuseBesideTemplate(settings, files.length > 0);
  refuseRepeatedName('--map', flagPairs('map', settings.flags));
  refuseRepeatedName('--set', [...flagPairs('set', settings.flags), ...Object.entries(fields)]);
  return {
    ...readingOptions(settings),
    files,
    type: type ?? settingValue('type', settings),
    template: files.length > 0 ? templateFile(settings) : null,
    assignments: assignments(settings, fields),
  };
}

/** How files are read. @throws UsageError */
function readingOptions(settings: SettingSources): Omit<InputOptions, 'files' | 'type' | 'template' | 'assignments'> {
  // With a template, columns are not fields: what settings for other files say about that means nothing.
  const areFields = settingValue('template', settings) === null;
  const map = areFields ? [...resolveTable('map', settings)] : [];
  const ignored = areFields ? [...resolveTable('ignore_columns', settings).keys()] : [];
  return {
    ...settingValues(settings, 'format', 'encoding', 'delimiter', 'header_line', 'sheet', 'pad_short_rows', 'prices'),
    ...settingValues(settings, 'ignore_other_columns', 'allow_negative', 'allow_total_row', 'allow_empty'),
    profileSheet: profileSheet(settings),
    style: {
      ...settingValues(settings, 'decimal', 'time_zone', 'currency_signs', 'negate', 'trim'),
      // The order that is the default reads less than the same one declared.
      dateOrder: isDefault('date_format', settings) ? null : settingValue('date_format', settings),
    },
    only: [...resolveTable('only', settings)].map(([written, origin]) =>
      parseFilter(origin.from === 'flag' ? '--only' : `only in ${placeOf(origin)}`, written),
    ),
    knownValues: knownValues(settings),
    map: new Map(map.map(([name, { value: field }]) => [columnName(name), field])),
    mapMustMatch: map.filter(([, { from }]) => from === 'flag').map(([name]) => columnName(name)),
    ignoreColumns: new Set(ignored.map(columnName)),
    ignoreMustMatch: (settings.flags.ignore_columns ?? []).map(columnName),
  };
}

/** @throws UsageError for a flag that means nothing with a template */
function refuseBesideTemplate(settings: SettingSources, hasFiles: boolean): void {
  const { from, source } = resolveSetting('template', settings);
  const path = settingValue('template', settings);
  if (path === null) return;
  const said = from === 'flag' ? `--template ${path}` : `the template ${path} in ${placeOf({ from, source })}`;
  if (from === 'flag' && !hasFiles)
    throw new UsageError(`${said} is filled in by the rows of a file, and there is none: name the file`);
  const { map = [], ignore_columns: ignored = [] } = settings.flags;
  const typed = [...map.map((pair) => `--map ${pair}`), ...ignored.map((name) => `--ignore-column ${name}`)];
  if (typed[0] !== undefined)
    throw new UsageError(
      `${typed[0]}: with ${said}, columns are variables, and nothing is read from the others. Leave this flag out`,
    );
}

/** The template in force; null without one. @throws UsageError if it cannot be read */
function templateFile(settings: SettingSources): TemplateFile | null {
  const path = settingValue('template', settings);
  if (path === null) return null;
  if (path === STDIN) throw new UsageError('--template takes the path of a file, not standard input');
  const { folder } = resolveSetting('template', settings);
  return { path, text: readNamed('--template', path, folder) };
}

/** `the profile payroll`, or the path of the config file. */
function placeOf({ from, source }: Origin): string {
  return from === 'profile' ? `the profile ${source}` : `${source}`;
}

/** Null if a flag names the sheet, or no profile does. */
function profileSheet(settings: SettingSources): ProfileSheet | null {
  const { from, source } = resolveSetting('sheet', settings);
  if (from !== 'profile') return null;
  return { profile: `${source}`, known: new Set(resolveTable('known_sheets', settings).keys()) };
}

function knownValues(settings: SettingSources): KnownValues[] {
  const named = [...resolveTable('known_values', settings)].map(([column, { value: values, ...origin }]) => {
    return { column, values: new Set(values), source: placeOf(origin) };
  });
  const typed = flagPairs('known_values', settings.flags).map(([column, value]) => {
    return { column, values: new Set([value]), source: null };
  });
  return joinKnownValues(named, typed);
}

function isDefault(name: SettingName, settings: SettingSources): boolean {
  return resolveSetting(name, settings).from === 'default';
}

/** For a run that continues from the journal. @param files to read again, to write their records as typed */
export function inputAgain(settings: SettingSources, files: readonly string[]): InputOptions {
  return {
    ...readingOptions(settings),
    files,
    type: null,
    // The records come from the journal: only the rows as typed are needed.
    template: settingValue('template', settings) === null ? null : { path: '', text: '{}' },
    // The run's first call has asked about them.
    knownValues: [],
    profileSheet: null,
    assignments: [],
    allowEmpty: true,
  };
}

/** The files that a run has read, by full path. */
export function filesOf({ files, inputCall }: Run, cwd: string): string[] {
  const names = files.map(({ path }) => path).filter((path) => path !== FLAGS_PATH);
  return names.map((path) => (path === STDIN || path === RECORDS_PATH ? path : resolve(cwd, inputCall.folder, path)));
}

/** Values set on every record, the last one wins: settings, the flags of fields, `--set`. */
function assignments(settings: SettingSources, fields: Readonly<Record<string, string>>): Assignment[] {
  const set = [...resolveTable('set', settings)].map(([path, { value: json, folder, ...origin }]) => {
    const source = origin.from === 'flag' ? null : placeOf(origin);
    return { path, json, source, folder, said: source === null ? `--set ${path}` : `set.${path} in ${source}` };
  });
  const given = Object.entries(fields).map(([path, json]) => {
    return { path, json, source: null, folder: settings.cwd, said: `--${path.replaceAll('_', '-')}` };
  });
  // In this order: a value inside an object must come after the object itself.
  const isTyped = ({ source }: { readonly source: string | null }): boolean => source === null;
  const all = [...set.filter((each) => !isTyped(each)), ...given, ...set.filter(isTyped)];
  const last = new Map(all.map((assignment, i) => [assignment.path, i]));
  return all
    .filter(({ path }, i) => last.get(path) === i)
    .map(({ path, json, source, folder, said }) => ({
      path,
      // A JSON value of a config file is used unchanged; only text is converted like a cell.
      ...(typeof json === 'string' ? { text: filledText({ path, json, source, folder, said }) } : { text: '', json }),
      source,
      // A setting applies to all commands, also for types without this field.
      optional: source !== null,
    }));
}

/** A text for a field, and where it is written. */
interface WrittenText {
  readonly path: string;
  readonly json: string;
  /** The profile or the config file; null for a flag. */
  readonly source: string | null;
  /** Where a relative path starts. */
  readonly folder: string;
  readonly said: string;
}

/** @throws UsageError for a text without content: it would erase what the file says */
function filledText({ path, json, source, folder, said }: WrittenText): string {
  // `@file.json` means the file's content, if the field takes an object or a list.
  const isFile = json.startsWith('@') && takesJson(path);
  const text = isFile ? readNamed(said, json.slice(1), folder) : json;
  if (text.trim() !== '') return text;
  const variable = source === null && !isFile ? ' If a variable should give it, set that variable.' : '';
  throw new UsageError(
    `${said} has no value${isFile ? `: ${json.slice(1)} is empty` : ''}.${variable} To send no ${path}, leave this out`,
  );
}

/** Two values for one name on a command line: their order does not show which one is meant. @throws UsageError */
function refuseRepeatedName(flag: '--map' | '--set', given: readonly (readonly [name: string, value: string])[]): void {
  const names = given.map(([name]) => columnName(name));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`${flag} ${twice}: this is given twice; leave one out`);
}

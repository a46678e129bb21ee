/** Flags and settings about the input → what reading needs. */
import { UsageError } from '../errors.js';
import type { CellStyle } from '../input/cells.js';
import { delimiterNamed } from '../input/csv-dialect.js';
import { encodingNamed } from '../input/encoding.js';
import { type Assignment, columnName } from '../input/columns.js';
import { fieldAt, isJsonKind } from '../records/field.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { InputOptions } from '../options.js';
import type { World } from '../world.js';
import { CHOICES } from './flags.js';
import { readNamed } from './named-file.js';
import { choose, entriesOf, folderOf, ignoredColumns, named, type Settings } from './sources.js';
import { oneOf, pair, wholeNumber } from './values.js';

export interface InputSources {
  readonly files: readonly string[];
  /** The type that the command fixes, or null. */
  readonly type: RecordType | null;
  readonly settings: Settings;
  /** Fields given as flags of their own, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws UsageError */
export function inputOptions({ files, type, settings, fields }: InputSources, world: World): InputOptions {
  const { flags } = settings;
  const fromFlags = Object.entries(fields);
  if (files.length > 0 && fromFlags.length > 0) {
    const [name = ''] = fromFlags[0] ?? [];
    throw new UsageError(
      `--${name.replaceAll('_', '-')} makes one record without a file; to set a field on every record of a file, say --set ${name}=…`,
    );
  }
  if (files.length === 0 && fromFlags.length === 0) {
    throw new UsageError(
      'nothing to read: name a file, - for standard input, or give the record’s fields as flags (see --help)',
    );
  }
  refuseTwoFields(flags.map ?? []);
  const fixed = type ?? (flags.type === undefined ? null : oneOf('--type', flags.type, RECORD_TYPES));
  if (flags.negate === true) checkNegate(fixed, files);
  const map = entriesOf('map', settings);
  const encoding = choose('encoding', settings).value;
  const delimiter = choose('delimiter', settings).value;
  return {
    files,
    type: fixed,
    format: flags.format === undefined ? null : oneOf('--format', flags.format, CHOICES.format),
    encoding: encoding === undefined ? null : encodingNamed(encoding),
    delimiter: delimiter === undefined ? null : delimiterNamed(delimiter),
    headerLine: headerLine(settings),
    sheet: sheetName(settings),
    padShortRows: flags.padShortRows ?? false,
    style: cellStyle(settings),
    map: new Map([...map].map(([name, { value }]) => [columnName(name), value])),
    mapMustMatch: [...map].filter(([, { origin }]) => origin.from === 'flag').map(([name]) => columnName(name)),
    ignoreColumns: new Set([...ignoredColumns(settings).keys()].map(columnName)),
    ignoreMustMatch: (flags.ignoreColumn ?? []).map(columnName),
    ignoreOtherColumns: choose('ignore_other_columns', settings).value,
    assignments: assignments(settings, fields, type, world),
    prices: flags.prices ?? null,
    allowNegative: flags.allowNegative ?? false,
    allowTotalRow: flags.allowTotalRow ?? false,
    allowEmpty: flags.allowEmpty ?? false,
  };
}

/** A flag that would change nothing is a misunderstanding. In settings, which serve all commands, it does no harm. */
function checkNegate(type: RecordType | null, files: readonly string[]): void {
  if (type !== null && KINDS[type].amountField === null)
    throw new UsageError(
      `--negate changes the amounts of payouts; a ${type} has none of its own, its amount is computed`,
    );
  if (files.length === 0)
    throw new UsageError('--negate changes the amounts of a file; give --amount as it is to be paid instead');
}

function headerLine(settings: Settings): number | null {
  const [name, value] = named('header_line', settings);
  return value === undefined ? null : wholeNumber(name, value, 0, 10_000);
}

/** Its name or its number, as it was written: which of the two it is, only the workbook tells. */
function sheetName(settings: Settings): string | null {
  const [name, value] = named('sheet', settings);
  if (value === '') throw new UsageError(`${name} takes the name of a sheet, or its number; found ""`);
  return value === undefined ? null : String(value);
}

function cellStyle(settings: Settings): CellStyle {
  return {
    decimal: decimalMark(settings),
    dateOrder: oneOf(...named('date_format', settings), CHOICES.dateFormat),
    currencySigns: choose('currency_signs', settings).value,
    negate: choose('negate', settings).value,
  };
}

function decimalMark(settings: Settings): CellStyle['decimal'] {
  const [name, value] = named('decimal', settings);
  return value === undefined ? null : oneOf(name, value, CHOICES.decimal);
}

/** Values set on every record, the last one wins: settings, the fields' own flags, `--set`. */
function assignments(
  settings: Settings,
  fields: Readonly<Record<string, string>>,
  type: RecordType | null,
  world: World,
): Assignment[] {
  refuseTwice(settings.flags.set ?? [], fields);
  const set = [...entriesOf('set', settings)].map(([path, { value, origin }]) => ({
    path,
    value,
    flag: origin.from === 'flag',
    folder: folderOf(origin, settings, world),
  }));
  const given = Object.entries(fields).map(([path, value]) => ({ path, value, flag: true, folder: world.cwd() }));
  // In this order: what is set inside an object must come after the object itself.
  const all = [...set.filter(({ flag }) => !flag), ...given, ...set.filter(({ flag }) => flag)];
  const last = new Map(all.map((assignment, i) => [assignment.path, i]));
  return all
    .filter(({ path }, i) => last.get(path) === i)
    .map(({ path, value, flag, folder }) => ({
      path,
      // A JSON value of a config file is taken as it is, and not converted like the text of a cell.
      ...(typeof value === 'string' ? { text: fromFile(path, value, type, folder) } : { text: '', json: value }),
      // A setting applies to all commands, also for types without this field. A type not known yet may lack it too.
      optional: !flag || type === null,
    }));
}

/** Two values for one field on a command line: their order does not say which one is meant. @throws UsageError */
function refuseTwice(texts: readonly string[], fields: Readonly<Record<string, string>>): void {
  const given = new Set<string>();
  for (const text of texts) {
    const [path] = pair('--set', text);
    if (given.has(path)) throw new UsageError(`--set ${path} is given twice`);
    if (Object.hasOwn(fields, path))
      throw new UsageError(`--set ${path} and --${path.replaceAll('_', '-')} give the same field; leave one out`);
    given.add(path);
  }
}

/** The same for two fields given to one column. @throws UsageError */
function refuseTwoFields(texts: readonly string[]): void {
  const given = new Map<string, string>();
  for (const text of texts) {
    const [column, field] = pair('--map', text, 'last');
    const earlier = given.get(columnName(column)) ?? field;
    if (earlier !== field)
      throw new UsageError(`--map gives the column ${JSON.stringify(column)} two fields: ${earlier} and ${field}`);
    given.set(columnName(column), field);
  }
}

/** `@file.json` stands for the file's content, where the field takes an object or a list. */
function fromFile(path: string, text: string, type: RecordType | null, folder: string): string {
  if (!text.startsWith('@')) return text;
  const kinds = type === null ? RECORD_TYPES : [type];
  const field = kinds.map((kind) => fieldAt(KINDS[kind].fields, path)).find((found) => found !== null);
  if (field === undefined || field === null || !isJsonKind(field.kind)) return text;
  return readNamed(path, text.slice(1), folder);
}

/** Flags and settings about the input → what reading needs. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../exit.js';
import { delimiterNamed } from '../read/csv-dialect.js';
import { encodingNamed } from '../read/encoding.js';
import type { Assignment } from '../read/columns.js';
import { fieldAt, isJsonKind } from '../records/field.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { InputOptions } from '../run/options.js';
import type { World } from '../world.js';
import type { ConfigKeys } from './config-file.js';
import type { InputFlags } from './flags.js';
import { oneOf, pair, wholeNumber } from './values.js';

export interface InputSources {
  readonly files: readonly string[];
  /** The type that the command fixes, or null. */
  readonly type: RecordType | null;
  readonly flags: InputFlags;
  readonly config: ConfigKeys;
  /** Fields given as flags of their own, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws UsageError */
export function inputOptions({ files, type, flags, config, fields }: InputSources, world: World): InputOptions {
  const fromFlags = Object.entries(fields);
  if (files.length > 0 && fromFlags.length > 0) {
    const [name = ''] = fromFlags[0] ?? [];
    throw new UsageError(`--${name.replaceAll('_', '-')} makes one record without a file; to set a field on every record of a file, say --set ${name}=…`);
  }
  if (files.length === 0 && fromFlags.length === 0) {
    throw new UsageError('nothing to read: name a file, - for standard input, or give the record’s fields as flags (see --help)');
  }
  const flagMap = (flags.map ?? []).map((text) => pair('--map', text));
  const encoding = flags.encoding ?? config.encoding;
  const delimiter = flags.delimiter ?? config.delimiter;
  const decimal = flags.decimal ?? config.decimal;
  const headerLine = flags.headerLine ?? config.header_line;
  return {
    files,
    type: type ?? (flags.type === undefined ? null : oneOf('--type', flags.type, ['gig', 'result', 'payout'])),
    format: flags.format === undefined ? null : oneOf('--format', flags.format, ['csv', 'json', 'ndjson']),
    encoding: encoding === undefined ? null : encodingNamed(encoding),
    delimiter: delimiter === undefined ? null : delimiterNamed(delimiter),
    headerLine: headerLine === undefined ? null : wholeNumber('--header-line', headerLine, 1, 10_000),
    padShortRows: flags.padShortRows ?? false,
    style: {
      decimal: decimal === undefined ? null : oneOf('--decimal', decimal, ['point', 'comma']),
      dateOrder: oneOf('--date-format', flags.dateFormat ?? config.date_format ?? 'ymd', ['ymd', 'dmy', 'mdy']),
    },
    map: new Map([...Object.entries(config.map ?? {}), ...flagMap]),
    mapMustMatch: flagMap.map(([name]) => name),
    ignoreColumns: new Set([...(config.ignore_columns ?? []), ...(flags.ignoreColumn ?? [])]),
    assignments: assignments(flags, config, fields, type, world),
    prices: flags.prices ?? null,
    allowEmpty: flags.allowEmpty ?? false,
  };
}

/** Values set on every record: settings, then `--set` over them, then the fields given as flags. */
function assignments(
  flags: InputFlags,
  config: ConfigKeys,
  fields: Readonly<Record<string, string>>,
  type: RecordType | null,
  world: World,
): Assignment[] {
  const values = new Map<string, string>();
  for (const [path, value] of Object.entries(config.set ?? {})) {
    values.set(path, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const given = new Set<string>();
  for (const text of flags.set ?? []) {
    const [path, value] = pair('--set', text);
    if (given.has(path)) throw new UsageError(`--set ${path} is given twice`);
    if (fields[path] !== undefined) throw new UsageError(`--set ${path} and --${path.replaceAll('_', '-')} give the same field; leave one out`);
    given.add(path);
    values.set(path, value);
  }
  for (const [name, value] of Object.entries(fields)) values.set(name, value);
  return [...values].map(([path, text]) => ({ path, text: fromFile(path, text, type, world) }));
}

/** `@file.json` stands for the file's content, where the field takes an object or a list. */
function fromFile(path: string, text: string, type: RecordType | null, world: World): string {
  if (!text.startsWith('@')) return text;
  const kinds = type === null ? RECORD_TYPES : [type];
  const field = kinds.map((kind) => fieldAt(KINDS[kind].fields, path)).find((found) => found !== null);
  if (field === undefined || field === null || !isJsonKind(field.kind)) return text;
  try {
    return readFileSync(resolve(world.cwd(), text.slice(1)), 'utf8').replace(/^\ufeff/, '');
  } catch (cause) {
    throw new UsageError(`${path}: cannot read the file ${text.slice(1)}`, { cause });
  }
}

/** From the names in a file to fields: `--map`, `--ignore-column`, `--set`. */
import { UsageError } from '../errors.js';
import { fieldAt, type Shape } from '../records/fields.js';
import type { RecordSchema } from '../records/schema.js';
import type { Body } from '../records/types.js';
import { excerpt, type Finding } from '../records/issue.js';
import { didYouMean } from '../records/nearest.js';
import { CellConverter, type CellNotation, type ConversionFindings } from './cells.js';
import { assign } from './json-parser.js';
import type { ColumnBinding } from './raw-record.js';
import { isResultColumn } from './result-columns.js';

/** How names in a file become names of fields. */
export interface ColumnMapping {
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
  /** Drop every name that is neither a field nor in the map. */
  readonly ignoreOthers: boolean;
  /** Collects the names in all files, to notice a `--map` of a name that no file has. */
  readonly met: Set<string>;
}

/** A column's name as one line: people break the lines of narrow headers, and no command line repeats a line break. */
export function columnName(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/\s*[\r\n]+\s*/g, ' ') : text;
}

/** The field's name for a name in the file, or null to drop it. */
export function fieldName(name: string, naming: ColumnMapping): string | null {
  const known = columnName(name);
  naming.met.add(known);
  if (isResultColumn(known) || naming.ignore.has(known)) return null;
  return naming.map.get(known) ?? name;
}

/** A value that `--set` or a flag sets in every record. */
export interface Assignment {
  /** Dot path of the field. */
  readonly path: string;
  /** As typed; converted like a CSV cell. Empty means: absent. */
  readonly text: string;
  /** Used unchanged instead of the text. */
  readonly json?: unknown;
  /** Where a setting has it: the profile, or the config file; null for a flag. */
  readonly source?: string | null;
  /** It serves records of other types too, so it may be a field that only those have. */
  readonly optional?: boolean;
}

/** The names of the fields that are set, or set in part. */
export function assignedFields(assignments: readonly Assignment[]): string[] {
  return assignments.map(({ path }) => path.split('.')[0] ?? '');
}

/** A value as it is set on every record. */
export interface SetValue {
  /** Dot path of the field. */
  readonly path: string;
  readonly value: unknown;
  /** Where a setting has it; null for a flag. */
  readonly source: string | null;
}

/** The values, with the findings that they cause in every record. */
export interface BoundAssignments extends ConversionFindings {
  readonly values: readonly SetValue[];
  /** Replaces the file's values by these. */
  apply(input: Body): void;
  /** Whether the field at this path is set here, so that the file's value does not count. */
  covers(path: string): boolean;
  /** Whether the field of this name, or a part of it, is set here. */
  gives(name: string): boolean;
}

/** Converts the values once for all records of a shape; a shape without one of the fields ignores its value. */
export function bindAssignments(
  assignments: readonly Assignment[],
  shape: Shape,
  style: CellNotation,
): BoundAssignments {
  const cells = new CellConverter(style);
  const bound = assignments.flatMap((each) => {
    const field = fieldAt(shape.fields, each.path);
    return field === null ? [] : [{ ...each, field }];
  });
  const values = bound.map(({ path, text, json, field, source = null }) => {
    const typed = text === '' ? undefined : cells.convert(field, text, path);
    return { path, steps: path.split('.'), value: json ?? typed, source };
  });
  const paths = bound.map(({ path }) => path);
  return {
    values,
    // A new copy for each record: records must not share nested objects.
    apply: (input) => values.forEach(({ steps, value }) => assign(input, steps, structuredClone(value))),
    covers: (path) => paths.some((given) => path === given || path.startsWith(`${given}.`)),
    gives: (name) => values.some(({ steps, value }) => steps[0] === name && value !== undefined),
    findings: cells.findings,
    unreadable: cells.unreadable,
  };
}

/**
 * @param kinds types of records of which one must have the field
 * @param said the flag, for messages; a field of it follows
 * @param isBeside a price is allowed too, although it is not part of a record
 * @throws UsageError for a field that none of them has
 */
export function requireField(path: string, kinds: readonly RecordSchema[], said: string, isBeside = false): void {
  if (kinds.some(({ fields }) => fieldAt(fields, path) !== null)) return;
  // Templates and schemas list a price with the fields.
  const isPrice = kinds.some(({ price }) => price?.name === path);
  if (isPrice && isBeside) return;
  if (isPrice)
    throw new UsageError(
      `${said}: ${path} is not sent with a record: add it as a column of the file, or in a list of prices with --prices`,
    );
  const [top = ''] = path.split('.');
  const names = kinds.flatMap(({ fields }) => fields.map(({ name }) => name));
  const remedy = names.includes(top) ? ` Give ${top} whole, as JSON text or @file.json` : didYouMean(path, names);
  const where = kinds.length === 1 ? ` in a ${kinds[0]?.type}` : '';
  throw new UsageError(`${said}: there is no field "${path}"${where}.${remedy}`);
}

/**
 * Rewords a finding in the file's terms: the name of the column, and its field in brackets. Messages begin with their field, so the column's name is inserted there.
 * @param columns of the record's file; undefined if it has none
 * @param isSet the command line sets the field, whatever the column contains
 * @param template fills the columns into the record
 */
export function inTermsOfFile(
  finding: Finding,
  columns: readonly ColumnBinding[] | undefined,
  isSet: (field: string) => boolean,
  template?: string,
): Finding {
  const { field, message } = finding;
  if (columns === undefined || field === null || !message.startsWith(field) || isSet(field)) return finding;
  const column = columns.find(({ path }) => field === path || field.startsWith(`${path}.`));
  const missing = `${field} is missing`;
  const isMissing = message.startsWith(missing);
  const rest = message.slice(isMissing ? missing.length : field.length);
  if (column === undefined) {
    if (!isMissing) return finding;
    const found =
      template === undefined
        ? `No column gives ${field}${rest}: add the column, or --map COLUMN=${field}`
        : `The template gives no ${field} for this row${rest}: correct ${template}`;
    return { ...finding, listed: field, message: found };
  }
  const quoted = `"${excerpt(column.name)}"`;
  const name = column.name === field ? quoted : `${quoted} (${field})`;
  return { ...finding, name, message: `${isMissing ? `The cell under ${name} is empty` : name}${rest}` };
}

/**
 * The fields of a record, as everything but the check sees them: readers, columns, flags, help, templates. They are
 * derived from the schemas (schema.ts); this module loads none.
 */
import { canonicalJson } from '../keys/canonical.js';
import { cachedBy } from './cached-by.js';
import type { Body } from './types.js';

/**
 * - `text`, `id`: strings; an `id` names something, so spaces around it get a warning
 * - `timestamp`: UNIX seconds; in CSV and on flags also ISO 8601 with an offset
 * - `multiplier`: a decimal sent as a string; `yes-no`: Yes or No in any letter case; `topic`: a name or a number
 * - `object`, `list`: known members; `json`: any object; `filter`, `sort`: objects in the query language
 */
export type FieldKind =
  | 'text'
  | 'id'
  | 'currency'
  | 'number'
  | 'timestamp'
  | 'date'
  | 'boolean'
  | 'choice'
  | 'multiplier'
  | 'yes-no'
  | 'topic'
  | 'object'
  | 'list'
  | 'json'
  | 'filter'
  | 'sort';

/** What a schema says of a field besides its type. */
export interface FieldInfo {
  /** The meaning, in the words of service-interface.md. */
  readonly help: string;
  /** As a template or help shows it, as a JSON value. */
  readonly example: unknown;
  /** Why the record needs it. A field with a need must not be blank: all records with a blank key would share it. */
  readonly need?: string;
  /** A rule between fields checks a blank value, instead of the warning about spaces. */
  readonly inRule?: boolean;
  /** Zero or below gets a warning; for money, an error. */
  readonly positive?: boolean;
  /** A fraction gets a warning. */
  readonly whole?: boolean;
  /** An amount in the record's currency: a file may write it with a currency sign or with the opposite sign. */
  readonly money?: boolean;
  /** The price, an additional field of the input. It is used to compute amounts and never sent. */
  readonly isPrice?: boolean;
}

export interface Field extends FieldInfo {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** Its schema checks more than the kind does, such as a length. */
  readonly hasMoreChecks?: boolean;
  /** The values that a `choice` takes. */
  readonly choices?: readonly string[];
  /** Sent when the field is absent. Only where the contract says so: the service fills in other defaults. */
  readonly sentDefault?: string;
  /** The members of an `object`, or of each element of a `list`; and the conditions between them. */
  readonly members?: readonly Field[];
  readonly rules?: readonly Rule[];
}

/** A condition between fields of one object: at least one of `needs` must be present and not blank. */
export interface Rule {
  readonly needs: readonly string[];
  /** The condition applies only if this field is present; null: always. */
  readonly given: string | null;
  readonly because: string;
}

/** The fields of one kind of object and the conditions between them: enough to read it. */
export interface Shape {
  /** In the order of help, templates and columns. */
  readonly fields: readonly Field[];
  /** The same, and the price. */
  readonly inputFields: readonly Field[];
  readonly rules: readonly Rule[];
  /** Null for none. */
  readonly price: Field | null;
}

/** Kinds whose value is JSON text in a CSV cell. */
export function isJsonKind(kind: FieldKind): boolean {
  return kind === 'object' || kind === 'list' || kind === 'json' || kind === 'filter' || kind === 'sort';
}

/**
 * The field at a dot path (`cost_center_data.inhouse`, `tasks.0.title`), or null when no such field exists.
 * A number steps into a list. Paths do not lead into free-form objects.
 */
export function fieldAt(fields: readonly Field[], path: string): Field | null {
  const [name, ...below] = path.split('.');
  const field = fields.find((each) => each.name === name);
  if (field === undefined || below.length === 0) return field ?? null;
  if (field.kind === 'list' && !isIndex(below.shift() as string)) return null;
  return fieldAt(field.members ?? [], below.join('.'));
}

/** Whether a step of a dot path is a list index. The bound keeps a typo from making a list of a billion elements. */
export function isIndex(step: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(step);
}

/** Every dot path that ends in a scalar or a JSON cell. Lists show their first element. */
export function columnPaths(fields: readonly Field[], prefix = ''): string[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    if (field.members === undefined) return [path];
    return columnPaths(field.members, field.kind === 'list' ? `${path}.0.` : `${path}.`);
  });
}

// Examples

/** The day that the examples in the schemas are written for. */
const EXAMPLES_DAY = '2026-11-01';
const DAY_LENGTH_MS = 86_400_000;

/**
 * An example record. Its dates move to a given day, so that none of them is far from today.
 * @param today YYYY-MM-DD; dates and times keep their distance to the examples' day
 */
export function exampleRecord(fields: readonly Field[], today: string): Body {
  const days = (Date.parse(today) - Date.parse(EXAMPLES_DAY)) / DAY_LENGTH_MS;
  return exampleMembers(fields, days);
}

function exampleMembers(fields: readonly Field[], days: number): Body {
  return Object.fromEntries(fields.map((field) => [field.name, exampleValue(field, days)]));
}

/** Leaves idempotency_key out: two records with the same key would count as one. */
function exampleValue({ name, kind, example, members }: Field, days: number): unknown {
  if (name === 'idempotency_key') return null;
  if (members !== undefined) {
    const object = exampleMembers(members, days);
    return kind === 'list' ? [object] : object;
  }
  if (kind === 'timestamp') return (example as number) + (days * DAY_LENGTH_MS) / 1000;
  if (kind === 'date') return new Date(Date.parse(example as string) + days * DAY_LENGTH_MS).toISOString().slice(0, 10);
  return example;
}

/** Every record is compared with it. */
export const templateRecord = cachedBy((fields: readonly Field[]) => exampleRecord(fields, EXAMPLES_DAY));

/**
 * Whether a record is the unchanged example of a template: every field has the example's value, and no required field
 * is missing. Keys, dates and times are not compared, because a template is made for its day.
 * @param set fields that a flag sets in every record, so they are not compared; never the one that marks the type
 */
export function isExample(fields: readonly Field[], body: Body, set: ReadonlySet<string>): boolean {
  const example = templateRecord(fields);
  const mark = fields.find(({ required, kind }) => required && (kind === 'id' || kind === 'text'))?.name;
  return fields.every(({ name, kind, required }) => {
    if (set.has(name) && name !== mark) return true;
    const value = body[name];
    if (value === undefined || value === null) return !required;
    if (name === 'idempotency_key' || kind === 'date' || kind === 'timestamp') return true;
    return canonicalJson(value) === canonicalJson(example[name]);
  });
}

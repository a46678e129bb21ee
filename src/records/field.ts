/**
 * The definition of a field. One list of fields gives a record type its validation, CSV columns, flags and help.
 *
 * It is a list and not a zod schema. A prototype of the payout showed why: with our messages, typed values and members
 * in canonical order, a schema needs as much of our code, and each record takes three times as long.
 */

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

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** The meaning, in the words of service-interface.md. */
  readonly help: string;
  /** Why the record needs it; shown when it is missing. */
  readonly need?: string;
  /** The values that a `choice` takes. */
  readonly choices?: readonly string[];
  /** Sent when the field is absent. Only where the contract says so: the service fills in other defaults. */
  readonly sentDefault?: string;
  /** Optional, but not blank if it is present: all records with a blank key would share it. */
  readonly filled?: boolean;
  /** A rule between fields checks a blank value, instead of the warning about spaces. */
  readonly inRule?: boolean;
  /** Zero or below gets a warning; for money, an error. */
  readonly positive?: boolean;
  /** An amount in the record's currency: a file may write it with a currency sign or with the opposite sign. */
  readonly money?: boolean;
  /** The members of an `object`, or of each element of a `list`. */
  readonly members?: readonly Field[];
  /** Conditions between the members of an `object`. */
  readonly rules?: readonly Rule[];
  /** As a template or help text shows it. */
  readonly example: string;
}

type Details = Partial<Omit<Field, 'name' | 'kind' | 'required' | 'help' | 'example'>>;

/** The parameters are those of {@link Field}. */
export function required(name: string, kind: FieldKind, help: string, example: string, details: Details = {}): Field {
  return { name, kind, required: true, help, example, ...details };
}

export function optional(name: string, kind: FieldKind, help: string, example: string, details: Details = {}): Field {
  return { name, kind, required: false, help, example, ...details };
}

export function needOf({ need, help }: Field): string {
  return need ?? `It is required: ${help}`;
}

/** A record or nested object as it will be sent. Absent members are `undefined`. */
export type Body = Record<string, unknown>;

/** Lists and null are not objects here. */
export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A condition between fields of one object: at least one of `needs` must be present and not blank. */
export interface Rule {
  readonly needs: readonly string[];
  /** The condition applies only if this field is present; null: always. */
  readonly given: string | null;
  readonly because: string;
}

/** Kinds whose value is JSON text in a CSV cell. */
export function isJsonKind(kind: FieldKind): boolean {
  return kind === 'object' || kind === 'list' || kind === 'json' || kind === 'filter' || kind === 'sort';
}

const sorted = new Map<readonly Field[], readonly Field[]>();

/** Sorted by name like the members of canonical JSON, so that a checked record is built in its final order. Cached. */
export function canonicalFields(fields: readonly Field[]): readonly Field[] {
  let order = sorted.get(fields);
  if (order === undefined) sorted.set(fields, (order = [...fields].sort((a, b) => (a.name < b.name ? -1 : 1))));
  return order;
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

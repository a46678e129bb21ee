/** An example record of a type. Its dates move to a given day, so that none of them is far from today. */
import { canonicalJson } from '../keys/canonical.js';
import { type Body, type Field, isJsonKind } from './field.js';

/** The day that the examples in the record definitions are written for. */
const EXAMPLES_DAY = '2026-11-01';
const DAY_MS = 86_400_000;

/** @param today YYYY-MM-DD; dates and times keep their distance to the examples' day */
export function exampleRecord(fields: readonly Field[], today: string): Body {
  const days = (Date.parse(today) - Date.parse(EXAMPLES_DAY)) / DAY_MS;
  return membersOf(fields, days);
}

function membersOf(fields: readonly Field[], days: number): Body {
  return Object.fromEntries(fields.map((field) => [field.name, exampleOf(field, days)]));
}

/** Leaves idempotency_key out: two records with the same key would count as one. */
function exampleOf(field: Field, days: number): unknown {
  if (field.name === 'idempotency_key') return null;
  if (field.members === undefined) return moved(field, days);
  const members = membersOf(field.members, days);
  return field.kind === 'list' ? [members] : members;
}

function moved(field: Field, days: number): unknown {
  const value = exampleValue(field);
  if (field.kind === 'timestamp') return (value as number) + (days * DAY_MS) / 1000;
  if (field.kind === 'date') return new Date(Date.parse(value as string) + days * DAY_MS).toISOString().slice(0, 10);
  return value;
}

const known = new Map<readonly Field[], Body>();

/** Made once, because every record is compared with it. */
export function templateRecord(fields: readonly Field[]): Body {
  let example = known.get(fields);
  if (example === undefined) known.set(fields, (example = exampleRecord(fields, EXAMPLES_DAY)));
  return example;
}

/** The field that is checked first to recognise a template. */
function markOf(fields: readonly Field[]): string | undefined {
  return fields.find(({ required, kind }) => required && (kind === 'id' || kind === 'text'))?.name;
}

/**
 * Whether a record is the unchanged example of a template: every field has the example's value, and no required field
 * is missing. Keys, dates and times are not compared, because a template is made for its day.
 * @param set fields that a flag sets in every record, so they are not compared; never the one that marks the type
 */
export function isExample(fields: readonly Field[], body: Body, set: ReadonlySet<string>): boolean {
  const example = templateRecord(fields);
  return fields.every(({ name, kind, required }) => {
    if (set.has(name) && name !== markOf(fields)) return true;
    const value = body[name];
    if (value === undefined || value === null) return !required;
    if (name === 'idempotency_key' || kind === 'date' || kind === 'timestamp') return true;
    return canonicalJson(value) === canonicalJson(example[name]);
  });
}

/** As a JSON value. */
function exampleValue({ kind, example }: Field): unknown {
  return kind === 'number' || kind === 'timestamp' || kind === 'boolean' || isJsonKind(kind)
    ? JSON.parse(example)
    : example;
}

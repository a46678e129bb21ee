/** A record made of its fields' examples, moved to a given day, so that no date in it is far away. */
import { canonicalJson } from '../keys/canonical.js';
import { type Body, type Field, isJsonKind } from './field.js';

/** The day that the examples in the record definitions are written for. */
const EXAMPLES_DAY = '2026-11-01';
const DAY_MS = 86_400_000;

/** @param today YYYY-MM-DD; the examples' dates and times are as far from it as they are from their own day */
export function exampleRecord(fields: readonly Field[], today: string): Body {
  const days = (Date.parse(today) - Date.parse(EXAMPLES_DAY)) / DAY_MS;
  return membersOf(fields, days);
}

function membersOf(fields: readonly Field[], days: number): Body {
  return Object.fromEntries(fields.map((field) => [field.name, exampleOf(field, days)]));
}

/** Without the example of idempotency_key: two records that kept it would count as one. */
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

/** The record that a template for the examples' own day shows. Made once: every record is compared. */
export function templateRecord(fields: readonly Field[]): Body {
  let example = known.get(fields);
  if (example === undefined) known.set(fields, (example = exampleRecord(fields, EXAMPLES_DAY)));
  return example;
}

/** The field by which a template is known first. */
function markOf(fields: readonly Field[]): string | undefined {
  return fields.find(({ required, kind }) => required && (kind === 'id' || kind === 'text'))?.name;
}

/**
 * Whether a record is the example of a template: every field that it has is the example's, and no field is missing that
 * a record needs. Its own key does not count, nor do dates and times, since templates are made for their day.
 * @param set fields that are given to every record, and so are no part of the example; never the one that marks it
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

/** The field's example as JSON has it. */
export function exampleValue({ kind, example }: Field): unknown {
  return kind === 'number' || kind === 'timestamp' || kind === 'boolean' || isJsonKind(kind)
    ? JSON.parse(example)
    : example;
}

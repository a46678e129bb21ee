/** A record made of its fields' examples, moved to a given day, so that no date in it is far away. */
import { canonicalJson } from '../keys/canonical.js';
import { type Decimal, decimalOf } from '../money/decimal.js';
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

interface Examples {
  /** By field, in canonical JSON. */
  readonly texts: ReadonlyMap<string, string>;
  readonly numbers: ReadonlyMap<string, Decimal>;
  /** The field by which a template is known first. */
  readonly mark: string;
}

/** Made once: every record is compared. */
const known = new Map<readonly Field[], Examples>();

function examplesOf(fields: readonly Field[]): Examples {
  let examples = known.get(fields);
  if (examples === undefined) {
    const record = exampleRecord(fields, EXAMPLES_DAY);
    const numbers = fields.filter(({ kind }) => kind === 'number');
    examples = {
      texts: new Map(fields.map(({ name }) => [name, canonicalJson(record[name])])),
      numbers: new Map(numbers.map(({ name }) => [name, decimalOf(record[name] as number)])),
      mark: fields.find(({ required, kind }) => required && (kind === 'id' || kind === 'text'))?.name ?? '',
    };
    known.set(fields, examples);
  }
  return examples;
}

/** The example of a field that is a number. */
export function exampleNumber(fields: readonly Field[], name: string): Decimal {
  return examplesOf(fields).numbers.get(name) as Decimal;
}

/**
 * Whether a record is the example of a template: every field that it has is the example's, and no field is missing that
 * a record needs. Its own key does not count, nor do dates and times, since templates are made for their day.
 * @param set fields that are given to every record, and so are no part of the example; never the one that marks it
 */
export function isExample(fields: readonly Field[], body: Body, set: ReadonlySet<string>): boolean {
  const { texts, mark } = examplesOf(fields);
  return fields.every(({ name, kind, required }) => {
    if (name !== mark && set.has(name)) return true;
    const value = body[name];
    if (value === undefined || value === null) return !required;
    if (name === 'idempotency_key' || kind === 'date' || kind === 'timestamp') return true;
    return canonicalJson(value) === texts.get(name);
  });
}

/** The field's example as JSON has it. */
export function exampleValue({ kind, example }: Field): unknown {
  return kind === 'number' || kind === 'timestamp' || kind === 'boolean' || isJsonKind(kind)
    ? JSON.parse(example)
    : example;
}

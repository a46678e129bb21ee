/**
 * What schemas of records are made of. A schema is the one definition of a record: its type, its check, the order in
 * which its members are sent, its fields (fields.ts) and its JSON Schema follow from it.
 *
 * Checks are on single values, and their message is the name of a fault, which check.ts words: the compiled parser is
 * then as fast as code by hand. A check of a whole object makes it several times slower, so rules are data.
 */
import * as z from 'zod/mini';
import { compare, type Decimal, parseDecimal } from '../money/decimal.js';
import { isCalendarDate } from './calendar.js';
import type { Field, FieldInfo, FieldKind, Rule, Shape } from './fields.js';
import type { Report } from './issue.js';
import { type Body, isObject, type RecordInfo } from './types.js';

export type ObjectSchema = z.ZodMiniObject;

/** Enough to read and check one kind of object. */
export interface InputSchema extends Shape {
  /** With the price. */
  readonly input: ObjectSchema;
  /**
   * Reports warnings about the record as a whole.
   * @param body without wrong members, but for those within members
   * @param now milliseconds since 1970
   */
  doubts?(body: Body, report: Report, now: number): void;
}

/** The record type of a schema, and how its money is computed. */
export interface RecordSchema<Members extends Body = Body> extends RecordInfo, InputSchema {
  doubts?(body: Partial<Members>, report: Report, now: number): void;
  /** Null when a price is not known. @param price base price of a result's task in cents, null when unknown */
  amount(body: Members, price: Decimal | null): Decimal | null;
  /** The calculation of the amount, for `--explain`: `3 × 250 × 1.5`. */
  steps(body: Members, price: Decimal | null): string;
}

/** What zod does not know of a field, and how many checks its kind makes. For the JSON Schemas. @public */
export const FIELD_INFO = z.registry<FieldInfo & { readonly kind: FieldKind; readonly checks: number }>();

/** What zod does not know of an object: conditions between its fields, and their order in help and columns. @public */
export const OBJECT_INFO = z.registry<{ readonly rules: readonly Rule[]; readonly names: readonly string[] }>();

/** The names of faults, as checks say them. */
export type Fault =
  'blank' | 'zero-character' | 'no-date' | 'no-yes-no' | 'no-decimal' | 'out-of-range' | 'too-many-decimals';

/** The check reports this fault, and no later check is made. */
function faulty(error: Fault) {
  return { error, abort: true };
}

interface Details {
  readonly example: unknown;
  readonly need?: string;
  readonly inRule?: boolean;
  readonly positive?: boolean;
  readonly whole?: boolean;
  readonly isPrice?: boolean;
}

function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  kind: FieldKind,
  help: string,
  details: Details & { readonly money?: boolean },
): Schema {
  FIELD_INFO.add(schema, { kind, help, checks: checksOf(schema), ...details });
  return schema;
}

function checksOf(schema: z.ZodMiniType): number {
  return schema._zod.def.checks?.length ?? 0;
}

/** Of a field that the record needs, not blank. */
function filled({ need }: Details): z.ZodMiniString {
  return need === undefined ? z.string() : z.string().check(z.regex(/\S/, faulty('blank')));
}

export function text(help: string, details: Details): z.ZodMiniString {
  return described(filled(details), 'text', help, details);
}

/** Other programs cut a text at a zero character, so two IDs could become one. */
export function id(help: string, details: Details): z.ZodMiniString {
  const schema = filled(details).check(z.refine((value) => !value.includes('\0'), faulty('zero-character')));
  return described(schema, 'id', help, details);
}

export function currency(help: string, details: Details): z.ZodMiniString {
  return described(z.string(), 'currency', help, details);
}

export function number(help: string, details: Details): z.ZodMiniNumber {
  return described(z.number(), 'number', help, details);
}

/** An amount in the record's currency. */
export function money(help: string, details: Details): z.ZodMiniNumber {
  return described(z.number(), 'number', help, { ...details, positive: true, money: true });
}

export function timestamp(help: string, details: Details): z.ZodMiniNumber {
  return described(z.number(), 'timestamp', help, details);
}

export function date(help: string, details: Details): z.ZodMiniString {
  return described(z.string().check(z.refine(isCalendarDate, faulty('no-date'))), 'date', help, details);
}

export function boolean(help: string, details: Details): z.ZodMiniBoolean {
  return described(z.boolean(), 'boolean', help, details);
}

export function choice<const Words extends readonly string[]>(words: Words, help: string, details: Details) {
  return described(z.enum([...words]), 'choice', help, details);
}

/** Sent as `Yes` or `No`. */
export function yesNo(help: string, details: Details): z.ZodMiniString {
  const schema = filled(details).check(
    z.regex(/^([Yy][Ee][Ss]|[Nn][Oo])$/, faulty('no-yes-no')),
    z.overwrite((value) => (value.length === 'Yes'.length ? 'Yes' : 'No')),
  );
  return described(schema, 'yes-no', help, details);
}

const HIGHEST_MULTIPLIER = parseDecimal('9.9999');

/** service-interface.md, "Limits": multiplier between 0.0000 and 9.9999. Sent as a string, as typed. */
export function multiplier(help: string, details: Details): z.ZodMiniString {
  const isInRange = (value: string): boolean =>
    !value.startsWith('-') && compare(parseDecimal(value), HIGHEST_MULTIPLIER) <= 0;
  const schema = z
    .string()
    .check(
      z.regex(/^-?(0|[1-9]\d*)(\.\d+)?$/, faulty('no-decimal')),
      z.refine(isInRange, faulty('out-of-range')),
      z.regex(/^[^.]+(\.\d{1,4})?$/, faulty('too-many-decimals')),
    );
  return described(schema, 'multiplier', help, details);
}

/** A name or an ID. */
export function topic(help: string, details: Details) {
  return described(z.union([z.string(), z.number()]), 'topic', help, details);
}

/** Nothing in it is checked, copied or put in another order. */
function anyObject() {
  return z.custom<Body>(isObject);
}

export function json(help: string, details: Details) {
  return described(anyObject(), 'json', help, details);
}

/** A query; query.ts checks it. */
export function filter(help: string, details: Details) {
  return described(anyObject(), 'filter', help, details);
}

export function sort(help: string, details: Details) {
  return described(anyObject(), 'sort', help, details);
}

export function object<Members extends ObjectSchema>(members: Members, help: string, details: Details): Members {
  return described(members, 'object', help, details);
}

export function listOf<Members extends ObjectSchema>(members: Members, help: string, details: Details) {
  return described(z.array(members), 'list', help, details);
}

/** Members in canonical order, so that a checked record is serialised without sorting; none but these. */
export function strictObject<Fields extends Record<string, z.ZodMiniType>>(
  fields: Fields,
  rules: readonly Rule[] = [],
) {
  const inOrder = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) as Fields;
  const schema = z.strictObject(inOrder);
  OBJECT_INFO.add(schema, { rules, names: Object.keys(fields) });
  return schema;
}

/** The fields and rules of a schema. */
export function inputSchema(schema: ObjectSchema): InputSchema {
  const inputFields = fieldsOf(schema);
  const price = inputFields.find(({ isPrice }) => isPrice === true) ?? null;
  return {
    input: schema,
    fields: price === null ? inputFields : inputFields.filter((field) => field !== price),
    inputFields,
    rules: rulesOf(schema),
    price,
  };
}

function rulesOf(schema: ObjectSchema): readonly Rule[] {
  return OBJECT_INFO.get(schema)?.rules ?? [];
}

function fieldsOf(schema: ObjectSchema): readonly Field[] {
  const { shape } = schema._zod.def;
  return (OBJECT_INFO.get(schema)?.names ?? []).map((name) => toField(name, shape[name] as z.ZodMiniType));
}

/** The schema of a list's elements; null for any other field. */
export function elementSchema(schema: ObjectSchema, name: string): ObjectSchema | null {
  const member = schema._zod.def.shape[name];
  const list = member === undefined ? member : withoutOptional(member as z.ZodMiniType);
  return list instanceof z.ZodMiniArray ? (list._zod.def.element as ObjectSchema) : null;
}

function isOptional(member: z.ZodMiniType): member is z.ZodMiniOptional | z.ZodMiniDefault {
  return member instanceof z.ZodMiniOptional || member instanceof z.ZodMiniDefault;
}

function withoutOptional(member: z.ZodMiniType): z.ZodMiniType {
  return isOptional(member) ? (member._zod.def.innerType as z.ZodMiniType) : member;
}

function toField(name: string, member: z.ZodMiniType): Field {
  const schema = withoutOptional(member);
  const known = FIELD_INFO.get(schema);
  if (known === undefined) throw new TypeError(`${name} is not made by the functions of this module`);
  const { checks, ...info } = known;
  const hasMoreChecks = checksOf(schema) > checks || (member !== schema && checksOf(member) > 0);
  const within = schema instanceof z.ZodMiniArray ? schema._zod.def.element : schema;
  return {
    name,
    required: !isOptional(member),
    ...info,
    ...(hasMoreChecks && { hasMoreChecks }),
    ...(schema instanceof z.ZodMiniEnum && { choices: Object.values(schema._zod.def.entries) as string[] }),
    ...(member instanceof z.ZodMiniDefault && { sentDefault: member._zod.def.defaultValue as string }),
    ...(within instanceof z.ZodMiniObject && { members: fieldsOf(within), rules: rulesOf(within) }),
  };
}

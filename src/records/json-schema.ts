/** Record definitions → JSON Schema 2020-12, for editors, generators and validators that do not know gigwork. */
import { exampleValue } from './example.js';
import type { Field, FieldKind, Rule } from './field.js';
import { inputFields, type Kind } from './kind.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A schema cannot express all checks: it has no warnings, and cannot see numbers that a double rounds. */
export function recordSchema(kind: Kind): JsonSchema {
  return {
    $schema: DIALECT,
    $id: `urn:gigwork:schema:${kind.type}`,
    title: kind.type,
    description: `One record of ${kind.plural} as gigwork reads it from JSON. An optional field that is null is an absent one.`,
    ...objectSchema(inputFields(kind), kind.rules),
  };
}

function objectSchema(fields: readonly Field[], rules: readonly Rule[]): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
    ...(rules.length === 0 ? {} : { allOf: rules.map((rule) => ruleSchema(rule, fields)) }),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field): JsonSchema {
  return {
    description: field.help,
    ...(field.required ? valueSchema(field) : orNull(valueSchema(field))),
    ...(field.sentDefault === undefined ? {} : { default: field.sentDefault }),
    ...(field.members === undefined ? { examples: [exampleValue(field)] } : {}),
  };
}

/** For an optional field, `null` means absent. Keywords other than `type` and `enum` ignore values of another type. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words } = schema;
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}),
  };
}

const NOT_BLANK = '\\S';

function valueSchema(field: Field): JsonSchema {
  if (field.kind === 'object') return objectSchema(field.members ?? [], field.rules ?? []);
  if (field.kind === 'list') return { type: 'array', items: objectSchema(field.members ?? [], []) };
  if (field.kind === 'choice') return { type: 'string', enum: field.choices };
  const value = VALUES[field.kind];
  const filled = (field.required || field.filled === true) && value['pattern'] === undefined && mayBeText(value);
  return filled ? { ...value, pattern: NOT_BLANK } : value;
}

function mayBeText({ type }: JsonSchema): boolean {
  return [type].flat().includes('string');
}

/** Real calendar dates, leap years included, for validators that ignore `format`. */
const YEAR = '([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])';
const LEAP_YEAR = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)';
const DAY_OF_YEAR =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))';
const DATE = `^(${YEAR}-${DAY_OF_YEAR}|${LEAP_YEAR}-02-29)$`;

const VALUES: Readonly<Record<Exclude<FieldKind, 'object' | 'list' | 'choice'>, JsonSchema>> = {
  text: { type: 'string' },
  id: { type: 'string' },
  currency: { type: 'string' },
  number: { type: 'number' },
  timestamp: { type: 'number' },
  date: { type: 'string', format: 'date', pattern: DATE },
  boolean: { type: 'boolean' },
  // 0.0000 to 9.9999. A number is sent as a string. A schema cannot safely limit a number to four decimals.
  multiplier: { type: ['string', 'number'], pattern: '^[0-9](\\.[0-9]{1,4})?$', minimum: 0, maximum: 9.9999 },
  'yes-no': { type: 'string', pattern: '^([Yy][Ee][Ss]|[Nn][Oo])$' },
  topic: { type: ['string', 'number'] },
  json: { type: 'object' },
  filter: { type: 'object' },
  sort: { type: 'object', additionalProperties: { enum: [1, -1] } },
};

function ruleSchema({ needs, given, because }: Rule, fields: readonly Field[]): JsonSchema {
  const anyOf = needs.map((name) => isFilled(name, fields));
  if (given === null) return { description: because, anyOf };
  const condition = { required: [given], properties: { [given]: { type: typeOf(given, fields) } } };
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
  return { description: because, if: condition, then: anyOf.length === 1 ? anyOf[0] : { anyOf } };
}

/** Requires that the member exists and is neither null nor blank. */
function isFilled(name: string, fields: readonly Field[]): JsonSchema {
  const type = typeOf(name, fields);
  return { required: [name], properties: { [name]: { type, ...(type === 'string' ? { pattern: NOT_BLANK } : {}) } } };
}

function typeOf(name: string, fields: readonly Field[]): unknown {
  const field = fields.find((candidate) => candidate.name === name);
  return field === undefined ? undefined : valueSchema(field)['type'];
}

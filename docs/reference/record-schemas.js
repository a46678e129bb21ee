// JSON Schemas of the record types, from their zod schemas (dist/records/): what zod checks, and what only gigwork knows
// of a field or an object. samples/schemas/ publishes them.
import * as z from 'zod/mini';

/** Years from 0001: zod takes the year 0000, which no calendar has. */
const DATE =
  '^(([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)$';

/** A date and time; without its offset, it needs a time zone. */
const TIME =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,]0+)?)?([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)?$';
const TIME_TEXT = '2026-12-01T08:00:00+01:00';

/** What JSON takes of kinds of fields whose check is a function, or that have more than one type. */
const KINDS = {
  date: { type: 'string', format: 'date', pattern: DATE },
  // A number is sent as a text.
  multiplier: { type: ['string', 'number'], pattern: '^[0-9](\\.[0-9]{1,4})?$', minimum: 0, maximum: 9.9999 },
  topic: { type: ['string', 'number'] },
  // The moment that a text means is sent as a number.
  timestamp: { type: ['number', 'string'], pattern: TIME },
  json: { type: 'object' },
  filter: { type: 'object' },
  sort: { type: 'object', additionalProperties: { enum: [1, -1] } },
};

/** The names that a generator of code takes. */
const NAMES = { gig: 'Gig', result: 'GigResult', payout: 'Payout' };

/** The JSON Schema of a record type. */
export function recordSchema({ type, plural, input }, { FIELD_INFO, OBJECT_INFO }) {
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => complete(jsonSchema, zodSchema, { FIELD_INFO, OBJECT_INFO }),
  });
  const description = `One record of ${plural} as gigwork reads it from JSON. An optional field that is null is an absent one.`;
  return { $schema, $id: `urn:gigwork:schema:${type}`, title: NAMES[type], description, ...schema };
}

function complete(json, zodSchema, { FIELD_INFO, OBJECT_INFO }) {
  const { innerType = zodSchema } = zodSchema._zod.def;
  const { kind, help, example } = FIELD_INFO.get(innerType) ?? {};
  const { names, rules = [] } = OBJECT_INFO.get(innerType) ?? {};
  const { anyOf: _types, allOf: patterns = [], ...own } = json;
  // Of several patterns, the last is the narrowest.
  const all = { ...own, ...(own.type === 'string' && patterns.at(-1)), ...KINDS[kind] };
  if (kind !== undefined) all.description = help;
  if (kind !== undefined && kind !== 'object' && kind !== 'list')
    all.examples = [example, ...(kind === 'timestamp' ? [TIME_TEXT] : [])];
  // In the order of help, and not in that of canonical JSON.
  if (names !== undefined) all.properties = inOrder(own.properties, names);
  if (names !== undefined && own.required) all.required = names.filter((name) => own.required.includes(name));
  if (rules.length > 0) all.allOf = rules.map((rule) => jsonRule(rule, innerType));
  if (innerType !== zodSchema) takeNull(all);
  for (const name of Object.keys(json)) delete json[name];
  Object.assign(json, inOrder(all, ORDER));
}

/** Of the members of a schema. */
const ORDER =
  'description type format pattern minimum maximum enum default properties items required allOf additionalProperties examples'.split(
    ' ',
  );

function inOrder(members, names) {
  const rest = Object.keys(members).filter((name) => !names.includes(name));
  return Object.fromEntries([...names, ...rest].filter((name) => name in members).map((name) => [name, members[name]]));
}

/** CONTRACT: null for a field is an absent field. */
function takeNull(json) {
  json.type = [json.type, 'null'].flat();
  if (json.enum) json.enum = [...json.enum, null];
}

function jsonRule({ needs, given, because }, { _zod }) {
  const { shape } = _zod.def;
  const has = (name, value) => ({ required: [name], properties: { [name]: value } });
  const isObject = (name) => shape[name]._zod.def.innerType instanceof z.ZodMiniObject;
  const filled = needs.map((name) =>
    has(name, isObject(name) ? { type: 'object' } : { type: 'string', pattern: '\\S' }),
  );
  const needed = filled.length === 1 ? filled[0] : { anyOf: filled };
  if (given === null) return { description: because, ...needed };
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { description: because, if: has(given, { type: 'string' }), then: needed };
}

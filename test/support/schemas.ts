import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of a document, as the package publishes it. */
export function publishedSchema(name: string): Schema {
  return JSON.parse(readFileSync(new URL(`../../samples/schemas/${name}.json`, import.meta.url), 'utf8')) as Schema;
}

/** Compiles a schema in strict mode. `format` is left to the pattern beside it, as most validators do. */
export function validator(schema: Schema): ValidateFunction {
  return new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: true,
    allowUnionTypes: true,
    validateFormats: false,
  }).compile(schema);
}

/** The same schema, but members that it does not name are refused: what is printed must be documented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inner['type'] === 'object' && 'properties' in inner ? { additionalProperties: false, ...inner } : inner;
}

const compiled = new Map<string, ValidateFunction>();

/** Throws when a document is not as its published schema says, or has members that this does not name. */
export function checkDocument(name: string, document: unknown): void {
  const valid = compiled.get(name) ?? validator(closed(publishedSchema(name)) as Schema);
  compiled.set(name, valid);
  if (!valid(document))
    throw new Error(`not as the schema ${name} says:\n${JSON.stringify([document, valid.errors], null, 2)}`);
}

let validEvent: ValidateFunction | undefined;

/** Throws when an event of `--json` is not as samples/schemas/event.json says. Other documents are passed over. */
export function checkEvent(event: unknown): void {
  const { event: name, outcomes, payments } = event as { event?: unknown; outcomes?: unknown; payments?: unknown };
  if (Array.isArray(outcomes)) outcomes.forEach(checkEvent);
  // What `batch find` prints are record events with where each payment is.
  if (Array.isArray(payments))
    for (const { run: _run, batch_id: _batch, target: _target, ...record } of payments) checkEvent(record);
  if (typeof name !== 'string') return;
  validEvent ??= validator(closed(publishedSchema('event')) as Schema);
  if (validEvent(event)) return;
  const faults = (validEvent.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(`an event is not as the schema says:\n${JSON.stringify(event)}\n${faults.join('\n')}`);
}

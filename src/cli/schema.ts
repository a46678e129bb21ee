/** `gigwork schema <type>`: JSON Schema of a record type, or of the `--json` events. */
import { EXIT } from '../errors.js';
import { recordSchema } from '../records/json-schema.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { eventSchema } from '../report/event-schema.js';
import { oneOf } from '../config/values.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

/** Prints the schema and gives the exit code. @throws UsageError for a type that is not known */
export function printSchema(name: string, world: World): number {
  const type = oneOf('gigwork schema', name, [...RECORD_TYPES, 'event']);
  writeDocument(type === 'event' ? eventSchema() : recordSchema(KINDS[type]), world);
  return EXIT.ok;
}

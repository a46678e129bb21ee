/** `gigwork schema <type>`: JSON Schema of a record type, or of what is printed with `--json`. */
import { EXIT } from '../errors.js';
import { recordSchema, type JsonSchema } from '../records/json-schema.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { eventSchema } from '../report/event-schema.js';
import { oneOf } from '../config/values.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { batchFindSchema, batchListSchema, batchShowSchema } from './document-schemas/batch-documents.js';
import { configDocumentSchema } from './document-schemas/config-document.js';
import { doctorDocumentSchema } from './document-schemas/doctor-document.js';

const SCHEMAS: Readonly<Record<string, () => JsonSchema>> = {
  ...Object.fromEntries(RECORD_TYPES.map((type) => [type, () => recordSchema(KINDS[type])])),
  event: eventSchema,
  'batch-list': batchListSchema,
  'batch-show': batchShowSchema,
  'batch-find': batchFindSchema,
  config: configDocumentSchema,
  doctor: doctorDocumentSchema,
};

/** Prints the schema and gives the exit code. @throws UsageError for a type that is not known */
export function printSchema(name: string, world: World): number {
  const type = oneOf('gigwork schema', name, Object.keys(SCHEMAS));
  writeDocument(SCHEMAS[type]?.(), world);
  return EXIT.ok;
}

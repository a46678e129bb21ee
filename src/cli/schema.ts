/** `gigwork schema <type>`: JSON Schema of a record type, or of what is printed with `--json`. */
import { EXIT } from '../errors.js';
import { recordSchema } from '../records/json-schema.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { oneOf } from '../config/values.js';
import { published } from '../version.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

/**
 * Prints the schema and gives the exit code. Those of records come from their definitions. The others are written by
 * hand in samples/schemas: they are promises, and a change in the code must not change them unnoticed.
 * @param names of all schemas
 * @throws UsageError for a type that is not known
 */
export function printSchema(name: string, names: readonly string[], world: World): number {
  const found = oneOf('gigwork schema', name, names);
  const type = RECORD_TYPES.find((each) => each === found);
  if (type === undefined) world.stdout.write(published(`samples/schemas/${found}.json`));
  else writeDocument(recordSchema(KINDS[type]), world);
  return EXIT.ok;
}

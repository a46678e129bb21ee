/** `schema <type>` */
import { parseChoice } from '../config/parsers.js';
import { EXIT } from '../errors.js';
import { published } from '../version.js';
import type { Invocation } from './command.js';

/**
 * Prints the JSON Schema of a record type, or of `--json` output, and returns the exit code. They stand in
 * samples/schemas: they are promises, and a change in the code must not change them unnoticed.
 * @param names of all schemas
 * @throws UsageError for an unknown type
 */
export function printSchema(names: readonly string[], { operands: [name = ''], world }: Invocation): number {
  const found = parseChoice('gigwork schema', name, names);
  world.stdout.write(published(`samples/schemas/${found}.json`));
  return EXIT.ok;
}

/** Commands that print what the package publishes: `gigwork schema <type>` and `gigwork completion <shell>`. */
import { oneOf } from '../config/values.js';
import { EXIT } from '../errors.js';
import { recordSchema } from '../records/json-schema.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { published } from '../version.js';
import type { Call } from './command.js';
import { print, writeDocument } from './document.js';

/**
 * Prints the JSON Schema of a record type, or of what is printed with `--json`, and gives the exit code. Those of records
 * come from their definitions. The others are written by hand in samples/schemas: they are promises, and a change in the
 * code must not change them unnoticed.
 * @param names of all schemas
 * @throws UsageError for a type that is not known
 */
export function printSchema(names: readonly string[], { operands: [name = ''], world }: Call): number {
  const found = oneOf('gigwork schema', name, names);
  const type = RECORD_TYPES.find((each) => each === found);
  if (type === undefined) world.stdout.write(published(`samples/schemas/${found}.json`));
  else writeDocument(recordSchema(KINDS[type]), world);
  return EXIT.ok;
}

/**
 * Prints a script that asks the program for its offers each time the tab key is pressed, and gives the exit code.
 * @throws UsageError for a shell that is not known
 */
export async function printCompletion(shells: readonly string[], call: Call): Promise<number> {
  const shell = oneOf('gigwork completion', call.operands[0] ?? '', shells);
  const script = published(`samples/completion/gigwork.${shell}`);
  return print(call, { shell, script }, [script.trimEnd()]);
}

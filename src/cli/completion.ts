/** `gigwork completion <shell>`: a script that asks the program for its offers, each time the tab key is pressed. */
import { EXIT } from '../errors.js';
import { oneOf } from '../config/values.js';
import { published } from '../version.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

/** Prints the script and gives the exit code. @throws UsageError for a shell that is not known */
export function printCompletion(name: string, shells: readonly string[], json: boolean, world: World): number {
  const shell = oneOf('gigwork completion', name, shells);
  const script = published(`samples/completion/gigwork.${shell}`);
  if (json) writeDocument({ shell, script }, world);
  else world.stdout.write(script);
  return EXIT.ok;
}

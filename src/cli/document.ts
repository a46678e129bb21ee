/** What a command prints for programs. */
import { escapeControls } from '../report/printable.js';
import type { World } from '../world.js';

/** One JSON document on standard output. */
export function writeDocument(document: unknown, world: World): void {
  world.stdout.write(`${escapeControls(JSON.stringify(document, null, 2))}\n`);
}

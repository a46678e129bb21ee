/** The program's version. */
import { readFileSync } from 'node:fs';

/** As package.json has it, which lies beside the folder of the built program. */
export function version(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

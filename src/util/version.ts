/** The program's version. */
import { existsSync, readFileSync } from 'node:fs';

/** From this module to package.json: in the bundle, which is flat, and in the folders of the built program. */
const PLACES = ['../package.json', '../../package.json'];

/** As package.json has it. */
export function version(): string {
  const files = PLACES.map((place) => new URL(place, import.meta.url));
  const file = files.find((each) => existsSync(each)) ?? files[0]!;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Files that the package publishes next to the program: its version, and files that it prints. */
import { readFileSync } from 'node:fs';

export function version(): string {
  return (JSON.parse(published('package.json')) as { version: string }).version;
}

/** The text of a file of the package. @param path from the package's folder */
export function published(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

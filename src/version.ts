/** Files that the package publishes next to the program: its version, and files that it prints. */
import { readFileSync } from 'node:fs';

export function version(): string {
  return (JSON.parse(published('package.json')) as { version: string }).version;
}

/** Where a file of the package is. @param path from the package's folder */
export function publishedUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/** The text of a file of the package. @param path from the package's folder */
export function published(path: string): string {
  return readFileSync(publishedUrl(path), 'utf8');
}

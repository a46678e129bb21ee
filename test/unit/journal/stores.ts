import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Journal } from '../../../src/journal/journal.js';
import { openSqliteJournal } from '../../../src/journal/sqlite.js';
import type { RecordType } from '../../../src/records/kind.js';

export interface OpenOptions {
  readonly readOnly?: boolean;
  readonly now: () => number;
}

/** A journal that the contract's tests are run against. */
export interface Store {
  readonly name: string;
  newPlace(): string;
  removePlace(place: string): void;
  /** Opens the journal as one more process would; null where a read-only one finds nothing. */
  open(place: string, options: OpenOptions): Journal | null;
}

/** As the service documents it: gigs have no idempotency key. */
export function isKeyed(type: RecordType): boolean {
  return type !== 'gig';
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gigwork-journal-'));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

const sqlite: Store = {
  name: 'SQLite',
  newPlace: makeFolder,
  removePlace: removeFolder,
  open: (folder, { readOnly = false, now }) =>
    openSqliteJournal({ folder, readOnly, isKeyed, now, platform: process.platform }),
};

/** Another journal is added here, and every test of the contract runs against it too. */
export const STORES: readonly Store[] = [sqlite];

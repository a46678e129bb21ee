import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Caller } from '../../../src/ledger/event.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite.js';

/** Who calls the program in tests. */
export const CALLER: Caller = {
  by: { user: 'clerk', host: 'desk' },
  version: '1.2.3',
  commandLine: 'gigwork payout create payouts.csv',
};

export interface OpenOptions {
  readonly readOnly?: boolean;
  readonly now: () => number;
}

/** A ledger that the contract's tests are run against. */
export interface Store {
  readonly name: string;
  newPlace(): string;
  removePlace(place: string): void;
  /** Opens the ledger as one more process would; null where a read-only one finds nothing. */
  open(place: string, options: OpenOptions): Promise<Ledger | null>;
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gigwork-ledger-'));
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
  open: async (folder, { readOnly = false, now }) => {
    const caller = readOnly ? null : CALLER;
    const opened = await openSqliteLedger({ folder, caller, now, platform: process.platform });
    return opened?.ledger ?? null;
  },
};

/** Another ledger is added here, and every test of the contract runs against it too. */
export const STORES: readonly Store[] = [sqlite];

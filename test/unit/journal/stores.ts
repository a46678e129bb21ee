import { DatabaseSync } from '@photostructure/sqlite';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { openForCopy } from '../../../src/journal/copy/copy.js';
import type { Caller } from '../../../src/journal/audit-log.js';
import type { Journal } from '../../../src/journal/journal.js';
import type { PostgresqlPlace } from '../../../src/journal/location.js';
import { openPostgresqlJournal } from '../../../src/journal/postgresql/postgresql.js';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite.js';
import type { CopyDriver } from '../../../src/journal/store/driver.js';
import { quietWorld } from '../../support/inside.js';
import { DATABASE, LEFT_OUT, PROGRAMS, sharedServer, USER } from '../../support/postgresql.js';

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

/** A journal that the contract's tests are run against. */
export interface Store {
  readonly name: string;
  newPlace(): string;
  /** Nothing of it is open any more. */
  removePlace(place: string): Promise<void>;
  /** Whatever lives now is taken for dead by those who come. */
  takeForDead(place: string): Promise<void>;
  /** Whatever was taken for dead, and not taken over since, lives again. */
  takeForAlive(place: string): Promise<void>;
  /** Makes it a journal of the version before. Nothing has it open. */
  makeOlder(place: string): Promise<void>;
  /** How many orders of steps are tried. */
  readonly orders: number;
  /** The journal to be copied from or to. */
  forCopy(place: string): Promise<CopyDriver>;
  /** JavaScript that opens the journal as `journal`, for another process. */
  script(place: string): Promise<string>;
  /** Opens the journal as one more process would; null where a read-only one finds nothing. */
  open(place: string, options: OpenOptions): Promise<Journal | null>;
}

const world = quietWorld();

/** The compiled program, module by module. */
const BUILT = new URL('../../../dist/', import.meta.url).href;

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

/** What does not depend on the store is tested on this one: what a store gives is held by the tests of the journal. */
export const SQLITE: Store = {
  name: 'SQLite',
  newPlace: makeFolder,
  removePlace: (folder) => Promise.resolve(removeFolder(folder)),
  takeForDead: (folder) => {
    for (const name of readdirSync(folder))
      if (name.endsWith('.lock')) renameSync(join(folder, name), join(folder, `${name}-away`));
    return Promise.resolve();
  },
  takeForAlive: (folder) => {
    for (const name of readdirSync(folder))
      if (name.endsWith('-away')) renameSync(join(folder, name), join(folder, name.slice(0, -'-away'.length)));
    return Promise.resolve();
  },
  makeOlder: (folder) => {
    const db = new DatabaseSync(join(folder, 'journal.db'));
    db.exec('DROP TABLE written_file; PRAGMA user_version = 8');
    db.close();
    return Promise.resolve();
  },
  orders: 6,
  forCopy: (folder) => openForCopy({ kind: 'file', folder }, CALLER, world),
  script: (folder) =>
    Promise.resolve(`const { openSqliteJournal } = await import('${BUILT}journal/sqlite/sqlite.js');
      const given = ${JSON.stringify({ folder, caller: CALLER, platform: process.platform })};
      const { journal } = await openSqliteJournal({ ...given, now: () => Date.now() });`),
  open: async (folder, { readOnly = false, now }) => {
    const caller = readOnly ? null : CALLER;
    const opened = await openSqliteJournal({ folder, caller, now, platform: process.platform });
    return opened?.journal ?? null;
  },
};

async function sharedPlace(schema: string): Promise<PostgresqlPlace> {
  const { port } = await sharedServer();
  const tls = { mode: 'disable', rootCert: null, cert: null, key: null, password: null } as const;
  const at = { servers: [{ host: '127.0.0.1', port }], user: USER, database: DATABASE, password: null };
  const how = { tls, applicationName: 'gigwork', connectMs: 10_000 };
  return { kind: 'postgresql', ...at, schema, ...how, shown: `postgresql://${USER}@127.0.0.1/${DATABASE}` };
}

let administrator: Promise<pg.Client> | null = null;

/** Says something as the server's superuser, without a process for it. */
async function say(sql: string): Promise<void> {
  administrator ??= sharedServer().then(async ({ url }) => {
    const client = new pg.Client(url('postgres'));
    // The server ends with this process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  });
  await (await administrator).query(sql);
}

/** Schemas that tests have left. To make one takes the server longer than all that a test does in it. */
const left: string[] = [];

/** Makes the schema what it was when it was new, unless nobody has made it. */
const emptied = (schema: string): string => `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = '${schema}' LOOP
    IF name <> '${schema}.journal' THEN EXECUTE 'DELETE FROM ' || name; END IF;
  END LOOP;
  PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
    FROM pg_sequences WHERE schemaname = '${schema}';
  IF to_regclass('${schema}.journal') IS NOT NULL THEN UPDATE ${schema}.journal
    SET copy_of = NULL, copied_at = NULL, moved_to = NULL, moved_at = NULL, intended = false; END IF;
END $$`;

/** A schema for each place, in one database. */
const postgresql: Store = {
  name: 'PostgreSQL',
  newPlace: () => left.pop() ?? `s_${randomUUID().replaceAll('-', '')}`,
  removePlace: async (schema) => {
    await say(emptied(schema));
    left.push(schema);
  },
  takeForDead: (schema) => say(`UPDATE ${schema}.process SET lease_until = 'epoch'`),
  takeForAlive: (schema) =>
    say(`UPDATE ${schema}.process SET lease_until = clock_timestamp() + interval '60 s' WHERE lease_until = 'epoch'`),
  makeOlder: (schema) => say(`DROP TABLE ${schema}.written_file; UPDATE ${schema}.journal SET version = 8`),
  orders: 2,
  forCopy: async (schema) => openForCopy(await sharedPlace(schema), CALLER, world),
  script: async (schema) => `const { openPostgresqlJournal } = await import('${BUILT}journal/postgresql/postgresql.js');
      const given = ${JSON.stringify({ place: await sharedPlace(schema), caller: CALLER, timeoutMs: 20_000 })};
      const world = { leaseMs: 60_000, now: () => Date.now(), monotonic: () => performance.now(), sleep: () => null };
      const { journal } = await openPostgresqlJournal({ ...given, world, note: () => undefined });`,
  open: async (schema, { readOnly = false, now }) => {
    const place = await sharedPlace(schema);
    const caller = readOnly ? null : CALLER;
    const clock = now;
    const opened = await openPostgresqlJournal({
      place,
      caller,
      clock,
      timeoutMs: 20_000,
      note: () => undefined,
      world,
    });
    return opened?.journal ?? null;
  },
};

if (PROGRAMS === null) process.stderr.write(`Tests of the shared journal are left out: ${LEFT_OUT}.\n`);

/** Another journal is added here, and every test of the contract runs against it too. */
export const STORES: readonly Store[] = PROGRAMS === null ? [SQLITE] : [SQLITE, postgresql];

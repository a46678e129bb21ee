/** The embedded ledger: one SQLite file in the state directory. */
import { join } from 'node:path';
import type { Caller } from '../event.js';
import type { Ledger } from '../ledger.js';
import type { Run } from '../payment.js';
import type { Db } from '../../util/sqlite.js';
import { commit } from './commit.js';
import { type Context, keptStatements, targetOf } from './context.js';
import { selectEvents } from './events.js';
import { explained } from './failures.js';
import { JOURNAL_FILE, openForReading, openForWriting, watch } from './file.js';
import { storageWarning } from './file-system.js';
import { guarded } from './guard.js';
import { homePlaces } from './home-places.js';
import { isLocked, removeLock } from './liveness.js';
import { hasElsewhere, lookUps, selectBatches, selectLiveCalls } from './lookup.js';
import { bodies, prepare } from './preparation.js';
import { type Registration, register, removeStrays, signOff } from './processes.js';
import { prune } from './pruning.js';
import { recover } from './recovery.js';
import { selectListed, selectOutcomes } from './listed.js';
import { selectStates } from './states.js';
import { selectRecords } from './run-records.js';
import { closeRun, endRun, selectRuns } from './runs.js';
import { startStored } from './stored.js';
import { selectSettlements, settle } from './settling.js';
import { requireUse, standing } from './standing.js';

export interface SqliteLedgerOptions {
  /** The state directory. */
  readonly folder: string;
  /** Who calls the program; null to read alone: then nothing is written. */
  readonly caller: Caller | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly platform: NodeJS.Platform;
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** This call made the journal: it knows nothing of earlier payments. */
  readonly isNew: boolean;
  /** Why what is stored there may be forgotten, in words; null where it is kept. */
  readonly storage: string | null;
}

/**
 * Opens the ledger. Without a caller, nothing is written, and the result is null where there is none yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<OpenedLedger | null> {
  const { folder, caller, platform } = options;
  const readOnly = caller === null;
  const db = readOnly ? openForReading(folder) : null;
  if (readOnly && db === null) return null;
  const opened = db === null ? openForWriting(folder, platform) : { db, isNew: false };
  const file = join(folder, JOURNAL_FILE);
  try {
    if (!readOnly) requireUse(opened.db, file);
    const registration = readOnly ? null : register(opened.db, folder, options.now());
    const ledger = ledgerOn(contextOf(opened.db, registration, options, file), registration, folder);
    return { ledger, isNew: opened.isNew, storage: storageWarning(folder, platform) };
  } catch (cause) {
    opened.db.close();
    throw explained(cause, file);
  }
}

function contextOf(
  db: Db,
  registration: Registration | null,
  { folder, caller, now }: SqliteLedgerOptions,
  file: string,
): Context {
  return {
    ...{ db, file, caller, now },
    self: registration?.self ?? null,
    sql: keptStatements(db),
    isAlive: (name) => registration?.live.isAlive(name) ?? isLocked(folder, name),
    forgetLock: (name) => removeLock(folder, name),
    requireFile: watch(file),
    own: { payments: new Map(), left: new Map() },
  };
}

function ledgerOn(context: Context, registration: Registration | null, folder: string): Ledger {
  const { db, file } = context;
  const doRecover = (): void => {
    recover(context);
    if (registration !== null) removeStrays(db, folder);
  };
  const calls = {
    recover: doRecover,
    version: (target) => targetOf(context, target)?.gates ?? 0,
    standing: () => standing(db),
    isEmpty: (target) => (targetOf(context, target)?.gates ?? 0) === 0,
    stored: startStored(context),
    hasElsewhere: (target) => hasElsewhere(context, target),
    ...lookUps(context),
    batches: (target) => selectBatches(context, target),
    liveCalls: () => selectLiveCalls(context),
    outcomes: (payments) => selectOutcomes(context, payments),
    bodies: (payments) => bodies(context, payments),
    places: (payments) => homePlaces(context, payments),
    prepare: (head) => prepare(context, head),
    commit: (plan) => commit(context, plan),
    runs: (query) => selectRuns(context, query),
    records: ({ number }: Run, from, count) => selectRecords(context, number, from, count),
    states: ({ number }: Run, from, count) => selectStates(context, number, from, count),
    listed: ({ number }: Run, from, count) => selectListed(context, number, from, count),
    end: ({ number }: Run, end) => endRun(context, number, end),
    close: (run, note) => {
      doRecover();
      closeRun(context, run, note);
    },
    settle: ({ number }: Run, records, outcome, note) => {
      doRecover();
      settle(context, number, records, outcome, note);
    },
    approve: () => {
      throw new Error('a journal of one machine holds no approvals');
    },
    approvals: () => [],
    settlements: ({ number }: Run) => selectSettlements(context, number),
    prune: (before) => prune(context, before),
    events: (since, after, count) => selectEvents(context, since, after, count),
    leave: () => leave(db, registration),
  } satisfies Synchronous<Omit<Ledger, 'user'>>;
  return { user: null, ...guarded(calls, file) };
}

/** What SQLite answers at once. */
type Synchronous<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : never;
};

function leave(db: Db, registration: Registration | null): void {
  try {
    if (registration !== null) signOff(db, registration);
  } finally {
    db.close();
  }
}

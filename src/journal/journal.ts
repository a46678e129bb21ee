/**
 * The journal. It knows each payment once (target and key), and runs as lists that point at payments. When a promise is
 * fulfilled, the change is durable. All functions throw JournalError when the store cannot be used.
 */
import type { ApprovedRun, Caller } from './audit-log.js';
import type { Approval, Outcome, Run, RunEnd, RunHead, StoredRecord, TargetName } from './payment.js';
import type { Plan, RunQuery } from './plan.js';
import { LOST, lostIn, type JournalStatus } from './status.js';
import { prepare } from './store/drafts.js';
import { candidateLookUps } from './store/candidate-lookups.js';
import type { Driver } from './store/driver.js';
import { commit } from './store/gate.js';
import { lastRunLike } from './store/last-run.js';
import { selectEvents } from './store/audit-queries.js';
import { paymentQueries } from './store/payment-queries.js';
import { bodiesOfPayees } from './store/payees.js';
import { prune } from './store/pruning.js';
import { selectPrints, selectRecords, selectStates, selectSums } from './store/record-queries.js';
import { endRun, hasOtherFiles, markIntended, isNew, lastPaymentAt, selectRuns } from './store/run-queries.js';
import { close, selectSettlements, settle } from './store/settlements.js';
import { createStoredLookup } from './store/stored.js';
import { recoverDeadProcesses } from './store/recovery.js';
import { lockExclusively, standing, targetOf } from './store/transactions.js';

export type Journal = ReturnType<typeof createJournal>;

export interface Opened {
  readonly journal: Journal;
  /** Why the storage may lose its data, as a sentence; null if it keeps them. */
  readonly storage: string | null;
  /** The clock that all users of the journal share, milliseconds since 1970; left out if it is the machine's. */
  readonly now?: () => number;
}

/** All operations on a journal. The functions behind them document details. */
export function createJournal(driver: Driver) {
  const { session, user } = driver;
  return {
    /** The database's user, whom nobody else can claim to be; null if user names are only taken from the computer. */
    user,
    recover: () => recoverDeadProcesses(driver),
    /** Whether the journal is in use, a copy, or moved. */
    standing: (): Promise<JournalStatus> => session.read(standing),
    /** The original whose history this journal has only until it was copied; null if there is none. */
    lostOriginal: () => session.read(async (tx) => lostIn((await tx.rows<[string]>(LOST))[0]?.[0])),
    /** Whether it has never made a payment outside the sandbox and no person has made it on purpose. */
    isNew: () => session.read(isNew),
    /** Makes a journal that is still new one that a person has made on purpose. @returns whether it was new */
    init: () =>
      session.write(async (tx) => {
        await lockExclusively(driver, tx);
        const wasNew = await isNew(tx);
        if (wasNew) await markIntended(tx);
        return wasNew;
      }),
    /** When the target's newest payment was created or came into doubt, milliseconds since 1970; null for none. */
    lastPaymentAt: (target: TargetName) => session.read((tx) => lastPaymentAt(tx, target)),
    /**
     * Counts the changes of the history that plans rely on: gates, settlements, closed runs. Read it before the first
     * look-up: the gate refuses a plan with an old version. 0 if no run has ever passed a gate at the target: then
     * look-ups can be left out.
     */
    version: (target: TargetName) => session.read(async (tx) => (await targetOf(tx, target))?.gates ?? 0),
    stored: createStoredLookup(driver),
    ...paymentQueries(driver),
    ...candidateLookUps(driver),
    bodiesOfPayees: (target: TargetName, payees: readonly number[]) => bodiesOfPayees(driver, target, payees),
    prepare: (head: RunHead) => prepare(driver, head),
    /** The gate: one durable transaction makes the plan history. */
    commit: (plan: Plan) => commit(driver, plan),
    lastRunLike: (target: TargetName, files: readonly string[], profile: string | null) =>
      lastRunLike(driver, target, files, profile),
    runs: (query?: RunQuery) => selectRuns(driver, query),
    /**
     * A page of a run's records in the order of the input, invalid ones included.
     * @param from place of the first record
     * @param count at most this many
     */
    records: ({ number }: Run, from: number, count: number) => selectRecords(driver, number, from, count),
    sums: ({ number }: Run, from: number, count: number) => selectSums(driver, number, from, count),
    prints: ({ number }: Run, from: number, count: number) => selectPrints(driver, number, from, count),
    states: ({ number }: Run, from: number, count: number) => selectStates(driver, number, from, count),
    end: ({ number }: Run, end: RunEnd) => endRun(driver, number, end),
    close: (run: Run, note: string) => close(driver, run, note),
    settle: (
      { number }: Run,
      records: readonly StoredRecord[],
      outcome: Outcome,
      note: string,
      requestMs: number,
    ): Promise<void> => settle(driver, number, records, outcome, note, requestMs),
    /** Whether a call has continued the run with files of other bytes: its records may have other lines by now. */
    hasOtherFiles: ({ number }: Run) => session.read((tx) => hasOtherFiles(tx, number)),
    settlements: ({ number }: Run) => selectSettlements(driver, number),
    /** Records an approval by the person who has opened the journal. Only if `user` proves who that is. */
    approve: async (run: ApprovedRun, caller: Caller) => {
      if (driver.approvals === null) throw new Error('a journal of one machine holds no approvals');
      await driver.approvals.give(run, caller);
    },
    /** Approvals that were given in the journal itself for runs with this digest, newest first. */
    approvals: async (digest: string): Promise<Approval[]> => (await driver.approvals?.given(digest)) ?? [],
    prune: (before: number) => prune(driver, before),
    events: (since: number, after: number, count: number) => selectEvents(driver, since, after, count),
    /** Releases the store. */
    detach: (): Promise<void> => driver.detach(),
  };
}

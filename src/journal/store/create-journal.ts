/** All operations of a journal over a driver. The functions behind them document details. */
import type { Journal } from '../journal.js';
import { LOST, lostIn } from '../location.js';
import { selectEvents } from './audit-queries.js';
import { candidateQueries } from './candidate-queries.js';
import { prepareRun } from './drafts.js';
import type { Driver } from './driver.js';
import { commit } from './gate.js';
import { paymentQueries } from './payment-queries.js';
import { selectPaid, selectProfileRuns } from './profile-queries.js';
import { prune } from './pruning.js';
import { selectPrints, selectRecords, selectStates, selectSums } from './record-queries.js';
import { recoverDeadProcesses } from './recovery.js';
import { endRun, hasOtherFiles, isNew, lastPaymentAt, lastRunLike, markIntended, selectRuns } from './run-queries.js';
import { closeForGood, selectSettlements, settlePayments } from './settlements.js';
import { findTarget, lockExclusively, readStatus } from './transactions.js';
import { insertWrittenFile, selectWrittenFiles } from './written-files.js';

export function createJournal(driver: Driver): Journal {
  const { session, user } = driver;
  return {
    user,
    recover: () => recoverDeadProcesses(driver),
    status: () => session.read(readStatus),
    lostOriginal: () => session.read(async (tx) => lostIn((await tx.rows<[string]>(LOST))[0]?.[0])),
    isNew: () => session.read(isNew),
    init: () =>
      session.write(async (tx) => {
        await lockExclusively(driver, tx);
        const wasNew = await isNew(tx);
        if (wasNew) await markIntended(tx);
        return wasNew;
      }),
    lastPaymentAt: (target) => session.read((tx) => lastPaymentAt(tx, target)),
    version: (target) => session.read(async (tx) => (await findTarget(tx, target))?.gates ?? 0),
    ...paymentQueries(driver),
    ...candidateQueries(driver),
    prepare: (head) => prepareRun(driver, head),
    commit: (plan) => commit(driver, plan),
    lastRunLike: (target, files, profile) => lastRunLike(driver, target, files, profile),
    profileRuns: (target, profile) => selectProfileRuns(driver, target, profile),
    paidBy: (runs) => selectPaid(driver, runs),
    runs: (query) => selectRuns(driver, query),
    records: ({ number }, from, count) => selectRecords(driver, number, from, count),
    sums: ({ number }, from, count) => selectSums(driver, number, from, count),
    prints: ({ number }, from, count) => selectPrints(driver, number, from, count),
    states: ({ number }, from, count) => selectStates(driver, number, from, count),
    hasOtherFiles: ({ number }) => session.read((tx) => hasOtherFiles(tx, number)),
    end: ({ number }, end) => endRun(driver, number, end),
    close: (run, note) => closeForGood(driver, run, note),
    settle: (decisions, note) => settlePayments(driver, decisions, note),
    settlements: ({ number }) => selectSettlements(driver, number),
    writtenFiles: (paths) => selectWrittenFiles(driver, paths),
    addWrittenFile: (file, replaced) => insertWrittenFile(driver, file, replaced),
    approve: async (run, caller) => {
      if (driver.approvals === null) throw new Error('a journal of one machine holds no approvals');
      await driver.approvals.give(run, caller);
    },
    approvals: async (digest) => (await driver.approvals?.given(digest)) ?? [],
    prune: (before) => prune(driver, before),
    events: (since, after, count) => selectEvents(driver, since, after, count),
    detach: () => driver.detach(),
  };
}

/** The ledger in a database: one store for every driver. */
import type { Ledger } from '../ledger.js';
import type { Driver } from './driver.js';
import { selectEvents } from './log.js';
import { commit } from './gate.js';
import { homePlaces } from './home-places.js';
import { selectListed, selectOutcomes } from './listed.js';
import { lookUps, selectBatches, selectLiveCalls } from './lookup.js';
import { bodies, prepare } from './preparation.js';
import { prune } from './pruning.js';
import { selectRecords } from './run-records.js';
import { closeRun, endRun, selectRuns } from './runs.js';
import { selectSettlements, settle } from './settling.js';
import { selectStates } from './run-states.js';
import { startStored } from './stored.js';
import { standing, targetOf } from './transactions.js';
import { takeOverDead } from './under-claim.js';

export function ledgerOn(driver: Driver): Ledger {
  const { session, user } = driver;
  return {
    user,
    recover: () => takeOverDead(driver),
    version: (target) => session.read(async (tx) => (await targetOf(tx, target))?.gates ?? 0),
    standing: () => session.read(standing),
    stored: startStored(driver),
    ...lookUps(driver),
    batches: (target) => selectBatches(driver, target),
    liveCalls: () => selectLiveCalls(driver),
    outcomes: (payments) => selectOutcomes(driver, payments),
    bodies: (payments) => bodies(driver, payments),
    places: (payments) => homePlaces(driver, payments),
    prepare: (head) => prepare(driver, head),
    commit: (plan) => commit(driver, plan),
    runs: (query) => selectRuns(driver, query),
    records: ({ number }, from, count) => selectRecords(driver, number, from, count),
    states: ({ number }, from, count) => selectStates(driver, number, from, count),
    listed: ({ number }, from, count) => selectListed(driver, number, from, count),
    end: ({ number }, end) => endRun(driver, number, end),
    close: async (run, note) => {
      await takeOverDead(driver);
      await closeRun(driver, run, note);
    },
    settle: async ({ number }, records, outcome, note) => {
      await takeOverDead(driver);
      await settle(driver, number, records, outcome, note);
    },
    approve: driver.approve,
    approvals: driver.approvals,
    settlements: ({ number }) => selectSettlements(driver, number),
    prune: (before) => prune(driver, before),
    events: (since, after, count) => selectEvents(driver, since, after, count),
    leave: driver.leave,
  };
}

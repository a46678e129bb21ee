/** The shared journal. Looks only: nothing is made or changed. */
import { missingJournal, openLedger } from '../ledger/open.js';
import type { PostgresqlPlace } from '../ledger/place.js';
import type { World } from '../world.js';
import { type Check, ok, warn } from './check.js';

const JOURNAL = 'journal';

/** @throws JournalError when it cannot be used, UsageError when it is required and not there */
export async function checkShared(place: PostgresqlPlace, required: boolean, world: World): Promise<Check[]> {
  const opened = await openLedger({ place, caller: null, required: false, timeoutMs: 0 }, world);
  if (opened === null) {
    if (required) throw missingJournal(place);
    return [
      warn(
        JOURNAL,
        `there is none in ${place.shown}: a run would begin a new journal, and nothing is known there of earlier payments`,
        'if there were any, name their journal with --journal',
      ),
    ];
  }
  await opened.ledger.leave();
  return [ok(JOURNAL, `${place.shown}: can be read, and is of this version`)];
}

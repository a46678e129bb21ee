/** Opens the journal that a script of the bench is told of: a folder, or the address of a shared journal. */
import { journalPlace } from '../../dist/config/places.js';
import { loadSettings } from '../../dist/config/settings.js';
import { openLedger } from '../../dist/ledger/open.js';
import { processWorld, worldOf } from '../../dist/world.js';

export const world = worldOf(processWorld());
const caller = { by: { user: 'bench', host: 'bench' }, version: 'bench', commandLine: 'bench' };

/** As the environment names it: `GIGWORK_JOURNAL`, `GIGWORK_STATE_DIR`. */
export async function openJournal() {
  const place = journalPlace(await loadSettings({}, world), world);
  const { ledger } = await openLedger({ place, caller, required: false, timeoutMs: 60_000 }, world);
  return ledger;
}

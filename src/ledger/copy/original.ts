/** Whether the original of a copy is lost: only then does the copy come into use. CONTRACT: "The shared journal". */
import { JournalError, UsageError } from '../../errors.js';
import type { World } from '../../world.js';
import type { Ledger } from '../ledger.js';
import { openLedger } from '../open.js';
import { type JournalPlace, placeUrl } from '../place.js';
import { remedyOf } from '../postgresql/failures.js';

/** @throws UsageError while the original can be reached, or may be */
export async function requireLost(place: JournalPlace, world: World): Promise<void> {
  const name = placeUrl(place);
  const found = await stateOf(place, world);
  if (found !== null) throw new UsageError(`the original ${name} is not lost: ${found}`);
}

/** What stands against its being lost; null where nothing does. */
async function stateOf(place: JournalPlace, world: World): Promise<string | null> {
  try {
    const opened = await openLedger({ place, caller: null, required: false, timeoutMs: 0 }, world);
    if (opened === null) return null;
    try {
      return await useOf(opened.ledger);
    } finally {
      await opened.ledger.leave();
    }
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return isGone(cause.cause) ? null : `something is there. ${cause.message}`;
  }
}

async function useOf(ledger: Ledger): Promise<string | null> {
  const { copyOf, movedTo } = await ledger.standing();
  if (movedTo !== null) return `it was moved to ${movedTo.journal}`;
  // A copy in the original's place, or a journal without any run, is not the original.
  return copyOf !== null || (await ledger.runs()).length === 0 ? null : 'it is in use. Use it instead of the copy';
}

const [SQLITE_CORRUPT, SQLITE_NOTADB] = [11, 26];
const NO_DATABASE = '3D000';

/** Whether a failure to open it means that nobody can: it is damaged, or nothing answers at its address. */
function isGone(cause: unknown): boolean {
  const { code, errcode = 0 } = (cause ?? {}) as { readonly code?: string; readonly errcode?: number };
  if ([SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff)) return true;
  if (code === NO_DATABASE || code === 'ENOTFOUND') return true;
  // Codes of PostgreSQL begin with a digit: then a server has answered.
  return remedyOf(cause) === 'wait' && !/^\d/.test(code ?? '');
}

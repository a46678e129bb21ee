/** What rows of a results file say of themselves. Imported by mistake, such a file pays nobody. CONTRACT: "Files it writes". */
import { error, type Finding } from '../records/issue.js';
import type { Status } from './table.js';

/** `settled`: it was paid, or may have been. `unsent`: it was not sent, so the journal need not know its key. */
export type ToldState = 'settled' | 'unsent';

/** By state: what is said of a row that is not sent again; null for one that may be sent. The others are sent as any row. */
const TOLD: ReadonlyMap<string, string | null> = new Map<Status, string | null>([
  ['created', 'it was paid'],
  ['already_created', 'it was paid'],
  ['skipped', 'it was paid before'],
  // Only its own run knows how to find out: with another key, or without a journal, it would be paid once more.
  ['unknown', 'it may have been paid'],
  ['planned', null],
  ['not_sent', null],
]);

/** Null for a row that says nothing of this. @param status as it stands in the row, in any letter case */
export function toldState(status: string | undefined): ToldState | null {
  const words = status === undefined ? undefined : TOLD.get(folded(status));
  return words === undefined ? null : words === null ? 'unsent' : 'settled';
}

/** What is wrong with a row that says that it is settled. */
export function settledBefore(status: string): Finding {
  const message = `this row says that ${TOLD.get(folded(status))} (gigwork_status is ${status.trim()}): it comes from a file of results, and is not sent again`;
  return error('created-before', 'gigwork_status', message, status);
}

function folded(status: string): string {
  return status.trim().toLowerCase();
}

/** What records and their amounts are called. */
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { shownName } from './totals-table.js';

/** `EUR`, `EUR cents`, `cents`, or nothing. */
export function unitText(type: RecordType, currency: string | null): string {
  const { unit } = KINDS[type];
  return [currency === null ? null : shownName(currency), unit].filter((word) => word !== null).join(' ');
}

/** `payout` for one, else `payouts`. */
export function nameOf(type: RecordType, count: number): string {
  const { plural } = KINDS[type];
  return count === 1 ? plural.replace(/s$/, '') : plural;
}

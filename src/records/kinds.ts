/** The record types, in the order in which totals name them. CONTRIBUTING.md says what else a new type touches. */
import { gig } from './gig.js';
import type { Kind, RecordType } from './kind.js';
import { payout } from './payout.js';
import { result } from './result.js';

export const KINDS: Readonly<Record<RecordType, Kind>> = { payout, result, gig };

export const RECORD_TYPES = Object.keys(KINDS) as RecordType[];

/** `6,750 EUR cents`: without its unit, an amount would be read as 6,750 EUR. A payout has no known unit to show. */
export function withUnit(money: string, type: RecordType): string {
  const { unit } = KINDS[type];
  return unit === null ? money : `${money} ${unit}`;
}

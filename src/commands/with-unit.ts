/** Amounts as the commands on runs show them. */
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';

/** `6,750 EUR cents`: without their unit, they would be read as 6,750 EUR. A payout's unit is not known, and not shown. */
export function withUnit(money: string, type: RecordType): string {
  const { unit } = KINDS[type];
  return money === '' || unit === 'as given' ? money : `${money} ${unit}`;
}

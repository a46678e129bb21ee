/** The schemas of the record types, in the order of totals. A new type: see CONTRIBUTING.md. */
import { gig } from './gig.js';
import { payout } from './payout.js';
import { result } from './result.js';
import type { RecordSchema } from './schema.js';
import { RECORD_TYPES, type RecordType } from './types.js';

export const RECORD_SCHEMAS: Readonly<Record<RecordType, RecordSchema>> = { payout, result, gig };

/** The types that the names of a record's fields show: one, if the record is as it should be. */
export function typesShownBy(names: readonly string[]): RecordType[] {
  return RECORD_TYPES.filter((type) => names.includes(RECORD_SCHEMAS[type].mark));
}

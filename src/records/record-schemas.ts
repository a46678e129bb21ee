/** The schemas of the record types, in the order of totals. A new type: see CONTRIBUTING.md. */
import { fieldAt, isJsonKind } from './fields.js';
import { gig } from './gig.js';
import { payout } from './payout.js';
import { result } from './result.js';
import type { RecordSchema } from './schema.js';
import type { RecordType } from './types.js';

export const RECORD_SCHEMAS: Readonly<Record<RecordType, RecordSchema>> = { payout, result, gig };

/** Whether a field takes an object or a list, in any type of record. @param path with dots */
export function takesJson(path: string): boolean {
  return Object.values(RECORD_SCHEMAS).some(({ fields }) => isJsonKind(fieldAt(fields, path)?.kind ?? 'text'));
}

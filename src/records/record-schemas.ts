/** The schemas of the record types, in the order of totals. A new type: see CONTRIBUTING.md. */
import { gig } from './gig.js';
import { payout } from './payout.js';
import { result } from './result.js';
import type { RecordSchema } from './schema.js';
import type { RecordType } from './types.js';

export const RECORD_SCHEMAS: Readonly<Record<RecordType, RecordSchema>> = { payout, result, gig };

/** Fields that gig results and payouts share, except the cost center's (`cost-center.ts`). service-interface.md. */
import type { Field } from './field.js';

export const CURRENCY: Field = {
  name: 'currency',
  kind: 'currency',
  required: false,
  help: 'currency, passed through; an ISO 4217 code is expected',
  example: 'EUR',
};

/** Its example tells what the record is about, so each type gives its own. */
export const IDEMPOTENCY_KEY: Omit<Field, 'example'> = {
  name: 'idempotency_key',
  kind: 'id',
  required: false,
  filled: true,
  help: 'your own key for this record; computed when absent',
};

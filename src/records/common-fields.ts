/**
 * Fields shared by gig results and payouts: cost center, currency and the record's key. service-interface.md, "Cost
 * center data" and "Rules" 1 to 3.
 */
import { type Body, type Field, optional, required, type Rule } from './field.js';

export const CURRENCY = optional(
  'currency',
  'currency',
  'currency, passed through; an ISO 4217 code is expected',
  'EUR',
);

export const BLANK_KEY = 'Leave it out, and gigwork computes a key';

/** @param example describes the record, so each type has a different one */
export function ownKey(example: string): Field {
  return optional('idempotency_key', 'id', 'your own key for this record; computed when absent', example, {
    filled: true,
    need: BLANK_KEY,
  });
}

const COST_CENTER_MEMBERS = [
  required('legal_entity', 'text', 'legal entity of the customer', 'Acme GmbH', {
    need: 'Every cost_center_data needs it',
  }),
  required('inhouse', 'yes-no', 'Yes or No', 'No', { need: 'Every cost_center_data needs Yes or No' }),
  optional('customer_id', 'id', 'external ID of the customer; this or partner_project_code is required', 'C-1001', {
    inRule: true,
  }),
  optional('partner_project_code', 'id', 'partner project code; this or customer_id is required', 'PP-7', {
    inRule: true,
  }),
  optional('company', 'text', 'required when customer_id is provided', 'Acme Retail'),
];

export const COST_CENTER_FIELDS: readonly Field[] = [
  optional(
    'cost_center_key',
    'id',
    'partner project code for finance bookkeeping; required without cost_center_data',
    'PP-7',
    { inRule: true },
  ),
  optional(
    'cost_center_data',
    'object',
    'customer details; required without cost_center_key',
    '{"legal_entity":"Acme GmbH","inhouse":"No","partner_project_code":"PP-7"}',
    {
      members: COST_CENTER_MEMBERS,
      rules: [
        {
          needs: ['customer_id', 'partner_project_code'],
          given: null,
          because: 'cost_center_data needs customer_id or partner_project_code',
        },
        { needs: ['company'], given: 'customer_id', because: 'The service asks for it with customer_id' },
      ],
    },
  ),
];

export const COST_CENTER_RULES: readonly Rule[] = [
  {
    needs: ['cost_center_key', 'cost_center_data'],
    given: null,
    because: 'Every payment needs a cost center (cost_center_key or cost_center_data)',
  },
];

/** The cost center for totals: cost_center_key, else partner_project_code, else customer_id, else null. */
export function costCenterOf(body: Body): string | null {
  const data = body['cost_center_data'] as Body | undefined;
  return textOf(body['cost_center_key']) ?? textOf(data?.['partner_project_code']) ?? textOf(data?.['customer_id']);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

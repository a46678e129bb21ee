/**
 * Fields shared by gig results and payouts: cost center, currency and the record's key. service-interface.md, "Cost
 * center data" and "Rules" 1 to 3.
 */
import * as z from 'zod/mini';
import type { Rule } from './fields.js';
import { currency, id, object, strictObject, text, yesNo } from './schema.js';
import type { Body } from './types.js';

const costCenterData = strictObject(
  {
    legal_entity: text('legal entity of the customer', {
      example: 'Acme GmbH',
      need: 'Every cost_center_data needs it',
    }),
    inhouse: yesNo('Yes or No', { example: 'No', need: 'Every cost_center_data needs Yes or No' }),
    customer_id: z.optional(
      id('external ID of the customer; this or partner_project_code is required', { example: 'C-1001', inRule: true }),
    ),
    partner_project_code: z.optional(
      id('partner project code; this or customer_id is required', { example: 'PP-7', inRule: true }),
    ),
    company: z.optional(text('required when customer_id is provided', { example: 'Acme Retail' })),
  },
  [
    {
      needs: ['customer_id', 'partner_project_code'],
      given: null,
      because: 'cost_center_data needs customer_id or partner_project_code',
    },
    { needs: ['company'], given: 'customer_id', because: 'The service asks for it with customer_id' },
  ],
);

export const COST_CENTER = {
  cost_center_key: z.optional(
    id('partner project code for finance bookkeeping; required without cost_center_data', {
      example: 'PP-7',
      inRule: true,
    }),
  ),
  cost_center_data: z.optional(
    object(costCenterData, 'customer details; required without cost_center_key', {
      example: { legal_entity: 'Acme GmbH', inhouse: 'No', partner_project_code: 'PP-7' },
    }),
  ),
};

export const COST_CENTER_RULES: readonly Rule[] = [
  {
    needs: ['cost_center_key', 'cost_center_data'],
    given: null,
    because: 'Every payment needs a cost center (cost_center_key or cost_center_data)',
  },
];

export const CURRENCY = z.optional(
  currency('currency, passed through; an ISO 4217 code is expected', { example: 'EUR' }),
);

export const BLANK_KEY = 'Leave it out, and gigwork computes a key';

/** @param example describes the record, so each type has a different one */
export function ownKey(example: string) {
  return z.optional(id('your own key for this record; computed when absent', { example, need: BLANK_KEY }));
}

/** The cost center for totals: cost_center_key, else partner_project_code, else customer_id, else null. */
export function costCenterOf(body: Body): string | null {
  const data = body['cost_center_data'] as Body | undefined;
  return textOf(body['cost_center_key']) ?? textOf(data?.['partner_project_code']) ?? textOf(data?.['customer_id']);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

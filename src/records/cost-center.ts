/** Who bears the cost: fields that gig results and payouts share. service-interface.md, "Cost center data" and "Rules" 1 to 3. */
import type { Body, Field, Rule } from './field.js';

export const COST_CENTER_FIELDS: readonly Field[] = [
  {
    name: 'cost_center_key',
    kind: 'id',
    required: false,
    inRule: true,
    help: 'partner project code for finance bookkeeping; required without cost_center_data',
    example: 'PP-7',
  },
  {
    name: 'cost_center_data',
    kind: 'object',
    required: false,
    help: 'customer details; required without cost_center_key',
    example: '{"legal_entity":"Acme GmbH","inhouse":"No","partner_project_code":"PP-7"}',
    members: [
      {
        name: 'legal_entity',
        kind: 'text',
        required: true,
        help: 'legal entity of the customer',
        example: 'Acme GmbH',
      },
      { name: 'inhouse', kind: 'yes-no', required: true, help: 'Yes or No', example: 'No' },
      {
        name: 'customer_id',
        kind: 'id',
        required: false,
        inRule: true,
        help: 'external ID of the customer; this or partner_project_code is required',
        example: 'C-1001',
      },
      {
        name: 'partner_project_code',
        kind: 'id',
        required: false,
        inRule: true,
        help: 'partner project code; this or customer_id is required',
        example: 'PP-7',
      },
      {
        name: 'company',
        kind: 'text',
        required: false,
        help: 'required when customer_id is provided',
        example: 'Acme Retail',
      },
    ],
    rules: [
      {
        rule: 'one-of',
        fields: ['customer_id', 'partner_project_code'],
        because: 'cost_center_data needs at least one of them',
      },
      {
        rule: 'companion',
        given: 'customer_id',
        needs: 'company',
        because: 'the service asks for it with customer_id',
      },
    ],
  },
];

export const COST_CENTER_RULES: readonly Rule[] = [
  {
    rule: 'one-of',
    fields: ['cost_center_key', 'cost_center_data'],
    because: 'the service books every record on a cost center',
  },
];

/** The cost center that a record is totalled under: cost_center_key, else partner_project_code, else customer_id, else null. */
export function costCenterOf(body: Body): string | null {
  const data = body['cost_center_data'] as Body | undefined;
  return textOf(body['cost_center_key']) ?? textOf(data?.['partner_project_code']) ?? textOf(data?.['customer_id']);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

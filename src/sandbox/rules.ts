/** The three records as service-interface.md describes them: which bodies it takes, and what it fills in. Pure. */
import {
  boolean,
  date,
  has,
  listOf,
  multiplier,
  number,
  object,
  oneOf,
  report,
  shape,
  sortQuery,
  string,
  stringOrNumber,
  yesOrNo,
} from './checks.js';
import type { Check, JsonObject, Problem } from './checks.js';

export type RecordType = 'gig' | 'gig_result' | 'payout';

/** "Gig" and "Gig task". invitation_mode is listed as required and with a default: the stricter reading is taken. */
const gig = shape({
  required: {
    title: string,
    description: string,
    url: string,
    start_at: number,
    end_at: number,
    invitation_mode: oneOf(['auto', 'manual']),
    filter_query: object,
  },
  optional: {
    sort_query: sortQuery,
    archive_at: number,
    total_seats: number,
    seats_min: number,
    seats_max: number,
    invitation_multiplier: number,
    invitation_frequency: number,
    notification_payload: object,
    invitation_notification_topic: stringOrNumber,
    tasks: listOf(shape({ required: { title: string, base_price: number } })),
    partner_options: shape({ required: {}, optional: { extra_mile: boolean } }),
  },
});

/** "Cost center data", and rules 2 and 3. */
const costCenterData = shape({
  required: { legal_entity: string, inhouse: yesOrNo },
  optional: { customer_id: string, partner_project_code: string, company: string },
  together: (data, at, problems) => {
    if (!has(data, 'customer_id') && !has(data, 'partner_project_code')) {
      report(problems, at('customer_id'), 'is required when partner_project_code is not given');
    }
    if (has(data, 'customer_id') && !has(data, 'company')) {
      report(problems, at('company'), 'is required when customer_id is given');
    }
  },
});

/** Rule 1. */
function requireCostCenter(body: JsonObject, at: (field: string) => string, problems: Problem[]): void {
  if (has(body, 'cost_center_key') || has(body, 'cost_center_data')) return;
  report(problems, at('cost_center_key'), 'is required when cost_center_data is not given');
}

/** What gig results and payouts may both carry. */
const bookkeeping = {
  cost_center_key: string,
  cost_center_data: costCenterData,
  description: string,
  idempotency_key: string,
  currency: string,
};

/** "Gig result". */
const gigResult = shape({
  required: { gig_task_id: string, user_id: string, title: string, quantity: number },
  optional: { ...bookkeeping, multiplier, delivery_date: date },
  together: requireCostCenter,
});

/** "Payout". */
const payout = shape({
  required: { amount: number, title: string, user_id: string },
  optional: { ...bookkeeping, billing_date: date, reference_id: string, reference_type: string },
  together: requireCostCenter,
});

const CHECKS: Readonly<Record<RecordType, Check>> = { gig, gig_result: gigResult, payout };

/**
 * The documented rules ("Resources and their fields", "Rules", "Limits") that a body breaks.
 *
 * @returns every problem (of more than a thousand, the first thousand); none when the body can be created
 */
export function checkBody(type: RecordType, body: JsonObject): Problem[] {
  const problems: Problem[] = [];
  CHECKS[type](body, '', problems);
  return problems;
}

const GIG_DEFAULTS = {
  sort_query: {},
  seats_min: 1,
  seats_max: 1,
  invitation_multiplier: 10,
  invitation_frequency: 5,
  notification_payload: {},
};

/**
 * The body with the documented defaults filled in ("Gig", "Partner options", rules 5 and 6).
 *
 * @param body one in which `checkBody` finds no problem
 * @param createdAt the time of creation as ISO 8601 in UTC; its day is the default of the dates
 */
export function withDefaults(type: RecordType, body: JsonObject, createdAt: string): JsonObject {
  const day = createdAt.slice(0, 'YYYY-MM-DD'.length);
  if (type === 'gig_result') return { multiplier: '1.0', delivery_date: day, ...body };
  if (type === 'payout') return { billing_date: day, ...body };
  const options = body['partner_options'] as JsonObject | undefined;
  return { ...GIG_DEFAULTS, ...body, partner_options: { extra_mile: false, ...options } };
}

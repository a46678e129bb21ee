/** The three records of service-interface.md: accepted bodies and default values. Pure. */
import * as z from 'zod';

export type SandboxRecordType = 'gig' | 'gig_result' | 'payout';

export type JsonObject = Readonly<Record<string, unknown>>;

/** One broken rule: the field's dot path and the expected value. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

const text = z.string();
const number = z.number();
const object = z.record(z.string(), z.unknown());
/** From 0.0000 to 9.9999 ("Limits"): the bounds themselves show that it has at most four decimals. */
const multiplier = z.string().regex(/^\d(\.\d{1,4})?$/);
const date = z.iso.date();
/** In any letter case: the documentation does not show which case the service wants ("Cost center data"). */
const yesOrNo = z.string().regex(/^(yes|no)$/i);

/** "Gig" and "Gig task". invitation_mode is listed as required and with a default: the stricter reading is used. */
const gig = z.strictObject({
  title: text,
  description: text,
  url: text,
  start_at: number,
  end_at: number,
  invitation_mode: z.enum(['auto', 'manual']),
  filter_query: object,
  sort_query: z.record(z.string(), z.literal([1, -1])).optional(),
  archive_at: number.optional(),
  total_seats: number.optional(),
  seats_min: number.optional(),
  seats_max: number.optional(),
  invitation_multiplier: number.optional(),
  invitation_frequency: number.optional(),
  notification_payload: object.optional(),
  invitation_notification_topic: z.union([text, number]).optional(),
  tasks: z.array(z.strictObject({ title: text, base_price: number })).optional(),
  partner_options: z.strictObject({ extra_mile: z.boolean().optional() }).optional(),
});

/** "Cost center data", and rules 2 and 3. */
const costCenterData = z
  .strictObject({
    legal_entity: text,
    inhouse: yesOrNo,
    customer_id: text.optional(),
    partner_project_code: text.optional(),
    company: text.optional(),
  })
  .refine((data) => has(data, 'customer_id') || has(data, 'partner_project_code'), {
    path: ['customer_id'],
    message: 'is required when partner_project_code is not given',
  })
  .refine((data) => !has(data, 'customer_id') || has(data, 'company'), {
    path: ['company'],
    message: 'is required when customer_id is given',
  });

/** Fields that gig results and payouts share. */
const bookkeeping = {
  cost_center_key: text.optional(),
  cost_center_data: costCenterData.optional(),
  description: text.optional(),
  idempotency_key: text.optional(),
  currency: text.optional(),
};

/** "Gig result". */
const gigResult = z.strictObject({
  ...bookkeeping,
  gig_task_id: text,
  user_id: text,
  title: text,
  quantity: number,
  multiplier: multiplier.optional(),
  delivery_date: date.optional(),
});

/** "Payout". */
const payout = z.strictObject({
  ...bookkeeping,
  amount: number,
  title: text,
  user_id: text,
  billing_date: date.optional(),
  reference_id: text.optional(),
  reference_type: text.optional(),
});

/** Rule 1. */
const NO_COST_CENTER = {
  path: ['cost_center_key'],
  message: 'is required when cost_center_data is not given',
};

function hasCostCenter(body: object): boolean {
  return has(body, 'cost_center_key') || has(body, 'cost_center_data');
}

const SCHEMAS: Readonly<Record<SandboxRecordType, z.ZodType>> = {
  gig,
  gig_result: gigResult.refine(hasCostCenter, NO_COST_CENTER),
  payout: payout.refine(hasCostCenter, NO_COST_CENTER),
};

function has(body: object, field: string): boolean {
  return Object.hasOwn(body, field);
}

/** A body full of errors must not cause an answer many times its size. */
const MAX_PROBLEMS = 1000;

/**
 * The documented rules ("Resources and their fields", "Rules", "Limits") that a body breaks. Checks rules about several
 * fields only if each field by itself is right.
 *
 * @returns at most a thousand problems; none when the body can be created
 */
export function checkBody(type: SandboxRecordType, body: JsonObject): Problem[] {
  const issues = SCHEMAS[type].safeParse(body).error?.issues ?? [];
  return issues
    .flatMap((issue) => {
      const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
      return paths.map((path) => ({ field: path.join('.'), message: issue.message }));
    })
    .slice(0, MAX_PROBLEMS);
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
 * @param body one without problems, see `checkBody`
 * @param createdAt the time of creation as ISO 8601 in UTC; its day is the default of the dates
 */
export function withDefaults(type: SandboxRecordType, body: JsonObject, createdAt: string): JsonObject {
  const day = createdAt.slice(0, 'YYYY-MM-DD'.length);
  if (type === 'gig_result') return { multiplier: '1.0', delivery_date: day, ...body };
  if (type === 'payout') return { billing_date: day, ...body };
  const options = body['partner_options'] as JsonObject | undefined;
  return { ...GIG_DEFAULTS, ...body, partner_options: { extra_mile: false, ...options } };
}

/**
 * The record types: their names, where they are sent, and what some of their fields mean to the rest of the program.
 * Loads no package: commands that read no records start without the schemas (record-schemas.ts).
 */

export type RecordType = 'payout' | 'result' | 'gig';

export interface RecordInfo {
  readonly type: RecordType;
  readonly plural: string;
  /** Path below the base URL. service-interface.md, "Endpoints". */
  readonly path: string;
  /** The column by which a file of this type is recognised: no other type has it. */
  readonly mark: string;
  /** Whether the service takes an idempotency_key, so that a repeated request does nothing twice. */
  readonly keyed: boolean;
  /** Who is paid: the field with the payee; of a gig, the fields that tell it from others. */
  readonly payee: readonly string[];
  /** The field that says what a payee gets the money for; of a gig, what it is called. */
  readonly purpose: string;
  /**
   * An ID and a date that distinguish similar records if both records have one from their files and the two differ.
   * Null for none.
   */
  readonly reference: string | null;
  readonly date: string | null;
  /** The fields that, next to reference and date, show the same work: if they come from files, they count more. */
  readonly compared: readonly string[];
  /** A number for the quantity, if the amount is computed from it. Null for none. */
  readonly measure: string | null;
  /** The unit of its amounts in totals; null if not known. */
  readonly unit: string | null;
  /** Describes its amounts: the heading of totals whose unit is known, and of explained amounts. */
  readonly unitWords: string;
  /** Sentences on how its amounts are computed, for the end of an HTML report. */
  readonly howComputed: string;
  /** Its amounts depend on prices that no record of it says, so they are fixed at the gate. */
  readonly needsPrices: boolean;
  /** The number field that contains the record's money; null if the money is computed from several fields. */
  readonly amountField: string | null;
}

/** In the order of totals. */
export const RECORD_INFO: Readonly<Record<RecordType, RecordInfo>> = {
  payout: {
    type: 'payout',
    plural: 'payouts',
    path: '/api/v2/payouts',
    mark: 'amount',
    keyed: true,
    payee: ['user_id'],
    purpose: 'title',
    reference: 'reference_id',
    date: 'billing_date',
    compared: ['user_id', 'amount'],
    measure: null,
    unit: null,
    unitWords: 'amounts as given: the service does not say their unit',
    howComputed:
      'A payout’s amount is the number in its record. The service names no unit, so it is shown as it is there.',
    needsPrices: false,
    amountField: 'amount',
  },
  result: {
    type: 'result',
    plural: 'gig results',
    path: '/api/v2/gig_results',
    mark: 'gig_task_id',
    keyed: true,
    payee: ['user_id'],
    purpose: 'title',
    // Results of two tasks on one day are two pieces of work.
    reference: 'gig_task_id',
    date: 'delivery_date',
    compared: ['user_id', 'quantity'],
    measure: 'quantity',
    unit: 'cents',
    unitWords: 'amounts in cents: quantity × base price × multiplier',
    howComputed:
      'A gig result’s amount is quantity × base price × multiplier, in cents; without a multiplier it is 1.0. The base price is that of the task, from the list of prices or the result’s own column. Where no price is known, there is no amount, and the record is counted apart.',
    needsPrices: true,
    amountField: null,
  },
  gig: {
    type: 'gig',
    plural: 'gigs',
    path: '/api/v2/gigs',
    mark: 'start_at',
    // The service documents no idempotency_key on gigs: a repeated request would create a second gig.
    keyed: false,
    payee: ['title', 'start_at', 'filter_query'],
    purpose: 'title',
    reference: null,
    date: null,
    compared: [],
    measure: null,
    unit: 'cents per seat',
    unitWords: 'amounts in cents per seat: sum of the tasks’ base prices',
    howComputed: 'A gig’s amount is the sum of its tasks’ base prices, in cents, for one seat.',
    needsPrices: false,
    amountField: null,
  },
};

export const RECORD_TYPES = Object.keys(RECORD_INFO) as RecordType[];

/** The fields that take an object or a list, of all types: a test holds them against the schemas. */
export const JSON_FIELDS: readonly string[] = [
  'cost_center_data',
  'filter_query',
  'sort_query',
  'notification_payload',
  'tasks',
  'partner_options',
];

/** What programs are told of the unit of a type's amounts; a gig's are for each seat. */
export function amountUnit(type: RecordType): 'cents' | null {
  return RECORD_INFO[type].unit === null ? null : 'cents';
}

/** Whether a field takes an object or a list, in any type of record. @param path with dots */
export function takesJson(path: string): boolean {
  return JSON_FIELDS.includes(path);
}

/** A record or nested object as it will be sent. Absent members are `undefined`. */
export type Body = Record<string, unknown>;

/** Lists and null are not objects here. */
export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields by which a person recognises a record. Null for a field that is missing or not text. */
export interface Subject {
  readonly userId: string | null;
  readonly title: string | null;
  /** `reference_id` of a payout, `gig_task_id` of a result. */
  readonly referenceId: string | null;
  /** YYYY-MM-DD. */
  readonly date: string | null;
}

/** @param body JSON as it is sent, or the known part of it; null for none */
export function subjectIn(body: string | null, type: RecordType): Subject {
  const members = body === null ? {} : (JSON.parse(body) as Body);
  const text = (name: string | null): string | null => {
    const value = name === null ? undefined : members[name];
    return typeof value === 'string' ? value : null;
  };
  const { reference, date } = RECORD_INFO[type];
  return { userId: text('user_id'), title: text('title'), referenceId: text(reference), date: text(date) };
}

/** The same fields of an invalid record, as far as they can be read. */
export function subjectFields(input: Body, type: RecordType): Body {
  const { reference, date } = RECORD_INFO[type];
  const names = ['user_id', 'title', reference, date].filter((name) => name !== null);
  return Object.fromEntries(names.filter((name) => typeof input[name] === 'string').map((name) => [name, input[name]]));
}

/** The user of a payout or a result, else the title; empty if there is no body. @param body JSON as it is sent */
export function subjectOf(body: string | null): string {
  if (body === null) return '';
  const { user_id: user, title } = JSON.parse(body) as { user_id?: string; title?: string };
  return user ?? title ?? '';
}

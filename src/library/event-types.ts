/**
 * The records and events that programs give and get. Written by docs/reference/generate.js from samples/schemas:
 * `npm run docs`. Change a schema, not this file.
 */

/** One record of payouts as gigwork reads it from JSON. An optional field that is null is an absent one. */
export interface Payout {
  /** ID of the associated user. */
  user_id: string;
  /** amount of the payout; the service names no unit. */
  amount: number;
  /** title of the payout. */
  title: string;
  /** partner project code for finance bookkeeping; required without cost_center_data. */
  cost_center_key?: string | null | undefined;
  /** customer details; required without cost_center_key. */
  cost_center_data?:
    | {
        /** legal entity of the customer. */
        legal_entity: string;
        /** Yes or No. */
        inhouse: string;
        /** external ID of the customer; this or partner_project_code is required. */
        customer_id?: string | null | undefined;
        /** partner project code; this or customer_id is required. */
        partner_project_code?: string | null | undefined;
        /** required when customer_id is provided. */
        company?: string | null | undefined;
      }
    | null
    | undefined;
  /** description of the payout. */
  description?: string | null | undefined;
  /** when the worker performed the work, YYYY-MM-DD; default: the creation time of the payout. */
  billing_date?: string | null | undefined;
  /** ID of what the payout refers to: a gig, for example. */
  reference_id?: string | null | undefined;
  /** type of the associated reference, such as Gig. */
  reference_type?: string | null | undefined;
  /** currency, passed through; an ISO 4217 code is expected. */
  currency?: string | null | undefined;
  /** your own key for this record; computed when absent. */
  idempotency_key?: string | null | undefined;
}

/** One record of gig results as gigwork reads it from JSON. An optional field that is null is an absent one. */
export interface GigResult {
  /** ID of the associated gig task. */
  gig_task_id: string;
  /** ID of the associated user. */
  user_id: string;
  /** title of the gig result. */
  title: string;
  /** quantity of completed tasks. */
  quantity: number;
  /** partner project code for finance bookkeeping; required without cost_center_data. */
  cost_center_key?: string | null | undefined;
  /** customer details; required without cost_center_key. */
  cost_center_data?:
    | {
        /** legal entity of the customer. */
        legal_entity: string;
        /** Yes or No. */
        inhouse: string;
        /** external ID of the customer; this or partner_project_code is required. */
        customer_id?: string | null | undefined;
        /** partner project code; this or customer_id is required. */
        partner_project_code?: string | null | undefined;
        /** required when customer_id is provided. */
        company?: string | null | undefined;
      }
    | null
    | undefined;
  /** description of the gig result. */
  description?: string | null | undefined;
  /** factor from 0.0000 to 9.9999 multiplied into the base price; default 1.0. */
  multiplier?: string | number | null | undefined;
  /** when the worker performed the work, YYYY-MM-DD; default: the creation time of the gig result. */
  delivery_date?: string | null | undefined;
  /** currency, passed through; an ISO 4217 code is expected. */
  currency?: string | null | undefined;
  /** your own key for this record; computed when absent. */
  idempotency_key?: string | null | undefined;
  /** base price of the gig task in cents, for the total; never sent; may come from --prices instead. */
  base_price?: number | null | undefined;
}

/** One record of gigs as gigwork reads it from JSON. An optional field that is null is an absent one. */
export interface Gig {
  /** title of the gig. */
  title: string;
  /** description of the gig. */
  description: string;
  /** URL of the gig. */
  url: string;
  /** start, UNIX timestamp in seconds. */
  start_at: number | string;
  /** end, UNIX timestamp in seconds. */
  end_at: number | string;
  /** auto or manual; manual when absent. */
  invitation_mode?: 'auto' | 'manual' | null | undefined;
  /** query that selects matching workers. */
  filter_query: Record<string, unknown>;
  /** sort order: field names with 1 (ascending) or -1 (descending). */
  sort_query?: Record<string, 1 | -1> | null | undefined;
  /** when to archive, UNIX timestamp in seconds. */
  archive_at?: number | string | null | undefined;
  /** total number of seats. */
  total_seats?: number | null | undefined;
  /** fewest seats; default 1. */
  seats_min?: number | null | undefined;
  /** most seats; default 1. */
  seats_max?: number | null | undefined;
  /** invitation multiplier; default 10. */
  invitation_multiplier?: number | null | undefined;
  /** invitation frequency; default 5. */
  invitation_frequency?: number | null | undefined;
  /** object passed along with notifications. */
  notification_payload?: Record<string, unknown> | null | undefined;
  /** name or id of the notification topic. */
  invitation_notification_topic?: string | number | null | undefined;
  /** list of gig tasks, each with title and base_price in cents. */
  tasks?:
    | {
        /** title of the gig task. */
        title: string;
        /** reward for completing the task, in cents. */
        base_price: number;
      }[]
    | null
    | undefined;
  /** partner options. */
  partner_options?:
    | {
        /** extra mile; default false. */
        extra_mile?: boolean | null | undefined;
      }
    | null
    | undefined;
  /** your own key for this record, kept in the journal; never sent. */
  idempotency_key?: string | null | undefined;
}

/** Something that was found in the input. */
export interface IssueEvent {
  readonly event: 'issue';
  /** errors refuse the run, warnings do not. */
  readonly severity: 'error' | 'warning';
  /** path as it was given; - is standard input; null for the input as a whole. */
  readonly file: string | null;
  /** counts from 1 in each file; null when it is about the file. */
  readonly record: number | null;
  /** line on which the record starts, or on which the file is at fault; null in a JSON array. */
  readonly line: number | null;
  /** dot path, such as tasks.0.title; null when it is about the whole record. */
  readonly field: string | null;
  /** what was found, for programs. */
  readonly code:
    | 'missing-field'
    | 'unknown-field'
    | 'duplicate-field'
    | 'wrong-type'
    | 'blank'
    | 'not-allowed'
    | 'out-of-range'
    | 'bad-date'
    | 'bad-number'
    | 'inexact-number'
    | 'ambiguous-number'
    | 'bad-query'
    | 'bad-json'
    | 'bad-csv'
    | 'bad-encoding'
    | 'no-records'
    | 'duplicate-column'
    | 'header-like-data'
    | 'duplicate-key'
    | 'key-conflict'
    | 'price-conflict'
    | 'missing-one-of'
    | 'missing-companion'
    | 'created-before'
    | 'other-batch'
    | 'open-before'
    | 'similar-record'
    | 'replaces-unknown'
    | 'not-rejected'
    | 'wrong-batch'
    | 'lost-zeros'
    | 'results-file'
    | 'not-positive'
    | 'total-row'
    | 'example-row'
    | 'spreadsheet-error'
    | 'mangled-id'
    | 'doubtful-encoding'
    | 'unknown-value'
    | 'end-before-start'
    | 'milliseconds'
    | 'seats-order'
    | 'unknown-currency'
    | 'distant-date'
    | 'unknown-operator'
    | 'wide-filter'
    | 'missing-dollar'
    | 'past-start'
    | 'not-whole'
    | 'bad-url'
    | 'surrounding-space'
    | 'leading-apostrophe'
    | 'identical-rows'
    | 'unpriced'
    | 'open-unknown'
    | 'rejected-left'
    | 'open-left'
    | 'known-elsewhere'
    | 'changed-since'
    | 'no-batch'
    | 'similar-rows'
    | 'no-currency'
    | 'sub-cent'
    | 'doubtful-id'
    | 'lost-digits'
    | 'placeholder'
    | 'set-over'
    | 'mixed-dates'
    | 'pays-a-result';
  /** what was found, what is expected and what to do, for people. */
  readonly message: string;
  /** the value as it was read, cut at 200 characters. */
  readonly value: string | null;
  /** for how many records the issue stands. */
  readonly count: number;
  /** of repeats: the newest payment that the record repeats, in how many runs and for how much in all; else null. */
  readonly earlier: {
    /** name of its run. */
    readonly run: string;
    /** when its state became so. */
    readonly at: string;
    /** path as that run was given it; empty where it is not known. */
    readonly file: string;
    /** counts from 1 in that file; null where it is not known. */
    readonly record: number | null;
    /** line on which it starts; null in a JSON array. */
    readonly line: number | null;
    /** key under which it is sent. */
    readonly key: string;
    readonly status: 'created' | 'rejected' | 'unknown' | 'not_sent';
    /** exact decimal; null where it is not known. */
    readonly amount: string | null;
    /** of the amount: `cents` for results and gigs (a gig's is for each seat); null for payouts, whose unit the service does not name. */
    readonly unit: 'cents' | null;
    readonly batch_id: string;
    /** base URL (with # and the account), or sandbox. */
    readonly target: string;
    /** in how many runs it was paid, or may have been. */
    readonly times: number;
    /** for how much in all; null where it is not known. */
    readonly total: string | null;
    /** who had it sent; null where that is not known. */
    readonly by: {
      readonly user: string;
      readonly host: string;
    } | null;
  } | null;
}

/** The end of one record that was read, invalid ones included. */
export interface RecordEvent {
  readonly event: 'record';
  /** path as it was given; - is standard input. */
  readonly file: string;
  /** counts from 1 in each file. */
  readonly record: number;
  /** line on which the record starts; null in a JSON array. */
  readonly line: number | null;
  readonly type: 'payout' | 'result' | 'gig';
  /** key under which it is sent, its own or computed; null when the record is invalid. */
  readonly key: string | null;
  readonly status:
    'created' | 'already_created' | 'skipped' | 'rejected' | 'unknown' | 'not_sent' | 'planned' | 'invalid';
  /** status of the last answer; null without one. */
  readonly http_status: number | null;
  /** requests that were made for it, in all runs. */
  readonly attempts: number;
  /** the parsed answer; null without one. */
  readonly response: Record<string, unknown> | null;
  /** why it is not created; null when it is, or would be. */
  readonly error: string | null;
  /** the exact body that would be sent, in dry runs only; else null. */
  readonly request: Record<string, unknown> | null;
  /** whom it is for, as far as it can be read; null where it says none. */
  readonly user_id: string | null;
  /** what it is, as far as it can be read; null where it says none. */
  readonly title: string | null;
  /** exact decimal as in the totals; null where it is unpriced or cannot be read. */
  readonly amount: string | null;
  /** of the amount: `cents` for results and gigs (a gig's is for each seat); null for payouts, whose unit the service does not name. */
  readonly unit: 'cents' | null;
  /** null for a record without one. */
  readonly currency: string | null;
  /** cost_center_key, else partner_project_code, else customer_id. */
  readonly cost_center: string | null;
  /** the ID that it refers to: reference_id of a payout, gig_task_id of a result; else null. */
  readonly reference_id: string | null;
  /** the ID that the service gave it; null where its answer has none. */
  readonly id: string | null;
  /** when its state became so, in UTC; null for one that was never sent. */
  readonly at: string | null;
  /** of a record that was left out: the payment that it stands for; else null. */
  readonly stands_for: {
    /** name of its run. */
    readonly run: string;
    readonly key: string;
    readonly user_id: string | null;
    readonly title: string | null;
    readonly amount: string | null;
    /** of the amount: `cents` for results and gigs (a gig's is for each seat); null for payouts, whose unit the service does not name. */
    readonly unit: 'cents' | null;
    readonly status: 'created' | 'rejected' | 'unknown' | 'not_sent';
  } | null;
}

/** How the call ended; always the last line. */
export interface SummaryEvent {
  readonly event: 'summary';
  readonly exit_code: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 129 | 130 | 143;
  /** the command without its options, such as payout create. */
  readonly command: string;
  readonly dry_run: boolean;
  /** name of the run, for the batch commands; null when nothing was to be sent. */
  readonly run: string | null;
  /** base URL (with # and the account), sandbox, or null in a dry run without one. */
  readonly target: string | null;
  readonly batch_id: string;
  /** of target and records, for --expect-digest; null without a target. */
  readonly digest: string | null;
  /** why it stopped before its end; null when it did not. */
  readonly stop_reason:
    | null
    | 'usage'
    | 'invalid_input'
    | 'control_total'
    | 'repeats'
    | 'not_confirmed'
    | 'not_approved'
    | 'unauthorized'
    | 'wrong_target'
    | 'redirected'
    | 'tls'
    | 'unreachable'
    | 'busy'
    | 'throttled'
    | 'in_doubt'
    | 'too_many_rejected'
    | 'journal'
    | 'interrupted'
    | 'internal';
  readonly records: CountsByStatus;
  /** A list of sums for each type, never across types or currencies. */
  readonly totals: {
    readonly payout: readonly TotalsRow[];
    readonly result: readonly TotalsRow[];
    readonly gig: readonly TotalsRow[];
  };
  /** issues that are warnings. */
  readonly warnings: number;
  /** of the program. */
  readonly version: string;
  /** when the call began, in UTC. */
  readonly started_at: string;
  /** how long the call took, milliseconds. */
  readonly duration_ms: number;
  /** why it ended as it did, for people, a sentence each, without commands. */
  readonly reasons: readonly string[];
  /** the command that continues, as a list of words, the program first; null where there is nothing to continue. */
  readonly next: readonly string[] | null;
  /** whether calling again may get further without anybody’s help: true with exit code 5 alone. */
  readonly retry: boolean;
  /** for a refusal, and for payments that a person has to settle: what can be done about it, each way with the case that it is for. */
  readonly remedies: readonly {
    /** what the command does; no code ever changes. */
    readonly code:
      | 'setup'
      | 'skip-created'
      | 'same-batch'
      | 'skip-similar'
      | 'send-similar'
      | 'new-batch'
      | 'separate-file'
      | 'not-strict'
      | 'resume'
      | 'settle'
      | 'reconcile'
      | 'close'
      | 'rejects'
      | 'skip-invalid'
      | 'dry-run'
      | 'confirm'
      | 'approve'
      | 'use-approval'
      | 'import-rejects'
      | 'import-again'
      | 'report';
    /** the case. */
    readonly when: string;
    /** as a list of words, the program first. */
    readonly command: readonly string[];
    /** the words of the command that a person must replace, such as `NAME` or `TEXT`; empty where it runs as it stands. */
    readonly placeholders: readonly string[];
  }[];
  /** what was paid before: no warnings, and each told once. */
  readonly notices: readonly {
    readonly code: 'already-created' | 'skipped' | 'paid-in-batch' | 'other-date' | 'same-payee-and-amount';
    /** records of the input. */
    readonly count: number;
    /** A list of sums for each type. */
    readonly totals: {
      readonly payout: readonly TotalsRow[];
      readonly result: readonly TotalsRow[];
      readonly gig: readonly TotalsRow[];
    };
    /** in which they were paid. */
    readonly batch_id: string;
    /** when the last of them was. */
    readonly at: string;
  }[];
  /** records that may have been paid or created, and that only a person can settle. */
  readonly held: number;
  /** rows of the input that --only filters out, by rule: they are no records. */
  readonly filtered: readonly {
    /** as it was written: Type=Hourly. */
    readonly rule: string;
    /** the rows that this rule is the first to filter out. */
    readonly count: number;
    /** the sums of their amounts as typed, without those that cannot be read. */
    readonly totals: readonly {
      readonly currency: string | null;
      /** decimal text. */
      readonly amount: string;
      /** cents for results and gigs; null for payouts, whose unit the service does not show. */
      readonly unit: 'cents' | null;
    }[];
  }[];
  /** a new journal began with this call: it knows of no earlier payment. */
  readonly new_journal: boolean;
  /** when the journal's newest payment at the target was, before this call; null where it knows of none. */
  readonly last_payment_at: string | null;
}

/** A sum over valid records; each record counts in one row. */
export interface TotalsRow {
  /** null for records without one. */
  readonly currency: string | null;
  /** cost_center_key, else partner_project_code, else customer_id. */
  readonly cost_center: string | null;
  readonly status: 'created' | 'already_created' | 'skipped' | 'rejected' | 'unknown' | 'not_sent' | 'planned';
  /** records, unpriced ones included. */
  readonly count: number;
  /** exact decimal; cents for results and gigs, the unit of the input for payouts. */
  readonly amount: string;
  /** of the amount: `cents` for results and gigs (a gig's is for each seat); null for payouts, whose unit the service does not name. */
  readonly unit: 'cents' | null;
  /** records whose price is not known; they are not in the amount. */
  readonly unpriced: number;
}

/** read = valid + invalid; valid = the sum of the last seven. */
export interface CountsByStatus {
  /** records that were read. */
  readonly read: number;
  /** records that could be sent. */
  readonly valid: number;
  /** records that could not. */
  readonly invalid: number;
  /** created by this call. */
  readonly created: number;
  /** created by an earlier call. */
  readonly already_created: number;
  /** left out by a person’s decision; what they stand for is created. */
  readonly skipped: number;
  /** definitely refused by the service. */
  readonly rejected: number;
  /** may have been paid or created. */
  readonly unknown: number;
  /** not sent by this call; where it was refused, an earlier call may have paid or created it. */
  readonly not_sent: number;
  /** would be sent; dry runs only. */
  readonly planned: number;
}

/** One object of the events of a call, as `--json` prints it on a line. */
export type Event = IssueEvent | RecordEvent | SummaryEvent;

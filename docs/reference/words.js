// The meaning of each code and reason, for the reference. generate.js refuses to write a page if a code has no words here,
// and its check refuses words for a code that is gone.

/** A sentence for each issue code. */
const ISSUES = {
  'missing-field': 'a field that the service requires, or that `--key-columns` names, is missing',
  'unknown-field':
    'the type does not have this field or column. As a warning: `--ignore-other-columns` ignores a column that may be meant for a missing field',
  'duplicate-field': 'one field has two values: twice in a JSON object, or from two columns of a file',
  'wrong-type': 'a text where a number is expected, a number where a text is expected, or the like',
  blank: 'a required text is empty, or has only spaces',
  'not-allowed': 'the field does not allow this value',
  'out-of-range': 'the value is outside the bounds of the field',
  'bad-date':
    'not a calendar date, or not written as `--date-format` says; the message names the flag that reads it, if there is one',
  'bad-number':
    'not a plain number, or an amount with the sign of another currency than its record has; the message names the flag that reads it, if there is one',
  'inexact-number': 'the number has more digits than can be sent exactly; `gigwork` does not round',
  'ambiguous-number': 'the number has two readings, such as 1.234; `--decimal` decides',
  'bad-query':
    'a query that the query language cannot read: an operator where it cannot stand, or with a value that it cannot take',
  'bad-json': 'JSON that cannot be read; outside a cell, a fault of the file',
  'bad-csv':
    'CSV that cannot be read: a quote that is not closed, a row with too many or too few cells; a fault of the file',
  'bad-encoding': 'bytes that the encoding does not allow; a fault of the file',
  'no-records': 'the input has no records; `--allow-empty` accepts that',
  'duplicate-column': 'two columns with the same name; a fault of the file',
  'header-like-data': 'the line with the column names looks like data; a fault of the file',
  'duplicate-key': 'two records of the input have one key, or two rows the same `gigwork_key`; all of them are invalid',
  'key-conflict':
    'the key belongs to a payment with other content, which was created, is open or in doubt, or was rejected for another payee',
  'price-conflict': 'two base prices for one task; a fault of the file',
  'missing-one-of': 'two fields are missing, and the service requires one of them',
  'missing-companion': '`customer_id` without `company`',
  'created-before':
    'this batch has the payment already: it was created, or may have been; `--skip-created` leaves the record out, `--batch-id` names another period or purpose',
  'other-batch':
    'the payment was created in another batch than `--batch-id` names: new payments need new keys; `--skip-created` leaves the record out',
  'open-before':
    'an unfinished run will send the payment, or one that the record resembles: resume that run, or close it',
  'similar-record':
    'the record may be the same as another payment; `--skip-similar` leaves it out, `--send-similar N` sends it',
  'replaces-unknown':
    '`gigwork_key` names a payment that the journal does not know at this target; use the journal and the address of the run that wrote the file',
  'not-rejected':
    '`gigwork_key` names a payment that was not rejected; the message says which run to resume or settle, or whose rejects to correct',
  'wrong-batch': 'the row corrects a payment of another batch; omit `--batch-id`, or name the batch of that payment',
  'lost-zeros':
    'the ID lacks the leading zeros of the rejected payment’s ID: a spreadsheet has removed them; format the column as text and type them again',
  'results-file':
    '`--results` or `--report` wrote this file; import a corrected copy of the rejects file, or the original file, instead. A fault of the file',
  'not-positive':
    'a payout of zero or below; `--allow-negative` sends it, with a warning. For quantities, prices and seats, a warning',
  'total-row':
    'the user, title, description or reference is only a word for a sum (Summe, Total, …). As a warning: the amount is exactly the sum of the amounts above it. Remove the row; `--allow-total-row` accepts it',
  'example-row': 'the record is the example of a template; remove it; `--allow-total-row` accepts it',
  'spreadsheet-error':
    'the error of a spreadsheet instead of a value: `#N/A`, `#NV`, `Err:502`, or a cell of nothing but `#`',
  'mangled-id':
    'a spreadsheet changed the ID: `4.00123E+15` has lost digits, and `="0045"` is a formula that means 0045',
  'doubtful-encoding':
    'the text was read in a wrong encoding: it has the character U+FFFD, or letters that cannot be meant; an error in an ID, else a warning',
  'unknown-value':
    'a value of a column that `known_values` names, and nobody has decided whether its rows are payments; `--known-value` adds it',
  'end-before-start': '`end_at` is not after `start_at`, or `archive_at` is before `end_at`',
  milliseconds: 'a timestamp looks like milliseconds; the service takes seconds',
  'seats-order': '`seats_min` is more than `seats_max`, or `total_seats` less',
  'unknown-currency': 'the currency is not an ISO 4217 code',
  'distant-date': 'a date or a time more than a year away',
  'unknown-operator': 'the query language does not have this operator',
  'wide-filter':
    'a query without any condition, or with an empty list, an empty text or null as a value: it may select every worker, or nobody',
  'missing-dollar': 'the name of an operator without its dollar sign: it is read as the name of a field',
  'past-start': 'a gig starts before now',
  'not-whole': 'a fraction of a second, or of a seat',
  'bad-url': 'the `url` of a gig does not begin with `https://` or `http://`, or is not a URL',
  'surrounding-space': 'spaces or invisible characters around an ID',
  'leading-apostrophe': 'an apostrophe before a text that looks like a formula',
  'identical-rows': 'two rows of a file are the same; they count as two records',
  unpriced: 'a gig result has no price, so no total includes its amount',
  'open-unknown': 'a payment of this batch is in doubt and is not in the input',
  'rejected-left':
    'a payment of this batch was rejected and nobody has corrected it; correct it in a copy of the rejects file, send it again with `--retry-rejected`, or close its run',
  'known-elsewhere':
    'the record was created at another target; perhaps it is the same address or account, written differently',
  'open-left':
    'a payment of this batch is open in an unfinished run and is not in the input: resuming that run sends it too; if a row of the input has it, close that run',
  'changed-since':
    'the file of the resumed run has changed since it was read: the run sends its open records as they were then',
  'no-batch':
    'the call names no batch, and the last run of this profile or file name had a named one; name the batch with `--batch-id`',
  'similar-rows':
    'records of the input are not the same, but resemble each other: the same payee and title, or the same payee, amount and reference',
  'no-currency': 'some records of the file have a currency, and this one has none',
  'sub-cent':
    'the amount has more decimals than its currency has, or than six without a currency, or a price in cents has decimals',
  'doubtful-id':
    'an ID that probably nobody wrote: a word for nothing such as `NULL`, a date, quotes around it, an apostrophe before digits, or `.0` at the end of each one of its column',
  'lost-digits':
    'the IDs of a column all have 16 digits or more, and only zeros after the fifteenth: a spreadsheet keeps no more than 15',
  placeholder: 'a variable that nobody filled in, such as `${CITY}` or `{{city}}`',
  'set-over': '`--set` or a flag replaces values of the file by others, in an amount, a currency or a user',
  'pays-a-result':
    'the payout names a gig result that was created at this target: if the service pays results by itself, this pays the work again',
  'mixed-dates':
    'a column has real dates and dates that are text: a spreadsheet of another country may have swapped day and month',
};

/** A sentence for each reason to stop. */
const STOP_REASONS = {
  usage: 'the command, a setting or a file that it names is wrong',
  invalid_input: 'a record is invalid, or a file has a fault',
  control_total: 'the count, a total or the digest differs from the expected one, or another run was approved',
  repeats: 'the input repeats earlier payments, and nobody has decided about them',
  not_confirmed: 'nobody confirmed the run',
  not_approved: 'the settings require the approval of another person than the sender, and it is missing',
  unauthorized: 'the service does not accept the credentials (401)',
  wrong_target: 'the answers do not come from the service',
  redirected: 'the service answered with a redirect; redirects are never followed',
  tls: 'the connection is not trusted',
  unreachable: 'the service cannot be reached, or no longer gives definite answers',
  busy: 'another call is sending some of the same payments',
  throttled: 'the service answered only "too many requests" for 15 minutes',
  in_doubt: 'three gigs in a row got no clear answer: a person has to look them up first',
  too_many_rejected: 'as many records were rejected as `--stop-after` allows',
  journal: 'the journal cannot be reached, read or written, or was replaced',
  interrupted: 'a signal stopped the run',
  internal: 'an internal error in gigwork',
};

/** A sentence for each state of a record. */
const STATES = {
  created: 'the service has confirmed it in this call',
  already_created: 'an earlier call created it; its answer is repeated',
  skipped: 'a person left it out: the payment that it repeats is created',
  rejected: 'the service has definitely refused it',
  unknown: 'it may have been created: no clear answer came',
  not_sent: 'this call did not send it',
  invalid: 'it has a fault, so it cannot be sent',
  planned: 'a dry run would send it',
};

/** What each kind of field takes. */
const KINDS = {
  text: 'text',
  id: 'text (an ID)',
  currency: 'text (ISO 4217)',
  number: 'number',
  timestamp: 'UNIX seconds, or text: ISO 8601 with an offset, or a local time with `--time-zone`',
  date: 'date, `YYYY-MM-DD`',
  boolean: '`true` or `false`',
  choice: 'one of',
  multiplier: '`0.0000` to `9.9999`',
  'yes-no': '`Yes` or `No`, in any letter case',
  topic: 'text or number',
  object: 'object',
  list: 'list',
  json: 'object, as JSON',
  filter: 'query object, as JSON',
  sort: 'sort object, as JSON',
};

/** What the command of a remedy does. */
const REMEDIES = {
  setup: 'asks about the columns of a file once, and writes a profile for every month',
  'skip-created': 'leaves out the records that were or may have been paid before',
  'same-batch': 'names the batch in which the records were paid',
  'skip-similar': 'leaves out the records that are similar to earlier payments',
  'send-similar':
    'also sends the records that are similar to earlier payments; names the digest of the run that was shown',
  'new-batch': 'pays all records for another period or purpose: replace `NAME`',
  'separate-file': 'pays corrected records for another purpose, from a file without `gigwork_key`',
  'not-strict': 'runs again without `--strict`',
  resume: 'continues the run that comes first',
  settle: 'records what the service knows of a payment in doubt',
  reconcile: 'records the same of all payments of a run, by an export of the service',
  close: 'ends the run that comes first',
  rejects: 'writes the rejects of the run that comes first, and sends nothing',
  'skip-invalid': 'sends the valid records without the others',
  'dry-run': 'shows what the input has',
  confirm: 'sends exactly these records, without a question',
  approve: 'another person approves the run',
  'use-approval': 'sends the run once another person has approved it',
  'import-rejects': 'imports the rejects file, or its corrected copy, once the cause is corrected',
  'import-again': 'imports the input again once it is corrected',
  report: 'writes a report of all records, if an output file could not be written',
};

export const words = { ISSUES, STOP_REASONS, REMEDIES, STATES, KINDS };

// What the code's codes and reasons mean, in the words of the reference. Each code of the program has a line here:
// generate.js refuses to write a page that leaves one out, and its test refuses a line for a code that is gone.

/** A sentence for each issue code. */
const ISSUES = {
  'missing-field': 'a field that the service requires, or that `--key-columns` names, is not there',
  'unknown-field':
    'the record has a field, or the file a column, that no such record has; as a warning, a column that `--ignore-other-columns` drops, and that may be meant for a field which nothing else gives',
  'duplicate-field': 'one field has two values: given twice in a JSON object, or by two columns of a file',
  'wrong-type': 'a text stands where a number belongs, a number where a text belongs, or the like',
  blank: 'a required text is empty, or has nothing but spaces',
  'not-allowed': 'the value is none of those that the field takes',
  'out-of-range': 'the value is beyond the bounds of the field',
  'bad-date':
    'no date of the calendar, or written in another way than `--date-format` says; the message names the flag that would read it, if one would',
  'bad-number':
    'no number that is read as it stands, or an amount with the sign of another currency than its record has; the message names the flag that would read it, if one would',
  'inexact-number': 'the number has more digits than can be sent exactly; none is rounded',
  'ambiguous-number': 'the number can be read in two ways, such as 1.234; `--decimal` says which is meant',
  'bad-query': 'a query that the query language could not read',
  'bad-json': 'JSON that cannot be read; outside of a cell it is a fault of the file',
  'bad-csv':
    'CSV that cannot be read: a quote that is not closed, a row with too many or too few cells; a fault of the file',
  'bad-encoding': 'bytes that the encoding does not allow; a fault of the file',
  'no-records': 'the input has no record; `--allow-empty` accepts that',
  'duplicate-column': 'two columns of the same name; a fault of the file',
  'header-like-data': 'the line with the column names looks like data; a fault of the file',
  'duplicate-key': 'two records of the input have one key, or two rows the same `gigwork_key`; all of them are invalid',
  'key-conflict': 'the key belongs to a payment with other content, which was created, or whose outcome is unknown',
  'price-conflict': 'two base prices for one task; a fault of the file',
  'missing-one-of': 'neither of two fields is there, of which the service requires one',
  'missing-companion': '`customer_id` is there without `company`',
  'created-before':
    'this batch has the payment already: it was created, or may have been; `--skip-created` leaves the record out, `--batch-id` names another period or purpose',
  'open-before': 'an unfinished run will send the payment: resume that run, or close it',
  'similar-record':
    'the record may be the same as another payment; `--skip-similar` leaves it out, `--send-similar N` sends it',
  'replaces-unknown':
    'the journal does not know the payment that `gigwork_key` names at this target; use the journal and the address of the run that wrote the file',
  'not-rejected':
    'the payment that `gigwork_key` names was not rejected; the message says which run to resume, which to settle, or whose rejects to correct',
  'wrong-batch':
    'the row corrects a payment of another batch; leave `--batch-id` out, or name the batch of that payment',
  'lost-zeros':
    'the ID lacks the leading zeros of the rejected payment’s ID: a spreadsheet has removed them; type them again',
  'results-file':
    'the file is one that `--results` wrote; import the rejects file or the original file instead. A fault of the file',
  'not-positive':
    'a payout of zero or below; `--allow-negative` sends it, with a warning. Of quantities and prices, a warning',
  'total-row':
    'the user, title, description or reference is nothing but a word for a sum (Summe, Total, …). As a warning, the amount is exactly the sum of the amounts above it. Remove the row; `--allow-total-row` accepts it',
  'example-row': 'the record is the example of a template; remove it; `--allow-total-row` accepts it',
  'end-before-start': '`end_at` is not after `start_at`',
  milliseconds: 'a timestamp looks like milliseconds; the service takes seconds',
  'seats-order': '`seats_min` is more than `seats_max`',
  'unknown-currency': 'the currency is no ISO 4217 code',
  'distant-date': 'a date more than a year away',
  'unknown-operator': 'an operator that the query language does not have',
  'surrounding-space': 'spaces, or characters that nobody sees, around an ID',
  'leading-apostrophe': 'an apostrophe before what looks like a formula',
  'identical-rows': 'two rows of a file are the same; they are two records',
  unpriced: 'no price is known for a gig result, so its amount is in no total',
  'open-unknown': 'a payment of this batch has an unknown outcome and is not in the input',
  'rejected-left':
    'a payment of this batch was rejected and nobody has corrected it; correct it in the rejects file, send it again with `--retry-rejected`, or close its run',
  'known-elsewhere': 'the record was created at another target: an address or an account written in another way',
  'no-currency': 'some records of the file have a currency, and this one has none',
  'sub-cent': 'the amount has more decimals than its currency has',
};

/** A sentence for each reason to stop. */
const STOP_REASONS = {
  usage: 'the call, a setting or a file that it names is wrong',
  invalid_input: 'a record is invalid, or a file has a fault',
  control_total: 'the count, a total or the digest is not the expected one, or another run was approved',
  repeats: 'the input repeats earlier payments, and nobody has decided what is meant',
  not_confirmed: 'nobody confirmed the run',
  not_approved: 'nobody but its sender has approved the run, and the settings require it',
  unauthorized: 'the service does not accept the credentials (401)',
  wrong_target: 'the answers are not those of the service',
  redirected: 'the service answered with a redirect; redirects are never followed',
  tls: 'the connection is not trusted',
  unreachable: 'the service cannot be reached, or gives no definite answers any more',
  busy: 'another call is sending some of the same payments at the moment',
  throttled: 'the service answered nothing but "too many requests" for 15 minutes',
  too_many_rejected: 'as many records were rejected as `--stop-after` allows',
  journal: 'the journal cannot be reached, read or written, or was replaced',
  interrupted: 'a signal stopped the run',
  internal: 'a fault in gigwork itself',
};

/** A sentence for each state of a record. */
const STATES = {
  created: 'the service has confirmed it in this call',
  already_created: 'an earlier call created it; its answer is repeated',
  skipped: 'left out because a person decided so: the payment that it repeats is created',
  rejected: 'the service has definitely refused it',
  unknown: 'it may have been carried out: no clear answer came',
  not_sent: 'this call did not send it',
  invalid: 'it has a fault and was never eligible',
  planned: 'a dry run would send it',
};

/** What each kind of field takes. */
const KINDS = {
  text: 'text',
  id: 'text (an ID)',
  currency: 'text (ISO 4217)',
  number: 'number',
  timestamp: 'UNIX seconds; in cells and flags also ISO 8601 with an offset',
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

export const words = { ISSUES, STOP_REASONS, STATES, KINDS };

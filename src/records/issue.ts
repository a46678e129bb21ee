/** The errors and warnings about a record or a file. CONTRACT: "Issue codes". */

export const ERROR_CODES = [
  'missing-field',
  'unknown-field',
  'duplicate-field',
  'wrong-type',
  'blank',
  'not-allowed',
  'out-of-range',
  'bad-date',
  'bad-number',
  'inexact-number',
  'ambiguous-number',
  'bad-query',
  'bad-json',
  'bad-csv',
  'bad-encoding',
  'no-records',
  'duplicate-column',
  'header-like-data',
  'duplicate-key',
  'key-conflict',
  'price-conflict',
  'missing-one-of',
  'missing-companion',
  'created-before',
  'other-batch',
  'open-before',
  'similar-record',
  'replaces-unknown',
  'not-rejected',
  'wrong-batch',
  'lost-zeros',
  'results-file',
  'not-positive',
  'total-row',
  'example-row',
  'spreadsheet-error',
  'mangled-id',
  'doubtful-encoding',
  'unknown-value',
] as const;

export const WARNING_CODES = [
  'end-before-start',
  'milliseconds',
  'seats-order',
  'unknown-currency',
  'distant-date',
  'unknown-operator',
  'wide-filter',
  'missing-dollar',
  'past-start',
  'not-whole',
  'bad-url',
  'surrounding-space',
  'leading-apostrophe',
  'identical-rows',
  'unpriced',
  'open-unknown',
  'rejected-left',
  'open-left',
  'known-elsewhere',
  'changed-since',
  'no-batch',
  'similar-rows',
  'no-currency',
  'sub-cent',
  'doubtful-id',
  'lost-digits',
  'placeholder',
  'set-over',
  'mixed-dates',
  'pays-a-result',
] as const;

export type IssueCode = (typeof ERROR_CODES)[number] | (typeof WARNING_CODES)[number];
export type Severity = 'error' | 'warning';

/** A finding in a record, before its place is added. */
export interface Finding {
  readonly severity: Severity;
  readonly code: IssueCode;
  /** Dot path (`tasks.0.title`), or null when it concerns the whole record. */
  readonly field: string | null;
  /** The field's name in the file. Only for people. */
  readonly name?: string;
  /** Of a column that every row has or lacks: how it is told in a list of several. Only for people. */
  readonly listed?: string;
  /** What was found, what is expected, what to do. Starts with the field, if it is about one. */
  readonly message: string;
  /** The wrong value as it was read, or null when there is none. */
  readonly value: string | null;
  /** An error of the file itself: the rows after it may be misread, so no flag skips it. */
  readonly fault?: boolean;
  /** The newest payment that a record repeats. */
  readonly earlier?: Earlier | undefined;
  /** Of a date that is not written as declared: how others read it. Only for advice. */
  readonly dates?: readonly { readonly order: string; readonly date: string }[];
  /** For how many records it stands; 1 if left out. */
  readonly count?: number;
  /** Of a doubt that is told once if every filled cell of its column has it: its name among those of the code. */
  readonly columnDoubt?: string;
}

/** A payment that a record repeats, as the `issue` event of `--json` shows it. */
export interface Earlier {
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  readonly file: string;
  readonly record: number | null;
  readonly line: number | null;
  readonly key: string;
  readonly status: string;
  /** Decimal text, like `total`; null if not known. */
  readonly amount: string | null;
  /** Of both; null if the service names none. */
  readonly unit: 'cents' | null;
  readonly batch_id: string;
  readonly target: string;
  /** The number of runs that paid it, or may have, and the sum of those payments. */
  readonly times: number;
  readonly total: string | null;
  /** The person who had it sent; null if not known. */
  readonly by: { readonly user: string; readonly host: string } | null;
}

/** A finding with its place. Shape of the `issue` event of `--json`. */
export interface Issue extends Finding {
  readonly file: string | null;
  /** Counts from 1 in each file. */
  readonly record: number | null;
  /** The first line of the record, as an editor numbers it; null in a JSON array. */
  readonly line: number | null;
  /** The row in a spreadsheet, if it is known and differs from the line. Only for people. */
  readonly row?: number;
}

export interface RecordPlace {
  readonly record: number;
  readonly line: number | null;
  /** The row in a spreadsheet, if it is known and differs from the line. */
  readonly row?: number | undefined;
}

/** For messages: the line as an editor numbers it, or `record 3` if records have no lines. */
export function positionText({ record, line, row }: RecordPlace): string {
  if (line === null) return `record ${record}`;
  // A spreadsheet has one row for each record, even if the record takes several lines.
  return row === undefined || row === line ? `line ${line}` : `line ${line} (row ${row} in a spreadsheet)`;
}

export type Report = (finding: Finding) => void;

const LONGEST_VALUE = 200;

/** Cut at 200 characters, never in the middle of a surrogate pair. */
export function shownValue(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return cutAt(text, LONGEST_VALUE);
}

/** At most its first 200 characters. */
export function excerpt(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${cutAt(text, LONGEST_VALUE)}…`;
}

/** Never cuts in the middle of a surrogate pair. */
function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

const LONGEST_ERROR = 4000;

/** All errors of a record in one text. It is kept for every record, so a very long one is cut. */
export function errorText(findings: readonly Finding[]): string {
  let text = '';
  for (const { severity, message } of findings) {
    if (severity !== 'error') continue;
    text += text === '' ? message : `; ${message}`;
    if (text.length > LONGEST_ERROR) return `${cutAt(text, LONGEST_ERROR)}…`;
  }
  return text;
}

/**
 * The dot path of a member, for findings. No known field's path is longer than the bound. Any other path is cut there,
 * because every path below it would repeat a long name.
 */
export function memberPath(path: string, name: string | number): string {
  if (path.length > LONGEST_VALUE) return path;
  return excerpt(path === '' ? String(name) : `${path}.${name}`);
}

/** Under `--strict`, warnings are errors. */
export function judged(finding: Finding, isStrict: boolean): Finding {
  return isStrict ? { ...finding, severity: 'error' } : finding;
}

export function error(code: IssueCode, field: string | null, message: string, value?: unknown): Finding {
  return { severity: 'error', code, field, message, value: shownValue(value) };
}

export function warning(code: IssueCode, field: string | null, message: string, value?: unknown): Finding {
  return { severity: 'warning', code, field, message, value: shownValue(value) };
}

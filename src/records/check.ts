/** Checks one record against its type and builds the canonical body to send. Reports all findings, not just one. */
import * as z from 'zod/mini';
import { cachedBy } from './cached-by.js';
import { type CheckContext, type ErrorsByPath, reportFindings } from './doubts.js';
import type { Field, FieldKind } from './fields.js';
import { error, type Finding, type IssueCode, memberPath, type Report, shownValue } from './issue.js';
import { didYouMean } from './nearest.js';
import { elementSchema, type Fault, type InputSchema, type ObjectSchema } from './schema.js';
import { isSpreadsheetError } from './spreadsheet-errors.js';
import { doubtApostrophe, spreadsheetError } from './text-doubts.js';
import { type Body, isObject } from './types.js';

/** The body has `idempotency_key` and price if the record has them. It is complete only if no finding is an error. */
export function checkRecord(schema: InputSchema, given: Body, options: CheckContext): Body {
  const { typed, report } = options;
  const context = typed === undefined ? options : { ...options, report: showTyped(report, typed) };
  const parse = parserFor(schema.input);
  let input = given;
  let body = parse(input);
  if (body === null) {
    input = normalized(schema.inputFields, given, '', typed);
    if (input !== given) body = parse(input);
  }
  const errors = body === null ? errorsIn(schema, input, given, context) : null;
  reportFindings(schema.inputFields, schema.rules, input, '', errors, context);
  body ??= rightMembers(schema.inputFields, input, errors);
  schema.doubts?.(body, context.report, context.now);
  return body;
}

/** Findings show a value as the person typed it, not as the reader converted it. */
function showTyped(report: Report, typed: ReadonlyMap<string, string>): Report {
  return (finding) => {
    const text = finding.field === null ? undefined : typed.get(finding.field);
    report(text === undefined || finding.value === null ? finding : { ...finding, value: shownValue(text) });
  };
}

/** The body, or null for a record that is not valid. */
type RecordParser = (input: Body) => Body | null;

/** zod writes the code of a parser, several times as fast as its own, which says what is wrong. */
const parserFor = cachedBy((schema: ObjectSchema): RecordParser => {
  try {
    const parse = z.core.compileFn(schema);
    return (input) => {
      const body = parse(input);
      return body === z.core.INVALID ? null : body;
    };
  } catch (cause) {
    // A Node that may not make code from text: --disallow-code-generation-from-strings.
    if (!(cause instanceof z.core.ZodCompileUnsupportedError)) throw cause;
    return (input) => z.safeParse(schema, input).data ?? null;
  }
});

/**
 * JSON may have null for an absent field, and a number for a multiplier. Values in queries and payloads stay. Few
 * records need this, so it is done for those that are not valid as they are.
 * @returns the same object if it has neither
 */
function normalized(fields: readonly Field[], input: Body, prefix: string, typed: CheckContext['typed']): Body {
  let copy = input;
  for (const field of fields) {
    const value = input[field.name];
    const normal = normalValue(field, value, prefix, typed);
    if (normal === value) continue;
    if (copy === input) copy = { ...input };
    copy[field.name] = normal;
  }
  return copy;
}

function normalValue(
  { name, kind, members }: Field,
  value: unknown,
  prefix: string,
  typed: CheckContext['typed'],
): unknown {
  if (value === null) return undefined;
  if (kind === 'multiplier' && typeof value === 'number') return typed?.get(prefix + name) ?? String(value);
  if (members === undefined) return value;
  if (isObject(value)) return kind === 'object' ? normalized(members, value, `${prefix}${name}.`, typed) : value;
  if (!Array.isArray(value) || kind !== 'list') return value;
  const elements = value.map((each: unknown, i) =>
    isObject(each) ? normalized(members, each, `${prefix}${name}.${i}.`, typed) : each,
  );
  return elements.every((each, i) => each === value[i]) ? value : elements;
}

/** The record is parsed once more, for what is wrong. @param given the input before it was normalized */
function errorsIn(schema: InputSchema, input: Body, given: Body, context: CheckContext): ErrorsByPath {
  const errors = new Map<string, readonly Finding[]>();
  for (const issue of issuesIn(schema.input, input)) {
    const { path: steps, message } = issue;
    const path = steps.join('.');
    const field = fieldOnPath(schema.inputFields, steps);
    const value = steps.reduce<unknown>((object, step) => (object as Record<PropertyKey, unknown>)[step], input);
    if (issue.code === 'unrecognized_keys') {
      const prefix = path === '' ? '' : `${path}.`;
      const object = path === '' ? given : (value as Body);
      const fields = field?.members ?? schema.inputFields;
      errors.set(
        prefix,
        issue.keys.map((name) => unknownField(name, object, prefix, fields, context)),
      );
    } else if (typeof steps.at(-1) === 'number') {
      errors.set(path, [wrongType(path, AN_OBJECT, value)]);
    } else if (field !== null && value === undefined) {
      if (!context.unreadable?.has(path))
        errors.set(path, [error('missing-field', path, `${path} is missing. ${needOf(field)}`)]);
    } else if (field !== null && !(typeof value === 'number' && NUMBERS.has(field.kind))) {
      // The reader has reported a number that is not finite.
      errors.set(path, wrongValue(field, value, message, path, context));
    }
  }
  return errors;
}

/** zod passes the issues of a list as arguments: those of a longer one may be more than the stack holds. */
const LONG_LIST = 1000;

function issuesIn(schema: ObjectSchema, input: Body): readonly z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = [];
  let others = input;
  for (const [name, value] of Object.entries(input)) {
    if (!Array.isArray(value) || value.length <= LONG_LIST) continue;
    const elements = elementSchema(schema, name);
    if (elements === null) continue;
    others = { ...others, [name]: [] };
    for (const [i, element] of value.entries())
      for (const issue of parseIssues(elements, element)) issues.push({ ...issue, path: [name, i, ...issue.path] });
  }
  return [...parseIssues(schema, others), ...issues];
}

function parseIssues(schema: ObjectSchema, value: unknown): readonly z.core.$ZodIssue[] {
  return z.safeParse(schema, value).error?.issues ?? [];
}

/** The field at a path; of an element of a list, the list. Null for the record itself. */
function fieldOnPath(fields: readonly Field[], path: readonly PropertyKey[]): Field | null {
  let within = fields;
  let field: Field | null = null;
  for (const step of path) {
    if (typeof step === 'number') continue;
    field = within.find(({ name }) => name === step) ?? null;
    within = field?.members ?? [];
  }
  return field;
}

function needOf({ need, help }: Field): string {
  return need ?? `It is required: ${help}`;
}

function unknownField(
  name: string,
  object: Body,
  prefix: string,
  fields: readonly Field[],
  { usual }: CheckContext,
): Finding {
  const names = fields.map((field) => field.name);
  const likely = prefix === '' ? (usual?.(name) ?? null) : null;
  const probably = likely === null || Object.hasOwn(object, likely) ? '' : ` It is probably "${likely}".`;
  const hint = didYouMean(name, names) || probably || ` Known fields: ${names.join(', ')}.`;
  const path = memberPath('', prefix + name);
  return error('unknown-field', path, `there is no field "${path}".${hint}`, object[name]);
}

const A_NUMBER = 'a number';
const A_TIME = `a UNIX timestamp in seconds, without quotes, or a date and time, such as "2026-12-01T08:00:00+01:00"`;
const AN_OBJECT = 'an object: {…}';
const A_TEXT = 'text';

const EXPECTED_VALUES: Readonly<Record<FieldKind, string>> = {
  text: A_TEXT,
  id: A_TEXT,
  currency: A_TEXT,
  number: A_NUMBER,
  timestamp: A_TIME,
  date: A_TEXT,
  boolean: 'true or false',
  choice: A_TEXT,
  multiplier: 'a decimal from 0.0000 to 9.9999',
  'yes-no': A_TEXT,
  topic: 'the name (text) or the id (a number) of a topic',
  object: AN_OBJECT,
  list: 'a list of objects: [{…}]',
  json: AN_OBJECT,
  filter: AN_OBJECT,
  sort: AN_OBJECT,
};

/** Kinds whose value is always a number. */
const NUMBERS: ReadonlySet<FieldKind> = new Set(['number', 'timestamp']);

/** For each fault of a value that a schema names: the code, and the sentence after the field's name. */
const FAULT_ISSUES: ReadonlyMap<string, readonly [code: IssueCode, text: string]> = new Map<
  Fault,
  readonly [code: IssueCode, text: string]
>([
  ['zero-character', ['not-allowed', 'contains a zero character: other programs would cut the text there']],
  ['no-date', ['bad-date', 'must be a date of the calendar, YYYY-MM-DD']],
  ['no-yes-no', ['not-allowed', 'must be Yes or No']],
  ['no-decimal', ['bad-number', 'must be a decimal from 0.0000 to 9.9999, such as 1.25']],
  ['out-of-range', ['out-of-range', 'must be from 0.0000 to 9.9999']],
  ['too-many-decimals', ['bad-number', 'has more than four decimals']],
]);

function wrongValue(field: Field, value: unknown, message: string, path: string, { isTable }: CheckContext): Finding[] {
  const { kind, choices } = field;
  const found: Finding[] = [];
  if (message === 'blank') return [error('blank', path, `${path} is blank. ${needOf(field)}`, value)];
  if (typeof value === 'string' && isSpreadsheetError(value)) return [spreadsheetError(path, value)];
  // A date, a choice, Yes or No: a text, and a wrong one.
  if (typeof value === 'string' && EXPECTED_VALUES[kind] === A_TEXT && kind !== 'id')
    doubtApostrophe(value, path, (finding) => found.push(finding));
  const isSpaced = typeof value === 'string' && isRightWithoutSpaces(field, value);
  const spaces = isSpaced ? `. It has spaces around it${isTable === true ? ': --trim drops them' : ''}` : '';
  const fault = FAULT_ISSUES.get(message);
  if (fault !== undefined) found.push(error(fault[0], path, `${path} ${fault[1]}${spaces}`, value));
  else if (kind === 'choice' && typeof value === 'string')
    found.push(error('not-allowed', path, `${path} must be one of: ${choices?.join(', ')}${spaces}`, value));
  else found.push(wrongType(path, EXPECTED_VALUES[kind], value));
  return found;
}

/** Of a choice, and of Yes or No. */
function isRightWithoutSpaces({ kind, choices }: Field, value: string): boolean {
  const text = value.trim();
  if (text === value) return false;
  return kind === 'yes-no' ? /^(?:yes|no)$/i.test(text) : choices?.includes(text) === true;
}

function wrongType(path: string, expected: string, value: unknown): Finding {
  let hint = '';
  if (expected === A_NUMBER && typeof value === 'string') hint = ', without quotes';
  if (expected === A_TEXT && typeof value === 'number')
    hint = ': put it in quotes, since digits in a number can get lost';
  return error('wrong-type', path, `${path} must be ${expected}${hint}`, value);
}

/** What could be read of a record that is not valid. */
function rightMembers(fields: readonly Field[], input: Body, errors: ErrorsByPath | null): Body {
  const body: Body = {};
  for (const { name, sentDefault } of fields) {
    const value = errors?.has(name) ? undefined : (input[name] ?? sentDefault);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

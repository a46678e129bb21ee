/** What a value of a request body must be. A check reports every problem that it finds and throws nothing. */

/** One broken rule: the field's dot path, and what is expected there. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

export type Check = (value: unknown, path: string, problems: Problem[]) => void;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A body full of faults must not cause an answer many times its own size. */
const MAX_PROBLEMS = 1000;

/** Adds a problem of a field to those that a 422 names. */
export function report(problems: Problem[], field: string, message: string): void {
  if (problems.length < MAX_PROBLEMS) problems.push({ field, message });
}

/** Whether a value is a JSON object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a field was given. Null counts as given, but no documented type includes it. */
export function has(object: JsonObject, field: string): boolean {
  return Object.hasOwn(object, field);
}

function ofType(expected: string, accepts: (value: unknown) => boolean): Check {
  return (value, path, problems) => {
    if (!accepts(value)) report(problems, path, `must be ${expected}`);
  };
}

// JSON text such as 1e999 is read as infinity, which no answer could repeat.
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isString = (value: unknown): value is string => typeof value === 'string';

export const string = ofType('a string', isString);
export const number = ofType('a number', isNumber);
export const boolean = ofType('true or false', (value) => typeof value === 'boolean');
export const object = ofType('an object', isObject);
export const stringOrNumber = ofType('a string or a number', (value) => isString(value) || isNumber(value));

/** One of these strings, in exactly this spelling. */
export function oneOf(allowed: readonly string[]): Check {
  return ofType(`one of: ${allowed.join(', ')}`, (value) => isString(value) && allowed.includes(value));
}

/** Yes or No in any letter case: the documentation does not show which case the service wants ("Cost center data"). */
export const yesOrNo = ofType('Yes or No', (value) => isString(value) && /^(yes|no)$/i.test(value));

/** A string from 0.0000 to 9.9999 ("Limits"): the bounds themselves show that it has at most four decimals. */
export const multiplier = ofType(
  'a string with a decimal from 0.0000 to 9.9999',
  (value) => isString(value) && /^\d(\.\d{1,4})?$/.test(value),
);

/** A day of the calendar as YYYY-MM-DD. */
export const date = ofType('a calendar date as YYYY-MM-DD', (value) => isString(value) && isCalendarDate(value));

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Some parsers read 30 February as 2 March; written out again, that is another day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** An object whose values are 1 or -1 ("Sort query"). */
export const sortQuery: Check = (value, path, problems) => {
  if (!isObject(value)) return report(problems, path, 'must be an object');
  for (const [field, order] of Object.entries(value)) {
    if (order !== 1 && order !== -1) {
      report(problems, `${path}.${field}`, 'must be 1 (ascending) or -1 (descending)');
    }
  }
};

/** A list in which every element passes `check`. */
export function listOf(check: Check): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value)) return report(problems, path, 'must be an array');
    value.forEach((element, index) => check(element, `${path}.${index}`, problems));
  };
}

export interface Shape {
  readonly required: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
  /** A rule about several fields together. */
  readonly together?: (value: JsonObject, at: (field: string) => string, problems: Problem[]) => void;
}

/** An object with exactly these fields; path '' is the body itself. */
export function shape({ required, optional = {}, together }: Shape): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  const names = Object.keys(required);
  return (value, path, problems) => {
    if (!isObject(value)) return report(problems, path, 'must be an object');
    const at = (field: string): string => (path === '' ? field : `${path}.${field}`);
    for (const field of names) {
      if (!has(value, field)) report(problems, at(field), 'is required');
    }
    for (const [field, content] of Object.entries(value)) {
      const check = checks.get(field);
      if (check) check(content, at(field), problems);
      else report(problems, at(field), 'is not a field of this object');
    }
    together?.(value, at, problems);
  };
}

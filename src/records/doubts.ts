/** What common sense doubts in a record, and what depends on more than one value: rules between fields, flags. */
import { cachedBy } from './cached-by.js';
import { isDistant, isDistantTime, utcText } from './calendar.js';
import { CURRENCIES } from './currencies.js';
import type { Field, FieldKind, Rule } from './fields.js';
import { error, type Finding, warning } from './issue.js';
import { isBlank } from './misleading-text.js';
import { checkFilter, checkSort } from './query.js';
import { isSpreadsheetError } from './spreadsheet-errors.js';
import {
  doubtApostrophe,
  doubtId,
  doubtLetters,
  doubtPlaceholder,
  doubtText,
  doubtTextsWithin,
  spreadsheetError,
  surroundingSpace,
  type TextContext,
} from './text-doubts.js';
import { type Body, isObject } from './types.js';

export interface CheckContext extends TextContext {
  /** Milliseconds since 1970. Dates and times far from it get a warning. */
  readonly now: number;
  /** Dot paths whose unreadable value was reported already: they do not count as missing. */
  readonly unreadable?: ReadonlySet<string> | undefined;
  /** Values as typed, by dot path, if they print differently (`1.50`). Findings and multipliers use them. */
  readonly typed?: ReadonlyMap<string, string> | undefined;
  readonly amounts?: AmountRules;
  /** The field that a name usually means in such files; null if it means none. */
  readonly usual?: (name: string) => string | null;
}

/** How to judge amounts of zero or below that are errors by default. */
export interface AmountRules {
  /** Sends them, with a warning. */
  readonly allowNegative: boolean;
  /** How the amount got its sign: changed by `--negate`, or typed in the file; null if no file contains it. */
  readonly sign: 'changed' | 'typed' | null;
}

/** By the dot path of a wrong value; unknown fields by the path of their object and a dot, empty for the record. */
export type ErrorsByPath = ReadonlyMap<string, readonly Finding[]>;

/**
 * Reports all findings of an object, in the canonical order of its members: the errors of each value, or what may be
 * doubted in a right one.
 * @param errors null for none
 */
export function reportFindings(
  fields: readonly Field[],
  rules: readonly Rule[],
  input: Body,
  prefix: string,
  errors: ErrorsByPath | null,
  context: CheckContext,
): void {
  for (const field of errors === null ? doubtfulFields(fields) : canonicalFields(fields)) {
    const { name, kind, members, rules: innerRules = NO_RULES } = field;
    const value = input[name];
    const path = prefix + name;
    const found = errors?.get(path);
    if (found !== undefined) found.forEach(context.report);
    else if (value === undefined) continue;
    else if (members === undefined) DOUBTS[kind]?.(value as never, path, context, field);
    else if (isObject(value)) reportFindings(members, innerRules, value, `${path}.`, errors, context);
    else reportElements(members, value as unknown[], path, errors, context);
  }
  errors?.get(prefix)?.forEach(context.report);
  for (const rule of rules) checkRule(rule, input, prefix, context);
}

const NO_RULES: readonly Rule[] = [];

/** @param members of each element */
function reportElements(
  members: readonly Field[],
  elements: readonly unknown[],
  path: string,
  errors: ErrorsByPath | null,
  context: CheckContext,
): void {
  for (const [i, element] of elements.entries()) {
    if (isObject(element)) reportFindings(members, NO_RULES, element, `${path}.${i}.`, errors, context);
    else errors?.get(`${path}.${i}`)?.forEach(context.report);
  }
}

/** Sorted by name, like the members of canonical JSON. */
const canonicalFields = cachedBy((fields: readonly Field[]) => fields.toSorted((a, b) => (a.name < b.name ? -1 : 1)));

/** Those whose right values may cause a finding: in most records, none does. */
const doubtfulFields = cachedBy((fields: readonly Field[]) =>
  canonicalFields(fields).filter(({ kind, members, positive, whole }) =>
    kind === 'number' ? positive === true || whole === true : members !== undefined || DOUBTS[kind] !== undefined,
  ),
);

type ValueDoubt = (value: never, path: string, context: CheckContext, field: Field) => void;

const DOUBTS: Readonly<Partial<Record<FieldKind, ValueDoubt>>> = {
  text: doubtText,
  id: doubtId,
  currency: doubtCurrency,
  number: doubtNumber,
  timestamp: doubtTimestamp,
  date: doubtDate,
  topic: (value: string | number, path, context) => {
    if (typeof value === 'string') doubtText(value, path, context);
  },
  filter: (value: Body, path, context) => {
    checkFilter(value, path, context.report);
    doubtTextsWithin(value, path, context, false);
  },
  sort: (value: Body, path, context) => {
    checkSort(value, path, context.report);
    doubtTextsWithin(value, path, context, false);
  },
  json: (value: Body, path, context) => doubtTextsWithin(value, path, context, true),
};

function doubtCurrency(value: string, path: string, context: CheckContext): void {
  const { report } = context;
  if (isSpreadsheetError(value)) return report(spreadsheetError(path, value));
  doubtApostrophe(value, path, report);
  doubtLetters(value, path, context);
  doubtPlaceholder(value, path, report);
  if (CURRENCIES.has(value)) return;
  const message = `${path} is not an active ISO 4217 currency code, such as EUR`;
  report(warning('unknown-currency', path, message, value));
}

function doubtDate(value: string, path: string, { now, report }: CheckContext): void {
  if (isDistant(value, now))
    report(warning('distant-date', path, `${path} is more than a year away from today`, value));
}

/** The year 5138 in seconds, March 1973 in milliseconds: most likely, a larger number was not meant as seconds. */
const LATEST_SECONDS = 1e11;

/** The same year in milliseconds. */
const LATEST_MILLISECONDS = 1e14;

function doubtTimestamp(value: number, path: string, { now, report }: CheckContext): void {
  if (value > LATEST_MILLISECONDS) {
    const message = `${path} is beyond every calendar; the service takes a UNIX timestamp in seconds`;
    return report(warning('distant-date', path, message, value));
  }
  if (value > LATEST_SECONDS) {
    const message = `${path} looks like milliseconds; the service takes a UNIX timestamp in seconds`;
    return report(warning('milliseconds', path, message, value));
  }
  if (isDistantTime(value, now)) {
    const message = `${path} is ${utcText(value)}, more than a year away from now. ${distantTimeAdvice(value)}`;
    report(warning('distant-date', path, message, value));
  }
  if (!Number.isInteger(value)) {
    const message = `${path} has a fraction of a second (${value}). Write whole seconds`;
    report(warning('not-whole', path, message, value));
  }
}

/** A spreadsheet counts days: 45292 is the first of January 2024. */
const DAYS_BEFORE_1970 = 25_569;
const SERIAL_FIRST = 36_526;
const SERIAL_LAST = 73_050;
const SECONDS_OF_DAY = 86_400;

/** What a person may have meant by a time that is far away. */
function distantTimeAdvice(value: number): string {
  if (value < SERIAL_FIRST || value > SERIAL_LAST) return 'Correct it if it is a mistake';
  const meant = utcText(Math.round((value - DAYS_BEFORE_1970) * SECONDS_OF_DAY)).replace(' UTC', '');
  return `A spreadsheet writes ${meant} as ${value}. Format the cell as a date and a time, or write the time as text, such as 2026-12-05T08:00:00+01:00`;
}

function doubtNumber(value: number, path: string, context: CheckContext, field: Field): void {
  if (field.positive === true && value <= 0) context.report(notPositive(field, value, path, context));
  if (field.whole === true && !Number.isInteger(value))
    context.report(warning('not-whole', path, `${path} is ${value}, which is not a whole number`, value));
}

/** A payout of zero or less nearly always means that the file is read with the wrong sign. */
function notPositive({ money }: Field, value: number, path: string, { typed, amounts }: CheckContext): Finding {
  const isTurned = money === true && amounts?.sign === 'changed';
  const shown = (isTurned ? undefined : typed?.get(path)?.trim()) ?? String(value);
  const found = `${path} is ${value < 0 ? 'negative' : 'zero'} ${shown.startsWith('(') ? shown : `(${shown})`}`;
  if (money !== true || amounts?.allowNegative === true) return warning('not-positive', path, found, value);
  if (value < 0 && isTurned) {
    const because = `${found}, because --negate changes the sign of each amount.`;
    const remedy =
      'Remove the row if it is money received. If the file writes payments without a minus, do not use --negate';
    return error('not-positive', path, `${because} ${remedy}`, value);
  }
  const canTurn = value < 0 && amounts?.sign === 'typed';
  const negate = canTurn ? ' If the file writes each payment as negative, as bank exports do, add --negate.' : '';
  const message = `${found}. Correct the amount or remove the row.${negate} To send it as it is, add --allow-negative`;
  return error('not-positive', path, message, value);
}

/**
 * A condition between the fields of one object. service-interface.md, "Rules" 1 to 3.
 * @param input the object as it was read: wrong values have their own findings and do not count as missing
 */
function checkRule({ needs, given, because }: Rule, input: Body, prefix: string, context: CheckContext): void {
  const { report, unreadable } = context;
  const isGiven = (name: string): boolean => input[name] !== undefined || (unreadable?.has(prefix + name) ?? false);
  if (given !== null && !isGiven(given)) return;
  const found = needs.filter(isGiven);
  const blank = found.find((name) => isBlank(input[name]));
  const path = prefix + (blank ?? needs[0]);
  if (found.some((name) => !isBlank(input[name]))) {
    // A blank field next to a filled one would be sent too.
    if (blank !== undefined && input[blank] !== '') report(surroundingSpace(path, input[blank], null, context));
  } else if (blank !== undefined) {
    report(error('blank', path, `${path} is blank. ${because}`, input[blank]));
  } else {
    const code = given === null ? 'missing-one-of' : 'missing-companion';
    report(error(code, path, `${path} is missing. ${because}`));
  }
}

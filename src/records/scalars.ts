/** Checks of single values, by the kind of their field. */
import { compare, parseDecimal } from '../money/decimal.js';
import { isCalendarDate, isDistant } from './calendar.js';
import { CURRENCIES } from './currencies.js';
import { type Field, needOf } from './field.js';
import { error, type Finding, type Report, warning } from './issue.js';
import { hiddenAtEnds, hiddenIn, isBlank, looksLikeFormula } from './misleading-text.js';

export interface CheckContext {
  /** YYYY-MM-DD in UTC. Dates far from it get a warning. */
  readonly today: string;
  readonly report: Report;
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

type Scalar = string | number | boolean;

/** The value as it will be sent, or undefined if it is wrong (this function has reported why). */
export function checkScalar(field: Field, value: unknown, path: string, context: CheckContext): Scalar | undefined {
  switch (field.kind) {
    case 'number':
    case 'timestamp':
      return checkNumber(field, value, path, context);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return wrongType(path, 'true or false', value, context);
    case 'multiplier':
      return checkMultiplier(value, path, context);
    case 'topic':
      if (typeof value === 'number') return value;
      return checkText(field, value, path, 'the name (text) or the id (a number) of a topic', context);
    default:
      return checkString(field, value, path, context);
  }
}

export function wrongType(path: string, expected: string, value: unknown, { report }: CheckContext): undefined {
  report(error('wrong-type', path, `${path} must be ${expected}`, value));
}

function checkNumber(field: Field, value: unknown, path: string, context: CheckContext): number | undefined {
  if (typeof value !== 'number') {
    const quoted = typeof value === 'string' ? ', without quotes' : '';
    return wrongType(path, `a number${quoted}`, value, context);
  }
  if (field.positive && value <= 0) context.report(notPositive(field, value, path, context));
  if (field.kind === 'timestamp' && value > LATEST_SECONDS) {
    const message = `${path} looks like milliseconds; the service takes a UNIX timestamp in seconds`;
    context.report(warning('milliseconds', path, message, value));
  }
  return value;
}

/** A payout of zero or less nearly always means that the file is read with the wrong sign. */
function notPositive({ money }: Field, value: number, path: string, { typed, amounts }: CheckContext): Finding {
  const isTurned = money === true && amounts?.sign === 'changed';
  const shown = (isTurned ? undefined : typed?.get(path)?.trim()) ?? String(value);
  const found = `${path} is ${value < 0 ? 'negative' : 'zero'} (${shown})`;
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

/** The year 5138 in seconds, March 1973 in milliseconds: most likely, a larger number was not meant as seconds. */
const LATEST_SECONDS = 1e11;

function checkString(field: Field, value: unknown, path: string, context: CheckContext): string | undefined {
  const text = checkText(field, value, path, 'text', context);
  if (text === undefined) return undefined;
  switch (field.kind) {
    case 'date':
      return checkDate(text, path, context);
    case 'choice':
      if (field.choices?.includes(text)) return text;
      context.report(error('not-allowed', path, `${path} must be one of: ${field.choices?.join(', ')}`, value));
      return undefined;
    case 'yes-no':
      return checkYesNo(text, path, context);
    case 'currency':
      if (!CURRENCIES.has(text)) {
        const message = `${path} is not an active ISO 4217 currency code, such as EUR`;
        context.report(warning('unknown-currency', path, message, value));
      }
      return text;
    default:
      return text;
  }
}

function checkText(
  field: Field,
  value: unknown,
  path: string,
  expected: string,
  context: CheckContext,
): string | undefined {
  if (typeof value !== 'string') {
    const hint = typeof value === 'number' ? ': put it in quotes, since digits in a number can get lost' : '';
    return wrongType(path, `${expected}${hint}`, value, context);
  }
  if ((field.required || field.filled) && isBlank(value)) {
    context.report(error('blank', path, `${path} is blank. ${needOf(field)}`, value));
    return undefined;
  }
  if (field.kind === 'id' && value.includes('\u0000')) {
    context.report(
      error('not-allowed', path, `${path} contains a zero character: other programs would cut the text there`, value),
    );
    return undefined;
  }
  doubtText(field, value, path, context);
  return value;
}

function doubtText(field: Field, value: string, path: string, { report }: CheckContext): void {
  const isId = field.kind === 'id';
  const isFree = field.kind === 'text' || field.kind === 'topic';
  const hidden = isId ? hiddenIn(value) : isFree ? hiddenAtEnds(value) : null;
  const hasSpaces = isId && value !== value.trim();
  if ((hasSpaces || hidden !== null) && !(field.inRule && isBlank(value))) {
    report(surroundingSpace(path, value, hidden));
  }
  if (value.startsWith("'") && looksLikeFormula(value)) {
    const message = `${path} begins with an apostrophe before what looks like a formula, and it would be sent`;
    report(warning('leading-apostrophe', path, message, value));
  }
}

/**
 * The warning about spaces around an ID, a blank ID, or a hidden character.
 * @param hidden the name of the hidden character, or null
 */
export function surroundingSpace(path: string, value: unknown, hidden: string | null = null): Finding {
  const what =
    hidden === null
      ? 'has spaces around it, and they would be sent'
      : `holds a hidden character, ${hidden}, and it would be sent; remove it`;
  return warning('surrounding-space', path, `${path} ${what}`, value);
}

function checkDate(text: string, path: string, context: CheckContext): string | undefined {
  if (!isCalendarDate(text)) {
    context.report(error('bad-date', path, `${path} must be a date of the calendar, YYYY-MM-DD`, text));
    return undefined;
  }
  if (isDistant(text, context.today)) {
    context.report(warning('distant-date', path, `${path} is more than a year away from today`, text));
  }
  return text;
}

function checkYesNo(text: string, path: string, { report }: CheckContext): string | undefined {
  const folded = text.toLowerCase();
  if (folded === 'yes') return 'Yes';
  if (folded === 'no') return 'No';
  report(error('not-allowed', path, `${path} must be Yes or No`, text));
  return undefined;
}

const MULTIPLIER = /^(0|[1-9]\d*)(\.\d+)?$/;
const HIGHEST_MULTIPLIER = parseDecimal('9.9999');
const MULTIPLIER_DECIMALS = 4;

/** service-interface.md, "Limits": multiplier between 0.0000 and 9.9999. Sent as a string, as typed. */
function checkMultiplier(value: unknown, path: string, context: CheckContext): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return wrongType(path, 'a decimal from 0.0000 to 9.9999', value, context);
  }
  const text = typeof value === 'string' ? value : (context.typed?.get(path) ?? String(value));
  if (!MULTIPLIER.test(text.replace(/^-/, ''))) {
    const message = `${path} must be a decimal from 0.0000 to 9.9999, such as 1.25`;
    context.report(error('bad-number', path, message, value));
    return undefined;
  }
  const factor = parseDecimal(text);
  if (text.startsWith('-') || compare(factor, HIGHEST_MULTIPLIER) > 0) {
    context.report(error('out-of-range', path, `${path} must be from 0.0000 to 9.9999`, value));
    return undefined;
  }
  if (factor.scale > MULTIPLIER_DECIMALS) {
    context.report(error('bad-number', path, `${path} has more than four decimals`, value));
    return undefined;
  }
  return text;
}

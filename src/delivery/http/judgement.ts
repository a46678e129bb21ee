/** Whether an answer confirms that a record was created. PURE. CONTRACT: "Sending". */
import { isDeepStrictEqual } from 'node:util';
import type { ResponseRules } from '../../options.js';
import { isObject } from '../../records/types.js';
import { type HttpResponse, type NoResponse, isEmpty, isSuccess, objectIn, valueAtPath } from './attempt.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields by which an answer about another record is recognised. */
const IDENTITY = ['idempotency_key', 'user_id'] as const;
/** Fields whose value the service may have changed, which a person has to know. */
const MONEY_FIELDS = ['amount', 'currency'] as const;

/** A part of a confirmation, whatever the record. */
export type MissingProof = 'end' | 'one-status' | 'creation' | 'body' | 'object' | 'success' | 'record';

/** Why a 2xx is not a confirmation. */
export type UnconfirmedReason =
  | { readonly lacks: MissingProof }
  /** What the settings require: a field, or one of some values. */
  | { readonly lacks: 'field'; readonly path: string; readonly values: readonly string[] | null }
  /** It is about another record, which has another value of this field. */
  | { readonly lacks: 'same'; readonly field: (typeof IDENTITY)[number] };

/** Money as it was sent and as the service answered, where they differ. */
export interface OtherMoney {
  readonly sent: string;
  readonly answered: string;
}

/** An answer that was read as JSON and judged: once, since many are. */
export interface JudgedAnswer extends HttpResponse {
  /** Null if it is not a complete JSON object. */
  readonly object: Fields | null;
  /** Null if it is not a 2xx, or confirms. */
  readonly shortfall: UnconfirmedReason | null;
  /** Of an answer that confirms; null if it shows no other money than was sent. */
  readonly otherMoney: OtherMoney | null;
}

export type Judged = NoResponse | JudgedAnswer;

/**
 * Adds its judgement to an answer: a copy by spreading would take longer than all the rest.
 * @param sent the record as it was sent: an object as JSON text
 */
export function judge(answer: HttpResponse, rules: ResponseRules, sent: string): JudgedAnswer {
  const object = objectIn(answer.body);
  if (!isSuccess(answer.status)) return Object.assign(answer, { object, shortfall: null, otherMoney: null });
  // Most answers are judged without it: reading it for each would cost as much as reading the answer.
  let read: Fields | null = null;
  const fields = (): Fields => (read ??= JSON.parse(sent) as Fields);
  const shortfall = shortfallOf(answer, object, rules, fields);
  const otherMoney = shortfall === null && object !== null ? otherMoneyIn(object, rules, fields) : null;
  return Object.assign(answer, { object, shortfall, otherMoney });
}

export function confirms({ status, shortfall }: JudgedAnswer): boolean {
  return isSuccess(status) && shortfall === null;
}

/** Accepted (RFC 9110, 15.3.3): the work is not done yet, and may never be. */
const ACCEPTED = 202;
/** Multi-Status (RFC 4918, 11.1): the work has parts, and only the body says of each whether it was done. */
const MULTI_STATUS = 207;

function shortfallOf(
  { status, body }: HttpResponse,
  object: Fields | null,
  rules: ResponseRules,
  fields: () => Fields,
): UnconfirmedReason | null {
  // The part that was not read may say anything.
  if (body === null) return { lacks: 'end' };
  if (status === MULTI_STATUS) return { lacks: 'one-status' };
  if (status === ACCEPTED && !rules.accepted) return { lacks: 'creation' };
  // If the settings allow empty answers, `require` does not apply to those.
  if (isEmpty(body)) return rules.empty ? null : { lacks: 'body' };
  if (object === null) return { lacks: 'object' };
  if (rules.empty && isEmptyObject(object)) return null;
  // Some services answer 200 to everything they understood.
  if (saysThatItFailed(object)) return { lacks: 'success' };
  return rules.require.length > 0 ? lackOf(rules.require, object) : unlikeRecord(object, rules, fields);
}

export function isEmptyObject(object: Fields): boolean {
  // Without a list of the names: this is asked of every answer.
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}

/** The first that the answer lacks. @param required dot paths, or `PATH=VALUE|VALUE` */
function lackOf(required: readonly string[], object: Fields): UnconfirmedReason | null {
  for (const each of required) {
    const [path, ...rest] = each.split('=') as [string, ...string[]];
    const values = rest.length === 0 ? null : rest.join('=').split('|');
    // Null counts as missing: a service that has created nothing may answer `"id": null`.
    const value = valueAtPath(object, path) ?? null;
    if (value === null || (values !== null && !values.includes(scalarText(value) ?? '')))
      return { lacks: 'field', path, values };
  }
  return null;
}

/** Without a requirement, an answer confirms the record that it shows. A page that answers everything shows none. */
function unlikeRecord(object: Fields, rules: ResponseRules, fields: () => Fields): UnconfirmedReason | null {
  const holder = holderOfId(object, rules.id);
  let other = holder === null ? null : otherIdentity(holder, fields);
  if (holder !== null && other === null) return null;
  for (const part of recordParts(object)) {
    if (part === holder || !showsAField(part, fields())) continue;
    const differs = otherIdentity(part, fields);
    if (differs === null) return null;
    other ??= differs;
  }
  return other === null ? { lacks: 'record' } : { lacks: 'same', field: other };
}

/** Where an answer may show its record: at the top, or in `data`. */
function recordParts(object: Fields): Fields[] {
  const { data } = object;
  return isObject(data) ? [object, data] : [object];
}

/** The object that has an id at this path; null if there is none. */
function holderOfId(object: Fields, path: string): Fields | null {
  if (!isId(valueAtPath(object, path))) return null;
  const end = path.lastIndexOf('.');
  return (end < 0 ? object : valueAtPath(object, path.slice(0, end))) as Fields;
}

/** A text or a number, not empty. */
export function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/** The first identifying field with another value than was sent; null if there is none. */
function otherIdentity(part: Fields, fields: () => Fields): (typeof IDENTITY)[number] | null {
  for (const field of IDENTITY) {
    const answered = part[field] ?? null;
    // What was not sent can have no other value.
    if (answered !== null && !isSameId(fields()[field] ?? answered, answered)) return field;
  }
  return null;
}

function isSameId(sent: unknown, answered: unknown): boolean {
  // As a number, a long ID has lost digits on its way through JSON, so its text cannot be compared.
  const isRounded = typeof answered === 'number' && !Number.isSafeInteger(answered);
  return isRounded ? Number(sent) === answered : sent === answered || scalarText(sent) === scalarText(answered);
}

function showsAField(part: Fields, fields: Fields): boolean {
  return Object.keys(fields).some((name) => Object.hasOwn(part, name) && isSameValue(fields[name], part[name]));
}

/** Numbers are compared by value, also those that the service writes as text. */
function isSameValue(sent: unknown, answered: unknown): boolean {
  if (typeof sent === 'number' && typeof answered === 'string') return isId(answered) && Number(answered) === sent;
  if (typeof sent === 'string' && typeof answered === 'number') return sent === String(answered);
  return sent === answered || isDeepStrictEqual(sent, answered);
}

/** As JSON writes numbers and booleans; null for what is neither, nor a text. */
function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** An amount or a currency that differs from what was sent. What was not sent, the service may fill in. */
function otherMoneyIn(object: Fields, { id }: ResponseRules, fields: () => Fields): OtherMoney | null {
  for (const part of [holderOfId(object, id), ...recordParts(object)]) {
    if (part === null || !('amount' in part || 'currency' in part)) continue;
    const sent = fields();
    const differs = MONEY_FIELDS.some((name) => {
      const asked = sent[name] ?? null;
      const answered = part[name] ?? null;
      return asked !== null && answered !== null && !isSameValue(asked, answered);
    });
    return differs ? { sent: sentMoneyText(sent), answered: sentMoneyText(part) } : null;
  }
  return null;
}

function sentMoneyText(fields: Fields): string {
  const texts = MONEY_FIELDS.map((name) => scalarText(fields[name]));
  return texts.filter((text) => text !== null).join(' ');
}

/** As values of `status`, `state` or `result`. */
// prettier-ignore
const FAILURES: ReadonlySet<string> = new Set([
  'error', 'failed', 'failure', 'fail', 'rejected', 'declined', 'denied', 'refused', 'invalid', 'canceled', 'cancelled',
  'void',
]);
/** The lowest status of HTTP that is a failure: services repeat theirs in the answer. */
const FIRST_FAILURE = 400;
/** The longest name that is looked at: most names are longer, and need no other letter case. */
const LONGEST_FAILURE_NAME = 'success'.length;

/** Whether an answer says that it failed, although its status is a success: at its top level or in an object `data`. */
function saysThatItFailed(answer: Fields): boolean {
  return Object.keys(answer).some((name) => {
    const value = answer[name];
    if (isFailure(name, value)) return true;
    return isObject(value) && name.toLowerCase() === 'data' && hasFailure(value);
  });
}

function hasFailure(fields: Fields): boolean {
  return Object.keys(fields).some((name) => isFailure(name, fields[name]));
}

function isFailure(name: string, value: unknown): boolean {
  if (name.length > LONGEST_FAILURE_NAME) return false;
  switch (name.toLowerCase()) {
    case 'error':
    case 'errors':
      return hasContent(value);
    case 'success':
    case 'ok':
      return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
    case 'status':
    case 'state':
    case 'result':
      return isFailureWord(value);
    default:
      return false;
  }
}

/** `"error": null`, `"error": ""` and `"errors": []` mean no error. */
function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function isFailureWord(value: unknown): boolean {
  if (typeof value === 'number') return value >= FIRST_FAILURE;
  if (typeof value !== 'string') return false;
  return FAILURES.has(value.toLowerCase()) || (/^\d+$/.test(value) && Number(value) >= FIRST_FAILURE);
}

/** Whether an answer says that it failed, although its status is a success. PURE. CONTRACT: "Sending". */
import { isObject } from '../../records/field.js';

type Fields = Readonly<Record<string, unknown>>;

/** As values of `status`, `state` or `result`. */
const FAILURES: ReadonlySet<string> = new Set([
  'error',
  'failed',
  'failure',
  'fail',
  'rejected',
  'declined',
  'denied',
  'refused',
  'invalid',
  'canceled',
  'cancelled',
  'void',
]);
/** The lowest status of HTTP that is a failure: services repeat theirs in the answer. */
const FIRST_FAILURE = 400;
/** The longest name that is looked at: most names are longer, and need no other letter case. */
const LONGEST_NAME = 'success'.length;

/** At its top level or in an object `data`, in any letter case. */
export function saysThatItFailed(answer: Fields): boolean {
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
  if (name.length > LONGEST_NAME) return false;
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
